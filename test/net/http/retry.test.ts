// Repeats and waits: only after 429 and 503, within the plan, cancelled at once; a send is never repeated.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Secret } from '../../../core/service/keys/secret';
import { encodeBase58 } from '../../../core/solana/encoding/base58';
import type { KeyPort, NetClock, WaitReason } from '../../../net/api';
import { systemClock } from '../../../net/clock';
import { Bucket } from '../../../net/rate';
import { retryDelay } from '../../../net/retry';
import { afterRequest, httpServer, rawAnswer, tcpServer } from '../../support/wire/hostile';
import { fakeClock, turns } from '../../support/wire/retries';
import { answerOf, callOnce, errorOf, OK_BODY, request, targetOf, withNet } from '../../support/wire/wire';
import { mockTimers } from '../../support/mockTimers';

describe('retries', () => {
  test('429 and 503 are repeated until the answer comes', async () => {
    const server = await turns([429, 503, 429]);
    const clock = fakeClock();
    const waits: WaitReason[] = [];
    const result = await callOnce(
      server.origin,
      {},
      { clock, random: () => 0.5 },
      { onWait: (reason) => waits.push(reason) },
    );
    await server.close();
    assert.equal(answerOf(result).error, undefined);
    assert.equal(server.count(), 4);
    assert.deepEqual(waits, ['retry', 'retry', 'retry']);
    assert.deepEqual(clock.slept, [250, 500, 1000]);
  });

  test('five tries are all', async () => {
    const server = await turns(new Array<number>(20).fill(429));
    const error = errorOf(await callOnce(server.origin, {}, { clock: fakeClock() }));
    await server.close();
    assert.equal(error.kind, 'rateLimited');
    assert.equal(server.count(), 5);
  });

  for (const [value, ms] of [
    ['3', 3000],
    ['0', 0],
    ['Thu, 01 Jan 2026 00:00:09 GMT', 9000],
    ['Thu, 01 Jan 2015 00:00:00 GMT', 0],
  ] as const)
    test(`Retry-After ${value} is waited out exactly`, async () => {
      const server = await turns([429], { 'retry-after': value });
      const clock = fakeClock();
      answerOf(await callOnce(server.origin, {}, { clock }));
      await server.close();
      assert.deepEqual(clock.slept, [ms]);
    });

  test('a Retry-After above the cap is reported, not waited for', async () => {
    const server = await turns([429, 429], { 'retry-after': '600' });
    const clock = fakeClock();
    const error = errorOf(await callOnce(server.origin, {}, { clock }));
    await server.close();
    assert.ok(error.kind === 'rateLimited' && error.retryAfterMs === 600_000);
    assert.equal(server.count(), 1);
  });

  test('an unreadable Retry-After counts as none', async () => {
    const server = await turns([429], { 'retry-after': '-5; 1e9' });
    const clock = fakeClock();
    answerOf(await callOnce(server.origin, {}, { clock, random: () => 0.5 }));
    await server.close();
    assert.deepEqual(clock.slept, [250]);
  });

  for (const status of [400, 401, 403, 404, 500, 502, 504])
    test(`${status} is not repeated`, async () => {
      const server = await turns([status, status]);
      errorOf(await callOnce(server.origin, {}, { clock: fakeClock() }));
      await server.close();
      assert.equal(server.count(), 1);
    });

  test('waits grow to a cap of 30 s, and use the whole range', () => {
    const top = [1, 2, 3, 4].map((tries) => retryDelay(429, tries, undefined, () => 0.999_999));
    assert.deepEqual(top, [499, 999, 1999, 3999]);
    assert.equal(
      retryDelay(429, 1, undefined, () => 0),
      0,
    );
    assert.equal(
      retryDelay(503, 1, 30_000, () => 0),
      30_000,
    );
    assert.equal(
      retryDelay(503, 1, 30_001, () => 0),
      undefined,
    );
  });

  test('cancelling a wait ends the call at once', async () => {
    const server = await turns(new Array<number>(9).fill(429), { 'retry-after': '30' });
    const stop = new AbortController();
    const call = { signal: stop.signal, onWait: () => stop.abort() };
    const error = errorOf(await callOnce(server.origin, {}, { clock: systemClock }, call));
    await server.close();
    assert.equal(error.kind, 'cancelled');
    assert.equal(server.count(), 1);
  });

  test('each attempt asks for the key again', async () => {
    const server = await turns([429, 429, 429]);
    let asked = 0;
    const lease = { secret: new Secret('a-key-of-some-length'), label: 'x' };
    const keys: KeyPort = {
      key: async () => (++asked < 3 ? { kind: 'lease', lease } : { kind: 'none' }),
    };
    const error = errorOf(await callOnce(server.origin, {}, { keys, clock: fakeClock() }));
    await server.close();
    assert.deepEqual([error.kind, asked, server.count()], ['noKey', 3, 2]);
  });
});

const SIGNATURE = Uint8Array.from({ length: 64 }, (_, n) => n + 1);
const TRANSACTION = Buffer.concat([Buffer.from([1]), SIGNATURE, Buffer.from([1, 0, 1, 2, 3])]);
const send = (params: string): Partial<ReturnType<typeof request>> => ({
  method: 'sendTransaction',
  body: `{"jsonrpc":"2.0","id":1,"method":"sendTransaction","params":${params}}`,
  timeoutMs: 2000,
});
const SEND = send(`["${TRANSACTION.toString('base64')}",{"encoding":"base64"}]`);
const SEND_58 = send(`["${encodeBase58(TRANSACTION)}"]`);

describe('sending a transaction', () => {
  for (const status of [429, 503])
    test(`${status} is not repeated`, async () => {
      const server = await turns([status, status]);
      const error = errorOf(await callOnce(server.origin, SEND, { clock: fakeClock() }));
      await server.close();
      assert.equal(error.kind, status === 429 ? 'rateLimited' : 'network');
      assert.equal(server.count(), 1);
    });

  for (const method of ['sendTransaction', 'sendSmartTransaction', 'sendBundle']) {
    test(`a batch with a ${method} in it is not repeated`, async () => {
      const server = await turns([429, 429]);
      const body = `[{"id":1,"method":"getSlot"},{"id":2,"method":"${method}","params":["x"]}]`;
      const batch = { method: 'batch', isBatch: true, ids: ['1', '2'], body };
      errorOf(await callOnce(server.origin, batch, { clock: fakeClock() }));
      await server.close();
      assert.equal(server.count(), 1);
    });

    test(`${method} alone is not repeated`, async () => {
      const server = await turns([503, 503]);
      const body = `{"jsonrpc":"2.0","id":1,"method":"${method}","params":["x"]}`;
      errorOf(await callOnce(server.origin, { method, body }, { clock: fakeClock() }));
      await server.close();
      assert.equal(server.count(), 1);
    });
  }

  for (const [name, asked] of [
    ['base64', SEND],
    ['base58', SEND_58],
  ] as const)
    test(`an answer lost after writing is ambiguous, with the signature from ${name}`, async () => {
      let connections = 0;
      const server = await tcpServer((socket) => {
        connections++;
        afterRequest(socket, () => socket.destroy());
      });
      const error = errorOf(await callOnce(server.origin, asked));
      await server.close();
      assert.ok(error.kind === 'ambiguous');
      assert.equal(error.signature, encodeBase58(SIGNATURE));
      assert.ok(error.hint?.includes(encodeBase58(SIGNATURE)));
      assert.equal(connections, 1);
    });

  test('a timeout after writing is ambiguous', async (t) => {
    const timers = mockTimers(t, 'setTimeout');
    const server = await httpServer(() => timers.tick(2000));
    const error = errorOf(await callOnce(server.origin, SEND));
    await server.close();
    assert.equal(error.kind, 'ambiguous');
  });

  test('an answer cut off is ambiguous', async () => {
    const server = await tcpServer((socket) =>
      afterRequest(socket, () => socket.end(rawAnswer('200 OK', [], OK_BODY).subarray(0, -3))),
    );
    const error = errorOf(await callOnce(server.origin, SEND));
    await server.close();
    assert.equal(error.kind, 'ambiguous');
  });

  for (const status of [500, 502, 504])
    test(`${status} is ambiguous: a gateway does not know what the node did`, async () => {
      const server = await turns([status]);
      const result = await callOnce(server.origin, SEND);
      await server.close();
      assert.equal(errorOf(result).kind, 'ambiguous');
      assert.equal(answerOf(result).httpStatus, status);
    });

  test('a connection that never opened is not ambiguous', async () => {
    const server = await tcpServer(() => undefined);
    await server.close();
    assert.equal(errorOf(await callOnce(server.origin, SEND)).kind, 'network');
  });

  test('cancelling after writing says that it may land', async () => {
    const stop = new AbortController();
    const server = await httpServer(() => stop.abort());
    const error = errorOf(await callOnce(server.origin, SEND, {}, { signal: stop.signal }));
    await server.close();
    assert.equal(error.kind, 'cancelled');
    assert.ok(error.hint?.includes(encodeBase58(SIGNATURE)));
  });

  test('a transaction that cannot be read is ambiguous without a signature', async () => {
    for (const params of [
      '[]',
      '["zzz",{"encoding":"base64"}]',
      '[1]',
      '{}',
      '["0OIl"]',
      '["AAAA",{"encoding":"base64"}]',
    ]) {
      const server = await tcpServer((socket) => afterRequest(socket, () => socket.destroy()));
      const error = errorOf(await callOnce(server.origin, send(params)));
      await server.close();
      assert.ok(error.kind === 'ambiguous' && error.signature === undefined);
    }
  });

  test('an answer is an answer', async () => {
    const server = await turns([]);
    assert.equal(answerOf(await callOnce(server.origin, SEND)).error, undefined);
    await server.close();
  });

  test('the body arrives whole, with its length', async () => {
    let got = '';
    const server = await httpServer(({ body, headers }, response) => {
      got = `${headers['content-length']} ${headers['transfer-encoding'] ?? '-'} ${body}`;
      response.end(OK_BODY);
    });
    answerOf(await callOnce(server.origin, SEND));
    await server.close();
    assert.equal(got, `${Buffer.byteLength(SEND.body ?? '')} - ${SEND.body}`);
  });
});

describe('the plan’s pace', () => {
  const signal = new AbortController().signal;

  test('no window of one second ever sees more than the plan allows', async () => {
    const clock = fakeClock();
    const bucket = new Bucket(5, clock);
    const at: number[] = [];
    for (let n = 0; n < 40; n++) {
      await bucket.take(1, signal, () => undefined);
      at.push(clock.now());
    }
    for (const start of at) assert.ok(at.filter((time) => time >= start && time < start + 1000).length <= 5);
    assert.ok(clock.now() < 7500, `${clock.now()} ms for 40 at 5 per second`);
  });

  test('a batch costs what it holds, even above the plan’s second', async () => {
    const clock = fakeClock();
    const bucket = new Bucket(5, clock);
    await bucket.take(12, signal, () => undefined);
    assert.equal(clock.now(), 0);
    await bucket.take(5, signal, () => undefined);
    assert.ok(clock.now() >= 3000, `${clock.now()}`);
  });

  test('waiting requests proceed in order of arrival, and a request that gives up blocks no other', async () => {
    const clock: NetClock = { ...systemClock, now: () => 0, sleep: (_, sleeper) => systemClock.sleep(60_000, sleeper) };
    const bucket = new Bucket(1, clock);
    await bucket.take(1, signal, () => undefined);
    const stops = [new AbortController(), new AbortController()];
    const waits = stops.map((stop) => bucket.take(1, stop.signal, () => undefined));
    stops[1]?.abort();
    await assert.rejects(waits[1] ?? Promise.resolve());
    stops[0]?.abort();
    await assert.rejects(waits[0] ?? Promise.resolve());
  });

  const paced = async (plan: 'Free' | undefined, respectPlan: boolean, sends: boolean): Promise<number> => {
    const server = await turns([]);
    const clock = fakeClock();
    const asked = sends ? request(SEND) : request();
    await withNet({ clock, respectPlan: () => respectPlan }, async (net) => {
      const target = targetOf(server.origin, asked, plan === undefined ? {} : { plan });
      for (let n = 0; n < 6; n++) answerOf(await net.call(target, asked, { signal }));
    });
    await server.close();
    return clock.now();
  };
  test('six requests on Free take more than a second', async () =>
    assert.ok((await paced('Free', true, false)) > 1000));
  test('six sends on Free take more than five', async () => assert.ok((await paced('Free', true, true)) > 5000));
  test('without a plan nothing waits', async () => assert.equal(await paced(undefined, true, false), 0));
  test('with respectPlan off nothing waits', async () => assert.equal(await paced('Free', false, true), 0));

  test('a wait for the plan is reported', async () => {
    const server = await turns([]);
    const reasons: WaitReason[] = [];
    await withNet({ clock: fakeClock() }, async (net) => {
      const target = targetOf(server.origin, request(), { plan: 'Free' });
      const call = { signal, onWait: (reason: WaitReason) => reasons.push(reason) };
      for (let n = 0; n < 6; n++) answerOf(await net.call(target, request(), call));
    });
    await server.close();
    assert.deepEqual(reasons, ['rateLimit']);
  });
});
