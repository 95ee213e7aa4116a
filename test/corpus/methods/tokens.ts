// Tokens. Written from the service contract and the public node API.
import { ACCOUNT_DATA, AT_LEAST, LEVEL, NEEDED_LEVEL, SLICE, TOKEN_FILTER, config, need } from '../facts';
import { address, inContext, keyedAccount, list, object, tokenAmount } from '../shapes';
import { MINT, OTHER_KEY, TOKEN_PROGRAM } from '../values';
import { BASE64, type Method } from './method';

export const TOKENS: readonly Method[] = [
  {
    name: 'getTokenAccountBalance',
    on: 'http',
    params: [{ ...need('pubkey', 'pubkey'), samples: [JSON.stringify(OTHER_KEY)] }, config(NEEDED_LEVEL)],
    given: ({ tokens }) => [tokens],
    result: inContext(object(tokenAmount)),
  },
  {
    name: 'getTokenAccountsByDelegate',
    on: 'http',
    params: [need('delegate', 'pubkey'), TOKEN_FILTER, config(LEVEL, ACCOUNT_DATA, SLICE, AT_LEAST)],
    given: ({ delegate }) => [delegate, { programId: TOKEN_PROGRAM }],
    options: BASE64,
    result: inContext(list(keyedAccount, 1)),
  },
  {
    name: 'getTokenAccountsByOwner',
    on: 'http',
    params: [need('owner', 'pubkey'), TOKEN_FILTER, config(ACCOUNT_DATA, LEVEL, SLICE, AT_LEAST)],
    given: ({ wallet, mint }) => [wallet, { mint }],
    options: BASE64,
    result: inContext(list(keyedAccount, 1)),
  },
  {
    name: 'getTokenLargestAccounts',
    on: 'http',
    params: [{ ...need('mint', 'pubkey'), samples: [JSON.stringify(MINT)] }, config(NEEDED_LEVEL)],
    given: ({ mint }) => [mint],
    result: inContext(list(object({ address, ...tokenAmount }), 1)),
  },
  {
    name: 'getTokenSupply',
    on: 'http',
    params: [{ ...need('mint', 'pubkey'), samples: [JSON.stringify(MINT)] }, config(NEEDED_LEVEL)],
    given: ({ mint }) => [mint],
    result: inContext(object(tokenAmount)),
  },
];
