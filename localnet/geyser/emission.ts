// The updates of the streams, one per event, before any filter, and how they reach the streams. Loads no message code:
// updates are kept from the start, messages are made for the first call.
import type { SlotStatus } from '../../proto';
import type { LedgerBlock, Commitment, LedgerEvent, TransactionRecord } from '../ledger/types';

/** A status of a slot by its name in the .proto. */
export type SlotStatusName = keyof typeof SlotStatus;

/** The status a slot has when it reaches a commitment. */
export const STATUS_OF: Readonly<Record<Commitment, SlotStatusName>> = {
  processed: 'SLOT_PROCESSED',
  confirmed: 'SLOT_CONFIRMED',
  finalized: 'SLOT_FINALIZED',
};

/** One write of an account, as streams report it. */
export type AccountWrite = Omit<Extract<LedgerEvent, { readonly kind: 'account' }>, 'isEdit'>;

export type Update =
  | AccountWrite
  | { readonly kind: 'transaction'; readonly record: TransactionRecord; readonly bankId: number }
  | { readonly kind: 'entry'; readonly block: LedgerBlock }
  | { readonly kind: 'blockFooter'; readonly block: LedgerBlock }
  /** Bank `bankId` is cleared: another one of the slot follows. */
  | {
      readonly kind: 'entryUpdateParent';
      readonly slot: number;
      readonly bankId: number;
      readonly parent: number;
      readonly parentBlockhash: string;
    }
  /** `writes`: the last write of each account that the slot changed. */
  | { readonly kind: 'block'; readonly block: LedgerBlock; readonly writes: readonly AccountWrite[] }
  | { readonly kind: 'blockMeta'; readonly block: LedgerBlock }
  | {
      readonly kind: 'slot';
      readonly slot: number;
      readonly parent: number;
      readonly status: SlotStatusName;
      /** Absent where the status concerns no bank. */
      readonly bankId?: number;
      readonly deadError?: string;
    };

/** An update on its way to the streams; lives as long as it takes to offer it to each. */
export class Emission {
  readonly #encoded = new Map<string, Uint8Array>();

  /** `at` is Unix milliseconds: the update's `created_at`. */
  constructor(
    readonly update: Update,
    readonly at: number,
  ) {}

  /** The bytes of a SubscribeUpdate without its filters, made once per `name` for all streams that take it whole. */
  body(name: string, make: (at: number) => Uint8Array): Uint8Array {
    const known = this.#encoded.get(name);
    if (known !== undefined) return known;
    const bytes = make(this.at);
    this.#encoded.set(name, bytes);
    return bytes;
  }
}
