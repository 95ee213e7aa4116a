// The built service under load for minutes: its memory once a minute as a table, and whether it still grew in the second
// half. Ends what it started, however it ends.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { readyLineOf, type ReadyLine } from '../../support/process/localnet';
import { residentBytes } from '../../support/process/processes';
import { SoakLoad, type Counts } from './soak-load';

const dist = path.join(import.meta.dirname, '..', '..', '..', 'dist', 'localnet.js');
/** Milliseconds between two looks at the memory. */
const LOOK_EVERY = 2_000;

export interface SoakRow {
  readonly minute: number;
  /** Megabytes: the least, the median and the most of the minute. */
  readonly memory: readonly [least: number, median: number, most: number];
  readonly counts: Counts;
}

export interface SoakReport {
  readonly rows: readonly SoakRow[];
  /** Megabytes that the second half grew by, as a straight line through all looks at it. */
  readonly growth: number;
}

/** `onRow` is told of each minute as it ends. Rejects when the service dies or answers what it must not. */
export async function soak(minutes: number, onRow: (row: SoakRow) => void): Promise<SoakReport> {
  const args = ['--json', '--with-parent', '--plan', 'Shared Metal', '--slot-ms', '100', '--traffic', '100'];
  const child = spawn(process.execPath, [dist, ...args], { stdio: ['pipe', 'pipe', 'pipe'] });
  const kill = (): boolean => child.kill('SIGKILL');
  process.once('exit', kill);
  const over = new AbortController();
  try {
    const ready = JSON.parse(await readyLineOf(child)) as ReadyLine;
    const load = new SoakLoad(ready, over.signal);
    const died = once(child, 'exit').then(([code, signal]) => {
      throw new Error(`The service died of ${String(signal ?? code)}.`);
    });
    died.catch(() => undefined);
    const work = load.run();
    const watched = watch(ready.pid, minutes, load.counts, onRow);
    const report = await Promise.race([watched, died, work.then(() => watched)]);
    over.abort();
    await work;
    return report;
  } finally {
    over.abort();
    process.off('exit', kill);
    kill();
  }
}

async function watch(pid: number, minutes: number, counts: Counts, onRow: (row: SoakRow) => void): Promise<SoakReport> {
  const begun = performance.now();
  const looks: { readonly at: number; readonly megabytes: number }[] = [];
  const rows: SoakRow[] = [];
  let minute: number[] = [];
  while (rows.length < minutes) {
    await pause(LOOK_EVERY);
    const at = performance.now() - begun;
    const megabytes = (residentBytes(pid) ?? NaN) / 1024 / 1024;
    looks.push({ at, megabytes });
    minute.push(megabytes);
    if (at < (rows.length + 1) * 60_000) continue;
    const sorted = minute.sort((a, b) => a - b);
    const memory = [sorted[0] ?? NaN, sorted[sorted.length >> 1] ?? NaN, sorted.at(-1) ?? NaN] as const;
    const row = { minute: rows.length + 1, memory, counts: { ...counts } };
    rows.push(row);
    onRow(row);
    minute = [];
  }
  const half = looks.filter(({ at }) => at >= (minutes * 60_000) / 2);
  return { rows, growth: growthOf(half) };
}

/** By how much a straight line through the looks rises from the first to the last. */
export function growthOf(looks: readonly { readonly at: number; readonly megabytes: number }[]): number {
  const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
  const at = mean(looks.map((look) => look.at));
  const megabytes = mean(looks.map((look) => look.megabytes));
  const together = looks.reduce((sum, look) => sum + (look.at - at) * (look.megabytes - megabytes), 0);
  const alone = looks.reduce((sum, look) => sum + (look.at - at) ** 2, 0);
  const [first, last] = [looks[0], looks.at(-1)];
  return first === undefined || last === undefined || alone === 0 ? NaN : (together / alone) * (last.at - first.at);
}
