// Usage and key ids over the REST interface for the view: asks the active endpoint with its stored key. Counts nothing
// itself.
import { failed, invalidRequest, type Result } from '../../core/service/errors';
import { MOST_PARTS } from '../../core/service/profiles/planLimits';
import type { Net, SendTarget } from '../../net/api';
import { settleInterface } from '../../net/target/target';
import { askKeys, askUsage, type UsageQuestion } from '../../net/http/usage';
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
  const answer = await atRest(window, transports, (net, target) => askUsage(net, target, question, { signal }));
  return answer.ok ? { kind: 'loaded', ...answer.value } : { kind: 'failed', error: answer.error };
}

/** Asks the REST interface of the active endpoint. */
async function atRest<T>(
  window: Window,
  transports: Transports,
  ask: (net: Net, target: SendTarget) => Promise<Result<T>>,
): Promise<Result<T>> {
  const placed = profileNamed(window, undefined);
  if (placed === undefined) return failed(invalidRequest('No endpoint is active.'));
  const target = settleInterface(placed, 'rest');
  return target.ok ? transports.use((net) => ask(net, target.value)) : target;
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
  const answer = await atRest(window, transports, (net, target) => askKeys(net, target, { signal }));
  return answer.ok ? { kind: 'listed', keys: answer.value } : { kind: 'failed', error: answer.error };
}
