// Expected shapes of answers, member by member: exact keys, integers as integers, texts of the right form. Written
// from the contract; shares nothing with the product's own tables.
import assert from 'node:assert/strict';
import { decodeBase58 } from '../../core/solana/encoding/base58';
import {
  JsonNumber,
  integerOf,
  isJsonArray,
  isJsonObject,
  printJson,
  type JsonValue,
} from '../../core/solana/json/json';

/** Says what is wrong with a value at a path; nothing where it is right. */
export type Shape = (value: JsonValue | undefined, path: string) => string | undefined;

const shown = (value: JsonValue | undefined): string =>
  value === undefined ? 'absent' : printJson(value).slice(0, 120);

const shape =
  (wanted: string, test: (value: JsonValue | undefined) => boolean): Shape =>
  (value, path) =>
    test(value) ? undefined : `${path} is ${shown(value)}, not ${wanted}`;

const bytesIn = (value: JsonValue | undefined): number | undefined =>
  typeof value === 'string' ? decodeBase58(value)?.length : undefined;

export const u64 = shape('an unsigned integer', (value) => {
  const integer = integerOf(value);
  return integer !== undefined && integer >= 0n && integer < 2n ** 64n;
});
export const i64 = shape('an integer', (value) => integerOf(value) !== undefined);
export const f64 = shape('a number', (value) => typeof value === 'number' || value instanceof JsonNumber);
export const text = shape('a text', (value) => typeof value === 'string');
export const digits = shape('digits in a text', (value) => typeof value === 'string' && /^\d+$/.test(value));
export const bool = shape('true or false', (value) => typeof value === 'boolean');
export const nothing = shape('null', (value) => value === null);
export const address = shape('an address', (value) => bytesIn(value) === 32);
export const hash = shape('a hash', (value) => bytesIn(value) === 32);
export const signature = shape('a signature', (value) => bytesIn(value) === 64);
export const anything: Shape = (value, path) => (value === undefined ? `${path} is absent` : undefined);

export const literal = (...wanted: readonly JsonValue[]): Shape =>
  shape(wanted.map(shown).join(' or '), (value) => value !== undefined && wanted.includes(value));

export const nullable =
  (inner: Shape): Shape =>
  (value, path) =>
    value === null ? undefined : inner(value, path);

/** May be left out. */
export const optional =
  (inner: Shape): Shape =>
  (value, path) =>
    value === undefined ? undefined : inner(value, path);

export const either =
  (...shapes: readonly Shape[]): Shape =>
  (value, path) => {
    const wrong = shapes.map((one) => one(value, path));
    return wrong.includes(undefined) ? undefined : wrong.join(', ');
  };

/** Every item; at least `least` of them. */
export const list =
  (inner: Shape, least = 0): Shape =>
  (value, path) => {
    if (!isJsonArray(value)) return `${path} is ${shown(value)}, not a list`;
    if (value.length < least) return `${path} has ${value.length} items, fewer than ${least}`;
    return firstOf(value.map((item, index) => inner(item, `${path}[${index}]`)));
  };

export const tuple =
  (...shapes: readonly Shape[]): Shape =>
  (value, path) => {
    if (!isJsonArray(value) || value.length !== shapes.length)
      return `${path} is ${shown(value)}, not a list of ${shapes.length}`;
    return firstOf(shapes.map((one, index) => one(value[index], `${path}[${index}]`)));
  };

/** These members and no others. */
export const object =
  (members: Readonly<Record<string, Shape>>): Shape =>
  (value, path) => {
    if (!isJsonObject(value)) return `${path} is ${shown(value)}, not an object`;
    const more = Object.keys(value).filter((name) => !Object.hasOwn(members, name));
    if (more.length > 0) return `${path} has ${more.join(', ')} as well`;
    return firstOf(Object.entries(members).map(([name, inner]) => inner(value[name], `${path}.${name}`)));
  };

/** Any members, each with a key and a value of these shapes. */
export const mapOf =
  (key: Shape, inner: Shape): Shape =>
  (value, path) => {
    if (!isJsonObject(value)) return `${path} is ${shown(value)}, not an object`;
    return firstOf(Object.entries(value).flatMap(([name, one]) => [key(name, path), inner(one, `${path}.${name}`)]));
  };

const firstOf = (wrong: readonly (string | undefined)[]): string | undefined => wrong.find((one) => one !== undefined);

export function assertShape(value: JsonValue | undefined, wanted: Shape, name: string): void {
  const wrong = wanted(value, name);
  assert.equal(wrong, undefined, wrong);
}

/** A result with the slot it was evaluated at. */
export const inContext = (value: Shape): Shape => object({ context: object({ apiVersion: text, slot: u64 }), value });

/** As notifications have it. */
export const noticeOf = (value: Shape): Shape => object({ context: object({ slot: u64 }), value });

export const accountWith = (data: Shape): Shape =>
  object({ data, executable: bool, lamports: u64, owner: address, rentEpoch: u64, space: u64 });

export const base64Data = tuple(text, literal('base64'));
export const base64Account = accountWith(base64Data);
export const keyedAccount = object({ account: base64Account, pubkey: address });

export const tokenAmount = { amount: digits, decimals: u64, uiAmount: nullable(f64), uiAmountString: text };

export const tokenBalance = object({
  accountIndex: u64,
  mint: address,
  owner: address,
  programId: address,
  uiTokenAmount: object(tokenAmount),
});

export const loadedAddresses = object({ readonly: list(address), writable: list(address) });

export const transactionMeta = object({
  computeUnitsConsumed: u64,
  costUnits: optional(u64),
  err: anything,
  fee: u64,
  innerInstructions: list(anything),
  loadedAddresses: optional(loadedAddresses),
  logMessages: list(text),
  postBalances: list(u64),
  postTokenBalances: list(tokenBalance),
  preBalances: list(u64),
  preTokenBalances: list(tokenBalance),
  returnData: optional(object({ data: base64Data, programId: address })),
  rewards: list(anything),
  status: anything,
});

export const jsonTransaction = object({
  message: object({
    accountKeys: list(address, 1),
    addressTableLookups: optional(list(anything)),
    header: object({
      numReadonlySignedAccounts: u64,
      numReadonlyUnsignedAccounts: u64,
      numRequiredSignatures: u64,
    }),
    instructions: list(
      object({ accounts: list(u64), data: text, programIdIndex: u64, stackHeight: literal(null, 1) }),
      1,
    ),
    recentBlockhash: hash,
  }),
  signatures: list(signature, 1),
});

export const blockHead = {
  blockHeight: u64,
  blockTime: i64,
  blockhash: hash,
  parentSlot: u64,
  previousBlockhash: hash,
};

/** The members that every record of a transaction has. */
export const transactionRow = {
  meta: transactionMeta,
  transaction: jsonTransaction,
  version: literal('legacy', 0),
};
