// The bounds of JSON: how deep a text is read and a value printed, and how much room indentation takes.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  jsonOf,
  JsonDepthError,
  MAX_DEPTH,
  parseJson,
  printJson,
  type JsonValue,
} from '../../../core/solana/json/json';

const arrays = (levels: number, inside = '1'): string => '['.repeat(levels) + inside + ']'.repeat(levels);
const objects = (levels: number, inside = '1'): string => '{"a":'.repeat(levels) + inside + '}'.repeat(levels);
/** Every level begins with items that are closed again. */
const crowded = (levels: number, inside = '1'): string =>
  '[{},[],"]",'.repeat(levels - 1) + arrays(1, inside) + ']'.repeat(levels - 1);

describe('reading', () => {
  for (const [shape, build] of Object.entries({ arrays, objects, crowded }))
    for (const [numbers, inside] of Object.entries({
      'plain numbers': '1',
      'an exact number': '1.50',
      'an empty object': '',
    })) {
      const text = (levels: number): string => build(levels - (inside === '' ? 1 : 0), inside === '' ? '{}' : inside);
      test(`${shape} with ${numbers} are read down to the bound and not below`, () => {
        assert.equal(printJson(parseJson(text(MAX_DEPTH))), text(MAX_DEPTH));
        for (const levels of [MAX_DEPTH + 1, 2_500, 100_000])
          assert.throws(() => parseJson(text(levels)), JsonDepthError, `${levels} levels`);
      });
    }

  test('the place where it becomes too deep is in the error', () => {
    assert.throws(() => parseJson(arrays(2_500)), {
      name: 'JsonSyntaxError',
      message: 'Nested deeper than 512 levels',
      offset: MAX_DEPTH,
    });
    assert.equal(jsonOf(arrays(2_500)), undefined);
  });

  test('brackets in strings do not count', () => {
    const text = JSON.stringify({ a: ['['.repeat(5_000), '{'.repeat(5_000)], b: '"['.repeat(5_000) });
    assert.equal(printJson(parseJson(text)), text);
  });

  test('every number keeps its digits, in whichever way the text is read', () => {
    const tokens = [
      '0',
      '-0',
      '7',
      '-7',
      '1.0',
      '1e5',
      '1E-5',
      '123456789012345',
      '1234567890123456',
      '-1234567890123456',
    ];
    tokens.push(
      '12345678901234.5',
      '123456789012345.5',
      '1234567890123456.5',
      '123456789012345e1',
      '18446744073709551615',
    );
    for (const token of tokens)
      for (const text of [token, `[${token}]`, `[1,${token}]`, `{"a":${token}}`, `[[-1],${token},"1.5e5"]`])
        assert.equal(printJson(parseJson(text)), text);
  });
});

describe('printing', () => {
  /** Of a value that was put together, not read. */
  function built(levels: number): JsonValue {
    let value: JsonValue = 1;
    for (let level = 0; level < levels; level++) value = level % 2 === 0 ? [value] : { a: value };
    return value;
  }

  test('what is around an answer as deep as can be is printed', () => {
    const value = { requests: [{ response: built(MAX_DEPTH) }] };
    assert.equal(printJson(value), JSON.stringify(value));
  });

  test('a value that is far too deep is an error with words, not an exhausted stack', () => {
    for (const indent of [0, 2])
      assert.throws(() => printJson(built(100_000), indent), { message: 'Nested deeper than 1024 levels' });
  });

  test('indented text grows with the number of values, not with their depth', () => {
    const leaves = `[${'1,'.repeat(9_999)}1]`;
    const text = arrays(MAX_DEPTH - 1, leaves);
    const printed = printJson(parseJson(text), 2);
    assert.ok(printed.length < 2 * text.length, `${printed.length} characters for ${text.length}`);
    assert.equal(printJson(parseJson(printed)), text);
  });

  test('levels that answers of Solana have are indented as ever', () => {
    const value = JSON.parse(objects(32, '{"b":[1]}')) as JsonValue;
    assert.equal(
      printJson(value, 2)
        .split('\n')
        .slice(30, 36)
        .map((line) => line.trim())
        .join('\n'),
      '"a": {\n"a": {\n"a": {"b":[1]}\n}\n}\n}',
    );
    const shallow = JSON.parse(objects(20, '{"b":[1,{"c":null}],"d":[]}')) as JsonValue;
    assert.equal(printJson(shallow, 2), JSON.stringify(shallow, null, 2));
  });
});
