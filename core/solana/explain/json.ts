// An explanation as JSON: integers with all their digits, bytes in base64.
import { integerJson } from '../chain/accountJson';
import { encodeBase64 } from '../encoding/base64';
import type { JsonValue } from '../json/json';
import type { CallUnits, Explanation } from './explanation';

export const explanationJson = (explanation: Explanation | CallUnits): JsonValue => jsonOf(explanation);

function jsonOf(value: unknown): JsonValue {
  if (typeof value === 'bigint') return integerJson(value);
  if (value instanceof Uint8Array) return encodeBase64(value);
  if (Array.isArray(value)) return value.map(jsonOf);
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(
      Object.entries(value).flatMap(([name, inside]) =>
        inside === undefined ? [] : [[name, jsonOf(inside)] as const],
      ),
    );
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : null;
}
