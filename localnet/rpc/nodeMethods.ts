// Methods about a cluster that one local node can answer truly: it is the only node, nobody votes, nothing inflates.
import type { WireJson } from '../api';
import type { Block } from '../ledger/types';
import { RpcFailure, invalidParams } from './failure';
import { FEATURE_SET, NODE_VERSION, commitmentConfig, fixed, viewAt, type Method, type Service } from './method';
import {
  addressOf,
  boolOf,
  configOf,
  confirmedCommitmentOf,
  listOf,
  optional,
  positional,
  slotOf,
  u64Of,
} from './params';

const MAX_SAMPLES = 720;
const SAMPLE_SECONDS = 60;
const MAX_REWARD_ADDRESSES = 32;

const getClusterNodes = fixed(({ identity }) => [
  {
    featureSet: FEATURE_SET,
    gossip: null,
    pubkey: identity,
    pubsub: null,
    rpc: null,
    serveRepair: null,
    shredVersion: 0,
    tpu: null,
    tpuForwards: null,
    tpuForwardsQuic: null,
    tpuQuic: null,
    tpuVote: null,
    tvu: null,
    version: NODE_VERSION,
  },
]);

const getVoteAccounts: Method = (service, params) => {
  const config = commitmentConfig(params);
  viewAt(service, config);
  optional(config, 'votePubkey', addressOf);
  optional(config, 'keepUnstakedDelinquents', boolOf);
  optional(config, 'delinquentSlotDistance', (distance) => u64Of(distance));
  return { current: [], delinquent: [] };
};

const getInflationGovernor: Method = (service, params) => {
  viewAt(service, commitmentConfig(params));
  return { foundation: 0, foundationTerm: 0, initial: 0, taper: 0, terminal: 0 };
};

const getInflationRate = fixed(({ state }) => ({
  epoch: state.epochOf(state.chain.tip('finalized').slot),
  foundation: 0,
  total: 0,
  validator: 0,
}));

const getInflationReward: Method = (service, params) => {
  const [first, second] = positional(params, 1, 2);
  const addresses = listOf(first, MAX_REWARD_ADDRESSES, addressOf);
  const config = configOf(second);
  viewAt(service, config, confirmedCommitmentOf(config));
  optional(config, 'epoch', slotOf);
  return addresses.map(() => null);
};

const getBlockCommitment: Method = (_service, params) => {
  const [slot] = positional(params, 1, 1);
  slotOf(slot);
  return { commitment: null, totalStake: 0 };
};

const getHighestSnapshotSlot = fixed(() => {
  throw new RpcFailure(-32008, 'No snapshot');
});

const openSlot = fixed(({ state }) => state.chain.open.slot);

/** One sample per full minute of the ledger's own time, newest first. */
const getRecentPerformanceSamples: Method = (service, params) => {
  const [limit] = positional(params, 0, 1);
  const most = limit === undefined || limit === null ? MAX_SAMPLES : Number(u64Of(limit));
  if (most > MAX_SAMPLES) throw invalidParams(`Invalid limit; max ${MAX_SAMPLES}`);
  const samples: WireJson[] = [];
  for (const blocks of fullMinutes(service, most)) {
    const [newest, oldest] = [blocks[0], blocks.at(-1)];
    if (newest === undefined || oldest === undefined) continue;
    const transactions = newest.transactionCount - oldest.transactionCount + oldest.transactions.length;
    samples.push({
      numNonVoteTransactions: transactions,
      numSlots: blocks.length,
      numTransactions: transactions,
      samplePeriodSecs: SAMPLE_SECONDS,
      slot: newest.slot,
    });
  }
  return samples;
};

/** Closed blocks in groups of one minute, newest first; the minute that still runs is left out. */
function* fullMinutes({ state }: Service, most: number): Iterable<readonly Block[]> {
  const { chain } = state;
  const minute = (block: Block): number => Math.floor(block.blockTime / SAMPLE_SECONDS);
  const running = minute(chain.open);
  let group: Block[] = [];
  let given = 0;
  for (let height = chain.open.height - 1; given < most; height--) {
    const block = chain.atHeight(height);
    const first = group[0];
    if (first !== undefined && (block === undefined || minute(block) !== minute(first))) {
      yield group;
      given++;
      group = [];
    }
    if (block === undefined) return;
    if (minute(block) < running) group.push(block);
  }
}

export const nodeMethods = {
  getBlockCommitment,
  getClusterNodes,
  getHighestSnapshotSlot,
  getInflationGovernor,
  getInflationRate,
  getInflationReward,
  getMaxRetransmitSlot: openSlot,
  getMaxShredInsertSlot: openSlot,
  getRecentPerformanceSamples,
  getVoteAccounts,
} as const;
