// Subscriptions and questions over WebSocket: against the local service, and against services that misbehave.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import type http from 'node:http';
import { describe, test } from 'node:test';
import type { WebSocket } from 'ws';
import type { ServiceError } from '../../../core/service/errors';
import { member, printJson } from '../../../core/solana/json/json';
import type { NetClock, NetOptions, Subscription } from '../../../net/api';
import { systemClock } from '../../../net/clock';
import { assertWithin } from '../../support/night';
import { webSocketServer, type Hostile } from '../../support/wire/hostile';
import { testLedger } from '../../support/process/localnet';
import {
  against,
  asking,
  confirm,
  notify,
  opened,
  refusedBy,
  refusedOpening,
  signal,
  take,
  targetOf,
} from '../../support/wire/webSockets';
import { answerOf, assertNoKey, errorOf, KEY, keysOf, withNet } from '../../support/wire/wire';

describe('against the local service', () => {
  const local = testLedger(['--plan', 'Ultra']);
  const options = (): Partial<NetOptions> => ({ keys: keysOf({ rpc: local.ready.keys.rpc.key }) });

  test('slots come one after the other', async () => {
    await opened(local.ready.wsUrl, { options: options() }, async (stream) => {
      await local.slots(3);
      const slots = (await take(stream, 3)).map((message) => Number(member(message, 'slot')));
      assert.deepEqual(
        slots.map((slot) => slot - (slots[0] ?? 0)),
        [0, 1, 2],
      );
      assert.equal(stream.dropped, 0);
    });
  });

  test('the key travels in the query where the profile says so', async () => {
    await opened(local.ready.wsUrl, { options: options(), auth: 'query' }, async (stream) => {
      await local.slots(1);
      assert.equal((await take(stream, 1)).length, 1);
    });
  });

  test('a confirmation ends the stream of a signature by itself', async () => {
    const logs = asking('logsSubscribe', '["all",{"commitment":"processed"}]');
    let signature = '';
    await opened(local.ready.wsUrl, { options: options(), asked: logs }, async (stream) => {
      await local.rpc('requestAirdrop', [local.ready.wallet.address, 1_000]);
      signature = printJson(member(member((await take(stream, 1))[0], 'value'), 'signature') ?? null);
    });
    const asked = asking('signatureSubscribe', `[${signature},{"commitment":"confirmed"}]`);
    await opened(local.ready.wsUrl, { options: options(), asked }, async (stream) => {
      const all = await take(stream, 10);
      assert.deepEqual(
        all.map((message) => printJson(member(message, 'value') ?? null)),
        ['{"err":null}'],
      );
      assert.equal(stream.error, undefined);
    });
  });

  test('a refused subscription is the error the service gives', async () => {
    const asked = asking('accountSubscribe', '["nothing"]');
    const error = await refusedOpening(local.ready.wsUrl, { options: options(), asked });
    assert.ok(error.kind === 'rpc' && error.code === -32602, error.message);
  });

  test('a question over WebSocket is answered', async () => {
    const asked = asking('slotUnsubscribe', '[99]');
    await withNet(options(), async (net) => {
      const result = await net.call(targetOf(local.ready.wsUrl, asked), asked, { signal });
      const error = errorOf(result);
      assert.ok(error.kind === 'rpc' && error.code === -32602, error.message);
      assert.equal(answerOf(result).httpStatus, 101);
    });
  });

  test('an unknown key and a key of another type give different errors', async () => {
    const unknown = { keys: keysOf({ rpc: 'rpc_nobody-knows-this' }) };
    assert.equal((await refusedOpening(local.ready.wsUrl, { options: unknown })).kind, 'keyRejected');
    const grpc = { keys: keysOf({ rpc: local.ready.keys.grpc.key }) };
    const error = await refusedOpening(local.ready.wsUrl, { options: grpc });
    assert.ok(error.kind === 'wrongKeyType' && error.needs === 'rpc', error.message);
  });

  test('a rotated key ends its streams, and says so', async () => {
    const { keyId, key } = await local.newKey({ type: 'rpc', plan: 'Pro' });
    await opened(local.ready.wsUrl, { options: { keys: keysOf({ rpc: key }) } }, async (stream) => {
      await local.slots(1);
      await take(stream, 1);
      await local.admin('POST', `/keys/${keyId}/rotate`, {});
      await take(stream, Infinity);
      assert.equal(stream.error?.kind, 'keyRejected');
    });
  });

  test('a connection that is cut ends its stream with an error', async () => {
    await opened(local.ready.wsUrl, { options: options() }, async (stream) => {
      await local.slots(1);
      await take(stream, 1);
      await local.admin('POST', '/streams/drop');
      await take(stream, Infinity);
      assert.equal(stream.error?.kind, 'network');
    });
  });
});

describe('what a service may do', () => {
  test('notifications before the confirmation are kept, 10,000 of them', async () => {
    const serve = (socket: WebSocket, text: string): void => {
      if (!text.includes('slotSubscribe')) return;
      for (let n = 0; n < 10_000; n++) notify(socket, String(n), '0');
      confirm(socket, '0');
    };
    await against(serve, async (stream) => {
      const all = await take(stream, 10_000);
      assert.deepEqual([all[0], all.at(-1), all.length, stream.dropped], [0, 9_999, 10_000, 0]);
    });
  });

  test('what nobody reads is bounded: the oldest go, and are counted exactly', async () => {
    const serve = (socket: WebSocket, text: string): void => {
      if (!text.includes('slotSubscribe')) return;
      confirm(socket);
      for (let n = 0; n < 12_345; n++) notify(socket, String(n));
    };
    await against(serve, async (stream) => {
      while (stream.dropped < 2_345) await new Promise((go) => setImmediate(go));
      const all = await take(stream, 10_000);
      assert.deepEqual([all[0], all.length, stream.dropped], [2_345, 10_000, 2_345]);
    });
  });

  test('what nobody reads is bounded by its bytes', async () => {
    const long = JSON.stringify('a'.repeat(30 * 1024 * 1024));
    const serve = (socket: WebSocket, text: string): void => {
      if (!text.includes('slotSubscribe')) return;
      confirm(socket);
      for (const result of [long, long, long, '7']) notify(socket, result);
      socket.close(1000);
    };
    await against(serve, async (stream) => {
      while (stream.dropped === 0) await new Promise((go) => setImmediate(go));
      const all = await take(stream, Infinity);
      assert.deepEqual([all.length, all[2], stream.dropped], [3, 7, 1]);
    });
  });

  test('messages of other subscriptions are not ours', async () => {
    const serve = (socket: WebSocket): void => {
      notify(socket, '1', '8');
      confirm(socket);
      notify(socket, '2', '70');
      notify(socket, '3');
    };
    await against(serve, async (stream) => assert.deepEqual(await take(stream, 1), [3]));
  });

  test('an id above 2^53 keeps its digits, and is taken back with them', async () => {
    const got: string[] = [];
    const serve = (socket: WebSocket, text: string): void => {
      got.push(text);
      if (got.length > 1) return;
      confirm(socket, '18446744073709551615');
      notify(socket, '18446744073709551614', '18446744073709551615');
    };
    await against(serve, async (stream) => {
      assert.equal(printJson((await take(stream, 1))[0] ?? null), '18446744073709551614');
    });
    assert.match(got[1] ?? '', /"method":"slotUnsubscribe","params":\[18446744073709551615\]/);
  });

  test('after its notification a signature is not unsubscribed: the service ended that subscription itself', async () => {
    const got: string[] = [];
    const serve = (socket: WebSocket, text: string): void => {
      got.push(text);
      if (got.length > 1) return;
      confirm(socket);
      notify(socket, '{"context":{"slot":5},"value":{"err":null}}');
    };
    const asked = asking('signatureSubscribe', '["2"]');
    await against(serve, async (stream) => assert.equal((await take(stream, 1)).length, 1), { asked });
    assert.equal(got.length, 1, got[1]);
  });

  test('a half-open connection is given up', async (t) => {
    const server = await halfOpen();
    t.after(() => server.close());
    const clock: NetClock = { ...systemClock, sleep: (ms, stop) => systemClock.sleep(Math.min(ms, 20), stop) };
    await opened(server.origin, { options: { clock } }, async (stream) => {
      assert.deepEqual(await take(stream, 5), []);
      assert.match(stream.error?.message ?? '', /stopped answering/);
    });
  });

  const ENDS: readonly (readonly [string, (socket: WebSocket) => void, ServiceError['kind'] | undefined])[] = [
    ['a giant message', (socket) => notify(socket, `"${'a'.repeat(33 * 1024 * 1024)}"`), 'protocol'],
    ['a notification nested too deep', (socket) => notify(socket, '['.repeat(2_500) + ']'.repeat(2_500)), 'protocol'],
    ['a text that is not JSON', (socket) => socket.send('no json'), 'protocol'],
    ['a binary message', (socket) => socket.send(Buffer.from([1, 2])), 'protocol'],
    ['a cut', (socket) => socket.terminate(), 'network'],
    ['close code 1000', (socket) => socket.close(1000), undefined],
    ['close code 1008 for a key', (socket) => socket.close(1008, 'invalid api key'), 'keyRejected'],
    ['close code 1013', (socket) => socket.close(1013), 'network'],
    ['close code 4001', (socket) => socket.close(4001, `rotated ${KEY}`), 'keyRejected'],
    ['close code 4999', (socket) => socket.close(4999, 'enough'), 'network'],
  ];
  for (const [name, end, kind] of ENDS) {
    test(`${name} in a stream ends it as ${kind ?? 'its normal end'}`, async () => {
      let strike = (): void => undefined;
      const serve = (socket: WebSocket, text: string): void => {
        if (!text.includes('slotSubscribe')) return;
        confirm(socket);
        notify(socket, '1');
        strike = () => end(socket);
      };
      await against(serve, async (stream) => {
        assert.deepEqual(await take(stream, 1), [1]);
        strike();
        assert.deepEqual(await take(stream, Infinity), []);
        assert.equal(stream.error?.kind, kind, stream.error?.message);
        assertNoKey(stream.error);
      });
    });
  }

  test('garbage in place of frames ends the stream', async () => {
    let strike = (): void => undefined;
    const serve = (socket: WebSocket, _: string, upgrade: http.IncomingMessage): void => {
      confirm(socket);
      notify(socket, '1');
      strike = () => void upgrade.socket.write(Buffer.alloc(64, 0xff));
    };
    await against(serve, async (stream) => {
      assert.deepEqual(await take(stream, 1), [1]);
      strike();
      await take(stream, Infinity);
      assert.equal(stream.error?.kind, 'protocol');
    });
  });

  for (const [what, first, more] of [
    ['text', 0x01, 0x00],
    ['frames without an end of a message that was compressed', 0x41, 0x00],
  ] as const)
    test(`a message whose fragments never end is refused at the bound: ${what}`, async () => {
      const piece = Buffer.alloc(1024 * 1024, 0x20);
      const frame = (opcode: number): Buffer => {
        const head = Buffer.from([opcode, 127, 0, 0, 0, 0, 0, 0, 0, 0]);
        head.writeUInt32BE(piece.length, 6);
        return Buffer.concat([head, piece]);
      };
      const next = frame(more);
      let sent = 0;
      const before = process.memoryUsage().arrayBuffers;
      const serve = (socket: WebSocket, text: string, { socket: wire }: http.IncomingMessage): void => {
        if (!text.includes('slotSubscribe')) return;
        confirm(socket);
        notify(socket, '1');
        const pour = async (): Promise<void> => {
          wire.write(frame(first));
          for (; sent < 1024 && !wire.destroyed; sent++) if (!wire.write(next)) await once(wire, 'drain');
        };
        void pour().catch(() => undefined);
      };
      await against(serve, async (stream) => {
        assert.deepEqual(await take(stream, Infinity), [1]);
        assert.equal(stream.error?.kind, 'protocol', stream.error?.message);
      });
      assert.ok(sent < 200, `${sent} MB were taken`);
      assertWithin(process.memoryUsage().arrayBuffers - before, 300 * 1024 * 1024);
    });

  test('a service that never confirms is not waited for longer than asked', async () => {
    const asked = asking('slotSubscribe', '[]', { timeoutMs: 100 });
    assert.equal((await refusedBy(() => undefined, { asked })).kind, 'timeout');
  });

  test('a service that closes in place of an answer is an error', async () =>
    assert.equal((await refusedBy((socket) => socket.close(1000))).kind, 'network'));

  test('cancelling ends the wait for the confirmation at once', async () => {
    const cancel = new AbortController();
    const error = await refusedBy(() => cancel.abort(), { signal: cancel.signal });
    assert.equal(error.kind, 'cancelled');
  });

  test('cancelling ends an open stream at once, and the connection with it', async () => {
    const cancel = new AbortController();
    let gone: Promise<unknown> = Promise.reject(new Error('Nobody came.'));
    gone.catch(() => undefined);
    const serve = (socket: WebSocket, text: string): void => {
      if (!text.includes('slotSubscribe')) return;
      gone = once(socket, 'close');
      confirm(socket);
    };
    const work = async (stream: Subscription): Promise<void> => {
      const read = take(stream, 1);
      cancel.abort();
      assert.deepEqual(await read, []);
      assert.equal(stream.error?.kind, 'cancelled');
      await gone;
    };
    await against(serve, work, { signal: cancel.signal });
  });

  test('a key that is echoed is taken out of messages', async () => {
    const serve = (socket: WebSocket): void => {
      confirm(socket);
      notify(socket, JSON.stringify(KEY));
    };
    await against(serve, async (stream) => assert.deepEqual(await take(stream, 1), ['[redacted]']));
  });
});

/** Confirms, and then neither reads nor writes. */
function halfOpen(): Promise<Hostile> {
  return webSocketServer((socket, _, upgrade) => {
    confirm(socket);
    upgrade.socket.pause();
  });
}
