// Files of variables: what dotenv takes for a comment, a quote and a value, and what `${NAME}` becomes.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readEnvFile } from '../../../core/service/profiles/envFile';

const read = (text: string): Readonly<Record<string, string>> => Object.fromEntries(readEnvFile(text).values);

describe('a line', () => {
  const rows: readonly (readonly [text: string, value: string])[] = [
    ['A=b', 'b'],
    ['export A = b', 'b'],
    ['A=b c  ', 'b c'],
    ['A=b # c', 'b'],
    ['A=b#c', 'b'],
    ['A=# c', ''],
    ['A=', ''],
    ['A="b # c" # d', 'b # c'],
    ["A='b # c'# d", 'b # c'],
    ['A=`b "c" \'d\'` # e', 'b "c" \'d\''],
    ['A="b\\nc\\t\\"d\\" \\\\e"', 'b\nc\t"d" \\e'],
    ["A='b\\nc'", 'b\\nc'],
    ['A=b\\nc', 'b\\nc'],
    ['A="b\nc"\nB=d', 'b\nc'],
    ["A='b\r\n# c'", 'b\n# c'],
    ['A="b" c # d', '"b" c'],
    ["A='b", "'b"],
    ["A=it's # b", "it's"],
    ['A={ "b": "#c" }', '{ "b": "#c" }'],
    ['A=["b"] # c', '["b"]'],
    ['A="{\\"b\\":1}"', '{"b":1}'],
    ['\ufeffA=b', 'b'],
    ['A=b\nA=c', 'c'],
  ];
  for (const [text, value] of rows) test(JSON.stringify(text), () => assert.equal(read(text)['A'], value));

  test('that is a comment or a key gives nothing', () => {
    assert.deepEqual(read('# A=b\n\nSOLANA_RPC_KEY="a\nB=c"\nno line\nC=d'), { C: 'd' });
  });
});

describe('a reference', () => {
  const rows: readonly (readonly [text: string, value: string | undefined])[] = [
    ['B=c\nA=x${B}y', 'xcy'],
    ['B=c\nA="x${B}y"', 'xcy'],
    ["B=c\nA='x${B}y'", 'x${B}y'],
    ['B=c\nA=x\\${B}y', 'x${B}y'],
    ['A=${B:-c}', 'c'],
    ['B=\nA=${B}', ''],
    ['B=c\nA=$B', '$B'],
    ['A=${GIVEN}', 'given'],
    ['A=${HOME}', undefined],
    ['A=${B}\nB=c', undefined],
    ['SOLANA_RPC_KEY=c\nA=${SOLANA_RPC_KEY}', undefined],
  ];
  for (const [text, value] of rows)
    test(JSON.stringify(text), () => {
      const { values, unresolved } = readEnvFile(text, new Map([['GIVEN', 'given']]));
      assert.equal(values.get('A'), value);
      assert.deepEqual(
        unresolved.map(({ name }) => name),
        value === undefined ? ['A'] : [],
      );
    });

  test('without a value is named with its line', () => {
    assert.deepEqual(readEnvFile('B="\n"\nA=x${C}').unresolved, [{ line: 3, name: 'A', reference: '${C}' }]);
  });
});

test('a long file costs no more than its length', () => {
  assert.equal(readEnvFile(`A="${'\\"'.repeat(500_000)}`).values.size, 1);
  assert.equal(readEnvFile('A="\n'.repeat(20_001)).values.size, 1);
});
