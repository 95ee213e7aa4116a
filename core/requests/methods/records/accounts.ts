// Methods that read accounts and balances.
import { MULTIPLE_ACCOUNTS } from '../../../solana/chain/limits';
import { config, listUpTo, optionalSpec, recordsOf, required, words } from './build';
import {
  accountEncoding,
  bareCommitment,
  BOOLEAN,
  commitment,
  DATA_SLICE,
  EXAMPLE,
  MIN_CONTEXT_SLOT,
  PUBKEY,
} from './shared';

const ACCOUNT = '{ lamports, owner, data, executable, rentEpoch, space }';

export const ACCOUNT_METHODS = recordsOf('accounts', [
  {
    name: 'getAccountInfo',
    summary: 'Reads one account: balance, owner and data.',
    params: [
      required('pubkey', 'The account to read.', PUBKEY),
      config([commitment(), accountEncoding(), DATA_SLICE, MIN_CONTEXT_SLOT]),
    ],
    result: `{ context: { slot }, value: ${ACCOUNT} | null }`,
    errors: [-32600, -32016],
    changes: [
      {
        agave: '4.1',
        doc: '`jsonParsed` shows the rent sysvar as `{ lamportsPerByte }`, a stake without `warmupCooldownRate`, and no longer the stake config.',
      },
    ],
    notes: [
      'A missing account is `null`, not an error.',
      'Without an encoding, nodes answer bare base58 text and refuse more than 128 bytes of data: ask for `base64` or `jsonParsed`.',
    ],
    example: [EXAMPLE.wallet, { encoding: 'base64' }],
  },
  {
    name: 'getBalance',
    summary: 'Reads the balance of an account in lamports.',
    contract: true,
    params: [
      required('pubkey', 'The account whose balance is read.', PUBKEY, true),
      config([commitment(true), MIN_CONTEXT_SLOT], { contract: true }),
    ],
    result: '{ context: { slot }, value: lamports }',
    errors: [-32016],
    notes: ['1 SOL is 1,000,000,000 lamports.', 'An account that does not exist has the balance 0.'],
    example: [EXAMPLE.wallet, { commitment: 'finalized' }],
  },
  {
    name: 'getLargestAccounts',
    summary: 'Lists the 20 accounts that hold the most lamports.',
    params: [
      config([
        commitment(),
        optionalSpec(
          'filter',
          'Narrows the list by kind of supply.',
          words([
            ['circulating', 'Accounts of the circulating supply.'],
            ['nonCirculating', 'Accounts whose lamports do not circulate.'],
          ]),
        ),
        optionalSpec('sortResults', 'Whether the list is sorted by balance.', BOOLEAN, true),
      ]),
    ],
    result: '{ context: { slot }, value: { address, lamports }[] }',
    errors: [-32012, -32601],
    notes: ['Nodes keep the answer for two hours; many services turn the method off.'],
    example: [{ filter: 'circulating' }],
  },
  {
    name: 'getMinimumBalanceForRentExemption',
    summary: 'Computes the lamports that make an account of a given size exempt from rent.',
    params: [
      required('dataLength', 'Size of the account data, at most 10 MiB.', {
        kind: 'integer',
        type: 'u64',
        max: 10_485_760,
        unit: 'bytes',
      }),
      config([bareCommitment()]),
    ],
    result: 'lamports',
    errors: [-32600],
    example: [165],
  },
  {
    name: 'getMultipleAccounts',
    summary: `Reads up to ${MULTIPLE_ACCOUNTS} accounts in one call.`,
    params: [
      required('pubkeys', `The accounts to read, at most ${MULTIPLE_ACCOUNTS}.`, listUpTo(MULTIPLE_ACCOUNTS, PUBKEY)),
      config([commitment(), accountEncoding('base64'), DATA_SLICE, MIN_CONTEXT_SLOT]),
    ],
    result: `{ context: { slot }, value: (${ACCOUNT} | null)[] }`,
    errors: [-32600, -32016],
    notes: ['The answers are in the order of the keys; a missing account is `null`.'],
    example: [[EXAMPLE.wallet, EXAMPLE.usdcMint], { encoding: 'jsonParsed' }],
  },
]);
