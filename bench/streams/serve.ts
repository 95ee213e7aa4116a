// The load generator of P8, P9 and P11, a process of its own: pours the same account update, encoded once, as fast as the
// other side takes it, over gRPC and over WebSocket. Prints both ports; ends with its stdin.
import { once } from 'node:events';
import http2 from 'node:http2';
import type { AddressInfo, Socket } from 'node:net';
import { create, toBinary } from '@bufbuild/protobuf';
import { WebSocketServer, type WebSocket } from 'ws';
import { SubscribeUpdateSchema } from '../../proto';

/** Bytes written at once: then the generator's own work hardly counts. */
const BATCH = 256 * 1024;
const DATA = Buffer.alloc(165, 5);

const update = toBinary(
  SubscribeUpdateSchema,
  create(SubscribeUpdateSchema, {
    filters: ['all'],
    updateOneof: {
      case: 'account',
      value: {
        slot: 312_345_678n,
        account: {
          pubkey: Buffer.alloc(32, 1),
          owner: Buffer.alloc(32, 2),
          lamports: 2_039_280n,
          rentEpoch: 18446744073709551615n,
          data: DATA,
          writeVersion: 1_234_567_890n,
          txnSignature: Buffer.alloc(64, 3),
        },
      },
    },
    createdAt: { seconds: 1_700_000_000n, nanos: 123_456_789 },
  }),
);
const value = `{"lamports":2039280,"data":["${DATA.toString('base64')}","base64"],"owner":"TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA","executable":false,"rentEpoch":18446744073709551615,"space":165}`;
const notification = Buffer.from(
  `{"jsonrpc":"2.0","method":"accountNotification","params":{"result":{"context":{"slot":312345678},"value":${value}},"subscription":7}}`,
);

/** gRPC's frame of a message. */
function grpcFrame(message: Uint8Array): Buffer {
  const head = Buffer.alloc(5);
  head.writeUInt32BE(message.length, 1);
  return Buffer.concat([head, message]);
}

/** A server's text frame (RFC 6455, 5.2), of a message between 126 and 65,535 bytes. */
function webSocketFrame(message: Buffer): Buffer {
  const head = Buffer.from([0x81, 126, 0, 0]);
  head.writeUInt16BE(message.length, 2);
  return Buffer.concat([head, message]);
}

const batchOf = (frame: Buffer): Buffer => Buffer.concat(Array<Buffer>(Math.floor(BATCH / frame.length)).fill(frame));

/** Writes for as long as there is somebody who reads. */
function pour(to: NodeJS.WritableStream & { readonly destroyed?: boolean }, batch: Buffer): void {
  const more = (): void => {
    while (to.destroyed !== true && to.write(batch));
    if (to.destroyed !== true) to.once('drain', more);
  };
  more();
}

async function main(): Promise<void> {
  const frames = batchOf(grpcFrame(update));
  const grpc = http2.createServer({ maxSessionMemory: 1_000 });
  grpc.on('session', (session) => session.on('error', () => undefined));
  grpc.on('stream', (stream) => {
    stream.on('error', () => undefined);
    stream.once('data', () => {
      stream.respond({ ':status': 200, 'content-type': 'application/grpc' });
      pour(stream, frames);
    });
  });
  grpc.listen(0, '127.0.0.1');
  await once(grpc, 'listening');

  const notifications = batchOf(webSocketFrame(notification));
  const sockets = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: false });
  sockets.on('connection', (socket: WebSocket, request) => {
    socket.on('error', () => undefined);
    socket.on('message', (data: Buffer) => {
      const asked = JSON.parse(data.toString()) as { readonly id?: number | string; readonly method: string };
      if (!asked.method.endsWith('Subscribe')) return;
      socket.send(`{"jsonrpc":"2.0","result":7,"id":${JSON.stringify(asked.id)}}`, () => {
        const wire: Socket = request.socket;
        pour(wire, notifications);
      });
    });
  });
  await once(sockets, 'listening');
  const portOf = (server: { address(): unknown }): number => (server.address() as AddressInfo).port;
  process.stdout.write(`${JSON.stringify({ grpc: portOf(grpc), ws: portOf(sockets) })}\n`);
  process.stdin.resume().once('end', () => process.exit(0));
}

void main();
