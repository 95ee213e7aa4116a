// The protocol of solana-faucet over TCP: a request for lamports on a blockhash is answered with a signed transaction for the
// client to send. Only on 127.0.0.1.
import { createServer, type Socket } from 'node:net';
import { encodeBase58 } from '../../core/solana/encoding/base58';
import { listenOn } from '../http/listen';
import type { Ledger } from '../node/open';

/** The number of the request, lamports, address, blockhash. */
const REQUEST_BYTES = 4 + 8 + 32 + 32;
const GET_AIRDROP = 0;
/** An answer begins with its length; of nothing, where there is no airdrop. */
const REFUSED = Buffer.alloc(2);
const MAX_CONNECTIONS = 100;
const IDLE_MS = 5_000;

type Faucet = Pick<Ledger, 'signedAirdrop'>;

/** Answers what closes it; rejects when the port is taken. */
export async function serveFaucet(ledger: Faucet, port: number): Promise<() => Promise<void>> {
  const server = createServer((socket) => serve(ledger, socket));
  server.maxConnections = MAX_CONNECTIONS;
  const open = new Set<Socket>();
  server.on('connection', (socket) => {
    open.add(socket);
    socket.on('close', () => open.delete(socket));
  });
  await listenOn(server, port);
  return () =>
    new Promise((resolve) => {
      server.close(() => resolve());
      for (const socket of open) socket.destroy();
    });
}

/** One answer for each request, in order; bytes of anything else end the connection. */
function serve(ledger: Faucet, socket: Socket): void {
  let read = Buffer.alloc(0);
  socket.setTimeout(IDLE_MS, () => socket.destroy());
  socket.on('error', () => socket.destroy());
  socket.on('data', (bytes: Buffer) => {
    read = Buffer.concat([read, bytes]);
    for (; read.length >= REQUEST_BYTES; read = read.subarray(REQUEST_BYTES)) {
      const request = read.subarray(0, REQUEST_BYTES);
      if (request.readUInt32LE(0) !== GET_AIRDROP) {
        socket.end(REFUSED);
        return;
      }
      socket.write(airdrop(ledger, request));
    }
  });
}

function airdrop(ledger: Faucet, request: Buffer): Buffer {
  const lamports = request.readBigUInt64LE(4);
  if (lamports === 0n) return REFUSED;
  const [address, blockhash] = [encodeBase58(request.subarray(12, 44)), encodeBase58(request.subarray(44, 76))];
  const wire = ledger.signedAirdrop(address, lamports, blockhash);
  const length = Buffer.alloc(2);
  length.writeUInt16LE(wire.length);
  return Buffer.concat([length, wire]);
}
