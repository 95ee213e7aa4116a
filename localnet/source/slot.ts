// Where a ledger begins that has its slot from another endpoint, and how old the accounts may be that are read there.
import type { LedgerChain } from '../ledger/consensus';
import type { Options } from '../optionTypes';
import { SourceError, type SourceChannel } from './channel';

/** Slots that a source may have gone on since the one that was asked for: half a minute of a cluster's. */
const MAX_PAST = 150;

type StartSlots = Pick<Options, 'fork' | 'forkSlot' | 'warpSlot'> & Pick<LedgerChain, 'finalityLag'>;

/**
 * The first open slot; `undefined` where the source does not say. Nothing of a fork is older than the slot it begins at.
 * Rejects with SourceError for a slot of --fork-slot that the source has not reached or that is past.
 */
export async function slotOfSource(
  { fork, forkSlot, warpSlot, finalityLag }: StartSlots,
  source: Pick<SourceChannel, 'name' | 'slot' | 'atLeast'>,
  begins: boolean,
): Promise<number | undefined> {
  if (!begins) {
    // The ledger continues from its own slot, and may do so without its source.
    if (forkSlot !== undefined) source.atLeast(forkSlot);
    return undefined;
  }
  if (!fork && warpSlot !== 'source') return undefined;
  const slot = await source.slot();
  if (forkSlot !== undefined) requireServed(source.name, slot, forkSlot);
  if (fork) source.atLeast(slot);
  return typeof warpSlot === 'number' ? undefined : slot + finalityLag;
}

/** A node has its newest accounts alone: to begin at an older slot would show accounts that were never together. */
function requireServed(name: string, newest: number, wanted: number): void {
  if (wanted > newest) throw new SourceError(`${name} is at slot ${newest} and has not reached ${wanted} yet.`);
  if (newest - wanted > MAX_PAST)
    throw new SourceError(
      `${name} is at slot ${newest}: nodes serve accounts as they are now, not as they were at slot ${wanted}. Leave --fork-slot out, or give one of the newest ${MAX_PAST} slots.`,
    );
}
