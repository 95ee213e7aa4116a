// Stake accounts: after their state in four bytes the authorities, and a delegation where there is one.
import {
  EPOCH,
  f64,
  i64,
  LAMPORTS,
  pubkey,
  quotedNumber,
  struct,
  u64,
  u64OrNever,
  u8,
  UNIX_TIME,
  type LayoutRow,
} from './layout';

/** When the stake unlocks, and who may unlock it earlier. */
export const LOCKUP = struct(['unixTimestamp', i64(UNIX_TIME)], ['epoch', u64(EPOCH)], ['custodian', pubkey]);

export const STAKE_META: readonly LayoutRow[] = [
  ['rentExemptReserve', quotedNumber(u64(LAMPORTS)), 'meta.rentExemptReserve'],
  ['staker', pubkey, 'meta.authorized.staker'],
  ['withdrawer', pubkey, 'meta.authorized.withdrawer'],
  ['lockup', LOCKUP, 'meta.lockup'],
];

/** A stake that nobody deactivated says the last epoch there can be. */
export const STAKE_DELEGATION: readonly LayoutRow[] = [
  ['voter', pubkey, 'stake.delegation.voter'],
  ['stake', quotedNumber(u64(LAMPORTS)), 'stake.delegation.stake'],
  ['activationEpoch', quotedNumber(u64(EPOCH)), 'stake.delegation.activationEpoch'],
  ['deactivationEpoch', quotedNumber(u64OrNever(EPOCH)), 'stake.delegation.deactivationEpoch'],
  ['warmupCooldownRate', f64, 'stake.delegation.warmupCooldownRate'],
  ['creditsObserved', u64(), 'stake.creditsObserved'],
  ['flags', u8(), null],
];
