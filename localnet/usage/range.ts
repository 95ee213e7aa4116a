// The `from` and `to` of the usage REST API (docs/local-service.md, "Usage").
import type { Query } from '../guard/target';

export interface QueriedRange {
  /** Unix seconds, inclusive. */
  readonly from: number;
  readonly to: number;
}

const DAY_SECONDS = 24 * 60 * 60;

/** The range a query asks for, default the 24 hours before now; a string says what is wrong with it. */
export function readRange(query: Query, nowMs: number): QueriedRange | string {
  const now = Math.floor(nowMs / 1000);
  const from = readSeconds(query, 'from', now - DAY_SECONDS);
  if (typeof from === 'string') return from;
  const to = readSeconds(query, 'to', now);
  if (typeof to === 'string') return to;
  return from > to ? `"from" (${from}) lies after "to" (${to})` : { from, to };
}

function readSeconds(query: Query, name: string, fallback: number): number | string {
  const given = query.getAll(name);
  if (given.length === 0) return fallback;
  const seconds = given.length === 1 && /^\d{1,15}$/.test(given[0] ?? '') ? Number(given[0]) : Number.NaN;
  return Number.isSafeInteger(seconds) ? seconds : `"${name}" must be one whole number of Unix seconds`;
}
