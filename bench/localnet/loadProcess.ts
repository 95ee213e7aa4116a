// The load generator as the benchmarks use it: started, given jobs, ended.
import path from 'node:path';
import type { Figures, Job, Setup } from './load';
import { root } from '../root';
import { lineProcess, type BenchService, type Ready } from './service';

const CONNECTIONS = 32;
/** The largest plan allows 200 sends a second and key. */
const KEYS = 40;

/** Whom the load goes to. */
export interface Loaded extends Pick<BenchService, 'port' | 'newKeys'> {
  readonly ready: Pick<Ready, 'wallet'>;
}

export interface Load {
  run(job: Job): Promise<Figures>;
  /** Watches how long one client waits during `work`. */
  watchDuring(work: () => Promise<void>): Promise<Figures>;
  stop(): Promise<void>;
}

const loader = path.join(root, 'out', 'load.mjs');

/** Starts the load generator against a service. */
export async function loadGenerator(service: Loaded): Promise<Load> {
  const child = lineProcess([loader]);
  const setup: Setup = {
    port: service.port,
    keys: await service.newKeys(KEYS),
    secretKey: service.ready.wallet.secretKey,
    connections: CONNECTIONS,
  };
  await child.ask(JSON.stringify(setup));
  const run = async (job: Job): Promise<Figures> => JSON.parse(await child.ask(JSON.stringify(job))) as Figures;
  return {
    run,
    watchDuring: async (work) => {
      const watched = run({ kind: 'watch' });
      await work();
      child.child.stdin?.write(`${JSON.stringify({ kind: 'stop' } satisfies Job)}\n`);
      return watched;
    },
    stop: () => child.stop(),
  };
}
