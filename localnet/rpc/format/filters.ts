// The filters of getProgramAccounts: what a call may ask for, checked, then applied to accounts.
import { decodeBase58 } from '../../../core/solana/encoding/base58';
import { isJsonArray, isJsonObject, member, type JsonValue } from '../../../core/solana/json/json';
import { readTokenAccount } from '../../ledger/accounts/tokens';
import type { AccountState } from '../../ledger/types';
import { invalidParams } from '../failure';
import { lengthParam, nameParam, optionalParam, stringOf, u64Param, u8Of, wrongParamType } from './params';

export type AccountFilter = (account: AccountState) => boolean;

const MAX_FILTERS = 4;
const MAX_MEMCMP_BYTES = 128;
/** How texts of bytes are read, and the longest ones that 128 bytes can have. */
const TEXTS = {
  base58: { most: 175, decode: decodeBase58 },
  base64: { most: 172, decode: strictBase64 },
} as const;
type TextEncoding = keyof typeof TEXTS;

/** Reads `filters`; all of them must hold. Throws RpcFailure. */
export function filtersOf(value: JsonValue): readonly AccountFilter[] {
  if (!isJsonArray(value)) throw wrongParamType(value, 'a sequence');
  if (value.length > MAX_FILTERS) throw invalidParams(`Too many filters provided; max ${MAX_FILTERS}`);
  return value.map(filterOf);
}

function filterOf(value: JsonValue): AccountFilter {
  if (value === 'tokenAccountState') return isInitializedTokenAccount;
  const kinds = '`dataSize`, `memcmp`, `tokenAccountState`, `valueCmp`';
  if (typeof value === 'string')
    throw invalidParams(`Invalid params: unknown variant \`${value}\`, expected one of ${kinds}.`);
  if (!isJsonObject(value)) throw wrongParamType(value, 'a filter');
  const [kind, ...more] = Object.keys(value);
  if (kind === undefined || more.length > 0)
    throw invalidParams('Invalid params: invalid value: map, expected map with a single key.');
  switch (kind) {
    case 'dataSize': {
      const size = u64Param(member(value, kind));
      return (account) => BigInt(account.data.length) === size;
    }
    case 'memcmp':
      return memcmpOf(member(value, kind));
    case 'valueCmp':
      return valueCmpOf(member(value, kind));
    default:
      throw invalidParams(`Invalid params: unknown variant \`${kind}\`, expected one of ${kinds}.`);
  }
}

function isInitializedTokenAccount(account: AccountState): boolean {
  const token = readTokenAccount(account);
  return token !== undefined && token.state !== 'uninitialized';
}

function memcmpOf(value: JsonValue | undefined): AccountFilter {
  if (!isJsonObject(value)) throw wrongParamType(value, 'struct Memcmp');
  const offset = lengthParam(member(value, 'offset'));
  const encoding = optionalParam(value, 'encoding', nameParam<TextEncoding>(['base58', 'base64'])) ?? 'base58';
  const wanted = memcmpBytes(member(value, 'bytes'), encoding);
  return ({ data }) => {
    if (offset + wanted.length > data.length) return false;
    for (let i = 0; i < wanted.length; i++) if (data[offset + i] !== wanted[i]) return false;
    return true;
  };
}

/** A number out of account data; undefined where the data ends before it. */
type ReadNumber = (data: Uint8Array) => bigint | undefined;

const WIDTHS = { U8: 1, U16: 2, U32: 4, U64: 8, U128: 16 } as const;
const MAX_U128 = 2n ** 128n - 1n;

const COMPARISONS: Readonly<Record<string, (left: bigint, right: bigint) => boolean>> = {
  Eq: (left, right) => left === right,
  Ne: (left, right) => left !== right,
  Gt: (left, right) => left > right,
  Ge: (left, right) => left >= right,
  Lt: (left, right) => left < right,
  Le: (left, right) => left <= right,
};

/** The filter of the cross-client specification that compares a number of the data with another one or a constant. */
function valueCmpOf(value: JsonValue | undefined): AccountFilter {
  if (!isJsonObject(value)) throw wrongParamType(value, 'struct ValueCmp');
  const left = operandOf(member(value, 'left'), ['Mem']);
  const right = operandOf(member(value, 'right'), ['Mem', 'Constant']);
  const compare = COMPARISONS[nameParam(Object.keys(COMPARISONS))(member(value, 'comparator') ?? null)];
  return ({ data }) => {
    const [a, b] = [left(data), right(data)];
    return a !== undefined && b !== undefined && compare?.(a, b) === true;
  };
}

function operandOf(value: JsonValue | undefined, kinds: readonly string[]): ReadNumber {
  if (!isJsonObject(value)) throw wrongParamType(value, 'an operand');
  const [kind, ...more] = Object.keys(value);
  if (kind === undefined || more.length > 0 || !kinds.includes(kind))
    throw invalidParams(
      `Invalid params: an operand holds exactly one of ${kinds.map((one) => `\`${one}\``).join(', ')}.`,
    );
  const given = member(value, kind);
  return kind === 'Mem' ? memoryOf(given) : constantOf(given);
}

function constantOf(value: JsonValue | undefined): ReadNumber {
  const text = stringOf(value);
  const number = /^\d{1,39}$/.test(text) ? BigInt(text) : undefined;
  if (number === undefined || number > MAX_U128)
    throw invalidParams('Invalid params: a constant is a number of up to 128 bits in decimal digits.');
  return () => number;
}

function memoryOf(value: JsonValue | undefined): ReadNumber {
  if (!isJsonObject(value)) throw wrongParamType(value, 'struct Mem');
  const offset = lengthParam(member(value, 'offset'));
  const width = WIDTHS[nameParam(['U8', 'U16', 'U32', 'U64', 'U128'])(member(value, 'value_type') ?? null)];
  return (data) => {
    if (offset + width > data.length) return undefined;
    let number = 0n;
    for (let at = offset + width - 1; at >= offset; at--) number = (number << 8n) | BigInt(data[at] ?? 0);
    return number;
  };
}

function memcmpBytes(value: JsonValue | undefined, encoding: TextEncoding): Uint8Array {
  const bytes = isJsonArray(value)
    ? Uint8Array.from(value, (byte) => Number(u8Of(byte)))
    : textBytes(stringOf(value), encoding);
  if (bytes.length > MAX_MEMCMP_BYTES)
    throw invalidParams(`Invalid param: memcmp bytes too large: ${bytes.length} bytes, max ${MAX_MEMCMP_BYTES}`);
  return bytes;
}

function textBytes(text: string, encoding: TextEncoding): Uint8Array {
  const { most, decode } = TEXTS[encoding];
  if (text.length > most) throw invalidParams('Invalid param: memcmp bytes too large');
  const bytes = decode(text);
  if (bytes === undefined) throw invalidParams(`Invalid param: memcmp bytes are not ${encoding}`);
  return bytes;
}

/** Standard alphabet with padding, nothing else; `undefined` for any other text. */
export function strictBase64(text: string): Uint8Array | undefined {
  const bytes = Buffer.from(text, 'base64');
  return bytes.toString('base64') === text ? new Uint8Array(bytes) : undefined;
}
