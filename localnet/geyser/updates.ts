// What streams are about: one update per thing that happens, before any filter, encoded at most once for all streams
// that take it whole.
import { create, toBinary, type MessageInitShape } from '@bufbuild/protobuf';
import { SubscribeUpdateSchema, type SlotStatus } from '../../proto';
import type { Block, TransactionRecord } from '../ledger/types';
import {
  accountMessage,
  blockMetaMessage,
  entryMessage,
  transactionMessage,
  transactionStatusMessage,
} from './messages';
import type { AccountWrite } from './accountWrite';

export type Update =
  | AccountWrite
  | { readonly kind: 'transaction'; readonly record: TransactionRecord }
  | { readonly kind: 'entry'; readonly block: Block }
  /** `writes`: the last write of each account that the slot changed. */
  | { readonly kind: 'block'; readonly block: Block; readonly writes: readonly AccountWrite[] }
  | { readonly kind: 'blockMeta'; readonly block: Block }
  | {
      readonly kind: 'slot';
      readonly slot: number;
      readonly parent: number;
      readonly status: SlotStatus;
      readonly deadError?: string;
    };

export type UpdateBody = NonNullable<MessageInitShape<typeof SubscribeUpdateSchema>['updateOneof']>;

/** An update on its way to the streams; lives as long as it takes to offer it to each. */
export class Emission {
  private readonly encoded = new Map<string, Uint8Array>();

  /** `at` is Unix milliseconds: the update's `created_at`. */
  constructor(
    readonly update: Update,
    private readonly at: number,
  ) {}

  /** The bytes of a SubscribeUpdate without its filters, made once per `name`. */
  body(name: string, make: () => UpdateBody): Uint8Array {
    const known = this.encoded.get(name);
    if (known !== undefined) return known;
    const bytes = encodeUpdate(make(), this.at);
    this.encoded.set(name, bytes);
    return bytes;
  }

  /** The bytes for what no two streams share. */
  own(body: UpdateBody): Uint8Array {
    return encodeUpdate(body, this.at);
  }
}

export function encodeUpdate(updateOneof: UpdateBody, at: number): Uint8Array {
  const createdAt = { seconds: BigInt(Math.floor(at / 1000)), nanos: (at % 1000) * 1_000_000 };
  return toBinary(SubscribeUpdateSchema, create(SubscribeUpdateSchema, { createdAt, updateOneof }));
}

/** The names of filters as the part of a SubscribeUpdate that goes before its body. */
export function encodeNames(filters: readonly string[]): Uint8Array {
  return toBinary(SubscribeUpdateSchema, create(SubscribeUpdateSchema, { filters: [...filters] }));
}

/** The bodies that every stream gets alike. */
export const wholeBody = {
  account: (write: AccountWrite): UpdateBody => ({
    case: 'account',
    value: { account: accountMessage(write, write.account?.data), slot: BigInt(write.slot), isStartup: false },
  }),
  transaction: (record: TransactionRecord): UpdateBody => ({
    case: 'transaction',
    value: { transaction: transactionMessage(record), slot: BigInt(record.slot) },
  }),
  transactionStatus: (record: TransactionRecord): UpdateBody => ({
    case: 'transactionStatus',
    value: transactionStatusMessage(record),
  }),
  entry: (block: Block): UpdateBody => ({ case: 'entry', value: entryMessage(block) }),
  blockMeta: (block: Block): UpdateBody => ({ case: 'blockMeta', value: blockMetaMessage(block) }),
  slot: ({ slot, parent, status, deadError }: Update & { kind: 'slot' }): UpdateBody => ({
    case: 'slot',
    value: {
      slot: BigInt(slot),
      parent: BigInt(parent),
      status,
      ...(deadError === undefined ? {} : { deadError }),
    },
  }),
};
