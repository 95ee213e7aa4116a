// Methods about supply, inflation, stake and fees.
import { BLOCKHASH_BLOCKS } from '../../../solana/chain/limits';
import type { MethodRecord } from '../types';
import {
  bareCommitment,
  BOOLEAN,
  commitment,
  config,
  confirmedCommitment,
  EXAMPLE,
  MIN_CONTEXT_SLOT,
  optionalSpec,
  PUBKEY,
  required,
  U64,
} from './shared';

export const ECONOMICS_METHODS: readonly MethodRecord[] = [
  {
    name: 'getInflationGovernor',
    category: 'economics',
    transport: 'http',
    summary: 'Reads the parameters that set inflation over the years.',
    params: [config([bareCommitment()])],
    result: '{ initial, terminal, taper, foundation, foundationTerm }',
    errors: [],
    example: [],
  },
  {
    name: 'getInflationRate',
    category: 'economics',
    transport: 'http',
    summary: 'Reads the inflation of the current epoch.',
    params: [],
    result: '{ total, validator, foundation, epoch }',
    errors: [],
    example: [],
  },
  {
    name: 'getInflationReward',
    category: 'economics',
    transport: 'http',
    summary: 'Reads the inflation reward of addresses for one epoch.',
    params: [
      required('addresses', 'The addresses to look up; newer nodes take at most 32.', {
        kind: 'array',
        items: PUBKEY,
        maxItems: 32,
      }),
      config([
        confirmedCommitment(),
        optionalSpec('epoch', 'The epoch; the last finished one when left out.', U64),
        MIN_CONTEXT_SLOT,
      ]),
    ],
    result: '({ epoch, effectiveSlot, amount, postBalance, commission? } | null)[]',
    errors: [-32001, -32004, -32009, -32016, -32017, -32018],
    notes: ['`commission` may be `null` or missing: nodes do not always record it.'],
    example: [[EXAMPLE.validator], { epoch: 2 }],
  },
  {
    name: 'getRecentPrioritizationFees',
    category: 'economics',
    transport: 'http',
    summary: 'Lists the lowest priority fees that got into recent blocks.',
    params: [
      optionalSpec('addresses', 'Accounts the transaction will write to, at most 128.', {
        kind: 'array',
        items: PUBKEY,
        maxItems: 128,
      }),
    ],
    result: '{ slot, prioritizationFee }[]; micro-lamports per compute unit',
    errors: [],
    notes: [`Nodes look back about ${BLOCKHASH_BLOCKS} blocks.`],
    example: [[EXAMPLE.wallet]],
  },
  {
    name: 'getStakeMinimumDelegation',
    category: 'economics',
    transport: 'http',
    summary: 'Reads the smallest stake that can be delegated.',
    params: [config([commitment(), MIN_CONTEXT_SLOT])],
    result: '{ context: { slot }, value: lamports }',
    errors: [-32016],
    example: [],
  },
  {
    name: 'getSupply',
    category: 'economics',
    transport: 'http',
    summary: 'Reads the total and the circulating supply.',
    params: [
      config([
        commitment(),
        optionalSpec(
          'excludeNonCirculatingAccountsList',
          'Whether the list of accounts that do not circulate is left out.',
          BOOLEAN,
          false,
        ),
      ]),
    ],
    result: '{ context: { slot }, value: { total, circulating, nonCirculating, nonCirculatingAccounts } }',
    errors: [-32012],
    example: [{ excludeNonCirculatingAccountsList: true }],
  },
];
