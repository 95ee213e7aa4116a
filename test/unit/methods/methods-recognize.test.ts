// Calls that are recognised in their text also pass checkCall; and the calls that people mostly write are recognised.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { isFaultless } from '../../../core/requests/checks/faultless';
import { METHODS, STANDARD_METHODS } from '../../../core/requests/methods';
import { checkCall } from '../../../core/requests/methods/check';
import { callRecognizer } from '../../../core/requests/methods/recognize';
import {
  isJsonArray,
  isJsonObject,
  JsonNumber,
  parseJson,
  printJson,
  type JsonValue,
} from '../../../core/solana/json/json';
import { PlainReader } from '../../../core/solana/json/plainReader';
import type { FieldSpec, MethodRecord, ValueSpec } from '../../../core/requests/methods/types';
import { readMarks } from '../../corpus/marks';
import { MUTATIONS } from '../../corpus/mutations';
import { SIGNATURE } from '../../corpus/values';
import { VALID_CALLS } from '../../corpus/variants';
import { damaged, generator } from '../../support/data/requestTexts';

/** Whether the whole text is recognised as the parameters of a method. */
function recognizes(method: string, text: string): boolean {
  const record = STANDARD_METHODS.named(method);
  const reader = new PlainReader(text);
  return record !== undefined && callRecognizer(record)?.params(reader) === true && reader.at === text.length;
}

const KEY = '9B5XszUGdMaxCZ7uSQhPzdks5ZQSmWxrmzCSvtJ6Ns6g';
const MINT = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
const TOKEN = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';

/** The valid calls of the corpus. */
const CALLS = new Map<string, readonly JsonValue[]>();
for (const { method, params } of VALID_CALLS)
  if (params !== undefined) CALLS.set(method, [...(CALLS.get(method) ?? []), parseJson(params)]);

test('checkCall finds nothing in what is recognised of some thousand damaged examples', () => {
  const random = generator(21);
  let passed = 0;
  for (const { name, example } of METHODS) {
    const record = STANDARD_METHODS.named(name);
    assert.ok(record !== undefined);
    const texts = [JSON.stringify(example), JSON.stringify(example, null, 2)];
    for (let round = 0; round < 80; round++)
      for (const text of texts) {
        const other = damaged(random, text);
        if (!recognizes(name, other)) continue;
        passed++;
        assert.deepEqual(checkCall(record, parseJson(other), { conditional: true }), [], `${name} ${other}`);
      }
  }
  assert.ok(passed > 500, String(passed));
});

/** A value with one part of it replaced, removed, repeated or exchanged with the next, each possible once. */
function* variations(value: JsonValue, pool: readonly JsonValue[]): Generator<JsonValue> {
  yield* pool;
  if (isJsonArray(value)) {
    for (const [index, item] of value.entries()) {
      const [before, after] = [value.slice(0, index), value.slice(index + 1)];
      for (const other of variations(item, pool)) yield [...before, other, ...after];
      yield [...before, ...after];
      yield [...before, item, item, ...after];
      const [next, ...rest] = after;
      if (next !== undefined) yield [...before, next, item, ...rest];
    }
    for (const other of pool) yield [...value, other];
  } else if (isJsonObject(value)) {
    for (const [name, item] of Object.entries(value)) {
      const { [name]: _, ...without } = value;
      yield without;
      for (const other of variations(item, pool)) yield { ...without, [name]: other };
    }
  }
}

/** Values of all kinds, valid somewhere and faulty elsewhere. */
const POOL: readonly JsonValue[] = [
  ...[null, true, false, '', 'x', 'confirmed', 'processed', 'finalized', 'recent', 'base58', 'base64', 'jsonParsed'],
  ...[0, 1, -1, 9, 64, 101, 1000, 1001, 500_001, 0.5, new JsonNumber('18446744073709551616'), new JsonNumber('-0')],
  ...[KEY, MINT, TOKEN, SIGNATURE, KEY.slice(1), `${KEY}1`, 'SysvarC1ock11111111111111111111111111111111'],
  ...[[], [KEY], [KEY, KEY], [[KEY]], [5], {}, { mint: MINT }, { mint: TOKEN }, { programId: TOKEN }],
  ...[{ programId: MINT }, { mint: MINT, programId: TOKEN }, { commitment: 'confirmed' }, { commitment: 'recent' }],
  ...[{ encoding: 'base64' }, { encoding: 'json' }, { encoding: 'jsonParsed', dataSlice: { offset: 0, length: 1 } }],
  ...[{ encoding: 'base58', dataSlice: { offset: 0, length: 129 } }, { minContextSlot: 5 }, { minContextSlot: -5 }],
  ...[{ limit: 0 }, { limit: 1 }, { limit: 1001 }, { before: SIGNATURE, until: SIGNATURE }, { firstSlot: 5 }],
  ...[
    { identity: KEY, range: { firstSlot: 1, lastSlot: 5 } },
    { range: { firstSlot: 5, lastSlot: 1 } },
    { unknown: 1 },
  ],
];

test('checkCall finds nothing in what is recognised of the calls of every method, varied part by part', () => {
  const recognized = new Set<string>();
  let refused = 0;
  for (const { name, example } of METHODS) {
    const record = STANDARD_METHODS.named(name);
    assert.ok(record !== undefined);
    const calls: readonly JsonValue[] = [example, ...(CALLS.get(name)?.slice(0, 3) ?? [])];
    for (const params of calls.flatMap((call) => [...variations(call, POOL)])) {
      const isValid = checkCall(record, params, { conditional: true }).length === 0;
      if (recognizes(name, printJson(params))) {
        assert.ok(isValid, `${name} ${printJson(params)}`);
        recognized.add(name);
      } else if (!isValid) refused++;
    }
  }
  assert.ok(recognized.size > 40, String(recognized.size));
  assert.ok(refused > 10_000, String(refused));
});

test('no faulty call of the corpus is recognised', () => {
  for (const { method, source } of MUTATIONS) {
    const { text } = readMarks(source);
    assert.equal(isFaultless(`### a\n${text}`, STANDARD_METHODS), false, `${method} ${text}`);
  }
});

describe('of records as documents make them', () => {
  const [getSlot] = METHODS.filter(({ name }) => name === 'getSlot');
  const isTaken = (changes: Partial<MethodRecord>, text: string): boolean => {
    assert.ok(getSlot !== undefined);
    const reader = new PlainReader(text);
    return callRecognizer({ ...getSlot, ...changes })?.params(reader) === true && reader.at === text.length;
  };
  const flag: FieldSpec = { name: 'flag', doc: '', spec: { kind: 'boolean' } };
  const other: FieldSpec = { ...flag, name: 'other' };
  const of = (spec: ValueSpec): Partial<MethodRecord> => ({ params: [{ ...flag, spec }] });
  const fields = [flag, other];

  const cases: readonly (readonly [
    what: string,
    left: Partial<MethodRecord>,
    twin: Partial<MethodRecord>,
    text: string,
  ])[] = [
    ['newer parameters', { params: [{ ...flag, since: { agave: '4.3' } }] }, { params: [flag] }, '[true]'],
    ['unstable methods', { params: [flag], unstable: 'It changes.' }, { params: [flag] }, '[true]'],
    ['parameters by name', { params: [flag], structure: 'byName' }, { params: [flag], structure: 'either' }, '[true]'],
    ['bounds of texts', of({ kind: 'string', minLength: 2 }), of({ kind: 'string' }), '["a"]'],
    [
      'short lists',
      of({ kind: 'array', items: flag.spec, minItems: 2 }),
      of({ kind: 'array', items: flag.spec, minItems: 1 }),
      '[[true]]',
    ],
    [
      'members that exclude each other',
      of({ kind: 'object', fields, exclusive: [['flag', 'other']] }),
      of({ kind: 'object', fields }),
      '[{"flag":true,"other":true}]',
    ],
    [
      'members that must not both be true',
      of({ kind: 'object', fields, conflicts: [['flag', 'other']] }),
      of({ kind: 'object', fields }),
      '[{"flag":true,"other":true}]',
    ],
    [
      'required parameters behind optional ones',
      { params: [flag, { ...other, required: true }] },
      { params: [{ ...flag, required: true }, other] },
      '[true]',
    ],
  ];
  for (const [what, left, twin, text] of cases)
    test(`${what} are left to checkCall, and their like is recognised`, () => {
      assert.equal(isTaken(left, text), false);
      assert.equal(isTaken(twin, text), true);
    });
});

describe('is recognised', () => {
  const cases: readonly (readonly [method: string, params: string])[] = [
    ['getSlot', '[]'],
    ['getSlot', ' [ { } ] '],
    ['getBalance', `["${KEY}"]`],
    ['getBalance', `[\n\t"${KEY}",\n\t{ "minContextSlot" : 5, "commitment" : "confirmed" }\n]`],
    ['getAccountInfo', `["${KEY}",{"dataSlice":{"length":0,"offset":0},"encoding":"base64"}]`],
    ['getAccountInfo', `["${KEY}",{"encoding":"jsonParsed"}]`],
    ['getMultipleAccounts', `[["${KEY}","${MINT}"]]`],
    ['getSignaturesForAddress', `["${KEY}",{"limit":1000}]`],
    ['getTokenAccountsByOwner', `["${KEY}",{"programId":"${TOKEN}"},{"encoding":"jsonParsed"}]`],
    ['getTokenAccountsByOwner', `["${KEY}",{"mint":"${MINT}"}]`],
  ];
  for (const [method, params] of cases) test(`${method} ${params}`, () => assert.ok(recognizes(method, params)));
});

describe('is left to checkCall', () => {
  const cases: readonly (readonly [what: string, method: string, params: string])[] = [
    ['a parameter that is missing', 'getBalance', '[]'],
    ['a parameter too many', 'getBalance', `["${KEY}",{},1]`],
    ['a comma behind the last', 'getBalance', `["${KEY}",]`],
    ['a comma that is missing', 'getBalance', `["${KEY}"{}]`],
    ['an address that is too long', 'getBalance', `["${KEY}1"]`],
    ['an address with an escape', 'getBalance', `["\\u0039${KEY.slice(1)}"]`],
    ['a member that is there twice', 'getBalance', `["${KEY}",{"minContextSlot":5,"minContextSlot":5}]`],
    ['a member that is not known', 'getBalance', `["${KEY}",{"minContextslot":5}]`],
    ['a member that is null', 'getBalance', `["${KEY}",{"minContextSlot":null}]`],
    ['a word that begins with an allowed one', 'getBalance', `["${KEY}",{"commitment":"confirmedly"}]`],
    ['a fraction', 'getBlockTime', '[5.0]'],
    ['an exponent', 'getBlockTime', '[5e3]'],
    ['a zero in front', 'getBlockTime', '[05]'],
    ['a negative integer', 'getBlockTime', '[-5]'],
    ['more digits than a double holds', 'getBlockTime', '[1234567890123456]'],
    ['an integer above its bound', 'getSignaturesForAddress', `["${KEY}",{"limit":1001}]`],
    ['an integer below its bound', 'getSignaturesForAddress', `["${KEY}",{"limit":0}]`],
    ['two ways to say where a page begins', 'getSignaturesForAddress', `["${KEY}",{"before":"1","beforeSlot":5}]`],
    ['a filter with two members', 'getTokenAccountsByOwner', `["${KEY}",{"mint":"${MINT}","programId":"${TOKEN}"}]`],
    ['a filter without a member', 'getTokenAccountsByOwner', `["${KEY}",{}]`],
    ['a mint in place of a program', 'getTokenAccountsByOwner', `["${KEY}",{"programId":"${MINT}"}]`],
    [
      'a slice of parsed data',
      'getAccountInfo',
      `["${KEY}",{"encoding":"jsonParsed","dataSlice":{"offset":0,"length":1}}]`,
    ],
    ['a slice without its length', 'getAccountInfo', `["${KEY}",{"dataSlice":{"offset":0}}]`],
    ['more accounts than are allowed', 'getMultipleAccounts', JSON.stringify([Array.from({ length: 101 }, () => KEY)])],
    ['a text that ends early', 'getBalance', `["${KEY}"`],
  ];
  for (const [what, method, params] of cases) test(what, () => assert.equal(recognizes(method, params), false, params));
});
