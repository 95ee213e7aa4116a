// Methods on the way of a transaction: blockhash, fee, simulation, sending.
import { TRANSACTION_BODY } from './transactionBody';
import { config, contractSpec, objectSpec, optionalSpec, recordsOf, required } from './build';
import { ALL_LEVELS, BOOLEAN, commitment, EXAMPLE, HASH, MIN_CONTEXT_SLOT, PUBKEY, U64 } from './shared';

const WIRE_ENCODING = optionalSpec(
  'encoding',
  'How the transaction text is written; versioned transactions are to be sent as `base64`.',
  { kind: 'encoding', values: ['base64', 'base58'] },
  'base58',
);

export const SENDING_METHODS = recordsOf('transactions', [
  {
    name: 'getFeeForMessage',
    summary: 'Computes the fee of a message.',
    params: [
      required('message', 'The serialised message (a transaction without its signatures) in base64.', {
        kind: 'base64',
      }),
      config([commitment(), MIN_CONTEXT_SLOT]),
    ],
    result: '{ context: { slot }, value: lamports | null }',
    errors: [-32016],
    notes: ['`null` means that the blockhash in the message has expired.'],
    example: [EXAMPLE.message, { commitment: 'processed' }],
  },
  {
    name: 'getLatestBlockhash',
    summary: 'Reads the newest blockhash and the block height up to which it is valid.',
    contract: true,
    params: [config([commitment(true), MIN_CONTEXT_SLOT], { contract: true })],
    result: '{ context: { slot }, value: { blockhash, lastValidBlockHeight } }',
    errors: [-32016],
    notes: [
      'The blockhash goes into a transaction before it is signed.',
      '`lastValidBlockHeight` is a block height, not a slot; after it the transaction is rejected.',
    ],
    example: [{ commitment: 'finalized' }],
  },
  {
    name: 'isBlockhashValid',
    summary: 'Checks whether a blockhash can still be used.',
    params: [required('blockhash', 'The blockhash.', HASH), config([commitment(), MIN_CONTEXT_SLOT])],
    result: '{ context: { slot }, value: boolean }',
    errors: [-32016],
    example: [EXAMPLE.blockhash, { commitment: 'processed' }],
  },
  {
    name: 'requestAirdrop',
    summary: 'Asks the faucet of a test cluster for lamports.',
    params: [
      required('pubkey', 'The account that receives them.', PUBKEY),
      required('lamports', 'How many.', { kind: 'integer', type: 'u64', min: 1, unit: 'lamports' }),
      config([commitment(), optionalSpec('recentBlockhash', 'The blockhash the faucet is to use.', HASH)]),
    ],
    result: 'signature',
    errors: [-32600, -32603],
    notes: ['Works on devnet, testnet and local ledgers only.'],
    example: [EXAMPLE.wallet, 1_000_000_000],
  },
  {
    name: 'sendTransaction',
    summary: 'Submits a signed transaction.',
    contract: true,
    params: [
      {
        ...required(
          'transaction',
          'The signed and serialised transaction, base58 unless `encoding` says base64.',
          { kind: 'transaction', mustBeSigned: 'always' },
          true,
        ),
        alsoAccepts: [TRANSACTION_BODY],
      },
      config(
        [
          { ...WIRE_ENCODING, contract: true },
          contractSpec('skipPreflight', 'Whether the simulation before sending is left out.', BOOLEAN, false),
          contractSpec(
            'preflightCommitment',
            'The state the simulation runs on; best the commitment its blockhash was read at.',
            { kind: 'commitment', values: ALL_LEVELS },
            'finalized',
          ),
          {
            ...contractSpec(
              'maxRetries',
              'How often the node sends it again; without one, until it lands or its blockhash expires.',
              U64,
            ),
            suggested: [0],
          },
          MIN_CONTEXT_SLOT,
        ],
        { contract: true, mistaken: { commitment: 'preflightCommitment' } },
      ),
    ],
    result: 'signature',
    errors: [-32002, -32003, -32005, -32006, -32013, -32016],
    advice: ['swqosSettings'],
    changes: [
      {
        agave: '3.1',
        doc: 'a signature that does not verify fails the simulation before sending (-32002) with `"SignatureFailure"`; without the simulation it is error -32003.',
      },
    ],
    notes: [
      'An answer means that the node took the transaction, not that it was confirmed.',
      'Has a separate, lower rate limit. With a SWQoS key, `skipPreflight` true and `maxRetries` 0 land best.',
      'Base64 text without `"encoding": "base64"` is the most common mistake.',
      'A durable nonce may take the place of a recent blockhash; its removal is announced.',
    ],
    example: [EXAMPLE.transaction, { encoding: 'base64', skipPreflight: true, maxRetries: 0 }],
  },
  {
    name: 'simulateTransaction',
    summary: 'Runs a transaction without submitting it.',
    params: [
      {
        ...required('transaction', 'The serialised transaction, base58 unless `encoding` says base64.', {
          kind: 'transaction',
          mustBeSigned: 'sigVerify',
        }),
        alsoAccepts: [TRANSACTION_BODY],
      },
      config(
        [
          WIRE_ENCODING,
          commitment(),
          optionalSpec('sigVerify', 'Whether the signatures are verified.', BOOLEAN, false),
          optionalSpec(
            'replaceRecentBlockhash',
            'Whether the newest blockhash takes the place of the one inside; not together with `sigVerify`.',
            BOOLEAN,
            false,
          ),
          optionalSpec('innerInstructions', 'Whether inner instructions are returned.', BOOLEAN, false),
          optionalSpec(
            'accounts',
            'Accounts whose state after the run is returned.',
            objectSpec([
              required('addresses', 'The accounts.', { kind: 'array', items: PUBKEY }),
              optionalSpec(
                'encoding',
                'How their data is written.',
                { kind: 'encoding', values: ['base64', 'jsonParsed', 'base64+zstd'] },
                'base64',
              ),
            ]),
          ),
          MIN_CONTEXT_SLOT,
        ],
        { conflicts: [['sigVerify', 'replaceRecentBlockhash']] },
      ),
    ],
    result: '{ context: { slot }, value: { err, logs, accounts, unitsConsumed, returnData, … } }',
    errors: [-32016],
    changes: [
      {
        agave: '3.1',
        doc: 'a signature that does not verify is `value.err` `"SignatureFailure"`, no longer error -32003.',
      },
    ],
    notes: ['A transaction that fails is a normal answer with `value.err`.'],
    example: [EXAMPLE.transaction, { encoding: 'base64', replaceRecentBlockhash: true }],
  },
]);
