// Guesses the fields of data with an unknown layout. Every field is marked as a guess.
import { addressName } from '../chain/addresses';
import { encodeBase58 } from '../encoding/base58';
import { ByteReader } from '../encoding/bytes';
import type { DecodedField, DecodedValue } from './decoded';
import type { Idl } from './idl/model';

/** Bytes beyond this are not interpreted: the last field contains them as they are. */
const MAX_GUESSED = 4_096;
const KEY = 32;
const WORD = 8;
/** Amounts above this are hardly ever met: eight bytes that make more are part of something else. */
const LARGEST_AMOUNT = 10n ** 17n;
/** A key of 32 random bytes has about 30 different ones; text, counters and padding have fewer. */
const LEAST_DIFFERENT = 20;

/**
 * Fields that cover the data from its first byte to its last, each marked as a guess and with its place. `idl`: of the
 * program that owns it.
 */
export function guessLayout(data: Uint8Array, idl?: Pick<Idl, 'usesAnchor'>): readonly DecodedField[] {
  const fields: DecodedField[] = [];
  let plainFrom = 0;
  const plain = (end: number): void => {
    if (end === plainFrom) return;
    const bytes = data.subarray(plainFrom, end);
    fields.push(guessed(plainFrom, bytes.length, { kind: 'bytes', bytes }));
  };
  let at = idl === undefined || idl.usesAnchor === true ? startOf(data) : 0;
  for (const end = Math.min(data.length, MAX_GUESSED); at < end;) {
    const found = guessAt(data, at);
    if (found === undefined) {
      at++;
      continue;
    }
    plain(at);
    fields.push(guessed(at, found.length, found.value));
    at += found.length;
    plainFrom = at;
  }
  plain(data.length);
  return fields;
}

/** Eight leading bytes that are not an amount are the discriminator that programs put before their data. */
function startOf(data: Uint8Array): number {
  if (data.length <= WORD) return 0;
  return u64At(data, 0) > LARGEST_AMOUNT ? WORD : 0;
}

interface Found {
  readonly length: number;
  readonly value: DecodedValue;
}

function guessAt(data: Uint8Array, at: number): Found | undefined {
  return keyAt(data, at) ?? textAt(data, at) ?? amountAt(data, at);
}

function keyAt(data: Uint8Array, at: number): Found | undefined {
  if (at + KEY > data.length) return undefined;
  const bytes = data.subarray(at, at + KEY);
  const different = new Set(bytes).size;
  if (different < 6) return undefined;
  const address = encodeBase58(bytes);
  if (addressName(address) === undefined && (different < LEAST_DIFFERENT || isPrintable(bytes))) return undefined;
  return { length: KEY, value: { kind: 'pubkey', address } };
}

/** Text after its length in four bytes, as Borsh writes it. */
function textAt(data: Uint8Array, at: number): Found | undefined {
  if (at + 4 > data.length) return undefined;
  const reader = new ByteReader(data.subarray(at));
  const length = reader.u32();
  if (length < 3 || length > 512 || length > reader.left) return undefined;
  const bytes = reader.take(length);
  if (!isPrintable(bytes)) return undefined;
  return { length: 4 + length, value: { kind: 'text', text: String.fromCharCode(...bytes) } };
}

function isPrintable(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte >= 0x20 && byte < 0x7f);
}

/** C structs have words at multiples of eight; Borsh puts them at any offset. */
function amountAt(data: Uint8Array, at: number): Found | undefined {
  if (at + WORD > data.length) return undefined;
  const value = u64At(data, at);
  return value > 0n && value <= LARGEST_AMOUNT ? { length: WORD, value: { kind: 'integer', value } } : undefined;
}

function u64At(data: Uint8Array, at: number): bigint {
  return new ByteReader(data.subarray(at, at + WORD)).u64();
}

function guessed(offset: number, length: number, value: DecodedValue): DecodedField {
  return { name: `bytes ${offset}–${offset + length - 1}`, value, isGuess: true, range: { offset, length } };
}
