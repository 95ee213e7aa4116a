// Methods of Helius beyond the standard: paged account lists, fee estimates, bundles simulated, a stream of transactions.
// Source: the provider's interface descriptions (2026).
import type { FieldSpec, ValueSpec } from '../types';
import {
  config,
  integer,
  limit,
  listSpec,
  listUpTo,
  objectSpec,
  optionalSpec,
  packRecords,
  required,
  switches,
  words,
} from '../records/build';
import {
  accountEncoding,
  ALL_LEVELS,
  BOOLEAN,
  commitment,
  DATA_SLICE,
  EXAMPLE,
  FILTERS,
  MIN_CONTEXT_SLOT,
  PROGRAM_SPEC,
  PUBKEY,
  SIGNATURE,
  SLOT_SPEC,
  STRING,
  TOKEN_PROGRAMS,
  tokenFilter,
  TRANSACTION_DETAILS,
  TRANSACTION_ENCODINGS,
  transactionVersion,
  U64,
} from '../records/shared';

/** The most addresses in one list of a transaction filter. */
const MAX_ADDRESSES = 50_000;

const PAGED: readonly FieldSpec[] = [
  limit(10_000, 'accounts'),
  optionalSpec('paginationKey', 'Where the page begins: the key of the answer before it.', STRING),
  optionalSpec('changedSinceSlot', 'Only accounts that changed in this slot or after it.', SLOT_SPEC),
];

const LEVELS = words([
  ['Min', 'The lowest fee of the slots.'],
  ['Low', 'The 25th percentile.'],
  ['Medium', 'The 50th percentile.'],
  ['High', 'The 75th percentile.'],
  ['VeryHigh', 'The 95th percentile.'],
  ['UnsafeMax', 'The highest fee: may drain an account.'],
  ['Default', 'The 50th percentile.'],
]);

const FEE_OPTIONS = objectSpec([
  optionalSpec(
    'transactionEncoding',
    'How `transaction` is written.',
    words([
      ['Base58', 'Base58 text.'],
      ['Base64', 'Base64 text.'],
    ]),
    'Base58',
  ),
  optionalSpec('priorityLevel', 'Which level to estimate.', LEVELS, 'Medium'),
  optionalSpec('lookbackSlots', 'How many slots to look back, 1 to 150.', integer(1, 150), 150),
  ...switches([
    ['includeAllPriorityFeeLevels', 'Whether every level is returned.'],
    ['includeVote', 'Whether votes count.'],
    ['recommended', 'Whether the recommended fee is returned: the 50th percentile, at least 10,000.'],
    ['evaluateEmptySlotAsZero', 'Whether slots without transactions count as a fee of 0.'],
    ['includeDetails', 'Whether the accounts are returned one by one.'],
  ]),
]);

const ACCOUNTS: ValueSpec = {
  kind: 'array',
  items: {
    kind: 'anyOf',
    options: [
      objectSpec([
        required('addresses', 'The accounts to return.', { kind: 'array', items: PUBKEY }),
        optionalSpec('encoding', 'How their data is written.', accountEncoding('base64').spec, 'base64'),
      ]),
      { kind: 'null' },
    ],
  },
};

const BANK: ValueSpec = {
  kind: 'anyOf',
  options: [
    words([['tip', 'The newest bank of the node.']]),
    objectSpec(
      [
        optionalSpec('slot', 'The bank of this slot.', SLOT_SPEC),
        optionalSpec(
          'commitment',
          'The newest bank of this level.',
          objectSpec([required('commitment', 'The level.', { kind: 'commitment', values: ALL_LEVELS })]),
        ),
      ],
      { exactlyOne: ['slot', 'commitment'] },
    ),
  ],
};

const addresses = (name: string, doc: string): FieldSpec => optionalSpec(name, doc, listUpTo(MAX_ADDRESSES, PUBKEY));

const MINTED: readonly FieldSpec[] = [
  required('name', 'Its name.', STRING),
  required('symbol', 'Its symbol.', STRING),
  required('description', 'What it is.', STRING),
  required('owner', 'The wallet that receives it.', PUBKEY),
  optionalSpec('delegate', 'A wallet that may act for the owner.', PUBKEY),
  optionalSpec('collection', 'The collection it belongs to.', PUBKEY),
  optionalSpec('uri', 'The address of its metadata document.', STRING),
  optionalSpec('attributes', 'Its traits.', {
    kind: 'array',
    items: objectSpec([required('trait_type', 'The kind of trait.', STRING), required('value', 'Its value.', STRING)]),
  }),
  optionalSpec('imageUrl', 'The address of its image.', STRING),
  optionalSpec('externalUrl', 'The address of a page about it.', STRING),
  optionalSpec('sellerFeeBasisPoints', 'Royalties in basis points.', integer(0, 10_000)),
  optionalSpec('creators', 'Who made it; the shares add up to 100.', {
    kind: 'array',
    items: objectSpec([
      required('address', 'The creator.', PUBKEY),
      required('share', 'The share in percent.', integer(0, 100)),
    ]),
  }),
  optionalSpec('confirmTransaction', 'Whether the answer waits until it is confirmed.', BOOLEAN),
];

export const HELIUS_METHODS = packRecords('helius', [
  {
    name: 'getPriorityFeeEstimate',
    summary: 'Estimates a priority fee from what recent transactions paid for the same accounts.',
    params: [
      required(
        'request',
        'A transaction or accounts, and options.',
        objectSpec([
          optionalSpec('transaction', 'The serialised transaction.', STRING),
          optionalSpec('accountKeys', 'The accounts it writes to, in place of a transaction.', listSpec(PUBKEY)),
          optionalSpec('options', 'How the fee is estimated.', FEE_OPTIONS),
        ]),
      ),
    ],
    result:
      '{ priorityFeeEstimate, priorityFeeLevels?: { min, low, medium, high, veryHigh, unsafeMax } }; micro-lamports per compute unit',
    example: [{ accountKeys: [TOKEN_PROGRAMS[0]], options: { priorityLevel: 'High', lookbackSlots: 50 } }],
  },
  {
    name: 'getProgramAccountsV2',
    summary: 'Lists the accounts of a program page by page, and only those that changed if asked.',
    params: [
      required('programId', 'The program whose accounts are listed.', PROGRAM_SPEC),
      config([
        commitment(),
        accountEncoding('base64'),
        FILTERS,
        DATA_SLICE,
        optionalSpec('withContext', 'Whether the list is wrapped as `{ context, value }`.', BOOLEAN, false),
        MIN_CONTEXT_SLOT,
        ...PAGED,
      ]),
    ],
    result: '{ accounts: { pubkey, account }[], paginationKey: string | null, totalResults }',
    notes: ['A page may hold fewer accounts than the limit: the list ends where `paginationKey` is `null`.'],
    example: [TOKEN_PROGRAMS[0], { encoding: 'base64', limit: 1000, filters: [{ dataSize: 165 }] }],
  },
  {
    name: 'getTokenAccountsByOwnerV2',
    summary: 'Lists the token accounts of a wallet page by page, and only those that changed if asked.',
    params: [
      required('owner', 'The wallet.', PUBKEY),
      tokenFilter(),
      config([commitment(), accountEncoding('base64'), DATA_SLICE, MIN_CONTEXT_SLOT, ...PAGED]),
    ],
    result: '{ context: { slot }, value: { pubkey, account }[], paginationKey: string | null, totalResults }',
    example: [EXAMPLE.wallet, { programId: TOKEN_PROGRAMS[0] }, { encoding: 'jsonParsed', limit: 1000 }],
  },
  {
    name: 'mintCompressedNft',
    summary: 'Mints a compressed NFT that the provider pays for.',
    structure: 'preferName',
    params: MINTED,
    result: '{ signature, minted, assetId }',
    notes: ['Sends a transaction. The provider may no longer offer it.'],
    example: {
      name: 'Example',
      symbol: 'EX',
      description: 'An example.',
      owner: EXAMPLE.wallet,
      attributes: [{ trait_type: 'kind', value: 'example' }],
    },
  },
  {
    name: 'simulateBundle',
    summary: 'Runs transactions one after the other, each on the state the ones before it left, without sending them.',
    params: [
      required(
        'bundle',
        'The transactions.',
        objectSpec([required('encodedTransactions', 'The serialised transactions, in order.', listSpec(STRING, 5))]),
      ),
      config([
        required(
          'preExecutionAccountsConfigs',
          'Per transaction: accounts to return as they were before, or `null`.',
          ACCOUNTS,
        ),
        required(
          'postExecutionAccountsConfigs',
          'Per transaction: accounts to return as they are after, or `null`.',
          ACCOUNTS,
        ),
        optionalSpec(
          'transactionEncoding',
          'How the transactions are written.',
          { kind: 'encoding', values: ['base64', 'base58'] },
          'base64',
        ),
        optionalSpec('simulationBank', 'The state to run on.', BANK, 'tip'),
        ...switches([
          ['skipSigVerify', 'Whether signatures are not verified.'],
          ['replaceRecentBlockhash', 'Whether the newest blockhash takes the place of the ones inside.'],
        ]),
      ]),
    ],
    result:
      '{ context: { slot }, value: { summary: "succeeded" | { failed }, transactionResults: { err, logs, unitsConsumed, returnData, preExecutionAccounts, postExecutionAccounts }[] } }',
    notes: ['`summary` names the first transaction that failed; those after it are not run.'],
    example: [
      { encodedTransactions: [EXAMPLE.transaction] },
      { preExecutionAccountsConfigs: [null], postExecutionAccountsConfigs: [null], skipSigVerify: true },
    ],
  },
  {
    name: 'transactionSubscribe',
    summary: 'Notifies with each transaction that passes the filter.',
    transport: 'ws',
    params: [
      required(
        'filter',
        'Which transactions; each list holds at most 50,000 addresses.',
        objectSpec([
          optionalSpec('vote', 'Whether votes pass: `true` only votes, `false` no votes.', BOOLEAN),
          optionalSpec('failed', 'Whether failed ones pass: `true` only failed, `false` none.', BOOLEAN),
          optionalSpec('signature', 'Only the transaction with this signature.', SIGNATURE),
          addresses('accountInclude', 'Transactions that name one of these.'),
          addresses('accountExclude', 'No transactions that name one of these.'),
          addresses('accountRequired', 'Transactions that name all of these.'),
        ]),
      ),
      config([
        commitment(),
        optionalSpec('encoding', 'How each transaction is written.', {
          kind: 'encoding',
          values: TRANSACTION_ENCODINGS,
        }),
        TRANSACTION_DETAILS,
        optionalSpec('showRewards', 'Whether rewards are listed.', BOOLEAN, false),
        transactionVersion(),
      ]),
    ],
    result: 'subscription id',
    errors: [-32603],
    subscription: {
      unsubscribe: 'transactionUnsubscribe',
      notification: 'transactionNotification',
      payload: '{ transaction: { transaction, meta }, signature, slot, transactionIndex }',
    },
    notes: ['Details `accounts` and `full` need `maxSupportedTransactionVersion`.'],
    example: [
      { vote: false, failed: false, accountInclude: [TOKEN_PROGRAMS[0]] },
      {
        commitment: 'processed',
        encoding: 'jsonParsed',
        transactionDetails: 'full',
        maxSupportedTransactionVersion: 1,
      },
    ],
  },
  {
    name: 'transactionUnsubscribe',
    summary: 'Ends a subscription that `transactionSubscribe` opened.',
    transport: 'ws',
    params: [required('subscription', 'The subscription id.', U64)],
    result: 'true',
    closes: 'transactionSubscribe',
    example: [0],
  },
]);
