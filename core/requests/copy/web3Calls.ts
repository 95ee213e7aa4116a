// Which function of @solana/web3.js's Connection makes which JSON-RPC call, as data. A call that the function would
// change or cannot carry is not among its forms. Pure.

export interface ConnectionCall {
  readonly name: string;
  /** How many parameters precede the config. */
  readonly args: number;
  /** Members of the config that the function takes; `commitment` alone may go as a bare word. */
  readonly config?: readonly string[];
  readonly bareCommitment?: true;
  /** Values of `encoding` that the function asks for by itself; without it none may be given. */
  readonly encoding?: 'base64' | 'jsonParsed' | 'json';
  /** True where the service's own encoding, when none is given, is the one the function asks for. */
  readonly encodingMayBeLeftOut?: true;
}

const READ = ['commitment', 'minContextSlot'] as const;
const SLICED = [...READ, 'dataSlice'] as const;
const BLOCK = ['commitment', 'maxSupportedTransactionVersion', 'rewards', 'transactionDetails'] as const;
const TRANSACTION = ['commitment', 'maxSupportedTransactionVersion'] as const;

const plain = (name: string, args = 0, config?: readonly string[]): readonly ConnectionCall[] => [
  { name, args, ...(config !== undefined && { config }) },
];
const withWord = (name: string, args: number): readonly ConnectionCall[] => [
  { name, args, config: ['commitment'], bareCommitment: true },
];

/** By method; the first form that fits is used. */
export const CONNECTION_CALLS: Readonly<Record<string, readonly ConnectionCall[]>> = {
  getAccountInfo: [
    { name: 'getAccountInfo', args: 1, config: SLICED, encoding: 'base64' },
    { name: 'getParsedAccountInfo', args: 1, config: READ, encoding: 'jsonParsed' },
  ],
  getMultipleAccounts: [
    { name: 'getMultipleAccountsInfo', args: 1, config: SLICED, encoding: 'base64', encodingMayBeLeftOut: true },
    { name: 'getMultipleParsedAccounts', args: 1, config: READ, encoding: 'jsonParsed' },
  ],
  getBalance: plain('getBalance', 1, READ),
  getSupply: plain('getSupply', 0, ['commitment', 'excludeNonCirculatingAccountsList']),
  getLargestAccounts: plain('getLargestAccounts', 0, ['commitment', 'filter']),
  getMinimumBalanceForRentExemption: withWord('getMinimumBalanceForRentExemption', 1),
  getTokenAccountBalance: withWord('getTokenAccountBalance', 1),
  getTokenSupply: withWord('getTokenSupply', 1),
  getTokenLargestAccounts: withWord('getTokenLargestAccounts', 1),
  getTokenAccountsByOwner: [
    { name: 'getTokenAccountsByOwner', args: 2, config: READ, encoding: 'base64', encodingMayBeLeftOut: true },
    {
      name: 'getParsedTokenAccountsByOwner',
      args: 2,
      config: ['commitment'],
      bareCommitment: true,
      encoding: 'jsonParsed',
    },
  ],
  getProgramAccounts: [
    {
      name: 'getProgramAccounts',
      args: 1,
      config: [...SLICED, 'filters'],
      encoding: 'base64',
      encodingMayBeLeftOut: true,
    },
    { name: 'getParsedProgramAccounts', args: 1, config: [...READ, 'filters'], encoding: 'jsonParsed' },
  ],
  getSlot: plain('getSlot', 0, READ),
  getSlotLeader: plain('getSlotLeader', 0, READ),
  getSlotLeaders: plain('getSlotLeaders', 2),
  getTransactionCount: plain('getTransactionCount', 0, READ),
  getBlockHeight: plain('getBlockHeight', 0, READ),
  getEpochInfo: plain('getEpochInfo', 0, READ),
  getEpochSchedule: plain('getEpochSchedule'),
  getGenesisHash: plain('getGenesisHash'),
  getVersion: plain('getVersion'),
  getLeaderSchedule: plain('getLeaderSchedule'),
  getClusterNodes: plain('getClusterNodes'),
  getVoteAccounts: withWord('getVoteAccounts', 0),
  getInflationGovernor: withWord('getInflationGovernor', 0),
  getInflationRate: plain('getInflationRate'),
  getFirstAvailableBlock: plain('getFirstAvailableBlock'),
  minimumLedgerSlot: plain('getMinimumLedgerSlot'),
  getBlockTime: plain('getBlockTime', 1),
  getBlocks: withWord('getBlocks', 2),
  getBlock: [
    { name: 'getBlock', args: 1, config: BLOCK, encoding: 'json', encodingMayBeLeftOut: true },
    { name: 'getParsedBlock', args: 1, config: BLOCK, encoding: 'jsonParsed' },
  ],
  getBlockProduction: plain('getBlockProduction', 0, ['commitment', 'identity', 'range']),
  getLatestBlockhash: plain('getLatestBlockhash', 0, READ),
  isBlockhashValid: plain('isBlockhashValid', 1, READ),
  getStakeMinimumDelegation: plain('getStakeMinimumDelegation', 0, ['commitment']),
  requestAirdrop: plain('requestAirdrop', 2),
  getSignatureStatuses: plain('getSignatureStatuses', 1, ['searchTransactionHistory']),
  getSignaturesForAddress: plain('getSignaturesForAddress', 1, ['before', 'limit', 'minContextSlot', 'until']),
  getTransaction: [
    { name: 'getTransaction', args: 1, config: TRANSACTION, encoding: 'json', encodingMayBeLeftOut: true },
    { name: 'getParsedTransaction', args: 1, config: TRANSACTION, encoding: 'jsonParsed' },
  ],
  sendTransaction: [
    {
      name: 'sendEncodedTransaction',
      args: 1,
      config: ['maxRetries', 'minContextSlot', 'preflightCommitment', 'skipPreflight'],
      encoding: 'base64',
    },
  ],
};

/** A subscription of Connection: its parameters before the callback, and the config, which goes after it. */
type ConnectionListener = Pick<ConnectionCall, 'name' | 'args' | 'config' | 'bareCommitment'>;

export const CONNECTION_LISTENERS: Readonly<Record<string, ConnectionListener>> = {
  accountSubscribe: { name: 'onAccountChange', args: 1, config: ['commitment', 'encoding'] },
  programSubscribe: { name: 'onProgramAccountChange', args: 1, config: ['commitment', 'encoding', 'filters'] },
  logsSubscribe: { name: 'onLogs', args: 1, config: ['commitment'], bareCommitment: true },
  signatureSubscribe: {
    name: 'onSignatureWithOptions',
    args: 1,
    config: ['commitment', 'enableReceivedNotification'],
  },
  slotSubscribe: { name: 'onSlotChange', args: 0 },
  rootSubscribe: { name: 'onRootChange', args: 0 },
  slotsUpdatesSubscribe: { name: 'onSlotUpdate', args: 0 },
};
