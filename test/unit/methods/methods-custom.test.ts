// Methods from OpenRPC documents: read, checked, completed and explained as the contract's, and never a false alarm.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, test } from 'node:test';
import { parseDocument } from '../../../core/requests/document/document';
import { createLanguageService, type LanguageService } from '../../../core/requests/language/service';
import { checkCall } from '../../../core/requests/methods/check';
import { MethodTable } from '../../../core/requests/methods';
import { readOpenRpc } from '../../../core/requests/methods/openrpc';
import { parseJson } from '../../../core/solana/json/json';
import { EVERY_SINK, UNSEEN } from '../../support/data/hostileTexts';
import { readMarkdown } from '../../support/data/markdown';

const docs = readFileSync(path.join(__dirname, '..', '..', '..', 'docs', 'custom-methods.md'), 'utf8');
const EXAMPLE = [...docs.matchAll(/^```json\n([\s\S]*?)^```/gm)].map(([, text = '']) => text)[1] ?? '';

/** Methods that `service` knows. */
let methods = new MethodTable();
const service = createLanguageService({ surroundings: () => ({ methods }), log: (message) => assert.fail(message) });
const found = (text: string): string[] =>
  service.diagnostics(parseDocument('file:///a.jsonrpc', 1, text)).map(({ code, range }) => {
    const { start, end } = range;
    return `${String(code)} ${start.line}:${start.character}-${end.line}:${end.character}`;
  });
const tableOf = (text: string): MethodTable => new MethodTable(readOpenRpc(text, 'das.openrpc.json').methods);
const use = (text: string): void => {
  methods = tableOf(text);
};
const useNone = (): void => {
  methods = new MethodTable();
};
const ID = 'F9Lw3ki3hJ7PF9HQXsBzoY8GyE6sPoEZZdXJBsTTD2rk';

/** A document with one method `m`, whose one parameter `p` has this schema. */
const withSchema = (schema: unknown, more: object = {}): string =>
  JSON.stringify({
    openrpc: '1.0.0',
    methods: [{ name: 'm', params: [{ name: 'p', required: true, schema }] }],
    ...more,
  });

/** Codes found in a value of that parameter. */
function codesFor(schema: unknown, value: string, more: object = {}): string[] {
  const { methods, faults } = readOpenRpc(withSchema(schema, more), 'x');
  assert.deepEqual(faults, []);
  const [record] = methods;
  assert.ok(record);
  return checkCall(record, parseJson(`[${value}]`)).map(({ code }) => code);
}

afterEach(useNone);

describe('two workspaces in one process', () => {
  const serviceWith = (table: MethodTable | undefined): LanguageService =>
    createLanguageService({
      surroundings: () => (table === undefined ? {} : { methods: table }),
      log: (message) => assert.fail(message),
    });
  const [first, second, none] = [
    serviceWith(tableOf(withSchema({ type: 'string' }))),
    serviceWith(tableOf(withSchema({ type: 'integer' }))),
    serviceWith(undefined),
  ];
  const services = [first, second, none];
  // The same document: what is kept with its blocks is not shared either.
  const document = parseDocument('file:///a.jsonrpc', 1, '### A\n{ "method": "m", "params": ["text"] }\n');

  test('check the same file each by its own methods, in any order', () => {
    for (let turn = 0; turn < 2; turn++)
      assert.deepEqual(
        services.map((one) => one.diagnostics(document).map(({ code }) => code)),
        [[], ['wrong-type'], ['unknown-method']],
      );
  });

  test('colour, complete and explain it by their own', () => {
    const inName = { line: 1, character: 14 };
    assert.deepEqual(
      services.map((one) => one.hover(document, inName) !== undefined),
      [true, true, false],
    );
    assert.deepEqual(
      services.map((one) => one.completion(document, inName).some(({ label }) => label === 'm')),
      [true, true, false],
    );
    const lengths = services.map((one) => one.semanticTokens(document).length);
    assert.deepEqual(
      lengths.map((length) => length > 0),
      [true, true, false],
    );
  });
});

describe('the example of docs/custom-methods.md', () => {
  test('is read without a fault', () => {
    const { methods, faults } = readOpenRpc(EXAMPLE, 'das.openrpc.json');
    assert.deepEqual(faults, []);
    assert.deepEqual(
      methods.map(({ name }) => name),
      ['getAsset', 'getAssetsByOwner'],
    );
  });

  test('takes the place of a method of a pack, also in a file that was checked before', () => {
    const text = `### A\n{ "method": "getAsset", "params": { "id": "${ID}" } }\n`;
    assert.deepEqual(found(text), ['method-pack 1:12-1:22']);
    use(EXAMPLE);
    assert.deepEqual(found(text), []);
    useNone();
    assert.deepEqual(found(text), ['method-pack 1:12-1:22']);
  });

  test('has its parameters checked with the places of any other method', () => {
    use(EXAMPLE);
    const at = (params: string): string[] => found(`### A\n{ "method": "getAsset", "params": ${params} }\n`);
    assert.deepEqual(at('{ }'), ['missing-field 1:34-1:37']);
    assert.deepEqual(at(`{ "id": 5 }`), ['wrong-type 1:42-1:43']);
    assert.deepEqual(at(`{ "id": "abc" }`), ['wrong-length 1:42-1:47']);
    assert.deepEqual(
      at(`{ "id": "{{x}}" }`).filter((one) => !one.startsWith('unresolved')),
      [],
    );
    assert.deepEqual(at(`["${ID}"]`), ['wrong-type 1:34-1:82']);
    assert.deepEqual(at(`{ "id": "${ID}", "options": { "showFungibel": true } }`), ['unknown-field 1:103-1:117']);
    for (const [member, value, code] of [
      ['limit', '1001', 'out-of-range'],
      ['sortDirection', '"up"', 'enum-value'],
    ]) {
      const line = `{ "method": "getAssetsByOwner", "params": { "ownerAddress": "${ID}", "${member}": ${value} } }`;
      const start = line.lastIndexOf(`${value} }`);
      assert.deepEqual(found(`### A\n${line}\n`), [`${code} 1:${start}-1:${start + String(value).length}`]);
    }
  });

  test('is offered by completion, hover and signature help', () => {
    use(EXAMPLE);
    const document = parseDocument(
      'file:///a.jsonrpc',
      1,
      `### A\n{ "method": "getAsset", "params": { "id": "${ID}", "" } }\n`,
    );
    const labels = service.completion(document, { line: 1, character: 15 }).map(({ label }) => label);
    assert.ok(labels.includes('getAssetsByOwner'));
    const members = service.completion(document, { line: 1, character: 91 }).map(({ label }) => label);
    assert.deepEqual(members, ['options']);
    const hover = JSON.stringify(service.hover(document, { line: 1, character: 15 }));
    assert.match(hover, /One asset with its owner/);
    assert.match(hover, /Added by das\\\\\\\\.openrpc\\\\\\\\.json|Added by das/);
    const help = service.signatureHelp(document, { line: 1, character: 44 });
    assert.match(help?.signatures[0]?.label ?? '', /^getAsset\(id: string, options\?: object\)$/);
  });

  test('is among the nearest names of a misspelt method', () => {
    use(EXAMPLE);
    const document = parseDocument('file:///a.jsonrpc', 1, '### A\n{ "method": "getAsste", "params": {} }\n');
    assert.match(JSON.stringify(service.diagnostics(document)), /Did you mean getAsset/);
  });
});

test('a document cannot change a method of the contract', () => {
  use(withSchema({ type: 'string' }).replace('"m"', '"getSlot"'));
  assert.deepEqual(found('### A\n{ "method": "getSlot" }\n'), []);
});

const AGREEMENTS: readonly (readonly [
  schema: unknown,
  good: readonly string[],
  bad: readonly (readonly [string, string])[],
])[] = [
  [
    { type: 'integer' },
    ['0', '-5', '18446744073709551616'],
    [
      ['1.5', 'wrong-type'],
      ['"1"', 'wrong-type'],
    ],
  ],
  [{ type: 'integer', minimum: 1 }, ['1', '99999999999999999999'], [['0', 'out-of-range']]],
  [
    { type: 'number', maximum: 1 },
    ['0.5', '1', '-1e3'],
    [
      ['1.1', 'out-of-range'],
      ['"1"', 'wrong-type'],
    ],
  ],
  [{ type: ['string', 'null'] }, ['"a"', 'null'], [['5', 'wrong-type']]],
  [{ enum: ['a', 'b', null] }, ['"a"', 'null'], [['"c"', 'enum-value']]],
  [{ enum: [1, 2] }, ['1', '3', '"x"'], []],
  [{ const: 'a' }, ['"a"'], [['"b"', 'enum-value']]],
  [
    { type: 'array', items: { type: 'boolean' }, maxItems: 1 },
    ['[]', '[true]'],
    [
      ['[1]', 'wrong-type'],
      ['[true,false]', 'too-many-items'],
    ],
  ],
  [
    { type: 'object', properties: { a: { type: 'string' } } },
    ['{}', '{"a":"x","b":1}'],
    [
      ['{"a":1}', 'wrong-type'],
      ['[]', 'wrong-type'],
    ],
  ],
  [{ type: 'object', required: ['a'], properties: { a: {} } }, ['{"a":null}', '{"a":5}'], [['{}', 'missing-field']]],
  [{ properties: { a: { type: 'string' } } }, ['5', '"x"', '{"a":"x"}'], [['{"a":1}', 'wrong-type']]],
  [{ oneOf: [{ type: 'string' }, { type: 'integer' }] }, ['"a"', '1'], [['true', 'wrong-type']]],
  [
    {
      oneOf: [
        { type: 'object', required: ['a'] },
        { type: 'object', required: ['b'] },
      ],
    },
    ['{"b":1}', '{}', '5'],
    [],
  ],
  [{ anyOf: [{ type: 'integer' }, { type: 'number' }] }, ['1.5'], []],
  [{ type: 'string', pattern: '^(a+)+$' }, ['"b"'], []],
  [{ not: { type: 'string' } }, ['"a"', '1'], []],
  [true, ['1', '"a"'], []],
  [{ $ref: '#/nowhere' }, ['1', '"a"'], []],
  [{ $ref: 'https://host.example/schema.json' }, ['1'], []],
];

for (const [schema, good, bad] of AGREEMENTS)
  test(`a parameter of ${JSON.stringify(schema)} takes what its schema takes`, () => {
    for (const value of good) assert.deepEqual(codesFor(schema, value), [], value);
    for (const [value, code] of bad) assert.deepEqual(codesFor(schema, value), [code], value);
  });

test('a schema that refers to itself is read to a bounded depth', () => {
  const components = {
    schemas: { Tree: { type: 'object', properties: { left: { $ref: '#/components/schemas/Tree' } } } },
  };
  const schema = { $ref: '#/components/schemas/Tree' };
  assert.deepEqual(codesFor(schema, '{"left":{"left":{}}}', { components }), []);
  assert.deepEqual(codesFor(schema, '{"left":{"left":5}}', { components }), ['wrong-type']);
});

test('a schema that only refers to itself takes anything', () => {
  const components = { schemas: { Loop: { $ref: '#/components/schemas/Loop' } } };
  assert.deepEqual(codesFor({ $ref: '#/components/schemas/Loop' }, '5', { components }), []);
});

describe('a faulty document', () => {
  const faultsOf = (text: string): string[] =>
    readOpenRpc(text, 'x').faults.map(({ place, message }) => `${place}: ${message}`);

  test('that is not JSON says where', () => {
    assert.deepEqual(faultsOf('{\n  "openrpc": nope\n}'), ['line 2, column 14: this is not valid JSON.']);
  });

  test('that is not an OpenRPC document says what one contains', () => {
    for (const text of ['5', '[]', '{}', '{"openrpc":"1.0"}', '{"openrpc":"1.0","methods":{}}'])
      assert.match(faultsOf(text).join(), /OpenRPC document/, text);
  });

  test('keeps its sound methods and names the place of the others', () => {
    const text = JSON.stringify({
      openrpc: '1.0',
      methods: [
        { name: 'good', params: [] },
        { name: 'bad name' },
        5,
        { name: 'odd', params: [{ name: 'x' }] },
        { name: 'good' },
      ],
    });
    const { methods, faults } = readOpenRpc(text, 'x');
    assert.deepEqual(
      methods.map(({ name }) => name),
      ['good', 'odd', 'good'],
    );
    assert.deepEqual(
      faults.map(({ place }) => place),
      ['methods[1].name', 'methods[2].name', 'methods[3].params[0].schema', 'methods[4]'],
    );
  });

  test('of any size or shape never throws', () => {
    for (const text of [
      '',
      '\u0000',
      '[['.repeat(600),
      '{"openrpc":"1","methods":[null,{"name":{}},{"name":"a","params":{"$ref":"#/a"}}]}',
    ])
      assert.ok(readOpenRpc(text, 'x').faults.length >= 1);
  });

  test('of more than 2,000 methods keeps the first 2,000 and says so', () => {
    const methods = Array.from({ length: 2_001 }, (_, index) => ({ name: `m${index}`, params: [] }));
    const read = readOpenRpc(JSON.stringify({ openrpc: '1.0', methods }), 'x');
    assert.equal(read.methods.length, 2_000);
    assert.deepEqual(read.faults, [{ place: 'methods[2000]', message: 'only the first 2000 methods are read.' }]);
    assert.deepEqual(faultsOf(JSON.stringify({ openrpc: '1.0', methods: methods.slice(1) })), []);
  });

  test('of more than 4,000,000 characters is not read', () => {
    const text = '{"openrpc":"1.0","methods":[{"name":"m","params":[]}]}';
    assert.equal(readOpenRpc(text.padEnd(4_000_000), 'x').methods.length, 1);
    const read = readOpenRpc(text.padEnd(4_000_001), 'x');
    assert.deepEqual(read, {
      methods: [],
      faults: [{ place: 'the file', message: 'it is larger than 4000000 characters.' }],
    });
  });

  test('has texts of any kind shown as text in hovers, completion and signature help', () => {
    const text = `${EVERY_SINK.slice(0, 900)} \` ![x](http://127.0.0.1/y) \``;
    const short = '` ![x](http://127.0.0.1/y) <img src=x onerror=y> `';
    const param = (name: string, said: string): object => {
      return { name, description: said, schema: { type: 'string', description: said, default: said } };
    };
    const method = (name: string, said: string): object => ({
      name,
      summary: said,
      params: [param('p', said)],
      result: { name: said, schema: {} },
      'x-notification': { method: 'n', summary: said },
    });
    const openrpc = JSON.stringify({
      openrpc: '1.0.0',
      methods: [method('mSubscribe', text), method('nSubscribe', short)],
    });
    methods = new MethodTable(readOpenRpc(openrpc, `${short}.json`).methods);
    for (const name of ['nSubscribe', 'mSubscribe']) {
      const document = parseDocument('file:///a.jsonrpc', 1, `### A\n{ "method": "${name}", "params": ["a"] }\n`);
      const inName = { line: 1, character: 16 };
      const inParams = { line: 1, character: 38 };
      const help = service.signatureHelp(document, inParams)?.signatures[0];
      const shown = [
        service.hover(document, inName)?.contents,
        service.hover(document, inParams)?.contents,
        ...service.completion(document, inName).map(({ label, documentation }) => label === name && documentation),
        help?.documentation,
        help?.parameters?.[0]?.documentation,
      ].filter((one) => one !== undefined && one !== false);
      assert.equal(shown.length, 5);
      for (const content of shown) {
        assert.ok(typeof content === 'object' && 'value' in content);
        const { kinds, words } = readMarkdown(content.value);
        assert.deepEqual(
          [...kinds].filter((kind) => /link|image|html|heading|quote|hr/.test(kind)),
          [],
          content.value,
        );
        assert.doesNotMatch(words, UNSEEN);
      }
    }
  });

  test('with __proto__ and constructor as names is plain data', () => {
    const schema = parseJsonText(
      '{"type":"object","properties":{"__proto__":{"type":"string"},"constructor":{"type":"integer"}},"required":["constructor"]}',
    );
    assert.deepEqual(codesFor(schema, '{"constructor":1}'), []);
    assert.deepEqual(codesFor(schema, '{}'), ['missing-field']);
  });
});

/** JSON.parse keeps `__proto__` as a member. */
const parseJsonText = (text: string): unknown => JSON.parse(text);
