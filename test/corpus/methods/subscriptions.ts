// Subscriptions. Written from the service contract and the public node API.
import {
  ACCOUNT_DATA,
  AT_LEAST,
  FILTERS,
  LEVEL,
  SETTLED,
  SLICE,
  TRANSACTION_DATA,
  VERSION,
  config,
  need,
  may,
  word,
} from '../facts';
import {
  anything,
  base64Account,
  base64Data,
  blockHead,
  keyedAccount,
  list,
  literal,
  nothing,
  noticeOf,
  object,
  optional,
  signature,
  text,
  transactionMeta,
  u64,
} from '../shapes';
import { SYSTEM, UNKNOWN } from '../values';
import { BASE64, unsubscribe, type Method } from './method';

export const SUBSCRIPTIONS: readonly Method[] = [
  {
    name: 'accountSubscribe',
    on: 'ws',
    params: [need('pubkey', 'pubkey'), config(LEVEL, ACCOUNT_DATA, SLICE, AT_LEAST)],
    given: ({ receiver }) => [receiver],
    options: BASE64,
    wrong: ['not an address'],
    notification: noticeOf(base64Account),
  },
  unsubscribe('accountUnsubscribe'),
  {
    name: 'programSubscribe',
    on: 'ws',
    params: [
      need('programId', 'pubkey'),
      config(LEVEL, ACCOUNT_DATA, FILTERS, SLICE, may('withContext', 'bool'), AT_LEAST),
    ],
    given: () => [SYSTEM],
    options: BASE64,
    wrong: [SYSTEM, { filters: [{ dataSize: 'x' }] }],
    notification: noticeOf(keyedAccount),
  },
  unsubscribe('programUnsubscribe'),
  {
    name: 'logsSubscribe',
    on: 'ws',
    params: [
      {
        name: 'filter',
        type: 'union',
        required: true,
        oneOf: [
          { type: 'enum', words: ['all', 'allWithVotes'] },
          {
            type: 'object',
            fields: [
              { name: 'mentions', type: 'array', required: true, minItems: 1, maxItems: 1, items: { type: 'pubkey' } },
            ],
          },
        ],
      },
      config(LEVEL),
    ],
    given: ({ receiver }) => [{ mentions: [receiver] }],
    wrong: [{ mentions: [SYSTEM, UNKNOWN] }],
    notification: noticeOf(object({ err: nothing, logs: list(text, 2), signature })),
  },
  unsubscribe('logsUnsubscribe'),
  {
    name: 'signatureSubscribe',
    on: 'ws',
    params: [need('signature', 'signature'), config(LEVEL, may('enableReceivedNotification', 'bool'))],
  },
  unsubscribe('signatureUnsubscribe'),
  {
    name: 'slotSubscribe',
    on: 'ws',
    params: [],
    wrong: [{}],
    notification: object({ parent: u64, root: u64, slot: u64 }),
  },
  unsubscribe('slotUnsubscribe'),
  {
    name: 'slotsUpdatesSubscribe',
    on: 'ws',
    params: [],
    wrong: [{}],
    notification: object({
      err: optional(text),
      parent: optional(u64),
      slot: u64,
      stats: optional(anything),
      timestamp: u64,
      type: literal(
        'firstShredReceived',
        'completed',
        'createdBank',
        'frozen',
        'dead',
        'optimisticConfirmation',
        'root',
      ),
    }),
  },
  unsubscribe('slotsUpdatesUnsubscribe'),
  { name: 'rootSubscribe', on: 'ws', params: [], wrong: [{}], notification: u64 },
  unsubscribe('rootUnsubscribe'),
  {
    name: 'blockSubscribe',
    on: 'ws',
    params: [
      {
        name: 'filter',
        type: 'union',
        required: true,
        oneOf: [
          { type: 'enum', words: ['all'] },
          { type: 'object', fields: [need('mentionsAccountOrProgram', 'pubkey')] },
        ],
      },
      config(
        SETTLED,
        TRANSACTION_DATA,
        word('transactionDetails', 'full', 'accounts', 'signatures', 'none'),
        may('showRewards', 'bool'),
        VERSION,
      ),
    ],
    given: ({ receiver }) => [{ mentionsAccountOrProgram: receiver }],
    options: { encoding: 'base64', maxSupportedTransactionVersion: 0, showRewards: false },
    wrong: ['some'],
    notification: noticeOf(
      object({
        block: object({
          ...blockHead,
          transactions: list(
            object({ meta: transactionMeta, transaction: base64Data, version: literal('legacy', 0) }),
            1,
          ),
        }),
        err: nothing,
        slot: u64,
      }),
    ),
  },
  unsubscribe('blockUnsubscribe'),
  { name: 'voteSubscribe', on: 'ws', params: [] },
  unsubscribe('voteUnsubscribe'),
];
