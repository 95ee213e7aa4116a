// The one node's votes: one for each block that it confirms, signed as a vote transaction. Votes run nowhere and stand in
// no block: this ledger needs nobody's agreement, and its votes are what a listener of gossip would see.
import { decodeBase58, encodeBase58 } from '../../../core/values/encoding/base58';
import type { Keypair } from '../wallets/keys';
import { SYSVAR_CLOCK, SYSVAR_SLOT_HASHES, VOTE_PROGRAM } from '../accounts/addresses';
import type { Block } from '../types';

/** The instruction `Vote` of the Vote program. */
const VOTE = 2;

/** A vote as voteSubscribe tells it. */
export interface Vote {
  readonly votePubkey: string;
  readonly slots: readonly number[];
  /** The blockhash: this ledger has no bank hash. */
  readonly hash: string;
  /** Unix seconds. */
  readonly timestamp: number;
  /** Of the vote transaction, by the node's identity. */
  readonly signature: string;
}

export class Voter {
  /** `votePubkey` is the address of the node's vote account. */
  constructor(
    private readonly identity: Keypair,
    private readonly votePubkey: string,
  ) {}

  vote({ slot, blockhash, blockTime }: Block): Vote {
    const signature = this.identity.sign(this.#message(slot, blockhash, blockTime));
    return {
      votePubkey: this.votePubkey,
      slots: [slot],
      hash: blockhash,
      timestamp: blockTime,
      signature: encodeBase58(signature),
    };
  }

  /** The message of a legacy transaction: the node pays and votes, for its vote account, on the newest hash. */
  #message(slot: number, blockhash: string, blockTime: number): Uint8Array {
    const keys = [this.identity.address, this.votePubkey, SYSVAR_SLOT_HASHES, SYSVAR_CLOCK, VOTE_PROGRAM];
    const data = Buffer.alloc(4 + 8 + 8 + 32 + 1 + 8);
    data.writeUInt32LE(VOTE, 0);
    data.writeBigUInt64LE(1n, 4);
    data.writeBigUInt64LE(BigInt(slot), 12);
    data.set(bytesOf(blockhash), 20);
    data.writeUInt8(1, 52);
    data.writeBigInt64LE(BigInt(blockTime), 53);
    return Buffer.concat([
      Uint8Array.of(1, 0, 3, keys.length),
      ...keys.map(bytesOf),
      bytesOf(blockhash),
      Uint8Array.of(1, 4, 4, 1, 2, 3, 0, data.length),
      data,
    ]);
  }
}

function bytesOf(base58: string): Uint8Array {
  return decodeBase58(base58) ?? new Uint8Array(32);
}
