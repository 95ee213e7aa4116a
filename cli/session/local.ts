// The local service of one command: started, used, and always ended.
import path from 'node:path';
import { CaseError } from '../../core/solana/replay/caseFiles';
import { readCaseFolder } from '../../process/caseFolder';
import { startReplayLedger } from '../../process/replayLedger';
import { LocalService, STEADY_TRAFFIC } from '../../process/localService';
import { UsageError } from '../exit';
import { escapeLine } from '../terminal';
import type { KeysByType } from './keys';
import type { KeyType } from '../../core/service/errors';
import type { PlacedProfile } from '../../core/service/profiles/profile';
import type { Secret } from '../../core/service/keys/secret';
import type { LocalServiceReady, LocalServiceState } from '../../process/localService';

export const localProgram = (): string => path.join(__dirname, 'localnet.js');
export const commandProgram = (): string => path.join(__dirname, 'cli.js');

export interface Local {
  readonly profile: PlacedProfile;
  readonly keys: KeysByType;
  readonly origins: ReadonlySet<string>;
  readonly ready: LocalServiceReady;
  stop(): Promise<void>;
}

/**
 * Starts a service for one run; `folder`: of a case, whose accounts, slot and time it has. Throws UsageError where it does not
 * start. An abort of `signal` meanwhile ends the service; then this throws the signal's reason.
 */
export async function startForRun(signal: AbortSignal, folder?: string): Promise<Local> {
  const { service, state } = folder === undefined ? await started(signal) : await startedCase(folder, signal);
  if (signal.aborted) await service.stop();
  signal.throwIfAborted();
  if (state.kind !== 'running') throw new UsageError(whyNoService(state));
  const { ready } = state;
  const { rpcUrl, wsUrl, grpcUrl, restUrl, keys } = ready;
  const urls = [rpcUrl, restUrl, wsUrl, grpcUrl];
  return {
    ready,
    profile: { source: 'local', profile: { name: 'local', rpcUrl, restUrl, wsUrl, grpcUrl } },
    keys: new Map<KeyType, Secret>([
      ['rpc', keys.rpc.key],
      ['grpc', keys.grpc.key],
      ['swqos', keys.swqos.key],
    ]),
    origins: new Set(urls.map((url) => new URL(url).origin)),
    stop: () => service.stop(),
  };
}

type Started = Awaited<ReturnType<typeof startReplayLedger>>;

async function started(signal: AbortSignal): Promise<Started> {
  const service = new LocalService({ program: localProgram(), args: ['--traffic', String(STEADY_TRAFFIC)] });
  return { service, state: await service.settledUnless(signal) };
}

async function startedCase(folder: string, signal: AbortSignal): Promise<Started> {
  try {
    return await startReplayLedger(await readCaseFolder(folder), { program: localProgram(), signal });
  } catch (error) {
    if (error instanceof CaseError) throw new UsageError(error.message);
    throw error;
  }
}

/** Why there is no service: its own sentence where it left one, else the reason and what it wrote last. */
export function whyNoService(state: LocalServiceState): string {
  if (state.kind !== 'failed') return 'The local service was stopped.';
  const [only, ...more] = state.log;
  if (only !== undefined && more.length === 0) return escapeLine(only);
  const log = state.log.slice(-10).map((line) => `  ${escapeLine(line)}`);
  return [state.reason, ...log].join('\n');
}
