// The vote program's instructions as `jsonParsed` shows them.
import { bytes, pubkey, u64, type LayoutRow } from '../../../core/solana/layouts/layout';
import { VOTE } from '../../../core/solana/layouts/natives';
import { shape } from '../../../core/solana/layouts/shape';
import type { WireJson } from '../../api';
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

const BLS_KEY_BYTES = 48;
const BLS_PROOF_BYTES = 96;
const INITIALIZE_V2: readonly LayoutRow[] = [
  ['node', pubkey, null],
  ['authorizedVoter', pubkey],
  ['blsPubkey', bytes(BLS_KEY_BYTES), null],
  ['blsProof', bytes(BLS_PROOF_BYTES), null],
  ['authorizedWithdrawer', pubkey],
];

/** The collectors are in the data, or, in the later form, among the accounts. */
function initializeV2(c: ParsedCursor): ParsedInstruction {
  const info = { ...c.named('voteAccount', 'node'), ...parsedRows(c, INITIALIZE_V2) };
  const inData = c.rest >= 68;
  const inflationRewardsCommissionBps = c.u16();
  const inflationRewardsCollector = inData ? c.key() : c.account(2);
  const blockRevenueCommissionBps = c.u16();
  const blockRevenueCollector = inData ? c.key() : c.account(3);
  return {
    type: 'initializeV2',
    info: {
      ...info,
      inflationRewardsCommissionBps,
      inflationRewardsCollector,
      blockRevenueCommissionBps,
      blockRevenueCollector,
    },
  };
}

const COMMISSIONS = ['InflationRewards', 'BlockRevenue'] as const;

/** The kind is in four bytes in most encoders, in one byte in some. */
const commissionKind = (c: ParsedCursor): WireJson =>
  parsedValue(c, { kind: 'word', bytes: c.rest < 4 ? 1 : 4, words: COMMISSIONS });

const READERS = [
  ...readersOf(VOTE, {
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
  }),
  initializeV2,
  (c: ParsedCursor) => ({
    type: 'updateCommissionCollector',
    info: { ...c.named('voteAccount', 'newCollector', 'withdrawAuthority'), commissionKind: commissionKind(c) },
  }),
  (c: ParsedCursor) => ({
    type: 'updateCommissionBps',
    info: {
      ...c.named('voteAccount', 'withdrawAuthority'),
      commissionBps: c.u16(),
      commissionKind: commissionKind(c),
    },
  }),
  ...readersOf([shape('depositDelegatorRewards', 'voteAccount source', ['deposit', u64()])]),
];

export const parseVoteInstruction = (cursor: ParsedCursor): ParsedInstruction => pick(READERS, cursor.u32(), cursor);
