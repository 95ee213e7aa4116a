// P6: requests per second with 64 under way, to global fetch and to a client that only moves bytes. Measures the bundle
// that is shipped; the answering server is a separate process.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import net from 'node:net';
import { createRequire } from 'node:module';
import path from 'node:path';
import { Secret } from '../core/service/keys/secret';
import type { PreparedRequest } from '../core/requests/run/model';
import type { Net, SendTarget } from '../net/api';
import { settle } from '../net/target/target';
import type * as transports from '../net/transports';
import { interleaved, median, ratioOf, type Measured } from './measure';
import { root } from './root';

type Shipped = typeof transports;

const AT_ONCE = 64;
/** Many short rounds: what slows one of them down then weighs little. */
const REQUESTS = 800;
const ROUNDS = 21;
const BODY = '{"jsonrpc":"2.0","id":1,"method":"getBalance","params":["11111111111111111111111111111111"]}';
const KEY = 'bench-key-of-a-common-length-0123456789';

const REQUEST: PreparedRequest = {
  transport: 'POST',
  method: 'getBalance',
  body: BODY,
  ids: ['1'],
  isBatch: false,
  headers: [],
  timeoutMs: 30_000,
};

/** The transports as server and CLI load them. */
const shipped = createRequire(import.meta.url)('../dist/net.js') as Shipped;

/** Runs `REQUESTS` calls, `AT_ONCE` at a time, and gives the calls per second. */
async function perSecond(lane: (index: number) => Promise<unknown>): Promise<number> {
  let left = REQUESTS;
  const since = performance.now();
  const worker = async (index: number): Promise<void> => {
    while (left-- > 0) await lane(index);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, (_, index) => worker(index)));
  return REQUESTS / ((performance.now() - since) / 1000);
}

export async function measureHttp(): Promise<readonly Measured[]> {
  const child = spawn(process.execPath, [path.join(root, 'bench', 'responder.mjs')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  try {
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    return await against(Number(line.toString()));
  } finally {
    child.kill();
  }
}

async function against(port: number): Promise<readonly Measured[]> {
  const url = `http://127.0.0.1:${port}/sol`;
  const lease = { secret: new Secret(KEY), label: 'bench' };
  const own = shipped.createNet({ keys: { key: () => Promise.resolve({ kind: 'lease', lease }) } });
  const settled = settle({ profile: { name: 'bench', rpcUrl: url }, source: 'user' }, REQUEST);
  if (!settled.ok) throw new Error(settled.error.message);
  const sockets = await Promise.all(Array.from({ length: AT_ONCE }, () => rawClient(port)));
  try {
    const [ours = [], fetched = [], raw = []] = await interleaved(ROUNDS, [
      () => perSecond(() => callOurs(own, settled.value)),
      () => perSecond(() => callFetch(url)),
      () => perSecond((index) => sockets[index]?.call() ?? Promise.reject(new Error('No socket.'))),
    ]);
    const figures = [ours, fetched, raw].map((each) => median(each).toFixed(0));
    const note = `${figures.join(', ')} per second: ours, fetch, raw`;
    return [
      {
        goal: 'P6',
        name: 'requests per second, 64 at once, to fetch',
        figure: ratioOf(ours, fetched),
        bound: { atLeast: 5 },
        note,
      },
      {
        goal: 'P6',
        name: 'requests per second, 64 at once, to a raw socket client',
        figure: ratioOf(ours, raw),
        bound: { atLeast: 0.5 },
        note,
      },
    ];
  } finally {
    for (const socket of sockets) socket.close();
    await own.close();
  }
}

async function callOurs(own: Net, target: SendTarget): Promise<void> {
  const result = await own.call(target, REQUEST, { signal: NEVER });
  if (!result.ok || result.value.error !== undefined) throw new Error('The call failed.');
}

const NEVER = new AbortController().signal;

async function callFetch(url: string): Promise<void> {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${KEY}` };
  const response = await fetch(url, { method: 'POST', headers, body: BODY });
  await response.text();
}

/** Writes one fixed request and waits for the length of its answer: the least a client can do. */
async function rawClient(port: number): Promise<{ call(): Promise<void>; close(): void }> {
  const socket = net.connect(port, '127.0.0.1').setNoDelay(true);
  await once(socket, 'connect');
  const head = `POST /sol HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\ncontent-type: application/json\r\n`;
  const request = Buffer.from(`${head}authorization: Bearer ${KEY}\r\ncontent-length: ${BODY.length}\r\n\r\n${BODY}`);
  let got = '';
  let done = (): void => undefined;
  let fail = (error: Error): void => void error;
  socket.on('close', () => fail(new Error('The connection was closed.')));
  socket.on('data', (chunk: Buffer) => {
    got += chunk.toString('latin1');
    const end = got.indexOf('\r\n\r\n');
    const length = Number(/content-length: (\d+)/i.exec(got)?.[1]);
    if (end === -1 || got.length < end + 4 + length) return;
    got = '';
    done();
  });
  return {
    call: () =>
      new Promise((resolve, reject) => {
        done = resolve;
        fail = reject;
        socket.write(request);
      }),
    close: () => socket.destroy(),
  };
}
