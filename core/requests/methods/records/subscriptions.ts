// The WebSocket methods: nine pairs of subscribe and unsubscribe.
import type { SubscriptionFacts } from '../types';
import { config, listSpec, objectSpec, optionalSpec, recordsOf, required, words, type MethodFacts } from './build';
import {
  accountEncoding,
  AGAVE_4_4,
  BOOLEAN,
  commitment,
  confirmedCommitment,
  DATA_SLICE,
  EXAMPLE,
  FILTERS,
  MIN_CONTEXT_SLOT,
  PROGRAM_SPEC,
  PUBKEY,
  SIGNATURE,
  TOKEN_PROGRAMS,
  TRANSACTION_DETAILS,
  transactionEncoding,
  transactionVersion,
  U64,
} from './shared';

type Subscribe = Omit<MethodFacts, 'name' | 'transport' | 'result' | 'subscription'> &
  Pick<SubscriptionFacts, 'payload' | 'oneShot'>;

/** The two methods of a subscription; their names follow from its topic. */
function pair(topic: string, { payload, oneShot, errors = [], ...facts }: Subscribe): readonly MethodFacts[] {
  const unstable = facts.unstable === undefined ? {} : { unstable: facts.unstable };
  return [
    {
      name: `${topic}Subscribe`,
      transport: 'ws',
      result: 'subscription id',
      errors: [-32603, ...errors],
      subscription: {
        unsubscribe: `${topic}Unsubscribe`,
        notification: `${topic}Notification`,
        payload,
        ...(oneShot === undefined ? {} : { oneShot }),
      },
      ...facts,
    },
    {
      name: `${topic}Unsubscribe`,
      transport: 'ws',
      summary: `Ends a subscription that \`${topic}Subscribe\` opened.`,
      params: [required('subscription', 'The subscription id; 0 is one as well.', U64)],
      result: 'true',
      notes: ['An id that is not open gives error -32602.'],
      closes: `${topic}Subscribe`,
      example: [0],
      ...unstable,
    },
  ];
}

const IGNORED_SLOT = { ...MIN_CONTEXT_SLOT, doc: 'Taken and ignored by nodes.' };
const SLICE = { ...DATA_SLICE, since: AGAVE_4_4 };

export const SUBSCRIPTION_RECORDS = recordsOf('subscriptions', [
  ...pair('account', {
    summary: 'Notifies when an account changes.',
    params: [
      required('pubkey', 'The account to watch.', PUBKEY),
      config([commitment(), accountEncoding(), SLICE, IGNORED_SLOT]),
    ],
    payload: '{ context: { slot }, value: { lamports, owner, data, executable, rentEpoch, space } }',
    notes: ['Nothing arrives before the first change: read the account once after subscribing.'],
    example: [EXAMPLE.wallet, { encoding: 'jsonParsed', commitment: 'finalized' }],
  }),
  ...pair('block', {
    summary: 'Notifies with each new block.',
    params: [
      required('filter', 'All blocks, or those that mention an account or program.', {
        kind: 'anyOf',
        options: [
          words([['all', 'Every block.']]),
          objectSpec([required('mentionsAccountOrProgram', 'An address the block has to mention.', PUBKEY)], {
            closed: true,
          }),
        ],
      }),
      config([
        confirmedCommitment(),
        transactionEncoding('base64'),
        TRANSACTION_DETAILS,
        optionalSpec(
          'showRewards',
          'Whether the block lists its rewards; getBlock calls this `rewards`.',
          BOOLEAN,
          false,
        ),
        transactionVersion(),
      ]),
    ],
    payload: '{ context: { slot }, value: { slot, err, block } }',
    errors: [-32601],
    advice: ['legacyOnlyStream', 'base58Version'],
    unstable: 'Nodes serve it only when started with a flag, and answer -32601 otherwise.',
    example: ['all', { maxSupportedTransactionVersion: 1, transactionDetails: 'signatures' }],
  }),
  ...pair('logs', {
    summary: 'Notifies with the logs of transactions.',
    params: [
      required('filter', 'All transactions, or those that mention one address.', {
        kind: 'anyOf',
        options: [
          words([
            ['all', 'Every transaction but votes.'],
            ['allWithVotes', 'Every transaction, votes included; on Alpenglow votes are not transactions.'],
          ]),
          objectSpec([required('mentions', 'Exactly one address.', listSpec(PUBKEY, 1))], { closed: true }),
        ],
      }),
      config([commitment()]),
    ],
    payload: '{ context: { slot }, value: { signature, err, logs } }',
    example: [{ mentions: [EXAMPLE.wallet] }, { commitment: 'finalized' }],
  }),
  ...pair('program', {
    summary: 'Notifies when an account of a program changes.',
    params: [
      required('programId', 'The program whose accounts are watched.', PROGRAM_SPEC),
      config([
        commitment(),
        accountEncoding(),
        FILTERS,
        SLICE,
        optionalSpec('withContext', 'Taken by nodes; notifications carry their context either way.', BOOLEAN),
        IGNORED_SLOT,
      ]),
    ],
    rules: ['accountFilters'],
    payload: '{ context: { slot }, value: { pubkey, account } }',
    example: [TOKEN_PROGRAMS[0], { encoding: 'base64', filters: [{ dataSize: 165 }] }],
  }),
  ...pair('root', {
    summary: 'Notifies when the node sets a new root.',
    payload: 'slot',
  }),
  ...pair('signature', {
    summary: 'Notifies once when a transaction reaches a commitment.',
    params: [
      required('signature', 'First signature of the transaction.', SIGNATURE),
      config([
        commitment(),
        optionalSpec(
          'enableReceivedNotification',
          'Whether a first notification says that the node received it.',
          BOOLEAN,
          false,
        ),
      ]),
    ],
    payload: '{ context: { slot }, value: { err } | "receivedSignature" }',
    oneShot: true,
    notes: [
      'The service ends the subscription after the last notification.',
      'On Alpenglow `confirmed` and `finalized` notify together; nodes before Agave 4.4 may leave out the one for `confirmed`.',
    ],
    example: [EXAMPLE.signature, { commitment: 'finalized' }],
  }),
  ...pair('slot', {
    summary: 'Notifies when a slot is processed.',
    payload: '{ slot, parent, root }',
  }),
  ...pair('slotsUpdates', {
    summary: 'Notifies about the stages each slot goes through.',
    payload: '{ slot, timestamp (ms), type, parent?, stats?, err? }',
    notes: ['On Alpenglow `optimisticConfirmation` comes together with `root`.'],
    unstable: 'Its notifications may change from one release of the node to the next.',
  }),
  ...pair('vote', {
    summary: 'Notifies with votes seen in gossip, before consensus.',
    notes: ['On Alpenglow votes are not in gossip: as far as is known, nothing comes.'],
    payload: '{ votePubkey, slots, hash, timestamp, signature }',
    errors: [-32601],
    unstable: 'Nodes serve it only when started with a flag, and answer -32601 otherwise.',
  }),
]);
