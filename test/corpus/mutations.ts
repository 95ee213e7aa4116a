// Faulty calls made from the facts of the contract, each with the mark of what has to be found and where (marks.ts).
// Follows the contract, not the checks. Blocks that need a story are written manually in faulty/.
import type { Fact, MethodFacts } from './facts';
import { METHODS, REMOVED } from './methods';
import {
  base58OfLength,
  base64OfLength,
  BLOCKHASH,
  KEY,
  MINT,
  SIGNATURE,
  TOKEN_PROGRAM,
  TOO_LARGE,
  TRANSACTION,
  TRANSACTION_58,
  UNSIGNED,
  UNSIGNED_58,
} from './values';
import { bodyOf, callsOf, samplesOf } from './variants';

/** The text of a block without its title, with marks. */
export interface Mutation {
  readonly method: string;
  readonly source: string;
}

const mark = (code: string, text: string): string => `⟦${code}|${text}⟧`;
const wrong = (code: string, ...texts: readonly string[]): string[] => texts.map((text) => mark(code, text));
const U64 = { over: '18446744073709551616', under: '-1' };
/** Every encoding that some method has; the others are no encodings at all. */
const ENCODINGS = ['base58', 'base64', 'base64+zstd', 'jsonParsed', 'json'];

const KEY_FAULTS = [
  ...wrong('wrong-type', '5', 'true', `["${KEY}"]`, '{}'),
  ...wrong('wrong-length', '"abc"', '""', `"${SIGNATURE}"`, `"${base58OfLength(31)}"`, `"${base58OfLength(33)}"`),
  ...wrong('not-base58', `"${KEY.slice(0, -1)}0"`, `"${KEY.slice(0, 9)} ${KEY.slice(9)}"`, '"0OIl"'),
];

/** Marked texts that a fact refuses. `at` as in `samplesOf`. */
function faultsOf(fact: Fact, at: string): readonly string[] {
  const isNull = fact.required === true ? wrong('wrong-type', 'null') : [];
  switch (fact.type) {
    case 'pubkey':
      return [...KEY_FAULTS, ...isNull];
    case 'blockhash':
      return [...wrong('wrong-type', '5'), ...wrong('wrong-length', `"${SIGNATURE}"`), mark('not-base58', '"0x1"')];
    case 'signature':
      return [
        ...wrong('wrong-type', '5', '{}'),
        ...wrong('wrong-length', `"${KEY}"`, '""', `"${base58OfLength(65)}"`),
        mark('not-base58', `"l${SIGNATURE.slice(1)}"`),
        ...isNull,
      ];
    case 'u64':
      return [...integerFaults(fact), ...isNull];
    case 'u8':
      return [...wrong('out-of-range', '256', '-1'), ...wrong('wrong-type', '"0"', '0.5', 'true')];
    case 'i64':
      return [...wrong('out-of-range', '9223372036854775808', '-9223372036854775809'), mark('wrong-type', '"1"')];
    case 'bool':
      return [...wrong('wrong-type', '"true"', '1', '[]'), ...isNull];
    case 'string':
      return wrong('wrong-type', '5');
    case 'base64':
      return [...wrong('wrong-type', '5'), ...wrong('not-base64', '"***"', '"AQI"', `"${KEY}="`), ...isNull];
    case 'transaction':
      return [];
    case 'filterBytes':
      return [];
    case 'enum':
      return wordFaults(fact, at);
    case 'array':
      return arrayFaults(fact, at);
    case 'object':
      return objectFaults(fact, at);
    case 'union':
      return unionFaults(fact, at);
  }
}

function integerFaults({ min = 0, max, orConfig }: Fact): string[] {
  return [
    ...wrong('wrong-type', '"5"', '1.5', '1e3', '1.0', 'true', '[1]', ...(orConfig === true ? [] : ['{}'])),
    ...wrong('out-of-range', U64.under, U64.over),
    ...(max === undefined ? [] : wrong('out-of-range', String(max + 1))),
    ...(min === 0 ? [] : wrong('out-of-range', String(min - 1))),
  ];
}

function wordFaults({ words = [] }: Fact, at: string): string[] {
  const [first = ''] = words;
  const made = wrong('enum-value', '"nothing"', '""', JSON.stringify(first.toUpperCase()));
  if (!at.endsWith('filters[]')) made.push(...wrong('wrong-type', '5', 'true'));
  if (at.endsWith('.encoding'))
    for (const word of ENCODINGS) if (!words.includes(word)) made.push(mark('encoding-unsupported', `"${word}"`));
  if (at.toLowerCase().endsWith('commitment')) {
    made.push(...wrong('enum-value', '"recent"', '"max"', '"single"', '"singleGossip"', '"root"'));
    if (!words.includes('processed')) made.push(mark('commitment-unsupported', '"processed"'));
  }
  return made;
}

function arrayFaults({ items, minItems = 0, maxItems, required }: Fact, at: string): string[] {
  const plain = items === undefined ? '' : (samplesOf(items, `${at}[]`)[0] ?? '');
  const made = wrong('wrong-type', '"text"', '5', '{}', ...(required === true ? ['null'] : []));
  if (minItems > 0) made.push(mark('out-of-range', '[]'));
  if (maxItems !== undefined) {
    const most = Array.from({ length: maxItems }, () => plain).join(', ');
    made.push(`[${most}, ${mark('too-many-items', plain)}]`, `[${most}, ${mark('too-many-items', plain)}, ${plain}]`);
  }
  for (const fault of items === undefined ? [] : faultsOf(items, `${at}[]`)) {
    made.push(`[${fault}]`);
    if (maxItems !== 1) made.push(`[${plain}, ${fault}]`);
  }
  return made;
}

function objectFaults(fact: Fact, at: string): string[] {
  const { fields = [], exactlyOne, bareEncoding, required } = fact;
  if (exactlyOne === true) return choiceFaults(fact, at);
  const plain = (one: Fact): string => samplesOf(one, `${at}.${one.name}`)[0] ?? 'null';
  const needed = fields.filter((one) => one.required).map((one) => `"${one.name}": ${plain(one)}`);
  const withMore = (more: string, but?: Fact): string =>
    `{ ${[...needed.filter((text) => !text.startsWith(`"${but?.name}"`)), more].join(', ')} }`;
  // Nodes choose by the name of such a member and refuse others.
  const unknown = fields.some(({ name }) => name?.startsWith('mentions')) ? 'error unknown-field' : 'unknown-field';
  const made = wrong('wrong-type', '5', 'true', '[]', ...(required === true ? ['null'] : []));
  if (bareEncoding !== true && !at.endsWith('filters[]') && required !== true)
    made.push(mark('wrong-type', '"base64"'));
  if (bareEncoding === true) made.push(...wrong('enum-value', '"nothing"', '"BASE64"'));
  for (const [index, one] of fields.entries()) {
    for (const fault of faultsOf(one, `${at}.${one.name}`)) made.push(withMore(`"${one.name}": ${fault}`, one));
    made.push(withMore(`${mark(unknown, `"${nearMiss(one.name ?? '')}"`)}: ${plain(one)}`));
    if (one.required !== true) continue;
    const others = needed.filter((_, at) => fields.filter((field) => field.required)[at] !== fields[index]);
    made.push(mark('missing-field', others.length === 0 ? '{}' : `{ ${others.join(', ')} }`));
  }
  made.push(withMore(`${mark(unknown, '"constructor"')}: 1`));
  return made;
}

/** A token filter, and an account filter. */
function choiceFaults({ fields = [] }: Fact, at: string): string[] {
  const made = [mark('filter-shape', '{}')];
  // Nodes read a choice, and a second member spoils it: null, or one they do not know.
  const [first, second] = fields.map((one) => `"${one.name}"`);
  const value = at.endsWith('filters[]') ? '165' : `"${MINT}"`;
  made.push(
    mark('filter-shape', `{ ${first}: ${value}, ${second}: null }`),
    mark('filter-shape', `{ ${first}: null }`),
  );
  made.push(mark('filter-shape', `{ ${first}: ${value}, ${mark('unknown-field', '"constructor"')}: 1 }`));
  if (at.endsWith('filters[]')) {
    made.push(mark('filter-shape', '{ "dataSize": 165, "memcmp": { "offset": 0, "bytes": "3" } }'));
  } else {
    made.push(mark('filter-shape', `{ "mint": "${MINT}", "programId": "${TOKEN_PROGRAM}" }`));
    made.push(...wrong('wrong-type', '5', '[]', `"${MINT}"`, 'null'));
  }
  for (const one of fields)
    for (const fault of one.name === 'memcmp' ? memcmpFaults() : faultsOf(one, `${at}.${one.name}`))
      made.push(`{ "${one.name}": ${fault} }`);
  return made;
}

function memcmpFaults(): string[] {
  const offsets = integerFaults({ type: 'u64' });
  return [
    ...wrong('wrong-type', '"3"', '5', '[]'),
    ...wrong('missing-field', '{ "offset": 0 }', '{ "bytes": "3" }'),
    ...offsets.map((fault) => `{ "offset": ${fault}, "bytes": "3" }`),
    `{ "offset": 0, "bytes": ${mark('wrong-type', '5')} }`,
    `{ "offset": 0, "bytes": ${mark('not-base58', '"0"')} }`,
    `{ "offset": 0, "bytes": ${mark('not-base58', '"AQID="')} }`,
    `{ "offset": 0, "bytes": ${mark('not-base64', '"AQI"')}, "encoding": "base64" }`,
    `{ "offset": 0, "bytes": ${mark('out-of-range', `"${base58OfLength(129)}"`)} }`,
    `{ "offset": 0, "bytes": ${mark('out-of-range', `"${base64OfLength(129)}"`)}, "encoding": "base64" }`,
    `{ "offset": 0, "bytes": [1, ${mark('out-of-range', '256')}] }`,
    `{ "offset": 0, "bytes": [1, ${mark('wrong-type', '"2"')}] }`,
    `{ "offset": 0, "bytes": "3", "encoding": ${mark('enum-value', '"hex"')} }`,
    `{ "offset": 0, "bytes": "3", "encoding": ${mark('encoding-unsupported', '"jsonParsed"')} }`,
    `{ "offset": 0, "bytes": "3", ${mark('unknown-field', '"ofset"')}: 0 }`,
  ];
}

function unionFaults({ oneOf = [], required }: Fact, at: string): string[] {
  const made = wrong('wrong-type', '5', '[]', ...(required === true ? ['null'] : []));
  for (const one of oneOf) {
    // Faults common to every option are already listed; a string is judged as a word, an object by its members.
    const faults = faultsOf(one, at).filter((fault) => !fault.startsWith('⟦wrong-type'));
    made.push(...faults);
  }
  return made;
}

/** A slip of the finger: two letters change places, or one is missing where they are the same; short names get one more. */
function nearMiss(name: string): string {
  if (name.length < 4) return `${name}t`;
  const at = Math.max(1, name.length - 3);
  const [a = '', b = ''] = [name.charAt(at), name.charAt(at + 1)];
  return a === b ? name.slice(0, at) + name.slice(at + 1) : name.slice(0, at) + b + a + name.slice(at + 2);
}

/** Faults in the name, the transport and the shape of params. */
function callFaults({ name: method, on, params }: MethodFacts): string[] {
  const valid = callsOf({ name: method, on, params }).map((call) => call.params ?? '[]');
  const plain = valid.find((text) => text.startsWith('[')) ?? '[]';
  const items = plain.slice(1, -1);
  const required = params.filter((one) => one.required);
  const body = (text: string | undefined): string => bodyOf({ method, params: text });
  const misnamed = (name: string): string => `{ "method": ${mark('unknown-method', `"${name}"`)}, "params": ${plain} }`;
  const atMethod = (code: string): string => `{ "method": ${mark(code, `"${method}"`)}, "params": ${plain} }`;
  const made = [nearMiss(method), `${method}s`, method.charAt(0).toUpperCase() + method.slice(1)]
    .filter((name) => METHODS.every((other) => other.name !== name))
    .map(misnamed);
  if (on === 'http') made.push(`WS\n${atMethod('wrong-transport')}`, `WEBSOCKET\n${atMethod('wrong-transport')}`);
  if (on === 'ws') made.push(`POST\n${atMethod('wrong-transport')}`, `[${atMethod('wrong-transport')}]`);
  if (on === 'ws') made.push(`SWQOS\n${atMethod('wrong-transport')}`);
  else if (method !== 'sendTransaction') made.push(`SWQOS\n${atMethod('warning wrong-transport')}`);
  made.push(`GRPC geyser.Geyser/GetSlot\n{ ${mark('wrong-transport', '"method"')}: "${method}", "params": ${plain} }`);
  made.push(body(mark('wrong-type', '"text"')), body(mark('wrong-type', '5')), body(mark('params-by-name', '{}')));
  if (required.length > 0) {
    made.push(`{ "method": ${mark('missing-param', `"${method}"`)} }`, body(mark('missing-param', '[]')));
    made.push(`{ "method": ${mark('missing-param', `"${method}"`)}, "params": null }`);
    const named = required.map((one) => `"${one.name}": null`).join(', ');
    made.push(body(mark('params-by-name', `{ ${named} }`)));
  }
  const full = params.length === required.length ? items : [items, ...params.slice(required.length).map(() => 'null')];
  const filled = Array.isArray(full) ? full.filter((text) => text !== '').join(', ') : full;
  const front = filled === '' ? '' : `${filled}, `;
  made.push(body(`[${front}${mark('too-many-params', '1')}]`), body(`[${front}${mark('too-many-params', '{}')}, 2]`));
  return made;
}

/** Faults in one parameter while the others are right. */
function paramFaults({ name: method, params }: MethodFacts): string[] {
  return params.flatMap((one, index) => {
    const plain = (other: MethodFacts['params'][number]): string =>
      samplesOf(other, `${method}.${other.name}`)[0] ?? 'null';
    const before = params.slice(0, index).map(plain);
    const after = params
      .slice(index + 1)
      .filter((next) => next.required)
      .map(plain);
    return faultsOf(one, `${method}.${one.name}`).map((fault) =>
      bodyOf({ method, params: `[${[...before, fault, ...after].join(', ')}]` }),
    );
  });
}

/** Transactions that are no such, not signed, too large, or not in the encoding that the config names. */
function transactionFaults(method: 'sendTransaction' | 'simulateTransaction'): string[] {
  const body = (...params: readonly string[]): string => bodyOf({ method, params: `[${params.join(', ')}]` });
  const in64 = '{ "encoding": "base64" }';
  const made = [
    body(mark('transaction-encoding', `"${TRANSACTION}"`)),
    body(mark('transaction-encoding', `"${TRANSACTION}"`), '{ "encoding": "base58" }'),
    body(mark('transaction-encoding', `"${TRANSACTION}"`), '{ "encoding": null }'),
    body(mark('transaction-encoding', `"${TRANSACTION_58}"`), in64),
    body(mark('transaction-too-large', `"${TOO_LARGE}"`), in64),
    body(mark('not-base58', '"hello world"')),
    body(mark('not-base64', '"hello world"'), in64),
    body(mark('not-base64', `"${TRANSACTION.slice(0, -1)}"`), in64),
    ...wrong('wrong-type', '5', 'null', '{}', `["${TRANSACTION}"]`).map((fault) => body(fault)),
  ];
  const unsigned = method === 'sendTransaction' ? [in64] : ['{ "encoding": "base64", "sigVerify": true }'];
  for (const config of unsigned) made.push(body(mark('transaction-unsigned', `"${UNSIGNED}"`), config));
  if (method === 'sendTransaction') made.push(body(mark('transaction-unsigned', `"${UNSIGNED_58}"`)));
  else {
    const config = '{ "encoding": "base64", "sigVerify": true, ⟦conflicting-fields|"replaceRecentBlockhash"⟧: true }';
    made.push(body(`"${TRANSACTION}"`, config));
  }
  return made;
}

/** Rules between two values. */
const RULES: readonly string[] = [
  `{ "method": "getBlocks", "params": [1, ⟦out-of-range|500002⟧] }`,
  `{ "method": "getBlockProduction", "params": [{ "range": { "firstSlot": 9, "lastSlot": ⟦out-of-range|8⟧ } }] }`,
  `{ "method": "isBlockhashValid", "params": [⟦wrong-length|"${BLOCKHASH.slice(0, 30)}"⟧] }`,
];

const REMOVED_CALLS = Object.keys(REMOVED).flatMap((method) =>
  ['', ', "params": []'].map((more) => `{ "method": ${mark('deprecated-method', `"${method}"`)}${more} }`),
);

/** The faulty calls of one method. */
export function mutationsOf(facts: MethodFacts): readonly Mutation[] {
  const { name: method } = facts;
  const isTransaction = method === 'sendTransaction' || method === 'simulateTransaction';
  const sources = [...callFaults(facts), ...paramFaults(facts), ...(isTransaction ? transactionFaults(method) : [])];
  return [...new Set(sources)].map((source) => ({ method, source }));
}

export const MUTATIONS: readonly Mutation[] = [
  ...METHODS.flatMap(mutationsOf),
  ...[...RULES, ...REMOVED_CALLS].map((source) => ({ method: 'rules', source })),
];
