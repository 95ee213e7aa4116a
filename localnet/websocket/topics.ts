// The subscriptions of Solana's PubSub and how their params are read. Reads as a node does: unknown members of a config are
// ignored, and the default commitment is finalized.
import { isJsonArray, isJsonObject, member, type JsonObject, type JsonValue } from '../../core/solana/json/json';
import type { AgaveLine, Commitment } from '../ledger/types';
import { accountFormatOf, type AccountFormat } from '../rpc/format/encode';
import { invalidParams } from '../rpc/failure';
import { filtersOf, type AccountFilter } from '../rpc/format/filters';
import { detailsOf } from '../rpc/format/blockJson';
import { transactionFormatOf } from '../rpc/format/transactionJson';
import {
  addressParam,
  boolOf,
  commitmentOf,
  configOf,
  confirmedCommitmentOf,
  optionalParam,
  positional,
  signatureParam,
  slotOf,
} from '../rpc/format/params';
import type { BlockWanted } from './blocks';

export type Topic =
  | {
      readonly kind: 'account';
      readonly address: string;
      readonly commitment: Commitment;
      readonly format: AccountFormat;
    }
  | {
      readonly kind: 'program';
      readonly program: string;
      readonly commitment: Commitment;
      readonly format: AccountFormat;
      readonly filters: readonly AccountFilter[];
    }
  /** `mentions` is the account a transaction must name; `undefined` for every transaction. */
  | {
      readonly kind: 'logs';
      readonly mentions: string | undefined;
      /** Votes too. */
      readonly votes: boolean;
      readonly commitment: Commitment;
    }
  /** One notification, then it is over; `received` asks for one more when the transaction comes in. */
  | {
      readonly kind: 'signature';
      readonly signature: string;
      readonly commitment: Commitment;
      readonly received: boolean;
    }
  | { readonly kind: 'slot' }
  | { readonly kind: 'root' }
  | { readonly kind: 'slotsUpdates' }
  /** Whole blocks; a commitment below confirmed has none. */
  | ({ readonly kind: 'block'; readonly commitment: Commitment } & BlockWanted)
  /** The votes of the ledger's one node. */
  | { readonly kind: 'vote' };

export type TopicKind = Topic['kind'];

/** Reads the params of a subscribe call. Throws RpcFailure. */
export type ReadTopic = (params: JsonValue | undefined, line: AgaveLine) => Topic;

const TOPICS: Readonly<Record<TopicKind, ReadTopic>> = {
  account: (params, line) => {
    const [address, second] = positional(params, 1, 2);
    const config = configOf(second);
    optionalParam(config, 'minContextSlot', slotOf);
    return {
      kind: 'account',
      address: addressParam(address),
      commitment: commitmentOf(config),
      format: notifiedFormatOf(config, line),
    };
  },
  program: (params, line) => {
    const [program, second] = positional(params, 1, 2);
    const config = configOf(second);
    optionalParam(config, 'minContextSlot', slotOf);
    optionalParam(config, 'withContext', boolOf);
    return {
      kind: 'program',
      program: addressParam(program),
      commitment: commitmentOf(config),
      format: notifiedFormatOf(config, line),
      filters: optionalParam(config, 'filters', filtersOf) ?? [],
    };
  },
  logs: (params) => {
    const [filter, second] = positional(params, 1, 2);
    return {
      kind: 'logs',
      mentions: mentionsOf(filter),
      votes: filter !== 'all',
      commitment: commitmentOf(configOf(second)),
    };
  },
  signature: (params) => {
    const [signature, second] = positional(params, 1, 2);
    const config = configOf(second);
    return {
      kind: 'signature',
      signature: signatureParam(signature),
      commitment: commitmentOf(config),
      received: optionalParam(config, 'enableReceivedNotification', boolOf) ?? false,
    };
  },
  slot: (params) => (positional(params, 0, 0), { kind: 'slot' }),
  root: (params) => (positional(params, 0, 0), { kind: 'root' }),
  slotsUpdates: (params) => (positional(params, 0, 0), { kind: 'slotsUpdates' }),
  block: (params, line) => {
    const [filter, second] = positional(params, 1, 2);
    const config = configOf(second);
    const format = transactionFormatOf({ encoding: 'base64', ...config }, line);
    return {
      kind: 'block',
      mentions: mentionedOf(filter),
      commitment: confirmedCommitmentOf(config),
      format: {
        ...format,
        details: detailsOf(config),
        rewards: optionalParam(config, 'showRewards', boolOf) ?? false,
      },
    };
  },
  vote: (params) => (positional(params, 0, 0), { kind: 'vote' }),
};

/** Nodes before 4.4 read a dataSlice here and send the whole data. */
function notifiedFormatOf(config: JsonObject, line: AgaveLine): AccountFormat {
  const { encoding, slice } = accountFormatOf(config, 'binary');
  return slice === undefined || line !== '4.4' ? { encoding } : { encoding, slice };
}

/** The content of an object that has this member alone: nodes read it as a choice and refuse a second one. */
const onlyMember = (filter: JsonValue | undefined, name: string): JsonValue | undefined =>
  isJsonObject(filter) && Object.keys(filter).length === 1 ? member(filter, name) : undefined;

/** "all" or {mentionsAccountOrProgram: address}. */
function mentionedOf(filter: JsonValue | undefined): string | undefined {
  if (filter === 'all') return undefined;
  const mentions = onlyMember(filter, 'mentionsAccountOrProgram');
  if (mentions === undefined)
    throw invalidParams('Invalid params: the filter is "all" or {"mentionsAccountOrProgram"}.');
  return addressParam(mentions);
}

/** "all", "allWithVotes", or {mentions: [one address]}. */
function mentionsOf(filter: JsonValue | undefined): string | undefined {
  if (filter === 'all' || filter === 'allWithVotes') return undefined;
  const mentions = onlyMember(filter, 'mentions');
  if (!isJsonArray(mentions))
    throw invalidParams('Invalid params: the filter is "all", "allWithVotes" or {"mentions"}.');
  if (mentions.length !== 1) throw invalidParams('Invalid Request: Only 1 address supported');
  return addressParam(mentions[0]);
}

export type PubSubCall =
  | { readonly kind: 'subscribe'; readonly read: ReadTopic }
  | { readonly kind: 'unsubscribe' }
  | { readonly kind: 'version' };

/** Every method of the WebSocket by name. Of the methods of HTTP nodes answer getVersion alone here, and so do we. */
export const PUBSUB: ReadonlyMap<string, PubSubCall> = new Map<string, PubSubCall>([
  ...Object.entries(TOPICS).flatMap(([kind, read]): [string, PubSubCall][] => [
    [`${kind}Subscribe`, { kind: 'subscribe', read }],
    [`${kind}Unsubscribe`, { kind: 'unsubscribe' }],
  ]),
  ['getVersion', { kind: 'version' }],
]);
