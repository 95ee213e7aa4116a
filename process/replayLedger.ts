// A private ledger for one replay: a local service with nothing but the case's accounts, always ended. Its file of
// accounts is readable by this user alone and removed once the service has read it.
import os from 'node:os';
import path from 'node:path';
import type { ReplayCase } from '../core/solana/replay/case';
import { CaseError } from '../core/solana/replay/caseFiles';
import { ledgerAccounts, ledgerOptions } from '../core/solana/replay/ledger';
import { fileRefused } from './files';
import { discard, temporaryFolder, writeDraft } from './leftovers';
import { LocalService, type LocalServiceReady, type LocalServiceState } from './localService';

export interface ReplayLedgerOptions {
  /** The built program, `dist/localnet.js`. */
  readonly program: string;
  /** Ends the wait and the service. */
  readonly signal: AbortSignal;
}

/**
 * The result of `use` with the running service, or the state of a service that did not start. Throws the reason of an
 * aborted signal, even if `use` handled the interruption, and CaseError.
 */
export async function withReplayLedger<T>(
  replay: ReplayCase,
  options: ReplayLedgerOptions,
  use: (ready: LocalServiceReady) => Promise<T>,
): Promise<{ readonly used: T } | { readonly state: LocalServiceState }> {
  const { service, state } = await startReplayLedger(replay, options);
  const stop = (): void => void service.stop();
  options.signal.addEventListener('abort', stop, { once: true });
  if (options.signal.aborted) stop();
  try {
    return state.kind === 'running' ? { used: await use(state.ready) } : { state };
  } finally {
    options.signal.removeEventListener('abort', stop);
    await service.stop();
    options.signal.throwIfAborted();
  }
}

/** The service of a case, which the caller ends, and the outcome of its start. Throws CaseError, and the signal's reason. */
export async function startReplayLedger(
  replay: ReplayCase,
  { program, signal }: ReplayLedgerOptions,
): Promise<{ readonly service: LocalService; readonly state: LocalServiceState }> {
  const folder = await orRefused(() => temporaryFolder('replay'));
  try {
    const file = path.join(folder, 'accounts.json');
    await orRefused(() => writeDraft(file, ledgerAccounts(replay), 0o600));
    signal.throwIfAborted();
    const service = new LocalService({ program, args: ledgerOptions(replay, file) });
    return { service, state: await service.settledUnless(signal) };
  } finally {
    discard(folder);
  }
}

async function orRefused<T>(work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw new CaseError(`a temporary file in ${os.tmpdir()}`, fileRefused(error, 'written').message);
  }
}
