// Accounts of the upgradeable loader, by the number in their first four bytes. Code follows a buffer's and a program
// data account's rows.
import { fixedOption, pubkey, SLOT_UNIT, u64, type LayoutRow } from './layout';

export interface LoaderAccount {
  /** As `jsonParsed` names its type. */
  readonly name: string;
  readonly rows: readonly LayoutRow[];
  readonly hasCode?: true;
}

export const LOADER_ACCOUNTS: readonly LoaderAccount[] = [
  { name: 'uninitialized', rows: [] },
  { name: 'buffer', rows: [['authority', fixedOption(pubkey)]], hasCode: true },
  { name: 'program', rows: [['programData', pubkey]] },
  {
    name: 'programData',
    rows: [
      ['slot', u64(SLOT_UNIT)],
      ['upgradeAuthority', fixedOption(pubkey), 'authority'],
    ],
    hasCode: true,
  },
];
