// Recognises known accounts that are of another kind than the one that is due: a mint as a program, and the reverse.
import { knownAddress, type AddressKind, type KnownAddress } from '../../../solana/chain/addresses';
import { TOKEN_PROGRAMS } from '../records/shared';
import type { Fix } from '../problems';
import { pathOf, type ParamsPlace, type Reporter } from '../reporter';
import type { AccountRole } from '../types';

/** Kinds of accounts that are given for others by mistake. */
const MISTAKEN: Readonly<Record<AccountRole, readonly AddressKind[]>> = {
  program: ['mint', 'sysvar'],
  mint: ['program', 'sysvar'],
};

const WORDS: Readonly<Record<AddressKind, string>> = {
  program: 'a program',
  sysvar: 'a sysvar',
  mint: 'a mint',
  account: 'an account',
  'tip-account': 'a tip account',
};

/** A filter of token accounts names one of the two: the other is meant where the key fits there. */
const OTHERS: Readonly<Record<string, string>> = { mint: 'programId', programId: 'mint' };

export const isTokenProgram = (address: string): boolean => (TOKEN_PROGRAMS as readonly string[]).includes(address);

/** The known account of another kind than `role`. An address that nobody knows may be anything. */
function mistakenFor(role: AccountRole, address: string): KnownAddress | undefined {
  const known = knownAddress(address);
  return known !== undefined && MISTAKEN[role].includes(known.kind) ? known : undefined;
}

export const fitsRole = (role: AccountRole, address: string): boolean => mistakenFor(role, address) === undefined;

export function checkRole(report: Reporter, role: AccountRole, address: string, place: ParamsPlace): void {
  const known = mistakenFor(role, address);
  if (known === undefined) return;
  const message = `${known.name} is ${WORDS[known.kind]}, and a ${role} is due here.`;
  report.value('wrong-account', place, message, otherName(known, place));
}

function otherName(known: KnownAddress, place: ParamsPlace): Fix[] {
  const { owner, step } = place;
  const other = typeof step === 'string' && Object.hasOwn(OTHERS, step) ? OTHERS[step] : undefined;
  if (owner === undefined || other === undefined || Object.hasOwn(owner, other) || Object.keys(owner).length > 1)
    return [];
  const isFitting = other === 'mint' ? known.kind === 'mint' : isTokenProgram(known.address);
  return isFitting ? [{ kind: 'rename', name: other, path: pathOf(place) }] : [];
}
