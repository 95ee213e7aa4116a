// The vote program's instructions as `jsonParsed` shows them.
import type { LayoutRow } from '../../../core/solana/layouts/layout';
import { VOTE } from '../../../core/solana/layouts/natives';
import { U64_MAX } from '../../ledger/accounts/addresses';
import { pick, type ParsedCursor, type Info, type ParsedInstruction } from './parsedCursor';
import { readersOf, parsedRows, parsedValue, rowsWithout, type ReadShape } from './parsedLayout';

/** The short form: each lockout as its distance from the one before, the first from the root. */
function compactUpdate(c: ParsedCursor): Info {
  const first = c.u64();
  const root = first === U64_MAX ? null : first;
  let slot = root ?? 0n;
  const lockouts = c.list(c.varint(), 2, () => {
    slot += c.varint();
    return { slot, confirmation_count: c.u8() };
  });
  return { lockouts, root, hash: c.key(), timestamp: c.option(() => c.i64()) };
}

const towerSync = (c: ParsedCursor): Info => ({ ...compactUpdate(c), blockId: c.key() });

/** The data in a member, with the hash of a proof to switch forks outside. The names of later instructions are in small letters. */
const voting =
  (member: string, read: (c: ParsedCursor, rows: readonly LayoutRow[]) => Info = parsedRows): ReadShape =>
  (c, { name, roles, rows }) => {
    const isSwitch = name.endsWith('Switch');
    const vote = read(c, isSwitch ? rows.slice(0, -1) : rows);
    return {
      type: member === 'vote' ? name : name.toLowerCase(),
      info: { ...c.named(...roles), [member]: vote, ...(isSwitch ? { hash: c.key() } : {}) },
    };
  };

/** The collectors are in the data, or, in the later form, among the accounts. */
const initializeV2: ReadShape = (c, { name, rows }) => {
  const info = { ...c.named('voteAccount', 'node'), ...parsedRows(c, rows) };
  const inData = c.rest >= 68;
  const inflationRewardsCommissionBps = c.u16();
  const inflationRewardsCollector = inData ? c.key() : c.account(2);
  const blockRevenueCommissionBps = c.u16();
  const blockRevenueCollector = inData ? c.key() : c.account(3);
  return {
    type: name,
    info: {
      ...info,
      inflationRewardsCommissionBps,
      inflationRewardsCollector,
      blockRevenueCommissionBps,
      blockRevenueCollector,
    },
  };
};

const COMMISSIONS = ['InflationRewards', 'BlockRevenue'] as const;

/** The kind of a commission, the last row, is in four bytes in most encoders, in one byte in some. */
const withKind: ReadShape = (c, { name, roles, rows }) => ({
  type: name,
  info: {
    ...c.named(...roles),
    ...parsedRows(c, rows.slice(0, -1)),
    commissionKind: parsedValue(c, { kind: 'word', bytes: c.rest < 4 ? 1 : 4, words: COMMISSIONS }),
  },
});

const READERS = readersOf(VOTE, {
  // The node is also in the data.
  initialize: (c, { name, roles, rows }) => ({
    type: name,
    info: { ...c.named(...roles), ...parsedRows(c, rowsWithout(rows, 'node')) },
  }),
  vote: voting('vote'),
  voteSwitch: voting('vote'),
  updateVoteState: voting('voteStateUpdate'),
  updateVoteStateSwitch: voting('voteStateUpdate'),
  compactUpdateVoteState: voting('voteStateUpdate', compactUpdate),
  compactUpdateVoteStateSwitch: voting('voteStateUpdate', compactUpdate),
  towerSync: voting('towerSync', towerSync),
  towerSyncSwitch: voting('towerSync', towerSync),
  initializeV2,
  updateCommissionCollector: withKind,
  updateCommissionBps: withKind,
});

export const parseVoteInstruction = (cursor: ParsedCursor): ParsedInstruction => pick(READERS, cursor.u32(), cursor);
