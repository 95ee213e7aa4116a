// The ledger's records as protobuf messages. Addresses, signatures and hashes become raw bytes where the interface has
// bytes; integers stay exact.
import type { DescMessage, MessageInitShape } from '@bufbuild/protobuf';
import type {
  SubscribeUpdateAccountInfoSchema,
  SubscribeUpdateAccountSchema,
  SubscribeUpdateBlockFooterSchema,
  SubscribeUpdateBlockMetaSchema,
  SubscribeUpdateEntrySchema,
  SubscribeUpdateTransactionInfoSchema,
  SubscribeUpdateTransactionStatusSchema,
} from '../../proto';
import { storage } from '../../proto';
import { decodeBase58 } from '../../core/solana/encoding/base58';
import { SYSTEM_PROGRAM } from '../ledger/accounts/addresses';
import type { LedgerBlock, TokenBalanceRecord, TransactionMeta, TransactionRecord } from '../ledger/types';
import { tokenAmount, wholeTokens } from '../rpc/parsed/tokenAmount';
import { VERSION } from '../version';
import { encodeTransactionError } from './transactionError';
import type { AccountWrite } from './emission';

type Init<Schema extends DescMessage> = MessageInitShape<Schema>;

/** `data` is what the stream's slices leave of the account's data. An account that is gone has no lamports. */
export function accountMessage(
  { address, account, writeVersion, record }: AccountWrite,
  data: Uint8Array | undefined,
): Init<typeof SubscribeUpdateAccountInfoSchema> {
  const signature = record?.transaction.signatures[0];
  return {
    pubkey: bytesOf(address),
    lamports: account?.lamports ?? 0n,
    owner: bytesOf(account?.owner ?? SYSTEM_PROGRAM),
    executable: account?.executable ?? false,
    rentEpoch: account?.rentEpoch ?? 0n,
    data: data ?? new Uint8Array(),
    writeVersion: BigInt(writeVersion),
    ...(signature === undefined ? {} : { txnSignature: signature }),
  };
}

/** The update of one write; `data` as of `accountMessage`. */
export function accountUpdate(
  write: AccountWrite,
  data: Uint8Array | undefined,
): Init<typeof SubscribeUpdateAccountSchema> {
  const { slot, bankId } = write;
  return { account: accountMessage(write, data), slot: BigInt(slot), bankId: BigInt(bankId), isStartup: false };
}

export function transactionMessage(record: TransactionRecord): Init<typeof SubscribeUpdateTransactionInfoSchema> {
  const { signatures, message } = record.transaction;
  return {
    signature: signatures[0] ?? new Uint8Array(),
    isVote: record.isVote === true,
    index: BigInt(record.index),
    transaction: {
      signatures: [...signatures],
      message: {
        header: {
          numRequiredSignatures: message.numRequiredSignatures,
          numReadonlySignedAccounts: message.numReadonlySigned,
          numReadonlyUnsignedAccounts: message.numReadonlyUnsigned,
        },
        accountKeys: message.staticKeys.map(bytesOf),
        recentBlockhash: bytesOf(message.blockhash),
        instructions: [...message.instructions],
        versioned: message.version !== 'legacy',
        ...(message.config === undefined ? {} : { config: message.config }),
        addressTableLookups: message.lookups.map(({ table, writableIndexes, readonlyIndexes }) => ({
          accountKey: bytesOf(table),
          writableIndexes,
          readonlyIndexes,
        })),
      },
    },
    meta: metaMessage(record.meta),
  };
}

function metaMessage(meta: TransactionMeta): Init<typeof storage.TransactionStatusMetaSchema> {
  return {
    ...errorMessage(meta),
    fee: meta.fee,
    preBalances: [...meta.preBalances],
    postBalances: [...meta.postBalances],
    innerInstructions: meta.innerInstructions.map(({ index, instructions }) => ({
      index,
      instructions: [...instructions],
    })),
    logMessages: [...meta.logMessages],
    preTokenBalances: meta.preTokenBalances.map(tokenBalanceMessage),
    postTokenBalances: meta.postTokenBalances.map(tokenBalanceMessage),
    loadedWritableAddresses: meta.loadedAddresses.writable.map(bytesOf),
    loadedReadonlyAddresses: meta.loadedAddresses.readonly.map(bytesOf),
    ...(meta.returnData === null
      ? { returnDataNone: true }
      : { returnData: { programId: bytesOf(meta.returnData.programId), data: meta.returnData.data } }),
    computeUnitsConsumed: meta.computeUnitsConsumed,
    ...(meta.costUnits === undefined ? {} : { costUnits: meta.costUnits }),
  };
}

function errorMessage({ err }: TransactionMeta): { err?: { err: Uint8Array } } {
  return err === null ? {} : { err: { err: encodeTransactionError(err) } };
}

function tokenBalanceMessage(balance: TokenBalanceRecord): Init<typeof storage.TokenBalanceSchema> {
  const { accountIndex, mint, owner, programId, amount, decimals } = balance;
  return {
    accountIndex,
    mint,
    owner,
    programId,
    uiTokenAmount: {
      uiAmount: Number(tokenAmount(amount, decimals).uiAmount ?? 0),
      decimals,
      amount: amount.toString(),
      uiAmountString: wholeTokens(amount, decimals),
    },
  };
}

export function transactionStatusMessage(
  record: TransactionRecord,
): Init<typeof SubscribeUpdateTransactionStatusSchema> {
  return {
    slot: BigInt(record.slot),
    signature: record.transaction.signatures[0] ?? new Uint8Array(),
    isVote: record.isVote === true,
    index: BigInt(record.index),
    ...errorMessage(record.meta),
  };
}

/** The ledger has no bank hash: the blockhash is in its place, as in the node's votes. */
export function blockFooterMessage(block: LedgerBlock): Init<typeof SubscribeUpdateBlockFooterSchema> {
  return {
    slot: BigInt(block.slot),
    bankId: BigInt(block.bankId),
    bankHash: bytesOf(block.blockhash),
    blockProducerTimeNanos: BigInt(block.blockTime) * 1_000_000_000n,
    blockUserAgent: Buffer.from(`solana-rpc-workbench/${VERSION}`),
  };
}

/** This ledger keeps no proof of history: a block is one entry with all its transactions, whose hash is the blockhash. */
export function entryMessage(block: LedgerBlock): Init<typeof SubscribeUpdateEntrySchema> {
  return {
    slot: BigInt(block.slot),
    bankId: BigInt(block.bankId),
    index: 0n,
    numHashes: 1n,
    hash: bytesOf(block.blockhash),
    executedTransactionCount: BigInt(block.transactions.length),
    startingTransactionIndex: 0n,
  };
}

/** The fields shared by a block and its meta. */
export function blockMetaMessage(block: LedgerBlock) {
  return {
    slot: BigInt(block.slot),
    blockhash: block.blockhash,
    rewards: rewardsMessage(block),
    blockTime: { timestamp: BigInt(block.blockTime) },
    blockHeight: { blockHeight: BigInt(block.height) },
    parentSlot: BigInt(block.parentSlot),
    parentBlockhash: block.previousBlockhash,
    executedTransactionCount: BigInt(block.transactions.length),
    entriesCount: 1n,
  } satisfies Init<typeof SubscribeUpdateBlockMetaSchema>;
}

function rewardsMessage({ rewards = [], rewardPartitions }: LedgerBlock) {
  return {
    rewards: rewards.map(({ address, lamports, postBalance, kind, commissionBps }) => ({
      pubkey: address,
      lamports,
      postBalance,
      rewardType: storage.RewardType[kind],
      ...(commissionBps === undefined
        ? {}
        : { commission: String(Math.floor(commissionBps / 100)), commissionBps: String(commissionBps) }),
    })),
    ...(rewardPartitions === undefined ? {} : { numPartitions: { numPartitions: BigInt(rewardPartitions) } }),
  };
}

/** The bytes of an address or a hash. */
export function bytesOf(text: string): Uint8Array {
  return decodeBase58(text) ?? new Uint8Array();
}
