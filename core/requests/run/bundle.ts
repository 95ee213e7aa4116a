// The state of a bundle, from its sender's answers (Jito, "getInflightBundleStatuses", "getBundleStatuses").
// Pure: asks nobody.
import { isJsonArray, isJsonObject, member, type JsonObject, type JsonValue } from '../../solana/json/json';
import { sightingFacts, LEVELS, type Sighting } from './landing';

/** In flight: a sender also answers `Invalid` for a bundle that it does not know yet, or any more. */
type InflightStatus = 'Invalid' | 'Pending' | 'Failed' | 'Landed';

/** Parses the answer to getInflightBundleStatuses for one bundle. Throws if it is malformed. */
export function inflightStatusIn(answer: JsonValue): InflightStatus {
  const status = member(only(answer), 'status');
  if (status === 'Pending' || status === 'Failed' || status === 'Landed') return status;
  if (status === 'Invalid' || status === undefined) return 'Invalid';
  throw new Error('no status');
}

/** Parses the answer to getBundleStatuses for one bundle; undefined: not on the ledger. Throws if it is malformed. */
export function bundleIn(answer: JsonValue): (Sighting & { readonly signature?: string }) | undefined {
  const row = only(answer);
  if (row === undefined) return undefined;
  // Both spellings are in use.
  const named = member(row, 'confirmation_status') ?? member(row, 'confirmationStatus');
  const transactions = member(row, 'transactions');
  const [signature] = isJsonArray(transactions) ? transactions : [];
  const { err, ...facts } = sightingFacts(row, row);
  const isFault = err !== undefined && !(isJsonObject(err) && 'Ok' in err);
  return {
    level: LEVELS.find((level) => level === named) ?? 'processed',
    ...facts,
    ...(typeof signature === 'string' ? { signature } : {}),
    ...(isFault && { err }),
  };
}

function only(answer: JsonValue): JsonObject | undefined {
  const result = member(answer, 'result');
  const value = member(result, 'value');
  if (result === null || value === null) return undefined;
  if (!isJsonArray(value)) throw new Error('no statuses');
  const [row] = value;
  return isJsonObject(row) ? row : undefined;
}
