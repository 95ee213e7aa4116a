// Parameters and config members that many methods have in common. Data only; the functions take what differs.
import type { Availability, AnswerChange, Commitment, Encoding, FieldSpec, ValueSpec } from '../types';
import { contracted, contractSpec, objectSpec, optionalSpec, required, words } from './build';

/** Addresses and texts the examples use; all of them decode. */
export const EXAMPLE = {
  wallet: '9B5XszUGdMaxCZ7uSQhPzdks5ZQSmWxrmzCSvtJ6Ns6g',
  tokenAccount: 'AUTGSQZmpGTqzi49AbxUutG1SRL1EY48Fr8k2YuYk3j3',
  validator: '5MDu2wRjgEvmKAF1xka7QZMABZ1uwAWKdJSvxtkpFRi4',
  usdcMint: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
  blockhash: 'G48THYrfFq3Bdxjw3tZqaCb3w8qiBif1ofGgGei9g8FG',
  signature: '2xC5zogoBUckCA9YEAdkC9UVYz9EvvU8qThQ423t8fTGwSaE9GAwLfnzhZYdXoQYTmDioRCGFwgfHe6BkustSdU1',
  /** A legacy transfer of 5,000 lamports to `wallet`, its message and the whole of it signed. */
  message:
    'AQABA34hURwBn/BuwrOqKn6sUIjskQ8euc3wNEN9DYaC/l/ZeXJtpS2Z1gsH6tc7L28L9gg8yFx3qU401pHXj4vK/skAAAAAAAAAAAAAAAAAAAAA' +
    'AAAAAAAAAAAAAAAAAAAAAN+seULr36G8BylkJgVh8dOBGkMZa8JVoj0a66rzKDQvAQICAAEMAgAAAIgTAAAAAAAA',
  transaction:
    'AWGcmy+u/ho5gsVlTD1pm0Wr+tZcyXsZTJSLDOt/JIKmJpujjd+ktIJ7Ug+syMq5LBx69UVZh3XaLxZvk56WyQYBAAEDfiFRHAGf8G7Cs6oqfqxQ' +
    'iOyRDx65zfA0Q30NhoL+X9l5cm2lLZnWCwfq1zsvbwv2CDzIXHepTjTWkdePi8r+yQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA36x5' +
    'QuvfobwHKWQmBWHx04EaQxlrwlWiPRrrqvMoNC8BAgIAAQwCAAAAiBMAAAAAAAA=',
} as const;

/** The two token programs. */
export const TOKEN_PROGRAMS = [
  'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
  'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb',
] as const;

export const U64: ValueSpec = { kind: 'integer', type: 'u64' };
export const SLOT_SPEC: ValueSpec = { kind: 'integer', type: 'u64', unit: 'slots' };
export const BYTES: ValueSpec = { kind: 'integer', type: 'u64', unit: 'bytes' };
export const PUBKEY: ValueSpec = { kind: 'pubkey' };
export const PROGRAM_SPEC: ValueSpec = { kind: 'pubkey', role: 'program' };
export const TOKEN_PROGRAM_SPEC: ValueSpec = { kind: 'pubkey', known: TOKEN_PROGRAMS, role: 'program' };
export const MINT: ValueSpec = { kind: 'pubkey', role: 'mint' };
export const SIGNATURE: ValueSpec = { kind: 'signature' };
export const HASH: ValueSpec = { kind: 'blockhash' };
export const STRING: ValueSpec = { kind: 'string' };
export const BOOLEAN: ValueSpec = { kind: 'boolean' };

export const ALL_LEVELS: readonly Commitment[] = ['processed', 'confirmed', 'finalized'];
export const CONFIRMED_LEVELS: readonly Commitment[] = ['confirmed', 'finalized'];

export const ACCOUNT_ENCODINGS: readonly Encoding[] = ['base64', 'jsonParsed', 'base64+zstd', 'base58'];
export const TRANSACTION_ENCODINGS: readonly Encoding[] = ['json', 'jsonParsed', 'base64', 'base58'];

/** Commitment of methods that answer from any bank; `contract`: the contract names the member for this method. */
export const commitment = (contract = false): FieldSpec => ({
  name: 'commitment',
  doc: 'How settled the state must be that the answer comes from.',
  spec: { kind: 'commitment', values: ALL_LEVELS },
  default: 'finalized',
  ...contracted(contract),
});

/** Commitment of methods whose options are nothing else: nodes refuse options without it (Agave's `CommitmentConfig`). */
export const bareCommitment = (contract = false): FieldSpec => ({
  name: 'commitment',
  doc: 'How settled the state must be that the answer comes from. Without options it is finalized.',
  spec: { kind: 'commitment', values: ALL_LEVELS },
  required: true,
  ...contracted(contract),
});

/** Commitment of methods that read confirmed blocks and refuse `processed`. */
export const confirmedCommitment = (contract = false): FieldSpec => ({
  name: 'commitment',
  doc: 'How settled the block must be; `processed` is refused here.',
  spec: { kind: 'commitment', values: CONFIRMED_LEVELS },
  default: 'finalized',
  ...contracted(contract),
});

export const MIN_CONTEXT_SLOT = optionalSpec(
  'minContextSlot',
  'The lowest slot the node may answer from; a node that is behind it answers error -32016.',
  SLOT_SPEC,
);

export const DATA_SLICE = optionalSpec(
  'dataSlice',
  'Returns only this part of the account data. Has no effect with `jsonParsed`; `{ "offset": 0, "length": 0 }` lists keys cheaply.',
  objectSpec([required('offset', 'First byte of the part.', BYTES), required('length', 'Bytes to return.', BYTES)]),
);

/** Encoding of account data. `fallback`: what the contract names as the default, where it names one. */
export const accountEncoding = (fallback?: Encoding): FieldSpec => ({
  name: 'encoding',
  doc:
    'How account data is written. `base58` works up to 128 bytes of data only.' +
    (fallback === undefined ? ' Left out, a node falls back to bare base58 text with the same limit.' : ''),
  spec: { kind: 'encoding', values: ACCOUNT_ENCODINGS },
  ...(fallback === undefined ? {} : { default: fallback }),
});

export const transactionEncoding = (fallback: Encoding, contract = false): FieldSpec => ({
  name: 'encoding',
  doc: 'How each transaction is written.',
  spec: { kind: 'encoding', values: TRANSACTION_ENCODINGS },
  default: fallback,
  ...contracted(contract),
});

export const transactionVersion = (contract = false): FieldSpec => ({
  name: 'maxSupportedTransactionVersion',
  doc: 'The newest transaction version the caller can read; `1` admits every version there is. Left out, only legacy transactions are returned; one of a newer version fails the whole answer, a block included, with error -32015.',
  spec: { kind: 'integer', type: 'u8' },
  suggested: [1],
  ...contracted(contract),
});

/** How transactions in answers differ by release. */
export const TRANSACTION_CHANGES: readonly AnswerChange[] = [
  { agave: '4.1', doc: 'a reward may hold `commissionBps` in basis points.' },
  {
    agave: '4.2',
    doc: 'version 1 transactions are returned; `jsonParsed` names the account of a confidential deposit or withdrawal `account`, no longer `source` and `destination`.',
  },
];

export const TRANSACTION_DETAILS = optionalSpec(
  'transactionDetails',
  'How much of each transaction the block holds.',
  words([
    ['full', 'Transactions with their metadata.'],
    ['accounts', 'Account lists and signatures, with short metadata.'],
    ['signatures', 'Signatures only.'],
    ['none', 'No transactions.'],
  ]),
  'full',
);

/** Available in Agave from 4.4 on. */
export const AGAVE_4_4: Availability = { agave: '4.4' };
/** Servers of what the cross-client specification adds and Agave has in no release. */
export const SPECIFIED: Availability = { servers: ['servers of the cross-client specification'] };
/** In Agave's newest sources; the release is not known. */
export const NEWEST_AGAVE: Availability = { servers: ['the newest releases of Agave'] };

const VALUE_TYPES = words(
  ['U8', 'U16', 'U32', 'U64', 'U128'].map((value) => [
    value,
    `An unsigned integer of ${value.slice(1)} bits, the lowest byte first.`,
  ]),
);

const MEMORY = optionalSpec(
  'Mem',
  'A number in the account data.',
  objectSpec([required('offset', 'Where it begins.', BYTES), required('value_type', 'Its width.', VALUE_TYPES)]),
);

const COMPARATORS = words([
  ['Eq', 'Equal.'],
  ['Ne', 'Not equal.'],
  ['Gt', 'Greater.'],
  ['Ge', 'Greater or equal.'],
  ['Lt', 'Less.'],
  ['Le', 'Less or equal.'],
]);

const CONSTANT = optionalSpec('Constant', 'A number in decimal digits, as text.', {
  kind: 'string',
  minLength: 1,
  maxLength: 39,
});

const VALUE_FILTER: FieldSpec = {
  name: 'valueCmp',
  doc: 'Keeps accounts in whose data a number compares so with another one, or with a constant.',
  since: { servers: [...(SPECIFIED.servers ?? []), 'the local service'] },
  spec: objectSpec([
    required('left', 'The number on the left.', objectSpec([MEMORY], { exactlyOne: ['Mem'] })),
    required('comparator', 'How it compares.', COMPARATORS),
    required('right', 'What it is compared with.', objectSpec([MEMORY, CONSTANT], { exactlyOne: ['Mem', 'Constant'] })),
  ]),
};

const DATA_SIZE_FILTER: FieldSpec = {
  ...contractSpec(
    'dataSize',
    'Keeps accounts whose data has exactly this many bytes: 165 for an SPL token account, 82 for a mint, 80 for a nonce, 200 for a stake account.',
    BYTES,
  ),
  suggested: [165, 82, 80, 200],
};

const MEMCMP_FILTER = contractSpec(
  'memcmp',
  'Keeps accounts whose data holds these bytes at this offset.',
  objectSpec([
    required('offset', 'Where in the account data the comparison begins.', BYTES, true),
    required(
      'bytes',
      'The bytes to find, base58 unless `encoding` says base64; at most 128 bytes once decoded.',
      { kind: 'memcmpBytes', maxBytes: 128 },
      true,
    ),
    {
      ...optionalSpec(
        'encoding',
        'How `bytes` is written.',
        { kind: 'encoding', values: ['base58', 'base64'] },
        'base58',
      ),
      // Nodes read the tag of raw bytes as well.
      alsoAccepts: [words([['bytes', 'An array of byte values.']])],
    },
  ]),
);

/** Account filters of getProgramAccounts and programSubscribe; all of them have to match. */
export const FILTERS = optionalSpec('filters', 'At most four filters; an account has to pass all of them.', {
  kind: 'array',
  choosesAccounts: true,
  maxItems: 4,
  items: {
    kind: 'anyOf',
    options: [
      objectSpec([DATA_SIZE_FILTER, MEMCMP_FILTER, VALUE_FILTER], { exactlyOne: ['dataSize', 'memcmp', 'valueCmp'] }),
      words([['tokenAccountState', 'Keeps token accounts that are initialised.']]),
    ],
  },
});

/** The required filter of the token account lists: a mint or a token program, never both. */
export const tokenFilter = (contract = false): FieldSpec =>
  required(
    'filter',
    'Which token accounts: those of one mint, or all of one token program.',
    objectSpec(
      [
        { ...optionalSpec('mint', 'Only token accounts of this mint.', MINT), ...contracted(contract) },
        {
          ...optionalSpec('programId', 'All token accounts of this token program.', TOKEN_PROGRAM_SPEC),
          ...contracted(contract),
        },
      ],
      { exactlyOne: ['mint', 'programId'] },
    ),
    contract,
  );
