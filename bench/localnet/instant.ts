// P16: transactions sent one after the other, each confirmed before the next, as a program's tests do: on slots that end
// with their transaction, and on slots of 200 and 400 ms.
import { once } from 'node:events';
import { WebSocket } from 'ws';
import { decodeBase58, encodeBase58 } from '../../core/solana/encoding/base58';
import { keypairFromSeed } from '../../localnet/ledger/wallets/keys';
import { interleaved, median, ratioOf, type Measured } from '../measure';
import { plainClient, prepared } from './plainHttp';
import { benchService, type BenchService } from './service';
import { transferBytes } from './transfer';

const ROUNDS = 3;
const SENDS = 100;
/** Of slots with a pace fewer are counted: each takes its time. */
const SLOW_SENDS = 10;
const PAYEE = keypairFromSeed(new Uint8Array(32).fill(9)).address;

/** Sends transfers, each once the one before has this commitment; gives the milliseconds of one. */
export async function sendAll(
  { ready, port }: BenchService,
  count: number,
  commitment: 'confirmed' | 'finalized' = 'confirmed',
): Promise<number> {
  const wallet = keypairFromSeed((decodeBase58(ready.wallet.secretKey) ?? new Uint8Array()).subarray(0, 32));
  const { key } = ready.keys.rpc;
  const client = await plainClient(port);
  const socket = new WebSocket(`${ready.wsUrl}?api_key=${key}`, { perMessageDeflate: false });
  await once(socket, 'open');
  const call = (method: string, params: unknown): Promise<string> =>
    client.call(prepared(port, '/sol', key, JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })));
  try {
    const since = performance.now();
    for (let sent = 1; sent <= count; sent++) {
      const block = await call('getLatestBlockhash', [{ commitment: 'confirmed' }]);
      const blockhash = /"blockhash":"(\w+)"/.exec(block)?.[1] ?? '';
      const wire = transferBytes(wallet, PAYEE, 1_000_000 + sent, blockhash);
      const subscribe = {
        jsonrpc: '2.0',
        id: sent,
        method: 'signatureSubscribe',
        params: [encodeBase58(wire.subarray(1, 65)), { commitment }],
      };
      const confirmed = notified(socket);
      socket.send(JSON.stringify(subscribe));
      const config = { encoding: 'base64', preflightCommitment: 'confirmed' };
      const answer = await call('sendTransaction', [wire.toString('base64'), config]);
      if (!answer.includes('"result":')) throw new Error(`A transfer was refused: ${answer.slice(0, 300)}`);
      await confirmed;
    }
    return (performance.now() - since) / count;
  } finally {
    client.close();
    socket.terminate();
  }
}

/** Resolves with the next notification. */
function notified(socket: WebSocket): Promise<void> {
  return new Promise((resolve, reject) => {
    const closed = (): void => reject(new Error('The connection was closed.'));
    const came = (data: Buffer): void => {
      if (!data.includes('"signatureNotification"')) return;
      socket.off('message', came).off('close', closed);
      resolve();
    };
    socket.on('message', came).on('close', closed);
  });
}

export async function measureInstant(): Promise<readonly Measured[]> {
  const instant = await benchService([], ['--instant']);
  try {
    return [await againstSlots(instant, 200, 10), await againstSlots(instant, 400, 20)];
  } finally {
    await instant.stop();
  }
}

async function againstSlots(instant: BenchService, slotMs: number, atLeast: number): Promise<Measured> {
  const slots = await benchService([], ['--slot-ms', String(slotMs)]);
  try {
    const [fast = [], slow = []] = await interleaved(ROUNDS, [
      () => sendAll(instant, SENDS),
      () => sendAll(slots, SLOW_SENDS),
    ]);
    return {
      goal: 'P16',
      name: `${SENDS} sends with confirmation, --instant to slots of ${slotMs} ms (their time to ours)`,
      figure: ratioOf(slow, fast),
      bound: { atLeast },
      note: `${median(slow).toFixed(0)} ms to ${median(fast).toFixed(1)} ms each`,
    };
  } finally {
    await slots.stop();
  }
}
