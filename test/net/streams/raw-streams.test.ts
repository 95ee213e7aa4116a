// Streams as bytes: they are passed on as the service wrote them, however they were split, and a reader that pauses
// makes the service wait. @grpc/grpc-js and ws are the oracles.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { credentials, makeGenericClientConstructor, Metadata } from '@grpc/grpc-js';
import type { Result, ServiceError } from '../../../core/service/errors';
import type { RawOptions, RawStream } from '../../../net/api';
import {
  asking,
  begin,
  framed,
  grpcService,
  grpcTarget,
  SUBSCRIBE,
  update,
  type Serve,
} from '../../support/wire/grpcServices';
import { textOfUpdate } from '../../../net/grpc/updateText';
import { webSocketServer } from '../../support/wire/hostile';
import { startTestLedger } from '../../support/process/localnet';
import { Taken } from '../../support/wire/taken';
import { asking as askingWs, confirm, notify, targetOf } from '../../support/wire/webSockets';
import { keysOf, KEY, withNet } from '../../support/wire/wire';

const signal = new AbortController().signal;

/** Messages of many sizes; one is larger than any piece. */
const SIZES = [0, 1, 4, 5, 120, 16_383, 16_384, 300_000, 7, 250, 250, 66_000, 3];
const MESSAGES = SIZES.map((size, at) => Buffer.alloc(size, at + 1));

/** Serves the messages cut into pieces of these sizes, in turn. */
const inPieces =
  (sizes: readonly number[]): Serve =>
  ({ stream }) => {
    begin(stream);
    const all = Buffer.concat(MESSAGES.map(framed));
    for (let at = 0, turn = 0; at < all.length; turn++) {
      const size = sizes[turn % sizes.length] ?? 1;
      stream.write(all.subarray(at, at + size));
      at += size;
    }
    stream.end();
  };

const subscription = asking(SUBSCRIBE, '{"slots":{"all":{}}}');

/** Opens over gRPC with our own lane and reads to the end. */
async function readRaw(origin: string, key: string, until?: (messages: readonly Buffer[]) => boolean) {
  const taken = new Taken();
  let error: ServiceError | undefined;
  await withNet({ keys: keysOf({ grpc: key }) }, async (net) => {
    const opened = await net.openRaw(grpcTarget(origin, subscription), subscription, { signal, take: taken.take });
    assert.ok(opened.ok, opened.ok ? '' : opened.error.message);
    if (until === undefined) await opened.value.ended;
    else await taken.until(until);
    error = opened.value.error;
    await opened.value.close();
  });
  return { messages: taken.messages, error };
}

/** The same through @grpc/grpc-js, whose decoder gives the bytes as they are. */
async function readOracle(
  origin: string,
  key: string,
  message: Buffer,
  until: (messages: readonly Buffer[]) => boolean,
): Promise<readonly Buffer[]> {
  const asIs = (bytes: Buffer): Buffer => bytes;
  const Client = makeGenericClientConstructor(
    {
      subscribe: {
        path: `/${SUBSCRIBE}`,
        requestStream: true,
        responseStream: true,
        requestSerialize: asIs,
        requestDeserialize: asIs,
        responseSerialize: asIs,
        responseDeserialize: asIs,
      },
    },
    'Geyser',
  );
  const client = new Client(new URL(origin).host, credentials.createInsecure(), {
    'grpc.max_receive_message_length': 64 * 1024 * 1024,
  });
  const metadata = new Metadata();
  metadata.set('authorization', `Bearer ${key}`);
  const call = client.makeBidiStreamRequest(`/${SUBSCRIBE}`, asIs, asIs, metadata);
  const messages: Buffer[] = [];
  call.on('error', () => undefined);
  call.write(message);
  await new Promise<void>((resolve) => {
    call.on('data', (bytes: Buffer) => {
      messages.push(bytes);
      if (until(messages)) resolve();
    });
    call.on('end', resolve);
  });
  call.cancel();
  client.close();
  return messages;
}

/**
 * Resolves once a count of what has left a service has begun to rise and rises no more: it stays the same while another
 * stream is read from its beginning to its end, in thousands of turns of the event loop that both sides share.
 */
async function noLonger(count: () => number): Promise<void> {
  const others = await grpcService(inPieces([1]));
  for (let before = 0; before === 0 || count() !== before;) {
    before = count();
    await readRaw(others.origin, KEY);
  }
  await others.close();
}

describe('gRPC', () => {
  for (const sizes of [[1, 2, 3], [5], [4, 1, 7], [16_384], [70_000], [1_000_000]])
    test(`in pieces of ${sizes.join(', ')} bytes, every message is what grpc-js reads`, async () => {
      const server = await grpcService(inPieces(sizes));
      try {
        const { messages, error } = await readRaw(server.origin, KEY);
        const oracle = await readOracle(server.origin, KEY, Buffer.from([1]), (all) => all.length === SIZES.length);
        assert.equal(error, undefined);
        assert.deepEqual(
          messages.map((bytes) => bytes.toString('hex')),
          oracle.map((bytes) => bytes.toString('hex')),
        );
      } finally {
        await server.close();
      }
    });

  test('of the local service, both read the same updates', async (t) => {
    const local = await startTestLedger(['--plan', 'Ultra']);
    t.after(() => local.stop());
    const { key } = local.ready.keys.grpc;
    const many = (messages: readonly Buffer[]): boolean => messages.length >= 60;
    const request = Buffer.from('12070a03616c6c1200', 'hex');
    const reading = [
      readRaw(local.ready.grpcUrl, key, many),
      readOracle(local.ready.grpcUrl, key, request, many),
    ] as const;
    const [raw, oracle] = await local.slotsUntil(Promise.all(reading));
    // One began a little earlier; pings are no updates.
    const texts = (messages: readonly Buffer[]): string[] => messages.map((bytes) => bytes.toString('hex'));
    const [ours, theirs] = [texts(raw.messages), texts(oracle)];
    const from = Math.max(
      ours.findIndex((text) => theirs.includes(text)),
      0,
    );
    const common = ours.slice(from).filter((text) => theirs.includes(text));
    const first = theirs.indexOf(common[0] ?? '');
    const updates = theirs.slice(first).filter((text) => text.startsWith('0a'));
    assert.ok(common.length >= 30, `${common.length} in common`);
    assert.deepEqual(common, updates.slice(0, common.length));
  });

  for (const client of ['http2', 'grpc-js'] as const)
    test(`a stream that takes one request and no pings: gossip over ${client}`, async (t) => {
      const local = await startTestLedger(['--plan', 'Ultra']);
      t.after(() => local.stop());
      const gossip = asking('geyser.Geyser/SubscribeGossip', '{}');
      const taken = new Taken();
      await withNet({ keys: keysOf({ grpc: local.ready.keys.grpc.key }), grpcClient: client }, async (net) => {
        const target = grpcTarget(local.ready.grpcUrl, gossip);
        const opened = await net.openRaw(target, gossip, { signal, take: taken.take });
        assert.ok(opened.ok, opened.ok ? '' : opened.error.message);
        await taken.until((messages) => messages.length >= 1);
        await opened.value.close();
      });
      const texts = taken.messages.map((bytes) => textOfUpdate(gossip.method, bytes) ?? '');
      assert.match(texts[0] ?? '', /"snapshot":\{"nodes":\[\{"pubkey":"[1-9A-HJ-NP-Za-km-z]{32,44}"/);
    });

  test('a reader that pauses makes the service wait, and gets everything once it continues', async (t) => {
    const one = update({
      filters: ['all'],
      updateOneof: { case: 'slot', value: { slot: 1n, deadError: 'x'.repeat(20_000) } },
    });
    const total = 1_500;
    // The messages that have left the service for the connection.
    let left = 0;
    const server = await grpcService(({ stream }) => {
      begin(stream);
      for (let at = 0; at < total; at++) stream.write(one, () => left++);
      stream.end();
    });
    t.after(() => server.close());
    const taken = new Taken();
    await withNet({ keys: keysOf({ grpc: KEY }) }, async (net) => {
      const opened = await net.openRaw(grpcTarget(server.origin, subscription), subscription, {
        signal,
        take: taken.take,
      });
      assert.ok(opened.ok);
      opened.value.pause();
      const before = taken.messages.length;
      await noLonger(() => left);
      assert.ok(left < total, `${left} left the service`);
      assert.equal(taken.messages.length, before, 'a paused stream passes on nothing');
      opened.value.resume();
      await opened.value.ended;
      assert.equal(taken.messages.length, total);
    });
  });
});

describe('WebSocket', () => {
  type Socket = Parameters<Parameters<typeof webSocketServer>[0]>[0];
  const slots = askingWs('slotSubscribe');

  async function open(
    serve: (socket: Socket, text: string) => void,
    work: (opened: Result<RawStream>, taken: Taken, beside: Taken) => Promise<void>,
    beside?: NonNullable<RawOptions['beside']>['request'],
  ): Promise<void> {
    const server = await webSocketServer(serve);
    const [taken, other] = [new Taken(), new Taken()];
    try {
      await withNet({}, async (net) => {
        const opened = await net.openRaw(targetOf(server.origin, slots), slots, {
          signal,
          take: taken.take,
          ...(beside === undefined ? {} : { beside: { request: beside, take: other.take } }),
        });
        await work(opened, taken, other);
        if (opened.ok) await opened.value.close();
      });
    } finally {
      await server.close();
    }
  }

  const texts = (taken: Taken): string[] => taken.messages.map((bytes) => bytes.toString('utf8'));

  test('whole notifications come as they were written, those before the confirmation too', () =>
    open(
      (socket) => {
        notify(socket, '{"slot":1}');
        confirm(socket);
        notify(socket, '{"slot":18446744073709551615}');
      },
      async (opened, taken) => {
        assert.ok(opened.ok);
        await taken.until((messages) => messages.length === 2);
        assert.deepEqual(texts(taken), [
          '{"jsonrpc":"2.0","method":"slotNotification","params":{"result":{"slot":1},"subscription":7}}',
          '{"jsonrpc":"2.0","method":"slotNotification","params":{"result":{"slot":18446744073709551615},"subscription":7}}',
        ]);
      },
    ));

  test('of those before the confirmation the newest 10,000 are kept', () =>
    open(
      (socket) => {
        for (let at = 1; at <= 10_005; at++) notify(socket, String(at));
        confirm(socket);
      },
      async (opened, taken) => {
        assert.ok(opened.ok);
        await taken.until((messages) => messages.at(-1)?.includes('"result":10005,') === true);
        assert.equal(taken.messages.length, 10_000);
        assert.match(texts(taken)[0] ?? '', /"result":6,/);
      },
    ));

  test('notifications of other subscriptions are left out, also those whose id ends alike', () =>
    open(
      (socket) => {
        confirm(socket);
        notify(socket, '1', '17');
        notify(socket, '2', '77');
        notify(socket, '3');
      },
      async (opened, taken) => {
        assert.ok(opened.ok);
        await taken.until((messages) => messages.length === 1);
        assert.match(texts(taken)[0] ?? '', /"result":3/);
      },
    ));

  test('members in another order and white space are read, too', () =>
    open(
      (socket) => {
        confirm(socket);
        socket.send('{"params":{"subscription":7,"result":1},"method":"slotNotification","jsonrpc":"2.0"}');
        socket.send('{"jsonrpc":"2.0","method":"slotNotification","params":{"result":2,"subscription":7 } }');
        socket.send('{"jsonrpc":"2.0","method":"slotNotification","params":{"subscription":7,"result":3}}');
      },
      async (opened, taken) => {
        assert.ok(opened.ok);
        await taken.until((messages) => messages.length === 3);
      },
    ));

  test('messages of a second subscription on the same connection are delivered separately', () =>
    open(
      (socket, text) => {
        if (text.includes('logsSubscribe')) {
          socket.send('{"jsonrpc":"2.0","result":8,"id":2}');
          notify(socket, '"log"', '8');
        } else if (text.includes('slotSubscribe')) confirm(socket);
        notify(socket, '"slot"');
      },
      async (opened, taken, beside) => {
        assert.ok(opened.ok);
        await beside.until((messages) => messages.length === 1);
        await taken.until((messages) => messages.length === 2);
      },
      askingWs('logsSubscribe', '["all"]', {
        ids: ['2'],
        body: '{"jsonrpc":"2.0","id":2,"method":"logsSubscribe","params":["all"]}',
      }),
    ));

  test('if the second subscription is refused, the first continues', () =>
    open(
      (socket, text) => {
        if (text.includes('logsSubscribe'))
          socket.send('{"jsonrpc":"2.0","error":{"code":-32601,"message":"Method not found"},"id":2}');
        else if (text.includes('slotSubscribe')) confirm(socket);
        notify(socket, '"slot"');
      },
      async (opened, taken) => {
        assert.ok(opened.ok);
        await taken.until((messages) => messages.length === 2);
      },
      askingWs('logsSubscribe', '["all"]', {
        ids: ['2'],
        body: '{"jsonrpc":"2.0","id":2,"method":"logsSubscribe","params":["all"]}',
      }),
    ));

  test('a message that is not JSON ends it as a protocol error', () =>
    open(
      (socket) => {
        confirm(socket);
        socket.send('{"oops"');
      },
      async (opened) => {
        assert.ok(opened.ok);
        await opened.value.ended;
        assert.equal(opened.value.error?.kind, 'protocol');
      },
    ));

  test('a reader that pauses makes the service wait', async () => {
    const size = 100_000;
    /** More than the buffers of a system take. */
    const most = 1_000;
    const note = (at: number): string =>
      `{"jsonrpc":"2.0","method":"slotNotification","params":{"result":"${String(at).padEnd(size, 'x')}","subscription":7}}`;
    let socketOf: Socket | undefined;
    await open(
      (socket) => {
        socketOf = socket;
        confirm(socket);
      },
      async (opened, taken) => {
        assert.ok(opened.ok && socketOf !== undefined);
        const socket = socketOf;
        opened.value.pause();
        // Each follows once the system has taken the one before: when it takes no more, the service waits.
        let [sent, left, isFull] = [0, 0, false];
        const send = (): void => {
          if (isFull || sent === most) return;
          socket.send(note(sent++), () => {
            left++;
            send();
          });
        };
        send();
        await noLonger(() => left);
        isFull = true;
        assert.deepEqual(taken.messages.length, 0, 'a paused stream passes on nothing');
        assert.ok(left < most, `${left} left the service`);
        opened.value.resume();
        await taken.until((messages) => messages.length === sent);
      },
    );
  });

  test('it is closed with an unsubscribe', async () => {
    let said = '';
    const server = await webSocketServer((socket, text) => {
      said += text;
      if (text.includes('slotSubscribe')) confirm(socket);
    });
    await withNet({}, async (net) => {
      const opened = await net.openRaw(targetOf(server.origin, slots), slots, { signal, take: () => undefined });
      assert.ok(opened.ok);
      await opened.value.close();
    });
    assert.match(said, /"slotUnsubscribe","params":\[7\]/);
    await server.close();
  });
});
