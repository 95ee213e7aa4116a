// Converts a node's `jsonParsed` values to fields, in the types of all decoders.
import type { DecodedField, DecodedValue } from '../decoded';
import { isJsonArray, isJsonObject, JsonNumber, type JsonValue } from '../../json/json';
import { isPublicKey } from '../../chain/keys';

/** Deeper values are left out. */
const MAX_DEPTH = 16;
const MAX_ITEMS = 1_024;

/** The members of an object; any other value is one field. */
export function fieldsFromJson(value: JsonValue | undefined, depth = 0): readonly DecodedField[] {
  if (value === undefined || value === null) return [];
  if (!isJsonObject(value)) return [{ name: 'value', value: valueFromJson(value, depth) }];
  return Object.entries(value)
    .slice(0, MAX_ITEMS)
    .map(([name, inside]) => ({ name, value: valueFromJson(inside, depth + 1) }));
}

/** Texts that look like keys are keys; numbers that are integers are integers. */
function valueFromJson(value: JsonValue, depth: number): DecodedValue {
  if (value === null || depth > MAX_DEPTH) return { kind: 'none' };
  if (typeof value === 'boolean') return { kind: 'flag', value };
  if (typeof value === 'string') {
    return isPublicKey(value) ? { kind: 'pubkey', address: value } : { kind: 'text', text: value };
  }
  if (typeof value === 'number') {
    return Number.isSafeInteger(value) ? { kind: 'integer', value: BigInt(value) } : { kind: 'float', value };
  }
  if (value instanceof JsonNumber) {
    const integer = value.toBigInt();
    return integer === undefined ? { kind: 'float', value: value.toNumber() } : { kind: 'integer', value: integer };
  }
  if (isJsonArray(value)) {
    const items = value.slice(0, MAX_ITEMS).map((item) => valueFromJson(item, depth + 1));
    const more = value.length - items.length;
    return { kind: 'list', items, ...(more > 0 ? { more } : {}) };
  }
  return { kind: 'fields', fields: fieldsFromJson(value, depth) };
}
