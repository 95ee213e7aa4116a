// Reads a file of accounts to begin a ledger with (`--accounts`): accounts as `solana account --output json` writes them,
// the report of a run that asked for them, or answers as they came. Opens nothing but the file.
import { decodeBase58 } from '../core/solana/encoding/base58';
import {
  integerOf,
  isJsonArray,
  isJsonObject,
  member,
  parseJson,
  type JsonObject,
  type JsonValue,
} from '../core/solana/json/json';
import { isPublicKey } from '../core/solana/chain/keys';
import { readUpTo } from './files';
import { MAX_ACCOUNT_BYTES } from './ledger/bounds';
import type { AccountState } from './node/open';
import { StateFileError } from './state/error';

export type FileAccount = readonly [address: string, account: AccountState];

const MAX_BYTES = 512 * 1024 * 1024;
const MAX_BASE64 = Math.ceil(MAX_ACCOUNT_BYTES / 3) * 4;
const U64_MAX = 2n ** 64n - 1n;

/** The accounts of a file, programs last. Throws StateFileError. */
export function readAccountsFile(path: string): readonly FileAccount[] {
  const value = readJsonFile(path);
  const accounts: FileAccount[] = [];
  for (const [index, [address, account]] of pairsOf(value, path).entries()) {
    const read = accountOf(address, account);
    if (typeof read === 'string') throw new StateFileError(`${path}, account ${index + 1}: ${read}.`);
    if (read !== undefined) accounts.push(read);
  }
  return programsLast(accounts);
}

/** A program is taken only where the account with its code is there already. */
export function programsLast(accounts: readonly FileAccount[]): readonly FileAccount[] {
  return [...accounts].sort((a, b) => Number(a[1].executable) - Number(b[1].executable));
}

/** Reads a file of JSON. Throws StateFileError. */
export function readJsonFile(path: string): JsonValue {
  try {
    return parseJson(readUpTo(path, MAX_BYTES).toString('utf8'));
  } catch (error) {
    throw new StateFileError(`${path} cannot be read: ${error instanceof Error ? error.message : String(error)}.`);
  }
}

type Pair = readonly [address: JsonValue | undefined, account: JsonValue | undefined];

/** Addresses and accounts, whichever of the forms they come in. */
function pairsOf(value: JsonValue | undefined, path: string): readonly Pair[] {
  if (isJsonArray(value)) return value.flatMap((item) => pairsOf(item, path));
  if (!isJsonObject(value)) throw new StateFileError(`${path} holds no accounts: ${FORMS}`);
  if (member(value, 'pubkey') !== undefined) return [[member(value, 'pubkey'), member(value, 'account')]];
  const requests = member(value, 'requests');
  if (isJsonArray(requests)) return requests.flatMap((row) => reportedOf(row, path));
  return answeredOf(value, member(value, 'addresses'), path);
}

/** The accounts of one request of a report: its params name those that its answer does not. */
function reportedOf(row: JsonValue, path: string): readonly Pair[] {
  const request = member(row, 'request');
  const method = member(request, 'method');
  const params = member(request, 'params');
  const [first] = isJsonArray(params) ? params : [];
  const response = member(row, 'response');
  if (typeof method !== 'string' || !REPORTED.includes(method)) return [];
  if (!isJsonObject(response) || member(response, 'result') === undefined)
    throw new StateFileError(`${path}: the report's request ${method} was not answered.`);
  if (method === 'getAccountInfo') return [[first, member(member(response, 'result'), 'value')]];
  return answeredOf(response, method === 'getMultipleAccounts' ? first : undefined, path);
}

const REPORTED: readonly string[] = ['getAccountInfo', 'getMultipleAccounts', 'getProgramAccounts'];

/** The accounts of an answer, or of its result alone; `addresses` where it names none. */
function answeredOf(answer: JsonObject, addresses: JsonValue | undefined, path: string): readonly Pair[] {
  const result = member(answer, 'result') ?? answer;
  const list = isJsonArray(result) ? result : member(result, 'value');
  if (!isJsonArray(list)) throw new StateFileError(`${path} holds no accounts: ${FORMS}`);
  if (addresses === undefined) return list.flatMap((item) => pairsOf(item, path));
  if (!isJsonArray(addresses) || addresses.length !== list.length)
    throw new StateFileError(`${path}: "addresses" must name the account of each value, in order.`);
  return list.map((account, index) => [addresses[index], account]);
}

const FORMS =
  'it takes {"pubkey", "account"}, an array of these, a report of "solana-rpc run --json", an answer of getProgramAccounts, or one of getMultipleAccounts with "addresses" next to "result".';

/** Reads one account; `undefined` if the account does not exist, a string that says what is wrong. */
export function accountOf(
  address: JsonValue | undefined,
  account: JsonValue | undefined,
): FileAccount | string | undefined {
  if (typeof address !== 'string' || !isPublicKey(address)) return 'the address is not one of 32 bytes';
  if (account === null) return undefined;
  const lamports = u64Of(member(account, 'lamports'));
  if (lamports === undefined) return '"lamports" must be an integer of 64 bits';
  const rentEpoch = rentEpochOf(member(account, 'rentEpoch'));
  if (rentEpoch === undefined) return '"rentEpoch" must be an integer of 64 bits';
  const owner = member(account, 'owner');
  if (typeof owner !== 'string' || !isPublicKey(owner)) return '"owner" must be an address';
  const executable = member(account, 'executable');
  if (typeof executable !== 'boolean') return '"executable" must be true or false';
  const data = dataOf(member(account, 'data'));
  if (data === 'too large') return `"data" has more than the ${MAX_ACCOUNT_BYTES} bytes that an account holds`;
  if (data === undefined) return '"data" must be ["…", "base64"]; ask for the account with encoding base64';
  if (lamports === 0n) return undefined;
  return [address, { lamports, owner, executable, data, rentEpoch }];
}

function u64Of(value: JsonValue | undefined): bigint | undefined {
  const integer = integerOf(value);
  return integer !== undefined && integer >= 0n && integer <= U64_MAX ? integer : undefined;
}

/** Left out, or null: never due. Programs that keep numbers as doubles round the largest value up to 2^64. */
function rentEpochOf(value: JsonValue | undefined): bigint | undefined {
  const integer = integerOf(value);
  const isLargest = value === undefined || value === null || (integer !== undefined && Number(integer) === 2 ** 64);
  return isLargest ? U64_MAX : u64Of(value);
}

/** `[text, "base64"]` or `[text, "base58"]`. */
function dataOf(value: JsonValue | undefined): Uint8Array | 'too large' | undefined {
  const [text, encoding] = isJsonArray(value) ? value : [];
  if (typeof text !== 'string') return undefined;
  if (encoding === 'base58') return decodeBase58(text);
  if (text.length > MAX_BASE64) return 'too large';
  const bytes = Buffer.from(text, 'base64');
  if (bytes.length > MAX_ACCOUNT_BYTES) return 'too large';
  return encoding === 'base64' && bytes.toString('base64') === text ? new Uint8Array(bytes) : undefined;
}
