// P5: requests one after the other through the terminal's run loop, to the same requests through a bare undici Pool and
// through httpYac; and many named ones that each read the one before. The answering server is a separate process.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { Pool } from 'undici';
import { createPorts } from '../cli/session/ports';
import { parseDocument } from '../core/requests/document/document';
import { Chains } from '../core/requests/run/chains';
import { Secret } from '../core/service/keys/secret';
import type { Net } from '../net/api';
import type * as transports from '../net/transports';
import { run } from '../runner/run';
import { DEFAULT_UNTIL } from '../runner/stream';
import { interleaved, median, ratioOf, type Measured } from './measure';
import { peerFolder } from './peers';
import { root } from './root';

const REQUESTS = 200;
const NAMED = 1_000;
const ROUNDS = 7;
const COMMAND_ROUNDS = 5;
const ADDRESS = '11111111111111111111111111111111';
const BODY = `{"jsonrpc":"2.0","id":1,"method":"getBalance","params":["${ADDRESS}"]}`;
const KEY = 'bench-key-of-a-common-length-0123456789';
const HEADERS = { 'content-type': 'application/json', authorization: `Bearer ${KEY}` };

const { createNet } = createRequire(import.meta.url)('../dist/net.js') as typeof transports;

/** As many requests as a file for the terminal. */
const plainFile = (count: number): string =>
  Array.from({ length: count }, (_, index) => `### Request ${index}\n${BODY}\n?? result.value > 0\n`).join('\n');

/** Each one named, and each but the first reads the one before it. */
const namedFile = (count: number): string =>
  Array.from({ length: count }, (_, index) => {
    const check = index === 0 ? '' : `?? result.value == {{request${index - 1}.result.value}}\n`;
    return `### Request ${index}\n# @name request${index}\n${BODY}\n${check}`;
  }).join('\n');

export async function measureRuns(): Promise<readonly Measured[]> {
  const child = spawn(process.execPath, [path.join(root, 'bench', 'responder.mjs')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lease = { secret: new Secret(KEY), label: 'bench' };
  const net = createNet({ keys: { key: () => Promise.resolve({ kind: 'lease', lease }) } });
  try {
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    return await against(`http://127.0.0.1:${Number(line.toString())}`, net);
  } finally {
    await net.close();
    child.kill();
  }
}

async function against(origin: string, net: Net): Promise<readonly Measured[]> {
  const pool = new Pool(origin);
  try {
    const works = [
      () => timed(() => runFile(origin, net, plainFile(REQUESTS))),
      () => timed(() => runPool(pool)),
      () => timed(() => runFile(origin, net, namedFile(NAMED / 4))),
      () => timed(() => runFile(origin, net, namedFile(NAMED))),
    ];
    const [own = [], raw = [], few = [], many = []] = await interleaved(ROUNDS, works);
    const [ours, bare] = [median(own).toFixed(0), median(raw).toFixed(0)];
    return [
      {
        goal: 'P5',
        name: `${REQUESTS} requests one by one, to a bare undici Pool`,
        figure: ratioOf(own, raw),
        bound: { atMost: 1.5 },
        note: `${ours} ms to ${bare} ms`,
      },
      {
        goal: 'P5',
        name: `${NAMED} named requests, to four times ${NAMED / 4}`,
        figure: ratioOf(many, few) / 4,
        bound: { atMost: 1.3 },
        note: `${median(many).toFixed(0)} ms to 4 x ${median(few).toFixed(0)} ms`,
      },
      await commandRow(origin),
    ];
  } finally {
    await pool.destroy();
  }
}

async function timed(work: () => Promise<void>): Promise<number> {
  const since = performance.now();
  await work();
  return performance.now() - since;
}

/** Does what `solana-rpc run` does between reading the command line and printing the report. */
async function runFile(origin: string, net: Net, text: string): Promise<void> {
  const { signal } = new AbortController();
  const placed = { profile: { name: 'bench', rpcUrl: `${origin}/sol` }, source: 'user' } as const;
  const ports = createPorts({
    net,
    find: () => placed,
    workspace: process.cwd(),
    spillFile: () => {
      throw new Error('No answer of these is large.');
    },
    environment: {},
    known: [],
    allowedEnvironment: new Set(),
    extraEnvironment: new Map(),
    yes: false,
    localWallet: undefined,
    wallets: new Map(),
    onProgress: () => undefined,
    chains: new Chains(),
    signal,
  });
  const outcome = await run(
    {
      files: [parseDocument('bench.jsonrpc', 1, text)],
      selection: { kind: 'all' },
      imports: { documentOf: () => undefined },
      variables: new Map(),
      profileVariables: () => new Map(),
      endpoint: 'bench',
      defaultTimeoutMs: 30_000,
      defaultUntil: DEFAULT_UNTIL,
      bail: false,
    },
    ports,
    signal,
  );
  if (outcome.kind !== 'done' || !outcome.report.ok) throw new Error('The run failed.');
}

async function runPool(pool: Pool): Promise<void> {
  for (let index = 0; index < REQUESTS; index++) {
    const { body } = await pool.request({ method: 'POST', path: '/sol', headers: HEADERS, body: BODY });
    const { result } = (await body.json()) as { readonly result: { readonly value: number } };
    if (!(result.value > 0)) throw new Error('The call failed.');
  }
}

/** The same requests through the two commands, each a separate process that ends with its report. */
async function commandRow(origin: string): Promise<Measured> {
  const row = { goal: 'P5', name: `${REQUESTS} requests one by one, the command to httpyac's` };
  const peers = await peerFolder();
  if (peers === undefined) return { ...row, absent: 'no peer', note: 'httpyac could not be installed' };
  const folder = mkdtempSync(path.join(os.tmpdir(), 'solana-rpc-bench-'));
  try {
    const [own, theirs] = [path.join(folder, 'run.jsonrpc'), path.join(folder, 'run.http')];
    writeFileSync(own, plainFile(REQUESTS));
    const head = `POST ${origin}/sol\nContent-Type: application/json\nAuthorization: Bearer ${KEY}\n\n`;
    const block = (_: unknown, index: number): string => `### Request ${index}\n${head}${BODY}\n\n?? status == 200\n`;
    writeFileSync(theirs, Array.from({ length: REQUESTS }, block).join('\n'));
    const cli = path.join(root, 'dist', 'cli.js');
    const yac = path.join(peers, 'node_modules', 'httpyac', 'bin', 'httpyac.js');
    const [ours = [], yacs = []] = await interleaved(COMMAND_ROUNDS, [
      () => timed(() => command(folder, [cli, 'run', own, '--rpc-url', `${origin}/sol`])),
      () => timed(() => command(folder, [yac, 'send', theirs, '--all', '--silent', '--output', 'none'])),
    ]);
    const note = `${median(ours).toFixed(0)} ms to ${median(yacs).toFixed(0)} ms, whole processes`;
    return { ...row, figure: ratioOf(ours, yacs), note };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Runs a command in a folder that holds no configuration for it. */
async function command(cwd: string, args: readonly string[]): Promise<void> {
  const env = { ...process.env, SOLANA_RPC_KEY: KEY };
  const child = spawn(process.execPath, [...args], { stdio: 'ignore', env, cwd });
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}.`);
}
