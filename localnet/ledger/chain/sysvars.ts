// The sysvars that move with every slot, as bytes at any block: reads at a commitment see the clock of that commitment.
import { decodeBase58 } from '../../../core/solana/encoding/base58';
import { newAccount } from '../accounts/accounts';
import {
  SYSVAR_CLOCK,
  SYSVAR_OWNER,
  SYSVAR_RECENT_BLOCKHASHES,
  SYSVAR_SLOT_HASHES,
  SYSVAR_SLOT_HISTORY,
} from '../accounts/addresses';
import { u64s } from '../accounts/voteState';
import { SLOT_HASHES, type Chain } from './chain';
import type { AccountState, LedgerBlock } from '../types';

const BLOCKHASHES = 150;
/** Slots that the history of slots remembers, a bit each. */
const HISTORY_BITS = 1024 * 1024;
const LAMPORTS_PER_SIGNATURE = 5000n;

/** The state that a sysvar is computed from. */
interface Moment {
  readonly chain: Chain;
  readonly block: LedgerBlock;
  readonly slotsPerEpoch: number;
}

interface SysvarSource {
  readonly chain: Chain;
  readonly slotsPerEpoch: number;
  /** Lamports that make an account of so many bytes rent-exempt. */
  readonly rent: (bytes: number) => bigint;
}

const MOVING: ReadonlyMap<string, (at: Moment) => Uint8Array> = new Map([
  [SYSVAR_CLOCK, clock],
  [SYSVAR_SLOT_HASHES, slotHashes],
  [SYSVAR_RECENT_BLOCKHASHES, recentBlockhashes],
  [SYSVAR_SLOT_HISTORY, slotHistory],
]);

/** The sysvars that every slot changes; the ledger emits no event for their writes. */
export const MOVING_SYSVARS: readonly string[] = [...MOVING.keys()];

/** The account at a block, or `undefined` where the address is not that of a moving sysvar. */
export function sysvarsAt(
  { chain, slotsPerEpoch, rent }: SysvarSource,
  block: LedgerBlock,
  address: string,
): AccountState | undefined {
  const data = MOVING.get(address)?.({ chain, block, slotsPerEpoch });
  if (data === undefined) return undefined;
  return newAccount(SYSVAR_OWNER, rent(data.length), data);
}

/** slot, epoch start time, epoch, leader schedule epoch, unix time: 8 bytes each. */
function clock({ block, slotsPerEpoch }: Moment): Uint8Array {
  const epoch = Math.floor(block.slot / slotsPerEpoch);
  return u64s(block.slot, block.epochStartTime, epoch, epoch + 1, block.blockTime);
}

/** A count, then slot and hash per earlier block, newest first. */
function slotHashes({ chain, block }: Moment): Uint8Array {
  const data = new Uint8Array(8 + SLOT_HASHES * 40);
  const view = new DataView(data.buffer);
  const hashes = chain.hashesBelow(block.height);
  view.setBigUint64(0, BigInt(hashes.length), true);
  for (const [index, { slot, hash }] of hashes.entries()) {
    view.setBigUint64(8 + index * 40, BigInt(slot), true);
    data.set(decodeBase58(hash) ?? [], 16 + index * 40);
  }
  return data;
}

/**
 * A count, then hash and fee per signature of each block, newest first; always of the length of a full list. A block that is
 * closed has registered its own hash (Agave, Bank::register_recent_blockhash).
 */
function recentBlockhashes({ chain, block }: Moment): Uint8Array {
  const data = new Uint8Array(8 + BLOCKHASHES * 40);
  const view = new DataView(data.buffer);
  let count = 0;
  for (let height = chain.newestHash(block.height); count < BLOCKHASHES; height--, count++) {
    const earlier = chain.atHeight(height);
    if (earlier === undefined) break;
    data.set(decodeBase58(earlier.blockhash) ?? [], 8 + count * 40);
    view.setBigUint64(40 + count * 40, LAMPORTS_PER_SIGNATURE, true);
  }
  view.setBigUint64(0, BigInt(count), true);
  return data;
}

/** A bit for each slot with a block that is kept, by its place modulo the size, and the slot after the newest. */
function slotHistory({ chain, block }: Moment): Uint8Array {
  const bytes = HISTORY_BITS / 8;
  const data = new Uint8Array(9 + bytes + 16);
  const view = new DataView(data.buffer);
  data[0] = 1;
  view.setBigUint64(1, BigInt(HISTORY_BITS / 64), true);
  for (let height = block.height; ; height--) {
    const slot = chain.atHeight(height)?.slot;
    if (slot === undefined) break;
    const bit = slot % HISTORY_BITS;
    const at = 9 + (bit >> 3);
    data[at] = (data[at] ?? 0) | (1 << (bit & 7));
  }
  view.setBigUint64(9 + bytes, BigInt(HISTORY_BITS), true);
  view.setBigUint64(17 + bytes, BigInt(block.slot + 1), true);
  return data;
}
