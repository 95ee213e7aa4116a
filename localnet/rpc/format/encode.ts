// Account data in the encodings a call may ask for, and accounts as answers show them.
import { encodeBase58 } from '../../../core/solana/encoding/base58';
import { member, type JsonObject, type JsonValue } from '../../../core/solana/json/json';
import { WireText, type WireJson } from '../../api';
import type { AccountState } from '../../ledger/types';
import { RpcFailure } from '../failure';
import { configOf, lengthParam, nameParam, optionalParam } from './params';
import { zstdFrame } from './zstd';
import { parseAccount, type ParseView } from '../parsed/parsedAccounts';

/** `binary` is what nodes give when no encoding is named: a bare base58 string. */
export type AccountEncoding = 'binary' | 'base58' | 'base64' | 'base64+zstd' | 'jsonParsed';

const ENCODINGS = ['base58', 'base64', 'base64+zstd', 'jsonParsed', 'binary'] as const;
const MAX_BASE58_BYTES = 128;

export interface DataSlice {
  readonly offset: number;
  readonly length: number;
}

/** How a call wants its accounts. */
export interface AccountFormat {
  readonly encoding: AccountEncoding;
  readonly slice?: DataSlice;
}

/** Reads `encoding` and `dataSlice` of a config. */
export function accountFormatOf(config: JsonObject, fallback: AccountEncoding): AccountFormat {
  const encoding = optionalParam(config, 'encoding', nameParam<AccountEncoding>(ENCODINGS)) ?? fallback;
  const slice = optionalParam(config, 'dataSlice', sliceOf);
  return slice === undefined ? { encoding } : { encoding, slice };
}

function sliceOf(value: JsonValue): DataSlice {
  const slice = configOf(value);
  return { offset: lengthParam(member(slice, 'offset')), length: lengthParam(member(slice, 'length')) };
}

/** An account as an answer shows it. `view` finds the mint of a parsed token account. */
export function encodeAccount(
  address: string,
  account: AccountState,
  format: AccountFormat,
  view: ParseView,
): WireJson {
  return {
    data: encodeData(address, account, format, view),
    executable: account.executable,
    lamports: account.lamports,
    owner: account.owner,
    rentEpoch: account.rentEpoch,
    space: account.data.length,
  };
}

function encodeData(
  address: string,
  account: AccountState,
  { encoding, slice }: AccountFormat,
  view: ParseView,
): WireJson {
  if (encoding === 'jsonParsed') return parseAccount(address, account, view) ?? [base64Text(account.data), 'base64'];
  const data = slice === undefined ? account.data : account.data.subarray(slice.offset, slice.offset + slice.length);
  switch (encoding) {
    case 'binary':
      return shortBase58(data);
    case 'base58':
      return [shortBase58(data), 'base58'];
    case 'base64':
      return [base64Text(data), 'base64'];
    case 'base64+zstd':
      return [base64Text(data, zstdFrame), 'base64+zstd'];
  }
}

function shortBase58(data: Uint8Array): string {
  if (data.length > MAX_BASE58_BYTES)
    throw new RpcFailure(
      -32600,
      `Encoded binary (base 58) data should be less than ${MAX_BASE58_BYTES} bytes, please use Base64 encoding.`,
    );
  return encodeBase58(data);
}

/** Bytes of data that are base64 at once; longer data is, piece by piece, when the answer is written. */
const WHOLE = 4 * 1024;
/** A multiple of three: pieces of base64 then join without padding in between. */
const PIECE = 48 * 1024;

/** Many large accounts in one answer are never in memory as text all at once. */
function base64Text(data: Uint8Array, packed = (bytes: Uint8Array) => bytes): string | WireText {
  if (data.length <= WHOLE) return base64(packed(data));
  return new WireText(function* () {
    const bytes = packed(data);
    for (let at = 0; at < bytes.length; at += PIECE) yield base64(bytes.subarray(at, at + PIECE));
  });
}

export function base64(data: Uint8Array): string {
  return Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString('base64');
}

/** Orders base58 addresses as their bytes: without leading ones (zero bytes) the longer number is the larger. */
export function compareAddresses(a: string, b: string): number {
  const left = a.startsWith('1') ? a.replace(/^1+/, '') : a;
  const right = b.startsWith('1') ? b.replace(/^1+/, '') : b;
  if (left.length !== right.length) return left.length - right.length;
  return left < right ? -1 : left > right ? 1 : 0;
}
