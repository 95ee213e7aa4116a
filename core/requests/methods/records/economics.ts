// Methods about supply, inflation, stake and fees.
import { BLOCKHASH_BLOCKS } from '../../../solana/chain/limits';
import { config, listUpTo, optionalSpec, recordsOf, required } from './build';
import {
  bareCommitment,
  BOOLEAN,
  commitment,
  confirmedCommitment,
  EXAMPLE,
  MIN_CONTEXT_SLOT,
  PUBKEY,
  U64,
} from './shared';

export const ECONOMICS_METHODS = recordsOf('economics', [
  {
    name: 'getInflationGovernor',
    summary: 'Reads the parameters that set inflation over the years.',
    params: [config([bareCommitment()])],
    result: '{ initial, terminal, taper, foundation, foundationTerm }',
  },
  {
    name: 'getInflationRate',
    summary: 'Reads the inflation of the current epoch.',
    result: '{ total, validator, foundation, epoch }',
  },
  {
    name: 'getInflationReward',
    summary: 'Reads the inflation reward of addresses for one epoch.',
    params: [
      required('addresses', 'The addresses to look up; newer nodes take at most 32.', listUpTo(32, PUBKEY)),
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
    summary: 'Lists the lowest priority fees that got into recent blocks.',
    params: [optionalSpec('addresses', 'Accounts the transaction will write to, at most 128.', listUpTo(128, PUBKEY))],
    result: '{ slot, prioritizationFee }[]; micro-lamports per compute unit',
    notes: [`Nodes look back about ${BLOCKHASH_BLOCKS} blocks.`],
    example: [[EXAMPLE.wallet]],
  },
  {
    name: 'getStakeMinimumDelegation',
    summary: 'Reads the smallest stake that can be delegated.',
    params: [config([commitment(), MIN_CONTEXT_SLOT])],
    result: '{ context: { slot }, value: lamports }',
    errors: [-32016],
  },
  {
    name: 'getSupply',
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
]);
