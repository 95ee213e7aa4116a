// The one node's votes: one for each block, signed as a vote transaction and put into the block after it. The engine does
// not run them: what they would do follows from the blocks (tower.ts).
import { encodeBase58 } from '../../../core/solana/encoding/base58';
import { bytes32Of, type Keypair } from '../wallets/keys';
import { SYSVAR_CLOCK, SYSVAR_SLOT_HASHES, VOTE_PROGRAM } from '../accounts/addresses';
import type { LedgerBlock } from '../types';

/** The instruction `Vote` of the Vote program. */
const VOTE = 2;

/** The block that a vote is for. */
export type VotedBlock = Pick<LedgerBlock, 'slot' | 'blockhash' | 'blockTime'>;

/** A vote as voteSubscribe reports it. */
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

/** Lamports for one signature. */
const SIGNATURE_FEE = 5_000n;

export class Voter {
  /** The node's identity, which leads every slot. */
  readonly node: string;
  /** Who pays, the vote account, the sysvars and the program: the accounts of every vote. */
  readonly accountKeys: readonly string[];
  readonly fee: bigint;

  /** `address` is the node's vote account; `authority` signs for it, the identity where it is left out. */
  constructor(
    private readonly identity: Keypair,
    readonly address: string,
    private readonly authority?: Keypair,
  ) {
    this.node = identity.address;
    this.accountKeys = [this.node, address, SYSVAR_SLOT_HASHES, SYSVAR_CLOCK, VOTE_PROGRAM];
    this.fee = authority === undefined ? SIGNATURE_FEE : 2n * SIGNATURE_FEE;
  }

  vote(block: VotedBlock): Vote {
    const { slot, blockhash, blockTime } = block;
    return {
      votePubkey: this.address,
      slots: [slot],
      hash: blockhash,
      timestamp: blockTime,
      signature: this.signature(block),
    };
  }

  /** Of the vote transaction, base58. */
  signature(block: VotedBlock): string {
    return encodeBase58(this.identity.sign(this.#message(block)));
  }

  /** The vote transaction, the same bytes each time. */
  wire(block: VotedBlock): Uint8Array {
    const message = this.#message(block);
    const signers = this.authority === undefined ? [this.identity] : [this.identity, this.authority];
    return new Uint8Array(
      Buffer.concat([Uint8Array.of(signers.length), ...signers.map((key) => key.sign(message)), message]),
    );
  }

  /** The message of a legacy transaction: the node pays and votes, for its vote account, on the newest hash. */
  #message({ slot, blockhash, blockTime }: VotedBlock): Uint8Array {
    const data = Buffer.alloc(4 + 8 + 8 + 32 + 1 + 8);
    data.writeUInt32LE(VOTE, 0);
    data.writeBigUInt64LE(1n, 4);
    data.writeBigUInt64LE(BigInt(slot), 12);
    data.set(bytes32Of(blockhash), 20);
    data.writeUInt8(1, 52);
    data.writeBigInt64LE(BigInt(blockTime), 53);
    const [signers, authority] = this.authority === undefined ? [1, 0] : [2, 1];
    return Buffer.concat([
      Uint8Array.of(signers, 0, 3, this.accountKeys.length),
      ...this.accountKeys.map(bytes32Of),
      bytes32Of(blockhash),
      Uint8Array.of(1, 4, 4, 1, 2, 3, authority, data.length),
      data,
    ]);
  }
}
