// Stake accounts and the stake program's instructions as `jsonParsed` shows them.
import { STAKE } from '../../../core/solana/layouts/natives';
import { STAKE_DELEGATION, STAKE_META } from '../../../core/solana/layouts/stakeAccount';
import { STAKE_CONFIG, SYSVAR_CLOCK, SYSVAR_RENT } from '../../ledger/accounts/addresses';
import type { AgaveLine } from '../../ledger/types';
import { pick, type ParsedCursor, type ParsedInstruction } from './parsedCursor';
import { Fields, NotParsed, type Parsed } from './parsedFields';
import { readersOf, parsedRows, readShape, rowsWithout, type ReadShape } from './parsedLayout';
import { withoutNulls } from './parsedTokenParts';

const DELEGATED = [...STAKE_META, ...STAKE_DELEGATION];
/** The rate is the same for all stake, and newer nodes do not show it. */
const DELEGATED_NEWER = rowsWithout(DELEGATED, 'warmupCooldownRate');

export function parseStakeAccount(data: Uint8Array, line: AgaveLine): Parsed {
  const fields = new Fields(data);
  switch (fields.u32()) {
    case 0:
      return { type: 'uninitialized' };
    case 1:
      return { type: 'initialized', info: { ...parsedRows(fields, STAKE_META), stake: null } };
    case 2:
      return { type: 'delegated', info: parsedRows(fields, line === '3.1' ? DELEGATED : DELEGATED_NEWER) };
    case 3:
      return { type: 'rewardsPool' };
    default:
      throw new NotParsed();
  }
}

/** The sysvar that shows by its place among the accounts that an instruction has its older form. */
const FIRST_SYSVARS: ReadonlyMap<string, string> = new Map([
  ['clockSysvar', SYSVAR_CLOCK],
  ['rentSysvar', SYSVAR_RENT],
]);

/**
 * The program takes an older form, with sysvars among the accounts, and one without. Accounts that every form has at the
 * same place come before the data. In the older form the stake config may be left out.
 */
const readForms: ReadShape = (c, shape) => {
  const { name, roles, optional, rows } = shape;
  const from = roles.findIndex((role) => FIRST_SYSVARS.has(role) || optional.includes(role));
  if (from < 0) return readShape(c, shape);
  const isOlder = c.accounts[from] === FIRST_SYSVARS.get(roles[from] ?? '');
  const isThere = (role: string): boolean =>
    role === 'stakeConfigAccount' ? isOlder && c.accounts[4] === STAKE_CONFIG : isOlder || !role.endsWith('Sysvar');
  const names = roles.slice(from).filter(isThere);
  // The stake authority may be left out only after all accounts of the older form.
  const isWhole = names.length === roles.length - from;
  const needed = names.filter((role) => !optional.includes(role) || (role === 'stakeAuthority' && !isWhole));
  if (c.accounts.length < from + needed.length) throw new NotParsed();
  const given = names
    .slice(0, c.accounts.length - from)
    .map((role, index): [string, string] => [role, c.account(from + index)]);
  const info = { ...c.named(...roles.slice(0, from)), ...parsedRows(c, rows), ...Object.fromEntries(given) };
  return { type: name, info };
};

/** The members of a lockup that change; unchanged ones are left out. */
const readLockup: ReadShape = (c, { name, roles, rows }) => {
  const [accounts, data] = [c.named('stakeAccount', 'custodian'), parsedRows(c, rows)];
  const newCustodian = roles.length > 2 ? { custodian: c.accounts[2] ?? null } : {};
  return { type: name, info: { ...accounts, lockup: withoutNulls({ ...data, ...newCustodian }) } };
};

const READERS = readersOf(STAKE, { setLockup: readLockup, setLockupChecked: readLockup }, readForms);

export const parseStakeInstruction = (cursor: ParsedCursor): ParsedInstruction => pick(READERS, cursor.u32(), cursor);
