// Methods about a cluster that one local node can answer truly: it is the only node.
import { decodeBase58 } from '../../../core/solana/encoding/base58';
import type { WireJson } from '../../api';
import { U64_MAX } from '../../ledger/accounts/addresses';
import type { LedgerBlock, NodeGates, NodeRelease } from '../../ledger/types';
import { RpcFailure, invalidParams } from '../failure';
import { INFLATION, inflationAt } from '../../ledger/accounts/inflation';
import { commissionJson } from '../format/blockJson';
import type { LedgerView } from '../../ledger/state';
import { fixed, viewAt, type Method, type MethodService } from './method';
import { notFoundText } from './unanswered';
import {
  addressParam,
  bareCommitmentOf,
  configOf,
  confirmedCommitmentOf,
  listOf,
  optionalParam,
  positional,
  u64Param,
  usizeOf,
} from '../format/params';

/** The validator whose answers these are. */
const CLIENT = 'Agave';
const MAX_SAMPLES = 720;
const SAMPLE_SECONDS = 60;
const MAX_REWARD_ADDRESSES = 32;

const getClusterNodes = fixed(({ state, identity, gates }) => [
  {
    ...(state.release.line === '3.1' ? {} : { clientId: CLIENT }),
    featureSet: state.release.featureSet,
    gossip: portOf(gates, 0),
    pubkey: identity,
    pubsub: gates?.pubsub ?? null,
    rpc: gates?.rpc ?? null,
    serveRepair: portOf(gates, 8),
    shredVersion: shredVersionOf(state.genesisHash),
    tpu: null,
    tpuForwards: null,
    tpuForwardsQuic: portOf(gates, 10),
    tpuQuic: portOf(gates, 9),
    tpuVote: portOf(gates, 5),
    tvu: portOf(gates, 1),
    version: state.release.version,
  },
]);

/** Where a validator in this place has gossip, TPU and TVU; nothing listens there. */
const FIRST_PORT = 8000;

const portOf = (gates: NodeGates | undefined, offset: number): string | null =>
  gates === undefined ? null : `127.0.0.1:${FIRST_PORT + offset}`;

/** The version that a node derives from the genesis hash so that its peers recognise the cluster: 16 bits, never 0. */
function shredVersionOf(genesisHash: string): number {
  const bytes = Buffer.from(decodeBase58(genesisHash) ?? []);
  let folded = 0;
  for (let at = 0; at + 1 < bytes.length; at += 2) folded ^= bytes.readUInt16BE(at);
  return Math.min(folded + 1, 0xffff);
}

const getInflationGovernor: Method = (_service, params) => {
  bareCommitmentOf(positional(params, 0, 1)[0]);
  return { ...INFLATION };
};

const getInflationRate = fixed(({ state }) => {
  const epoch = state.epochOf(state.chain.tip('finalized').slot);
  return { epoch, ...inflationAt(epoch * state.slotsPerEpoch, state.rules.slotMs) };
});

/** Rewards of accounts for an epoch, read from the blocks that paid them; -32004 if the epoch has not ended, as on a node. */
const getInflationReward: Method = (service, params) => {
  const [first, second] = positional(params, 1, 2);
  const addresses = listOf(first, MAX_REWARD_ADDRESSES, addressParam);
  const config = configOf(second);
  const view = viewAt(service, config, confirmedCommitmentOf(config));
  const { chain, slotsPerEpoch } = service.state;
  const last = Math.max(0, service.state.epochOf(view.slot) - 1);
  const epoch = optionalParam(config, 'epoch', u64Param) ?? BigInt(last);
  const next = (epoch + 1n) * BigInt(slotsPerEpoch);
  const paidFrom = next > U64_MAX ? U64_MAX : next;
  const [payer] = chain.slots(Number(paidFrom), view.slot, 1);
  if (payer === undefined) throw new RpcFailure(-32004, `Block not available for slot ${paidFrom}`);
  if (paidFrom < chain.first.slot)
    throw new RpcFailure(
      -32001,
      `Block ${paidFrom} cleaned up, does not exist on node. First available block: ${chain.first.slot}`,
    );
  return addresses.map((address) => rewardAt(service, { address, epoch, view, slot: payer }));
};

interface WantedReward {
  readonly address: string;
  readonly epoch: bigint;
  readonly view: LedgerView;
  /** Of the first block after the epoch. */
  readonly slot: number;
}

function rewardAt({ state }: MethodService, { address, epoch, view, slot }: WantedReward): WireJson {
  const first = state.chain.atSlot(slot);
  // Time travel may have gone past the epoch: the first block after it pays for another one.
  if (first === undefined || BigInt(state.epochOf(first.parentSlot)) !== epoch) return null;
  const last = Math.min(view.height, first.height + (first.rewardPartitions ?? 0));
  for (let height = first.height; height <= last; height++) {
    const block = state.chain.atHeight(height);
    const reward = block?.rewards?.find((one) => one.kind !== 'Fee' && one.address === address);
    if (block === undefined || reward === undefined) continue;
    const { lamports: amount, postBalance } = reward;
    return { amount, effectiveSlot: block.slot, epoch, postBalance, ...commissionJson(reward, state.release.line) };
  }
  return null;
}

const getHighestSnapshotSlot = fixed(() => {
  throw new RpcFailure(-32008, 'No snapshot');
});

const openSlot = fixed(({ state }) => state.chain.open.slot);

/** One sample per full minute of the ledger's own time, newest first. */
const getRecentPerformanceSamples: Method = (service, params) => {
  const [limit] = positional(params, 0, 1);
  const most = limit === undefined || limit === null ? MAX_SAMPLES : Number(usizeOf(limit));
  if (most > MAX_SAMPLES) throw invalidParams(`Invalid limit; max ${MAX_SAMPLES}`);
  const samples: WireJson[] = [];
  for (const blocks of fullMinutes(service, most)) {
    const [newest, oldest] = [blocks[0], blocks.at(-1)];
    if (newest === undefined || oldest === undefined) continue;
    const transactions = newest.transactionCount - oldest.transactionCount + oldest.transactions.length;
    samples.push({
      numNonVoteTransactions: transactions - blocks.reduce((sum, block) => sum + votesIn(block), 0),
      numSlots: blocks.length,
      numTransactions: transactions,
      samplePeriodSecs: SAMPLE_SECONDS,
      slot: newest.slot,
    });
  }
  return samples;
};

/** The node's vote is the last transaction of a block. */
const votesIn = ({ transactions }: LedgerBlock): number => (transactions.at(-1)?.isVote === true ? 1 : 0);

/** Closed blocks in groups of one minute, newest first; the minute that still runs is left out. */
function* fullMinutes({ state }: MethodService, most: number): Iterable<readonly LedgerBlock[]> {
  const { chain } = state;
  const minute = (block: LedgerBlock): number => Math.floor(block.blockTime / SAMPLE_SECONDS);
  const running = minute(chain.open);
  let group: LedgerBlock[] = [];
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

/** Null on a ledger that has not migrated to Alpenglow; a node before 4.3 does not know the method. */
const getAgGenesisCert = fixed(({ state }) => {
  if (isBefore43(state.release)) throw new RpcFailure(-32601, notFoundText('getAgGenesisCert'));
  return state.certificate === undefined ? null : { ...state.certificate };
});

const isBefore43 = ({ line }: NodeRelease): boolean => line === '3.1' || line === '4.2';

export const nodeMethods = {
  getAgGenesisCert,
  getClusterNodes,
  getHighestSnapshotSlot,
  getInflationGovernor,
  getInflationRate,
  getInflationReward,
  getMaxRetransmitSlot: openSlot,
  getMaxShredInsertSlot: openSlot,
  getRecentPerformanceSamples,
} as const;
