// `matchesSchema` and `matchesSnapshot`: what passes, what a failure shows, when a snapshot is written. The schemas' oracle
// is ajv.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020';
import { fitsSchema, schemaFaults } from '../../../core/requests/run/assertions/schema';
import { Work } from '../../../core/requests/run/assertions/work';
import { parseJson, printJson, type JsonValue } from '../../../core/solana/json/json';
import { failed, ok } from '../../../core/service/errors';
import type { RunPorts } from '../../../runner/ports';
import { codesOf, runText, type Ran, type Setup } from '../../support/process/run';

const reply = (result: string): string => `{"jsonrpc":"2.0","id":1,"result":${result}}`;

describe('schemas', () => {
  /** A schema, and values: those that fit and those that do not, as ajv says. */
  const rows: readonly (readonly [schema: string, values: readonly string[]])[] = [
    ['{"type":"integer"}', ['1', '1.0', '1.5', '"1"', 'null', '1e3', '15e-1']],
    ['{"type":["string","null"]}', ['"a"', 'null', '1', '[]']],
    ['{"type":"number","minimum":1,"exclusiveMaximum":5}', ['1', '0', '4.999', '5', '"3"']],
    ['{"maximum":2,"exclusiveMinimum":0}', ['0', '0.1', '2', '2.1', '"x"']],
    ['{"enum":[1,"a",null,{"b":[1]}]}', ['1', '1.0', '"a"', 'null', '{"b":[1]}', '{"b":[2]}', '2']],
    ['{"const":{"a":1}}', ['{"a":1}', '{"a":1,"b":2}', '1']],
    ['{"minLength":1,"maxLength":2}', ['""', '"a"', '"ab"', '"abc"', '"😀😀"', '5']],
    ['{"pattern":"^a+$"}', ['"aa"', '"ab"', '5']],
    ['{"minItems":1,"maxItems":2,"uniqueItems":true}', ['[]', '[1]', '[1,1]', '[1,"1"]', '[1,2,3]', '{}']],
    [
      '{"uniqueItems":true}',
      [
        ...['[1,1.0]', '[100,1e2]', '[0,-0]', '[1,"1"]', '[null,"null"]', '[[1],[1]]', '[[1,2],[12]]', '[[],{}]'],
        ...['[{"a":1,"b":2},{"b":2,"a":1}]', '[{"a":1},{"a":2}]', '[{"a":{"b":[1]}},{"a":{"b":[1.0]}}]'],
        ...['["a","A"]', '["\\"","\\\\\\""]'],
      ],
    ],
    ['{"minProperties":1,"maxProperties":1}', ['{}', '{"a":1}', '{"a":1,"b":2}', '[]']],
    [
      '{"required":["a"],"properties":{"a":{"type":"string"},"b":true,"c":false}}',
      ['{}', '{"a":"x"}', '{"a":1}', '{"a":"x","b":1}', '{"a":"x","c":1}', '[]'],
    ],
    [
      '{"properties":{"a":true},"patternProperties":{"^x":{"type":"number"}},"additionalProperties":false}',
      ['{"a":1}', '{"x1":1}', '{"x1":"a"}', '{"b":1}', '{}'],
    ],
    ['{"additionalProperties":{"type":"number"}}', ['{"a":1}', '{"a":"b"}']],
    ['{"propertyNames":{"maxLength":1}}', ['{"a":1}', '{"ab":1}']],
    ['{"prefixItems":[{"type":"string"}],"items":{"type":"number"}}', ['["a",1,2]', '[1]', '["a","b"]', '[]']],
    ['{"items":false}', ['[]', '[1]']],
    ['{"contains":{"const":1}}', ['[2,1]', '[2]', '[]', '"x"']],
    ['{"allOf":[{"type":"number"},{"minimum":2}]}', ['2', '1', '"a"']],
    ['{"anyOf":[{"type":"string"},{"minimum":2}]}', ['"a"', '3', '1']],
    ['{"oneOf":[{"multipleOf":1},{"type":"string"}]}', []],
    ['{"oneOf":[{"minimum":1},{"maximum":5}]}', ['0', '3', '6']],
    ['{"not":{"type":"null"}}', ['1', 'null']],
    ['{"if":{"type":"string"},"then":{"minLength":2},"else":{"minimum":2}}', ['"a"', '"ab"', '1', '2']],
    [
      '{"$defs":{"n":{"type":"object","properties":{"next":{"$ref":"#/$defs/n"}},"required":["v"]}},"$ref":"#/$defs/n"}',
      ['{"v":1}', '{"v":1,"next":{"v":2}}', '{"v":1,"next":{}}', '{}'],
    ],
    [
      '{"properties":{"a/b~c":{"type":"string"}},"additionalProperties":{"$ref":"#/properties/a~1b~0c"}}',
      ['{"x":"y"}', '{"x":1}'],
    ],
    ['true', ['1']],
    ['false', ['1']],
  ];
  for (const [schema, values] of rows)
    for (const value of values)
      test(`${schema} and ${value}: as ajv says`, () => {
        const fits = new Ajv2020({ strict: false }).compile(JSON.parse(schema) as object | boolean)(JSON.parse(value));
        const faults = schemaFaults(parseJson(value), parseJson(schema));
        assert.equal(faults.length === 0, fits, faults.join('\n'));
      });

  test('digits beyond a double count', () => {
    const schema = parseJson('{"maximum":18446744073709551614}');
    assert.deepEqual(schemaFaults(parseJson('18446744073709551614'), schema), []);
    assert.deepEqual(schemaFaults(parseJson('18446744073709551615'), schema), [
      'at most 18446744073709551614, found 18446744073709551615',
    ]);
  });

  test('what is not known here, or leads nowhere, passes nothing', () => {
    for (const schema of [
      '{"unevaluatedItems":false}',
      '{"$ref":"https://a.example/b"}',
      '{"$ref":"#/none"}',
      '{"$ref":"#"}',
      '5',
      '{"anyOf":5}',
    ])
      assert.notDeepEqual(schemaFaults(1, parseJson(schema)), [], schema);
  });

  test('a schema whose references never end is too deep', () => {
    for (const schema of [{ $ref: '#' }, { not: { $ref: '#' } }, { anyOf: [{ $ref: '#' }, true] }])
      assert.deepEqual(schemaFaults(1, schema), ['the schema is too deep to be checked']);
  });

  test('work is bounded: schemas that multiply', () => {
    let schema: JsonValue = false;
    for (let depth = 0; depth < 40; depth++) schema = { anyOf: Array<JsonValue>(9).fill(schema) };
    assert.match(schemaFaults(1, schema).join('\n'), /^checking it takes more work than/);
  });

  const MANY = 100_000;
  const numbers = Array.from({ length: MANY }, (_, index) => index);
  const names = numbers.map((number) => `n${number}`);
  const anything = Object.fromEntries(names.map((name) => [name, true]));
  const text = 'a'.repeat(1_000_000);
  const costly: readonly (readonly [string, JsonValue, JsonValue])[] = [
    ['types', numbers, { items: { type: names } }],
    ['values of an enum', numbers.map((number) => number + MANY), { items: { enum: numbers } }],
    ['names of properties', numbers.map(() => ({})), { items: { properties: anything } }],
    ['required members', numbers.map(() => ({})), { items: { required: names } }],
    ['members that are counted', anything, { allOf: numbers.map(() => ({ minProperties: 1 })) }],
    ['members that are named', anything, { allOf: numbers.map(() => ({ propertyNames: true })) }],
    ['additional members', anything, { allOf: numbers.map(() => ({ additionalProperties: true })) }],
    ['patterns of names', anything, { patternProperties: Object.fromEntries(names.map((name) => [`${name}$`, true])) }],
    ['characters', text, { allOf: numbers.map(() => ({ minLength: 1 })) }],
    ['a text as a constant', text, { allOf: numbers.map(() => ({ const: `${text.slice(1)}a` })) }],
    ['patterns', text, { allOf: numbers.map(() => ({ pattern: '(a|a)*b|a$' })) }],
    ['references', 1, { allOf: numbers.map(() => ({ $ref: `#${'/a'.repeat(10_000)}` })) }],
    ['lists that are cut', numbers, { allOf: numbers.map(() => ({ items: true })) }],
    ['lists without doubles', numbers, { allOf: numbers.map(() => ({ uniqueItems: true })) }],
  ];
  for (const [what, value, schema] of costly)
    test(`work is bounded: ${what}`, () => {
      const work = new Work(2_000_000);
      assert.throws(() => fitsSchema(value, schema, work), { message: /^checking it takes more work than 2000000/ });
    });

  test('a list without doubles is checked in time that grows with its length', () => {
    assert.deepEqual(schemaFaults(numbers, { uniqueItems: true }), []);
    assert.deepEqual(schemaFaults([...numbers, 7], { uniqueItems: true }), [`[${MANY}]: is there twice`]);
  });

  test('faults that nobody sees cost nothing', () => {
    const faults = schemaFaults(text, { allOf: numbers.map(() => false) });
    assert.equal(faults.length, 9);
    assert.equal(faults.at(-1), `and ${MANY - 8} more`);
  });

  test('a fraction of zeros is read once', () => {
    const value = parseJson(`1.${'0'.repeat(2_000_000)}1`);
    assert.equal(schemaFaults(value, { type: 'integer' }).length, 1);
  });

  test('what a pattern cannot be checked for passes nothing, negated or not', () => {
    const cases: readonly (readonly [JsonValue, JsonValue])[] = [
      ['a', { pattern: '(?=a)' }],
      ['a', { not: { pattern: '(?=a)' } }],
      ['a'.repeat(1_000_001), { not: { pattern: 'b' } }],
      [{ a: 1 }, { patternProperties: { '(?=a)': false } }],
    ];
    for (const [value, schema] of cases)
      assert.match(
        schemaFaults(value, schema).join('\n'),
        /^(?:the pattern "\(\?=a\)" cannot be used: Look-around|checking)/,
      );
  });
});

describe('matchesSchema', () => {
  const SCHEMA = '{"type":"object","required":["lamports"],"properties":{"lamports":{"type":"integer","minimum":1}}}';
  const ran = (assertion: string, result: string): Promise<Ran> =>
    runText(`### a\n{"method":"m"}\n?? ${assertion}`, {
      files: { './s.json': SCHEMA, './no.json': 'x' },
      reply: [reply(result)],
    });

  test('a file is read, and a failure says what does not fit and where', async () => {
    const good = await ran('result.value matchesSchema ./s.json', '{"value":{"lamports":5}}');
    assert.equal(good.report.requests[0]?.assertions[0]?.passed, true);
    const bad = await ran('result.value matchesSchema ./s.json', '{"value":{"lamports":"5"}}');
    assert.deepEqual(bad.report.requests[0]?.assertions[0]?.differences, ['lamports: due is "integer", found "5"']);
    const none = await ran('result.value matchesSchema ./s.json', '{}');
    assert.equal(none.report.requests[0]?.assertions[0]?.passed, false);
  });

  test('a schema may be written in place, with every and not', async () => {
    for (const assertion of [
      'result matchesSchema {"type":"array"}',
      'every result[*] matchesSchema {"type":"number"}',
      'any result[*] matchesSchema {"const":2}',
      'result not matchesSchema ./s.json',
    ])
      assert.equal((await ran(assertion, '[1,2]')).report.requests[0]?.status, 'passed', assertion);
  });

  test('a file that is not there stops the run before anything is sent', async () => {
    const missing = await ran('result matchesSchema ./none.json', '1');
    assert.deepEqual([codesOf(missing), missing.sent.length], [['bad-assertion'], 0]);
    const broken = await ran('result matchesSchema ./no.json', '1');
    assert.deepEqual(broken.report.requests[0]?.assertions[0]?.differences, ['./no.json is not JSON.']);
  });

  test('is for assertions, and takes a file or a schema', async () => {
    for (const text of [
      '### a\n# @retry 2 every 1ms while result matchesSchema ./s.json\n{"method":"m"}',
      '@x = 1\n### a\n# @if x matchesSnapshot\n{"method":"m"}',
    ])
      assert.deepEqual(codesOf(await runText(text)), ['bad-directive'], text);
    for (const value of ['', ' 5', ' ./s.yaml', ' "./s.json"'])
      assert.deepEqual(
        codesOf(await runText(`### a\n{"method":"m"}\n?? result matchesSchema${value}`)),
        ['bad-assertion'],
        value,
      );
  });
});

describe('matchesSnapshot', () => {
  const FILE = './__snapshots__/file.jsonrpc.json';
  const TEXT = '### Slots\n{"method":"m"}\n?? result matchesSnapshot ignoring context.slot\n';
  const RESULT = '{"context":{"slot":1},"value":18446744073709551615}';
  const KEPT = '{\n  "Slots: result": {\n    "context": {},\n    "value": 18446744073709551615\n  }\n}\n';
  const ran = (result: string, setup: Setup & { readonly text?: string } = {}): Promise<Ran> =>
    runText(setup.text ?? TEXT, { reply: () => reply(result), ...setup });

  test('nothing is written unless that is asked for', async () => {
    const { report, written } = await ran(RESULT);
    assert.deepEqual(report.requests[0]?.assertions[0]?.differences, [
      'There is no snapshot yet. --update-snapshots, or Update Snapshot in the editor, keeps what is found.',
    ]);
    assert.equal(printJson(report.requests[0].assertions[0]?.actual ?? null), RESULT);
    assert.equal(report.requests[0].status, 'failed');
    assert.equal(written.size, 0);
  });

  test('what is found is kept with all digits, without what is ignored', async () => {
    const { report, written } = await ran(RESULT, { updatesSnapshots: true });
    assert.equal(report.ok, true);
    assert.deepEqual([...written], [[FILE, KEPT]]);
  });

  test('the name of the request file is one part of the path, with separators and escapes in it, too', async () => {
    const names: Readonly<Record<string, string>> = {
      'file:///w/a%20b.jsonrpc': 'a b.jsonrpc',
      'file:///w/..%2F..%2Fevil.jsonrpc': '..%2F..%2Fevil.jsonrpc',
      'file:///w/..%5Cevil.jsonrpc': '..%5Cevil.jsonrpc',
      'file:///w/%2e%2e': '..',
      'file:///w/100%.jsonrpc': '100%.jsonrpc',
      'ab://..%2Fevil.jsonrpc': '..%2Fevil.jsonrpc',
      '100%.jsonrpc': '100%.jsonrpc',
      '..%2Fevil.jsonrpc': '..%2Fevil.jsonrpc',
    };
    for (const [uri, name] of Object.entries(names)) {
      const { report, written } = await ran(RESULT, { updatesSnapshots: true, uri });
      assert.deepEqual([report.ok, ...written.keys()], [true, `./__snapshots__/${name}.json`]);
    }
  });

  test('an equal value passes, ignored parts aside; another one shows where it differs', async () => {
    const files = { [FILE]: KEPT };
    assert.equal((await ran(RESULT.replace('"slot":1', '"slot":2'), { files })).report.ok, true);
    const other = await ran(RESULT.replace('615}', '614}'), { files });
    assert.deepEqual(other.report.requests[0]?.assertions[0]?.differences, [
      'value: found 18446744073709551614, expected 18446744073709551615',
    ]);
    assert.equal(other.written.size, 0);
  });

  test('an update keeps what other requests have, and writes nothing where nothing changed', async () => {
    const files = { [FILE]: KEPT.replace('{\n', '{\n  "Another: result": 1,\n') };
    assert.equal((await ran(RESULT, { files, updatesSnapshots: true })).written.size, 0);
    const { written } = await ran('5', { files, updatesSnapshots: true });
    assert.deepEqual(parseJson(written.get(FILE) ?? ''), parseJson('{"Another: result":1,"Slots: result":5}'));
  });

  test('requests with the same words, and rows, have separate snapshots', async () => {
    const block = '### Same\n{"method":"m"}\n?? result matchesSnapshot\n';
    const rows = '### Each\n# @foreach row in [1, 2]\n{"method":"m","params":["{{row}}"]}\n?? result matchesSnapshot\n';
    let n = 0;
    const { written } = await ran('', {
      text: `${block}\n${block}\n${rows}`,
      updatesSnapshots: true,
      reply: () => reply(String(++n)),
    });
    assert.equal(
      printJson(parseJson(written.get(FILE) ?? '')),
      '{"Each: result [0]":3,"Each: result [1]":4,"Same: result":1,"Same: result #2":2}',
    );
  });

  test('a file with other content, and a file that cannot be written, fail', async () => {
    const broken = await ran(RESULT, { files: { [FILE]: '[1]' } });
    assert.deepEqual(broken.report.requests[0]?.assertions[0]?.differences, [`${FILE} holds no snapshots.`]);
    const files: RunPorts['files'] = {
      read: async () => failed({ kind: 'invalidRequest', message: 'It is not there.' }),
      mayWrite: async () => ok(undefined),
      write: async () => failed({ kind: 'invalidRequest', message: 'The disk is full.' }),
    };
    const unsaved = await ran(RESULT, { ports: { files }, updatesSnapshots: true });
    assert.equal(unsaved.report.ok, false);
    assert.match(unsaved.report.requests[0]?.error?.message ?? '', /not written: The disk is full/);
  });
});
