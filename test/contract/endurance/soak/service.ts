// The built service under load, as a subject of the soak. Ends what it started, however it ends.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { readyLineOf, type ReadyLine } from '../../../support/process/localnet';
import { SoakLoad } from './load';
import type { Soaked } from './soaked';

const dist = path.join(import.meta.dirname, '..', '..', '..', '..', 'dist', 'localnet.js');

/** `work` rejects when the service dies or answers what it must not. */
export async function soakService(over: AbortSignal): Promise<Soaked> {
  const args = ['--json', '--with-parent', '--plan', 'Shared Metal', '--slot-ms', '100', '--traffic', '100'];
  const child = spawn(process.execPath, [dist, ...args], { stdio: ['pipe', 'pipe', 'pipe'] });
  const kill = (): boolean => child.kill('SIGKILL');
  process.once('exit', kill);
  const ready = JSON.parse(await readyLineOf(child)) as ReadyLine;
  const load = new SoakLoad(ready, over);
  const died = once(child, 'exit').then(([code, signal]) => {
    throw new Error(`The service died of ${String(signal ?? code)}.`);
  });
  died.catch(() => undefined);
  return {
    subjects: [{ name: 'service', pid: () => ready.pid }],
    work: Promise.race([load.run(), died]),
    done: () => Object.entries(load.counts).map(([name, count]) => `${count} ${name}`),
    close: () => {
      process.off('exit', kill);
      kill();
      return Promise.resolve();
    },
  };
}
