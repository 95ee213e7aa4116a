// What an answer of the service says of the key that it was asked with. Pure but for the clock it is handed.
import type { ServiceError } from '../../core/errors';
import type { KeyQuery } from '../../core/profile';
import type { ExecuteOutcome } from '../../protocol/lsp';
import type { TestKeyResult } from '../../protocol/usage';
import { chooseKey } from './keyBroker';
import type { KeyState } from './keyRecord';
import type { KeyVault } from './keyVault';

/** The state of a key after an answer of this kind; undefined where the key is not what is wrong. `now`: Unix ms. */
export function stateAfterError(
  error: { readonly kind: string; readonly retryAfterMs?: number },
  now: number,
): KeyState | undefined {
  if (error.kind === 'keyRejected') return { kind: 'rejected' };
  if (error.kind === 'wrongKeyType') return { kind: 'wrongType' };
  if (error.kind !== 'suspended') return undefined;
  return { kind: 'suspended', ...(error.retryAfterMs !== undefined && { until: now + error.retryAfterMs }) };
}

const asked = (error: ServiceError): { readonly kind: string; readonly retryAfterMs?: number } => ({
  kind: error.kind,
  ...('retryAfterMs' in error && error.retryAfterMs !== undefined && { retryAfterMs: error.retryAfterMs }),
});

/** What the answer to a test says of the key; undefined where it says nothing. */
export function stateAfterTest(result: TestKeyResult, now: number): KeyState | undefined {
  return result.kind === 'accepted' ? { kind: 'active' } : stateAfterError(asked(result.error), now);
}

/** What the answer to a question of the usage says of the key. */
export function stateAfterUsage(error: ServiceError | undefined, now: number): KeyState | undefined {
  return error === undefined ? { kind: 'active' } : stateAfterError(asked(error), now);
}

/** What a run says of the key it went out with: an answer of any kind, a JSON-RPC error among them, means a good one. */
export function stateAfterRun({ error, httpStatus, retryAfterMs }: ExecuteOutcome, now: number): KeyState | undefined {
  const answered = httpStatus !== undefined && httpStatus < 300 && (error === undefined || error.kind === 'rpc');
  if (answered) return { kind: 'active' };
  return stateAfterError({ kind: error?.kind ?? '', ...(retryAfterMs !== undefined && { retryAfterMs }) }, now);
}

/** Notes the state with the key that fits the question; written only where it is news: most answers find the key as good as it was. */
export async function noteState(
  vault: Pick<KeyVault, 'list' | 'note'>,
  query: KeyQuery | undefined,
  state: KeyState | undefined,
): Promise<void> {
  if (state === undefined || query === undefined) return;
  const used = chooseKey(await vault.list(), query);
  if (used.kind !== 'found' || (state.kind === used.record.state.kind && state.kind !== 'suspended')) return;
  await vault.note(used.record.id, { state });
}
