// The REST usage summary (docs/local-service.md, "Usage") read into rows. Lenient: missing parts are computed from the
// rest, nonsense is counted, and only an answer that is not a summary at all fails.
import { failed, ok, type Result } from './errors';
import { harmless } from './redaction/redact';
import { isJsonArray, isJsonObject, JsonNumber, member, type JsonValue } from '../solana/json/json';

export interface UsageRow {
  /** Method name as the service gave it, made fit to show. */
  readonly method: string;
  readonly count: number;
  readonly errors: number;
  /** Part of all requests, 0..1. */
  readonly share: number;
  /** Part of this method's requests that failed, 0..1. */
  readonly errorShare: number;
}

export interface Usage {
  /** Most requests first, then by name. */
  readonly rows: readonly UsageRow[];
  /** request_count, or the sum of the rows where the service gives none. */
  readonly total: number;
  readonly errors: number;
  readonly errorShare: number;
  /** Unix seconds; the range that was asked for where the service gives none. */
  readonly from: number;
  readonly to: number;
  /** Present in the usage of one key. */
  readonly keyId?: string;
  /** Entries of `methods` that could not be read. */
  readonly unreadable: number;
}

/** Rows beyond this are dropped: no service has as many methods, and a hostile one must not fill a view. */
const MAX_ROWS = 1000;
const MAX_NAME = 120;

/** `asked`: the range of the request, Unix seconds. */
export function readUsage(body: JsonValue, asked: { readonly from: number; readonly to: number }): Result<Usage> {
  const count = countOf(member(body, 'request_count'));
  const listed = member(body, 'methods');
  if (!isJsonObject(body) || (count === undefined && !isJsonArray(listed))) {
    return failed({
      kind: 'protocol',
      message: 'The usage answer is not the summary the service promises.',
      hint: 'Check restUrl in the endpoint profile.',
    });
  }
  const entries = isJsonArray(listed) ? listed.slice(0, MAX_ROWS) : [];
  const merged = mergeByMethod(entries);
  let sum = 0;
  let errors = 0;
  for (const row of merged.values()) {
    sum += row.count;
    errors += row.errors;
  }
  const total = count ?? sum;
  const rows = [...merged].map(([method, row]): UsageRow => ({
    method,
    ...row,
    share: part(row.count, Math.max(total, sum)),
    errorShare: part(row.errors, row.count),
  }));
  rows.sort((a, b) => b.count - a.count || (a.method < b.method ? -1 : 1));
  const keyId = member(body, 'key_id');
  return ok({
    rows,
    total,
    errors,
    errorShare: part(errors, Math.max(total, sum)),
    from: countOf(member(body, 'from')) ?? asked.from,
    to: countOf(member(body, 'to')) ?? asked.to,
    ...(typeof keyId === 'string' ? { keyId: harmless(keyId, { max: MAX_NAME }) } : {}),
    unreadable: entries.filter((entry) => readEntry(entry) === undefined).length,
  });
}

interface Counted {
  readonly count: number;
  readonly errors: number;
}

function mergeByMethod(entries: readonly JsonValue[]): Map<string, Counted> {
  const merged = new Map<string, Counted>();
  for (const entry of entries) {
    const read = readEntry(entry);
    if (read === undefined) continue;
    const before = merged.get(read.method) ?? { count: 0, errors: 0 };
    merged.set(read.method, { count: before.count + read.count, errors: before.errors + read.errors });
  }
  return merged;
}

function readEntry(entry: JsonValue): (Counted & { readonly method: string }) | undefined {
  const method = member(entry, 'method');
  const count = countOf(member(entry, 'count'));
  if (typeof method !== 'string' || count === undefined) return undefined;
  return { method: harmless(method, { max: MAX_NAME }), count, errors: countOf(member(entry, 'errors')) ?? 0 };
}

/** A count: a number that is not negative, or its digits in a string. Rounded down; counts above 2^53 lose digits. */
function countOf(value: JsonValue | undefined): number | undefined {
  const number =
    value instanceof JsonNumber
      ? value.toNumber()
      : typeof value === 'string' && /^\d{1,20}$/.test(value)
        ? Number(value)
        : value;
  return typeof number === 'number' && Number.isFinite(number) && number >= 0 ? Math.floor(number) : undefined;
}

const part = (some: number, all: number): number => (all === 0 ? 0 : Math.min(1, some / all));
