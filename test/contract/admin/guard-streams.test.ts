// Floods and slow readers over WebSocket, gRPC and HTTP: memory stays bounded and others are served.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import http from 'node:http';
import http2 from 'node:http2';
import net from 'node:net';
import { after, afterEach, before, test } from 'node:test';
import { WebSocket } from 'ws';
import { member } from '../../../core/values/json/json';
import { Geyser } from '../../../proto';
import { startTestLedger, type Localnet } from '../../support/process/localnet';
import { residentBytes } from '../../support/process/processes';
import { geyserClient } from '../geyser/geyser-client';
import { freshKey, SYSTEM } from '../rpc/rpc-harness';

const MB = 1024 * 1024;
/** What garbage not yet collected may add to a bound of 64 MB. Without the bound these tests grow by 700 MB and more. */
const SLACK = 450 * MB;

let local: Localnet;
let memoryBefore: number;
before(async () => {
  local = await startTestLedger(['--plan', 'Shared Metal']);
});
after(() => local.stop());

const open: { destroy(): void }[] = [];
afterEach(() => {
  for (const one of open.splice(0)) one.destroy();
});
const kept = <T extends { destroy(): void }>(one: T): T => {
  open.push(one);
  return one;
};

const memory = (): number => residentBytes(local.ready.pid) ?? 0;
const remember = (): void => void (memoryBefore = memory());
const grown = (): number => memory() - memoryBefore;

async function assertServed(): Promise<void> {
  assert.equal((await local.rpc('getSlot')).status, 200);
  const client = geyserClient(local);
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

test('many WebSockets that read slowly together may not fill memory, and one that reads gets everything', async () => {
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
  remember();
  // Less than what may wait on one connection; on all of them it is eleven times what may.
  const data = Buffer.alloc(MB, 1).toString('base64');
  for (let lamports = 1; lamports <= 11; lamports++) {
    await local.cheat('setAccount', { address, owner: SYSTEM, lamports: lamports * 1e10, data });
  }
  assert.ok(grown() < 64 * MB + SLACK, `grown by ${grown()}`);
  while (read < 11) await once(quick, 'message');
  for (const socket of slow) socket.resume();
  await Promise.race(cut);
  await assertServed();
  for (const socket of [...slow, quick]) socket.terminate();
});

test('a flood of 100,000 frames is answered or refused, and others are served', async () => {
  const { key } = await local.newKey({ type: 'rpc', plan: 'Shared Metal' });
  const socket = new WebSocket(`${local.ready.wsUrl}?api_key=${key}`);
  await once(socket, 'open');
  remember();
  for (let id = 0; id < 100_000; id++) socket.send('{"jsonrpc":"2.0","id":1,"method":"slotUnsubscribe","params":[0]}');
  await assertServed();
  assert.ok(grown() < 64 * MB + SLACK, `grown by ${grown()}`);
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
  const sessions = Array.from({ length: 12 }, () => kept(http2.connect(local.ready.grpcUrl)));
  remember();
  const outcomes = await Promise.all(
    sessions.flatMap((session) =>
      Array.from({ length: 16 }, () => {
        const stream = session.request(grpcHeaders('GetSlot'));
        stream.resume().write(beginningOf(4 * MB, 4 * MB - 1));
        return new Promise<string>((resolve) => {
          stream.on('response', (headers) => resolve(`status ${String(headers['grpc-status'])}`));
          stream.on('error', (error: Error) => resolve(error.message));
          // All of it has been taken, and the message waits for its last byte.
          stream.on('drain', () => resolve('taken'));
        });
      }),
    ),
  );
  assert.ok(grown() < 64 * MB + SLACK, `grown by ${grown()}`);
  assert.ok(outcomes.some((outcome) => outcome !== 'taken'));
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

test('above the bound of gRPC connections the idle ones make room', async () => {
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
  remember();
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
  await assertServed();
  assert.ok(grown() < 64 * MB + SLACK, `grown by ${grown()}`);
  for (const answer of answers) answer.destroy();
  assert.notEqual(member((await local.rpc('getHealth')).json, 'result'), undefined);
});
