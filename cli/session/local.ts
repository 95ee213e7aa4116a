// The local service of one command: started, used, and ended whatever happens.
import path from 'node:path';
import { LocalService, STEADY_TRAFFIC } from '../../process/localService';
import { UsageError } from '../exit';
import { escapeLine } from '../terminal';
import type { Keys } from './keys';
import type { KeyType } from '../../core/errors';
import type { PlacedProfile } from '../../core/profile';
import type { Secret } from '../../core/secret';
import type { LocalServiceReady, LocalServiceState } from '../../process/localService';

export const localProgram = (): string => path.join(__dirname, 'localnet.js');
export const commandProgram = (): string => path.join(__dirname, 'cli.js');

export interface Local {
  readonly profile: PlacedProfile;
  readonly keys: Keys;
  readonly origins: ReadonlySet<string>;
  readonly ready: LocalServiceReady;
  stop(): Promise<void>;
}

/** Starts a service for one run. Throws UsageError where it does not start; `signal` ends the wait and the service. */
export async function startLocal(signal: AbortSignal): Promise<Local> {
  const service = new LocalService({ program: localProgram(), args: ['--traffic', String(STEADY_TRAFFIC)] });
  const stop = (): void => void service.stop();
  signal.addEventListener('abort', stop, { once: true });
  const state = await service.settled();
  signal.removeEventListener('abort', stop);
  if (state.kind !== 'running') throw new UsageError(failureText(state));
  const { ready } = state;
  const { rpcUrl, wsUrl, grpcUrl, restUrl, keys } = ready;
  const urls = [rpcUrl, restUrl, wsUrl, grpcUrl];
  return {
    ready,
    profile: {
      source: 'local',
      profile: {
        name: 'local',
        rpcUrl,
        restUrl,
        wsUrl,
        grpcUrl,
      },
    },
    keys: new Map<KeyType, Secret>([
      ['rpc', keys.rpc.key],
      ['grpc', keys.grpc.key],
      ['swqos', keys.swqos.key],
    ]),
    origins: new Set(urls.map((url) => new URL(url).origin)),
    stop: () => service.stop(),
  };
}

/** Why there is no service: its own sentence where it left one, else the reason and what it wrote last. */
export function failureText(state: LocalServiceState): string {
  if (state.kind !== 'failed') return 'The local service was stopped.';
  const [only, ...more] = state.log;
  if (only !== undefined && more.length === 0) return escapeLine(only);
  const log = state.log.slice(-10).map((line) => `  ${escapeLine(line)}`);
  return [state.reason, ...log].join('\n');
}
