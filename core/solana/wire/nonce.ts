// Durable nonces: a transaction whose first instruction advances a nonce account has that account's nonce in the place of a
// recent blockhash, and lives until the nonce is advanced. The same in every version.
import { encodeBase58 } from '../encoding/base58';
import { ByteReader } from '../encoding/bytes';
import type { Message } from './transactionTypes';

const SYSTEM = '11111111111111111111111111111111';
const ADVANCE_NONCE = 4;
/** A nonce account: version, state and authority, then the nonce (Solana, `nonce::State`). Bytes. */
const NONCE_AT = 40;
const NONCE_ACCOUNT = 80;

export interface DurableNonce {
  /** The nonce account, base58. */
  readonly account: string;
  /** The nonce that the transaction was signed with, base58. */
  readonly nonce: string;
}

/** The durable nonce that the message uses; undefined where it has a recent blockhash, or a lookup table has the account. */
export function durableNonceOf({ instructions, accountKeys, blockhash }: Message): DurableNonce | undefined {
  const [first] = instructions;
  const program = accountKeys[first?.program ?? -1];
  const account = accountKeys[first?.accounts[0] ?? -1];
  if (first === undefined || program === undefined || account === undefined) return undefined;
  const data = new ByteReader(first.data);
  const isAdvance = data.u32() === ADVANCE_NONCE && !data.failed && encodeBase58(program) === SYSTEM;
  return isAdvance ? { account: encodeBase58(account), nonce: encodeBase58(blockhash) } : undefined;
}

/** The nonce in an account's data, base58; undefined for other data. */
export const nonceIn = (data: Uint8Array): string | undefined =>
  data.length === NONCE_ACCOUNT ? encodeBase58(data.subarray(NONCE_AT, NONCE_AT + 32)) : undefined;
