// Durable nonces: a transaction whose first instruction advances a nonce account may carry that account's stored hash
// in place of a recent blockhash.
import { createHash } from 'node:crypto';
import { encodeBase58 } from '../../core/values/base58';
import type { AccountView } from './accounts';
import { SYSTEM_PROGRAM } from './addresses';
import { isWritable, type DecodedMessage } from './wire';

const ADVANCE_NONCE = 4;
export const NONCE_BYTES = 80;
const INITIALIZED = 1;

export interface Nonce {
  readonly authority: string;
  readonly blockhash: string;
  readonly lamportsPerSignature: bigint;
}

/** The initialized nonce in an account's data, or `undefined`. */
export function readNonce(data: Uint8Array): Nonce | undefined {
  if (data.length !== NONCE_BYTES) return undefined;
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  if (view.getUint32(0, true) > 1 || view.getUint32(4, true) !== INITIALIZED) return undefined;
  return {
    authority: encodeBase58(data.subarray(8, 40)),
    blockhash: encodeBase58(data.subarray(40, 72)),
    lamportsPerSignature: view.getBigUint64(72, true),
  };
}

/** The nonce account's data after an advance: the engine derives each stored hash from the one before. */
export function advancedNonce(data: Uint8Array): Uint8Array {
  const next = data.slice();
  next.set(createHash('sha256').update('DURABLE_NONCE').update(data.subarray(40, 72)).digest(), 40);
  return next;
}

/** The nonce account the message stands on, when its hash is the one stored there. */
export function nonceAccountOf(message: DecodedMessage, accounts: Pick<AccountView, 'get'>): string | undefined {
  const [first] = message.instructions;
  if (first === undefined || message.staticKeys[first.programIdIndex] !== SYSTEM_PROGRAM) return undefined;
  if (first.data.length < 4 || first.data[0] !== ADVANCE_NONCE || first.data[1] !== 0) return undefined;
  const index = first.accounts[0];
  const address = index === undefined ? undefined : message.staticKeys[index];
  if (index === undefined || address === undefined || !isWritable(message, index)) return undefined;
  const account = accounts.get(address);
  if (account?.owner !== SYSTEM_PROGRAM) return undefined;
  return readNonce(account.data)?.blockhash === message.blockhash ? address : undefined;
}
