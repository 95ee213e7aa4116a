// Shared by the parsers of instructions: who signs, and members without a value.
import type { ParsedCursor, Info } from './parsedCursor';
import { NotParsed } from './parsedFields';

export const capital = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

interface SignerOptions {
  /** The name for a multisig; default: the name with `multisig` before it. */
  readonly multisigName?: string;
  /** Index of the first account after the signers; default: the number of accounts. */
  readonly end?: number;
}

/** The account at `index` signs alone, or is a multisig whose signers follow it. */
export function signer(
  c: ParsedCursor,
  index: number,
  name: string,
  { multisigName = `multisig${capital(name)}`, end = c.accounts.length }: SignerOptions = {},
): Info {
  if (index >= end) throw new NotParsed();
  const signers = c.accounts.slice(index + 1, end);
  return signers.length === 0 ? { [name]: c.account(index) } : { [multisigName]: c.account(index), signers };
}

/** The members that say something. */
export const withoutNulls = (info: Info): Info =>
  Object.fromEntries(Object.entries(info).filter(([, value]) => value !== null));
