// Shared by the parsers of token instructions: signers and amounts.
import { tokenAmount } from './tokenAmount';
import type { ParsedCursor, Info } from './parsedCursor';
import { NotParsed } from './parsedFields';

const capital = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

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

export const plainAmount = (c: ParsedCursor): Info => ({ amount: c.u64().toString() });

export const checkedAmount = (c: ParsedCursor): Info => {
  const amount = c.u64();
  return { tokenAmount: tokenAmount(amount, c.u8()) };
};

/** A member that is left out where there is nothing to say. */
export function unlessNull<T extends Info[string]>(name: string, value: T | null): Info {
  return value === null ? {} : { [name]: value };
}
