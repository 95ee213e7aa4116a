// Accounts as JSON, in the form that `solana account --output json` writes and nodes answer.
import { decodeBase58 } from '../encoding/base58';
import { decodeBase64, encodeBase64 } from '../encoding/base64';
import { integerOf, isJsonArray, isJsonObject, JsonNumber, member, type JsonValue } from '../json/json';
import { isPublicKey } from './keys';
import { MAX_U64 } from './lamports';

/** The most data of an account. Bytes. */
export const MAX_DATA = 10 * 1024 * 1024;

/** An account as the chain has it. */
export interface ChainAccount {
  readonly lamports: bigint;
  /** Base58. */
  readonly owner: string;
  readonly data: Uint8Array;
  readonly executable: boolean;
  readonly rentEpoch: bigint;
}

export interface NamedAccount {
  readonly address: string;
  /** Undefined for an account that does not exist. */
  readonly account: ChainAccount | undefined;
}

/** `{"pubkey", "account"}`; a text is what is wrong with it. */
export function namedAccount(value: JsonValue): NamedAccount | string {
  const address = member(value, 'pubkey');
  if (typeof address !== 'string' || !isPublicKey(address)) return '"pubkey" must be an address';
  const account = accountFromJson(member(value, 'account'));
  return typeof account === 'string' ? account : { address, account };
}

/** An account of an answer; undefined for null (no account), a text that describes the fault if it is invalid. */
export function accountFromJson(value: JsonValue | undefined): ChainAccount | undefined | string {
  if (value === null) return undefined;
  if (!isJsonObject(value)) return '"account" must be an object';
  const lamports = u64Of(member(value, 'lamports'));
  if (lamports === undefined) return '"lamports" must be an integer of 64 bits';
  const owner = member(value, 'owner');
  if (typeof owner !== 'string' || !isPublicKey(owner)) return '"owner" must be an address';
  const executable = member(value, 'executable');
  if (typeof executable !== 'boolean') return '"executable" must be true or false';
  const data = dataOf(member(value, 'data'));
  if (data === undefined) return '"data" must be ["…", "base64"] of at most 10 MiB';
  return { lamports, owner, executable, data, rentEpoch: u64Of(member(value, 'rentEpoch')) ?? MAX_U64 };
}

function u64Of(value: JsonValue | undefined): bigint | undefined {
  const integer = integerOf(value);
  return integer !== undefined && integer >= 0n && integer <= MAX_U64 ? integer : undefined;
}

function dataOf(value: JsonValue | undefined): Uint8Array | undefined {
  const [text, encoding] = isJsonArray(value) ? value : [];
  if (typeof text !== 'string') return undefined;
  // Long base58 is slow to read; nodes write it for short data only.
  if (encoding === 'base58') return text.length > 256 ? undefined : decodeBase58(text);
  const data = encoding === 'base64' ? decodeBase64(text) : undefined;
  return data === undefined || data.length > MAX_DATA ? undefined : data;
}

export const accountJson = (address: string, account: ChainAccount): JsonValue => ({
  pubkey: address,
  account: {
    lamports: integerJson(account.lamports),
    data: [encodeBase64(account.data), 'base64'],
    owner: account.owner,
    executable: account.executable,
    rentEpoch: integerJson(account.rentEpoch),
    space: account.data.length,
  },
});

/** Exact at any size. */
export const integerJson = (value: bigint): JsonValue =>
  value >= BigInt(Number.MIN_SAFE_INTEGER) && value <= BigInt(Number.MAX_SAFE_INTEGER)
    ? Number(value)
    : new JsonNumber(String(value));
