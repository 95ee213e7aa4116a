// Layouts as tables: a row is a field's name and its type. Readers never throw; a reader that reached the end of the
// bytes stays failed, and the caller discards the result.
import { withoutTrailing } from '../common/ends';
import { encodeBase58 } from '../encoding/base58';
import type { ByteReader } from '../encoding/bytes';
import type { DecodedField, DecodedValue } from './decoded';
import type { Unit } from './unit';

/** Takes one value off the reader. */
export type Read = (reader: ByteReader) => DecodedValue;
export type Row = readonly [name: string, read: Read];

/** The most items of a list that are decoded; the others are counted. */
export const MAX_ITEMS = 1_024;

/** The unit of a value. */
export const LAMPORTS: Unit = { kind: 'lamports' };
export const SLOT: Unit = { kind: 'slot' };
export const EPOCH: Unit = { kind: 'epoch' };
export const UNIX_TIME: Unit = { kind: 'unixTime' };
export const BASIS_POINTS: Unit = { kind: 'basisPoints' };
export const PERCENT: Unit = { kind: 'percent' };
export const BYTES: Unit = { kind: 'bytes' };

export const NONE: DecodedValue = { kind: 'none' };
export const flagOf = (value: boolean): DecodedValue => ({ kind: 'flag', value });
export const textOf = (text: string): DecodedValue => ({ kind: 'text', text });
export const pubkeyOf = (address: string): DecodedValue => ({ kind: 'pubkey', address });
export const integerOf = (value: bigint | number, unit?: Unit): DecodedValue => ({
  kind: 'integer',
  value: BigInt(value),
  ...(unit === undefined ? {} : { unit }),
});
export const fieldsOf = (fields: readonly DecodedField[], name?: string): DecodedValue => ({
  kind: 'fields',
  ...(name === undefined ? {} : { name }),
  fields,
});

/** Reads the rows in their order; `undefined` when the bytes end before them. */
export function readRows(reader: ByteReader, rows: readonly Row[]): readonly DecodedField[] | undefined {
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
  (...rows: readonly Row[]): Read =>
  (reader) =>
    fieldsOf(readRows(reader, rows) ?? []);

export const u8 =
  (unit?: Unit): Read =>
  (reader) =>
    integerOf(reader.u8(), unit);
export const u16 =
  (unit?: Unit): Read =>
  (reader) =>
    integerOf(reader.u16(), unit);
export const u32 =
  (unit?: Unit): Read =>
  (reader) =>
    integerOf(reader.u32(), unit);
export const u64 =
  (unit?: Unit): Read =>
  (reader) =>
    integerOf(reader.u64(), unit);
export const u128 =
  (unit?: Unit): Read =>
  (reader) =>
    integerOf(wide(reader, 16), unit);
export const i16 =
  (unit?: Unit): Read =>
  (reader) =>
    integerOf(BigInt.asIntN(16, BigInt(reader.u16())), unit);
export const i64 =
  (unit?: Unit): Read =>
  (reader) =>
    integerOf(BigInt.asIntN(64, reader.u64()), unit);

/** An unsigned integer of so many bytes, low bytes first. */
export function wide(reader: ByteReader, bytes: number): bigint {
  let value = 0n;
  for (let place = 0; place < bytes; place += 8) value += reader.u64() << BigInt(8 * place);
  return value;
}

export const f64: Read = (reader) => floatOf(reader, 8);

/** A double, or a float of four bytes. */
export function floatOf(reader: ByteReader, bytes: 4 | 8): DecodedValue {
  const taken = reader.take(bytes);
  if (taken.length < bytes) return { kind: 'float', value: 0 };
  const view = new DataView(taken.buffer, taken.byteOffset, bytes);
  return { kind: 'float', value: bytes === 8 ? view.getFloat64(0, true) : view.getFloat32(0, true) };
}

/** One byte; anything but 0 and 1 is shown as the number it is. */
export const flag: Read = (reader) => {
  const byte = reader.u8();
  return byte > 1 ? integerOf(byte) : flagOf(byte === 1);
};

export const pubkey: Read = (reader) => keyFrom(reader.take(32));
/** 32 zero bytes stand for none, as Token-2022's extensions have it. */
export const optionalPubkey: Read = (reader) => {
  const bytes = reader.take(32);
  return bytes.every((byte) => byte === 0) ? NONE : keyFrom(bytes);
};
/** A hash is 32 bytes, shown in base58 like a key. */
export const hash: Read = (reader) => textOf(encodeBase58(reader.take(32)));

const keyFrom = (bytes: Uint8Array): DecodedValue => pubkeyOf(encodeBase58(bytes));

export const bytes =
  (count: number): Read =>
  (reader) => ({ kind: 'bytes', bytes: reader.take(count) });

/** Everything that is left. */
export const rest: Read = (reader) => ({ kind: 'bytes', bytes: reader.take(reader.left) });

/** The program's packed option: a tag of four bytes, followed by the value's bytes in either case. */
export const packedOption =
  (read: Read): Read =>
  (reader) => {
    const tag = reader.u32();
    const value = read(reader);
    return tag === 0 ? NONE : value;
  };

/** Bincode's and Borsh's option: a tag byte, and the value only where the tag is 1. */
export const option =
  (read: Read): Read =>
  (reader) =>
    reader.u8() === 0 ? NONE : read(reader);

/** The same with the value's bytes always there: a fixed layout. */
export const fixedOption =
  (read: Read): Read =>
  (reader) => {
    const tag = reader.u8();
    const value = read(reader);
    return tag === 0 ? NONE : value;
  };

/** One of several words by its number; a number without one is shown itself. */
export const oneOf =
  (...names: readonly string[]): Read =>
  (reader) => {
    const byte = reader.u8();
    const name = names[byte];
    return name === undefined ? integerOf(byte) : textOf(name);
  };

const UTF8 = new TextDecoder('utf-8');

/** Text after its length in four bytes; `padded` with zeros if the program reserves space. */
export const borshText: Read = (reader) => textOf(withoutTrailing(UTF8.decode(reader.take(reader.u32())), '\0'));

/** `count` items; those beyond the bound are passed over where `width` (bytes of one) is known. */
export function items(reader: ByteReader, count: number, read: Read, width?: number): DecodedValue {
  const found: DecodedValue[] = [];
  const most = Math.min(count, MAX_ITEMS);
  for (let i = 0; i < most && !reader.failed; i++) found.push(read(reader));
  const more = count - most;
  if (more > 0 && width !== undefined) reader.take(more * width);
  return { kind: 'list', items: found, ...(more > 0 ? { more } : {}) };
}

/** A list after its count in eight bytes, as bincode writes it. `width`: bytes of an item. */
export const bincodeList =
  (read: Read, width: number): Read =>
  (reader) => {
    const count = reader.u64();
    if (count * BigInt(width) > BigInt(reader.left)) reader.take(reader.left + 1);
    return items(reader, reader.failed ? 0 : Number(count), read, width);
  };
