// A private ledger for one replay: a local service with nothing but the case's accounts, ended whatever happens. Its file of
// accounts is readable by this user alone and gone once the service has read it.
import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { ReplayCase } from '../core/replay/case';
import { ledgerAccounts, ledgerOptions } from '../core/replay/ledger';
import { temporaryFolder } from './leftovers';
import { LocalService, type LocalServiceReady, type LocalServiceState } from './localService';

export interface ReplayLedgerOptions {
  /** The built program, `dist/localnet.js`. */
  readonly program: string;
  /** Ends the wait and the service. */
  readonly signal: AbortSignal;
}

/** What `use` makes of the running service, or the state of one that does not run. */
export async function withReplayLedger<T>(
  replay: ReplayCase,
  { program, signal }: ReplayLedgerOptions,
  use: (ready: LocalServiceReady) => Promise<T>,
): Promise<{ readonly used: T } | { readonly state: LocalServiceState }> {
  const folder = temporaryFolder('replay');
  let service: LocalService | undefined;
  const stop = (): void => void service?.stop();
  try {
    const file = path.join(folder, 'accounts.json');
    await writeFile(file, ledgerAccounts(replay), { mode: 0o600, flag: 'wx' });
    signal.throwIfAborted();
    service = new LocalService({ program, args: ledgerOptions(replay, file) });
    signal.addEventListener('abort', stop, { once: true });
    const state = await service.settled();
    await rm(folder, { recursive: true, force: true });
    return state.kind === 'running' ? { used: await use(state.ready) } : { state };
  } finally {
    signal.removeEventListener('abort', stop);
    await service?.stop();
    await rm(folder, { recursive: true, force: true });
  }
}
