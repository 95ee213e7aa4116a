// The subscriptions of Solana's PubSub and how their params are read. Reads as a node does: unknown members of a config are
// ignored, and the default commitment is finalized.
import { isJsonArray, isJsonObject, member, type JsonObject, type JsonValue } from '../../core/solana/json/json';
import type { AgaveLine } from '../ledger/types';
import { accountFormatOf, type AccountFormat } from '../rpc/format/encode';
import { invalidParams } from '../rpc/failure';
import { filtersOf } from '../rpc/format/filters';
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

/** Of subscriptions without params. */
const bare = (params: JsonValue | undefined) => {
  positional(params, 0, 0);
  return {};
};

/** Read the params of the subscriptions of each kind. Throw RpcFailure. */
const TOPICS = {
  account: (params, line) => {
    const [address, second] = positional(params, 1, 2);
    const config = configOf(second);
    optionalParam(config, 'minContextSlot', slotOf);
    return {
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
      program: addressParam(program),
      commitment: commitmentOf(config),
      format: notifiedFormatOf(config, line),
      filters: optionalParam(config, 'filters', filtersOf) ?? [],
    };
  },
  /** `mentions` is the account a transaction must name; `undefined` for every transaction. `votes`: votes too. */
  logs: (params) => {
    const [filter, second] = positional(params, 1, 2);
    return { mentions: mentionsOf(filter), votes: filter !== 'all', commitment: commitmentOf(configOf(second)) };
  },
  /** One notification, then it is over; `received` asks for one more when the transaction comes in. */
  signature: (params) => {
    const [signature, second] = positional(params, 1, 2);
    const config = configOf(second);
    return {
      signature: signatureParam(signature),
      commitment: commitmentOf(config),
      received: optionalParam(config, 'enableReceivedNotification', boolOf) ?? false,
    };
  },
  slot: bare,
  root: bare,
  slotsUpdates: bare,
  /** Whole blocks; a commitment below confirmed has none. */
  block: (params, line) => {
    const [filter, second] = positional(params, 1, 2);
    const config = configOf(second);
    const format = transactionFormatOf({ encoding: 'base64', ...config }, line);
    return {
      mentions: mentionedOf(filter),
      commitment: confirmedCommitmentOf(config),
      format: {
        ...format,
        details: detailsOf(config),
        rewards: optionalParam(config, 'showRewards', boolOf) ?? false,
      },
    };
  },
  /** The votes of the ledger's one node. */
  vote: bare,
} satisfies Readonly<Record<string, (params: JsonValue | undefined, line: AgaveLine) => object>>;

type TopicKind = keyof typeof TOPICS;

/** A subscription: its kind, and what its params ask for. */
export type Topic = {
  [Kind in TopicKind]: { readonly kind: Kind } & Readonly<ReturnType<(typeof TOPICS)[Kind]>>;
}[TopicKind];

/** Reads the params of a subscribe call. Throws RpcFailure. */
export type ReadTopic = (params: JsonValue | undefined, line: AgaveLine) => Topic;

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
    [`${kind}Subscribe`, { kind: 'subscribe', read: (params, line) => ({ kind, ...read(params, line) }) as Topic }],
    [`${kind}Unsubscribe`, { kind: 'unsubscribe' }],
  ]),
  ['getVersion', { kind: 'version' }],
]);
