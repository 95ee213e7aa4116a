// A WebSocket and a gRPC subscriber that count their messages, so that the service is measured while it notifies others.
import { once } from 'node:events';
import http2 from 'node:http2';
import { create, toBinary } from '@bufbuild/protobuf';
import { WebSocket } from 'ws';
import { CommitmentLevel, Geyser, SubscribeRequestSchema } from '../../proto';
import type { BenchService } from './service';

export interface Subscribers {
  /** Notifications of logs, one per transaction, so far. */
  notifications(): number;
  /** gRPC updates so far: one per transaction, one per account it wrote, and slots. */
  updates(): number;
  close(): void;
}

/** Subscribes to all logs and slots over WebSocket, to all transactions, accounts and slots over gRPC, at processed. */
export async function subscribe({ ready }: BenchService): Promise<Subscribers> {
  let notifications = 0;
  let updates = 0;
  const socket = new WebSocket(`${ready.wsUrl}?api_key=${ready.keys.rpc.key}`, { perMessageDeflate: false });
  await once(socket, 'open');
  const ask = (method: string, params: unknown): void =>
    socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }));
  ask('logsSubscribe', ['all', { commitment: 'processed' }]);
  ask('slotSubscribe', []);
  socket.on('message', (data: Buffer) => {
    if (data.includes('"logsNotification"')) notifications++;
  });

  const session = http2.connect(ready.grpcUrl);
  const stream = session.request({
    ':method': 'POST',
    ':path': `/${Geyser.typeName}/${Geyser.method.subscribe.name}`,
    'content-type': 'application/grpc',
    te: 'trailers',
    authorization: `Bearer ${ready.keys.grpc.key}`,
  });
  const every = { transactions: { all: {} }, accounts: { all: {} }, slots: { all: {} } };
  const message = toBinary(
    SubscribeRequestSchema,
    create(SubscribeRequestSchema, { ...every, commitment: CommitmentLevel.PROCESSED }),
  );
  const frame = Buffer.alloc(5 + message.length);
  frame.writeUInt32BE(message.length, 1);
  frame.set(message, 5);
  stream.write(frame);
  stream.on(
    'data',
    counter(() => updates++),
  );
  await once(stream, 'response');
  return {
    notifications: () => notifications,
    updates: () => updates,
    close: () => {
      socket.terminate();
      session.destroy();
    },
  };
}

/** Calls `count` for each length-prefixed message that passes. */
function counter(count: () => void): (chunk: Buffer) => void {
  let header = Buffer.alloc(0);
  let left = 0;
  return (chunk) => {
    for (let at = 0; at < chunk.length;) {
      if (left > 0) {
        const taken = Math.min(left, chunk.length - at);
        at += taken;
        left -= taken;
        if (left === 0) count();
        continue;
      }
      const more = chunk.subarray(at, at + 5 - header.length);
      at += more.length;
      header = Buffer.concat([header, more]);
      if (header.length < 5) return;
      left = header.readUInt32BE(1);
      header = Buffer.alloc(0);
      if (left === 0) count();
    }
  };
}
