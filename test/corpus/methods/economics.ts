// Inflation, supply and fees. Written from the service contract and the public node API.
import { AT_LEAST, LEVEL, NEEDED_LEVEL, SETTLED, config, may } from '../facts';
import { address, f64, inContext, list, nothing, object, tuple, u64 } from '../shapes';
import { bare, type Method } from './method';

export const ECONOMICS: readonly Method[] = [
  {
    name: 'getInflationGovernor',
    on: 'http',
    params: [config(NEEDED_LEVEL)],
    result: object({ foundation: f64, foundationTerm: f64, initial: f64, taper: f64, terminal: f64 }),
  },
  bare('getInflationRate', object({ epoch: u64, foundation: f64, total: f64, validator: f64 })),
  {
    name: 'getInflationReward',
    on: 'http',
    params: [
      { name: 'addresses', type: 'array', required: true, maxItems: 32, items: { type: 'pubkey' } },
      config(SETTLED, may('epoch', 'u64'), AT_LEAST),
    ],
    given: ({ wallet, vote }) => [[wallet, vote]],
    options: { epoch: 0 },
    result: tuple(
      nothing,
      object({ amount: u64, commission: u64, commissionBps: u64, effectiveSlot: u64, epoch: u64, postBalance: u64 }),
    ),
  },
  {
    name: 'getRecentPrioritizationFees',
    on: 'http',
    params: [{ name: 'addresses', type: 'array', maxItems: 128, items: { type: 'pubkey' } }],
    given: ({ receiver }) => [[receiver]],
    result: list(object({ prioritizationFee: u64, slot: u64 }), 1),
  },
  { name: 'getStakeMinimumDelegation', on: 'http', params: [config(LEVEL, AT_LEAST)], result: inContext(u64) },
  {
    name: 'getSupply',
    on: 'http',
    params: [config(LEVEL, may('excludeNonCirculatingAccountsList', 'bool'))],
    result: inContext(
      object({ circulating: u64, nonCirculating: u64, nonCirculatingAccounts: list(address), total: u64 }),
    ),
  },
];
