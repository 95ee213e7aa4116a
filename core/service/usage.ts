// The REST usage summary (docs/local-service.md, "Usage") read into rows. Lenient: missing parts are computed from the
// rest, nonsense is left out, and only an answer that is not a summary at all fails.
import { failed, ok, type KeyType, type Result } from './errors';
import { harmless } from './redaction/redact';
import { isJsonArray, isJsonObject, JsonNumber, member, type JsonValue } from '../solana/json/json';

export interface UsageRow {
  /** Method name as the service gave it, made fit to show. */
  readonly method: string;
  readonly count: number;
  readonly errors: number;
}

export interface Usage {
  /** request_count, or the sum of the rows where the service gives none. */
  readonly requestCount: number;
  /** Most requests first, then by name. */
  readonly methods: readonly UsageRow[];
  /** Unix seconds; the range that was asked for where the service gives none. */
  readonly from: number;
  readonly to: number;
  /** Present in the usage of one key. */
  readonly keyId?: string;
}

/** A key as a service lists it, never the key itself. */
export interface ListedKey {
  readonly keyId: string;
  readonly type?: KeyType;
  readonly label?: string;
  readonly plan?: string;
  readonly state?: string;
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
  const methods = mergeByMethod(isJsonArray(listed) ? listed.slice(0, MAX_ROWS) : []);
  methods.sort((a, b) => b.count - a.count || (a.method < b.method ? -1 : 1));
  const keyId = member(body, 'key_id');
  return ok({
    requestCount: count ?? methods.reduce((sum, row) => sum + row.count, 0),
    methods,
    from: countOf(member(body, 'from')) ?? asked.from,
    to: countOf(member(body, 'to')) ?? asked.to,
    ...(typeof keyId === 'string' ? { keyId: harmless(keyId, { max: MAX_NAME }) } : {}),
  });
}

/** Entries that cannot be read are left out. */
function mergeByMethod(entries: readonly JsonValue[]): UsageRow[] {
  const merged = new Map<string, UsageRow>();
  for (const entry of entries) {
    const name = member(entry, 'method');
    const count = countOf(member(entry, 'count'));
    if (typeof name !== 'string' || count === undefined) continue;
    const method = harmless(name, { max: MAX_NAME });
    const before = merged.get(method) ?? { count: 0, errors: 0 };
    const errors = before.errors + (countOf(member(entry, 'errors')) ?? 0);
    merged.set(method, { method, count: before.count + count, errors });
  }
  return [...merged.values()];
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
