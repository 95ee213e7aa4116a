// The fields of a protobuf message by number, without its description. Never throws; views, not copies.
import { nextField, VARINT, varintAt } from '../../../../proto/fields';

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

  /** The same for a number that is small; 0 without it, as proto3 has it. */
  count(field: number): number {
    return Number(this.number(field) ?? 0n);
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
  const place = { start: 0, end: 0 };
  for (let count = 0; place.end < bytes.length; count++) {
    const isVarint = (bytes[place.end] ?? 0) % 8 === VARINT;
    const field = nextField(bytes, bytes.length, place);
    const { start, end } = place;
    if (count >= MAX_FIELDS || field === 0 || (isVarint && isCut(bytes, end))) return undefined;
    const value = isVarint ? BigInt(varintAt(bytes, start, end)) : bytes.subarray(start, end);
    const same = fields.get(field);
    if (same === undefined) fields.set(field, [value]);
    else same.push(value);
  }
  return new WireMessage(fields);
}

/** Whether a varint that ends here would continue. */
const isCut = (bytes: Uint8Array, end: number): boolean => (bytes[end - 1] ?? 0) > 0x7f;

function unpacked(bytes: Uint8Array): readonly bigint[] {
  const found: bigint[] = [];
  for (let start = 0, end = 1; end <= bytes.length && found.length < MAX_FIELDS; end++) {
    if (isCut(bytes, end)) continue;
    found.push(BigInt(varintAt(bytes, start, end)));
    start = end;
  }
  return found;
}
