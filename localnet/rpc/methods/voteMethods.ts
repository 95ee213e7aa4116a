// Methods about votes and stake, read from the vote and stake accounts of the ledger. Its own node votes for every block.
import type { WireJson } from '../../api';
import { STAKE_PROGRAM, VOTE_PROGRAM } from '../../ledger/accounts/addresses';
import { effectiveStake, readDelegation } from '../../ledger/accounts/stakeState';
import type { LedgerView } from '../../ledger/state';
import type { NodeRelease } from '../../ledger/types';
import { readVoteState, type VoteState } from '../../ledger/accounts/voteState';
import { commitmentConfig, onHeld, stateAt, type Method, type MethodService } from './method';
import { addressParam, boolOf, commitmentOf, optionalParam, positional, slotOf } from '../format/params';
import { collectInSlices } from '../../slices';

/** Slots that a vote account may be behind before it counts as delinquent. */
const DELINQUENT_DISTANCE = 128;
/** Epochs of credits in an answer. */
const EPOCHS_SHOWN = 5;
/** Votes upon a block that make it a root, and so the places of getBlockCommitment. */
const DEPTHS = 32;

const getVoteAccounts: Method = async (service, params) => {
  const config = commitmentConfig(params);
  const view = stateAt(service, commitmentOf(config));
  const wanted = optionalParam(config, 'votePubkey', addressParam);
  const keepUnstaked = optionalParam(config, 'keepUnstakedDelinquents', boolOf) ?? false;
  const distance = optionalParam(config, 'delinquentSlotDistance', slotOf) ?? DELINQUENT_DISTANCE;
  const oldest = view.slot >= distance ? view.slot - distance : 0;
  const rows = await onHeld(service, view, async (still) => {
    const staked = await stakeByVoter(service, still);
    return collectInSlices(still.candidates(VOTE_PROGRAM), (address) => {
      const account = wanted === undefined || wanted === address ? still.get(address) : undefined;
      const state = account === undefined ? undefined : readVoteState(account);
      return state === undefined ? undefined : { address, state, stake: staked.get(address) ?? 0n };
    });
  });
  const show = voteInfoOf(view.release);
  const isCurrent = ({ state }: VoteRow): boolean => state.lastVote > oldest;
  return {
    current: rows.filter(isCurrent).map(show),
    delinquent: rows.filter((row) => !isCurrent(row) && (keepUnstaked || row.stake > 0n)).map(show),
  };
};

interface VoteRow {
  readonly address: string;
  readonly state: VoteState;
  readonly stake: bigint;
}

const voteInfoOf =
  ({ line }: NodeRelease) =>
  ({ address, state, stake }: VoteRow): WireJson => ({
    activatedStake: stake,
    commission: Math.floor(state.commissionBps / 100),
    epochCredits: state.credits.slice(-EPOCHS_SHOWN).map(({ epoch, credits, previous }) => [epoch, credits, previous]),
    epochVoteAccount: stake > 0n,
    ...(line === '3.1' ? {} : { inflationRewardsCommissionBps: state.commissionBps }),
    lastVote: state.lastVote,
    nodePubkey: state.node,
    rootSlot: state.root,
    votePubkey: address,
  });

/** Lamports that count in the view's epoch, by vote account. */
async function stakeByVoter({ state }: MethodService, view: LedgerView): Promise<ReadonlyMap<string, bigint>> {
  const epoch = state.epochOf(view.slot);
  const stakes = await collectInSlices(view.candidates(STAKE_PROGRAM), (address) => {
    const account = view.get(address);
    const delegation = account === undefined ? undefined : readDelegation(account);
    return delegation === undefined
      ? undefined
      : { voter: delegation.voter, lamports: effectiveStake(delegation, epoch) };
  });
  const sums = new Map<string, bigint>();
  for (const { voter, lamports } of stakes) sums.set(voter, (sums.get(voter) ?? 0n) + lamports);
  return sums;
}

/** How many votes of the node follow a block: one place per depth, the last one for roots. Older blocks have none, nor has Alpenglow. */
const getBlockCommitment: Method = async (service, params) => {
  const slot = slotOf(positional(params, 1, 1)[0]);
  const { certificate, chain } = service.state;
  const view = service.state.view('processed');
  const staked = await onHeld(service, view, (still) => stakeByVoter(service, still));
  const totalStake = [...staked.values()].reduce((sum, lamports) => sum + lamports, 0n);
  const own = staked.get(service.vote) ?? 0n;
  const height = chain.atSlot(slot)?.height;
  const depth = height === undefined ? 0 : view.height - height;
  const root = chain.height('finalized');
  if (certificate !== undefined || height === undefined || depth < 1 || height < root)
    return { commitment: null, totalStake };
  const place = height === root ? DEPTHS : Math.min(depth, DEPTHS - 1);
  return { commitment: Array.from({ length: DEPTHS }, (_, index) => (index === place - 1 ? own : 0)), totalStake };
};

export const voteMethods = { getBlockCommitment, getVoteAccounts } as const;
