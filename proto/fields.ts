// Finds fields in the bytes of a message without reading the rest: enough to distinguish a ping from an update, and to
// show a slot or an owner of one row among fifty thousand. Allocates no objects and never throws; bytes that are not a
// message have no fields.

/** Where a value is: from `start` up to `end`. */
interface FieldPlace {
  start: number;
  end: number;
}

/** Wire types (protobuf.dev, "Encoding"). */
export const VARINT = 0;
export const FIXED64 = 1;
export const LENGTH_DELIMITED = 2;
export const FIXED32 = 5;

/** Which of these fields, by number, the message has at its top level. */
export function topFields(bytes: Uint8Array, wanted: ReadonlySet<number>): ReadonlySet<number> {
  const found = new Set<number>();
  eachField(bytes, 0, bytes.length, (number) => {
    if (wanted.has(number)) found.add(number);
    return true;
  });
  return found;
}

/** Calls `see` with the number and the value of each field, until it answers false. False: the bytes are no message. */
export function eachField(
  bytes: Uint8Array,
  start: number,
  end: number,
  see: (number: number, from: number, to: number) => boolean,
): boolean {
  const place = { start, end: start };
  while (place.end < end) {
    const number = nextField(bytes, end, place);
    if (number === 0) return false;
    if (!see(number, place.start, place.end)) return true;
  }
  return true;
}

/** The place of the last look-up. Shared by all, so that a message that is only counted allocates nothing. */
const FOUND: FieldPlace = { start: 0, end: 0 };

/** The value of the first field of this number between `start` and `end`. Read it before the next look-up: it is reused. */
export function findField(
  bytes: Uint8Array,
  start: number,
  end: number,
  number: number,
): Readonly<FieldPlace> | undefined {
  FOUND.end = start;
  while (FOUND.end < end) {
    const seen = nextField(bytes, end, FOUND);
    if (seen === number) return FOUND;
    if (seen === 0) return undefined;
  }
  return undefined;
}

/** The same along a path of fields, each inside the one before. */
export function findPath(
  bytes: Uint8Array,
  start: number,
  end: number,
  path: readonly number[],
): Readonly<FieldPlace> | undefined {
  FOUND.start = start;
  FOUND.end = end;
  for (const number of path) if (findField(bytes, FOUND.start, FOUND.end, number) === undefined) return undefined;
  return FOUND;
}

/**
 * The number of the field behind `place.end`, whose value is put into `place`; 0 where no field can be read. A value with
 * a length is without it (protobuf.dev, "Encoding").
 */
export function nextField(bytes: Uint8Array, end: number, place: FieldPlace): number {
  let at = place.end;
  let tag = bytes[at++] ?? 0;
  if (tag >= 128) {
    tag &= 127;
    for (let factor = 128; ; factor *= 128) {
      const byte = bytes[at++];
      if (byte === undefined || factor > 2 ** 28) return 0;
      tag += (byte & 127) * factor;
      if (byte < 128) break;
    }
  }
  const number = Math.floor(tag / 8);
  switch (tag % 8) {
    case VARINT:
      place.start = at;
      while ((bytes[at++] ?? 0) >= 128 && at < end);
      break;
    case FIXED64:
      place.start = at;
      at += 8;
      break;
    case LENGTH_DELIMITED: {
      let length = bytes[at++] ?? 0;
      if (length >= 128) {
        length &= 127;
        for (let factor = 128; ; factor *= 128) {
          const byte = bytes[at++];
          if (byte === undefined || factor > 2 ** 35) return 0;
          length += (byte & 127) * factor;
          if (byte < 128) break;
        }
      }
      place.start = at;
      at += length;
      break;
    }
    case FIXED32:
      place.start = at;
      at += 4;
      break;
    default:
      return 0;
  }
  place.end = at;
  return at > end ? 0 : number;
}

/** The varint at `at`, exact: a bigint from 2^53 on, up to 64 bits. */
export function varintAt(bytes: Uint8Array, at: number, end: number): number | bigint {
  let value = 0;
  let factor = 1;
  for (let place = at; place < end && place < at + 7; place++) {
    const byte = bytes[place] ?? 0;
    value += (byte & 127) * factor;
    if (byte < 128) return value;
    factor *= 128;
  }
  let exact = BigInt(value);
  for (let place = at + 7; place < end && place < at + 10; place++) {
    const byte = bytes[place] ?? 0;
    exact += BigInt(byte & 127) << BigInt(7 * (place - at));
    if (byte < 128) break;
  }
  exact = BigInt.asUintN(64, exact);
  return exact <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(exact) : exact;
}
