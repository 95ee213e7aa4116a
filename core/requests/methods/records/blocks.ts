// Methods that read blocks and block heights.
import { config, optionalSpec, recordsOf, required } from './build';
import {
  BOOLEAN,
  commitment,
  confirmedCommitment,
  MIN_CONTEXT_SLOT,
  SLOT_SPEC,
  TRANSACTION_CHANGES,
  TRANSACTION_DETAILS,
  TRANSACTION_ENCODINGS,
  transactionEncoding,
  transactionVersion,
} from './shared';

/** The most slots a range of getBlocks or getBlocksWithLimit may span. */
export const MAX_BLOCK_RANGE = 500_000;

const BLOCK_RANGE_CONFIG = config([confirmedCommitment(), MIN_CONTEXT_SLOT]);

export const BLOCK_METHODS = recordsOf('blocks', [
  {
    name: 'getBlock',
    summary: 'Reads a confirmed block with its transactions.',
    params: [
      required('slot', 'Slot of the block.', SLOT_SPEC),
      config(
        [
          confirmedCommitment(),
          transactionEncoding('json'),
          TRANSACTION_DETAILS,
          optionalSpec('rewards', 'Whether the block lists its rewards.', BOOLEAN, true),
          transactionVersion(),
        ],
        { alsoAccepts: [{ kind: 'encoding', values: TRANSACTION_ENCODINGS }] },
      ),
    ],
    result:
      '{ blockhash, previousBlockhash, parentSlot, blockTime, blockHeight, transactions?, signatures?, rewards? } | null',
    errors: [-32001, -32004, -32007, -32009, -32011, -32014, -32015],
    advice: ['legacyOnlyBlock', 'base58Version'],
    changes: TRANSACTION_CHANGES,
    notes: [
      'Nodes still take a bare encoding in place of the options.',
      'Rewards of newer blocks may name no commission.',
    ],
    example: [430, { maxSupportedTransactionVersion: 1, transactionDetails: 'signatures', rewards: false }],
  },
  {
    name: 'getBlockCommitment',
    summary: 'Reads how much stake has voted on a block.',
    params: [required('slot', 'Slot of the block.', SLOT_SPEC)],
    result: '{ commitment: u64[32] | null, totalStake }',
    notes: ['Alpenglow has no votes to count here: `commitment` is `null`, as far as is known.'],
    example: [430],
  },
  {
    name: 'getBlockHeight',
    summary: 'Reads the current block height.',
    contract: true,
    params: [config([commitment(true), MIN_CONTEXT_SLOT], { contract: true })],
    result: 'u64',
    errors: [-32016],
    notes: ['The height counts blocks, a slot number counts slots with and without a block.'],
    example: [{ commitment: 'finalized' }],
  },
  {
    name: 'getBlockTime',
    summary: 'Reads when a block was made.',
    params: [required('slot', 'Slot of the block.', SLOT_SPEC)],
    result: 'Unix seconds | null',
    notes: [
      "On Alpenglow it is the clock of the block's leader; its transactions saw the time of the parent block. Before, the validators estimated it.",
    ],
    errors: [-32001, -32004, -32007, -32009],
    example: [430],
  },
  {
    name: 'getBlocks',
    summary: 'Lists the slots between two slots that hold a confirmed block.',
    params: [
      required('startSlot', 'First slot of the range.', SLOT_SPEC),
      {
        ...optionalSpec(
          'endSlot',
          'Last slot of the range, at most 500,000 after the first; the newest one when left out.',
          SLOT_SPEC,
        ),
        alsoAccepts: [BLOCK_RANGE_CONFIG.spec],
      },
      BLOCK_RANGE_CONFIG,
    ],
    rules: ['blockRange'],
    result: 'slot[]',
    errors: [-32016],
    example: [430, 440, { commitment: 'finalized' }],
  },
  {
    name: 'getBlocksWithLimit',
    summary: 'Lists slots that hold a confirmed block, a given number of them from a start.',
    params: [
      required('startSlot', 'First slot to look at.', SLOT_SPEC),
      required('limit', 'How many slots to list, at most 500,000.', {
        kind: 'integer',
        type: 'u64',
        max: MAX_BLOCK_RANGE,
      }),
      BLOCK_RANGE_CONFIG,
    ],
    result: 'slot[]',
    errors: [-32016],
    example: [430, 10],
  },
  {
    name: 'getFirstAvailableBlock',
    summary: 'Reads the slot of the oldest block the node still has.',
    result: 'slot',
  },
]);
