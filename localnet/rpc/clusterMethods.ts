// Methods about the node itself, its clock, epochs and leaders. There is one node, and it leads every slot.
import { isJsonObject } from '../../core/values/json';
import type { WireJson } from '../api';
import { invalidParams } from './failure';
import {
  NODE_VERSIONS,
  commitmentConfig,
  fixed,
  onHeld,
  viewAt,
  withContext,
  type Method,
  type Service,
} from './method';
import type { StateView } from '../ledger/state';
import { collectInSlices, topInSlices } from './slices';
import { addressOf, boolOf, configOf, listOf, oneOf, optional, positional, slotOf, u64Of } from './params';

const MAX_SLOT_LEADERS = 5000n;
const MAX_FEE_ADDRESSES = 128;
/** Blocks for which a node remembers prioritization fees. */
const FEE_BLOCKS = 150;
const LARGEST = 20;
const MIN_DELEGATION = 1_000_000_000;

const getSlot: Method = (service, params) => {
  return viewAt(service, commitmentConfig(params)).slot;
};

const getBlockHeight: Method = (service, params) => {
  return viewAt(service, commitmentConfig(params)).height;
};

const getTransactionCount: Method = (service, params) => {
  return viewAt(service, commitmentConfig(params)).block.transactionCount;
};

const getEpochInfo: Method = (service, params) => {
  const { slot, height, block } = viewAt(service, commitmentConfig(params));
  const { slotsPerEpoch } = service.state;
  return {
    absoluteSlot: slot,
    blockHeight: height,
    epoch: service.state.epochOf(slot),
    slotIndex: slot % slotsPerEpoch,
    slotsInEpoch: slotsPerEpoch,
    transactionCount: block.transactionCount,
  };
};

const getSlotLeader: Method = (service, params) => {
  viewAt(service, commitmentConfig(params));
  return service.identity;
};

const getSlotLeaders: Method = (service, params) => {
  const [start, limit] = positional(params, 2, 2);
  slotOf(start);
  const count = u64Of(limit);
  if (count < 1n || count > MAX_SLOT_LEADERS) throw invalidParams(`Invalid limit; max ${MAX_SLOT_LEADERS}`);
  return Array.from({ length: Number(count) }, () => service.identity);
};

const getLeaderSchedule: Method = (service, params) => {
  const [first, second] = positional(params, 0, 2);
  const config = isJsonObject(first) ? first : configOf(second);
  const view = viewAt(service, config);
  const { slotsPerEpoch } = service.state;
  const slot = first === undefined || first === null || isJsonObject(first) ? view.slot : slotOf(first);
  // The schedule is known for the present epoch and the next.
  if (service.state.epochOf(slot) > service.state.epochOf(view.slot) + 1) return null;
  const identity = optional(config, 'identity', addressOf);
  if (identity !== undefined && identity !== service.identity) return {};
  return { [service.identity]: Array.from({ length: slotsPerEpoch }, (_, i) => i) };
};

const getEpochSchedule = fixed(({ state }) => ({
  firstNormalEpoch: 0,
  firstNormalSlot: 0,
  leaderScheduleSlotOffset: state.slotsPerEpoch,
  slotsPerEpoch: state.slotsPerEpoch,
  warmup: false,
}));

const getRecentPrioritizationFees: Method = (service, params) => {
  const [addresses] = positional(params, 0, 1);
  if (addresses !== undefined && addresses !== null) listOf(addresses, MAX_FEE_ADDRESSES, addressOf);
  const { chain } = service.state;
  const newest = chain.height('confirmed');
  const fees: WireJson[] = [];
  for (let height = Math.max(0, newest - FEE_BLOCKS + 1); height <= newest; height++) {
    const block = chain.atHeight(height);
    // Nobody competes for this node's blocks: the fee that got in was zero in each of them.
    if (block !== undefined) fees.push({ prioritizationFee: 0, slot: block.slot });
  }
  return fees;
};

const getStakeMinimumDelegation: Method = (service, params) => {
  return withContext(viewAt(service, commitmentConfig(params)), MIN_DELEGATION);
};

const getSupply: Method = async (service, params) => {
  const config = commitmentConfig(params);
  const view = viewAt(service, config);
  optional(config, 'excludeNonCirculatingAccountsList', boolOf);
  const total = (await balances(service, view)).reduce((sum, { lamports }) => sum + lamports, 0n);
  return withContext(view, { circulating: total, nonCirculating: 0, nonCirculatingAccounts: [], total });
};

const getLargestAccounts: Method = async (service, params) => {
  const config = commitmentConfig(params);
  const view = viewAt(service, config);
  const filter = optional(config, 'filter', oneOf(['circulating', 'nonCirculating']));
  optional(config, 'sortResults', boolOf);
  if (filter === 'nonCirculating') return withContext(view, []);
  return withContext(view, await topInSlices(await balances(service, view), LARGEST, ({ lamports }) => lamports));
};

type Balance = { readonly address: string; readonly lamports: bigint };

/** The lamports of every account of a view. */
function balances(service: Service, view: StateView): Promise<Balance[]> {
  return onHeld(service, view, (still) =>
    collectInSlices(still.addresses(), (address) => {
      const account = still.get(address);
      return account === undefined ? undefined : { address, lamports: account.lamports };
    }),
  );
}

export const clusterMethods = {
  getBlockHeight,
  getEpochInfo,
  getEpochSchedule,
  getGenesisHash: fixed(({ state }) => state.genesisHash),
  getHealth: fixed(() => 'ok'),
  getIdentity: fixed(({ identity }) => ({ identity })),
  getLargestAccounts,
  getLeaderSchedule,
  getRecentPrioritizationFees,
  getSlot,
  getSlotLeader,
  getSlotLeaders,
  getStakeMinimumDelegation,
  getSupply,
  getTransactionCount,
  getVersion: fixed(() => NODE_VERSIONS),
} as const;
