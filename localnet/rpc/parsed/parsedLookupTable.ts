// Address lookup table instructions as `jsonParsed` shows them.
import { NotParsed, pick, type ParsedCursor, type ParsedInstruction, type ReadInstruction } from './parsedCursor';

/** The payer and the system program come only where the table must grow. */
function payer(c: ParsedCursor): { readonly [key: string]: string } {
  return c.accounts.length < 4 ? {} : { payerAccount: c.account(2), systemProgram: c.account(3) };
}

const LOOKUP_TABLE: readonly ReadInstruction[] = [
  (c) => ({
    type: 'createLookupTable',
    info: {
      lookupTableAccount: c.account(0),
      lookupTableAuthority: c.account(1),
      payerAccount: c.account(2),
      systemProgram: c.account(3),
      recentSlot: c.u64(),
      bumpSeed: c.u8(),
    },
  }),
  (c) => ({
    type: 'freezeLookupTable',
    info: { lookupTableAccount: c.account(0), lookupTableAuthority: c.account(1) },
  }),
  (c) => {
    const count = Number(c.u64());
    if (count * 32 !== c.rest) throw new NotParsed();
    return {
      type: 'extendLookupTable',
      info: {
        lookupTableAccount: c.account(0),
        lookupTableAuthority: c.account(1),
        newAddresses: Array.from({ length: count }, () => c.key()),
        ...payer(c),
      },
    };
  },
  (c) => ({
    type: 'deactivateLookupTable',
    info: { lookupTableAccount: c.account(0), lookupTableAuthority: c.account(1) },
  }),
  (c) => ({
    type: 'closeLookupTable',
    info: { lookupTableAccount: c.account(0), lookupTableAuthority: c.account(1), recipient: c.account(2) },
  }),
];

export function parseLookupTableInstruction(cursor: ParsedCursor): ParsedInstruction {
  return pick(LOOKUP_TABLE, cursor.u32(), cursor);
}
