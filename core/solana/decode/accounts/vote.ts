// Vote accounts in every version the Vote program has written: 0.23.5, 1.14.11, v3 and v4. The rest of an account's
// bytes is room for more votes and credits.
import { ByteReader } from '../../encoding/bytes';
import type { AccountBytes, Decoded, DecodedValue } from '../decoded';
import {
  BASIS_POINTS,
  bincodeList,
  bytes,
  EPOCH,
  i64,
  LAMPORTS,
  option,
  PERCENT_UNIT,
  pubkey,
  readRows,
  SLOT_UNIT,
  struct,
  textValue,
  u16,
  u32,
  u64,
  u8,
  UNIX_TIME,
  type LayoutRead,
  type LayoutRow,
} from '../layout';

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
const credits = bincodeList(struct(['epoch', u64(EPOCH)], ['credits', u64()], ['previousCredits', u64()]), 24);
const lastTimestamp = struct(['slot', u64(SLOT_UNIT)], ['timestamp', i64(UNIX_TIME)]);

const PRIOR_VOTERS = 32;

/** A ring of 32 places; those nobody has written to are left out. `withSlot`: the oldest layout has a slot more. */
function priorVoters(withSlot: boolean): LayoutRead {
  const place = struct(
    ['authorizedVoter', pubkey],
    ['fromEpoch', u64(EPOCH)],
    ['untilEpoch', u64(EPOCH)],
    ...(withSlot ? [['slot', u64(SLOT_UNIT)] as const] : []),
  );
  const width = withSlot ? 56 : 48;
  return (reader) => {
    const found: DecodedValue[] = [];
    for (let at = 0; at < PRIOR_VOTERS; at++) {
      const written = reader.take(width);
      if (written.some((byte) => byte !== 0)) found.push(place(new ByteReader(written)));
    }
    reader.u64();
    if (!withSlot) reader.u8();
    return { kind: 'list', items: found };
  };
}

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
const withPriorVoters = (votes: LayoutRead): readonly LayoutRow[] => [
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
  ['inflationRewardsCommission', u16(BASIS_POINTS)],
  ['blockRevenueCommission', u16(BASIS_POINTS)],
  ['pendingDelegatorRewards', u64(LAMPORTS)],
  ['blsPubkey', option(bytes(48))],
  ['votes', landedVotes],
  ['rootSlot', option(u64(SLOT_UNIT))],
  ['authorizedVoters', voters],
  ['epochCredits', credits],
  ['lastTimestamp', lastTimestamp],
];

/** By the version number in the first four bytes. */
const VERSIONS: readonly { readonly name: string; readonly rows: readonly LayoutRow[] }[] = [
  { name: '0.23.5', rows: V0_23_5 },
  { name: '1.14.11', rows: withPriorVoters(lockouts) },
  { name: 'v3', rows: withPriorVoters(landedVotes) },
  { name: 'v4', rows: V4 },
];

export function decodeVote({ data }: AccountBytes): Decoded | undefined {
  const reader = new ByteReader(data);
  const version = VERSIONS[reader.u32()];
  if (reader.failed || version === undefined) return undefined;
  const fields = readRows(reader, version.rows);
  if (fields === undefined) return undefined;
  return {
    kind: 'vote',
    title: 'Vote account',
    fields: [{ name: 'version', value: textValue(version.name) }, ...fields],
  };
}
