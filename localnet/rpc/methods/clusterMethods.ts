// Methods about the node itself, its clock, epochs and leaders. There is one node, and it leads every slot.
import { isJsonObject } from '../../../core/solana/json/json';
import { invalidParams, RpcFailure } from '../failure';
import {
  commitmentConfig,
  fixed,
  ofView,
  onHeld,
  stateAt,
  withContext,
  type Method,
  type MethodService,
} from './method';
import { circulates, NON_CIRCULATING } from '../../ledger/accounts/nonCirculating';
import { versionsOf } from '../../ledger/release';
import type { LedgerView } from '../../ledger/state';
import { collectInSlices, topInSlices } from '../../slices';
import {
  addressParam,
  boolOf,
  commitmentOf,
  configOf,
  nameParam,
  optionalParam,
  positional,
  slotOf,
  u64Param,
} from '../format/params';

const MAX_SLOT_LEADERS = 5000n;
const LARGEST = 20;
const MIN_DELEGATION = 1_000_000_000;

const getEpochInfo = ofView(({ slot, height, block }, { state }) => ({
  absoluteSlot: slot,
  blockHeight: height,
  epoch: state.epochOf(slot),
  slotIndex: slot % state.slotsPerEpoch,
  slotsInEpoch: state.slotsPerEpoch,
  transactionCount: block.transactionCount,
}));

const getSlotLeaders: Method = (service, params) => {
  const [start, limit] = positional(params, 2, 2);
  const first = u64Param(start);
  const count = u64Param(limit);
  if (count < 1n || count > MAX_SLOT_LEADERS) throw invalidParams(`Invalid limit; max ${MAX_SLOT_LEADERS}`);
  const { state, identity } = service;
  // The schedule is known to the end of the epoch after the finalized one.
  const unknown = BigInt(state.epochOf(state.view('finalized').slot) + 2);
  const epochOf = (slot: bigint): bigint => slot / BigInt(state.slotsPerEpoch);
  if (epochOf(first + count - 1n) >= unknown) {
    const epoch = epochOf(first) > unknown ? epochOf(first) : unknown;
    throw invalidParams(`Invalid slot range: leader schedule for epoch ${epoch} is unavailable`);
  }
  return Array.from({ length: Number(count) }, () => identity);
};

const getLeaderSchedule: Method = (service, params) => {
  const [first, second] = positional(params, 0, 2);
  const config = isJsonObject(first) ? first : configOf(second);
  const view = stateAt(service, commitmentOf(config));
  const { slotsPerEpoch } = service.state;
  const slot = first === undefined || first === null || isJsonObject(first) ? view.slot : slotOf(first);
  // The schedule is known for the present epoch and the next.
  if (service.state.epochOf(slot) > service.state.epochOf(view.slot) + 1) return null;
  const isNewer = service.state.release.line === '4.4';
  const byVote = optionalParam(config, 'keyByVoteAccount', boolOf) ?? false;
  const key = isNewer && byVote ? service.vote : service.identity;
  const wanted = optionalParam(config, 'identity', addressParam);
  if (wanted !== undefined && wanted !== key) {
    if (isNewer) throw new RpcFailure(-32022, `${wanted} is not in the leader schedule of this epoch`);
    return {};
  }
  return { [key]: Array.from({ length: slotsPerEpoch }, (_, i) => i) };
};

const getEpochSchedule = fixed(({ state }) => ({
  firstNormalEpoch: 0,
  firstNormalSlot: 0,
  leaderScheduleSlotOffset: state.slotsPerEpoch,
  slotsPerEpoch: state.slotsPerEpoch,
  warmup: false,
}));

const getSupply: Method = async (service, params) => {
  const config = commitmentConfig(params);
  const view = stateAt(service, commitmentOf(config));
  const exclude = optionalParam(config, 'excludeNonCirculatingAccountsList', boolOf) ?? false;
  const all = await balances(service, view);
  const held = all.filter(({ isCirculating }) => !isCirculating);
  const [total, nonCirculating] = [sumOf(all), sumOf(held)];
  const named = new Set([...NON_CIRCULATING, ...held.map(({ address }) => address)]);
  return withContext(view, {
    circulating: total - nonCirculating,
    nonCirculating,
    nonCirculatingAccounts: exclude ? [] : [...named],
    total,
  });
};

const getLargestAccounts: Method = async (service, params) => {
  const config = commitmentConfig(params);
  const view = stateAt(service, commitmentOf(config));
  const filter = optionalParam(config, 'filter', nameParam(['circulating', 'nonCirculating']));
  optionalParam(config, 'sortResults', boolOf);
  const all = await balances(service, view);
  const isWanted = ({ isCirculating }: Balance): boolean => isCirculating === (filter === 'circulating');
  const wanted = filter === undefined ? all : all.filter(isWanted);
  const largest = await topInSlices(wanted, LARGEST, ({ lamports }) => lamports);
  return withContext(
    view,
    largest.map(({ address, lamports }) => ({ address, lamports })),
  );
};

interface Balance {
  readonly address: string;
  readonly lamports: bigint;
  readonly isCirculating: boolean;
}

const sumOf = (balances: readonly Balance[]): bigint => balances.reduce((sum, { lamports }) => sum + lamports, 0n);

/** The lamports of every account of a view. */
function balances(service: MethodService, view: LedgerView): Promise<Balance[]> {
  const now = { epoch: service.state.epochOf(view.slot), time: view.block.blockTime };
  return onHeld(service, view, (still) =>
    collectInSlices(still.addresses(), (address) => {
      const account = still.get(address);
      if (account === undefined) return undefined;
      return { address, lamports: account.lamports, isCirculating: circulates(address, account, now) };
    }),
  );
}

export const clusterMethods = {
  getBlockHeight: ofView(({ height }) => height),
  getEpochInfo,
  getEpochSchedule,
  getGenesisHash: fixed(({ state }) => state.genesisHash),
  getHealth: fixed(() => 'ok'),
  getIdentity: fixed(({ identity }) => ({ identity })),
  getLargestAccounts,
  getLeaderSchedule,
  getSlot: ofView(({ slot }) => slot),
  getSlotLeader: ofView((_view, { identity }) => identity),
  getSlotLeaders,
  getStakeMinimumDelegation: ofView((view) => withContext(view, MIN_DELEGATION)),
  getSupply,
  getTransactionCount: ofView(({ block }) => block.transactionCount),
  getVersion: fixed(({ state }) => versionsOf(state.release)),
} as const;
