// Protobuf's wire format, as far as reading fields by number needs it. Never throws; views, not copies.

const VARINT = 0;
const FIXED_64 = 1;
const BYTES = 2;
const FIXED_32 = 5;

/** More fields than these are not read: no message that is shown has as many. */
const MAX_FIELDS = 20_000;

type Value = bigint | Uint8Array;

const UTF8 = new TextDecoder('utf-8');
const NOTHING = new Uint8Array(0);

/** A message's fields, by their numbers. A field of another kind than asked for is as good as absent. */
export class WireMessage {
  constructor(private readonly fields: ReadonlyMap<number, readonly Value[]>) {}

  #of(field: number): readonly Value[] {
    return this.fields.get(field) ?? [];
  }

  /** The last value of a field number, which counts in protobuf. */
  number(field: number): bigint | undefined {
    return this.#of(field).findLast((value) => typeof value === 'bigint');
  }

  /** Every number of a repeated field, packed or not. */
  numbers(field: number): readonly bigint[] {
    return this.#of(field).flatMap((value) => (typeof value === 'bigint' ? [value] : unpacked(value)));
  }

  bytes(field: number): Uint8Array {
    return this.all(field).at(-1) ?? NOTHING;
  }

  all(field: number): readonly Uint8Array[] {
    return this.#of(field).filter((value) => typeof value !== 'bigint');
  }

  texts(field: number): readonly string[] {
    return this.all(field).map((value) => UTF8.decode(value));
  }

  message(field: number): WireMessage | undefined {
    const value = this.all(field).at(-1);
    return value === undefined ? undefined : readMessage(value);
  }

  messages(field: number): readonly WireMessage[] {
    return this.all(field)
      .map(readMessage)
      .filter((message) => message !== undefined);
  }
}

/** `undefined` when the bytes break off or hold a kind of field that does not exist. */
export function readMessage(bytes: Uint8Array): WireMessage | undefined {
  const fields = new Map<number, Value[]>();
  const cursor = { at: 0 };
  for (let count = 0; cursor.at < bytes.length; count++) {
    if (count >= MAX_FIELDS) return undefined;
    const tag = varint(bytes, cursor);
    if (tag === undefined) return undefined;
    const value = valueOf(bytes, cursor, Number(tag & 7n));
    if (value === undefined) return undefined;
    const field = Number(tag >> 3n);
    const same = fields.get(field);
    if (same === undefined) fields.set(field, [value]);
    else same.push(value);
  }
  return new WireMessage(fields);
}

interface Cursor {
  at: number;
}

function valueOf(bytes: Uint8Array, cursor: Cursor, kind: number): Value | undefined {
  switch (kind) {
    case VARINT:
      return varint(bytes, cursor);
    case FIXED_64:
      return taken(bytes, cursor, 8);
    case FIXED_32:
      return taken(bytes, cursor, 4);
    case BYTES: {
      const length = varint(bytes, cursor);
      return length === undefined || length > BigInt(bytes.length) ? undefined : taken(bytes, cursor, Number(length));
    }
    default:
      return undefined;
  }
}

function taken(bytes: Uint8Array, cursor: Cursor, length: number): Uint8Array | undefined {
  if (cursor.at + length > bytes.length) return undefined;
  cursor.at += length;
  return bytes.subarray(cursor.at - length, cursor.at);
}

/** Seven bits a byte, low bits first, ten bytes at most. */
function varint(bytes: Uint8Array, cursor: Cursor): bigint | undefined {
  let low = 0;
  let high = 0n;
  for (let place = 0; place < 10; place++) {
    const byte = bytes[cursor.at++];
    if (byte === undefined) return undefined;
    // Four bytes fit a plain integer: most varints end there.
    if (place < 4) low |= (byte & 0x7f) << (7 * place);
    else high |= BigInt(byte & 0x7f) << BigInt(7 * place);
    if (byte < 0x80) return BigInt.asUintN(64, BigInt(low) | high);
  }
  return undefined;
}

function unpacked(bytes: Uint8Array): readonly bigint[] {
  const found: bigint[] = [];
  const cursor = { at: 0 };
  while (cursor.at < bytes.length && found.length < MAX_FIELDS) {
    const value = varint(bytes, cursor);
    if (value === undefined) return found;
    found.push(value);
  }
  return found;
}
