// An explanation as JSON: integers with all their digits, bytes in base64.
import { encodeBase64 } from '../encoding/base64';
import { JsonNumber, type JsonValue } from '../json/json';
import type { CallUnits, Explanation } from './explanation';

export const explanationJson = (explanation: Explanation | CallUnits): JsonValue => jsonOf(explanation);

function jsonOf(value: unknown): JsonValue {
  if (typeof value === 'bigint') return isSafe(value) ? Number(value) : new JsonNumber(value.toString());
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

const isSafe = (value: bigint): boolean => value >= Number.MIN_SAFE_INTEGER && value <= Number.MAX_SAFE_INTEGER;
