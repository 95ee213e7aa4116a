// Builds and signs the one transaction the ledger makes by itself: a transfer, with or without a memo, for faucet and traffic.
import { MEMO_PROGRAM, SYSTEM_PROGRAM } from '../accounts/addresses';
import { bytes32Of, type Keypair } from './keys';

const TRANSFER = 2;

interface Transfer {
  readonly to: string;
  readonly lamports: bigint;
  /** Gives an equal transfer on the same blockhash another signature. */
  readonly memo?: string;
}

/** The signed wire bytes of a legacy transaction that moves lamports from `from` to another address. */
export function signedTransfer(from: Keypair, { to, lamports, memo }: Transfer, blockhash: string): Uint8Array {
  const data = new Uint8Array(12);
  const view = new DataView(data.buffer);
  view.setUint32(0, TRANSFER, true);
  view.setBigUint64(4, lamports, true);
  const text = memo === undefined ? undefined : new TextEncoder().encode(memo).subarray(0, 120);
  // A message has each key only once: a wallet may pay itself, and a program may be paid, as far as the engine lets it.
  const writable = [...new Set([from.address, to])];
  const readonly = [SYSTEM_PROGRAM, ...(text === undefined ? [] : [MEMO_PROGRAM])].filter(
    (program) => !writable.includes(program),
  );
  const keys = [...writable, ...readonly];
  const at = (key: string): number => keys.indexOf(key);
  const message = concat([
    Uint8Array.of(1, 0, readonly.length, keys.length),
    ...keys.map(bytes32Of),
    bytes32Of(blockhash),
    Uint8Array.of(text === undefined ? 1 : 2, at(SYSTEM_PROGRAM), 2, 0, at(to), data.length),
    data,
    ...(text === undefined ? [] : [Uint8Array.of(at(MEMO_PROGRAM), 0, text.length), text]),
  ]);
  return concat([Uint8Array.of(1), from.sign(message), message]);
}

function concat(parts: readonly Uint8Array[]): Uint8Array {
  return new Uint8Array(Buffer.concat(parts));
}
