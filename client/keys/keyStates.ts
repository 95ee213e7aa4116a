// Derives the state of a key from the service's answer to a request made with it. Pure apart from the clock it is given.
import type { ServiceError } from '../../core/service/errors';
import type { KeyQuery } from '../../core/service/profiles/profile';
import type { ExecuteOutcome } from '../../protocol/lsp';
import type { TestKeyResult } from '../../protocol/usage';
import { chooseKey } from './keyBroker';
import type { KeyVerdict } from './keyRecord';
import type { KeyVault } from './keyVault';

/** The state of a key after an answer of this kind; undefined where the key is not what is wrong. `now`: Unix ms. */
export function stateAfterError(
  error: { readonly kind: string; readonly retryAfterMs?: number | undefined },
  now: number,
): KeyVerdict | undefined {
  if (error.kind === 'keyRejected') return { kind: 'rejected' };
  if (error.kind === 'wrongKeyType') return { kind: 'wrongType' };
  if (error.kind !== 'suspended') return undefined;
  return { kind: 'suspended', ...(error.retryAfterMs !== undefined && { until: now + error.retryAfterMs }) };
}

/** The state after a key test; undefined if the result says nothing about the key. */
export function stateAfterTest(result: TestKeyResult, now: number): KeyVerdict | undefined {
  return result.kind === 'accepted' ? { kind: 'active' } : stateAfterError(result.error, now);
}

/** The state after a usage request. */
export function stateAfterUsage(error: ServiceError | undefined, now: number): KeyVerdict | undefined {
  return error === undefined ? { kind: 'active' } : stateAfterError(error, now);
}

/** The state after a run: any answer, including a JSON-RPC error, means that the key is good. */
export function stateAfterRun(
  { error, httpStatus, retryAfterMs }: ExecuteOutcome,
  now: number,
): KeyVerdict | undefined {
  const answered = httpStatus !== undefined && httpStatus < 300 && (error === undefined || error.kind === 'rpc');
  if (answered) return { kind: 'active' };
  return stateAfterError({ kind: error?.kind ?? '', retryAfterMs }, now);
}

/** Notes the state with the key that fits the question; written only where it is news: most answers find the key as good as it was. */
export async function noteState(
  vault: Pick<KeyVault, 'list' | 'note'>,
  query: KeyQuery | undefined,
  state: KeyVerdict | undefined,
): Promise<void> {
  if (state === undefined || query === undefined) return;
  const used = chooseKey(await vault.list(), query);
  if (used.kind !== 'found' || (state.kind === used.record.state.kind && state.kind !== 'suspended')) return;
  await vault.note(used.record.id, { state });
}
