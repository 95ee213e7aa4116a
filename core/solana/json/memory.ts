// Estimates the memory of a parsed JSON value. Its text says little: an empty list is 2 characters and many bytes.
import { isJsonArray, isJsonObject, JsonNumber, member, type JsonValue } from './json';

/** Of each value besides its characters, about. */
const VALUE_BYTES = 16;

/** Bytes, about. Stops counting above `most`. */
export function memoryOf(value: JsonValue, most = Infinity): number {
  const rest: (JsonValue | undefined)[] = [value];
  let bytes = 0;
  while (rest.length > 0 && bytes <= most) {
    const next = rest.pop();
    bytes += VALUE_BYTES;
    if (typeof next === 'string') bytes += next.length;
    else if (next instanceof JsonNumber) bytes += next.text.length;
    else if (isJsonArray(next)) for (const item of next) rest.push(item);
    else if (isJsonObject(next))
      for (const key of Object.keys(next)) {
        bytes += key.length;
        rest.push(member(next, key));
      }
  }
  return bytes;
}
