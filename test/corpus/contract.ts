// Every method as the tests know it: HTTP in httpContract.ts, WebSocket and removed names here. Data only.
import {
  ACCOUNT_DATA,
  AT_LEAST,
  FILTERS,
  LEVEL,
  SETTLED,
  SLICE,
  TRANSACTION_DATA,
  VERSION,
  config,
  need,
  type MethodFacts,
} from './facts';
import { HTTP_METHODS } from './httpContract';

const WS_METHODS: readonly MethodFacts[] = [
  {
    name: 'accountSubscribe',
    on: 'ws',
    params: [need('pubkey', 'pubkey'), config(LEVEL, ACCOUNT_DATA, SLICE, AT_LEAST)],
  },
  { name: 'accountUnsubscribe', on: 'ws', params: [need('subscription', 'u64')] },
  {
    name: 'programSubscribe',
    on: 'ws',
    params: [
      need('programId', 'pubkey'),
      config(LEVEL, ACCOUNT_DATA, FILTERS, SLICE, { name: 'withContext', type: 'bool' }, AT_LEAST),
    ],
  },
  { name: 'programUnsubscribe', on: 'ws', params: [need('subscription', 'u64')] },
  {
    name: 'logsSubscribe',
    on: 'ws',
    params: [
      {
        name: 'filter',
        type: 'union',
        required: true,
        oneOf: [
          { type: 'enum', words: ['all', 'allWithVotes'] },
          {
            type: 'object',
            fields: [
              { name: 'mentions', type: 'array', required: true, minItems: 1, maxItems: 1, items: { type: 'pubkey' } },
            ],
          },
        ],
      },
      config(LEVEL),
    ],
  },
  { name: 'logsUnsubscribe', on: 'ws', params: [need('subscription', 'u64')] },
  {
    name: 'signatureSubscribe',
    on: 'ws',
    params: [need('signature', 'signature'), config(LEVEL, { name: 'enableReceivedNotification', type: 'bool' })],
  },
  { name: 'signatureUnsubscribe', on: 'ws', params: [need('subscription', 'u64')] },
  { name: 'slotSubscribe', on: 'ws', params: [] },
  { name: 'slotUnsubscribe', on: 'ws', params: [need('subscription', 'u64')] },
  { name: 'slotsUpdatesSubscribe', on: 'ws', params: [] },
  { name: 'slotsUpdatesUnsubscribe', on: 'ws', params: [need('subscription', 'u64')] },
  { name: 'rootSubscribe', on: 'ws', params: [] },
  { name: 'rootUnsubscribe', on: 'ws', params: [need('subscription', 'u64')] },
  {
    name: 'blockSubscribe',
    on: 'ws',
    params: [
      {
        name: 'filter',
        type: 'union',
        required: true,
        oneOf: [
          { type: 'enum', words: ['all'] },
          { type: 'object', fields: [{ name: 'mentionsAccountOrProgram', type: 'pubkey', required: true }] },
        ],
      },
      config(
        SETTLED,
        TRANSACTION_DATA,
        { name: 'transactionDetails', type: 'enum', words: ['full', 'accounts', 'signatures', 'none'] },
        { name: 'showRewards', type: 'bool' },
        VERSION,
      ),
    ],
  },
  { name: 'blockUnsubscribe', on: 'ws', params: [need('subscription', 'u64')] },
  { name: 'voteSubscribe', on: 'ws', params: [] },
  { name: 'voteUnsubscribe', on: 'ws', params: [need('subscription', 'u64')] },
];

export const METHODS: readonly MethodFacts[] = [...HTTP_METHODS, ...WS_METHODS];

/** Names that nodes no longer serve, and what is called now where something does the same. */
export const REMOVED: Readonly<Record<string, string | undefined>> = {
  getConfirmedBlock: 'getBlock',
  getConfirmedBlocks: 'getBlocks',
  getConfirmedBlocksWithLimit: 'getBlocksWithLimit',
  getConfirmedTransaction: 'getTransaction',
  getConfirmedSignaturesForAddress2: 'getSignaturesForAddress',
  getConfirmedSignaturesForAddress: 'getSignaturesForAddress',
  getRecentBlockhash: 'getLatestBlockhash',
  getFees: 'getFeeForMessage',
  getFeeCalculatorForBlockhash: 'isBlockhashValid',
  getFeeRateGovernor: undefined,
  getSnapshotSlot: 'getHighestSnapshotSlot',
  getStakeActivation: 'getAccountInfo',
  confirmTransaction: 'getSignatureStatuses',
  getSignatureStatus: 'getSignatureStatuses',
  getSignatureConfirmation: 'getSignatureStatuses',
  getTotalSupply: 'getSupply',
};
