// The certificates of a block footer: a slot, an aggregate signature and the bitmap of the one validator, in sizes like those
// of a cluster. They follow from the ledger; nobody signed them.
import { createHash } from 'node:crypto';
import type { LedgerBlock } from '../ledger/types';

/** A block pays for the votes on the slot so many before it. */
const REWARD_SLOTS = 8;
const SIGNATURE_PARTS = ['1', '2', '3'];

/** Nothing is ever skipped here: the certificate of skipped slots is empty. */
export function certificatesOf({ slot, parentSlot, previousBlockhash }: LedgerBlock) {
  return {
    blockFinalCert: certificate('final', parentSlot, previousBlockhash),
    ...(slot >= REWARD_SLOTS && { notarRewardCert: certificate('notar', slot - REWARD_SLOTS, previousBlockhash) }),
  };
}

function certificate(kind: string, slot: number, blockhash: string): Uint8Array {
  const slotBytes = Buffer.alloc(8);
  slotBytes.writeBigUInt64LE(BigInt(slot));
  const signature = SIGNATURE_PARTS.map((part) =>
    createHash('sha512')
      .update(kind + part + blockhash)
      .digest(),
  );
  return Buffer.concat([slotBytes, ...signature, Buffer.of(1)]);
}
