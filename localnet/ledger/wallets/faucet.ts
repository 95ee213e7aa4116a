// The faucet: real transfers from a rich account. A transfer that would repeat an earlier one gets a memo, so that they differ.
import { executeTransaction, type TransactionFate } from '../engine/execute';
import type { Keypair } from './keys';
import type { LedgerState } from '../state';
import { signedTransfer } from './transfer';
import { decodeStrictly } from '../transaction/wire';

/** Airdrops that are remembered to recognize an equal one: more than a blockhash lives to see. */
const REMEMBERED = 10_000;

export class Faucet {
  /** Address, lamports and blockhash of each, oldest first. */
  readonly #given = new Set<string>();
  #repeats = 0;

  constructor(
    private readonly state: LedgerState,
    private readonly keypair: Keypair,
  ) {}

  /** The transaction of an airdrop, for somebody else to send. */
  signed(address: string, lamports: bigint, blockhash: string): Uint8Array {
    const airdrop = `${address} ${lamports} ${blockhash}`;
    const memo = this.#given.has(airdrop) ? { memo: `airdrop ${++this.#repeats}` } : {};
    this.#given.add(airdrop);
    const [oldest] = this.#given;
    if (this.#given.size > REMEMBERED && oldest !== undefined) this.#given.delete(oldest);
    return signedTransfer(this.keypair, { to: address, lamports, ...memo }, blockhash);
  }

  /** Sends lamports in the open block; `blockhash` defaults to the newest one. */
  give(address: string, lamports: bigint, blockhash?: string): TransactionFate {
    const hash = blockhash ?? this.state.chain.latestBlockhash(this.state.chain.open.height).blockhash;
    const wire = this.signed(address, lamports, hash);
    return executeTransaction(this.state, { wire, transaction: decodeStrictly(wire) });
  }
}
