// Throws inputs at the built service in a separate process, over every transport at once, and checks that it stays
// alive, answers, has no internal error and keeps its memory bounded. The same seed gives the same inputs per lane.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import http from 'node:http';
import http2 from 'node:http2';
import net from 'node:net';
import path from 'node:path';
import { WebSocket } from 'ws';
import { readyLineOf, type ReadyLine, walletOf } from '../../support/process/localnet';
import { residentBytes } from '../../support/process/processes';
import { startForkSource, type ForkSource } from './forkSource';
import { Inputs, type Material } from './fuzz-inputs';
import { chance } from './fuzz-random';

/** The most memory that the service may have used, no matter what it was sent. Bytes. */
export const MAX_MEMORY = 300 * 1024 * 1024;

export interface FuzzReport {
  readonly inputs: number;
  readonly seconds: number;
  /** How many inputs went over each lane. */
  readonly lanes: Readonly<Record<string, number>>;
  /** How often each outcome came: HTTP status and JSON-RPC code, gRPC status, WebSocket answers and closes. */
  readonly outcomes: Readonly<Record<string, number>>;
  /** Bytes, the most that was seen. */
  readonly largestMemory: number;
  /** Problems found: internal failures of the service, missing answers. */
  readonly problems: readonly string[];
}

/** The share of each lane, in hundredths. Several workers of a lane share its part. */
const LANES = [
  { name: 'http', share: 52, workers: 6 },
  { name: 'transactions', share: 18, workers: 3 },
  { name: 'cheats', share: 4, workers: 1 },
  { name: 'websocket', share: 15, workers: 2 },
  { name: 'grpc', share: 10, workers: 2 },
  { name: 'raw', share: 1, workers: 1 },
] as const;
type Lane = (typeof LANES)[number]['name'];

/** The largest plan allows 2,000 requests a second and key; a refused input would test nothing. */
const KEYS = 40;
/** Frames between two questions whether the connection still answers, and questions to one connection. */
const FRAMES = 20;
const PROBES = 25;
const CHECK_EVERY = 500;
const ANSWER_WITHIN_MS = 60_000;
const SOURCE_ACCOUNTS = 1_000;
const EXPECTED = new Set([200, 204, 400, 401, 403, 404, 405, 408, 413, 415, 429, 431]);
const dist = path.join(import.meta.dirname, '..', '..', '..', 'dist', 'localnet.js');

interface FuzzOptions {
  readonly seed: number;
  readonly inputs: number;
  /** The service is a fork: it asks another one for what it has never seen. */
  readonly isFork?: boolean;
}

export async function fuzz(options: FuzzOptions): Promise<FuzzReport> {
  const source = options.isFork === true ? await startForkSource(SOURCE_ACCOUNTS) : undefined;
  try {
    return await fuzzOne(options, source);
  } finally {
    await source?.stop();
  }
}

async function fuzzOne(options: FuzzOptions, source: ForkSource | undefined): Promise<FuzzReport> {
  const args = ['--json', '--with-parent', '--plan', 'Shared Metal'];
  const child = source?.fork(args) ?? spawn(process.execPath, [dist, ...args], { stdio: ['pipe', 'pipe', 'pipe'] });
  const kill = (): boolean => child.kill('SIGKILL');
  process.once('exit', kill);
  try {
    const ready = JSON.parse(await readyLineOf(child)) as ReadyLine;
    const run = new Run(ready, options.seed);
    child.stderr?.on('data', (chunk: Buffer) => run.problem(`stderr: ${chunk.toString().slice(0, 1_000)}`));
    const died = once(child, 'exit').then(([code, signal]) => {
      throw new Error(`The service died of ${String(signal ?? code)}; last sent: ${run.lastSent()}`);
    });
    died.catch(() => undefined);
    return await Promise.race([run.all(options.inputs), died]);
  } finally {
    process.off('exit', kill);
    kill();
  }
}

class Run {
  readonly #outcomes = new Map<string, number>();
  readonly #problems: string[] = [];
  readonly #last = new Map<string, string>();
  readonly #material: Material;
  readonly #agent = new http.Agent({ keepAlive: true, maxSockets: 32 });
  readonly #keys: string[] = [];
  #largest = 0;
  #sent = 0;

  constructor(
    private readonly ready: ReadyLine,
    private readonly seed: number,
  ) {
    this.#material = { wallet: walletOf(ready), blockhash: '' };
  }

  problem(text: string): void {
    if (this.#problems.length < 20) this.#problems.push(text);
  }

  /** The last input of each worker: what may have killed the service is among them. */
  lastSent(): string {
    return JSON.stringify([...this.#last], undefined, 1);
  }

  async all(inputs: number): Promise<FuzzReport> {
    const since = performance.now();
    for (let left = KEYS; left > 0; left--) {
      const made = await this.#post(
        '/local/keys',
        Buffer.from('{"type":"rpc","plan":"Shared Metal"}'),
        this.ready.adminToken,
      );
      this.#keys.push((JSON.parse(made.text) as { readonly key: string }).key);
    }
    await this.#check();
    const lanes: Record<string, number> = {};
    let worker = 0;
    const work = LANES.flatMap(({ name, share, workers }) => {
      const each = Math.ceil((inputs * share) / 100 / workers);
      lanes[name] = each * workers;
      return Array.from({ length: workers }, () => {
        worker++;
        return this.#lane(
          name,
          `${name} ${worker}`,
          new Inputs(chance(this.seed * 1_000 + worker), this.#material),
          each,
        );
      });
    });
    await Promise.all(work);
    await this.#check();
    this.#agent.destroy();
    return {
      inputs: this.#sent,
      seconds: Math.round((performance.now() - since) / 1000),
      lanes,
      outcomes: Object.fromEntries([...this.#outcomes].sort(([, a], [, b]) => b - a)),
      largestMemory: this.#largest,
      problems: this.#problems,
    };
  }

  async #lane(name: Lane, worker: string, inputs: Inputs, count: number): Promise<void> {
    switch (name) {
      case 'http':
        return this.#each(
          worker,
          count,
          () => inputs.body(),
          (body) => this.#call(body),
        );
      case 'transactions':
        return this.#each(
          worker,
          count,
          () => inputs.transaction(),
          (body) => this.#call(body),
        );
      case 'cheats':
        return this.#each(
          worker,
          count,
          () => inputs.cheat(),
          (body) => this.#cheat(body),
        );
      case 'raw':
        return this.#each(
          worker,
          count,
          () => inputs.rawHttp(this.#port()),
          (bytes) => this.#raw(bytes),
        );
      case 'grpc':
        return this.#grpc(worker, inputs, count);
      case 'websocket':
        return this.#webSocket(worker, inputs, count);
    }
  }

  async #each(
    worker: string,
    count: number,
    make: () => Buffer,
    send: (input: Buffer) => Promise<void>,
  ): Promise<void> {
    for (let left = count; left > 0; left--) {
      const input = make();
      await this.#noting(worker, input);
      await send(input);
    }
  }

  /** Notes an input before it is sent; now and then asks whether all is well. */
  async #noting(worker: string, input: Buffer): Promise<void> {
    this.#last.set(worker, input.toString('latin1', 0, 4_000));
    if (++this.#sent % CHECK_EVERY === 0) await this.#check();
  }

  #count(outcome: string): void {
    this.#outcomes.set(outcome, (this.#outcomes.get(outcome) ?? 0) + 1);
  }

  #port(): number {
    return Number(new URL(this.ready.rpcUrl).port);
  }

  /** A good call is answered over HTTP; memory and the blockhash for new transactions are looked at. */
  async #check(): Promise<void> {
    this.#largest = Math.max(this.#largest, residentBytes(this.ready.pid) ?? 0);
    const body = '{"jsonrpc":"2.0","id":1,"method":"getLatestBlockhash","params":[{"commitment":"processed"}]}';
    const { text } = await this.#post('/sol', Buffer.from(body), this.ready.keys.rpc.key);
    const blockhash = /"blockhash":"(\w+)"/.exec(text)?.[1];
    if (blockhash === undefined) this.problem(`A good call was answered: ${text.slice(0, 300)}`);
    else this.#material.blockhash = blockhash;
  }

  async #call(body: Buffer): Promise<void> {
    const { status, text } = await this.#post('/sol', body, this.#keys[this.#sent % KEYS] ?? '');
    this.#judge(status, text, body);
  }

  async #cheat(body: Buffer): Promise<void> {
    const { status, text } = await this.#post('/local/rpc', body, this.ready.adminToken);
    this.#judge(status, text, body);
  }

  #judge(status: number, text: string, body: Buffer): void {
    const code = /^\{"jsonrpc":"2\.0","error":\{"code":(-?\d+)/.exec(text)?.[1] ?? '';
    this.#count(`http ${status} ${code}`.trim());
    const wrong = !EXPECTED.has(status) || text.includes('Internal error') || (text !== '' && !isJson(text));
    if (wrong) this.problem(`${status} ${text.slice(0, 300)} to ${body.toString('latin1', 0, 1_000)}`);
  }

  #post(target: string, body: Buffer, key: string): Promise<{ readonly status: number; readonly text: string }> {
    return new Promise((resolve, reject) => {
      const headers = {
        'content-type': 'application/json',
        authorization: `Bearer ${key}`,
        'content-length': body.length,
      };
      const options = {
        host: '127.0.0.1',
        port: this.#port(),
        path: target,
        method: 'POST',
        agent: this.#agent,
        headers,
      };
      const request = http.request({ ...options, timeout: ANSWER_WITHIN_MS }, (response) => {
        const parts: Buffer[] = [];
        response.on('data', (part: Buffer) => parts.push(part)).on('error', reject);
        response.on('end', () => {
          resolve({ status: response.statusCode ?? 0, text: Buffer.concat(parts).toString('utf8') });
        });
      });
      request.on('timeout', () => request.destroy(new Error(`No answer: ${body.toString('latin1', 0, 1_000)}`)));
      request.on('error', reject).end(body);
    });
  }

  /** Sends raw bytes: the service must answer or close, no matter what they are. */
  async #raw(bytes: Buffer): Promise<void> {
    const socket = net.connect(this.#port(), '127.0.0.1');
    socket.on('error', () => undefined).resume();
    socket.end(bytes);
    await once(socket, 'close');
    this.#count('raw closed');
  }

  async #webSocket(worker: string, inputs: Inputs, count: number): Promise<void> {
    for (let left = count; left > 0;) {
      const socket = new WebSocket(`${this.ready.wsUrl}?api_key=${this.#keys[left % KEYS]}`, {
        perMessageDeflate: false,
      });
      await once(socket, 'open');
      let [answered, closed] = [(): void => undefined, false];
      socket.on('close', (code: number) => {
        this.#count(`websocket closed ${code}`);
        closed = true;
        answered();
      });
      socket.on('error', () => undefined);
      socket.on('message', (data: Buffer) => {
        const text = data.toString('utf8');
        if (!isJson(text) || text.includes('Internal error')) this.problem(`WebSocket: ${text.slice(0, 300)}`);
        if (text.endsWith('"id":"probe"}')) answered();
      });
      for (let probe = 0; probe < PROBES && left > 0 && !closed; probe++) {
        const answer = new Promise<void>((resolve) => (answered = resolve));
        for (let frame = 0; frame < FRAMES && left > 0; frame++, left--) {
          const { data, binary } = inputs.frame();
          await this.#noting(worker, data);
          socket.send(data, { binary });
        }
        socket.send('{"jsonrpc":"2.0","id":"probe","method":"slotUnsubscribe","params":[0]}');
        await answer;
        this.#count('websocket answers');
      }
      socket.terminate();
    }
  }

  async #grpc(worker: string, inputs: Inputs, count: number): Promise<void> {
    const connect = (): http2.ClientHttp2Session => {
      const session = http2.connect(this.ready.grpcUrl);
      // HTTP/2 ends a connection on which many streams were reset; what was sent then is lost, not more.
      session.on('error', () => undefined).on('goaway', (code) => this.#count(`grpc goaway ${code}`));
      return session;
    };
    let session = connect();
    for (let left = count; left > 0; left--) {
      const { path: target, bytes, ends } = inputs.grpc();
      await this.#noting(worker, bytes);
      if (session.closed || session.destroyed) session = connect();
      await this.#grpcCall(session, encodeURI(target), bytes, ends);
    }
    session.destroy();
  }

  async #grpcCall(session: http2.ClientHttp2Session, target: string, bytes: Buffer, ends: boolean): Promise<void> {
    const stream = session.request({
      ':method': 'POST',
      ':path': target,
      'content-type': 'application/grpc',
      te: 'trailers',
      authorization: `Bearer ${this.ready.keys.grpc.key}`,
    });
    const heard = (trailers: http2.IncomingHttpHeaders): void => {
      const status = trailers['grpc-status'];
      if (status === undefined) return;
      this.#count(`grpc ${String(status)}`);
      const message = String(trailers['grpc-message']);
      if (status === '2' || (status === '13' && !/decompress/.test(message)))
        this.problem(`gRPC ${target} ended ${String(status)} ${message}: ${bytes.toString('hex')}`);
    };
    const over = new Promise<void>((resolve) => stream.once('close', resolve));
    stream
      .on('response', heard)
      .on('trailers', heard)
      .on('error', () => undefined);
    stream.resume().write(bytes);
    if (ends) stream.end();
    // Every call ends but a stream that is accepted: for that the answer to a ping is waited for, which comes after the
    // service has read what was sent before.
    if (ends && !/\/Subscribe(?:Gossip)?$/.test(target)) await over;
    for (let turn = 0; turn < 4 && !stream.destroyed; turn++) await Promise.race([pinged(session), over]);
    if (!stream.closed) stream.close();
  }
}

function pinged(session: http2.ClientHttp2Session): Promise<void> {
  return new Promise((resolve) => {
    if (session.destroyed) resolve();
    else session.ping(() => resolve());
  });
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
