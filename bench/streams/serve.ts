// The load generator of P8 to P11, a separate process: account updates over gRPC and over WebSocket, encoded before, as
// fast as the other side takes them or, over gRPC, at a pace: `node serve.mjs [UPDATES A SECOND]`. Prints both ports, answers
// each line of stdin (`pour`, `hold`, `sent`) with what it sent so far; ends with its stdin.
import { once } from 'node:events';
import http2, { type ServerHttp2Stream } from 'node:http2';
import type { AddressInfo, Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { WebSocketServer, type WebSocket } from 'ws';
import { CHAIN_RULES } from '../../core/solana/chain/chain';
import { accountFrame, DATA, LAMPORTS, SLOT } from './updates';

export interface Ports {
  readonly grpc: number;
  readonly ws: number;
}

export interface Sent {
  /** Updates handed to the connections, over gRPC. */
  readonly updates: number;
  /** Processor time of the generator since its start, in milliseconds. */
  readonly cpuMs: number;
}

/** Bytes written at once: then the generator's own work hardly counts. */
const BATCH = 256 * 1024;
/** With a pace: different updates of one slot, and how often what is due is written. */
const ACCOUNTS = 512;
const TURN_MS = 5;
/** Bytes that may wait in a connection whose other side does not read. */
const MAX_WAITING = 4 * BATCH;

const pace = Number(process.argv[2] ?? 0);
const sent = { updates: 0 };
/** True: nothing is sent until `pour`. */
let isHeld = false;
const held = new Set<() => void>();

const value = `{"lamports":${LAMPORTS},"data":["${DATA.toString('base64')}","base64"],"owner":"TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA","executable":false,"rentEpoch":18446744073709551615,"space":165}`;
const notification = Buffer.from(
  `{"jsonrpc":"2.0","method":"accountNotification","params":{"result":{"context":{"slot":${SLOT}},"value":${value}},"subscription":7}}`,
);

/** A server's text frame (RFC 6455, 5.2), of a message between 126 and 65,535 bytes. */
function webSocketFrame(message: Buffer): Buffer {
  const head = Buffer.from([0x81, 126, 0, 0]);
  head.writeUInt16BE(message.length, 2);
  return Buffer.concat([head, message]);
}

const batchOf = (frame: Buffer): Buffer => Buffer.concat(Array<Buffer>(Math.floor(BATCH / frame.length)).fill(frame));

/** Writes for as long as there is somebody who reads. */
function pour(to: NodeJS.WritableStream & { readonly destroyed?: boolean }, batch: Buffer, onBatch: () => void): void {
  const more = (): void => {
    if (isHeld) {
      held.add(more);
      return;
    }
    let isTaken = true;
    while (to.destroyed !== true && isTaken && !isHeld) {
      isTaken = to.write(batch);
      onBatch();
    }
    if (to.destroyed !== true) to.once('drain', more);
  };
  more();
}

/** Writes what is due, of the slot that it is then; what was not taken in time is owed. */
function pourAtPace(to: ServerHttp2Stream): void {
  const begun = performance.now();
  let slot = 0;
  let batch = Buffer.alloc(0);
  let frame = 0;
  let at = begun;
  let owed = 0;
  const turn = setInterval(() => {
    const now = performance.now();
    if (!isHeld) owed += ((now - at) * pace) / 1_000;
    at = now;
    if (to.destroyed) {
      clearInterval(turn);
      return;
    }
    const current = SLOT + Math.floor((now - begun) / CHAIN_RULES.alpenglow.slotMs);
    if (current !== slot) {
      slot = current;
      const frames = Array.from({ length: ACCOUNTS }, (_, account) => accountFrame(account, slot));
      batch = Buffer.concat(frames);
      frame = batch.length / ACCOUNTS;
    }
    while (owed >= 1 && to.writableLength < MAX_WAITING && !isHeld) {
      const count = Math.min(ACCOUNTS, Math.floor(owed));
      to.write(batch.subarray(0, count * frame));
      owed -= count;
      sent.updates += count;
    }
  }, TURN_MS);
}

function listenGrpc(): http2.Http2Server {
  const frame = accountFrame(0, SLOT);
  const frames = batchOf(frame);
  const server = http2.createServer({ maxSessionMemory: 1_000 });
  server.on('session', (session) => session.on('error', () => undefined));
  server.on('stream', (stream) => {
    stream.on('error', () => undefined);
    stream.once('data', () => {
      stream.respond({ ':status': 200, 'content-type': 'application/grpc' });
      if (pace > 0) pourAtPace(stream);
      else pour(stream, frames, () => (sent.updates += frames.length / frame.length));
    });
    // Discards what the client still sends: pings.
    stream.resume();
  });
  return server.listen(0, '127.0.0.1');
}

function listenWebSocket(): WebSocketServer {
  const notifications = batchOf(webSocketFrame(notification));
  const sockets = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: false });
  sockets.on('connection', (socket: WebSocket, request) => {
    socket.on('error', () => undefined);
    socket.on('message', (data: Buffer) => {
      const asked = JSON.parse(data.toString()) as { readonly id?: number | string; readonly method: string };
      if (!asked.method.endsWith('Subscribe')) return;
      socket.send(`{"jsonrpc":"2.0","result":7,"id":${JSON.stringify(asked.id)}}`, () => {
        const wire: Socket = request.socket;
        pour(wire, notifications, () => undefined);
      });
    });
  });
  return sockets;
}

async function main(): Promise<void> {
  const [grpc, ws] = [listenGrpc(), listenWebSocket()];
  await Promise.all([once(grpc, 'listening'), once(ws, 'listening')]);
  const portOf = (server: { address(): unknown }): number => (server.address() as AddressInfo).port;
  const send = (message: Ports | Sent): void => void process.stdout.write(`${JSON.stringify(message)}\n`);
  send({ grpc: portOf(grpc), ws: portOf(ws) });
  const lines = createInterface({ input: process.stdin });
  lines.on('line', (line) => {
    if (line !== 'sent') isHeld = line === 'hold';
    if (!isHeld) {
      for (const more of held) more();
      held.clear();
    }
    const { user, system } = process.cpuUsage();
    send({ ...sent, cpuMs: (user + system) / 1_000 });
  });
  lines.once('close', () => process.exit(0));
}

void main();
