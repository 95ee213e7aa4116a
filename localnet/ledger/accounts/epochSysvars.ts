// The data of the sysvars that an epoch writes: the stake of each epoch before, and the rewards that are being paid.
import { decodeBase58 } from '../../../core/solana/encoding/base58';
import type { AccountState } from '../types';
import { effectiveStake, type Delegation } from './stakeState';
import { viewOf } from '../../../core/solana/encoding/bytes';

/** Epochs that the history of stake remembers. */
export const HISTORY_EPOCHS = 512;
const ENTRY_BYTES = 32;

/** Rewards of an epoch. */
export interface EpochRewards {
  /** The height of the block that pays stakes, and the number of such blocks. */
  readonly startsAt: number;
  readonly partitions: number;
  readonly parentBlockhash: string;
  readonly points: bigint;
  /** Lamports: due, and paid so far. */
  readonly total: bigint;
  readonly paid: bigint;
}

/** The history with one more epoch in front: lamports that counted in it, were delegated in it, and taken back in it. */
export function withEpoch(history: AccountState, epoch: number, stakes: readonly Delegation[]): AccountState {
  const now = BigInt(epoch);
  const sum = (amount: (stake: Delegation) => bigint): bigint => stakes.reduce((all, stake) => all + amount(stake), 0n);
  const effective = (stake: Delegation): bigint => effectiveStake(stake, epoch);
  const isBegun = ({ activationEpoch, deactivationEpoch }: Delegation): boolean =>
    activationEpoch === now && deactivationEpoch !== now;
  const entry = [
    now,
    sum(effective),
    sum((stake) => (isBegun(stake) ? stake.lamports : 0n)),
    sum((stake) => (stake.deactivationEpoch === now ? effective(stake) : 0n)),
  ];
  const old = viewOf(history.data);
  const count = Math.min(Number(old.getBigUint64(0, true)) + 1, HISTORY_EPOCHS);
  const data = new Uint8Array(history.data.length);
  const view = viewOf(data);
  view.setBigUint64(0, BigInt(count), true);
  entry.forEach((word, at) => view.setBigUint64(8 + at * 8, word, true));
  data.set(history.data.subarray(8, 8 + (count - 1) * ENTRY_BYTES), 8 + ENTRY_BYTES);
  return { ...history, data };
}

/** The account while rewards are being paid. */
export function withRewards(account: AccountState, rewards: EpochRewards): AccountState {
  const data = new Uint8Array(account.data.length);
  const view = viewOf(data);
  view.setBigUint64(0, BigInt(rewards.startsAt), true);
  view.setBigUint64(8, BigInt(rewards.partitions), true);
  data.set(decodeBase58(rewards.parentBlockhash) ?? [], 16);
  view.setBigUint64(48, BigInt.asUintN(64, rewards.points), true);
  view.setBigUint64(56, rewards.points >> 64n, true);
  view.setBigUint64(64, rewards.total, true);
  view.setBigUint64(72, rewards.paid, true);
  data[80] = 1;
  return { ...account, data };
}

/** The account once these lamports are paid too, and nothing is left to pay. */
export function withAllPaid(account: AccountState, lamports: bigint): AccountState {
  const data = Uint8Array.from(account.data);
  const view = viewOf(data);
  view.setBigUint64(72, view.getBigUint64(72, true) + lamports, true);
  data[80] = 0;
  return { ...account, data };
}
