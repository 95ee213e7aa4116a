// What streams are about: one update per thing that happens, before any filter, encoded at most once for all streams
// that take it whole.
import { create, toBinary, type MessageInitShape } from '@bufbuild/protobuf';
import { SubscribeUpdateSchema, type SlotStatus } from '../../proto';
import type { Block, TransactionRecord } from '../ledger/types';
import {
  accountUpdate,
  blockFooterMessage,
  blockMetaMessage,
  entryMessage,
  transactionMessage,
  transactionStatusMessage,
} from './messages';
import type { AccountWrite } from './accountWrite';

export type Update =
  | AccountWrite
  | { readonly kind: 'transaction'; readonly record: TransactionRecord; readonly bankId: number }
  | { readonly kind: 'entry'; readonly block: Block }
  | { readonly kind: 'blockFooter'; readonly block: Block }
  /** `writes`: the last write of each account that the slot changed. */
  | { readonly kind: 'block'; readonly block: Block; readonly writes: readonly AccountWrite[] }
  | { readonly kind: 'blockMeta'; readonly block: Block }
  | {
      readonly kind: 'slot';
      readonly slot: number;
      readonly parent: number;
      readonly status: SlotStatus;
      /** Absent where the status concerns no bank. */
      readonly bankId?: number;
      readonly deadError?: string;
    };

export type UpdateBody = NonNullable<MessageInitShape<typeof SubscribeUpdateSchema>['updateOneof']>;

/** An update on its way to the streams; lives as long as it takes to offer it to each. */
export class Emission {
  readonly #encoded = new Map<string, Uint8Array>();

  /** `at` is Unix milliseconds: the update's `created_at`. */
  constructor(
    readonly update: Update,
    private readonly at: number,
  ) {}

  /** The bytes of a SubscribeUpdate without its filters, made once per `name`. */
  body(name: string, make: () => UpdateBody): Uint8Array {
    const known = this.#encoded.get(name);
    if (known !== undefined) return known;
    const bytes = encodeUpdate(make(), this.at);
    this.#encoded.set(name, bytes);
    return bytes;
  }

  /** The bytes for what no two streams share. */
  own(body: UpdateBody): Uint8Array {
    return encodeUpdate(body, this.at);
  }
}

export function encodeUpdate(updateOneof: UpdateBody, at: number): Uint8Array {
  return toBinary(SubscribeUpdateSchema, create(SubscribeUpdateSchema, { createdAt: timestampOf(at), updateOneof }));
}

/** A moment in Unix milliseconds as protobuf has it. */
export const timestampOf = (at: number) => ({
  seconds: BigInt(Math.floor(at / 1000)),
  nanos: (at % 1000) * 1_000_000,
});

/** The names of filters as the part of a SubscribeUpdate that goes before its body. */
export function encodeNames(filters: readonly string[]): Uint8Array {
  return toBinary(SubscribeUpdateSchema, create(SubscribeUpdateSchema, { filters: [...filters] }));
}

/** The bodies that every stream gets alike. */
export const wholeBody = {
  account: (write: AccountWrite): UpdateBody => ({
    case: 'account',
    value: accountUpdate(write, write.account?.data),
  }),
  transaction: (record: TransactionRecord, bankId: number): UpdateBody => ({
    case: 'transaction',
    value: { transaction: transactionMessage(record), slot: BigInt(record.slot), bankId: BigInt(bankId) },
  }),
  transactionStatus: (record: TransactionRecord, bankId: number): UpdateBody => ({
    case: 'transactionStatus',
    value: { ...transactionStatusMessage(record), bankId: BigInt(bankId) },
  }),
  entry: (block: Block): UpdateBody => ({ case: 'entry', value: entryMessage(block) }),
  blockFooter: (block: Block): UpdateBody => ({ case: 'blockFooter', value: blockFooterMessage(block) }),
  blockMeta: (block: Block): UpdateBody => ({
    case: 'blockMeta',
    value: { ...blockMetaMessage(block), bankId: BigInt(block.bankId) },
  }),
  slot: ({ slot, parent, status, deadError, bankId }: Update & { kind: 'slot' }): UpdateBody => ({
    case: 'slot',
    value: {
      slot: BigInt(slot),
      parent: BigInt(parent),
      status,
      ...(deadError === undefined ? {} : { deadError }),
      ...(bankId === undefined ? {} : { bankId: BigInt(bankId) }),
    },
  }),
};
