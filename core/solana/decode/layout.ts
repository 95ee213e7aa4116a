// Layouts as tables: a row is a field's name and its type. Readers never throw; a reader that reached the end of the
// bytes stays failed, and the caller discards the result.
import { withoutTrailing } from '../common/ends';
import { encodeBase58 } from '../encoding/base58';
import type { ByteReader } from '../encoding/bytes';
import type { DecodedField, DecodedValue } from './decoded';
import type { DecodedUnit } from './unit';

/** Takes one value off the reader. */
export type LayoutRead = (reader: ByteReader) => DecodedValue;
export type LayoutRow = readonly [name: string, read: LayoutRead];

/** The most items of a list that are decoded; the others are counted. */
export const MAX_ITEMS = 1_024;

/** The unit of a value. */
export const LAMPORTS: DecodedUnit = { kind: 'lamports' };
export const SLOT_UNIT: DecodedUnit = { kind: 'slot' };
export const EPOCH: DecodedUnit = { kind: 'epoch' };
export const UNIX_TIME: DecodedUnit = { kind: 'unixTime' };
export const BASIS_POINTS: DecodedUnit = { kind: 'basisPoints' };
export const PERCENT_UNIT: DecodedUnit = { kind: 'percent' };
export const BYTES_UNIT: DecodedUnit = { kind: 'bytes' };

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

/** Reads the rows in their order; `undefined` when the bytes end before them. */
export function readRows(reader: ByteReader, rows: readonly LayoutRow[]): readonly DecodedField[] | undefined {
  const fields: DecodedField[] = [];
  for (const [name, read] of rows) {
    const value = read(reader);
    if (reader.failed) return undefined;
    fields.push({ name, value });
  }
  return fields;
}

/** Rows as one value. */
export const struct =
  (...rows: readonly LayoutRow[]): LayoutRead =>
  (reader) =>
    fieldsValue(readRows(reader, rows) ?? []);

export const u8 =
  (unit?: DecodedUnit): LayoutRead =>
  (reader) =>
    integerValue(reader.u8(), unit);
export const u16 =
  (unit?: DecodedUnit): LayoutRead =>
  (reader) =>
    integerValue(reader.u16(), unit);
export const u32 =
  (unit?: DecodedUnit): LayoutRead =>
  (reader) =>
    integerValue(reader.u32(), unit);
export const u64 =
  (unit?: DecodedUnit): LayoutRead =>
  (reader) =>
    integerValue(reader.u64(), unit);
export const u128 =
  (unit?: DecodedUnit): LayoutRead =>
  (reader) =>
    integerValue(wide(reader, 16), unit);
export const i16 =
  (unit?: DecodedUnit): LayoutRead =>
  (reader) =>
    integerValue(BigInt.asIntN(16, BigInt(reader.u16())), unit);
export const i64 =
  (unit?: DecodedUnit): LayoutRead =>
  (reader) =>
    integerValue(BigInt.asIntN(64, reader.u64()), unit);

/** An unsigned integer of so many bytes, low bytes first. */
export function wide(reader: ByteReader, bytes: number): bigint {
  let value = 0n;
  for (let place = 0; place < bytes; place += 8) value += reader.u64() << BigInt(8 * place);
  return value;
}

export const f64: LayoutRead = (reader) => floatOf(reader, 8);

/** A double, or a float of four bytes. */
export function floatOf(reader: ByteReader, bytes: 4 | 8): DecodedValue {
  const taken = reader.take(bytes);
  if (taken.length < bytes) return { kind: 'float', value: 0 };
  const view = new DataView(taken.buffer, taken.byteOffset, bytes);
  return { kind: 'float', value: bytes === 8 ? view.getFloat64(0, true) : view.getFloat32(0, true) };
}

/** One byte; anything but 0 and 1 is shown as the number it is. */
export const flag: LayoutRead = (reader) => {
  const byte = reader.u8();
  return byte > 1 ? integerValue(byte) : flagOf(byte === 1);
};

export const pubkey: LayoutRead = (reader) => keyFrom(reader.take(32));
/** 32 zero bytes stand for none, as Token-2022's extensions have it. */
export const optionalPubkey: LayoutRead = (reader) => {
  const bytes = reader.take(32);
  return bytes.every((byte) => byte === 0) ? NO_VALUE : keyFrom(bytes);
};
/** A hash is 32 bytes, shown in base58 like a key. */
export const hash: LayoutRead = (reader) => textValue(encodeBase58(reader.take(32)));

const keyFrom = (bytes: Uint8Array): DecodedValue => pubkeyOf(encodeBase58(bytes));

export const bytes =
  (count: number): LayoutRead =>
  (reader) => ({ kind: 'bytes', bytes: reader.take(count) });

/** Everything that is left. */
export const rest: LayoutRead = (reader) => ({ kind: 'bytes', bytes: reader.take(reader.left) });

/** The program's packed option: a tag of four bytes, followed by the value's bytes in either case. */
export const packedOption =
  (read: LayoutRead): LayoutRead =>
  (reader) => {
    const tag = reader.u32();
    const value = read(reader);
    return tag === 0 ? NO_VALUE : value;
  };

/** Bincode's and Borsh's option: a tag byte, and the value only where the tag is 1. */
export const option =
  (read: LayoutRead): LayoutRead =>
  (reader) =>
    reader.u8() === 0 ? NO_VALUE : read(reader);

/** The same with the value's bytes always there: a fixed layout. */
export const fixedOption =
  (read: LayoutRead): LayoutRead =>
  (reader) => {
    const tag = reader.u8();
    const value = read(reader);
    return tag === 0 ? NO_VALUE : value;
  };

/** One of several words by its number; a number without one is shown itself. */
export const wordByNumber =
  (...names: readonly string[]): LayoutRead =>
  (reader) => {
    const byte = reader.u8();
    const name = names[byte];
    return name === undefined ? integerValue(byte) : textValue(name);
  };

const UTF8 = new TextDecoder('utf-8');

/** Text after its length in four bytes; `padded` with zeros if the program reserves space. */
export const borshText: LayoutRead = (reader) =>
  textValue(withoutTrailing(UTF8.decode(reader.take(reader.u32())), '\0'));

/** `count` items; those beyond the bound are passed over where `width` (bytes of one) is known. */
export function items(reader: ByteReader, count: number, read: LayoutRead, width?: number): DecodedValue {
  const found: DecodedValue[] = [];
  const most = Math.min(count, MAX_ITEMS);
  for (let i = 0; i < most && !reader.failed; i++) found.push(read(reader));
  const more = count - most;
  if (more > 0 && width !== undefined) reader.take(more * width);
  return { kind: 'list', items: found, ...(more > 0 ? { more } : {}) };
}

/** A list after its count in eight bytes, as bincode writes it. `width`: bytes of an item. */
export const bincodeList =
  (read: LayoutRead, width: number): LayoutRead =>
  (reader) => {
    const count = reader.u64();
    if (count * BigInt(width) > BigInt(reader.left)) reader.take(reader.left + 1);
    return items(reader, reader.failed ? 0 : Number(count), read, width);
  };
