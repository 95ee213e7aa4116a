// Accounts. Written from the service contract and the public node API.
import { ACCOUNT_DATA, AT_LEAST, FILTERS, LEVEL, NEEDED_LEVEL, SLICE, config, need, may, word } from '../facts';
import { address, base64Account, inContext, keyedAccount, list, literal, nothing, object, tuple, u64 } from '../shapes';
import { TOKEN_PROGRAM, UNKNOWN } from '../values';
import { BASE64, type Method } from './method';

export const ACCOUNTS: readonly Method[] = [
  {
    name: 'getAccountInfo',
    on: 'http',
    params: [need('pubkey', 'pubkey'), config(LEVEL, ACCOUNT_DATA, SLICE, AT_LEAST)],
    given: ({ wallet }) => [wallet],
    options: BASE64,
    result: inContext(base64Account),
  },
  {
    name: 'getBalance',
    on: 'http',
    params: [need('pubkey', 'pubkey'), config(LEVEL, AT_LEAST)],
    given: ({ wallet }) => [wallet],
    result: inContext(u64),
  },
  {
    name: 'getLargestAccounts',
    on: 'http',
    params: [config(LEVEL, word('filter', 'circulating', 'nonCirculating'), may('sortResults', 'bool'))],
    result: inContext(list(object({ address, lamports: u64 }), 20)),
  },
  {
    name: 'getMinimumBalanceForRentExemption',
    on: 'http',
    params: [{ name: 'dataLength', type: 'u64', required: true, max: 10_485_760 }, config(NEEDED_LEVEL)],
    given: () => [165],
    result: literal(1_488_440),
  },
  {
    name: 'getMultipleAccounts',
    on: 'http',
    params: [
      { name: 'pubkeys', type: 'array', required: true, maxItems: 100, items: { type: 'pubkey' } },
      config(LEVEL, ACCOUNT_DATA, SLICE, AT_LEAST),
    ],
    given: ({ wallet }) => [[wallet, UNKNOWN]],
    options: BASE64,
    result: inContext(tuple(base64Account, nothing)),
  },
  {
    name: 'getProgramAccounts',
    on: 'http',
    params: [
      need('programId', 'pubkey'),
      config(ACCOUNT_DATA, FILTERS, LEVEL, SLICE, may('withContext', 'bool'), may('sortResults', 'bool'), AT_LEAST),
    ],
    given: () => [TOKEN_PROGRAM],
    options: BASE64,
    result: list(keyedAccount, 1),
  },
];
