// A block as answers and notifications show it: its head, and its transactions in the detail that was asked for.
import type { JsonObject } from '../../../core/solana/json/json';
import type { WireJson } from '../../api';
import type { AgaveLine, LedgerBlock, Reward, TransactionRecord } from '../../ledger/types';
import { nameParam, optionalParam } from './params';
import { listInSlices } from './longList';
import { transactionAccounts, transactionWithMeta, type TransactionFormat } from './transactionJson';

/** As how many accounts a transaction counts where turns are given away. */
const TRANSACTION_WEIGHT = 8;

export type BlockDetails = 'full' | 'accounts' | 'signatures' | 'none';

export interface BlockFormat extends TransactionFormat {
  readonly details: BlockDetails;
  readonly rewards: boolean;
}

const detailsName = nameParam<BlockDetails>(['full', 'accounts', 'signatures', 'none']);

/** The `transactionDetails` of a config, "full" where it names none. */
export function detailsOf(config: JsonObject): BlockDetails {
  return optionalParam(config, 'transactionDetails', detailsName) ?? 'full';
}

/** The block with these of its transactions. Throws -32015 for a version that the format does not allow. */
export function encodeBlock(
  block: LedgerBlock,
  format: BlockFormat,
  transactions: readonly TransactionRecord[] = block.transactions,
): WireJson {
  const encode = encoderOf(format);
  return {
    ...headOf(block, format),
    ...(encode === undefined ? signaturesOf(transactions, format) : { transactions: transactions.map(encode) }),
  };
}

/** As `encodeBlock`, with turns for others in between. */
export async function encodeBlockInSlices(block: LedgerBlock, format: BlockFormat): Promise<WireJson> {
  const encode = encoderOf(format);
  return {
    ...headOf(block, format),
    ...(encode === undefined
      ? signaturesOf(block.transactions, format)
      : { transactions: await listInSlices(block.transactions, encode, TRANSACTION_WEIGHT) }),
  };
}

type Members = { readonly [key: string]: WireJson };

function headOf(block: LedgerBlock, { rewards, line }: BlockFormat): Members {
  const { rewardPartitions } = block;
  return {
    blockHeight: block.height,
    blockTime: block.blockTime,
    blockhash: block.blockhash,
    parentSlot: block.parentSlot,
    previousBlockhash: block.previousBlockhash,
    ...(rewards ? { rewards: (block.rewards ?? []).map((reward) => rewardJson(reward, line)) } : {}),
    ...(rewards && rewardPartitions !== undefined ? { numRewardPartitions: rewardPartitions } : {}),
  };
}

function rewardJson(reward: Reward, line: AgaveLine): WireJson {
  const { address, kind, lamports, postBalance } = reward;
  return { pubkey: address, lamports, postBalance, rewardType: kind, ...commissionJson(reward, line) };
}

/** In percent, and also in basis points on newer nodes; null for fees, which have no commission. */
export function commissionJson({ commissionBps }: Reward, line: AgaveLine): Members {
  const commission = commissionBps === undefined ? null : Math.floor(commissionBps / 100);
  return { commission, ...(line === '3.1' ? {} : { commissionBps: commissionBps ?? null }) };
}

function signaturesOf(transactions: readonly TransactionRecord[], { details }: BlockFormat): Members {
  return details === 'signatures' ? { signatures: transactions.map(({ signature }) => signature) } : {};
}

/** How one transaction is shown; `undefined` where they are not shown one by one. */
function encoderOf(format: BlockFormat): ((record: TransactionRecord) => WireJson) | undefined {
  switch (format.details) {
    case 'none':
    case 'signatures':
      return undefined;
    case 'accounts':
      return (record) => transactionAccounts(record, format.maxVersion);
    case 'full':
      return (record) => transactionWithMeta(record, format);
  }
}
