// Vote accounts in every version the Vote program has written: 0.23.5, 1.14.11, v3 and v4. The rest of an account's
// bytes is room for more votes and credits.
import {
  BASIS_POINTS,
  bincodeList,
  EPOCH,
  i64,
  LAMPORTS,
  option,
  PERCENT_UNIT,
  pubkey,
  quotedNumber,
  SLOT_UNIT,
  struct,
  u16,
  u32,
  u64,
  u8,
  UNIX_TIME,
  type LayoutRow,
  type LayoutType,
} from './layout';

const lockout: readonly LayoutRow[] = [
  ['slot', u64(SLOT_UNIT)],
  ['confirmationCount', u32()],
];
/** Since v3 a vote is preceded by its latency in slots. */
const lockouts = bincodeList(struct(...lockout), 12);
const landedVotes = bincodeList(struct(['latency', u8()], ...lockout), 13);

const voter: readonly LayoutRow[] = [
  ['epoch', u64(EPOCH)],
  ['authorizedVoter', pubkey],
];
const voters = bincodeList(struct(...voter), 40);

/** Credits count votes; in epochs of Alpenglow, as far as is known, the lamports earned. */
const credits = bincodeList(
  struct(['epoch', u64(EPOCH)], ['credits', quotedNumber(u64())], ['previousCredits', quotedNumber(u64())]),
  24,
);
const lastTimestamp = struct(['slot', u64(SLOT_UNIT)], ['timestamp', i64(UNIX_TIME)]);

/** A ring of 32 places; those nobody has written to are left out. `withSlot`: the oldest layout has a slot more. */
const priorVoters = (withSlot: boolean): LayoutType => ({
  kind: 'ring',
  rows: [
    ['authorizedVoter', pubkey, 'authorizedPubkey'],
    ['fromEpoch', u64(EPOCH), 'epochOfLastAuthorizedSwitch'],
    ['untilEpoch', u64(EPOCH), 'targetEpoch'],
    ...(withSlot ? [['slot', u64(SLOT_UNIT), null] as const] : []),
  ],
  places: 32,
  width: withSlot ? 56 : 48,
  tail: withSlot ? 8 : 9,
});

const V0_23_5: readonly LayoutRow[] = [
  ['nodePubkey', pubkey],
  ['authorizedVoter', pubkey],
  ['authorizedVoterEpoch', u64(EPOCH)],
  ['priorVoters', priorVoters(true)],
  ['authorizedWithdrawer', pubkey],
  ['commission', u8(PERCENT_UNIT)],
  ['votes', lockouts],
  ['rootSlot', option(u64(SLOT_UNIT))],
  ['epochCredits', credits],
  ['lastTimestamp', lastTimestamp],
];

/** 1.14.11 and v3 differ in their votes alone. */
const withPriorVoters = (votes: LayoutType): readonly LayoutRow[] => [
  ['nodePubkey', pubkey],
  ['authorizedWithdrawer', pubkey],
  ['commission', u8(PERCENT_UNIT)],
  ['votes', votes],
  ['rootSlot', option(u64(SLOT_UNIT))],
  ['authorizedVoters', voters],
  ['priorVoters', priorVoters(false)],
  ['epochCredits', credits],
  ['lastTimestamp', lastTimestamp],
];

const V4: readonly LayoutRow[] = [
  ['nodePubkey', pubkey],
  ['authorizedWithdrawer', pubkey],
  ['inflationRewardsCollector', pubkey],
  ['blockRevenueCollector', pubkey],
  ['inflationRewardsCommission', u16(BASIS_POINTS), 'inflationRewardsCommissionBps'],
  ['blockRevenueCommission', u16(BASIS_POINTS), 'blockRevenueCommissionBps'],
  ['pendingDelegatorRewards', quotedNumber(u64(LAMPORTS))],
  ['blsPubkey', option({ kind: 'bytes', count: 48, isBase58: true }), 'blsPubkeyCompressed'],
  ['votes', landedVotes],
  ['rootSlot', option(u64(SLOT_UNIT))],
  ['authorizedVoters', voters],
  ['epochCredits', credits],
  ['lastTimestamp', lastTimestamp],
];

/** By the version number in the first four bytes. */
export const VOTE_VERSIONS: readonly { readonly name: string; readonly rows: readonly LayoutRow[] }[] = [
  { name: '0.23.5', rows: V0_23_5 },
  { name: '1.14.11', rows: withPriorVoters(lockouts) },
  { name: 'v3', rows: withPriorVoters(landedVotes) },
  { name: 'v4', rows: V4 },
];
