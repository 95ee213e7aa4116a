// A vote of the node in a block. One comes with each slot, so it keeps what it was made of and makes its bytes when
// somebody asks for them.
import type { Place } from '../engine/record';
import { decodeStrictly } from '../transaction/wire';
import type { StrictTransaction } from '../transaction/wireTypes';
import type { TransactionMeta, TransactionRecord } from '../types';
import type { VotedBlock, Voter } from './votes';

/** A vote's cost to its block, and the units it uses, in compute units. */
const COST_UNITS = 3_428n;
const COMPUTE_UNITS = 2_100n;
const LOGS = [
  'Program Vote111111111111111111111111111111111111111 invoke [1]',
  'Program Vote111111111111111111111111111111111111111 success',
];

/** The data of a vote, besides the block it is in. */
export interface CastVote {
  readonly voted: VotedBlock;
  readonly signature: string;
  /** Lamports of its accounts before it. */
  readonly balances: readonly bigint[];
}

export class VoteRecord implements TransactionRecord {
  readonly isVote = true;
  readonly memo = null;
  readonly slot: number;
  readonly height: number;
  readonly index: number;
  readonly blockTime: number;

  constructor(
    private readonly voter: Voter,
    readonly cast: CastVote,
    { slot, height, index, blockTime }: Place,
  ) {
    this.slot = slot;
    this.height = height;
    this.index = index;
    this.blockTime = blockTime;
  }

  get signature(): string {
    return this.cast.signature;
  }

  get accountKeys(): readonly string[] {
    return this.voter.accountKeys;
  }

  get wire(): Uint8Array {
    return this.voter.wire(this.cast.voted);
  }

  get transaction(): StrictTransaction {
    return decodeStrictly(this.wire);
  }

  get meta(): TransactionMeta {
    const { balances } = this.cast;
    return {
      err: null,
      fee: this.voter.fee,
      preBalances: balances,
      postBalances: balances.map((lamports, at) => (at === 0 ? lamports - this.voter.fee : lamports)),
      preTokenBalances: [],
      postTokenBalances: [],
      logMessages: LOGS,
      innerInstructions: [],
      loadedAddresses: { writable: [], readonly: [] },
      computeUnitsConsumed: COMPUTE_UNITS,
      costUnits: COST_UNITS,
      returnData: null,
    };
  }

  /** Keeps nothing that could be let go of. */
  settle(): void {}
}
