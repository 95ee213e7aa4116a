// Usage over the REST interface: asks, and reads the answer leniently into rows. Counts nothing itself.
import { failed, ok, type Result } from '../core/errors';
import type { Exchange } from '../core/run/model';
import { integerOf, isJsonArray, member, parseJson, type JsonValue } from '../core/values/json';
import { settleInterface } from '../net/target';
import type { UsageParams, UsageResult, UsageRow } from '../protocol/lsp';
import { profileNamed } from './profiles';
import type { Transports } from './transports';
import type { Window } from './window';

/** The path and query of a question (service contract, "REST: usage summary", "usage by key"). */
function usagePath({ from, to, keyId }: UsageParams): string {
  const query = new URLSearchParams();
  if (from !== undefined) query.set('from', String(from));
  if (to !== undefined) query.set('to', String(to));
  const path = keyId === undefined ? '/v1/usage' : `/v1/usage/${encodeURIComponent(keyId)}`;
  return query.size === 0 ? path : `${path}?${query.toString()}`;
}

function usageOf(answer: Result<Exchange>): UsageResult {
  if (!answer.ok) return { kind: 'failed', error: answer.error };
  const { error, body, httpStatus } = answer.value;
  if (error !== undefined) return { kind: 'failed', error };
  const read = body.kind === 'text' ? readSummary(body.text) : UNREADABLE;
  if (!read.ok) return { kind: 'failed', error: { ...read.error, kind: 'protocol', httpStatus } };
  return read.value;
}

const UNREADABLE: Result<never> = failed({
  kind: 'protocol',
  message: 'The usage answer is not the summary that the service promises.',
  hint: 'Check restUrl in the endpoint profile.',
});

function readSummary(text: string): Result<UsageResult> {
  let value: JsonValue;
  try {
    value = parseJson(text);
  } catch {
    return UNREADABLE;
  }
  const count = numberOf(value, 'request_count');
  const from = numberOf(value, 'from');
  const to = numberOf(value, 'to');
  const rows = member(value, 'methods');
  if (count === undefined || from === undefined || to === undefined || !isJsonArray(rows)) return UNREADABLE;
  const keyId = member(value, 'key_id');
  return ok({
    kind: 'loaded',
    requestCount: count,
    methods: rows.flatMap(readRow).sort((left, right) => right.count - left.count),
    from,
    to,
    ...(typeof keyId === 'string' && { keyId }),
  });
}

function readRow(value: JsonValue): readonly UsageRow[] {
  const method = member(value, 'method');
  const count = numberOf(value, 'count');
  if (typeof method !== 'string' || count === undefined) return [];
  return [{ method, count, errors: numberOf(value, 'errors') ?? 0 }];
}

function numberOf(value: JsonValue, key: string): number | undefined {
  const integer = integerOf(member(value, key));
  return integer === undefined ? undefined : Number(integer);
}

/** Asks the active endpoint with its stored key. */
export async function askUsage(
  window: Window,
  transports: Transports,
  params: UsageParams,
  signal: AbortSignal,
): Promise<UsageResult> {
  const placed = profileNamed(window, undefined);
  if (placed === undefined)
    return { kind: 'failed', error: { kind: 'invalidRequest', message: 'No endpoint is active.' } };
  const target = settleInterface(placed, 'rest');
  if (!target.ok) return { kind: 'failed', error: target.error };
  return usageOf(await transports.use((net) => net.get(target.value, usagePath(params), { signal })));
}
