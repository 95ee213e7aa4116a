// The methods of HTTP as the tests know them: written from the service contract and the public node API, and never from
// core/requests/methods or localnet/rpc, so that a mistake there is a failing test here. Data only.
import {
  ACCOUNT_DATA,
  AT_LEAST,
  FILTERS,
  LEVEL,
  NEEDED_LEVEL,
  SETTLED,
  SLICE,
  TOKEN_FILTER,
  TRANSACTION_DATA,
  VERSION,
  WIRE,
  bareConfig,
  config,
  need,
  type MethodFacts,
} from './facts';

export const HTTP_METHODS: readonly MethodFacts[] = [
  {
    name: 'getAccountInfo',
    on: 'http',
    params: [need('pubkey', 'pubkey'), config(LEVEL, ACCOUNT_DATA, SLICE, AT_LEAST)],
  },
  { name: 'getAgGenesisCert', on: 'http', params: [] },
  { name: 'getBalance', on: 'http', params: [need('pubkey', 'pubkey'), config(LEVEL, AT_LEAST)] },
  {
    name: 'getBlock',
    on: 'http',
    params: [
      need('slot', 'u64'),
      bareConfig(
        SETTLED,
        TRANSACTION_DATA,
        { name: 'transactionDetails', type: 'enum', words: ['full', 'accounts', 'signatures', 'none'] },
        { name: 'rewards', type: 'bool' },
        VERSION,
      ),
    ],
  },
  { name: 'getBlockCommitment', on: 'http', params: [need('slot', 'u64')] },
  { name: 'getBlockHeight', on: 'http', params: [config(LEVEL, AT_LEAST)] },
  {
    name: 'getBlockProduction',
    on: 'http',
    params: [
      config(
        LEVEL,
        { name: 'identity', type: 'pubkey' },
        {
          name: 'range',
          type: 'object',
          fields: [
            { name: 'firstSlot', type: 'u64', required: true },
            { name: 'lastSlot', type: 'u64' },
          ],
        },
      ),
    ],
  },
  {
    name: 'getBlocks',
    on: 'http',
    params: [need('startSlot', 'u64'), { name: 'endSlot', type: 'u64', orConfig: true }, config(SETTLED, AT_LEAST)],
  },
  {
    name: 'getBlocksWithLimit',
    on: 'http',
    params: [
      need('startSlot', 'u64'),
      { name: 'limit', type: 'u64', required: true, max: 500_000 },
      config(SETTLED, AT_LEAST),
    ],
  },
  { name: 'getBlockTime', on: 'http', params: [need('slot', 'u64')] },
  { name: 'getClusterNodes', on: 'http', params: [] },
  { name: 'getEpochInfo', on: 'http', params: [config(LEVEL, AT_LEAST)] },
  { name: 'getEpochSchedule', on: 'http', params: [] },
  { name: 'getFeeForMessage', on: 'http', params: [need('message', 'base64'), config(LEVEL, AT_LEAST)] },
  { name: 'getFirstAvailableBlock', on: 'http', params: [] },
  { name: 'getGenesisHash', on: 'http', params: [] },
  { name: 'getHealth', on: 'http', params: [] },
  { name: 'getHighestSnapshotSlot', on: 'http', params: [] },
  { name: 'getIdentity', on: 'http', params: [] },
  { name: 'getInflationGovernor', on: 'http', params: [config(NEEDED_LEVEL)] },
  { name: 'getInflationRate', on: 'http', params: [] },
  {
    name: 'getInflationReward',
    on: 'http',
    params: [
      { name: 'addresses', type: 'array', required: true, maxItems: 32, items: { type: 'pubkey' } },
      config(SETTLED, { name: 'epoch', type: 'u64' }, AT_LEAST),
    ],
  },
  {
    name: 'getLargestAccounts',
    on: 'http',
    params: [
      config(
        LEVEL,
        { name: 'filter', type: 'enum', words: ['circulating', 'nonCirculating'] },
        { name: 'sortResults', type: 'bool' },
      ),
    ],
  },
  { name: 'getLatestBlockhash', on: 'http', params: [config(LEVEL, AT_LEAST)] },
  {
    name: 'getLeaderSchedule',
    on: 'http',
    params: [
      { name: 'slot', type: 'u64', orConfig: true },
      config(LEVEL, { name: 'identity', type: 'pubkey' }, { name: 'keyByVoteAccount', type: 'bool' }),
    ],
  },
  { name: 'getMaxRetransmitSlot', on: 'http', params: [] },
  { name: 'getMaxShredInsertSlot', on: 'http', params: [] },
  {
    name: 'getMinimumBalanceForRentExemption',
    on: 'http',
    params: [{ name: 'dataLength', type: 'u64', required: true, max: 10_485_760 }, config(NEEDED_LEVEL)],
  },
  {
    name: 'getMultipleAccounts',
    on: 'http',
    params: [
      { name: 'pubkeys', type: 'array', required: true, maxItems: 100, items: { type: 'pubkey' } },
      config(LEVEL, ACCOUNT_DATA, SLICE, AT_LEAST),
    ],
  },
  {
    name: 'getProgramAccounts',
    on: 'http',
    params: [
      need('programId', 'pubkey'),
      config(
        ACCOUNT_DATA,
        FILTERS,
        LEVEL,
        SLICE,
        { name: 'withContext', type: 'bool' },
        { name: 'sortResults', type: 'bool' },
        AT_LEAST,
      ),
    ],
  },
  { name: 'getRankMap', on: 'http', params: [] },
  { name: 'getRecentPerformanceSamples', on: 'http', params: [{ name: 'limit', type: 'u64', max: 720 }] },
  {
    name: 'getRecentPrioritizationFees',
    on: 'http',
    params: [{ name: 'addresses', type: 'array', maxItems: 128, items: { type: 'pubkey' } }],
  },
  {
    name: 'getSignaturesForAddress',
    on: 'http',
    params: [
      need('address', 'pubkey'),
      config(
        { name: 'limit', type: 'u64', min: 1, max: 1000 },
        { name: 'before', type: 'signature' },
        { name: 'until', type: 'signature' },
        SETTLED,
        { name: 'withContext', type: 'bool' },
        AT_LEAST,
      ),
    ],
  },
  {
    name: 'getSignatureStatuses',
    on: 'http',
    params: [
      { name: 'signatures', type: 'array', required: true, maxItems: 256, items: { type: 'signature' } },
      config({ name: 'searchTransactionHistory', type: 'bool' }, LEVEL, AT_LEAST),
    ],
  },
  { name: 'getSlot', on: 'http', params: [config(LEVEL, AT_LEAST)] },
  { name: 'getSlotLeader', on: 'http', params: [config(LEVEL, AT_LEAST)] },
  {
    name: 'getSlotLeaders',
    on: 'http',
    params: [need('startSlot', 'u64'), { name: 'limit', type: 'u64', required: true, min: 1, max: 5000 }],
  },
  { name: 'getStakeMinimumDelegation', on: 'http', params: [config(LEVEL, AT_LEAST)] },
  {
    name: 'getSupply',
    on: 'http',
    params: [config(LEVEL, { name: 'excludeNonCirculatingAccountsList', type: 'bool' })],
  },
  { name: 'getTokenAccountBalance', on: 'http', params: [need('pubkey', 'pubkey'), config(NEEDED_LEVEL)] },
  {
    name: 'getTokenAccountsByDelegate',
    on: 'http',
    params: [need('delegate', 'pubkey'), TOKEN_FILTER, config(LEVEL, ACCOUNT_DATA, SLICE, AT_LEAST)],
  },
  {
    name: 'getTokenAccountsByOwner',
    on: 'http',
    params: [need('owner', 'pubkey'), TOKEN_FILTER, config(ACCOUNT_DATA, LEVEL, SLICE, AT_LEAST)],
  },
  { name: 'getTokenLargestAccounts', on: 'http', params: [need('mint', 'pubkey'), config(NEEDED_LEVEL)] },
  { name: 'getTokenSupply', on: 'http', params: [need('mint', 'pubkey'), config(NEEDED_LEVEL)] },
  {
    name: 'getTransaction',
    on: 'http',
    params: [
      need('signature', 'signature'),
      bareConfig(TRANSACTION_DATA, SETTLED, VERSION, { name: 'withContext', type: 'bool' }, AT_LEAST),
    ],
  },
  { name: 'getTransactionCount', on: 'http', params: [config(LEVEL, AT_LEAST)] },
  {
    name: 'getTransactionsForAddress',
    on: 'http',
    params: [
      need('address', 'pubkey'),
      config(
        { name: 'transactionDetails', type: 'enum', words: ['signatures', 'full'] },
        { name: 'limit', type: 'u64', min: 1 },
        { name: 'sortOrder', type: 'enum', words: ['asc', 'desc'] },
        { name: 'paginationToken', type: 'string' },
        {
          name: 'filters',
          type: 'object',
          fields: [
            {
              name: 'slot',
              type: 'object',
              fields: [
                { name: 'gt', type: 'u64' },
                { name: 'gte', type: 'u64' },
                { name: 'lt', type: 'u64' },
                { name: 'lte', type: 'u64' },
              ],
            },
            {
              name: 'blockTime',
              type: 'object',
              fields: [
                { name: 'eq', type: 'i64' },
                { name: 'gt', type: 'i64' },
                { name: 'gte', type: 'i64' },
                { name: 'lt', type: 'i64' },
                { name: 'lte', type: 'i64' },
              ],
            },
            {
              name: 'signature',
              type: 'object',
              fields: [
                { name: 'gt', type: 'signature' },
                { name: 'gte', type: 'signature' },
                { name: 'lt', type: 'signature' },
                { name: 'lte', type: 'signature' },
              ],
            },
            { name: 'status', type: 'enum', words: ['any', 'succeeded', 'failed'] },
            { name: 'tokenAccounts', type: 'enum', words: ['none', 'balanceChanged', 'all'] },
          ],
        },
        TRANSACTION_DATA,
        SETTLED,
        VERSION,
        AT_LEAST,
      ),
    ],
  },
  { name: 'getVersion', on: 'both', params: [] },
  {
    name: 'getVoteAccounts',
    on: 'http',
    params: [
      config(
        LEVEL,
        { name: 'votePubkey', type: 'pubkey' },
        { name: 'keepUnstakedDelinquents', type: 'bool' },
        { name: 'delinquentSlotDistance', type: 'u64' },
      ),
    ],
  },
  { name: 'isBlockhashValid', on: 'http', params: [need('blockhash', 'blockhash'), config(LEVEL, AT_LEAST)] },
  { name: 'minimumLedgerSlot', on: 'http', params: [] },
  {
    name: 'requestAirdrop',
    on: 'http',
    params: [
      need('pubkey', 'pubkey'),
      { name: 'lamports', type: 'u64', required: true, min: 1 },
      config(LEVEL, { name: 'recentBlockhash', type: 'blockhash' }),
    ],
  },
  {
    name: 'sendTransaction',
    on: 'http',
    params: [
      need('transaction', 'transaction'),
      config(
        WIRE,
        { name: 'skipPreflight', type: 'bool' },
        { name: 'preflightCommitment', type: 'enum', words: ['processed', 'confirmed', 'finalized'] },
        { name: 'maxRetries', type: 'u64' },
        AT_LEAST,
      ),
    ],
  },
  {
    name: 'simulateTransaction',
    on: 'http',
    params: [
      need('transaction', 'transaction'),
      config(
        WIRE,
        LEVEL,
        { name: 'sigVerify', type: 'bool' },
        { name: 'replaceRecentBlockhash', type: 'bool' },
        { name: 'innerInstructions', type: 'bool' },
        {
          name: 'accounts',
          type: 'object',
          fields: [
            { name: 'addresses', type: 'array', required: true, items: { type: 'pubkey' } },
            { name: 'encoding', type: 'enum', words: ['base64', 'base64+zstd', 'jsonParsed'] },
          ],
        },
        AT_LEAST,
      ),
    ],
  },
];
