// Usage and key ids over the REST interface for the view: asks the active endpoint with its stored key. Counts nothing
// itself.
import type { Result } from '../../core/service/errors';
import { MOST_PARTS } from '../../core/service/profiles/planLimits';
import type { Usage } from '../../core/service/usage';
import { settleInterface } from '../../net/target/target';
import { askKeys, askUsage as ask, type UsageQuestion } from '../../net/http/usage';
import type { UsageKeysResult, UsagePart, UsagePartsParams, UsagePartsResult, UsageResult } from '../../protocol/usage';
import { profileNamed } from '../profiles';
import type { Transports } from '../run/transports';
import type { Window } from '../window';

export async function usageOf(
  window: Window,
  transports: Transports,
  question: UsageQuestion,
  signal: AbortSignal,
): Promise<UsageResult> {
  const placed = profileNamed(window, undefined);
  if (placed === undefined)
    return { kind: 'failed', error: { kind: 'invalidRequest', message: 'No endpoint is active.' } };
  const target = settleInterface(placed, 'rest');
  if (!target.ok) return { kind: 'failed', error: target.error };
  return shown(await transports.use((net) => ask(net, target.value, question, { signal })));
}

/** The usage of each part of a range, asked one after the other; the first failure ends it. */
export async function askUsageParts(
  window: Window,
  transports: Transports,
  { spans, keyId }: UsagePartsParams,
  signal: AbortSignal,
): Promise<UsagePartsResult> {
  const parts: UsagePart[] = [];
  for (const { from, to } of spans.slice(0, MOST_PARTS)) {
    const question = { from, to, now: to, ...(keyId !== undefined && { keyId }) };
    const answer = await usageOf(window, transports, question, signal);
    if (answer.kind === 'failed') return { kind: 'failed', error: answer.error, parts };
    parts.push({ from, to, requestCount: answer.requestCount, methods: answer.methods });
  }
  return { kind: 'loaded', parts };
}

/** The account's keys, if the service lists them. */
export async function askUsageKeys(
  window: Window,
  transports: Transports,
  signal: AbortSignal,
): Promise<UsageKeysResult> {
  const placed = profileNamed(window, undefined);
  if (placed === undefined)
    return { kind: 'failed', error: { kind: 'invalidRequest', message: 'No endpoint is active.' } };
  const target = settleInterface(placed, 'rest');
  if (!target.ok) return { kind: 'failed', error: target.error };
  const answer = await transports.use((net) => askKeys(net, target.value, { signal }));
  if (!answer.ok) return { kind: 'failed', error: answer.error };
  return {
    kind: 'listed',
    keys: answer.value.map(({ keyId, type, label, plan, state }) => ({
      keyId,
      ...(type !== undefined && { type }),
      ...(label !== undefined && { label }),
      ...(plan !== undefined && { plan }),
      ...(state !== undefined && { state }),
    })),
  };
}

function shown(answer: Result<Usage>): UsageResult {
  if (!answer.ok) return { kind: 'failed', error: answer.error };
  const { rows, total, from, to, keyId } = answer.value;
  return {
    kind: 'loaded',
    requestCount: total,
    methods: rows.map(({ method, count, errors }) => ({ method, count, errors })),
    from,
    to,
    ...(keyId !== undefined && { keyId }),
  };
}
