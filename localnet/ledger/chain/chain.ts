// The blocks of the ledger and what a commitment means: which block is open, which confirmed, which final. Slots may be
// skipped (time travel), heights never are; everything that counts blocks counts heights.
import type { SettlingRecord } from '../engine/record';
import { NO_FEES, type Fees } from '../engine/fees';
import type { LedgerBlock, Commitment, LedgerEvent, Reward } from '../types';

/** A blockhash may be used while at most this many blocks came after its own. */
export const BLOCKHASH_LIFE = 150;
/** Blocks kept for getBlock and its kin. */
const BLOCKS_KEPT = 50_000;

export interface OpenBlock extends LedgerBlock {
  readonly transactions: SettlingRecord[];
  transactionCount: number;
  /** Cost of its transactions so far, in compute units. */
  costUnits: bigint;
  /** Fees of its transactions so far. */
  fees: Fees;
  rewards?: readonly Reward[];
  rewardPartitions?: number;
}

/** A block that opens on top of another, or as the first. */
export function newBlock(
  parent: OpenBlock | undefined,
  isNewEpoch: boolean,
  {
    slot,
    bankId,
    blockhash,
    previousBlockhash,
    blockTime,
  }: Pick<LedgerBlock, 'slot' | 'bankId' | 'blockhash' | 'previousBlockhash' | 'blockTime'>,
): OpenBlock {
  // Each field by its name: a spread costs several times as much.
  return {
    slot,
    bankId,
    blockhash,
    previousBlockhash,
    blockTime,
    parentSlot: parent?.slot ?? Math.max(0, slot - 1),
    height: heightAfter(parent),
    epochStartTime: parent === undefined || isNewEpoch ? blockTime : parent.epochStartTime,
    transactions: [],
    transactionCount: parent?.transactionCount ?? 0,
    costUnits: 0n,
    fees: NO_FEES,
  };
}

/** The height of a block on top of another, or of the first. */
export const heightAfter = (parent: LedgerBlock | undefined): number => (parent?.height ?? -1) + 1;

/** SlotHashes holds this many. */
export const SLOT_HASHES = 512;

export class Chain {
  readonly #byHeight = new Map<number, OpenBlock>();
  readonly #bySlot = new Map<number, OpenBlock>();
  readonly #heightOfHash = new Map<string, number>();
  #firstHeight = 0;
  /** Blocks up to this height are final, also those within the lag. */
  #finalHeight = 0;
  #openBlock: OpenBlock;

  constructor(
    genesis: OpenBlock,
    private readonly finalityLag: number,
    private readonly blocksKept = BLOCKS_KEPT,
  ) {
    this.#openBlock = genesis;
    this.#firstHeight = genesis.height;
    this.add(genesis);
  }

  get open(): OpenBlock {
    return this.#openBlock;
  }

  add(block: OpenBlock): void {
    this.#openBlock = block;
    this.#byHeight.set(block.height, block);
    this.#bySlot.set(block.slot, block);
    this.#heightOfHash.set(block.blockhash, block.height);
    const old = this.#byHeight.get(block.height - BLOCKHASH_LIFE - this.finalityLag - 2);
    if (old !== undefined) this.#heightOfHash.delete(old.blockhash);
    this.dropBelow(block.height - this.blocksKept + 1);
  }

  /** Takes the open block out; its parent is the newest then, until a block is added. */
  dropOpen(): OpenBlock {
    const { height, slot, blockhash } = this.#openBlock;
    const parent = this.#byHeight.get(height - 1);
    if (parent === undefined) throw new Error('The first block has no parent to go back to');
    this.#byHeight.delete(height);
    this.#bySlot.delete(slot);
    this.#heightOfHash.delete(blockhash);
    this.#openBlock = parent;
    return parent;
  }

  /** Forgets the blocks below a height. */
  dropBelow(height: number): void {
    for (; this.#firstHeight < height; this.#firstHeight++) {
      const gone = this.#byHeight.get(this.#firstHeight);
      if (gone === undefined) continue;
      this.#byHeight.delete(gone.height);
      this.#bySlot.delete(gone.slot);
    }
  }

  /** The height of a commitment. */
  height(commitment: Commitment): number {
    const open = this.#openBlock.height;
    if (commitment === 'processed') return open;
    if (commitment === 'confirmed') return Math.max(this.#firstHeight, open - 1);
    return Math.max(this.#firstHeight, this.#finalHeight, open - this.finalityLag);
  }

  /** Makes the blocks up to a height final before the lag has passed; the open one cannot be. */
  finalize(height: number): void {
    this.#finalHeight = height;
  }

  /** The newest block at a commitment. */
  tip(commitment: Commitment): OpenBlock {
    return this.#byHeight.get(this.height(commitment)) ?? this.#openBlock;
  }

  atHeight(height: number): LedgerBlock | undefined {
    return this.#byHeight.get(height);
  }

  /** The slots and hashes below a height, newest first, as SlotHashes holds them. */
  hashesBelow(height: number): readonly { readonly slot: number; readonly hash: string }[] {
    const hashes = [];
    for (let at = height - 1; at >= 0 && hashes.length < SLOT_HASHES; at--) {
      const block = this.atHeight(at);
      if (block === undefined) break;
      hashes.push({ slot: block.slot, hash: block.blockhash });
    }
    return hashes;
  }

  atSlot(slot: number): LedgerBlock | undefined {
    return this.#bySlot.get(slot);
  }

  /** Every block that is kept and closed, oldest first. */
  closed(): readonly LedgerBlock[] {
    return [...this.#byHeight.values()].filter(({ height }) => height < this.#openBlock.height);
  }

  get first(): LedgerBlock {
    return this.#byHeight.get(this.#firstHeight) ?? this.#openBlock;
  }

  /** The strongest commitment that a block of this height has. */
  commitmentOf(height: number): Commitment {
    if (height <= this.height('finalized')) return 'finalized';
    return height <= this.height('confirmed') ? 'confirmed' : 'processed';
  }

  /** The hash to sign with at a height: its own block's, or the parent's while the block is open. */
  latestBlockhash(height: number): { readonly blockhash: string; readonly lastValidBlockHeight: number } {
    const block = this.#byHeight.get(this.newestHash(height)) ?? this.#openBlock;
    return { blockhash: block.blockhash, lastValidBlockHeight: block.height + BLOCKHASH_LIFE };
  }

  /** The height of the newest block whose hash is known at a height. */
  newestHash(height: number): number {
    return height === this.#openBlock.height ? height - 1 : height;
  }

  /** True when a block up to `height` made the hash and it has not run out there. */
  isBlockhashValid(blockhash: string, height: number): boolean {
    const made = this.#heightOfHash.get(blockhash);
    if (made === undefined || made > height || made === this.#openBlock.height) return false;
    return height - made <= BLOCKHASH_LIFE;
  }

  /** Closed blocks with a slot in [from, to], ascending, at most `limit`. */
  slots(from: number, to: number, limit: number): number[] {
    const found: number[] = [];
    let height = this.#lowestHeightFrom(from);
    for (; found.length < limit; height++) {
      const block = this.#byHeight.get(height);
      if (block === undefined || block.slot > to) break;
      found.push(block.slot);
    }
    return found;
  }

  #lowestHeightFrom(slot: number): number {
    let low = this.#firstHeight;
    let high = this.#openBlock.height + 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#byHeight.get(middle)?.slot ?? 0) < slot) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

export function slotEvent(block: LedgerBlock, status: 'created' | Commitment): LedgerEvent {
  return { kind: 'slot', slot: block.slot, parent: block.parentSlot, status, block };
}
