// Methods about slots, epochs, leaders and validators.
import { HEALTH_SLOTS } from '../../../solana/chain/chain';
import { config, objectSpec, optionalSpec, recordsOf, required } from './build';
import { AGAVE_4_4, BOOLEAN, commitment, EXAMPLE, MIN_CONTEXT_SLOT, PUBKEY, SLOT_SPEC, U64 } from './shared';

const LEADER_SCHEDULE_CONFIG = config([
  commitment(),
  optionalSpec('identity', 'Only the slots of this validator.', PUBKEY),
  {
    ...optionalSpec('keyByVoteAccount', 'Whether the keys are vote accounts in place of identities.', BOOLEAN, false),
    since: AGAVE_4_4,
  },
]);

export const CLUSTER_METHODS = recordsOf('cluster', [
  {
    name: 'getAgGenesisCert',
    summary: 'Reads the certificate of the last block before the Alpenglow consensus.',
    result: '{ block: { slot, blockId: u8[] }, signature: { signature: u8[], bitmap: u8[] } } | null',
    since: { agave: '4.3', servers: ['the local service'] },
    errors: [-32601],
    notes: [
      'A certificate: the chain runs Alpenglow. `null`: it does not yet. Error -32601, from an older node, says neither.',
      '`blockId` has 32 bytes, `signature` 192; `bitmap` has a bit for each validator, ranked by stake, and any length.',
    ],
  },
  {
    name: 'getBlockProduction',
    summary: 'Counts, per validator, the slots it led and the blocks it made.',
    params: [
      config([
        commitment(),
        optionalSpec('identity', 'Only this validator.', PUBKEY),
        optionalSpec(
          'range',
          'The slots to count; the current epoch when left out.',
          objectSpec([
            required('firstSlot', 'First slot of the range.', SLOT_SPEC),
            optionalSpec('lastSlot', 'Last slot of the range; the newest when left out.', SLOT_SPEC),
          ]),
        ),
      ]),
    ],
    rules: ['slotRange'],
    result: '{ context: { slot }, value: { byIdentity: { [pubkey]: [leaderSlots, blocksProduced] }, range } }',
    errors: [-32021],
    example: [{ identity: EXAMPLE.validator, range: { firstSlot: 0, lastSlot: 100 } }],
  },
  {
    name: 'getClusterNodes',
    summary: 'Lists the nodes seen in gossip with their addresses and versions.',
    result: '{ pubkey, gossip, tpu, rpc, pubsub, version, featureSet, shredVersion, clientId?, … }[]',
    changes: [{ agave: '4.0', doc: 'each node has a `clientId`, and none has a UDP address for `tpu`.' }],
  },
  {
    name: 'getEpochInfo',
    summary: 'Reads the number and progress of the current epoch.',
    contract: true,
    params: [config([commitment(true), MIN_CONTEXT_SLOT], { contract: true })],
    result:
      '{ epoch, slotIndex, slotsInEpoch, absoluteSlot, blockHeight, transactionCount: u64 | null }; slotIndex counts from 0',
    errors: [-32016],
    example: [{ commitment: 'finalized' }],
  },
  {
    name: 'getEpochSchedule',
    summary: 'Reads how epochs are cut into slots since genesis.',
    result: '{ slotsPerEpoch, leaderScheduleSlotOffset, warmup, firstNormalEpoch, firstNormalSlot }',
  },
  {
    name: 'getGenesisHash',
    summary: 'Reads the hash of the genesis block, which differs between clusters.',
    result: 'hash',
  },
  {
    name: 'getLeaderSchedule',
    summary: 'Lists which validator leads which slots of an epoch.',
    params: [
      {
        ...optionalSpec('slot', 'Any slot of the epoch; `null` or left out: the current one.', SLOT_SPEC),
        alsoAccepts: [LEADER_SCHEDULE_CONFIG.spec],
      },
      LEADER_SCHEDULE_CONFIG,
    ],
    result: '{ [pubkey]: number[] } | null',
    errors: [-32022],
    changes: [
      { agave: '4.4', doc: 'a validator that leads none of the slots gives error -32022; older nodes answer `{}`.' },
    ],
    notes: ['The numbers count from the first slot of the epoch.'],
    example: [null, { identity: EXAMPLE.validator }],
  },
  {
    name: 'getRankMap',
    summary: 'Reads the ranks of validators in the Alpenglow consensus.',
    result: 'not settled',
    undocumented: true,
    errors: [-32601],
    unstable: 'It is new in the Alpenglow consensus and its answer is not settled.',
  },
  {
    name: 'getRecentPerformanceSamples',
    summary: 'Lists samples of 60 seconds with the slots and transactions in each.',
    params: [optionalSpec('limit', 'How many samples, at most 720.', { kind: 'integer', type: 'u64', max: 720 }, 720)],
    result: '{ slot, numTransactions, numNonVoteTransactions, numSlots, samplePeriodSecs }[]',
    notes: ['On Alpenglow votes are not transactions: both counts are the same.'],
    example: [4],
  },
  {
    name: 'getSlot',
    summary: 'Reads the current slot.',
    contract: true,
    params: [config([commitment(), MIN_CONTEXT_SLOT])],
    result: 'slot',
    errors: [-32016],
  },
  {
    name: 'getSlotLeader',
    summary: 'Names the validator that leads the current slot.',
    params: [config([commitment(), MIN_CONTEXT_SLOT])],
    result: 'pubkey',
    errors: [-32016],
  },
  {
    name: 'getSlotLeaders',
    summary: 'Names the leaders of consecutive slots.',
    params: [
      required('startSlot', 'First slot.', SLOT_SPEC),
      required('limit', 'How many slots, 1 to 5,000.', { kind: 'integer', type: 'u64', min: 1, max: 5000 }),
    ],
    result: 'pubkey[]',
    example: [100, 10],
  },
  {
    name: 'getTransactionCount',
    summary: 'Counts the transactions since genesis.',
    params: [config([commitment(), MIN_CONTEXT_SLOT])],
    result: 'u64',
    errors: [-32016],
  },
  {
    name: 'getVoteAccounts',
    summary: 'Lists the vote accounts, those that keep up and those that lag.',
    params: [
      config([
        commitment(),
        optionalSpec('votePubkey', 'Only this vote account.', PUBKEY),
        optionalSpec(
          'keepUnstakedDelinquents',
          'Whether lagging validators without stake are listed too.',
          BOOLEAN,
          false,
        ),
        optionalSpec(
          'delinquentSlotDistance',
          'From how many slots behind a validator counts as lagging.',
          U64,
          HEALTH_SLOTS,
        ),
      ]),
    ],
    result:
      '{ current, delinquent }, each { votePubkey, nodePubkey, activatedStake, commission, epochVoteAccount, epochCredits, lastVote, rootSlot }[]',
    notes: [
      'On Alpenglow `lastVote` is read from the footers of blocks, a few slots later; where nothing becomes final, it stays.',
      '`epochCredits` count votes; in epochs of Alpenglow, as far as is known, the lamports earned.',
    ],
    changes: [{ agave: '4.1', doc: '`inflationRewardsCommissionBps` says the commission in basis points.' }],
    example: [{ votePubkey: EXAMPLE.validator }],
  },
]);
