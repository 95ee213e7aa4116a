// Floods and slow readers over WebSocket, gRPC and HTTP: what the service holds stays bounded and others are served.
import assert from 'node:assert/strict';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import http from 'node:http';
import http2 from 'node:http2';
import net from 'node:net';
import { after, afterEach, before, test } from 'node:test';
import { status } from '@grpc/grpc-js';
import { WebSocket } from 'ws';
import { member } from '../../../core/solana/json/json';
import { Geyser } from '../../../proto';
import { serviceInProcess, type InProcessService } from '../../support/process/inProcessService';
import { waitFor } from '../../support/wire/wire';
import { geyserClient } from '../geyser/geyser-client';
import { freshKey, SYSTEM } from '../rpc/rpc-harness';

const MB = 1024 * 1024;
/** Bytes that may wait on one WebSocket, and on those together that hold a large part each (docs/local-service.md). */
const MAX_WAITING = 16 * MB;
const MAX_WAITING_TOGETHER = 64 * MB;
const LARGE_PART = MAX_WAITING / 4;

/** The connections as the service has them: it runs in this process, so what it holds for each can be counted. */
const accepted = new Set<net.Socket>();
const onAccepted = (message: unknown): void => {
  const { socket } = message as { readonly socket: net.Socket };
  accepted.add(socket);
  socket.once('close', () => accepted.delete(socket));
};
/** Bytes that wait to be sent, of each connection. */
const held = (): readonly number[] => [...accepted].map(({ writableLength }) => writableLength);
const sum = (all: readonly number[]): number => all.reduce((total, one) => total + one, 0);

let local: InProcessService;
let others: Readonly<Record<'rpc' | 'grpc', { readonly key: string }>>;
before(async () => {
  subscribe('net.server.socket', onAccepted);
  local = await serviceInProcess('Shared Metal');
  others = {
    rpc: await local.newKey({ type: 'rpc', plan: 'Shared Metal' }),
    grpc: await local.newKey({ type: 'grpc', plan: 'Shared Metal' }),
  };
});
after(async () => {
  unsubscribe('net.server.socket', onAccepted);
  await local.stop();
});

const open: { destroy(): void }[] = [];
afterEach(() => {
  // Restores the part of the plans that the test used, for the next one.
  local.pass(1_000);
  for (const one of open.splice(0)) one.destroy();
});
const kept = <T extends { destroy(): void }>(one: T): T => {
  open.push(one);
  return one;
};

/** Others have separate keys, whose plan what a test sends does not use up. */
async function assertServed(): Promise<void> {
  assert.equal((await local.rpc('getSlot', undefined, others.rpc.key)).status, 200);
  const client = geyserClient(local, { authorization: `Bearer ${others.grpc.key}` });
  await client.unary(Geyser.method.getSlot);
  client.close();
}

const grpcHeaders = (method: string): http2.OutgoingHttpHeaders => ({
  ':method': 'POST',
  ':path': `/${Geyser.typeName}/${method}`,
  'content-type': 'application/grpc',
  te: 'trailers',
  authorization: `Bearer ${local.ready.keys.grpc.key}`,
});

/** The start of a message of `size` bytes, of which `sent` follow. */
function beginningOf(size: number, sent: number): Buffer {
  const bytes = Buffer.alloc(5 + sent);
  bytes.writeUInt32BE(size, 1);
  return bytes;
}

test('many WebSockets that read slowly cannot fill memory together, and a WebSocket that keeps reading gets everything', async () => {
  await local.admin('POST', '/streams/drop');
  const { address } = freshKey();
  const subscribe = async (): Promise<WebSocket> => {
    const socket = new WebSocket(`${local.ready.wsUrl}?api_key=${local.ready.keys.rpc.key}`);
    await once(socket, 'open');
    const config = { commitment: 'processed', encoding: 'base64' };
    socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'accountSubscribe', params: [address, config] }));
    await once(socket, 'message');
    return socket;
  };
  const slow = await Promise.all(Array.from({ length: 48 }, subscribe));
  const cut = slow.map((socket) => once(socket, 'close'));
  for (const socket of slow) socket.pause();
  const quick = await subscribe();
  let read = 0;
  quick.on('message', () => read++);
  // Less than what may wait on one connection; on all of them it is eleven times what may.
  const data = Buffer.alloc(MB, 1).toString('base64');
  for (let lamports = 1; lamports <= 11; lamports++) {
    await local.cheat('setAccount', { address, owner: SYSTEM, lamports: lamports * 1e10, data });
    while (read < lamports) await once(quick, 'message');
    const large = held().filter((bytes) => bytes > LARGE_PART);
    assert.ok(sum(large) <= MAX_WAITING_TOGETHER, `${large.length} connections hold ${sum(large)} bytes`);
  }
  for (const socket of slow) socket.resume();
  await Promise.race(cut);
  await assertServed();
  for (const socket of [...slow, quick]) socket.terminate();
});

test('a flood of 100,000 frames is answered or refused, and others are served', async () => {
  const { key } = await local.newKey({ type: 'rpc', plan: 'Shared Metal' });
  const socket = new WebSocket(`${local.ready.wsUrl}?api_key=${key}`);
  await once(socket, 'open');
  const frames = 100_000;
  let answered = 0;
  socket.on('message', () => answered++);
  for (let id = 0; id < frames; id++) socket.send('{"jsonrpc":"2.0","id":1,"method":"slotUnsubscribe","params":[0]}');
  const pong = once(socket, 'pong');
  socket.ping();
  await assertServed();
  // It follows the answers to everything before it.
  await pong;
  assert.equal(answered, frames);
  socket.terminate();
});

test('a gRPC call that its client resets before its request is whole leaves the service alive', async () => {
  const session = kept(http2.connect(local.ready.grpcUrl));
  for (const method of ['GetSlot', 'Subscribe', 'Nothing']) {
    for (const sent of [0, 3, 100]) {
      const stream = session.request(grpcHeaders(method));
      stream.on('error', () => undefined).resume();
      stream.write(beginningOf(1_000, 100).subarray(0, sent));
      // The service has the beginning of the call once it answers the ping that follows it.
      await new Promise((resolve) => session.ping(resolve));
      stream.close(http2.constants.NGHTTP2_CANCEL);
    }
  }
  await assertServed();
});

test('gRPC messages that never come whole share a bound, and others are served', async () => {
  // Its own bound on what it has to send would refuse most calls before the service does. Megabytes.
  const client = { maxSessionMemory: 256 };
  const sessions = Array.from({ length: 12 }, () => kept(http2.connect(local.ready.grpcUrl, client)));
  const ended = new Set<http2.ClientHttp2Stream>();
  const statuses: string[] = [];
  const streams = await Promise.all(
    sessions.flatMap((session) =>
      Array.from({ length: 16 }, async () => {
        const stream = session.request(grpcHeaders('GetSlot'));
        const end = (): void => void ended.add(stream);
        stream.on('response', (headers) => void statuses.push(String(headers['grpc-status'])));
        stream.on('response', end).on('close', end);
        stream.resume().write(beginningOf(4 * MB, 4 * MB - 1));
        await new Promise<void>((resolve) => {
          // All of it has been taken, and the message waits for its last byte; or it was refused.
          stream.on('drain', resolve).on('response', () => resolve());
          stream.on('error', () => resolve());
        });
        return stream;
      }),
    ),
  );
  const waiting = (): number => streams.filter((stream) => !ended.has(stream)).length;
  // A refusal may still be under way: until others are served without one more.
  for (let before = -1; statuses.length > before;) {
    before = statuses.length;
    await assertServed();
  }
  assert.ok(waiting() > 0 && waiting() <= MAX_WAITING_TOGETHER / (4 * MB), `${waiting()} messages of 4 MB are held`);
  assert.deepEqual([...new Set(statuses)], [String(status.RESOURCE_EXHAUSTED)]);
  assert.equal(statuses.length + waiting(), streams.length);
  for (const session of sessions) session.destroy();
  await assertServed();
});

test('a flood of gRPC calls is answered, and others are served meanwhile', async () => {
  const session = kept(http2.connect(local.ready.grpcUrl));
  let answered = 0;
  const flood = async (): Promise<void> => {
    for (let left = 40; left > 0; left--) {
      const stream = session.request(grpcHeaders('GetSlot'));
      stream.resume().end(beginningOf(0, 0));
      await once(stream, 'close');
      answered++;
    }
  };
  const all = Promise.all(Array.from({ length: 100 }, flood));
  await assertServed();
  await all;
  assert.equal(answered, 4_000);
});

test('above the bound of gRPC connections the idle ones are closed', async () => {
  const idle = Array.from({ length: 300 }, () =>
    kept(net.connect(Number(new URL(local.ready.grpcUrl).port), '127.0.0.1')),
  );
  const closed = Promise.race(idle.map((socket) => once(socket.on('error', () => undefined).resume(), 'close')));
  await Promise.all(idle.filter(({ connecting }) => connecting).map((socket) => once(socket, 'connect')));
  await closed;
  await assertServed();
});

test('a client that does not read a large answer leaves it unmade, and others are served', async () => {
  const addresses = Array.from({ length: 100 }, () => freshKey().address);
  const data = Buffer.alloc(MB, 1).toString('base64');
  for (const address of addresses) await local.cheat('setAccount', { address, owner: SYSTEM, lamports: 1e10, data });
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'getMultipleAccounts', params: [addresses] });
  const headers = { authorization: `Bearer ${local.ready.keys.rpc.key}`, 'content-type': 'application/json' };
  const answers = await Promise.all(
    Array.from({ length: 8 }, async () => {
      const request = kept(http.request(local.ready.rpcUrl, { method: 'POST', headers, agent: false }));
      request.on('error', () => undefined).end(body);
      const [answer] = (await once(request, 'response')) as [http.IncomingMessage];
      return answer.pause();
    }),
  );
  const full = (): number => [...accepted].filter(({ writableNeedDrain }) => writableNeedDrain).length;
  await waitFor(() => full() === answers.length);
  // The service has made all it makes: it holds no more after others were served than before.
  for (let before = -1; sum(held()) > before;) {
    before = sum(held());
    await assertServed();
  }
  assert.ok(sum(held()) <= MAX_WAITING_TOGETHER, `${sum(held())} bytes wait`);
  for (const answer of answers) answer.destroy();
  assert.notEqual(member((await local.rpc('getHealth')).json, 'result'), undefined);
});
