// Methods that read transactions and their status.
import { STATUS_BLOCKS } from '../../../solana/chain/chain';
import type { FieldSpec, ObjectSpec, ValueSpec } from '../types';
import { config, contractSpec, integer, listUpTo, objectSpec, optionalSpec, recordsOf, required, words } from './build';
import {
  AGAVE_4_4,
  BOOLEAN,
  commitment,
  confirmedCommitment,
  EXAMPLE,
  MIN_CONTEXT_SLOT,
  NEWEST_AGAVE,
  PUBKEY,
  SIGNATURE,
  SLOT_SPEC,
  SPECIFIED,
  STRING,
  TRANSACTION_CHANGES,
  TRANSACTION_ENCODINGS,
  transactionEncoding,
  transactionVersion,
} from './shared';

const NEW_MIN_CONTEXT_SLOT: FieldSpec = { ...MIN_CONTEXT_SLOT, since: AGAVE_4_4 };

const WITH_CONTEXT: FieldSpec = {
  ...optionalSpec('withContext', 'Whether the answer is wrapped as `{ context, value }`.', BOOLEAN, false),
  since: NEWEST_AGAVE,
};

/** Bounds of a page in slots, in place of signatures. */
const SLOT_BOUNDS: readonly FieldSpec[] = [
  { ...optionalSpec('beforeSlot', 'Only transactions of slots before this one.', SLOT_SPEC), since: SPECIFIED },
  { ...optionalSpec('untilSlot', 'Only transactions of slots after this one.', SLOT_SPEC), since: SPECIFIED },
];

/** The block in which the transaction must be. */
const EXACT_SLOT: FieldSpec = {
  ...optionalSpec('slot', 'Answers `null` unless the transaction is in this slot.', SLOT_SPEC),
  since: SPECIFIED,
};

const BOUNDS: readonly (readonly [name: string, doc: string])[] = [
  ['gt', 'After this.'],
  ['gte', 'This or after it.'],
  ['lt', 'Before this.'],
  ['lte', 'This or before it.'],
];

/** An object of optional bounds on one kind of value. */
const range = (spec: ValueSpec): ObjectSpec => objectSpec(BOUNDS.map(([name, doc]) => optionalSpec(name, doc, spec)));

const SECONDS: ValueSpec = { kind: 'integer', type: 'i64', unit: 'seconds' };

const ADDRESS_FILTERS = optionalSpec(
  'filters',
  'Which transactions.',
  objectSpec([
    optionalSpec('slot', 'A range of slots.', range(SLOT_SPEC)),
    optionalSpec(
      'blockTime',
      'A range of Unix seconds.',
      objectSpec([optionalSpec('eq', 'Exactly this.', SECONDS), ...range(SECONDS).fields]),
    ),
    optionalSpec('signature', 'A range of signatures.', range(SIGNATURE)),
    optionalSpec(
      'status',
      'Whether they succeeded.',
      words([
        ['any', 'All.'],
        ['all', 'All, as the cross-client specification writes it.'],
        ['succeeded', 'Those that succeeded.'],
        ['failed', 'Those that failed.'],
      ]),
      'any',
    ),
    optionalSpec(
      'tokenAccounts',
      'Whether transactions of the token accounts of the address count.',
      words([
        ['none', 'No.'],
        ['balanceChanged', 'Those that changed a token balance.'],
        ['all', 'All of them.'],
      ]),
      'none',
    ),
  ]),
);

const ADDRESS_OPTIONS: readonly FieldSpec[] = [
  optionalSpec(
    'transactionDetails',
    'How much of each transaction is returned.',
    words([
      ['signatures', 'Signatures and slots.'],
      ['full', 'Whole transactions; at most 100 a page.'],
    ]),
    'signatures',
  ),
  optionalSpec(
    'limit',
    'How many transactions, at least 1. A page has at most 1,000, of whole ones 100; more count as that.',
    integer(1),
  ),
  optionalSpec(
    'sortOrder',
    'In which order they come.',
    words([
      ['desc', 'Newest first.'],
      ['asc', 'Oldest first.'],
    ]),
    'desc',
  ),
  optionalSpec(
    'paginationToken',
    'Where the page begins: the token of the answer before it, a signature or `slot:index`.',
    STRING,
  ),
  ...SLOT_BOUNDS,
  ADDRESS_FILTERS,
  transactionEncoding('json'),
  confirmedCommitment(),
  transactionVersion(),
  MIN_CONTEXT_SLOT,
];

export const HISTORY_METHODS = recordsOf('transactions', [
  {
    name: 'getSignatureStatuses',
    summary: 'Reads the status of up to 256 transactions by their signatures.',
    params: [
      required('signatures', 'The signatures, at most 256.', listUpTo(256, SIGNATURE)),
      config([
        optionalSpec(
          'searchTransactionHistory',
          `Whether to look beyond the last ${STATUS_BLOCKS} blocks.`,
          BOOLEAN,
          false,
        ),
        { ...commitment(), default: 'processed', since: AGAVE_4_4 },
        NEW_MIN_CONTEXT_SLOT,
      ]),
    ],
    result: '{ context: { slot }, value: ({ slot, confirmations, err, confirmationStatus } | null)[] }',
    errors: [-32011, -32016],
    changes: [
      { agave: '4.4', doc: '`searchTransactionHistory` may be left out; older nodes refuse options without it.' },
    ],
    notes: ['`confirmations` is `null` once the transaction is finalized; on Alpenglow it is 0 before.'],
    example: [[EXAMPLE.signature], { searchTransactionHistory: true }],
  },
  {
    name: 'getSignaturesForAddress',
    summary: 'Lists the transactions that name an address, newest first.',
    contract: true,
    params: [
      required('address', 'The address.', PUBKEY, true),
      config(
        [
          contractSpec('limit', 'How many signatures, 1 to 1,000.', integer(1, 1000), 1000),
          contractSpec(
            'before',
            'Starts before this signature, without it: the page of older transactions.',
            SIGNATURE,
          ),
          contractSpec('until', 'Ends at this signature and includes it; many nodes leave it out.', SIGNATURE),
          confirmedCommitment(true),
          WITH_CONTEXT,
          ...SLOT_BOUNDS,
          MIN_CONTEXT_SLOT,
        ],
        {
          contract: true,
          exclusive: [
            ['before', 'beforeSlot'],
            ['until', 'untilSlot'],
          ],
        },
      ),
    ],
    result: '{ signature, slot, err, memo, blockTime, confirmationStatus, transactionIndex? }[]',
    changes: [
      { agave: '4.0', doc: 'a `before` or `until` that is not known gives error -32020; older nodes answer `[]`.' },
    ],
    errors: [-32011, -32016, -32019, -32020],
    notes: ['To page through history, give the last signature of one answer as `before` of the next call.'],
    example: [EXAMPLE.wallet, { limit: 10, before: EXAMPLE.signature }],
  },
  {
    name: 'getTransaction',
    summary: 'Reads one confirmed transaction by its signature.',
    contract: true,
    params: [
      required('signature', 'First signature of the transaction.', SIGNATURE, true),
      config(
        [
          transactionEncoding('json', true),
          confirmedCommitment(true),
          transactionVersion(true),
          WITH_CONTEXT,
          EXACT_SLOT,
          NEW_MIN_CONTEXT_SLOT,
        ],
        {
          contract: true,
          alsoAccepts: [{ kind: 'encoding', values: TRANSACTION_ENCODINGS }],
        },
      ),
    ],
    result:
      '{ slot, blockTime, transactionIndex?, transaction, meta: { err, fee, preBalances, postBalances, logMessages, … }, version? } | null',
    changes: TRANSACTION_CHANGES,
    errors: [-32011, -32015, -32016],
    advice: ['legacyOnly', 'base58Version'],
    notes: [
      '`null` means not found or not confirmed yet; it is not an error.',
      'Nodes still take a bare encoding in place of the options.',
    ],
    example: [EXAMPLE.signature, { commitment: 'finalized', maxSupportedTransactionVersion: 1 }],
  },
  {
    name: 'getTransactionsForAddress',
    summary: 'Lists the transactions of an address with filters and paging.',
    since: { servers: ['Helius', ...(SPECIFIED.servers ?? []), 'the local service'] },
    params: [required('address', 'The address.', PUBKEY), config(ADDRESS_OPTIONS)],
    result:
      '{ data: ({ signature, slot, transactionIndex, err, memo, blockTime, confirmationStatus } | { slot, transactionIndex, blockTime, transaction, meta, version? })[], paginationToken: string | null }',
    undocumented: true,
    errors: [-32601],
    notes: ['Plain nodes answer error -32601.'],
    example: [EXAMPLE.wallet, { limit: 10, filters: { status: 'succeeded' } }],
  },
]);
