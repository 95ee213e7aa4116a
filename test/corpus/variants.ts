// Valid calls made from the facts of the contract: every parameter left out and filled, every word, every bound. Knows
// nothing of the checks they are put to.
import { U64_MAX, type Fact, type MethodFacts } from './facts';
import { METHODS } from './methods';
import { BLOCKHASH, KEY, MESSAGE, OTHER_KEY, SIGNATURE, SYSTEM, TRANSACTION, TRANSACTION_58 } from './values';

/** A call as JSON text, so that digits stay as they are written. */
export interface Call {
  readonly method: string;
  readonly on: MethodFacts['on'];
  /** Nothing where the member is left out. */
  readonly params: string | undefined;
}

const I64 = ['-9223372036854775808', '0', '9223372036854775807'];
const quoted = (words: readonly string[]): string[] => words.map((word) => JSON.stringify(word));

/** JSON texts that a fact takes; the first is the plain one. `at`: the method and the names down to the fact. */
export function samplesOf(fact: Fact, at: string): readonly string[] {
  if (fact.samples !== undefined) return fact.samples;
  switch (fact.type) {
    case 'pubkey':
      return quoted([KEY, SYSTEM, OTHER_KEY]);
    case 'signature':
      return quoted([SIGNATURE]);
    case 'blockhash':
      return quoted([BLOCKHASH]);
    case 'u64':
      return [...new Set(['1', String(fact.min ?? 0), fact.max === undefined ? U64_MAX : String(fact.max)])];
    case 'u8':
      return ['0', '1', '255'];
    case 'i64':
      return I64;
    case 'bool':
      return ['true', 'false'];
    case 'string':
      return ['"text"'];
    case 'base64':
      return quoted([MESSAGE]);
    case 'transaction':
      return quoted([TRANSACTION_58]);
    case 'filterBytes':
      return ['"3"'];
    case 'enum':
      return quoted(fact.words ?? []);
    case 'array':
      return arraysOf(fact, at);
    case 'object':
      return objectsOf(fact, at);
    case 'union':
      return (fact.oneOf ?? []).flatMap((one) => samplesOf(one, at));
  }
}

function arraysOf({ items, minItems = 0, maxItems }: Fact, at: string): string[] {
  const each = items === undefined ? [] : samplesOf(items, `${at}[]`);
  const [plain = ''] = each;
  const full = maxItems === undefined ? [] : [`[${Array.from({ length: maxItems }, () => plain).join(', ')}]`];
  return [...new Set([...each.map((item) => `[${item}]`), ...(minItems === 0 ? ['[]'] : []), ...full])];
}

/** One member at a time, all of them, and each optional one as null. */
function objectsOf({ fields = [] }: Fact, at: string): string[] {
  const plain = (name: string | undefined, fact: Fact): string => samplesOf(fact, `${at}.${name}`)[0] ?? 'null';
  const write = (members: ReadonlyMap<string | undefined, string>): string =>
    members.size === 0 ? '{}' : `{ ${[...members].map(([name, text]) => `"${name}": ${text}`).join(', ')} }`;
  const required = new Map(fields.filter((one) => one.required).map((one) => [one.name, plain(one.name, one)]));
  const made = [write(required)];
  for (const one of fields) {
    for (const text of samplesOf(one, `${at}.${one.name}`)) made.push(write(new Map(required).set(one.name, text)));
    if (one.required !== true) made.push(write(new Map(required).set(one.name, 'null')));
  }
  const all = fields.filter((one) => one.name !== 'replaceRecentBlockhash');
  made.push(write(new Map(all.map((one) => [one.name, plain(one.name, one)]))));
  return [...new Set(made)];
}

/** Every call that the facts of a method give. */
export function callsOf({ name: method, on, params }: MethodFacts): readonly Call[] {
  if (method === 'sendTransaction' || method === 'simulateTransaction') return transactionCalls(method, params);
  const made = new Set<string | undefined>();
  const required = params.filter((one) => one.required);
  const plainOf = (one: MethodFacts['params'][number]): string => samplesOf(one, `${method}.${one.name}`)[0] ?? 'null';
  const list = (texts: readonly string[]): string => `[${texts.join(', ')}]`;
  if (required.length === 0) made.add(undefined).add('null');
  made.add(list(required.map(plainOf)));
  for (const [index, one] of params.entries()) {
    const before = params.slice(0, index).map(plainOf);
    const after = params.slice(index + 1).filter((next) => next.required);
    for (const text of samplesOf(one, `${method}.${one.name}`))
      made.add(list([...before, text, ...after.map(plainOf)]));
    if (one.required !== true) made.add(list([...before, 'null']));
    if (one.bareEncoding === true) for (const word of encodingsOf(one)) made.add(list([...before, `"${word}"`]));
    const config = params[index + 1];
    if (one.orConfig === true && config !== undefined)
      for (const text of samplesOf(config, `${method}.config`)) made.add(list([...before, text]));
  }
  return [...made].map((text) => ({ method, on, params: text }));
}

const encodingsOf = (config: Fact): readonly string[] =>
  config.fields?.find((one) => one.name === 'encoding')?.words ?? [];

/** The text of a transaction goes with the encoding that its config names. */
function transactionCalls(method: string, params: MethodFacts['params']): Call[] {
  const config = params.find((one) => one.name === 'config');
  const configs = config === undefined ? [] : samplesOf(config, `${method}.config`);
  const made = [`["${TRANSACTION_58}"]`, `["${TRANSACTION_58}", null]`];
  for (const text of configs)
    made.push(`["${text.includes('"encoding": "base64"') ? TRANSACTION : TRANSACTION_58}", ${text}]`);
  // A nested member says base64 for accounts; the transaction's own encoding is what counts.
  made.push(`["${TRANSACTION}", { "encoding": "base64" }]`);
  return [...new Set(made)]
    .filter((text) => !text.includes('"accounts"'))
    .concat(method === 'simulateTransaction' ? accountCalls() : [])
    .map((text) => ({ method, on: 'http', params: text }));
}

const accountCalls = (): string[] =>
  ['base64', 'base64+zstd', 'jsonParsed'].map(
    (word) =>
      `["${TRANSACTION}", { "encoding": "base64", "accounts": { "addresses": ["${KEY}"], "encoding": "${word}" } }]`,
  );

/** All of them. */
export const VALID_CALLS: readonly Call[] = METHODS.flatMap(callsOf);

/** The body of a call; `members` come before the method. */
export const bodyOf = ({ method, params }: Pick<Call, 'method' | 'params'>, members = ''): string =>
  `{ ${members}"method": "${method}"${params === undefined ? '' : `, "params": ${params}`} }`;
