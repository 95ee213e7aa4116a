// The smaller packs: Jito's block engine, QuickNode's add-ons, what Triton adds to a standard method.
// Sources: docs.jito.wtf, the add-on pages of QuickNode, docs.triton.one (2026).
import type { MethodRecord, ParamSpec, ValueSpec } from '../types';
import {
  config,
  integer,
  listSpec,
  objectSpec,
  optionalSpec,
  packRecords,
  required,
  type MethodFacts,
} from '../records/build';
import { EXAMPLE, PUBKEY, STRING } from '../records/shared';

/** Transactions in a bundle, and bundles in one question about their status. */
const MAX_BUNDLE = 5;
const BUNDLE_ID = '892b79ed49138bfb3aa5441f0df6e06ef34f9ee8f3976c15b323605bae0cf51d';

/** QuickNode's add-on takes a region where the block engine takes options. */
const REGION: readonly ValueSpec[] = [STRING];

const bundleIds: ParamSpec = required('bundleIds', 'The ids of bundles, at most 5.', listSpec(STRING, MAX_BUNDLE));
const region: ParamSpec = optionalSpec(
  'region',
  'The region of the block engine; of the QuickNode add-on only.',
  STRING,
);

const status = (name: string, summary: string, [result, note]: readonly [string, string]): MethodFacts => ({
  name,
  summary,
  params: [bundleIds, region],
  result: `{ context: { slot }, value: ${result}[] }`,
  notes: [note],
  example: [[BUNDLE_ID]],
});

export const JITO_METHODS = packRecords('jito', [
  {
    name: 'sendBundle',
    summary: 'Submits up to 5 signed transactions that land together, in order, or not at all.',
    params: [
      required(
        'transactions',
        'The serialised transactions, at most 5; one of them pays a tip.',
        listSpec(STRING, MAX_BUNDLE),
      ),
      {
        ...config([
          optionalSpec(
            'encoding',
            'How the transactions are written; base58 is slower and going away.',
            { kind: 'encoding', values: ['base64', 'base58'] },
            'base58',
          ),
        ]),
        alsoAccepts: REGION,
      },
    ],
    result: 'bundle id',
    notes: [
      'An answer means that the bundle was taken, not that it landed: ask `getInflightBundleStatuses`.',
      'A bundle needs a tip: a transfer to one of the accounts of `getTipAccounts`.',
    ],
    example: [[EXAMPLE.transaction], { encoding: 'base64' }],
  },
  status('getBundleStatuses', 'Reads the status of bundles that landed.', [
    '{ bundle_id, transactions, slot, confirmation_status, err }',
    'A bundle that did not land is missing from the list.',
  ]),
  status('getInflightBundleStatuses', 'Reads the status of bundles of the last five minutes.', [
    '{ bundle_id, status: "Invalid" | "Pending" | "Failed" | "Landed", landed_slot: u64 | null }',
    '`Invalid` means that the block engine does not know the id, or no longer.',
  ]),
  {
    name: 'getTipAccounts',
    summary: 'Lists the accounts that take tips.',
    result: 'pubkey[8]',
    notes: ['Choose one at random: transactions that write to the same account compete.'],
  },
  {
    name: 'getRandomTipAccount',
    summary: 'Names one of the accounts that take tips.',
    result: 'pubkey',
  },
]);

export const QUICKNODE_METHODS = packRecords('quicknode', [
  {
    name: 'qn_estimatePriorityFees',
    summary: 'Estimates priority fees from recent blocks, in levels and percentiles.',
    structure: 'preferName',
    params: [
      {
        ...optionalSpec('last_n_blocks', 'How many blocks to look back, 1 to 100.', integer(1, 100), 100),
        alsoAccepts: [STRING],
      },
      optionalSpec('account', 'Only transactions that write to this account.', PUBKEY),
      optionalSpec('api_version', 'Which version answers; 2 weighs the fees better.', integer(1, 2)),
    ],
    result:
      '{ context: { slot }, per_compute_unit, per_transaction, recommended }, each { low, medium, high, extreme, percentiles }; micro-lamports',
    notes: ['Needs the add-on for priority fees.'],
    example: { last_n_blocks: 100, account: EXAMPLE.usdcMint, api_version: 2 },
  },
  {
    name: 'getRegions',
    summary: "Lists the regions of Jito's block engine that the add-on reaches.",
    result: 'string[]',
    notes: ['Needs the add-on for bundles; `sendBundle` and its relatives are in the pack `jito`.'],
  },
]);

/** Triton's additions to methods of the standard. */
export const TRITON_EXTENSIONS: readonly Pick<MethodRecord, 'name' | 'params' | 'example'>[] = [
  {
    name: 'getRecentPrioritizationFees',
    params: [
      optionalSpec('addresses', 'As in the standard.', { kind: 'array', items: PUBKEY }),
      optionalSpec(
        'config',
        'Options of Triton.',
        objectSpec([
          optionalSpec(
            'percentile',
            'Which percentile of the fees of each block is returned, in hundredths of a percent: 5,000 is the median. Without it, the lowest fee.',
            integer(0, 10_000),
          ),
        ]),
      ),
    ],
    example: [[EXAMPLE.wallet], { percentile: 5000 }],
  },
];
