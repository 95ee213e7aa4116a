// The members of `{ "$transaction": { … } }` as the method records have theirs: completion, hover and checks in the editor
// and the check before a transaction is built read this table.
import { optional, PUBKEY, required, STRING } from './shared';
import type { FieldSpec, ObjectSpec, ValueSpec } from '../types';
import { MAX_COMPUTE_UNITS, MAX_LOADED_BYTES } from '../../../solana/chain/limits';

/** The member that makes an object a transaction. */
export const TRANSACTION_KEY = '$transaction';

const LAMPORTS: ValueSpec = { kind: 'integer', type: 'u64', unit: 'lamports' };
const U64: ValueSpec = { kind: 'integer', type: 'u64' };
const ANY_OBJECT: ObjectSpec = { kind: 'object', fields: [], open: true };

const own = (fields: readonly FieldSpec[], rules: Pick<ObjectSpec, 'exclusive'> = {}): ObjectSpec => ({
  kind: 'object',
  fields,
  ours: true,
  ...rules,
});

/** Instructions that are known by name; `memo` is its text alone. */
export const NAMED_INSTRUCTIONS: readonly FieldSpec[] = [
  optional(
    'transfer',
    'Transfers lamports from the wallet (System Program).',
    own([
      required('to', 'The account that receives them.', PUBKEY),
      required('lamports', 'How many; `{{$sol 0.1}}` writes them in SOL.', LAMPORTS),
      optional('from', 'Who pays them, a signer; the wallet where it is left out.', PUBKEY),
    ]),
  ),
  optional(
    'transferToken',
    "Transfers tokens from the wallet's associated token account, of Token or Token-2022.",
    own(
      [
        required(
          'mint',
          'The mint. Its decimals and its token program are read when the transaction is built.',
          PUBKEY,
        ),
        required('to', 'The wallet that receives them, in its associated token account.', PUBKEY),
        optional('from', 'Whose tokens they are, a signer; the wallet where it is left out.', PUBKEY),
        optional('amount', 'In whole tokens, as `"12.50"`.', { kind: 'anyOf', options: [STRING, { kind: 'number' }] }),
        optional('rawAmount', "In the mint's smallest units.", U64),
        optional('createAccount', 'Whether the token account of the receiver is created where it is missing.', {
          kind: 'boolean',
        }),
      ],
      { exclusive: [['amount', 'rawAmount']] },
    ),
  ),
  optional('memo', 'Writes a text into the ledger (Memo Program).', STRING),
  optional(
    'createAta',
    'Creates the associated token account of an owner for a mint; the wallet pays.',
    own([
      required('mint', 'The mint.', PUBKEY),
      optional('owner', 'The owner; the wallet where it is left out.', PUBKEY),
      optional('idempotent', 'Accepts an account that exists already.', { kind: 'boolean' }, true),
    ]),
  ),
  optional(
    'createAccount',
    'Creates an account at the address that the wallet, a seed and its owner give (System Program, CreateAccountWithSeed).',
    own([
      required('seed', 'At most 32 bytes of text.', { kind: 'string', maxLength: 32 }),
      required('owner', 'The program that owns it.', PUBKEY),
      required('space', 'The size of its data in bytes.', { kind: 'integer', type: 'u64', unit: 'bytes' }),
      required('lamports', 'Its balance; enough to be exempt from rent.', LAMPORTS),
    ]),
  ),
];

const ACCOUNT_META = own([
  required('pubkey', 'The address.', PUBKEY),
  optional(
    'isSigner',
    'Whether it signs: the wallet, the fee payer, and those of `signers` can.',
    { kind: 'boolean' },
    false,
  ),
  optional('isWritable', 'Whether the instruction may change it.', { kind: 'boolean' }, false),
]);

/** An instruction of any program: by the names of its IDL, or raw. */
export const PROGRAM_FIELDS: readonly FieldSpec[] = [
  optional('program', 'The address of the program, or the name of an IDL of the workspace.', STRING),
  optional('instruction', 'Its name in the IDL.', STRING),
  optional('args', 'The arguments by the names of the IDL.', ANY_OBJECT),
  optional(
    'accounts',
    'The accounts by the names of the IDL; those that can be derived may be left out. Without `instruction` a list in the order of the program.',
    { kind: 'anyOf', options: [ANY_OBJECT, { kind: 'array', items: ACCOUNT_META }] },
  ),
  optional('remainingAccounts', 'Accounts behind those of the IDL.', { kind: 'array', items: ACCOUNT_META }),
  optional(
    'data',
    'The data of a raw instruction: an array of byte values, or text that says its encoding, such as `"hex:0102"`.',
    { kind: 'anyOf', options: [STRING, { kind: 'array', items: { kind: 'integer', type: 'u8' } }] },
  ),
];

/** A wallet by the name that the user gave its keypair file; never a path. */
const WALLET_NAME: ValueSpec = { kind: 'string', minLength: 1 };

const INSTRUCTION: ObjectSpec = own([...NAMED_INSTRUCTIONS, ...PROGRAM_FIELDS]);

const TRANSACTION: ObjectSpec = own([
  required('instructions', 'What the transaction does, in order.', { kind: 'array', items: INSTRUCTION, minItems: 1 }),
  optional(
    'version',
    'The version of the message: `"legacy"`, 0 (with `lookupTables`) or 1.',
    {
      kind: 'anyOf',
      options: [
        { kind: 'enum', values: [{ value: 'legacy', doc: 'Without a version.' }] },
        { kind: 'integer', type: 'u8', min: 0, max: 1 },
      ],
    },
    0,
  ),
  optional('computeUnitLimit', 'The most compute units it may use; `"simulate"` finds it by a simulation.', {
    kind: 'anyOf',
    options: [
      { kind: 'enum', values: [{ value: 'simulate', doc: 'What a simulation uses, and a tenth more.' }] },
      { kind: 'integer', type: 'integer', min: 1, max: MAX_COMPUTE_UNITS },
    ],
  }),
  optional('loadedAccountsDataLimit', 'The most account data that it may load, in bytes.', {
    kind: 'integer',
    type: 'integer',
    min: 1,
    max: MAX_LOADED_BYTES,
  }),
  optional(
    'priorityFee',
    'Paid for priority, in addition to the fee of the signatures.',
    own(
      [
        optional('lamports', 'In all.', LAMPORTS),
        optional('microLamports', 'For each compute unit of the limit.', U64),
      ],
      { exclusive: [['lamports', 'microLamports']] },
    ),
  ),
  optional(
    'tip',
    'A transfer to the landing service, as the last instruction.',
    own([
      required('lamports', 'How much.', LAMPORTS),
      optional('account', 'The tip account; one of the sender that the request goes to where it is left out.', PUBKEY),
    ]),
  ),
  optional(
    'feePayer',
    "Who pays the fee: the name of a wallet whose keypair file you named; the endpoint's wallet where it is left out.",
    WALLET_NAME,
  ),
  optional('signers', 'Names of further wallets that sign; their addresses are `{{$wallet NAME}}`.', {
    kind: 'array',
    items: WALLET_NAME,
  }),
  optional('lookupTables', 'Address lookup tables, of version 0.', { kind: 'array', items: PUBKEY }),
]);

/** A body in the place of a serialised transaction. */
export const TRANSACTION_BODY: ObjectSpec = own([
  required(
    TRANSACTION_KEY,
    "A transaction that is built and signed with the endpoint's wallet when the request is sent.",
    TRANSACTION,
  ),
]);
