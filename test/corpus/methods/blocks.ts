// Blocks. Written from the service contract and the public node API.
import { AT_LEAST, LEVEL, SETTLED, TRANSACTION_DATA, VERSION, bareConfig, config, need, may, word } from '../facts';
import { anything, i64, list, nullable, object, u64, transactionRow, blockHead } from '../shapes';
import { bare, type Method } from './method';

export const BLOCKS: readonly Method[] = [
  {
    name: 'getBlock',
    on: 'http',
    params: [
      need('slot', 'u64'),
      bareConfig(
        SETTLED,
        TRANSACTION_DATA,
        word('transactionDetails', 'full', 'accounts', 'signatures', 'none'),
        may('rewards', 'bool'),
        VERSION,
      ),
    ],
    given: ({ slot }) => [slot],
    options: { maxSupportedTransactionVersion: 0 },
    result: object({ ...blockHead, rewards: list(anything), transactions: list(object(transactionRow), 1) }),
  },
  {
    name: 'getBlockCommitment',
    on: 'http',
    params: [need('slot', 'u64')],
    given: ({ slot }) => [slot],
    result: object({ commitment: nullable(list(u64, 32)), totalStake: u64 }),
  },
  { name: 'getBlockHeight', on: 'http', params: [config(LEVEL, AT_LEAST)], result: u64 },
  { name: 'getBlockTime', on: 'http', params: [need('slot', 'u64')], given: ({ slot }) => [slot], result: i64 },
  {
    name: 'getBlocks',
    on: 'http',
    params: [
      need('startSlot', 'u64'), // At most 500,000 slots from the start, which is 1.
      { name: 'endSlot', type: 'u64', orConfig: true, samples: ['1', '500001'] },
      config(SETTLED, AT_LEAST),
    ],
    given: ({ slot }) => [slot, slot + 5],
    result: list(u64, 6),
  },
  {
    name: 'getBlocksWithLimit',
    on: 'http',
    params: [
      need('startSlot', 'u64'),
      { name: 'limit', type: 'u64', required: true, max: 500_000 },
      config(SETTLED, AT_LEAST),
    ],
    given: ({ slot }) => [slot, 4],
    result: list(u64, 4),
  },
  bare('getFirstAvailableBlock', u64),
];
