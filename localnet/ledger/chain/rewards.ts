// The rewards of an epoch: inflation's share for validators, by the credits that votes have earned and their stake. The
// first block of the next epoch pays vote accounts, the second one stakes, as nodes distribute them. Both work it out from
// the end of the epoch, so that nothing has to be remembered between them.
import { STAKE_PROGRAM, SYSVAR_EPOCH_REWARDS, SYSVAR_STAKE_HISTORY } from '../accounts/addresses';
import type { AccountView } from '../accounts/accounts';
import { inflationAt, yearsOf } from '../accounts/inflation';
import { HISTORY_EPOCHS, withAllPaid, withEpoch, withRewards } from '../accounts/epochSysvars';
import { effectiveStake, readDelegation, withReward, type Delegation } from '../accounts/stakeState';
import { readVoteState, type VoteState } from '../accounts/voteState';
import type { AccountState, LedgerBlock, Reward } from '../types';
import type { Chain, OpenBlock } from './chain';

/** Stakes of a ledger for tests are paid in one block. */
const PARTITIONS = 1;
const BASIS_POINTS = 10_000n;

/** The ledger's state, as far as rewards need it. */
interface PayingLedger {
  readonly chain: Pick<Chain, 'atHeight'>;
  readonly slotsPerEpoch: number;
  /** Of the consensus. */
  readonly slotMs: number;
  readonly accounts: { get(address: string): AccountState | undefined };
  /** The accounts as the end of a block left them, the vote account with its votes. */
  readonly accountsAt: (block: LedgerBlock) => AccountView;
  /** Programs see `forPrograms`, where it is given. */
  readonly write: (address: string, account: AccountState, forPrograms?: AccountState) => void;
}

/** The lamports due to a stake, and its vote account's share of them. */
interface Payout {
  readonly address: string;
  readonly voter: string;
  readonly commissionBps: number;
  readonly toStaker: bigint;
  readonly toVoter: bigint;
  /** The vote account's, which the stake has been paid for from then on. */
  readonly credits: bigint;
}

/** Pays what falls due in a block that has just opened, and notes it there. */
export function payRewards(ledger: PayingLedger, opened: OpenBlock): void {
  const { chain } = ledger;
  const parent = chain.atHeight(opened.height - 1);
  const before = chain.atHeight(opened.height - 2);
  if (parent === undefined) return;
  if (isFirst(ledger, opened, parent)) {
    const due = dueFor(ledger, parent, opened);
    opened.rewards = payVoters(ledger, due.payouts);
    opened.rewardPartitions = PARTITIONS;
    writeHistory(ledger, parent, opened);
    const shown = ledger.accounts.get(SYSVAR_EPOCH_REWARDS);
    if (shown === undefined) return;
    const active = withRewards(shown, {
      startsAt: opened.height + 1,
      partitions: PARTITIONS,
      parentBlockhash: parent.blockhash,
      points: due.points,
      total: due.total,
      paid: sumOf(opened.rewards),
    });
    // The stake program takes nothing while rewards are active, and time travel ends in this block: it sees them paid.
    ledger.write(SYSVAR_EPOCH_REWARDS, active, withAllPaid(active, 0n));
  } else if (before !== undefined && isFirst(ledger, parent, before)) {
    opened.rewards = payStakers(ledger, dueFor(ledger, before, parent).payouts);
    const shown = ledger.accounts.get(SYSVAR_EPOCH_REWARDS);
    if (shown !== undefined) ledger.write(SYSVAR_EPOCH_REWARDS, withAllPaid(shown, sumOf(opened.rewards)));
  }
}

const sumOf = (rewards: readonly Reward[]): bigint => rewards.reduce((sum, { lamports }) => sum + lamports, 0n);

/** Epochs that are jumped over have an entry too. */
function writeHistory(ledger: PayingLedger, last: LedgerBlock, next: LedgerBlock): void {
  const accounts = ledger.accountsAt(last);
  let history = ledger.accounts.get(SYSVAR_STAKE_HISTORY);
  if (history === undefined) return;
  const stakes = stakesOf(accounts).map(({ stake }) => stake);
  const [from, to] = [epochOf(last, ledger), epochOf(next, ledger)];
  for (let epoch = Math.max(from, to - HISTORY_EPOCHS); epoch < to; epoch++)
    history = withEpoch(history, epoch, stakes);
  ledger.write(SYSVAR_STAKE_HISTORY, history);
}

function epochOf({ slot }: LedgerBlock, { slotsPerEpoch }: PayingLedger): number {
  return Math.floor(slot / slotsPerEpoch);
}

function isFirst(ledger: PayingLedger, block: LedgerBlock, parent: LedgerBlock): boolean {
  return epochOf(block, ledger) !== epochOf(parent, ledger);
}

/** Every delegated stake. */
function stakesOf(accounts: AccountView): readonly { readonly address: string; readonly stake: Delegation }[] {
  return [...accounts.candidates(STAKE_PROGRAM)].flatMap((address) => {
    const account = accounts.get(address);
    const stake = account && readDelegation(account);
    return stake === undefined ? [] : [{ address, stake }];
  });
}

/** The payouts of an epoch; none without points. */
interface Due {
  readonly payouts: readonly Payout[];
  readonly points: bigint;
  /** Lamports. */
  readonly total: bigint;
}

/** `last` is the last block of the epoch that is paid for, `next` the first one after it. */
function dueFor(ledger: PayingLedger, last: LedgerBlock, next: LedgerBlock): Due {
  const { slotMs, slotsPerEpoch } = ledger;
  const accounts = ledger.accountsAt(last);
  const ended = epochOf(last, ledger);
  const { validator } = inflationAt(epochOf(next, ledger) * slotsPerEpoch, slotMs);
  const total = BigInt(Math.floor(validator * Number(lamportsOf(accounts)) * yearsOf(slotsPerEpoch, slotMs)));
  const stakes = stakesOf(accounts).flatMap(({ address, stake }) => {
    const voter = accounts.get(stake.voter);
    const votes = voter && readVoteState(voter);
    return votes === undefined ? [] : [{ address, stake, votes, points: pointsOf(stake, votes) }];
  });
  const points = stakes.reduce((sum, one) => sum + one.points, 0n);
  if (points === 0n) return { payouts: [], points, total: 0n };
  const payouts = stakes.flatMap(({ address, stake, votes, points: own }) => {
    // Stake that was delegated in the epoch has earned nothing in it.
    const isNew = stake.activationEpoch === BigInt(ended);
    const reward = isNew ? 0n : (own * total) / points;
    const toVoter = (reward * BigInt(votes.commissionBps)) / BASIS_POINTS;
    if (reward === 0n && !isNew) return [];
    const { voter } = stake;
    const { commissionBps } = votes;
    return [{ address, voter, commissionBps, toVoter, toStaker: reward - toVoter, credits: creditsOf(votes) }];
  });
  return { payouts, points, total };
}

function payVoters(ledger: PayingLedger, payouts: readonly Payout[]): readonly Reward[] {
  const due = new Map<string, { lamports: bigint; readonly commissionBps: number }>();
  for (const { voter, toStaker, toVoter, commissionBps } of payouts) {
    if (toStaker + toVoter === 0n) continue;
    const one = due.get(voter) ?? { lamports: 0n, commissionBps };
    one.lamports += toVoter;
    due.set(voter, one);
  }
  return [...due].flatMap(([address, { lamports, commissionBps }]) =>
    pay(ledger, { address, lamports, commissionBps, kind: 'Voting' }, (account) => account),
  );
}

function payStakers(ledger: PayingLedger, payouts: readonly Payout[]): readonly Reward[] {
  return payouts.flatMap(({ address, toStaker: lamports, commissionBps, credits }) =>
    pay(ledger, { address, lamports, commissionBps, kind: 'Staking' }, (account) =>
      withReward(account, lamports, credits),
    ),
  );
}

/** Adds the lamports and shows them in the block. */
function pay(
  { accounts, write }: PayingLedger,
  due: Omit<Reward, 'postBalance'>,
  change: (account: AccountState) => AccountState,
): readonly Reward[] {
  const { address, lamports } = due;
  const account = accounts.get(address);
  if (account === undefined) return [];
  const paid = change({ ...account, lamports: account.lamports + lamports });
  if (paid.lamports !== account.lamports || paid.data !== account.data) write(address, paid);
  return lamports === 0n && due.kind === 'Staking' ? [] : [{ ...due, postBalance: paid.lamports }];
}

function lamportsOf(accounts: AccountView): bigint {
  let sum = 0n;
  for (const address of accounts.addresses()) sum += accounts.get(address)?.lamports ?? 0n;
  return sum;
}

const creditsOf = ({ credits }: VoteState): bigint => BigInt(credits.at(-1)?.credits ?? 0);

/** Stake times credits, for each epoch since the stake was last paid. */
function pointsOf(stake: Delegation, { credits }: VoteState): bigint {
  let observed = stake.credits;
  let points = 0n;
  for (const { epoch, credits: end, previous } of credits) {
    const from = observed > BigInt(previous) ? observed : BigInt(previous);
    const earned = BigInt(end) - from;
    if (earned <= 0n) continue;
    points += effectiveStake(stake, epoch) * earned;
    observed = BigInt(end);
  }
  return points;
}
