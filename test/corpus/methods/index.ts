// Every method as the tests know it, a row each. Data only.
import { ACCOUNTS } from './accounts';
import { BLOCKS } from './blocks';
import { CLUSTER } from './cluster';
import { ECONOMICS } from './economics';
import { HISTORY } from './history';
import type { Method } from './method';
import { NODE } from './node';
import { SENDING } from './sending';
import { SUBSCRIPTIONS } from './subscriptions';
import { TOKENS } from './tokens';

/** The methods of HTTP, those that sockets take as well included. */
export const HTTP_METHODS: readonly Method[] = [
  ...ACCOUNTS,
  ...BLOCKS,
  ...CLUSTER,
  ...ECONOMICS,
  ...HISTORY,
  ...NODE,
  ...SENDING,
  ...TOKENS,
];

export const METHODS: readonly Method[] = [...HTTP_METHODS, ...SUBSCRIPTIONS];

/** Names that nodes no longer serve, and the method that a refusal names in their place. */
export const REMOVED: Readonly<Record<string, string>> = {
  confirmTransaction: 'getSignatureStatuses',
  getConfirmedBlock: 'getBlock',
  getConfirmedBlocks: 'getBlocks',
  getConfirmedBlocksWithLimit: 'getBlocksWithLimit',
  getConfirmedSignaturesForAddress: 'getSignaturesForAddress',
  getConfirmedSignaturesForAddress2: 'getSignaturesForAddress',
  getConfirmedTransaction: 'getTransaction',
  getFeeCalculatorForBlockhash: 'getFeeForMessage',
  getFeeRateGovernor: 'getFeeForMessage',
  getFees: 'getFeeForMessage',
  getRecentBlockhash: 'getLatestBlockhash',
  getSignatureConfirmation: 'getSignatureStatuses',
  getSignatureStatus: 'getSignatureStatuses',
  getSnapshotSlot: 'getHighestSnapshotSlot',
  getStakeActivation: 'getAccountInfo',
  getTotalSupply: 'getSupply',
};
