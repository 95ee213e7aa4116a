// Reads an instruction's bytes and accounts in order; anything unexpected makes the instruction unparsed, never wrong.
import type { WireJson } from '../../api';
import type { AgaveLine } from '../../ledger/types';
import { Fields, NotParsed, type Parsed } from './parsedFields';

export { NotParsed } from './parsedFields';

export type Info = { readonly [key: string]: WireJson };

export interface ParsedInstruction extends Parsed {
  readonly info?: Info;
}

export type ReadInstruction = (cursor: ParsedCursor) => ParsedInstruction;

export class ParsedCursor extends Fields {
  constructor(
    data: Uint8Array,
    readonly accounts: readonly string[],
    /** Whose shapes are wanted. */
    readonly line: AgaveLine,
  ) {
    super(data);
  }

  /** The account at a place; throws NotParsed when the instruction names fewer. */
  account(index: number): string {
    const account = this.accounts[index];
    if (account === undefined) throw new NotParsed();
    return account;
  }

  /** The first accounts by these names. */
  named(...names: readonly string[]): { [key: string]: string } {
    return Object.fromEntries(names.map((name, index) => [name, this.account(index)]));
  }
}

/** Instructions of one family: the next byte selects one. */
export const family =
  (table: readonly (ReadInstruction | undefined)[]): ReadInstruction =>
  (cursor) =>
    pick(table, cursor.u8(), cursor);

/** Reads by a number: the place in the table. Throws NotParsed for one outside. */
export function pick(
  table: readonly (ReadInstruction | undefined)[],
  number: number,
  cursor: ParsedCursor,
): ParsedInstruction {
  const read = table[number];
  if (read === undefined) throw new NotParsed();
  return read(cursor);
}
