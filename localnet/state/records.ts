// The records of a state file: one per line, in chronological order. Types only.
import type { LedgerChain } from '../ledger/consensus';
import type { SavedKey, KeyType } from '../keys/keyring';
import type { SavedChange } from '../ledger/saved';
import type { SavedMinute } from '../keys/meter';

/** The seeds and the chain that a service is made from; the last record in the file counts. */
export interface LedgerOrigin {
  /** Wallet, identities, admin token and first keys follow from it: as secret as they are. */
  readonly seed: string;
  /** Genesis hash and blockhashes follow from it; from `seed` in files of older versions. */
  readonly hashSeed?: string;
  /** Admin token and first keys follow from this, where others may know the seed. */
  readonly keySeed?: string;
  /** Of the user who wrote the file on this machine (mark.ts), made of the seed of the keys. */
  readonly mark?: string;
  /** Which chain the ledger was made as; left out in files of older versions, whose ledgers are of TowerBFT. */
  readonly chain?: LedgerChain;
  /** How many first keys each type had before the current one: a rotated or revoked key is followed by another. */
  readonly firstKeys: Readonly<Record<KeyType, number>>;
}

export type StateRecord =
  | { readonly part: 'origin'; readonly origin: LedgerOrigin }
  | { readonly part: 'ledger'; readonly change: SavedChange }
  /** A key as it is from now on. */
  | { readonly part: 'key'; readonly key: SavedKey }
  /** Minutes of usage as they are from now on. */
  | { readonly part: 'usage'; readonly minutes: readonly SavedMinute[] };
