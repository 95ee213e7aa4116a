// Prints layouts for people: each field as a value with its unit. Never throws; a reader that reached the end of the bytes
// stays failed, and the caller discards the result.
import { withoutTrailing } from '../common/ends';
import { encodeBase58 } from '../encoding/base58';
import { ByteReader } from '../encoding/bytes';
import type { LayoutList, LayoutRow, LayoutType } from '../layouts/layout';
import type { DecodedUnit } from '../layouts/unit';
import type { DecodedField, DecodedValue } from './decoded';

/** The most items of a list that are decoded; the others are counted. */
export const MAX_ITEMS = 1_024;

export const NO_VALUE: DecodedValue = { kind: 'none' };
export const flagOf = (value: boolean): DecodedValue => ({ kind: 'flag', value });
export const textValue = (text: string): DecodedValue => ({ kind: 'text', text });
export const pubkeyOf = (address: string): DecodedValue => ({ kind: 'pubkey', address });
export const integerValue = (value: bigint | number, unit?: DecodedUnit): DecodedValue => ({
  kind: 'integer',
  value: BigInt(value),
  ...(unit === undefined ? {} : { unit }),
});
export const fieldsValue = (fields: readonly DecodedField[], name?: string): DecodedValue => ({
  kind: 'fields',
  ...(name === undefined ? {} : { name }),
  fields,
});

/**
 * Reads the rows in their order; `undefined` when the bytes end before them. `tokens`: the unit of amounts of the account's
 * mint.
 */
export function readRows(
  reader: ByteReader,
  rows: readonly LayoutRow[],
  tokens?: DecodedUnit,
): readonly DecodedField[] | undefined {
  const fields: DecodedField[] = [];
  for (const [name, type] of rows) {
    const value = readValue(reader, type, tokens);
    if (reader.failed) return undefined;
    fields.push({ name, value });
  }
  return fields;
}

/** Takes one value off the reader. */
export function readValue(reader: ByteReader, type: LayoutType, tokens?: DecodedUnit): DecodedValue {
  switch (type.kind) {
    case 'integer': {
      const value = reader.integer(type.bytes);
      const bits = 8 * type.bytes;
      if (type.hasNever === true && value === BigInt.asUintN(bits, -1n)) return NO_VALUE;
      const unit = type.unit?.kind === 'tokens' && tokens !== undefined ? tokens : type.unit;
      return integerValue(type.isSigned === true ? BigInt.asIntN(bits, value) : value, unit);
    }
    case 'varint':
      return integerValue(varintOf(reader));
    case 'float':
      return floatOf(reader, 8);
    case 'flag': {
      // Anything but 0 and 1 is shown as the number it is.
      const byte = reader.u8();
      return byte > 1 ? integerValue(byte) : flagOf(byte === 1);
    }
    case 'pubkey': {
      const key = reader.take(32);
      return type.isZeroNone === true && isZero(key) ? NO_VALUE : pubkeyOf(encodeBase58(key));
    }
    case 'hash':
      return textValue(encodeBase58(reader.take(32)));
    case 'bytes': {
      const bytes = reader.take(type.count);
      return type.isZeroNone === true && isZero(bytes) ? NO_VALUE : { kind: 'bytes', bytes };
    }
    case 'countedBytes':
      return { kind: 'bytes', bytes: reader.take(Number(reader.u64())) };
    case 'rest':
      return { kind: 'bytes', bytes: reader.take(reader.left) };
    case 'text': {
      const length = type.length === 'rest' ? reader.left : Number(reader.integer(type.length));
      const text = UTF8.decode(reader.take(length));
      return textValue(type.isPadded === true ? withoutTrailing(text, '\0') : text);
    }
    case 'word': {
      const number = reader.integer(type.bytes);
      const word = type.words[Number(number)];
      return word === undefined ? integerValue(number) : textValue(word);
    }
    case 'option': {
      const tag = reader.integer(type.tag);
      if (tag === 0n && type.isFixed !== true) return NO_VALUE;
      const value = readValue(reader, type.of, tokens);
      return tag === 0n ? NO_VALUE : value;
    }
    case 'struct':
      return fieldsValue(readRows(reader, type.rows, tokens) ?? []);
    case 'list':
      return listOf(reader, type, tokens);
    case 'ring': {
      const found: DecodedValue[] = [];
      for (let place = 0; place < type.places; place++) {
        const written = reader.take(type.width);
        if (!isZero(written)) found.push(fieldsValue(readRows(new ByteReader(written), type.rows) ?? []));
      }
      reader.take(type.tail);
      return { kind: 'list', items: found };
    }
    case 'bits':
      return integerValue(onesOf(reader));
    case 'checkedTokens': {
      const amount = reader.u64();
      return integerValue(amount, { kind: 'tokens', decimals: reader.bytes[reader.at] ?? 0 });
    }
    case 'versioned': {
      const version = reader.u8();
      const fields = readRows(reader, type.rows) ?? [];
      return fieldsValue(version > type.newest ? [] : fields, `V${version + 1}`);
    }
  }
}

const UTF8 = new TextDecoder('utf-8');

const isZero = (bytes: Uint8Array): boolean => bytes.every((byte) => byte === 0);

function varintOf(reader: ByteReader): bigint {
  let value = 0n;
  for (let shift = 0n; shift < 63n; shift += 7n) {
    const byte = reader.u8();
    value |= BigInt(byte & 0x7f) << shift;
    if (byte < 0x80) break;
  }
  return value;
}

/** A double, or a float of four bytes. */
export function floatOf(reader: ByteReader, bytes: 4 | 8): DecodedValue {
  const taken = reader.take(bytes);
  if (taken.length < bytes) return { kind: 'float', value: 0 };
  const view = new DataView(taken.buffer, taken.byteOffset, bytes);
  return { kind: 'float', value: bytes === 8 ? view.getFloat64(0, true) : view.getFloat32(0, true) };
}

/** The number of ones of a bit vector. */
function onesOf(reader: ByteReader): number {
  const words = reader.u8() === 0 ? 0n : reader.u64();
  if (words * 8n > BigInt(reader.left)) failAll(reader);
  const bits = reader.failed ? new Uint8Array(0) : reader.take(Number(words) * 8);
  let ones = 0;
  for (const byte of bits) for (let left = byte; left !== 0; left &= left - 1) ones++;
  return ones;
}

/** A count that needs more bytes than are left is invalid. */
function listOf(reader: ByteReader, { count, of, width, isVariable }: LayoutList, tokens?: DecodedUnit): DecodedValue {
  const length =
    count === 'rest'
      ? Math.floor(reader.left / width)
      : count === 'compact'
        ? reader.compactU16()
        : reader.integer(count);
  if (BigInt(length) * BigInt(width) > BigInt(reader.left)) failAll(reader);
  return items(reader, reader.failed ? 0 : Number(length), of, {
    width: isVariable === true ? undefined : width,
    tokens,
  });
}

/** Fails the reader: what is left cannot be what it should. */
const failAll = (reader: ByteReader): Uint8Array => reader.take(reader.left + 1);

interface ItemOptions {
  /** Bytes of an item, if all have the same length. */
  readonly width?: number | undefined;
  readonly tokens?: DecodedUnit | undefined;
}

/** `count` items; those beyond the bound are passed over where their width is known. */
export function items(
  reader: ByteReader,
  count: number,
  type: LayoutType,
  { width, tokens }: ItemOptions = {},
): DecodedValue {
  const found: DecodedValue[] = [];
  const most = Math.min(count, MAX_ITEMS);
  for (let i = 0; i < most && !reader.failed; i++) found.push(readValue(reader, type, tokens));
  const more = count - most;
  if (more > 0 && width !== undefined) reader.take(more * width);
  return { kind: 'list', items: found, ...(more > 0 ? { more } : {}) };
}
