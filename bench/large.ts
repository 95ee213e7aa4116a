// P7: a getProgramAccounts response of 100 MB, to fetch().json(), @solana/web3.js and @solana/kit; and one of 600 MB. Each
// is received by a separate process, from a server in another one.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Taken } from './large/child';
import { median, node, ratioOf, type Measured } from './measure';
import { peerFolder } from './peers';

const ROUNDS = 5;
const BYTES = 100_000_000;
const HUGE = 600_000_000;
const HUGE_ROUNDS = 3;
const bundle = (name: string): string => path.join(import.meta.dirname, 'large', name);

export async function measureLarge(): Promise<readonly Measured[]> {
  const child = spawn(process.execPath, [bundle('serve.mjs')], { stdio: ['pipe', 'pipe', 'inherit'] });
  try {
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    return await against(`http://127.0.0.1:${Number(line.toString())}`);
  } finally {
    child.kill();
  }
}

/** Through a heap that holds what the peers make of it. */
async function taken(way: string, url: string, peers = ''): Promise<Taken> {
  return JSON.parse(await node(['--max-old-space-size=8192', bundle('child.mjs'), way, url, peers])) as Taken;
}

async function against(origin: string): Promise<readonly Measured[]> {
  const own: Taken[] = [];
  const idle: number[] = [];
  const fetched: Taken[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const delays = monitorEventLoopDelay({ resolution: 5 });
    delays.enable();
    own.push(await taken('own', `${origin}/${BYTES}`));
    delays.disable();
    idle.push(delays.max / 1e6);
    fetched.push(await taken('fetch', `${origin}/${BYTES}`));
  }
  return [...ratios(own, fetched, idle), ...(await peerRows(origin, own)), await hugeRow(origin)];
}

/** `idle`: the longest block of this process meanwhile, which only waits: what the machine made everybody wait. */
function ratios(own: readonly Taken[], fetched: readonly Taken[], idle: readonly number[]): Measured[] {
  const whole = all(fetched, ({ wholeMs }) => wholeMs);
  const row = (name: string, atMost: number, figure: number, note: string): Measured => ({
    goal: 'P7',
    name: `100 MB: ${name}`,
    figure,
    bound: { atMost },
    note,
  });
  const first = all(own, ({ firstPageMs }) => firstPageMs);
  const mine = all(own, ({ wholeMs }) => wholeMs);
  const [memory, theirMemory] = [all(own, (each) => each.memory), all(fetched, (each) => each.memory)];
  const json = `${median(whole).toFixed(0)} ms`;
  return [
    row('first page, to fetch().json()', 0.1, ratioOf(first, whole), `${median(first).toFixed(0)} ms to ${json}`),
    row('whole, to fetch().json()', 0.7, ratioOf(mine, whole), `${median(mine).toFixed(0)} ms to ${json}`),
    row(
      'memory growth, to fetch().json()',
      0.4,
      ratioOf(memory, theirMemory),
      `${megabytes(memory)} to ${megabytes(theirMemory)}`,
    ),
    milliseconds(
      '100 MB: longest loop block',
      50,
      all(own, ({ blockMs }) => blockMs),
      `; of an idle process at the same time ${listed(idle)}`,
    ),
    milliseconds(
      '100 MB: a page anywhere',
      5,
      all(own, ({ pageMs }) => pageMs),
    ),
  ];
}

const all = (rows: readonly Taken[], of: (row: Taken) => number | undefined): number[] =>
  rows.map((row) => of(row) ?? NaN);
const listed = (values: readonly number[]): string => values.map((value) => value.toFixed(1)).join(', ');
const megabytes = (values: readonly number[]): string => `${(median(values) / 1e6).toFixed(0)} MB`;

/** The median of `values`, which the note lists. */
function milliseconds(name: string, atMost: number, values: readonly number[], beside = ''): Measured {
  return {
    goal: 'P7',
    name,
    figure: Math.round(median(values) * 100) / 100,
    unit: 'ms',
    bound: { atMost },
    note: `${listed(values)}${beside}`,
  };
}

/** Once each: they take many times as long. */
async function peerRows(origin: string, own: readonly Taken[]): Promise<readonly Measured[]> {
  const folder = await peerFolder();
  const rows: Measured[] = [];
  for (const [way, name] of [
    ['web3', '@solana/web3.js'],
    ['kit', '@solana/kit'],
  ] as const) {
    const row = { goal: 'P7', name: `100 MB: whole, to ${name}` };
    if (folder === undefined) {
      rows.push({ ...row, absent: 'no peer', note: `${name} could not be installed` });
      continue;
    }
    const { wholeMs } = await taken(way, `${origin}/${BYTES}`, folder);
    const mine = median(own.map((each) => each.wholeMs));
    rows.push({ ...row, figure: mine / wholeMs, note: `${mine.toFixed(0)} ms to ${wholeMs.toFixed(0)} ms` });
  }
  return rows;
}

async function hugeRow(origin: string): Promise<Measured> {
  const own: Taken[] = [];
  while (own.length < HUGE_ROUNDS) own.push(await taken('own', `${origin}/${HUGE}`));
  const seconds = median(all(own, ({ wholeMs }) => wholeMs)) / 1000;
  const memory = megabytes(all(own, (each) => each.memory));
  return milliseconds(
    '600 MB: a page anywhere',
    5,
    all(own, ({ pageMs }) => pageMs),
    `; ${own[0]?.accounts} accounts in ${seconds.toFixed(1)} s, memory growth ${memory}`,
  );
}
