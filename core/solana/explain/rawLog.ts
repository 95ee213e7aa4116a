// The log of a transaction as its node gave it, whole: each line as it is.
import { isJsonArray, member, type JsonValue } from '../json/json';

/** Where answers about one transaction have it: getTransaction, simulateTransaction, a failed preflight, a bare transaction. */
const PLACES: readonly (readonly string[])[] = [
  ['result', 'meta', 'logMessages'],
  ['result', 'value', 'logs'],
  ['error', 'data', 'logs'],
  ['meta', 'logMessages'],
];

/** The log lines of an answer; undefined if it has no log. */
export function rawLog(answer: JsonValue): readonly string[] | undefined {
  for (const place of PLACES) {
    const found = place.reduce<JsonValue | undefined>((value, name) => member(value, name), answer);
    if (isJsonArray(found)) return found.filter((line) => typeof line === 'string');
  }
  return undefined;
}
