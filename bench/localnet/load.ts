// The load generator of the local service's goals, a separate process: reads jobs as lines of JSON on stdin, answers each
// with one line of figures on stdout, ends with its stdin.
import { createInterface } from 'node:readline';
import { decodeBase58 } from '../../core/solana/encoding/base58';
import { keypairFromSeed } from '../../localnet/ledger/wallets/keys';
import { plainClient, prepared, type PlainClient } from './plainHttp';
import { transferBytes } from './transfer';

/** Whom to load. `keys` take turns: one key's plan does not allow what the service can do. */
export interface Setup {
  readonly port: number;
  readonly keys: readonly string[];
  /** The funded wallet, 64 bytes as base58. */
  readonly secretKey: string;
  /** HTTP connections, each with one request at a time. */
  readonly connections: number;
}

export type Job =
  | { readonly kind: 'balances'; readonly count: number }
  /** Preflight included, as clients send by default. */
  | { readonly kind: 'transfers'; readonly count: number }
  /** One connection asks for a balance again and again until `stop`. */
  | { readonly kind: 'watch' }
  | { readonly kind: 'stop' };

/** Milliseconds; what a call waited for its answer. */
export interface Figures {
  readonly count: number;
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  readonly longest: number;
}

/** Addresses that are asked for and paid. */
const ADDRESSES = Array.from({ length: 64 }, (_, at) => keypairFromSeed(new Uint8Array(32).fill(at + 1)).address);
/** Between two questions of a watch: the service is asked all the time, not loaded. */
const WATCH_PAUSE_MS = 2;

const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const nextLine = async (): Promise<string | undefined> => {
  const line = await lines.next();
  return line.done === true ? undefined : line.value;
};

function figuresOf(waits: number[], seconds: number): Figures {
  waits.sort((a, b) => a - b);
  const at = (part: number): number => waits[Math.min(waits.length - 1, Math.floor(waits.length * part))] ?? NaN;
  return { count: waits.length, perSecond: waits.length / seconds, p50: at(0.5), p99: at(0.99), longest: at(1) };
}

/** Works with connections made for it: the service closes those that are idle for long. */
async function connected<T>(
  { port, connections }: Setup,
  work: (clients: readonly PlainClient[]) => Promise<T>,
): Promise<T> {
  const clients = await Promise.all(Array.from({ length: connections }, () => plainClient(port)));
  try {
    return await work(clients);
  } finally {
    for (const client of clients) client.close();
  }
}

/** Sends every request, all connections at once, each as fast as it gets answers. */
async function fire(clients: readonly PlainClient[], requests: readonly Buffer[]): Promise<Figures> {
  const waits: number[] = [];
  let next = 0;
  const since = performance.now();
  const work = async (client: PlainClient): Promise<void> => {
    for (let request = requests[next++]; request !== undefined; request = requests[next++]) {
      const asked = performance.now();
      const body = await client.call(request);
      waits.push(performance.now() - asked);
      if (!body.includes('"result":')) throw new Error(`An answer is an error: ${body.slice(0, 300)}`);
    }
  };
  await Promise.all(clients.map(work));
  return figuresOf(waits, (performance.now() - since) / 1000);
}

async function run(setup: Setup): Promise<void> {
  const wallet = keypairFromSeed((decodeBase58(setup.secretKey) ?? new Uint8Array()).subarray(0, 32));
  let asked = 0;
  const request = (method: string, params: unknown): Buffer => {
    const key = setup.keys[asked++ % setup.keys.length] ?? '';
    return prepared(setup.port, '/sol', key, JSON.stringify({ jsonrpc: '2.0', id: asked, method, params }));
  };
  const balance = (): Buffer => request('getBalance', [ADDRESSES[asked % ADDRESSES.length]]);
  let sent = 0;
  const transfers = async (client: PlainClient | undefined, count: number): Promise<Buffer[]> => {
    const text = (await client?.call(request('getLatestBlockhash', [{ commitment: 'confirmed' }]))) ?? '';
    const blockhash = /"blockhash":"(\w+)"/.exec(text)?.[1] ?? '';
    return Array.from({ length: count }, () => {
      const to = ADDRESSES[++sent % ADDRESSES.length] ?? '';
      // Amounts differ, or two transfers of one block would be the same transaction.
      const wire = transferBytes(wallet, to, 1_000_000 + sent, blockhash);
      const config = { encoding: 'base64', preflightCommitment: 'confirmed' };
      return request('sendTransaction', [wire.toString('base64'), config]);
    });
  };
  const watch = async (client: PlainClient | undefined, stopped: Promise<unknown>): Promise<Figures> => {
    const waits: number[] = [];
    let over = false;
    void stopped.then(() => (over = true));
    const since = performance.now();
    while (!over) {
      const from = performance.now();
      await client?.call(balance());
      waits.push(performance.now() - from);
      await new Promise((resolve) => setTimeout(resolve, WATCH_PAUSE_MS));
    }
    return figuresOf(waits, (performance.now() - since) / 1000);
  };
  const does = async (job: Job): Promise<Figures | undefined> => {
    switch (job.kind) {
      case 'balances':
        return connected(setup, (clients) => fire(clients, Array.from({ length: job.count }, balance)));
      case 'transfers':
        return connected(setup, async (clients) => fire(clients, await transfers(clients[0], job.count)));
      case 'watch':
        return connected({ ...setup, connections: 1 }, ([client]) => watch(client, nextLine()));
      case 'stop':
        return undefined;
    }
  };
  process.stdout.write('{}\n');
  for (let line = await nextLine(); line !== undefined; line = await nextLine()) {
    const figures = await does(JSON.parse(line) as Job);
    process.stdout.write(`${JSON.stringify(figures ?? {})}\n`);
  }
}

void nextLine()
  .then((line) => run(JSON.parse(line ?? '') as Setup))
  .then(
    () => process.exit(0),
    (error: unknown) => {
      process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
      process.exit(1);
    },
  );
