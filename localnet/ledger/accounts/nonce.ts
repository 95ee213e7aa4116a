// Durable nonces: a transaction whose first instruction advances a nonce account may carry that account's stored hash
// in place of a recent blockhash.
import { createHash } from 'node:crypto';
import { decodeBase58, encodeBase58 } from '../../../core/solana/encoding/base58';
import type { AccountView } from './accounts';
import { SYSTEM_PROGRAM } from './addresses';
import type { CompiledInstruction } from '../types';
import { isWritable } from '../transaction/wire';
import type { DecodedMessage } from '../transaction/wireTypes';
import { viewOf } from '../../../core/solana/encoding/bytes';

const ADVANCE_NONCE = 4;
const WITHDRAW_NONCE = 5;
const INITIALIZE_NONCE = 6;
/** The System program's instructions that look at the newest blockhash. */
const NONCE_INSTRUCTIONS: ReadonlySet<number> = new Set([ADVANCE_NONCE, WITHDRAW_NONCE, INITIALIZE_NONCE]);
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
  const view = viewOf(data);
  if (view.getUint32(0, true) > 1 || view.getUint32(4, true) !== INITIALIZED) return undefined;
  return {
    authority: encodeBase58(data.subarray(8, 40)),
    blockhash: encodeBase58(data.subarray(40, 72)),
    lamportsPerSignature: view.getBigUint64(72, true),
  };
}

/** The hash that an advance stores while `blockhash` is the newest one. */
function durableNonce(blockhash: string): Uint8Array {
  return createHash('sha256')
    .update('DURABLE_NONCE')
    .update(decodeBase58(blockhash) ?? new Uint8Array())
    .digest();
}

/** The nonce account's data after an advance while `blockhash` is the newest one. */
export function advancedNonce(data: Uint8Array, blockhash: string): Uint8Array {
  const next = data.slice();
  next.set(durableNonce(blockhash), 40);
  return next;
}

/** True when an instruction of the message looks at the newest blockhash. */
export function readsNewestBlockhash(message: DecodedMessage): boolean {
  return message.instructions.some((instruction) => {
    const number = systemInstruction(message, instruction);
    return number !== undefined && NONCE_INSTRUCTIONS.has(number);
  });
}

/**
 * The nonce account the message uses: the hash stored there is the message's, its authority signs, and it can be
 * advanced while `newest` is the newest blockhash (once per slot, that is).
 */
export function nonceAccountOf(
  message: DecodedMessage,
  accounts: Pick<AccountView, 'get'>,
  newest: string,
): string | undefined {
  const [first] = message.instructions;
  if (first === undefined || systemInstruction(message, first) !== ADVANCE_NONCE) return undefined;
  const index = first.accounts[0];
  const address = index === undefined ? undefined : message.staticKeys[index];
  if (index === undefined || address === undefined || !isWritable(message, index)) return undefined;
  const account = accounts.get(address);
  const nonce = account?.owner === SYSTEM_PROGRAM ? readNonce(account.data) : undefined;
  if (nonce === undefined || nonce.blockhash !== message.blockhash) return undefined;
  if (nonce.blockhash === encodeBase58(durableNonce(newest))) return undefined;
  const signs = first.accounts.some(
    (at) => at < message.numRequiredSignatures && message.staticKeys[at] === nonce.authority,
  );
  return signs ? address : undefined;
}

/** The number of a System program instruction; `undefined` for another program's. */
function systemInstruction(message: DecodedMessage, { programIdIndex, data }: CompiledInstruction): number | undefined {
  if (message.staticKeys[programIdIndex] !== SYSTEM_PROGRAM || data.length < 4) return undefined;
  return viewOf(data).getUint32(0, true);
}
