// Methods that read SPL tokens.
import { config, optionalSpec, recordsOf, required } from './build';
import {
  accountEncoding,
  bareCommitment,
  commitment,
  DATA_SLICE,
  EXAMPLE,
  MIN_CONTEXT_SLOT,
  MINT,
  tokenFilter,
  PUBKEY,
  TOKEN_PROGRAM_SPEC,
  TOKEN_PROGRAMS,
} from './shared';

const TOKEN_AMOUNT = '{ amount, decimals, uiAmount: number | null, uiAmountString }';
const TOKEN_ACCOUNTS = '{ context: { slot }, value: { pubkey, account }[] }';

export const TOKEN_METHODS = recordsOf('tokens', [
  {
    name: 'getTokenAccountBalance',
    summary: 'Reads the balance of one token account.',
    params: [required('pubkey', 'The token account, not the wallet that owns it.', PUBKEY), config([bareCommitment()])],
    result: `{ context: { slot }, value: ${TOKEN_AMOUNT} }`,
    notes: ['An address that is not a token account gives error -32602.'],
    example: [EXAMPLE.tokenAccount],
  },
  {
    name: 'getTokenAccountsByDelegate',
    summary: 'Lists the token accounts a delegate may spend from.',
    params: [
      required('delegate', 'The delegate.', PUBKEY),
      tokenFilter(),
      config([commitment(), accountEncoding(), DATA_SLICE, MIN_CONTEXT_SLOT]),
    ],
    result: TOKEN_ACCOUNTS,
    errors: [-32010, -32012, -32016, -32600],
    example: [EXAMPLE.wallet, { programId: TOKEN_PROGRAMS[0] }, { encoding: 'jsonParsed' }],
  },
  {
    name: 'getTokenAccountsByOwner',
    summary: 'Lists the token accounts a wallet owns.',
    contract: true,
    params: [
      required('owner', 'The wallet.', PUBKEY, true),
      tokenFilter(true),
      config([{ ...accountEncoding('base64'), contract: true }, commitment(true), DATA_SLICE, MIN_CONTEXT_SLOT], {
        contract: true,
      }),
    ],
    result: TOKEN_ACCOUNTS,
    errors: [-32010, -32012, -32016, -32600],
    notes: [
      '`jsonParsed` gives mint, owner, state and amount of each account.',
      'Many nodes refuse the call without an encoding: a token account is larger than 128 bytes.',
    ],
    example: [EXAMPLE.wallet, { programId: TOKEN_PROGRAMS[0] }, { encoding: 'jsonParsed' }],
  },
  {
    name: 'getTokenAccountsByMint',
    summary: 'Lists the token accounts of a mint.',
    params: [
      required('mint', 'The mint.', MINT),
      config([
        optionalSpec('programId', 'The token program of the mint.', TOKEN_PROGRAM_SPEC),
        commitment(),
        accountEncoding('base64'),
        DATA_SLICE,
        MIN_CONTEXT_SLOT,
      ]),
    ],
    result: TOKEN_ACCOUNTS,
    undocumented: true,
    since: { servers: ['cloudbreak', 'the local service'] },
    errors: [-32010, -32016, -32601],
    notes: ['Plain nodes answer error -32601.'],
    example: [EXAMPLE.usdcMint, { encoding: 'jsonParsed' }],
  },
  {
    name: 'getTokenLargestAccounts',
    summary: 'Lists the 20 largest holders of a mint.',
    params: [required('mint', 'The mint.', MINT), config([bareCommitment()])],
    result: `{ context: { slot }, value: { address, amount, decimals, uiAmount, uiAmountString }[] }`,
    errors: [-32010, -32012],
    example: [EXAMPLE.usdcMint],
  },
  {
    name: 'getTokenSupply',
    summary: 'Reads the total supply of a mint.',
    contract: true,
    params: [required('mint', 'The mint.', MINT, true), config([bareCommitment(true)], { contract: true })],
    result: `{ context: { slot }, value: ${TOKEN_AMOUNT} }`,
    notes: [
      '`amount` is the raw supply without decimals; `uiAmount` may be `null`.',
      'An address that is not a mint gives error -32602.',
    ],
    example: [EXAMPLE.usdcMint],
  },
]);
