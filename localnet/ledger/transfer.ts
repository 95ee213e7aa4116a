// Builds and signs the one transaction the ledger makes by itself: a transfer with a memo, for the faucet and traffic.
import { decodeBase58 } from '../../core/values/base58';
import { MEMO_PROGRAM, SYSTEM_PROGRAM } from './addresses';
import type { Keypair } from './keys';

const TRANSFER = 2;

/** The signed wire bytes of a legacy transaction that moves lamports from `from` to another address. */
export function transferWithMemo(
  from: Keypair,
  to: string,
  lamports: bigint,
  memo: string,
  blockhash: string,
): Uint8Array {
  const data = new Uint8Array(12);
  const view = new DataView(data.buffer);
  view.setUint32(0, TRANSFER, true);
  view.setBigUint64(4, lamports, true);
  const text = new TextEncoder().encode(memo).subarray(0, 120);
  // A wallet may pay itself; a key stands only once in a message.
  const own = to === from.address;
  const keys = own ? [from.address, SYSTEM_PROGRAM, MEMO_PROGRAM] : [from.address, to, SYSTEM_PROGRAM, MEMO_PROGRAM];
  const system = keys.length - 2;
  const message = concat([
    Uint8Array.of(1, 0, 2, keys.length),
    ...keys.map(bytesOf),
    bytesOf(blockhash),
    Uint8Array.of(2, system, 2, 0, own ? 0 : 1, data.length),
    data,
    Uint8Array.of(system + 1, 0, text.length),
    text,
  ]);
  return concat([Uint8Array.of(1), from.sign(message), message]);
}

function bytesOf(base58: string): Uint8Array {
  return decodeBase58(base58) ?? new Uint8Array(32);
}

function concat(parts: readonly Uint8Array[]): Uint8Array {
  return new Uint8Array(Buffer.concat(parts));
}
