// The cluster: slots, epochs, leaders, votes. Written from the service contract and the public node API.
import { AT_LEAST, LEVEL, config, need, may, U64_MAX } from '../facts';
import {
  address,
  bool,
  hash,
  inContext,
  list,
  literal,
  mapOf,
  nullable,
  object,
  optional,
  text,
  tuple,
  u64,
} from '../shapes';
import { bare, type Method } from './method';

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

export const CLUSTER: readonly Method[] = [
  bare(
    'getAgGenesisCert',
    object({
      block: object({ blockId: list(u64, 32), slot: u64 }),
      signature: object({ bitmap: list(u64, 1), signature: list(u64, 192) }),
    }),
  ),
  {
    name: 'getBlockProduction',
    on: 'http',
    params: [
      config(LEVEL, may('identity', 'pubkey'), {
        name: 'range',
        type: 'object',
        fields: [
          need('firstSlot', 'u64'),
          // Not before firstSlot, which is 1.
          { ...may('lastSlot', 'u64'), samples: ['1', U64_MAX] },
        ],
      }),
    ],
    result: inContext(
      object({ byIdentity: mapOf(address, tuple(u64, u64)), range: object({ firstSlot: u64, lastSlot: u64 }) }),
    ),
  },
  bare(
    'getClusterNodes',
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
  {
    name: 'getEpochInfo',
    on: 'http',
    params: [config(LEVEL, AT_LEAST)],
    result: object({
      absoluteSlot: u64,
      blockHeight: u64,
      epoch: u64,
      slotIndex: u64,
      slotsInEpoch: u64,
      transactionCount: u64,
    }),
  },
  bare(
    'getEpochSchedule',
    object({
      firstNormalEpoch: u64,
      firstNormalSlot: u64,
      leaderScheduleSlotOffset: u64,
      slotsPerEpoch: u64,
      warmup: bool,
    }),
  ),
  bare('getGenesisHash', hash),
  {
    name: 'getLeaderSchedule',
    on: 'http',
    params: [
      { name: 'slot', type: 'u64', orConfig: true },
      config(LEVEL, may('identity', 'pubkey'), may('keyByVoteAccount', 'bool')),
    ],
    given: () => [null],
    result: mapOf(address, list(u64, 32)),
  },
  // The contract marks its answer as unknown.
  { name: 'getRankMap', on: 'http', params: [], refused: -32601 },
  {
    name: 'getRecentPerformanceSamples',
    on: 'http',
    params: [{ name: 'limit', type: 'u64', max: 720 }],
    given: () => [3],
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
  { name: 'getSlot', on: 'http', params: [config(LEVEL, AT_LEAST)], result: u64 },
  { name: 'getSlotLeader', on: 'http', params: [config(LEVEL, AT_LEAST)], result: address },
  {
    name: 'getSlotLeaders',
    on: 'http',
    params: [need('startSlot', 'u64'), { name: 'limit', type: 'u64', required: true, min: 1, max: 5000 }],
    given: ({ slot }) => [slot, 7],
    result: list(address, 7),
  },
  { name: 'getTransactionCount', on: 'http', params: [config(LEVEL, AT_LEAST)], result: u64 },
  {
    name: 'getVoteAccounts',
    on: 'http',
    params: [
      config(
        LEVEL,
        may('votePubkey', 'pubkey'),
        may('keepUnstakedDelinquents', 'bool'),
        may('delinquentSlotDistance', 'u64'),
      ),
    ],
    result: object({ current: list(voteInfo, 1), delinquent: list(voteInfo) }),
  },
];
