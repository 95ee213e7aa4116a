// Stake accounts and the stake program's instructions as `jsonParsed` shows them.
import type { WireJson } from '../../api';
import { STAKE_CONFIG, SYSVAR_CLOCK, SYSVAR_RENT } from '../../ledger/accounts/addresses';
import type { AgaveLine } from '../../ledger/types';
import { pick, type ParsedCursor, type Info, type ParsedInstruction, type ReadInstruction } from './parsedCursor';
import { Fields, NotParsed } from './parsedFields';

export interface ParsedStakeAccount {
  readonly type: string;
  readonly info?: WireJson;
}

export function parseStakeAccount(data: Uint8Array, line: AgaveLine): ParsedStakeAccount {
  const fields = new Fields(data);
  switch (fields.u32()) {
    case 0:
      return { type: 'uninitialized' };
    case 1:
      return { type: 'initialized', info: { meta: metaOf(fields), stake: null } };
    case 2:
      return { type: 'delegated', info: { meta: metaOf(fields), stake: stakeOf(fields, line) } };
    case 3:
      return { type: 'rewardsPool' };
    default:
      throw new NotParsed();
  }
}

function metaOf(fields: Fields): WireJson {
  return {
    rentExemptReserve: fields.u64().toString(),
    authorized: { staker: fields.key(), withdrawer: fields.key() },
    lockup: lockupOf(fields),
  };
}

const lockupOf = (fields: Fields): WireJson => ({
  unixTimestamp: fields.i64(),
  epoch: fields.u64(),
  custodian: fields.key(),
});

function stakeOf(fields: Fields, line: AgaveLine): WireJson {
  const delegation = {
    voter: fields.key(),
    stake: fields.u64().toString(),
    activationEpoch: fields.u64().toString(),
    deactivationEpoch: fields.u64().toString(),
    ...rateOf(fields, line),
  };
  return { delegation, creditsObserved: fields.u64() };
}

/** The rate is the same for all stake, and newer nodes do not show it. */
function rateOf(fields: Fields, line: AgaveLine): { readonly warmupCooldownRate?: number } {
  const warmupCooldownRate = fields.f64();
  return line === '3.1' ? { warmupCooldownRate } : {};
}

const AUTHORITY_TYPES = ['Staker', 'Withdrawer'] as const;

function authorityType(c: ParsedCursor): string {
  const type = AUTHORITY_TYPES[c.u32()];
  if (type === undefined) throw new NotParsed();
  return type;
}

/** The accounts from a place on by these names, as many as there are. */
function optional(c: ParsedCursor, from: number, ...names: readonly string[]): Info {
  return Object.fromEntries(
    names.flatMap((name, index) => {
      const account = c.accounts[from + index];
      return account === undefined ? [] : [[name, account]];
    }),
  );
}

type AccountNames = readonly [needed: readonly string[], more: readonly string[]];

/** The program takes an older form, with sysvars among the accounts, and one without. */
interface AccountForms {
  /** The first account of the older form. */
  readonly sysvar: string;
  readonly older: AccountNames;
  readonly newer: AccountNames;
}

/** The accounts from an index on, in the form that the first of them shows. All `needed` names must have their account. */
function eitherForm(c: ParsedCursor, from: number, { sysvar, older, newer }: AccountForms): Info {
  const [needed, more] = c.accounts[from] === sysvar ? older : newer;
  if (c.accounts.length < from + needed.length) throw new NotParsed();
  return optional(c, from, ...needed, ...more);
}

/** The members of a lockup that change; unchanged ones are left out. */
const lockupArgs = (c: ParsedCursor, withCustodian: boolean): Info => {
  const [unixTimestamp, epoch] = [c.option(() => c.i64()), c.option(() => c.u64())];
  const custodian = withCustodian ? c.optionalKey() : (c.accounts[2] ?? null);
  return {
    ...(unixTimestamp === null ? {} : { unixTimestamp }),
    ...(epoch === null ? {} : { epoch }),
    ...(custodian === null ? {} : { custodian }),
  };
};

const CLOCK = 'clockSysvar';
const HISTORY = 'stakeHistorySysvar';

const STAKE: readonly ReadInstruction[] = [
  (c) => ({
    type: 'initialize',
    info: {
      ...c.named('stakeAccount'),
      authorized: { staker: c.key(), withdrawer: c.key() },
      lockup: lockupOf(c),
      ...(c.accounts[1] === SYSVAR_RENT ? { rentSysvar: c.accounts[1] } : {}),
    },
  }),
  (c) => ({
    type: 'authorize',
    info: {
      ...c.named('stakeAccount'),
      newAuthority: c.key(),
      authorityType: authorityType(c),
      ...eitherForm(c, 1, {
        sysvar: SYSVAR_CLOCK,
        older: [[CLOCK, 'authority'], ['custodian']],
        newer: [['authority'], ['custodian']],
      }),
    },
  }),
  (c) => ({ type: 'delegate', info: { ...c.named('stakeAccount', 'voteAccount'), ...delegateAccounts(c) } }),
  (c) => ({
    type: 'split',
    info: {
      ...c.named('stakeAccount', 'newSplitAccount'),
      lamports: c.u64(),
      ...optional(c, 2, 'stakeAuthority'),
    },
  }),
  (c) => ({
    type: 'withdraw',
    info: {
      ...c.named('stakeAccount', 'destination'),
      lamports: c.u64(),
      ...eitherForm(c, 2, {
        sysvar: SYSVAR_CLOCK,
        older: [[CLOCK, HISTORY, 'withdrawAuthority'], ['custodian']],
        newer: [['withdrawAuthority'], ['custodian']],
      }),
    },
  }),
  (c) => ({
    type: 'deactivate',
    info: {
      ...c.named('stakeAccount'),
      ...eitherForm(c, 1, {
        sysvar: SYSVAR_CLOCK,
        older: [[CLOCK], ['stakeAuthority']],
        newer: [['stakeAuthority'], []],
      }),
    },
  }),
  (c) => ({ type: 'setLockup', info: { ...c.named('stakeAccount', 'custodian'), lockup: lockupArgs(c, true) } }),
  (c) => ({
    type: 'merge',
    info: {
      ...c.named('destination', 'source'),
      ...eitherForm(c, 2, {
        sysvar: SYSVAR_CLOCK,
        older: [[CLOCK, HISTORY], ['stakeAuthority']],
        newer: [['stakeAuthority'], []],
      }),
    },
  }),
  (c) => ({
    type: 'authorizeWithSeed',
    info: {
      ...c.named('stakeAccount', 'authorityBase'),
      newAuthorized: c.key(),
      ...seedArgs(c),
      ...eitherForm(c, 2, { sysvar: SYSVAR_CLOCK, older: [[CLOCK], ['custodian']], newer: [[], ['custodian']] }),
    },
  }),
  (c) => ({
    type: 'initializeChecked',
    info: {
      ...c.named('stakeAccount'),
      ...eitherForm(c, 1, {
        sysvar: SYSVAR_RENT,
        older: [['rentSysvar', 'staker', 'withdrawer'], []],
        newer: [['staker', 'withdrawer'], []],
      }),
    },
  }),
  (c) => ({
    type: 'authorizeChecked',
    info: {
      ...c.named('stakeAccount'),
      authorityType: authorityType(c),
      ...eitherForm(c, 1, {
        sysvar: SYSVAR_CLOCK,
        older: [[CLOCK, 'authority', 'newAuthority'], ['custodian']],
        newer: [['authority', 'newAuthority'], ['custodian']],
      }),
    },
  }),
  (c) => ({
    type: 'authorizeCheckedWithSeed',
    info: {
      ...c.named('stakeAccount', 'authorityBase'),
      ...seedArgs(c),
      ...eitherForm(c, 2, {
        sysvar: SYSVAR_CLOCK,
        older: [[CLOCK, 'newAuthorized'], ['custodian']],
        newer: [['newAuthorized'], ['custodian']],
      }),
    },
  }),
  (c) => ({
    type: 'setLockupChecked',
    info: { ...c.named('stakeAccount', 'custodian'), lockup: lockupArgs(c, false) },
  }),
  () => ({ type: 'getMinimumDelegation' }),
  (c) => ({ type: 'deactivateDelinquent', info: c.named('stakeAccount', 'voteAccount', 'referenceVoteAccount') }),
  (c) => ({
    type: 'redelegate',
    info: c.named('stakeAccount', 'newStakeAccount', 'voteAccount', 'stakeConfigAccount', 'stakeAuthority'),
  }),
  (c) => ({
    type: 'moveStake',
    info: { ...c.named('source', 'destination', 'stakeAuthority'), lamports: c.u64() },
  }),
  (c) => ({
    type: 'moveLamports',
    info: { ...c.named('source', 'destination', 'stakeAuthority'), lamports: c.u64() },
  }),
];

const seedArgs = (c: ParsedCursor): Info => ({
  authorityType: authorityType(c),
  authoritySeed: c.longText(),
  authorityOwner: c.key(),
});

/** In the older form the stake config may be left out, and the authority takes its place. */
function delegateAccounts(c: ParsedCursor): Info {
  const config = c.accounts[4] === STAKE_CONFIG;
  return eitherForm(c, 2, {
    sysvar: SYSVAR_CLOCK,
    older: config
      ? [[CLOCK, HISTORY, 'stakeConfigAccount'], ['stakeAuthority']]
      : [[CLOCK, HISTORY, 'stakeAuthority'], []],
    newer: [['stakeAuthority'], []],
  });
}

export const parseStakeInstruction = (cursor: ParsedCursor): ParsedInstruction => pick(STAKE, cursor.u32(), cursor);
