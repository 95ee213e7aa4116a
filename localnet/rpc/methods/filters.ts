// The filters of getProgramAccounts: what a call may ask for, checked, then applied to accounts.
import { decodeBase58 } from '../../../core/values/encoding/base58';
import { isJsonArray, isJsonObject, member, type JsonValue } from '../../../core/values/json/json';
import { readTokenAccount } from '../../ledger/accounts/tokens';
import type { AccountState } from '../../ledger/types';
import { invalidParams } from '../failure';
import { oneOf, optional, stringOf, u64Of, wrongType } from './params';

export type Filter = (account: AccountState) => boolean;

const MAX_FILTERS = 4;
const MAX_MEMCMP_BYTES = 128;
/** The longest texts that can stand for 128 bytes. */
const MAX_BASE58 = 175;
const MAX_BASE64 = 172;

/** Reads `filters`; all of them must hold. Throws RpcFailure. */
export function filtersOf(value: JsonValue): readonly Filter[] {
  if (!isJsonArray(value)) throw wrongType(value, 'a sequence');
  if (value.length > MAX_FILTERS) throw invalidParams(`Too many filters provided; max ${MAX_FILTERS}`);
  return value.map(filterOf);
}

function filterOf(value: JsonValue): Filter {
  if (value === 'tokenAccountState') return isInitializedTokenAccount;
  const kinds = '`dataSize`, `memcmp`, `tokenAccountState`';
  if (typeof value === 'string')
    throw invalidParams(`Invalid params: unknown variant \`${value}\`, expected one of ${kinds}.`);
  if (!isJsonObject(value)) throw wrongType(value, 'a filter');
  const [kind, ...more] = Object.keys(value);
  if (kind === undefined || more.length > 0)
    throw invalidParams('Invalid params: invalid value: map, expected map with a single key.');
  switch (kind) {
    case 'dataSize': {
      const size = u64Of(member(value, kind));
      return (account) => BigInt(account.data.length) === size;
    }
    case 'memcmp':
      return memcmpOf(member(value, kind));
    default:
      throw invalidParams(`Invalid params: unknown variant \`${kind}\`, expected one of ${kinds}.`);
  }
}

function isInitializedTokenAccount(account: AccountState): boolean {
  const token = readTokenAccount(account);
  return token !== undefined && token.state !== 'uninitialized';
}

function memcmpOf(value: JsonValue | undefined): Filter {
  if (!isJsonObject(value)) throw wrongType(value, 'struct Memcmp');
  const wide = u64Of(member(value, 'offset'));
  const offset = wide > 0xffffffffn ? 0xffffffff : Number(wide);
  const encoding = optional(value, 'encoding', oneOf<'base58' | 'base64'>(['base58', 'base64'])) ?? 'base58';
  const wanted = memcmpBytes(member(value, 'bytes'), encoding);
  return ({ data }) => {
    if (offset + wanted.length > data.length) return false;
    for (let i = 0; i < wanted.length; i++) if (data[offset + i] !== wanted[i]) return false;
    return true;
  };
}

function memcmpBytes(value: JsonValue | undefined, encoding: 'base58' | 'base64'): Uint8Array {
  const bytes = isJsonArray(value)
    ? Uint8Array.from(value, (byte) => Number(u64Of(byte, 255n)))
    : encoding === 'base58'
      ? base58Bytes(stringOf(value))
      : base64Bytes(stringOf(value));
  if (bytes.length > MAX_MEMCMP_BYTES)
    throw invalidParams(`Invalid param: memcmp bytes too large: ${bytes.length} bytes, max ${MAX_MEMCMP_BYTES}`);
  return bytes;
}

function base58Bytes(text: string): Uint8Array {
  if (text.length > MAX_BASE58) throw invalidParams('Invalid param: memcmp bytes too large');
  const bytes = decodeBase58(text);
  if (bytes === undefined) throw invalidParams('Invalid param: memcmp bytes are not base58');
  return bytes;
}

function base64Bytes(text: string): Uint8Array {
  if (text.length > MAX_BASE64) throw invalidParams('Invalid param: memcmp bytes too large');
  const bytes = strictBase64(text);
  if (bytes === undefined) throw invalidParams('Invalid param: memcmp bytes are not base64');
  return bytes;
}

/** Standard alphabet with padding, nothing else; `undefined` for any other text. */
export function strictBase64(text: string): Uint8Array | undefined {
  const bytes = Buffer.from(text, 'base64');
  return bytes.toString('base64') === text ? new Uint8Array(bytes) : undefined;
}
