// Decodes messages from outside within a bound on what they become: two bytes may be an object with all its fields.
import { fromBinary, ScalarType, type DescField, type DescMessage, type MessageShape } from '@bufbuild/protobuf';
import { LENGTH_DELIMITED, FIXED32, FIXED64, nextField, VARINT } from './fields';

/**
 * Values that a message becomes: those it has, and the fields of each message in it. A block with all its transactions
 * has a quarter of them. Decoded and as JSON they take about 300 MB.
 */
const MAX_VALUES = 5_000_000;
/** A byte becomes fewer: no description has more than 31 fields, and an entry takes two bytes. */
const MOST_PER_BYTE = 16;

export class TooManyValues extends Error {
  override readonly name = 'TooManyValues';

  constructor() {
    super(`more than ${MAX_VALUES.toLocaleString('en-US')} values`);
  }
}

/** Throws TooManyValues, and another error where the bytes are no such message. */
export function decodeProto<D extends DescMessage>(description: D, bytes: Uint8Array): MessageShape<D> {
  if (bytes.length * MOST_PER_BYTE > MAX_VALUES) new Counter(bytes).add(description.fields, 0, bytes.length);
  return fromBinary(description, bytes, { readUnknownFields: false });
}

/** The parts of a field's description that say how its value is written; of an enum none of them. */
interface Written {
  readonly number: number;
  readonly fieldKind: DescField['fieldKind'];
  readonly scalar?: ScalarType | undefined;
  readonly message?: DescMessage | undefined;
  readonly mapKey?: ScalarType;
}

/** Other scalars are varints (protobuf.dev, "Encoding"). */
const WIRE_TYPES: ReadonlyMap<ScalarType | undefined, number> = new Map([
  [ScalarType.STRING, LENGTH_DELIMITED],
  [ScalarType.BYTES, LENGTH_DELIMITED],
  [ScalarType.DOUBLE, FIXED64],
  [ScalarType.FIXED64, FIXED64],
  [ScalarType.SFIXED64, FIXED64],
  [ScalarType.FLOAT, FIXED32],
  [ScalarType.FIXED32, FIXED32],
  [ScalarType.SFIXED32, FIXED32],
]);

const wireType = ({ fieldKind, scalar, message }: Written): number =>
  fieldKind === 'map' || message !== undefined ? LENGTH_DELIMITED : (WIRE_TYPES.get(scalar) ?? VARINT);

class Counter {
  #left = MAX_VALUES;

  constructor(private readonly bytes: Uint8Array) {}

  /** Counts a message with these fields. */
  add(fields: readonly Written[], start: number, end: number): void {
    this.#take(fields.length);
    const place = { start, end: start };
    while (place.end < end) {
      const type = (this.bytes[place.end] ?? 0) % 8;
      const number = nextField(this.bytes, end, place);
      if (number === 0) throw new Error('a field cannot be read');
      this.#take(1);
      const field = fields.find((one) => one.number === number);
      if (field !== undefined) this.#addValue(field, type, place.start, place.end);
    }
  }

  #addValue(field: Written, type: number, start: number, end: number): void {
    const { fieldKind, message } = field;
    const isPacked = fieldKind === 'list' && type === LENGTH_DELIMITED && wireType(field) !== LENGTH_DELIMITED;
    // The runtime reads the value as its description says, no matter what the wire says.
    if (type !== wireType(field) && !isPacked) throw new Error('a field has another wire type than its own');
    // Each packed value has a byte or more.
    if (isPacked) this.#take(end - start);
    else if (fieldKind === 'map') {
      const key = { number: 1, fieldKind: 'scalar', scalar: field.mapKey } as const;
      const value = { number: 2, fieldKind: 'scalar', scalar: field.scalar, message } as const;
      // An entry without a value has an empty one.
      this.#take(message?.fields.length ?? 0);
      this.add([key, value], start, end);
    } else if (message !== undefined) this.add(message.fields, start, end);
  }

  #take(count: number): void {
    this.#left -= count;
    if (this.#left < 0) throw new TooManyValues();
  }
}
