// Receives one large response in one way, in a separate process, and prints the cost as JSON: `node child.mjs WAY
// URL [FOLDER OF THE PEERS]`. The parent compares.
import { createRequire } from 'node:module';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Secret } from '../../core/service/keys/secret';
import { StoredResponse } from '../../core/service/response/stored';
import type { PreparedRequest } from '../../core/requests/run/model';
import type { GrowingBody } from '../../net/api';
import { settle } from '../../net/target/target';
import type * as transports from '../../net/transports';

/** Times in milliseconds, sizes in bytes. */
export interface Taken {
  readonly wholeMs: number;
  /** Growth of the resident memory at its highest. */
  readonly memory: number;
  readonly accounts: number;
  /** Until 100 items could be shown. */
  readonly firstPageMs?: number;
  /** The longest time for which nothing else could run. */
  readonly blockMs?: number;
  /** The slowest of pages all over the response, each at its best of three. */
  readonly pageMs?: number;
}

const OWNER = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';
const BODY = `{"jsonrpc":"2.0","id":1,"method":"getProgramAccounts","params":["${OWNER}",{"encoding":"base64"}]}`;
const PAGE = 100;
const PLACES = 20;

const WAYS: Readonly<Record<string, (url: string, peers: string) => Promise<Omit<Taken, 'memory'>>>> = {
  own,
  fetch: async (url) => {
    const since = performance.now();
    const response = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: BODY });
    const { result } = (await response.json()) as { readonly result: readonly unknown[] };
    return { wholeMs: performance.now() - since, accounts: result.length };
  },
  web3: async (url, peers) => {
    const { Connection, PublicKey } = createRequire(path.join(peers, 'x.js'))('@solana/web3.js') as Web3;
    const since = performance.now();
    const accounts = await new Connection(url).getProgramAccounts(new PublicKey(OWNER));
    return { wholeMs: performance.now() - since, accounts: accounts.length };
  },
  kit: async (url, peers) => {
    const { createSolanaRpc, address } = createRequire(path.join(peers, 'x.js'))('@solana/kit') as Kit;
    const since = performance.now();
    const accounts = await createSolanaRpc(url).getProgramAccounts(address(OWNER), { encoding: 'base64' }).send();
    return { wholeMs: performance.now() - since, accounts: accounts.length };
  },
};

interface Web3 {
  readonly Connection: new (url: string) => { getProgramAccounts(program: unknown): Promise<readonly unknown[]> };
  readonly PublicKey: new (text: string) => unknown;
}

interface Kit {
  readonly createSolanaRpc: (url: string) => {
    getProgramAccounts(program: unknown, config: object): { send(): Promise<readonly unknown[]> };
  };
  readonly address: (text: string) => unknown;
}

/** As the editor's server receives it: into a file, with its index. */
async function own(url: string): Promise<Omit<Taken, 'memory'>> {
  const request: PreparedRequest = {
    transport: 'POST',
    method: 'getProgramAccounts',
    body: BODY,
    ids: ['1'],
    isBatch: false,
    headers: [],
    timeoutMs: 600_000,
  };
  const { createNet } = createRequire(import.meta.url)('../../dist/net.js') as typeof transports;
  const lease = { secret: new Secret('bench-key-of-a-common-length-0123456789'), label: 'bench' };
  const net = createNet({ keys: { key: () => Promise.resolve({ kind: 'lease', lease }) } });
  const target = settle({ profile: { name: 'bench', rpcUrl: url }, source: 'user' }, request);
  if (!target.ok) throw new Error(target.error.message);
  const folder = mkdtempSync(path.join(os.tmpdir(), 'solana-rpc-bench-'));
  const delays = monitorEventLoopDelay({ resolution: 5 });
  try {
    delays.enable();
    const since = performance.now();
    let first: Promise<number> | undefined;
    const onGrow = ({ file, root }: GrowingBody): void => {
      first = new StoredResponse(file, root).page(0, PAGE).then((page) => {
        if (page?.items.length !== PAGE) throw new Error('The first page is not there.');
        return performance.now() - since;
      });
    };
    const { signal } = new AbortController();
    const answer = await net.call(target.value, request, {
      signal,
      onGrow,
      spillFile: () => path.join(folder, 'body'),
    });
    const wholeMs = performance.now() - since;
    const firstPageMs = await first;
    delays.disable();
    if (
      !answer.ok ||
      answer.value.error !== undefined ||
      answer.value.body.kind !== 'file' ||
      firstPageMs === undefined
    )
      throw new Error('The response did not come into a file.');
    const { file, outline } = answer.value.body;
    const stored = new StoredResponse(file, () => outline);
    const total = (await stored.page(0, 1))?.total ?? 0;
    return {
      wholeMs,
      firstPageMs,
      blockMs: delays.max / 1e6,
      pageMs: await slowestPage(stored, total),
      accounts: total,
    };
  } finally {
    await net.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function slowestPage(stored: StoredResponse, total: number): Promise<number> {
  let slowest = 0;
  for (let place = 0; place < PLACES; place++) {
    const from = Math.floor(((total - PAGE) * place) / (PLACES - 1));
    let best = Infinity;
    for (let time = 0; time < 3; time++) {
      const since = performance.now();
      const page = await stored.page(from, PAGE);
      if (page?.items.length !== PAGE || page.items[0]?.index !== from)
        throw new Error(`The page at ${from} is wrong.`);
      best = Math.min(best, performance.now() - since);
    }
    slowest = Math.max(slowest, best);
  }
  return slowest;
}

const [way = '', url = '', peers = ''] = process.argv.slice(2);
const receive = WAYS[way];
if (receive === undefined) throw new Error(`No way is called ${way}.`);
const before = process.memoryUsage().rss;
receive(url, peers).then(
  (taken) => {
    const memory = process.resourceUsage().maxRSS * 1024 - before;
    process.stdout.write(JSON.stringify({ ...taken, memory } satisfies Taken), () => process.exit(0));
  },
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    process.exitCode = 1;
  },
);
