// Methods that scan the accounts of a program.
import { config, optionalSpec, recordsOf, required } from './build';
import {
  accountEncoding,
  BOOLEAN,
  commitment,
  DATA_SLICE,
  EXAMPLE,
  FILTERS,
  MIN_CONTEXT_SLOT,
  NEWEST_AGAVE,
  PROGRAM_SPEC,
  TOKEN_PROGRAMS,
} from './shared';

export const PROGRAM_METHODS = recordsOf('programs', [
  {
    name: 'getProgramAccounts',
    summary: 'Lists every account that a program owns.',
    contract: true,
    params: [
      required('programId', 'The program whose accounts are listed.', PROGRAM_SPEC, true),
      config(
        [
          { ...accountEncoding('base64'), contract: true },
          { ...FILTERS, contract: true },
          commitment(true),
          DATA_SLICE,
          optionalSpec('withContext', 'Whether the list is wrapped as `{ context, value }`.', BOOLEAN, false),
          {
            ...optionalSpec('sortResults', 'Whether the list is sorted by address.', BOOLEAN, true),
            since: NEWEST_AGAVE,
          },
          MIN_CONTEXT_SLOT,
        ],
        { contract: true },
      ),
    ],
    result:
      '{ pubkey, account: { lamports, owner, executable, data, space, rentEpoch } }[]; with withContext { context: { slot }, value }',
    errors: [-32600, -32010, -32012, -32016],
    advice: ['unboundedScan'],
    rules: ['accountFilters'],
    changes: [{ agave: '3.1', doc: 'a malformed filter gives error -32602.' }],
    notes: [
      'A large answer may time out: narrow it with filters.',
      'Many nodes answer bare base58 text when no encoding is given.',
    ],
    example: [
      TOKEN_PROGRAMS[0],
      { encoding: 'base64', filters: [{ dataSize: 165 }, { memcmp: { offset: 32, bytes: EXAMPLE.wallet } }] },
    ],
  },
]);
