// A transaction that was sent is followed by a subscription to its signature where the endpoint has one. Time is stepped.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ServiceError } from '../../../core/service/errors';
import { failed, ok } from '../../../core/service/errors';
import { landingText } from '../../../core/requests/run/landing';
import type { Landing, PreparedRequest } from '../../../core/requests/run/model';
import { member, parseJson, type JsonValue } from '../../../core/solana/json/json';
import { chainAge, type ChainAge } from '../../../core/solana/chain/chain';
import { watchLanding, type Watched } from '../../../runner/landing';
import type { OpenStream, RunPorts } from '../../../runner/ports';
import { exchange } from '../../support/process/run';

const SIGNATURE = '5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW';
const REFUSED: ServiceError = { kind: 'rpc', code: -32601, message: 'Method not found' };
const notice = (slot: number, err = 'null'): JsonValue =>
  parseJson(`{"context":{"slot":${slot}},"value":{"err":${err}}}`);
const status = (slot: number, level: string): string =>
  `{"context":{"slot":${slot}},"value":[{"slot":7,"confirmations":0,"err":null,"confirmationStatus":"${level}"}]}`;
const UNSEEN = '{"context":{"slot":5},"value":[null]}';

const paramsOf = (request: PreparedRequest | undefined): JsonValue | undefined =>
  member(parseJson(request?.body ?? ''), 'params');

/** Lets everything happen that needs no time. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A watch whose clock, answers and subscriptions the test moves. */
class Stage {
  now = 0;
  status = UNSEEN;
  height = 100;
  finalizedSlot = 3;
  readonly asked: string[] = [];
  readonly requests: PreparedRequest[] = [];
  readonly subscribed: PreparedRequest[] = [];
  readonly slept: number[] = [];
  readonly shown: Landing[] = [];
  readonly closed: string[] = [];
  readonly #ending = new AbortController();
  #sleeps: { readonly until: number; readonly wake: () => void }[] = [];
  #push: ((message: JsonValue | undefined) => void)[] = [];
  watched: Promise<Watched>;

  constructor({
    opens = () => true,
    chain,
    request = {},
  }: {
    readonly opens?: () => boolean | Promise<boolean>;
    readonly chain?: ChainAge;
    readonly request?: Partial<PreparedRequest>;
  } = {}) {
    const ports = {
      clock: {
        now: () => this.now,
        unixSeconds: () => 0,
        sleep: (ms: number, signal: AbortSignal) =>
          new Promise<void>((resolve, reject) => {
            this.slept.push(ms);
            this.#sleeps.push({ until: this.now + ms, wake: resolve });
            signal.addEventListener('abort', () => reject(new Error('aborted')));
          }),
      },
      look: async (asked: PreparedRequest) => {
        this.asked.push(asked.method);
        this.requests.push(asked);
        const results: Readonly<Record<string, string>> = {
          getSignatureStatuses: this.status,
          getBlockHeight: String(this.height),
          getSlot: String(this.finalizedSlot),
        };
        return ok(exchange(`{"jsonrpc":"2.0","id":1,"result":${results[asked.method] ?? 'null'}}`));
      },
      stream: {
        openStream: async (asked: PreparedRequest, signal: AbortSignal) => {
          this.subscribed.push(asked);
          return (await opens()) ? ok(this.#stream(asked.body, signal)) : failed<OpenStream>(REFUSED);
        },
      },
      ...(chain !== undefined && { chain: () => chain }),
    };
    this.watched = watchLanding({
      signature: SIGNATURE,
      request: { timeoutMs: 1000, ...request },
      lastValidBlockHeight: undefined,
      ports: ports as unknown as RunPorts,
      signal: this.#ending.signal,
      onChange: (landing) => this.shown.push(landing),
    });
  }

  /** Time passes, and all that is due happens. */
  async after(ms: number): Promise<void> {
    this.now += ms;
    const due = this.#sleeps.filter(({ until }) => until <= this.now);
    this.#sleeps = this.#sleeps.filter(({ until }) => until > this.now);
    for (const { wake } of due) wake();
    await settled();
  }

  /** The newest subscription reports this; undefined: it ends. */
  async push(message: JsonValue | undefined): Promise<void> {
    this.#push.at(-1)?.(message);
    await settled();
  }

  cancel(): void {
    this.#ending.abort();
  }

  #stream(body: string, signal: AbortSignal): OpenStream {
    let next = (_message: JsonValue | undefined): void => undefined;
    const waiting: Promise<JsonValue | undefined>[] = [];
    const more = (): void => void waiting.push(new Promise((resolve) => (next = resolve)));
    more();
    this.#push.push((message) => {
      const give = next;
      more();
      give(message);
    });
    signal.addEventListener('abort', () => next(undefined));
    return {
      async *messages() {
        for (let nth = 0; ; nth++) {
          const message = await waiting[nth];
          if (message === undefined) return;
          yield message;
        }
      },
      dropped: 0,
      close: async () => void this.closed.push(body),
    };
  }
}

test('finality is the time of its notification; the slot is that of the transaction', async (t) => {
  const stage = new Stage();
  t.after(() => stage.cancel());
  await settled();
  assert.deepEqual(paramsOf(stage.subscribed[0]), [SIGNATURE, { commitment: 'finalized' }]);
  await stage.after(2000);
  stage.now += 137;
  stage.status = status(9, 'finalized');
  await stage.push(notice(8));
  const { landing } = await stage.watched;
  assert.deepEqual(landing, {
    signature: SIGNATURE,
    level: 'finalized',
    slot: '7',
    slots: 2,
    times: { processed: 2137, confirmed: 2137, finalized: 2137 },
    atMost: ['processed', 'confirmed'],
  });
  assert.equal(landingText(landing), 'finalized after 2137 ms, slot 7, 2 slots after the send');
  assert.equal(stage.closed.length, 1);
});

test('with a subscription it is asked once after it was opened, and from then on every ten slots', async (t) => {
  const stage = new Stage();
  t.after(() => stage.cancel());
  await settled();
  for (let nth = 0; nth < 20; nth++) await stage.after(200);
  const statuses = stage.asked.filter((method) => method === 'getSignatureStatuses').length;
  assert.deepEqual([statuses, stage.asked.length - statuses], [4, 3]);
});

test('a transaction that landed before the subscription was opened is found by the look after it', async (t) => {
  let open = (): void => undefined;
  const opening = new Promise<boolean>((resolve) => (open = () => resolve(true)));
  const stage = new Stage({ opens: () => opening });
  t.after(() => stage.cancel());
  await settled();
  stage.status = status(9, 'finalized');
  stage.now = 150;
  open();
  const { landing } = await stage.watched;
  assert.equal(landingText(landing), 'finalized after at most 150 ms, slot 7, 2 slots after the send');
});

test('a notification before any look after the subscription may be late, so its time is an upper bound', async (t) => {
  const stage = new Stage({ opens: async () => true });
  t.after(() => stage.cancel());
  stage.now = 90;
  for (let nth = 0; nth < 9 && stage.subscribed.length === 0; nth++) await Promise.resolve();
  const pushed = stage.push(notice(8));
  stage.status = status(9, 'finalized');
  await pushed;
  const { landing } = await stage.watched;
  assert.deepEqual(landing.atMost?.includes('finalized'), true);
});

for (const [what, opens] of [
  ['is refused', () => false],
  ['cannot be opened', () => Promise.reject(new Error('no WebSocket'))],
] as const)
  test(`where the subscription ${what} it is asked for once a slot`, async (t) => {
    const stage = new Stage({ opens });
    t.after(() => stage.cancel());
    await settled();
    await stage.after(200);
    stage.status = status(9, 'finalized');
    await stage.after(200);
    assert.deepEqual((await stage.watched).landing.times.finalized, 400);
    assert.deepEqual(stage.slept, [200, 200]);
  });

test('where the subscription ends before its notification it is asked for once a slot', async (t) => {
  const stage = new Stage();
  t.after(() => stage.cancel());
  await settled();
  await stage.push(undefined);
  stage.status = status(9, 'finalized');
  await stage.after(200);
  assert.equal((await stage.watched).landing.level, 'finalized');
});

test('a subscription that says nothing ends no watch', async (t) => {
  const stage = new Stage();
  t.after(() => stage.cancel());
  await settled();
  stage.status = status(9, 'finalized');
  await stage.after(2000);
  assert.deepEqual((await stage.watched).landing.atMost?.includes('finalized'), true);
});

test('on TowerBFT confirmed is a step with a notification to itself', async (t) => {
  const stage = new Stage({ chain: chainAge({ consensus: 'tower' }) });
  t.after(() => stage.cancel());
  await settled();
  await stage.after(100);
  stage.status = status(9, 'confirmed');
  await stage.push(notice(8));
  await stage.after(400);
  stage.now = 13_000;
  stage.status = status(40, 'finalized');
  await stage.push(notice(39));
  const { landing } = await stage.watched;
  assert.deepEqual(
    stage.subscribed.map((request) => paramsOf(request)),
    ['confirmed', 'finalized'].map((commitment) => [SIGNATURE, { commitment }]),
  );
  assert.equal(landingText(landing), 'confirmed after 100 ms, finalized after 13.0 s, slot 7, 2 slots after the send');
});

test('it subscribes at the endpoint that is asked, never at a sender', async (t) => {
  const url = 'https://sender.test/fast';
  const stage = new Stage({ request: { url, endpoint: 'mine', isKeyless: true } });
  t.after(() => stage.cancel());
  await settled();
  const [{ url: own, sentTo, endpoint, isKeyless, transport } = assert.fail()] = stage.subscribed;
  assert.deepEqual([own, sentTo, endpoint, isKeyless, transport], [undefined, url, 'mine', true, 'WS']);
});

test('of a URL that serves JSON-RPC no WebSocket is known', async (t) => {
  const stage = new Stage({ request: { url: 'https://rpc.test/sol' } });
  t.after(() => stage.cancel());
  await settled();
  assert.deepEqual(stage.subscribed, []);
});

test('a transaction that fails says so by push, too', async (t) => {
  const stage = new Stage();
  t.after(() => stage.cancel());
  await settled();
  await stage.push(notice(8, '{"InstructionError":[0,{"Custom":1}]}'));
  const { landing } = await stage.watched;
  assert.match(landingText(landing), /slot 8, .*failed on the ledger: .*"Custom":1/);
});

test('further transactions than four at a time take no connection', async (t) => {
  const stages = Array.from({ length: 6 }, () => new Stage());
  t.after(() => stages.forEach((stage) => stage.cancel()));
  await settled();
  assert.equal(stages.filter(({ subscribed }) => subscribed.length > 0).length, 4);
});

test('where a cluster finalizes nothing any more the end of the watch says so', async (t) => {
  const stage = new Stage();
  t.after(() => stage.cancel());
  await settled();
  stage.status = status(8, 'processed');
  await stage.after(2000);
  stage.status = status(300, 'processed');
  await stage.after(60_000);
  const { landing, error } = await stage.watched;
  assert.equal(error, undefined);
  assert.deepEqual([landing.level, landing.finalizedSlot, stage.shown.at(-1)], ['processed', '3', landing]);
  assert.equal(
    landingText(landing),
    'processed after at most 2000 ms, slot 7, 2 slots after the send, not finalized: the cluster has finalized nothing after slot 3',
  );
});
