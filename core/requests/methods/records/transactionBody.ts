// The members of `{ "$transaction": { … } }` as the method records have theirs: completion, hover and checks in the editor
// and the check before a transaction is built read this table.
import { objectSpec, optionalSpec, required, words } from './build';
import { BOOLEAN, BYTES, PUBKEY, STRING, U64 } from './shared';
import type { FieldSpec, ObjectSpec, ValueSpec } from '../types';
import { MAX_COMPUTE_UNITS, MAX_LOADED_BYTES } from '../../../solana/chain/limits';

/** The member that makes an object a transaction. */
export const TRANSACTION_KEY = '$transaction';

const LAMPORTS: ValueSpec = { kind: 'integer', type: 'u64', unit: 'lamports' };
const ANY_OBJECT = objectSpec([], { open: true });

const own = (fields: readonly FieldSpec[], rules: Pick<ObjectSpec, 'exclusive'> = {}): ObjectSpec =>
  objectSpec(fields, { ours: true, ...rules });

/** Instructions that are known by name; `memo` is its text alone. */
export const NAMED_INSTRUCTIONS: readonly FieldSpec[] = [
  optionalSpec(
    'transfer',
    'Transfers lamports from the wallet (System Program).',
    own([
      required('to', 'The account that receives them.', PUBKEY),
      required('lamports', 'How many; `{{$sol 0.1}}` writes them in SOL.', LAMPORTS),
      optionalSpec('from', 'Who pays them, a signer; the wallet where it is left out.', PUBKEY),
    ]),
  ),
  optionalSpec(
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
        optionalSpec('from', 'Whose tokens they are, a signer; the wallet where it is left out.', PUBKEY),
        optionalSpec('amount', 'In whole tokens, as `"12.50"`.', {
          kind: 'anyOf',
          options: [STRING, { kind: 'number' }],
        }),
        optionalSpec('rawAmount', "In the mint's smallest units.", U64),
        optionalSpec(
          'createAccount',
          'Whether the token account of the receiver is created where it is missing.',
          BOOLEAN,
        ),
      ],
      { exclusive: [['amount', 'rawAmount']] },
    ),
  ),
  optionalSpec('memo', 'Writes a text into the ledger (Memo Program).', STRING),
  optionalSpec(
    'createAta',
    'Creates the associated token account of an owner for a mint; the wallet pays.',
    own([
      required('mint', 'The mint.', PUBKEY),
      optionalSpec('owner', 'The owner; the wallet where it is left out.', PUBKEY),
      optionalSpec('idempotent', 'Accepts an account that exists already.', BOOLEAN, true),
    ]),
  ),
  optionalSpec(
    'createAccount',
    'Creates an account at the address that the wallet, a seed and its owner give (System Program, CreateAccountWithSeed).',
    own([
      required('seed', 'At most 32 bytes of text.', { kind: 'string', maxLength: 32 }),
      required('owner', 'The program that owns it.', PUBKEY),
      required('space', 'The size of its data in bytes.', BYTES),
      required('lamports', 'Its balance; enough to be exempt from rent.', LAMPORTS),
    ]),
  ),
];

const ACCOUNT_META = own([
  required('pubkey', 'The address.', PUBKEY),
  optionalSpec('isSigner', 'Whether it signs: the wallet, the fee payer, and those of `signers` can.', BOOLEAN, false),
  optionalSpec('isWritable', 'Whether the instruction may change it.', BOOLEAN, false),
]);

/** An instruction of any program: by the names of its IDL, or raw. */
export const PROGRAM_FIELDS: readonly FieldSpec[] = [
  optionalSpec('program', 'The address of the program, or the name of an IDL of the workspace.', STRING),
  optionalSpec('instruction', 'Its name in the IDL.', STRING),
  optionalSpec('args', 'The arguments by the names of the IDL.', ANY_OBJECT),
  optionalSpec(
    'accounts',
    'The accounts by the names of the IDL; those that can be derived may be left out. Without `instruction` a list in the order of the program.',
    { kind: 'anyOf', options: [ANY_OBJECT, { kind: 'array', items: ACCOUNT_META }] },
  ),
  optionalSpec('remainingAccounts', 'Accounts behind those of the IDL.', { kind: 'array', items: ACCOUNT_META }),
  optionalSpec(
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
  optionalSpec(
    'version',
    'The version of the message: `"legacy"`, 0 (with `lookupTables`) or 1.',
    {
      kind: 'anyOf',
      options: [words([['legacy', 'Without a version.']]), { kind: 'integer', type: 'u8', min: 0, max: 1 }],
    },
    0,
  ),
  optionalSpec('computeUnitLimit', 'The most compute units it may use; `"simulate"` finds it by a simulation.', {
    kind: 'anyOf',
    options: [
      words([['simulate', 'What a simulation uses, and a tenth more.']]),
      { kind: 'integer', type: 'integer', min: 1, max: MAX_COMPUTE_UNITS },
    ],
  }),
  optionalSpec('loadedAccountsDataLimit', 'The most account data that it may load, in bytes.', {
    kind: 'integer',
    type: 'integer',
    min: 1,
    max: MAX_LOADED_BYTES,
  }),
  optionalSpec(
    'priorityFee',
    'Paid for priority, in addition to the fee of the signatures.',
    own(
      [
        optionalSpec('lamports', 'In all.', LAMPORTS),
        optionalSpec('microLamports', 'For each compute unit of the limit.', U64),
      ],
      { exclusive: [['lamports', 'microLamports']] },
    ),
  ),
  optionalSpec(
    'tip',
    'A transfer to the landing service, as the last instruction.',
    own([
      required('lamports', 'How much.', LAMPORTS),
      optionalSpec(
        'account',
        'The tip account; one of the sender that the request goes to where it is left out.',
        PUBKEY,
      ),
    ]),
  ),
  optionalSpec(
    'feePayer',
    "Who pays the fee: the name of a wallet whose keypair file you named; the endpoint's wallet where it is left out.",
    WALLET_NAME,
  ),
  optionalSpec('signers', 'Names of further wallets that sign; their addresses are `{{$wallet NAME}}`.', {
    kind: 'array',
    items: WALLET_NAME,
  }),
  optionalSpec('lookupTables', 'Address lookup tables, of version 0.', { kind: 'array', items: PUBKEY }),
]);

/** A body in the place of a serialised transaction. */
export const TRANSACTION_BODY: ObjectSpec = own([
  required(
    TRANSACTION_KEY,
    "A transaction that is built and signed with the endpoint's wallet when the request is sent.",
    TRANSACTION,
  ),
]);
