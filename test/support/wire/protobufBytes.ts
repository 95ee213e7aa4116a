// Protobuf messages written by field numbers alone (protobuf.dev, "Encoding"), for tests of a schema: what the generated code
// makes of a message says nothing about its numbers.
type Value = number | bigint | boolean | string | Uint8Array;
export type Field = readonly [number: number, value: Value];

/** The bytes of a message: each field by its number, in this order. Numbers and booleans as varints, all else with its length. */
export function messageOf(...fields: readonly Field[]): Uint8Array {
  return Buffer.concat(
    fields.flatMap(([number, value]) => {
      if (typeof value !== 'string' && !(value instanceof Uint8Array)) return [varint(number << 3), varint(value)];
      const bytes = Buffer.from(value);
      return [varint((number << 3) | 2), varint(bytes.length), bytes];
    }),
  );
}

function varint(value: number | bigint | boolean): Buffer {
  const bytes: number[] = [];
  let rest = BigInt(value);
  for (; rest > 0x7fn; rest >>= 7n) bytes.push(Number(rest & 0x7fn) | 0x80);
  return Buffer.from([...bytes, Number(rest)]);
}
