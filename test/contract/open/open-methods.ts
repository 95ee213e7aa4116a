// Every HTTP method of the contract with params that fit, what it answers, and which config it takes. Written from the
// contract's list of methods; shares nothing with the product's own tables.
import type { Fixture } from './open-fixture';
import {
  address,
  anything,
  base64Account,
  blockHead,
  bool,
  either,
  f64,
  hash,
  i64,
  inContext,
  jsonTransaction,
  keyedAccount,
  list,
  literal,
  loadedAddresses,
  mapOf,
  nothing,
  nullable,
  object,
  optional,
  signature,
  text,
  tokenAmount,
  tokenBalance,
  transactionMeta,
  tuple,
  u64,
  type Shape,
} from './open-shapes';

export interface Row {
  /** The params before the config. */
  readonly params: (fixture: Fixture) => readonly unknown[] | Promise<readonly unknown[]>;
  readonly result: Shape;
  /** The commitments of its config; without it the method takes no config with a commitment. */
  readonly commitments?: readonly string[];
  /** The name of the commitment in the config. */
  readonly commitmentKey?: string;
  /** Members of the config besides the commitment. */
  readonly config?: Readonly<Record<string, unknown>>;
  /** True where the contract has minContextSlot. */
  readonly minContextSlot?: boolean;
}

const ANY = ['processed', 'confirmed', 'finalized'] as const;
const SETTLED = ['confirmed', 'finalized'] as const;

/** The params of a method that has none before its config. */
export const NONE = (): readonly unknown[] => [];
const wallet = ({ wallet: { publicKey } }: Fixture): readonly unknown[] => [publicKey.toBase58()];
const base64 = { encoding: 'base64' };
const plain = (result: Shape): Row => ({ params: NONE, result });
const read = (params: Row['params'], result: Shape, config: Row['config'] = {}): Row => ({
  params,
  result,
  config,
  commitments: ANY,
  minContextSlot: true,
});
/** Takes a commitment and no minContextSlot. */
const simple = (params: Row['params'], result: Shape, config: Row['config'] = {}): Row => ({
  params,
  result,
  config,
  commitments: ANY,
});

const voteInfo = object({
  activatedStake: u64,
  commission: u64,
  epochCredits: list(tuple(u64, u64, u64)),
  epochVoteAccount: bool,
  inflationRewardsCommissionBps: optional(u64),
  lastVote: u64,
  nodePubkey: address,
  rootSlot: u64,
  votePubkey: address,
});

const transactionRow = {
  meta: transactionMeta,
  transaction: jsonTransaction,
  version: literal('legacy', 0),
};

export const METHODS: Readonly<Record<string, Row>> = {
  getAccountInfo: read(wallet, inContext(base64Account), base64),
  getAgGenesisCert: plain(
    object({
      block: object({ blockId: list(u64, 32), slot: u64 }),
      signature: object({ bitmap: list(u64, 1), signature: list(u64, 192) }),
    }),
  ),
  getBalance: read(wallet, inContext(u64)),
  getBlock: {
    params: ({ slot }) => [slot],
    commitments: SETTLED,
    config: { maxSupportedTransactionVersion: 0 },
    result: object({ ...blockHead, rewards: list(anything), transactions: list(object(transactionRow), 1) }),
  },
  getBlockCommitment: {
    params: ({ slot }) => [slot],
    result: object({ commitment: nullable(list(u64, 32)), totalStake: u64 }),
  },
  getBlockHeight: read(NONE, u64),
  getBlockProduction: simple(
    NONE,
    inContext(
      object({ byIdentity: mapOf(address, tuple(u64, u64)), range: object({ firstSlot: u64, lastSlot: u64 }) }),
    ),
  ),
  getBlocks: {
    params: ({ slot }) => [slot, slot + 5],
    commitments: SETTLED,
    minContextSlot: true,
    result: list(u64, 6),
  },
  getBlocksWithLimit: {
    params: ({ slot }) => [slot, 4],
    commitments: SETTLED,
    minContextSlot: true,
    result: list(u64, 4),
  },
  getBlockTime: { params: ({ slot }) => [slot], result: i64 },
  getClusterNodes: plain(
    list(
      object({
        clientId: literal('Agave'),
        featureSet: nullable(u64),
        gossip: nullable(text),
        pubkey: address,
        pubsub: text,
        rpc: text,
        serveRepair: nullable(text),
        shredVersion: nullable(u64),
        tpu: nullable(text),
        tpuForwards: nullable(text),
        tpuForwardsQuic: nullable(text),
        tpuQuic: nullable(text),
        tpuVote: nullable(text),
        tvu: nullable(text),
        version: text,
      }),
      1,
    ),
  ),
  getEpochInfo: read(
    NONE,
    object({
      absoluteSlot: u64,
      blockHeight: u64,
      epoch: u64,
      slotIndex: u64,
      slotsInEpoch: u64,
      transactionCount: u64,
    }),
  ),
  getEpochSchedule: plain(
    object({
      firstNormalEpoch: u64,
      firstNormalSlot: u64,
      leaderScheduleSlotOffset: u64,
      slotsPerEpoch: u64,
      warmup: bool,
    }),
  ),
  getFeeForMessage: read(async ({ message }) => [await message()], inContext(literal(5000))),
  getFirstAvailableBlock: plain(u64),
  getGenesisHash: plain(hash),
  getHealth: plain(literal('ok')),
  getIdentity: plain(object({ identity: address })),
  getInflationGovernor: simple(
    NONE,
    object({ foundation: f64, foundationTerm: f64, initial: f64, taper: f64, terminal: f64 }),
  ),
  getInflationRate: plain(object({ epoch: u64, foundation: f64, total: f64, validator: f64 })),
  getInflationReward: {
    params: ({ wallet: { publicKey }, vote }) => [[publicKey.toBase58(), vote]],
    commitments: SETTLED,
    config: { epoch: 0 },
    minContextSlot: true,
    result: tuple(
      nothing,
      object({ amount: u64, commission: u64, commissionBps: u64, effectiveSlot: u64, epoch: u64, postBalance: u64 }),
    ),
  },
  getLargestAccounts: simple(NONE, inContext(list(object({ address, lamports: u64 }), 20))),
  getLatestBlockhash: read(NONE, inContext(object({ blockhash: hash, lastValidBlockHeight: u64 }))),
  getLeaderSchedule: simple(() => [null], mapOf(address, list(u64, 32))),
  getMaxRetransmitSlot: plain(u64),
  getMaxShredInsertSlot: plain(u64),
  getMinimumBalanceForRentExemption: simple(() => [165], literal(1_488_440)),
  getMultipleAccounts: read(
    ({ wallet: { publicKey } }) => [[publicKey.toBase58(), UNKNOWN]],
    inContext(tuple(base64Account, nothing)),
    base64,
  ),
  getProgramAccounts: read(() => [TOKEN], list(keyedAccount, 1), base64),
  getRecentPerformanceSamples: {
    params: () => [3],
    result: list(
      object({
        numNonVoteTransactions: u64,
        numSlots: u64,
        numTransactions: u64,
        samplePeriodSecs: u64,
        slot: u64,
      }),
    ),
  },
  getRecentPrioritizationFees: {
    params: ({ receiver }) => [[receiver.toBase58()]],
    result: list(object({ prioritizationFee: u64, slot: u64 }), 1),
  },
  getSignatureStatuses: read(
    ({ legacy }) => [[legacy, NO_SIGNATURE]],
    inContext(
      tuple(
        object({
          confirmationStatus: literal('finalized'),
          confirmations: nothing,
          err: nothing,
          slot: u64,
          status: object({ Ok: nothing }),
        }),
        nothing,
      ),
    ),
    { searchTransactionHistory: true },
  ),
  getSignaturesForAddress: {
    params: ({ receiver }) => [receiver.toBase58()],
    commitments: SETTLED,
    minContextSlot: true,
    result: list(
      object({
        blockTime: i64,
        confirmationStatus: literal('confirmed', 'finalized'),
        err: nothing,
        memo: nullable(text),
        signature,
        slot: u64,
        transactionIndex: optional(u64),
      }),
      2,
    ),
  },
  getSlot: read(NONE, u64),
  getSlotLeader: read(NONE, address),
  getSlotLeaders: { params: ({ slot }) => [slot, 7], result: list(address, 7) },
  getStakeMinimumDelegation: read(NONE, inContext(u64)),
  getSupply: simple(
    NONE,
    inContext(object({ circulating: u64, nonCirculating: u64, nonCirculatingAccounts: list(address), total: u64 })),
  ),
  getTokenAccountBalance: simple(({ tokens }) => [tokens.toBase58()], inContext(object(tokenAmount))),
  getTokenAccountsByDelegate: read(
    ({ delegate }) => [delegate.toBase58(), { programId: TOKEN }],
    inContext(list(keyedAccount, 1)),
    base64,
  ),
  getTokenAccountsByOwner: read(
    ({ wallet: { publicKey }, mint }) => [publicKey.toBase58(), { mint: mint.toBase58() }],
    inContext(list(keyedAccount, 1)),
    base64,
  ),
  getTokenLargestAccounts: simple(
    ({ mint }) => [mint.toBase58()],
    inContext(list(object({ address, ...tokenAmount }), 1)),
  ),
  getTokenSupply: simple(({ mint }) => [mint.toBase58()], inContext(object(tokenAmount))),
  getTransaction: {
    params: ({ legacy }) => [legacy],
    commitments: SETTLED,
    config: { maxSupportedTransactionVersion: 0 },
    minContextSlot: true,
    result: object({ blockTime: i64, slot: u64, transactionIndex: u64, ...transactionRow }),
  },
  getTransactionCount: read(NONE, u64),
  getTransactionsForAddress: {
    params: ({ receiver }) => [receiver.toBase58()],
    commitments: SETTLED,
    minContextSlot: true,
    result: object({
      data: list(
        object({
          blockTime: i64,
          confirmationStatus: literal('confirmed', 'finalized'),
          err: nothing,
          memo: nullable(text),
          signature,
          slot: u64,
          transactionIndex: u64,
        }),
        2,
      ),
      paginationToken: nothing,
    }),
  },
  getVersion: plain(object({ 'feature-set': u64, 'solana-core': text })),
  getVoteAccounts: simple(NONE, object({ current: list(voteInfo, 1), delinquent: list(voteInfo) })),
  isBlockhashValid: read(
    async ({ connection }) => [(await connection.getLatestBlockhash('finalized')).blockhash],
    inContext(literal(true)),
  ),
  minimumLedgerSlot: plain(u64),
  requestAirdrop: simple(({ wallet: { publicKey } }) => [publicKey.toBase58(), 1_000_000], signature),
  sendTransaction: {
    params: async ({ transfer }) => [await transfer()],
    commitments: ANY,
    commitmentKey: 'preflightCommitment',
    config: base64,
    minContextSlot: true,
    result: signature,
  },
  simulateTransaction: read(
    async ({ transfer }) => [await transfer()],
    inContext(
      object({
        accounts: nothing,
        err: nothing,
        fee: u64,
        innerInstructions: nothing,
        loadedAccountsDataSize: u64,
        loadedAddresses,
        logs: list(text, 2),
        postBalances: list(u64, 2),
        postTokenBalances: list(tokenBalance),
        preBalances: list(u64, 2),
        preTokenBalances: list(tokenBalance),
        replacementBlockhash: nothing,
        returnData: either(nothing, anything),
        unitsConsumed: u64,
      }),
    ),
    base64,
  ),
};

/** Methods that the contract's list has and this node refuses, with the code it does so with. */
export const REFUSED: Readonly<Record<string, number>> = {
  // A node without snapshots.
  getHighestSnapshotSlot: -32008,
  // The contract marks its answer as unknown.
  getRankMap: -32601,
};

/** Methods that nodes had once, and the one that a refusal names in their place. */
export const DROPPED: Readonly<Record<string, string>> = {
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

export const TOKEN = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';
/** An address that nobody has used. */
export const UNKNOWN = 'Unknown111111111111111111111111111111111111';
export const NO_SIGNATURE = '1'.repeat(64);
