// Instructions of the system program, the associated token program, address lookup tables and both BPF loaders as
// `jsonParsed` shows them.
import {
  ASSOCIATED_TOKEN,
  FIXED_LOADER,
  LOOKUP_TABLE,
  SYSTEM,
  UPGRADEABLE_LOADER,
} from '../../../core/solana/layouts/natives';
import { NotParsed, pick, type ReadInstruction } from './parsedCursor';
import { readDataFirst, readersOf, readValued, parsedRows } from './parsedLayout';

/** Instructions whose number is in the first four bytes. */
const numbered =
  (table: readonly (ReadInstruction | undefined)[]): ReadInstruction =>
  (c) =>
    pick(table, c.u32(), c);

export const parseSystem = numbered(readersOf(SYSTEM, { createAccountAllowPrefund: readValued }));

const ATA = readersOf(ASSOCIATED_TOKEN);

/** No data at all is the oldest form of `create`. */
export const parseAssociatedToken: ReadInstruction = (c) => pick(ATA, c.rest === 0 ? 0 : c.u8(), c);

export const parseLookupTableInstruction = numbered(
  readersOf(LOOKUP_TABLE, {
    extendLookupTable: (c, { name, rows }) => {
      const tables = c.named('lookupTableAccount', 'lookupTableAuthority');
      const data = parsedRows(c, rows);
      if (c.rest > 0) throw new NotParsed();
      // The payer and the system program come only where the table must grow.
      const payer = c.accounts.length < 4 ? {} : { payerAccount: c.account(2), systemProgram: c.account(3) };
      return { type: name, info: { ...tables, ...data, ...payer } };
    },
  }),
);

export const parseLoader = numbered(
  readersOf(
    FIXED_LOADER,
    {
      finalize: (c, { name }) => {
        c.account(1);
        return { type: name, info: c.named('account') };
      },
    },
    readDataFirst,
  ),
);

export const parseUpgradeableLoader = numbered(
  readersOf(
    UPGRADEABLE_LOADER,
    {
      initializeBuffer: (c, { name, roles }) => ({
        type: name,
        info: c.accounts.length > 1 ? c.named(...roles) : c.named('account'),
      }),
    },
    readDataFirst,
  ),
);
