// The vote program's instructions as `jsonParsed` shows them.
import type { WireJson } from '../../api';
import { U64_MAX } from '../../ledger/accounts/addresses';
import { pick, type ParsedCursor, type Info, type ParsedInstruction, type ReadInstruction } from './parsedCursor';
import { NotParsed } from './parsedFields';

const BLS_KEY_BYTES = 48;
const BLS_PROOF_BYTES = 96;

const AUTHORITY_TYPES = ['Voter', 'Withdrawer'] as const;
const COMMISSIONS = ['InflationRewards', 'BlockRevenue'] as const;

/** The name of a number in a list; what is not in it makes the instruction unparsed. */
function nameOf(names: readonly string[], number: number): string {
  const name = names[number];
  if (name === undefined) throw new NotParsed();
  return name;
}

const authorityType = (c: ParsedCursor): string => nameOf(AUTHORITY_TYPES, c.u32());
/** Four bytes in most encoders, one in some. */
const commissionKind = (c: ParsedCursor): string => nameOf(COMMISSIONS, c.rest < 4 ? c.u8() : c.u32());

const vote = (c: ParsedCursor): WireJson => ({
  slots: c.list(c.u64(), 8, () => c.u64()),
  hash: c.key(),
  timestamp: c.option(() => c.i64()),
});

const voteStateUpdate = (c: ParsedCursor): Info => ({
  lockouts: c.list(c.u64(), 12, () => ({ slot: c.u64(), confirmation_count: c.u32() })),
  root: c.option(() => c.u64()),
  hash: c.key(),
  timestamp: c.option(() => c.i64()),
});

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

const voting = (
  type: string,
  name: string,
  read: (c: ParsedCursor) => WireJson,
  isSwitch: boolean,
): ReadInstruction => {
  return (c) => ({
    type,
    info: { ...c.named('voteAccount', 'voteAuthority'), [name]: read(c), ...(isSwitch ? { hash: c.key() } : {}) },
  });
};

const VOTE_ACCOUNTS = ['voteAccount', 'slotHashesSysvar', 'clockSysvar', 'voteAuthority'] as const;

const seedArgs = (c: ParsedCursor): Info => ({
  authorityType: authorityType(c),
  authorityOwner: c.key(),
  authoritySeed: c.longText(),
});

const VOTE: readonly ReadInstruction[] = [
  (c) => {
    const [, authorizedVoter, authorizedWithdrawer, commission] = [c.key(), c.key(), c.key(), c.u8()];
    const accounts = c.named('voteAccount', 'rentSysvar', 'clockSysvar', 'node');
    return { type: 'initialize', info: { ...accounts, authorizedVoter, authorizedWithdrawer, commission } };
  },
  (c) => ({
    type: 'authorize',
    info: {
      ...c.named('voteAccount', 'clockSysvar', 'authority'),
      newAuthority: c.key(),
      authorityType: authorityType(c),
    },
  }),
  (c) => ({ type: 'vote', info: { ...c.named(...VOTE_ACCOUNTS), vote: vote(c) } }),
  (c) => ({
    type: 'withdraw',
    info: { ...c.named('voteAccount', 'destination', 'withdrawAuthority'), lamports: c.u64() },
  }),
  (c) => ({
    type: 'updateValidatorIdentity',
    info: c.named('voteAccount', 'newValidatorIdentity', 'withdrawAuthority'),
  }),
  (c) => ({
    type: 'updateCommission',
    info: { ...c.named('voteAccount', 'withdrawAuthority'), commission: c.u8() },
  }),
  (c) => ({ type: 'voteSwitch', info: { ...c.named(...VOTE_ACCOUNTS), vote: vote(c), hash: c.key() } }),
  (c) => ({
    type: 'authorizeChecked',
    info: {
      ...c.named('voteAccount', 'clockSysvar', 'authority', 'newAuthority'),
      authorityType: authorityType(c),
    },
  }),
  voting('updatevotestate', 'voteStateUpdate', voteStateUpdate, false),
  voting('updatevotestateswitch', 'voteStateUpdate', voteStateUpdate, true),
  (c) => ({
    type: 'authorizeWithSeed',
    info: {
      ...c.named('voteAccount', 'clockSysvar', 'authorityBaseKey'),
      ...seedArgs(c),
      newAuthority: c.key(),
    },
  }),
  (c) => ({
    type: 'authorizeCheckedWithSeed',
    info: { ...c.named('voteAccount', 'clockSysvar', 'authorityBaseKey', 'newAuthority'), ...seedArgs(c) },
  }),
  voting('compactupdatevotestate', 'voteStateUpdate', compactUpdate, false),
  voting('compactupdatevotestateswitch', 'voteStateUpdate', compactUpdate, true),
  voting('towersync', 'towerSync', towerSync, false),
  voting('towersyncswitch', 'towerSync', towerSync, true),
  initializeV2,
  (c) => ({
    type: 'updateCommissionCollector',
    info: { ...c.named('voteAccount', 'newCollector', 'withdrawAuthority'), commissionKind: commissionKind(c) },
  }),
  (c) => ({
    type: 'updateCommissionBps',
    info: {
      ...c.named('voteAccount', 'withdrawAuthority'),
      commissionBps: c.u16(),
      commissionKind: commissionKind(c),
    },
  }),
  (c) => ({ type: 'depositDelegatorRewards', info: { ...c.named('voteAccount', 'source'), deposit: c.u64() } }),
];

/** The collectors are in the data, or, in the later form, among the accounts. */
function initializeV2(c: ParsedCursor): ParsedInstruction {
  const accounts = c.named('voteAccount', 'node');
  const [, authorizedVoter] = [c.key(), c.key()];
  c.bytes(BLS_KEY_BYTES + BLS_PROOF_BYTES);
  const authorizedWithdrawer = c.key();
  const inData = c.rest >= 68;
  const inflationRewardsCommissionBps = c.u16();
  const inflationRewardsCollector = inData ? c.key() : c.account(2);
  const blockRevenueCommissionBps = c.u16();
  const blockRevenueCollector = inData ? c.key() : c.account(3);
  return {
    type: 'initializeV2',
    info: {
      ...accounts,
      authorizedVoter,
      authorizedWithdrawer,
      inflationRewardsCommissionBps,
      inflationRewardsCollector,
      blockRevenueCommissionBps,
      blockRevenueCollector,
    },
  };
}

export const parseVoteInstruction = (cursor: ParsedCursor): ParsedInstruction => pick(VOTE, cursor.u32(), cursor);
