// Signatures and transactions of the past. Written from the service contract and the public node API.
import { AT_LEAST, LEVEL, SETTLED, TRANSACTION_DATA, VERSION, bareConfig, config, need, may, word } from '../facts';
import {
  i64,
  inContext,
  list,
  literal,
  nothing,
  nullable,
  object,
  optional,
  signature,
  text,
  transactionRow,
  tuple,
  u64,
} from '../shapes';
import { NO_SIGNATURE } from '../values';
import type { Method } from './method';

export const HISTORY: readonly Method[] = [
  {
    name: 'getSignatureStatuses',
    on: 'http',
    params: [
      { name: 'signatures', type: 'array', required: true, maxItems: 256, items: { type: 'signature' } },
      config(may('searchTransactionHistory', 'bool'), LEVEL, AT_LEAST),
    ],
    given: ({ legacy }) => [[legacy, NO_SIGNATURE]],
    options: { searchTransactionHistory: true },
    result: inContext(
      tuple(
        object({
          confirmationStatus: literal('finalized'),
          confirmations: nothing,
          err: nothing,
          slot: u64,
          status: object({ Ok: nothing }),
        }),
        nothing,
      ),
    ),
  },
  {
    name: 'getSignaturesForAddress',
    on: 'http',
    params: [
      need('address', 'pubkey'),
      config(
        { name: 'limit', type: 'u64', min: 1, max: 1000 },
        may('before', 'signature'),
        may('until', 'signature'),
        SETTLED,
        may('withContext', 'bool'),
        AT_LEAST,
      ),
    ],
    given: ({ receiver }) => [receiver],
    result: list(
      object({
        blockTime: i64,
        confirmationStatus: literal('confirmed', 'finalized'),
        err: nothing,
        memo: nullable(text),
        signature,
        slot: u64,
        transactionIndex: optional(u64),
      }),
      2,
    ),
  },
  {
    name: 'getTransaction',
    on: 'http',
    params: [
      need('signature', 'signature'),
      bareConfig(TRANSACTION_DATA, SETTLED, VERSION, may('withContext', 'bool'), AT_LEAST),
    ],
    given: ({ legacy }) => [legacy],
    options: { maxSupportedTransactionVersion: 0 },
    result: object({ blockTime: i64, slot: u64, transactionIndex: u64, ...transactionRow }),
  },
  {
    name: 'getTransactionsForAddress',
    on: 'http',
    params: [
      need('address', 'pubkey'),
      config(
        word('transactionDetails', 'signatures', 'full'),
        { name: 'limit', type: 'u64', min: 1 },
        word('sortOrder', 'asc', 'desc'),
        { ...may('paginationToken', 'string'), samples: ['"1:2"'] },
        {
          name: 'filters',
          type: 'object',
          fields: [
            {
              name: 'slot',
              type: 'object',
              fields: [may('gt', 'u64'), may('gte', 'u64'), may('lt', 'u64'), may('lte', 'u64')],
            },
            {
              name: 'blockTime',
              type: 'object',
              fields: [may('eq', 'i64'), may('gt', 'i64'), may('gte', 'i64'), may('lt', 'i64'), may('lte', 'i64')],
            },
            {
              name: 'signature',
              type: 'object',
              fields: [
                may('gt', 'signature'),
                may('gte', 'signature'),
                may('lt', 'signature'),
                may('lte', 'signature'),
              ],
            },
            word('status', 'any', 'succeeded', 'failed'),
            word('tokenAccounts', 'none', 'balanceChanged', 'all'),
          ],
        },
        TRANSACTION_DATA,
        SETTLED,
        VERSION,
        AT_LEAST,
      ),
    ],
    given: ({ receiver }) => [receiver],
    result: object({
      data: list(
        object({
          blockTime: i64,
          confirmationStatus: literal('confirmed', 'finalized'),
          err: nothing,
          memo: nullable(text),
          signature,
          slot: u64,
          transactionIndex: u64,
        }),
        2,
      ),
      paginationToken: nothing,
    }),
  },
];
