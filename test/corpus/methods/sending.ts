// Transactions on their way: blockhash, fee, simulation, sending. Written from the service contract and the public node API.
import { AT_LEAST, LEVEL, WIRE, config, need, may, word } from '../facts';
import {
  anything,
  either,
  hash,
  inContext,
  list,
  literal,
  loadedAddresses,
  nothing,
  object,
  signature,
  text,
  tokenBalance,
  u64,
} from '../shapes';
import { BASE64, type Method } from './method';

export const SENDING: readonly Method[] = [
  {
    name: 'getFeeForMessage',
    on: 'http',
    params: [need('message', 'base64'), config(LEVEL, AT_LEAST)],
    given: async ({ message }) => [await message()],
    result: inContext(literal(5000)),
  },
  {
    name: 'getLatestBlockhash',
    on: 'http',
    params: [config(LEVEL, AT_LEAST)],
    result: inContext(object({ blockhash: hash, lastValidBlockHeight: u64 })),
  },
  {
    name: 'isBlockhashValid',
    on: 'http',
    params: [need('blockhash', 'blockhash'), config(LEVEL, AT_LEAST)],
    given: async ({ blockhash }) => [await blockhash()],
    result: inContext(literal(true)),
  },
  {
    name: 'requestAirdrop',
    on: 'http',
    params: [
      need('pubkey', 'pubkey'),
      { name: 'lamports', type: 'u64', required: true, min: 1 },
      config(LEVEL, may('recentBlockhash', 'blockhash')),
    ],
    given: ({ wallet }) => [wallet, 1_000_000],
    result: signature,
  },
  {
    name: 'sendTransaction',
    on: 'http',
    params: [
      need('transaction', 'transaction'),
      config(
        WIRE,
        may('skipPreflight', 'bool'),
        word('preflightCommitment', 'processed', 'confirmed', 'finalized'),
        may('maxRetries', 'u64'),
        AT_LEAST,
      ),
    ],
    given: async ({ transfer }) => [await transfer()],
    options: BASE64,
    result: signature,
  },
  {
    name: 'simulateTransaction',
    on: 'http',
    params: [
      need('transaction', 'transaction'),
      config(
        WIRE,
        LEVEL,
        may('sigVerify', 'bool'),
        may('replaceRecentBlockhash', 'bool'),
        may('innerInstructions', 'bool'),
        {
          name: 'accounts',
          type: 'object',
          fields: [
            { name: 'addresses', type: 'array', required: true, items: { type: 'pubkey' } },
            word('encoding', 'base64', 'base64+zstd', 'jsonParsed'),
          ],
        },
        AT_LEAST,
      ),
    ],
    given: async ({ transfer }) => [await transfer()],
    options: BASE64,
    result: inContext(
      object({
        accounts: nothing,
        err: nothing,
        fee: u64,
        innerInstructions: nothing,
        loadedAccountsDataSize: u64,
        loadedAddresses,
        logs: list(text, 2),
        postBalances: list(u64, 2),
        postTokenBalances: list(tokenBalance),
        preBalances: list(u64, 2),
        preTokenBalances: list(tokenBalance),
        replacementBlockhash: nothing,
        returnData: either(nothing, anything),
        unitsConsumed: u64,
      }),
    ),
  },
];
