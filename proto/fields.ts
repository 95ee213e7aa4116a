// Looks at which fields a message holds without reading them: enough to tell a ping from an update. Never throws; what
// is no message holds nothing.

/** Which of these fields, by number, stand at the top of the message. */
export function topFields(bytes: Uint8Array, wanted: ReadonlySet<number>): ReadonlySet<number> {
  const found = new Set<number>();
  for (let at = 0; at < bytes.length;) {
    const tag = varint(bytes, at);
    if (tag === undefined) return found;
    const number = Math.floor(tag.value / 8);
    if (wanted.has(number)) found.add(number);
    const next = afterValue(bytes, tag.next, tag.value % 8);
    if (next === undefined) return found;
    at = next;
  }
  return found;
}

/** The offset behind a value, by its wire type (protobuf.dev, "Encoding"). */
function afterValue(bytes: Uint8Array, at: number, wireType: number): number | undefined {
  switch (wireType) {
    case 0:
      return varint(bytes, at)?.next;
    case 1:
      return at + 8;
    case 2: {
      const length = varint(bytes, at);
      return length === undefined ? undefined : length.next + length.value;
    }
    case 5:
      return at + 4;
    default:
      return undefined;
  }
}

/** A length or a tag is exact below 2^53; larger varints are only passed by. */
function varint(bytes: Uint8Array, start: number): { readonly value: number; readonly next: number } | undefined {
  let value = 0;
  for (let at = start; at < start + 10; at++) {
    const byte = bytes[at];
    if (byte === undefined) return undefined;
    value += (byte & 127) * 2 ** (7 * (at - start));
    if (byte < 128) return { value, next: at + 1 };
  }
  return undefined;
}
