// Hostile gRPC services: every answer that breaks the protocol ends in a typed error, in bounded time and memory.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import http2 from 'node:http2';
import net from 'node:net';
import { describe, test } from 'node:test';
import type { ServiceError } from '../../../core/service/errors';
import { member } from '../../../core/solana/json/json';
import type { NetClock } from '../../../net/api';
import { systemClock } from '../../../net/clock';
import {
  answer,
  asking,
  begin,
  CLIENTS,
  framed,
  GET_SLOT,
  grpcService,
  MANY_TRANSACTIONS,
  requestOf,
  slotUpdate,
  SUBSCRIBE,
  through,
  update,
  type Call,
  type Calling,
  type Serve,
} from '../../support/wire/grpcServices';
import { httpServer, rawAnswer, tcpServer, type Hostile } from '../../support/wire/hostile';
import { take } from '../../support/wire/webSockets';
import { answerOf, assertNoKey, errorOf, KEY } from '../../support/wire/wire';

/** GetSlotResponse { slot: 18446744073709551615 } */
const SLOT = framed(Buffer.from('08ffffffffffffffffff01', 'hex'));

async function against<T>(server: Promise<Hostile>, work: (origin: string) => Promise<T>): Promise<T> {
  const running = await server;
  try {
    return await work(running.origin);
  } finally {
    await running.close();
  }
}

/** It says that it is compressed, and nothing says how. */
const PACKED = Buffer.concat([Buffer.from([1]), SLOT.subarray(1)]);
const CALM = http2.constants.NGHTTP2_ENHANCE_YOUR_CALM;

for (const client of CLIENTS) {
  const { callGrpc, openedGrpc, refusedGrpc } = through(client);
  const called = (serve: Serve, calling: Calling = {}) =>
    against(grpcService(serve), (origin) => callGrpc(origin, calling));

  describe(`answers, by ${client}`, () => {
    test('18446744073709551615 arrives with every digit', async () => {
      const { body } = answerOf(await called(({ stream }) => answer(stream, SLOT)));
      assert.equal(body.kind === 'text' && body.text, '{"slot":"18446744073709551615"}');
    });

    test('18446744073709551615 leaves with every digit, as a number and as text', async () => {
      const seen: (bigint | undefined)[] = [];
      for (const written of ['18446744073709551615', '"18446744073709551615"']) {
        const error = await against(
          grpcService(({ stream, messages: [first = Buffer.alloc(0)] }) => {
            seen.push(requestOf(first).fromSlot);
            begin(stream, { 'grpc-status': '5' });
            stream.end();
          }),
          (origin) => refusedGrpc(origin, { asked: asking(SUBSCRIBE, `{"fromSlot":${written}}`) }),
        );
        assert.ok(error.kind === 'rpc' && error.code === 5, error.message);
      }
      assert.deepEqual(seen, [18446744073709551615n, 18446744073709551615n]);
    });

    const CASES: readonly (readonly [string, Serve, ServiceError['kind'], RegExp])[] = [
      ['garbage', ({ stream }) => answer(stream, Buffer.alloc(64, 0xff)), 'protocol', /compressed|bound/],
      [
        'a message above the bound',
        ({ stream }) => answer(stream, Buffer.from('0004000001', 'hex')),
        'protocol',
        /bound/,
      ],
      // grpc-js reports such a call as one without a message.
      [
        'half a message',
        ({ stream }) => answer(stream, SLOT.subarray(0, 9)),
        client === 'http2' ? 'network' : 'protocol',
        /complete|not the message/,
      ],
      ['no message', ({ stream }) => answer(stream, Buffer.alloc(0)), 'protocol', /not the message/],
      ['a compressed message', ({ stream }) => answer(stream, PACKED), 'protocol', /compressed/],
      ['two messages', ({ stream }) => answer(stream, Buffer.concat([SLOT, SLOT])), 'protocol', /more than one/],
      ['another message', ({ stream }) => answer(stream, framed(Buffer.alloc(9, 0xff))), 'protocol', /not the message/],
      [
        'no status',
        ({ stream }) => (stream.respond({ 'content-type': 'application/grpc' }), stream.end(SLOT)),
        'network',
        /complete/,
      ],
      ['a reset', ({ stream }) => stream.close(http2.constants.NGHTTP2_INTERNAL_ERROR), 'network', /internal error/],
      ['ENHANCE_YOUR_CALM', ({ stream }) => stream.close(CALM), 'network', /too many/],
      ['GOAWAY', ({ session }) => session.goaway(CALM), 'network', /complete|failed|too many/],
      ['a cut', ({ session }) => session.destroy(), 'network', /./],
      [
        'a page',
        ({ stream }) => (stream.respond({ 'content-type': 'text/html' }), stream.end('<h1>Hi</h1>')),
        'protocol',
        /not with gRPC/,
      ],
      [
        'a redirect',
        ({ stream }) => (stream.respond({ ':status': 302, location: '/x' }), stream.end()),
        'protocol',
        /redirect/,
      ],
      ['a non-numeric status', ({ stream }) => answer(stream, SLOT, { 'grpc-status': 'fine' }), 'rpc', /UNKNOWN/],
      ['an unknown status', ({ stream }) => answer(stream, SLOT, { 'grpc-status': '77' }), 'rpc', /status 77/],
      [
        'an exhausted plan with a long wait',
        ({ stream }) => answer(stream, SLOT, { 'grpc-status': '8', 'retry-after': '999' }),
        'rateLimited',
        /RESOURCE/,
      ],
      ['a deadline', ({ stream }) => answer(stream, SLOT, { 'grpc-status': '4' }), 'timeout', /in time/],
      [
        'headers of 100 kB',
        ({ stream }) => (stream.respond({ 'content-type': 'application/grpc', x: 'y'.repeat(100_000) }), stream.end()),
        // Node resets the stream, which grpc-js takes for a lost connection.
        client === 'http2' ? 'protocol' : 'network',
        /./,
      ],
    ];
    for (const [name, serve, kind, said] of CASES)
      test(`${name} is an error of kind ${kind}`, async () => {
        const error = errorOf(await called(serve));
        assert.equal(error.kind, kind, error.message);
        assert.match(error.message, said);
      });

    test('a body that never ends behind a refusal is read no further than its bound', async () => {
      let sent = 0;
      const error = errorOf(
        await called(({ stream }) => {
          stream.respond({ ':status': 400, 'content-type': 'text/plain' });
          const more = (): void => {
            while (!stream.destroyed && stream.write(Buffer.alloc(65536, 0x78), () => (sent += 65536)));
            if (!stream.destroyed) stream.once('drain', more);
          };
          more();
        }),
      );
      assert.equal(error.kind, 'protocol');
      assert.ok(sent < 8 * 1024 * 1024, `${sent} bytes were taken`);
    });

    test('a service that never answers, and a service that drips, end in a timeout', async () => {
      const asked = asking(GET_SLOT, '{}', { timeoutMs: 200 });
      assert.equal(errorOf(await called(() => undefined, { asked })).kind, 'timeout');
      const drip: Serve = ({ stream }) => {
        begin(stream);
        const timer = setInterval(() => stream.write(Buffer.from([0])), 20);
        stream.once('close', () => clearInterval(timer));
      };
      assert.equal(errorOf(await called(drip, { asked })).kind, 'timeout');
    });

    test('the time limit is sent to the service as its deadline', async () => {
      let sent: unknown;
      await called(({ stream, headers }) => ((sent = headers['grpc-timeout']), answer(stream, SLOT)), {
        asked: asking(GET_SLOT, '{}', { timeoutMs: 1_500 }),
      });
      assert.equal(sent, '1500m');
    });

    test('cancelling ends a call at once, on the wire too', async () => {
      const cancel = new AbortController();
      let gone: Promise<unknown> = Promise.reject(new Error('Nobody came.'));
      gone.catch(() => undefined);
      const error = await against(
        grpcService(({ stream }) => {
          gone = once(stream, 'close');
          cancel.abort();
        }),
        async (origin) => {
          const answered = errorOf(await callGrpc(origin, { signal: cancel.signal }));
          await gone;
          return answered;
        },
      );
      assert.equal(error.kind, 'cancelled');
    });

    test('a call that a closing connection did not look at goes out once more, on another one', async () => {
      let calls = 0;
      const result = await called(({ stream, session }) => {
        calls++;
        if (calls === 1) {
          session.goaway(0, 0);
          stream.close(http2.constants.NGHTTP2_REFUSED_STREAM);
        } else answer(stream, SLOT);
      });
      assert.equal(answerOf(result).error, undefined);
      assert.equal(calls, 2);
    });

    test('a key that is echoed is taken out of messages, metadata and words', async () => {
      const version = framed(Buffer.concat([Buffer.from([0x0a, KEY.length]), Buffer.from(KEY)]));
      const exchange = answerOf(
        await called(({ stream }) => answer(stream, version, { 'grpc-status': '0', 'x-echo': KEY }), {
          asked: asking('geyser.Geyser/GetVersion'),
        }),
      );
      assertNoKey(exchange);
      assert.match(exchange.body.kind === 'text' ? exchange.body.text : '', /redacted/);
      const status = { 'grpc-status': '3', 'grpc-message': encodeURIComponent(`bad ${KEY}`) };
      const error = errorOf(await called(({ stream }) => answer(stream, SLOT, status)));
      assert.match(error.message, /bad \[redacted\]/);
    });

    test('words of a service lose their control characters', async () => {
      const status = { 'grpc-status': '3', 'grpc-message': '%1b[31mred%00%e2%80%ae' };
      const error = errorOf(await called(({ stream }) => answer(stream, SLOT, status)));
      assert.doesNotMatch(error.message, /[\u0000-\u001f\u202e]/);
    });
  });

  describe(`other servers, by ${client}`, () => {
    test('a server that speaks HTTP/1.1 is a protocol error', async () => {
      const plain = httpServer((_, response) => void response.end('hi'));
      const error = errorOf(await against(plain, (o) => callGrpc(o)));
      assert.equal(error.kind, 'protocol', error.message);
      const raw = tcpServer((socket) => socket.end(rawAnswer('400 Bad Request', [], 'no')));
      assert.equal(errorOf(await against(raw, (o) => callGrpc(o))).kind, 'protocol');
    });

    test('a silent server ends in a timeout, a missing server is named', async () => {
      const asked = asking(GET_SLOT, '{}', { timeoutMs: 200 });
      assert.equal(
        errorOf(
          await against(
            tcpServer(() => undefined),
            (o) => callGrpc(o, { asked }),
          ),
        ).kind,
        'timeout',
      );
      const gone = await tcpServer(() => undefined);
      await gone.close();
      assert.match(errorOf(await callGrpc(gone.origin)).message, /refuses connections/);
    });
  });

  describe(`streams, by ${client}`, () => {
    /** Confirms with the answer to our ping, as services do, then calls `go`. */
    const serving =
      (go: (call: Call) => void): Serve =>
      (call) => {
        begin(call.stream);
        call.stream.write(update({ updateOneof: { case: 'pong', value: { id: 1 } } }));
        go(call);
      };

    test('pings are answered and not counted', async () => {
      const answered: (number | undefined)[] = [];
      const server = grpcService(
        serving(({ stream }) => stream.write(update({ updateOneof: { case: 'ping', value: {} } }))),
        {
          rest: ({ stream }, message) => {
            answered.push(requestOf(message).ping?.id);
            if (answered.length === 2) stream.write(slotUpdate(5n));
          },
        },
      );
      await against(server, (origin) =>
        openedGrpc(origin, {}, async (stream) => {
          const [message] = await take(stream, 1);
          assert.equal(member(member(message, 'slot'), 'slot'), '5');
        }),
      );
      assert.equal(answered.length, 2);
      assert.ok(answered.every((id) => id !== undefined));
    });

    test('a service that answers no pings counts as open after its headers', async () => {
      await against(
        grpcService(({ stream }) => begin(stream)),
        (origin) => openedGrpc(origin, {}, async () => undefined),
      );
    });

    test('what nobody reads is bounded: the oldest go, and are counted exactly', async () => {
      const server = grpcService(
        serving(({ stream }) => {
          for (let slot = 1n; slot <= 10_050n; slot++) stream.write(slotUpdate(slot));
          stream.end();
        }),
      );
      await against(server, (origin) =>
        openedGrpc(origin, {}, async (stream) => {
          // The end comes behind all of them.
          while (stream.error === undefined && stream.dropped < 50) await new Promise((go) => setImmediate(go));
          const left = await take(stream, Infinity);
          assert.deepEqual([stream.dropped, left.length], [50, 10_000]);
          assert.equal(member(member(left[0], 'slot'), 'slot'), '51');
        }),
      );
    });

    test('a half-open connection is given up', async (t) => {
      const clock: NetClock = { ...systemClock, sleep: (ms, stop) => systemClock.sleep(Math.min(ms, 30), stop) };
      const service = await grpcService(serving(() => undefined));
      t.after(() => service.close());
      let freeze = (): void => undefined;
      const between = tcpServer((socket) => {
        const onward = net.connect(service.port, '127.0.0.1').on('error', () => undefined);
        socket.pipe(onward).pipe(socket);
        freeze = () => void (socket.unpipe(onward), onward.unpipe(socket));
      });
      await against(between, (origin) =>
        openedGrpc(origin, { options: { clock } }, async (stream) => {
          freeze();
          await take(stream, Infinity);
          assert.match(stream.error?.message ?? '', /stopped answering/);
        }),
      );
    });

    const ENDS: readonly (readonly [string, (call: Call) => void, ServiceError['kind'] | undefined])[] = [
      ['its normal end', ({ stream }) => stream.end(), undefined],
      ['a cut', ({ session }) => session.destroy(), 'network'],
      ['GOAWAY with an error', ({ session }) => session.goaway(http2.constants.NGHTTP2_INTERNAL_ERROR), 'network'],
      ['a reset', ({ stream }) => stream.close(http2.constants.NGHTTP2_CANCEL), 'network'],
      ['garbage', ({ stream }) => stream.write(Buffer.alloc(64, 0xff)), 'protocol'],
      ['another message', ({ stream }) => stream.write(framed(Buffer.from('0affff', 'hex'))), 'protocol'],
      ['a message above the bound', ({ stream }) => stream.write(Buffer.from('00ffffffff', 'hex')), 'protocol'],
      ['a message of very many values', ({ stream }) => stream.write(MANY_TRANSACTIONS), 'protocol'],
    ];
    for (const [name, end, kind] of ENDS)
      test(`${name} in a stream ends it as ${kind ?? 'that'}`, async () => {
        let strike = (): void => undefined;
        const server = grpcService(
          serving((call) => {
            call.stream.write(slotUpdate(1n));
            strike = () => end(call);
          }),
        );
        await against(server, (origin) =>
          openedGrpc(origin, {}, async (stream) => {
            assert.equal((await take(stream, 1)).length, 1);
            strike();
            assert.deepEqual(await take(stream, Infinity), []);
            assert.equal(stream.error?.kind, kind, stream.error?.message);
            assertNoKey(stream.error);
          }),
        );
      });

    for (const [code, kind] of [
      ['13', 'rpc'],
      ['14', 'network'],
      ['16', 'keyRejected'],
      ['7', 'wrongKeyType'],
      ['8', 'rateLimited'],
    ] as const)
      test(`status ${code} in a stream ends it as ${kind}`, async () => {
        // grpc-js drops what it has not handed over when an error arrives: the update is taken before.
        let strike = (): void => undefined;
        const server = grpcService(({ stream }) => {
          begin(stream, { 'grpc-status': code, 'grpc-message': 'enough' });
          stream.write(slotUpdate(1n));
          strike = () => void stream.end();
        });
        await against(server, (origin) =>
          openedGrpc(origin, {}, async (stream) => {
            assert.equal((await take(stream, 1)).length, 1);
            strike();
            assert.deepEqual(await take(stream, Infinity), []);
            assert.equal(stream.error?.kind, kind, stream.error?.message);
          }),
        );
      });

    test('an opening is not waited for longer than asked, and cancelled at once', async () => {
      const asked = asking(SUBSCRIBE, '{}', { timeoutMs: 150 });
      const late = await against(
        grpcService(() => undefined),
        (origin) => refusedGrpc(origin, { asked }),
      );
      assert.equal(late.kind, 'timeout');
      const cancel = new AbortController();
      const error = await against(
        grpcService(() => cancel.abort()),
        (origin) => refusedGrpc(origin, { signal: cancel.signal }),
      );
      assert.equal(error.kind, 'cancelled');
    });
  });
}
