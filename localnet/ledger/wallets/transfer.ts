// Builds and signs the one transaction the ledger makes by itself: a transfer with a memo, for the faucet and traffic.
import { decodeBase58 } from '../../../core/values/encoding/base58';
import { MEMO_PROGRAM, SYSTEM_PROGRAM } from '../accounts/addresses';
import type { Keypair } from './keys';

const TRANSFER = 2;

interface TransferWithMemo {
  readonly to: string;
  readonly lamports: bigint;
  readonly memo: string;
}

/** The signed wire bytes of a legacy transaction that moves lamports from `from` to another address. */
export function transferWithMemo(
  from: Keypair,
  { to, lamports, memo }: TransferWithMemo,
  blockhash: string,
): Uint8Array {
  const data = new Uint8Array(12);
  const view = new DataView(data.buffer);
  view.setUint32(0, TRANSFER, true);
  view.setBigUint64(4, lamports, true);
  const text = new TextEncoder().encode(memo).subarray(0, 120);
  // A key stands only once in a message: a wallet may pay itself, and a program may be paid, as far as the engine lets it.
  const writable = [...new Set([from.address, to])];
  const readonly = [SYSTEM_PROGRAM, MEMO_PROGRAM].filter((program) => !writable.includes(program));
  const keys = [...writable, ...readonly];
  const at = (key: string): number => keys.indexOf(key);
  const message = concat([
    Uint8Array.of(1, 0, readonly.length, keys.length),
    ...keys.map(bytesOf),
    bytesOf(blockhash),
    Uint8Array.of(2, at(SYSTEM_PROGRAM), 2, 0, at(to), data.length),
    data,
    Uint8Array.of(at(MEMO_PROGRAM), 0, text.length),
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
