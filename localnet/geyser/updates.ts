// Updates as the bytes of SubscribeUpdate.
import { create, toBinary, type MessageInitShape } from '@bufbuild/protobuf';
import { SlotStatus, SubscribeUpdateSchema } from '../../proto';
import type { LedgerBlock, TransactionRecord } from '../ledger/types';
import {
  accountUpdate,
  blockFooterMessage,
  blockMetaMessage,
  bytesOf,
  entryMessage,
  transactionMessage,
  transactionStatusMessage,
} from './messages';
import { certificatesOf } from './certificates';
import type { AccountWrite, Update } from './emission';

export type UpdateBody = NonNullable<MessageInitShape<typeof SubscribeUpdateSchema>['updateOneof']>;

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
  entry: (block: LedgerBlock): UpdateBody => ({ case: 'entry', value: entryMessage(block) }),
  blockFooter: (block: LedgerBlock, isCertified: boolean): UpdateBody => ({
    case: 'blockFooter',
    value: { ...blockFooterMessage(block), ...(isCertified && certificatesOf(block)) },
  }),
  entryUpdateParent: (update: Update & { kind: 'entryUpdateParent' }): UpdateBody => ({
    case: 'entryUpdateParent',
    value: {
      slot: BigInt(update.slot),
      clearedBankId: BigInt(update.bankId),
      parentSlot: BigInt(update.parent),
      parentBlockId: bytesOf(update.parentBlockhash),
    },
  }),
  blockMeta: (block: LedgerBlock): UpdateBody => ({
    case: 'blockMeta',
    value: { ...blockMetaMessage(block), bankId: BigInt(block.bankId) },
  }),
  slot: ({ slot, parent, status, deadError, bankId }: Update & { kind: 'slot' }): UpdateBody => ({
    case: 'slot',
    value: {
      slot: BigInt(slot),
      parent: BigInt(parent),
      status: SlotStatus[status],
      ...(deadError === undefined ? {} : { deadError }),
      ...(bankId === undefined ? {} : { bankId: BigInt(bankId) }),
    },
  }),
};
