// Method names that nodes no longer serve, and what to call now.
import type { RemovedMethod } from '../types';

export const REMOVED_METHODS: readonly RemovedMethod[] = [
  { name: 'confirmTransaction', replacedBy: 'getSignatureStatuses' },
  { name: 'getConfirmedBlock', replacedBy: 'getBlock' },
  { name: 'getConfirmedBlocks', replacedBy: 'getBlocks' },
  { name: 'getConfirmedBlocksWithLimit', replacedBy: 'getBlocksWithLimit' },
  { name: 'getConfirmedSignaturesForAddress', replacedBy: 'getSignaturesForAddress' },
  { name: 'getConfirmedSignaturesForAddress2', replacedBy: 'getSignaturesForAddress' },
  { name: 'getConfirmedTransaction', replacedBy: 'getTransaction' },
  {
    name: 'getFeeCalculatorForBlockhash',
    replacedBy: 'isBlockhashValid',
    note: 'Fees come from getFeeForMessage.',
  },
  { name: 'getFeeRateGovernor' },
  { name: 'getFees', replacedBy: 'getFeeForMessage' },
  { name: 'getRecentBlockhash', replacedBy: 'getLatestBlockhash' },
  { name: 'getSignatureConfirmation', replacedBy: 'getSignatureStatuses' },
  { name: 'getSignatureStatus', replacedBy: 'getSignatureStatuses' },
  { name: 'getSnapshotSlot', replacedBy: 'getHighestSnapshotSlot' },
  {
    name: 'getStakeActivation',
    replacedBy: 'getAccountInfo',
    note: 'Read the stake account with the encoding jsonParsed.',
  },
  { name: 'getTotalSupply', replacedBy: 'getSupply' },
];
