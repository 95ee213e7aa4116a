// The faucet: real transfers from a rich account, each with its own memo so that two equal ones differ.
import { execute, type Landing } from '../engine/execute';
import type { Keypair } from './keys';
import type { LedgerState } from '../state';
import { transferWithMemo } from './transfer';
import { decodeTransaction } from '../engine/wire';

export class Faucet {
  #count = 0;

  constructor(
    private readonly state: LedgerState,
    private readonly keypair: Keypair,
  ) {}

  /** The transaction of an airdrop, for somebody else to send. */
  signed(address: string, lamports: bigint, blockhash: string): Uint8Array {
    return transferWithMemo(this.keypair, { to: address, lamports, memo: `airdrop ${++this.#count}` }, blockhash);
  }

  /** Sends lamports in the open block; `blockhash` defaults to the newest one. */
  give(address: string, lamports: bigint, blockhash?: string): Landing {
    const hash = blockhash ?? this.state.chain.latestBlockhash(this.state.chain.open.height).blockhash;
    const wire = this.signed(address, lamports, hash);
    return execute(this.state, wire, decodeTransaction(wire));
  }
}
