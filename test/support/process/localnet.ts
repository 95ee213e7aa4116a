// The local service for tests: one process per test file, started on free ports, funded and keyed.
//
//   const local = testLedger(['--plan', 'Pro']);
//   const { status, json } = await local.rpc('getBalance', [local.ready.wallet.address]);
//   const { keyId, key } = await local.newKey({ type: 'rpc', plan: 'Free' });
//   await local.admin('PUT', '/faults', { faults: [{ scope: 'http', kind: 'drop', times: 1 }] });
//   await local.slots(40);
//
// Real time makes no slot of its ledger: see TestClock.
//
// The process ends with the test process, however that ends. Requests go out by node:http: no retries, no redirects.
import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import http from 'node:http';
import path from 'node:path';
import type { TestContext } from 'node:test';
import { createInterface } from 'node:readline';
import { decodeBase58 } from '../../../core/solana/encoding/base58';
import { isJsonArray, member, parseJson, type JsonValue } from '../../../core/solana/json/json';
import { keypairFromSeed, type Keypair } from '../../../localnet/ledger/wallets/keys';
import { shared } from '../shared';
import { waiting } from '../waiting';
import './interrupt';

const root = path.join(__dirname, '..', '..', '..');

/**
 * Node's arguments for the service. `npm test` has just built it, and that starts in a third of the time; a test file that
 * runs alone takes the source, which is never out of date.
 */
export const PROGRAM: readonly string[] =
  process.env['WORKBENCH_TEST_BUILT'] === '1'
    ? [path.join('dist', 'localnet.js')]
    : ['--import', 'tsx', path.join('localnet', 'main.ts')];

/** The line the service prints when it is ready. */
export interface ReadyLine {
  readonly pid: number;
  readonly rpcUrl: string;
  readonly wsUrl: string;
  readonly grpcUrl: string;
  readonly restUrl: string;
  readonly dashboardUrl: string;
  readonly adminUrl: string;
  readonly adminToken: string;
  readonly keys: Readonly<Record<KeyType, IssuedKey>>;
  readonly wallet: { readonly address: string; readonly secretKey: string };
  readonly slotMs: number;
  readonly version: string;
}

/** Signs for the funded wallet. */
export const walletOf = ({ wallet }: Pick<ReadyLine, 'wallet'>): Keypair =>
  keypairFromSeed((decodeBase58(wallet.secretKey) ?? new Uint8Array()).subarray(0, 32));

export type KeyType = 'rpc' | 'grpc' | 'swqos';

export interface IssuedKey {
  readonly keyId: string;
  readonly key: string;
}

/** An HTTP answer, read whole. */
export interface HttpAnswer {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly text: string;
  /** The body with exact numbers. Throws if the body is not JSON. */
  readonly json: JsonValue;
}

export interface HttpCall {
  readonly method?: string;
  readonly headers?: http.OutgoingHttpHeaders;
  readonly body?: string | Buffer;
}

/** Calls to a service over HTTP. */
export interface ServiceCalls {
  /** One JSON-RPC call with the first RPC key as Bearer, or with `key`. */
  rpc(method: string, params?: unknown, key?: string): Promise<HttpAnswer>;
  /** POST /sol with any body. Without headers: the first RPC key as Bearer. */
  post(body: string | Buffer, headers?: http.OutgoingHttpHeaders, query?: string): Promise<HttpAnswer>;
  /** GET on the REST base, with the first RPC key as Bearer, or with `key`. */
  rest(pathAndQuery: string, key?: string): Promise<HttpAnswer>;
  /** A call to /local with the admin token: `admin('GET', '/keys')`. */
  admin(method: string, pathAfterLocal: string, body?: unknown): Promise<HttpAnswer>;
  /** A cheat code of /local/rpc; throws where it answers an error. */
  cheat(name: string, params?: unknown): Promise<void>;
  newKey(wanted: { readonly type: KeyType; readonly plan?: string; readonly label?: string }): Promise<IssuedKey>;
}

export interface Localnet extends ServiceCalls {
  readonly ready: ReadyLine;
  readonly process: ChildProcess;
  /** Ends this many slots, one after the other; resolves when they have ended, with any clock. */
  slots(count: number): Promise<void>;
  /**
   * Ends slots, one after the other, until this has settled; what it gives. For what waits for slots from a point that cannot
   * be seen from outside: a stream over gRPC, which is open before its filters are read, or one of another process. Not for
   * transactions: 150 slots, which a blockhash lives for, are over in less than a second.
   */
  slotsUntil<T>(work: Promise<T>): Promise<T>;
  /** Ends the service and waits for its end. */
  stop(): Promise<void>;
}

/**
 * The trigger that ends slots of a test's ledger.
 *
 * - `transactions`: a slot ends with each transaction and each airdrop, so that it is confirmed when its signature is
 *   answered, and final for the first call or subscription that asks for finality. `slots` ends more. What most tests want.
 * - `slots`: that call alone. For tests of what a slot holds before it ends, or of several transactions in one.
 * - `running`: real time, a slot every `--slot-ms`, and `slots` ends more. For tests of the pace itself: traffic that flows,
 *   slot times, clients that measure time. A slow machine makes such slots late, and a blockhash lives for 150 of them: the
 *   fewer slots in a second, the better.
 *
 * With the first two a blockhash never expires by itself, and a stream is silent until something is sent or `slots` is called:
 * subscribe, await that it is confirmed, then make the slots.
 */
export type TestClock = 'transactions' | 'slots' | 'running';

/** The options of the service with which that is so. */
const CLOCKS: Readonly<Record<TestClock, readonly string[]>> = {
  transactions: ['--paused', '--instant'],
  slots: ['--paused'],
  running: [],
};

export interface HowItStarts {
  readonly clock?: TestClock;
  /** Starts its process, which may be a program that starts the service. */
  readonly start?: (args: readonly string[]) => ChildProcess;
}

/** The service of a test file or `describe`: starts before its tests and stops after them. */
export const testLedger = (args: readonly string[] = [], how: HowItStarts = {}): Localnet =>
  shared(
    () => startTestLedger(args, how),
    (local) => local.stop(),
  );

/** Starts the service with these options, as well as `--json`. Rejects with its stderr when it does not get ready. */
export async function startTestLedger(
  args: readonly string[] = [],
  { clock = 'transactions', start = spawnLocalnet }: HowItStarts = {},
): Promise<Localnet> {
  const child = start(['--json', '--with-parent', ...CLOCKS[clock], ...args]);
  const ready = JSON.parse(await readyLineOf(child)) as ReadyLine;
  const calls = callsOf(ready);
  const slots: Localnet['slots'] = (count) => calls.cheat('nextSlot', { count });
  return {
    ...calls,
    ready,
    process: child,
    slots,
    slotsUntil: async (work) => {
      const isOver = settling(work);
      while (!isOver()) await slots(1);
      return work;
    },
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exit = once(child, 'exit');
      child.kill('SIGTERM');
      await exit;
    },
  };
}

/** The calls of a service that runs, in this process or another one. */
export function callsOf(
  ready: Pick<ReadyLine, 'rpcUrl' | 'restUrl' | 'adminUrl' | 'adminToken' | 'keys'>,
): ServiceCalls {
  const bearer = (key: string): http.OutgoingHttpHeaders => ({ authorization: `Bearer ${key}` });
  const json = { 'content-type': 'application/json' };
  const post: ServiceCalls['post'] = (body, headers = bearer(ready.keys.rpc.key), query = '') =>
    request(ready.rpcUrl + query, { method: 'POST', body, headers: { ...json, ...headers } });
  const admin: ServiceCalls['admin'] = (method, after, body) =>
    request(ready.adminUrl + after, {
      method,
      headers: { ...bearer(ready.adminToken), ...(body === undefined ? {} : json) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  return {
    post,
    admin,
    cheat: async (name, params) => {
      const answer = await admin('POST', '/rpc', { jsonrpc: '2.0', id: 1, method: name, params });
      if (answer.status !== 200 || answer.text.includes('"error"')) throw new Error(`${name}: ${answer.text}`);
    },
    rpc: (method, params, key = ready.keys.rpc.key) =>
      post(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }), bearer(key)),
    rest: (after, key = ready.keys.rpc.key) => request(ready.restUrl + after, { headers: bearer(key) }),
    newKey: async (wanted) => {
      const answer = await admin('POST', '/keys', wanted);
      if (answer.status !== 201) throw new Error(`A key could not be made: ${answer.text}`);
      return JSON.parse(answer.text) as IssuedKey;
    },
  };
}

/** Sets the faults of the service for the rest of a test. */
export async function setFaults(t: TestContext, local: Localnet, ...faults: readonly object[]): Promise<void> {
  await local.admin('PUT', '/faults', { faults });
  t.after(() => local.admin('PUT', '/faults', { faults: [] }));
}

/**
 * Calls of sendTransaction that the service was asked, refused ones too: of all keys, or of one. The service counts a call
 * before it answers it, where a balance or a list of signatures waits for a slot: this count shows that nothing was sent.
 */
export async function sendsOf(local: Pick<Localnet, 'admin'>, keyId?: string): Promise<number> {
  const { text } = await local.admin('GET', keyId === undefined ? '/usage' : `/keys/${keyId}/usage`);
  const { methods } = JSON.parse(text) as { readonly methods: readonly { readonly method: string; count: number }[] };
  return methods.find(({ method }) => method === 'sendTransaction')?.count ?? 0;
}

/** Whether this has settled, when asked. */
function settling(work: Promise<unknown>): () => boolean {
  let isOver = false;
  const over = (): void => void (isOver = true);
  work.then(over, over);
  return () => isOver;
}

/**
 * Does what sends a transaction and waits for its finality, and finalizes it once the service was asked to send it. For what
 * asks how far it is, again and again: that asks for no finality by itself.
 */
export async function finalizing<T>(local: Localnet, work: () => Promise<T>): Promise<T> {
  const before = await sendsOf(local);
  const working = work();
  const isOver = settling(working);
  while (!isOver() && (await sendsOf(local)) === before);
  if (!isOver()) await local.cheat('finalize');
  return working;
}

/**
 * As `sendsOf`. Throws where the ledger does not know that many transactions of the funded wallet: each call is one, which
 * holds where a slot ends with each transaction.
 */
export async function paymentsOf(local: Pick<Localnet, 'admin' | 'rpc' | 'ready'>): Promise<number> {
  const calls = await sendsOf(local);
  const { json } = await local.rpc('getSignaturesForAddress', [
    local.ready.wallet.address,
    { commitment: 'confirmed' },
  ]);
  const known = member(json, 'result');
  assert.equal(isJsonArray(known) && known.length, calls, 'each call is one transaction on the ledger');
  return calls;
}

/** Starts the program with exactly these options; stdin is a pipe that stays open. */
export function spawnLocalnet(args: readonly string[], env: NodeJS.ProcessEnv = process.env): ChildProcess {
  const child = spawn(process.execPath, [...PROGRAM, ...args], {
    cwd: root,
    env,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const kill = (): boolean => child.kill('SIGKILL');
  process.once('exit', kill);
  child.once('exit', () => process.off('exit', kill));
  return child;
}

/** The first line of the child's stdout; rejects with its stderr when it ends before. */
export async function readyLineOf(child: ChildProcess): Promise<string> {
  if (child.stdout === null || child.stderr === null) throw new Error('The child has no pipes');
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  const lines = createInterface({ input: child.stdout });
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`The local service ended with ${code}: ${errors}`);
  });
  const [line] = (await waiting('the ready line', () => Promise.race([once(lines, 'line'), ended]))) as [string];
  // Only the race before the ready line is of interest.
  ended.catch(() => undefined);
  return line;
}

/** One HTTP request, its answer read whole; rejects when the connection breaks. */
export function request(url: string, call: HttpCall = {}): Promise<HttpAnswer> {
  return new Promise((resolve, reject) => {
    const outgoing = http.request(url, { method: call.method ?? 'GET', headers: call.headers ?? {} }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('error', reject);
      response.on('end', () => {
        const text = Buffer.concat(parts).toString('utf8');
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text,
          get json() {
            return parseJson(text);
          },
        });
      });
    });
    outgoing.on('error', reject);
    outgoing.end(call.body);
  });
}
