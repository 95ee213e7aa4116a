// The transport of a block's calls, and the places of their parts in its body. Reads values first; the tree is built only
// for a place.
import { findNodeAtOffset, getNodePath, type Node } from 'jsonc-parser';
import type { Block, Body, Condition, Span, Transport } from './model';
import type { Interface } from '../../service/profiles/profile';
import type { MethodTable } from '../methods';
import { answerShape, shapeAt, type ResultShape } from '../methods/resultShape';
import type { Lane } from '../methods/types';
import { isStreamingCall } from '../../../proto/requests';
import { methodOf, type Call } from '../../solana/json/calls';
import { isJsonArray, isJsonObject, member, printJson, type JsonValue } from '../../solana/json/json';

/** The interface of an endpoint that a transport goes to. */
export const INTERFACE_OF: Readonly<Record<Transport, Interface>> = {
  POST: 'rpc',
  SWQOS: 'swqos',
  WS: 'ws',
  GRPC: 'grpc',
};

const LANES: Readonly<Record<Transport, Lane>> = { POST: 'http', WS: 'ws', SWQOS: 'swqos', GRPC: 'grpc' };
export const laneOf = (transport: Transport): Lane => LANES[transport];

/**
 * The transport a block runs on: its request line's, else the method's own. `value` is the body with its variables
 * filled in, where the method's name is one.
 */
export function transportOf(
  block: Block,
  methods: MethodTable,
  value: JsonValue | undefined = block.body?.value(),
): Transport {
  if (block.requestLine !== undefined) return block.requestLine.transport;
  return value === undefined ? 'POST' : transportOfCall(value, methods);
}

/** The transport of a body without a request line: its method's own. */
export function transportOfCall(value: JsonValue, methods: MethodTable): 'POST' | 'WS' {
  if (!isJsonObject(value)) return 'POST';
  return methods.named(methodOf(value) ?? '')?.transport === 'ws' ? 'WS' : 'POST';
}

/** Whether the block's answer is a stream of messages; undefined if unknown. */
export function isStream(
  block: Block,
  methods: MethodTable,
  value: JsonValue | undefined = block.body?.value(),
): boolean | undefined {
  const { requestLine } = block;
  if (requestLine?.transport === 'GRPC') {
    const method = requestLine.method?.text ?? '';
    return GEYSER_CALLS.has(method) ? isStreamingCall(method) : undefined;
  }
  if (value === undefined) return undefined;
  if (isJsonArray(value)) return false;
  const record = methods.named(methodOf(value) ?? '');
  return record === undefined ? undefined : record.subscription !== undefined;
}

export const GEYSER_SERVICE = 'geyser.Geyser';

/** The calls of the Yellowstone service (Solana contract facts, "Yellowstone gRPC"). */
export const GEYSER_CALLS: ReadonlyMap<string, string> = new Map([
  ['Subscribe', 'Streams accounts, slots, transactions, blocks and entries that match the filters.'],
  ['SubscribeDeshred', 'Streams transactions as they leave the shreds, before they are executed.'],
  ['SubscribeGossip', 'Streams the nodes in gossip: all of them first, then each change.'],
  ['SubscribePreprocessed', 'Streams transactions before they are executed; Helius LaserStream only.'],
  ['SubscribeReplayInfo', 'The first slot that `fromSlot` can go back to.'],
  ['Ping', 'Answers with the same count.'],
  ['GetLatestBlockhash', 'The latest blockhash and the last height at which it is valid.'],
  ['GetBlockHeight', 'The current block height.'],
  ['GetSlot', 'The current slot.'],
  ['IsBlockhashValid', 'Whether a blockhash can still be used.'],
  ['GetVersion', 'The version of the server, as JSON text.'],
]);

/** The call whose answer a path leads into, and the steps from there: a batch is read by the ids of its calls. */
export function callOfPath(
  { body, settings }: Block,
  whole: readonly (string | number)[],
): { readonly call: JsonValue | undefined; readonly rest: readonly (string | number)[] } {
  // The answers of rows are like the one without.
  const path = settings.foreach !== undefined && whole[0] === 'rows' ? whole.slice(2) : whole;
  const value = body?.value();
  if (body?.isBatch !== true) return { call: value, rest: path };
  const [id, ...rest] = path;
  const calls = value !== undefined && isJsonArray(value) ? value : [];
  const wanted = id === undefined ? undefined : printJson(id);
  return { call: calls.find((one) => printJson(member(one, 'id') ?? null) === wanted), rest };
}

/** The shape of the value that a path into a block's answer leads to, by the record of its method. */
export function shapeOfPath(
  block: Block,
  path: readonly (string | number)[],
  methods: MethodTable,
): ResultShape | undefined {
  const { call, rest } = callOfPath(block, path);
  return rest.reduce<ResultShape | undefined>(shapeAt, answerShape(call, methods));
}

/** The conditions of a block on its answer: its assertions and that of `@retry`. */
export function conditionsOf({ assertions, settings: { retry } }: Block): readonly Condition[] {
  return retry?.condition === undefined ? assertions : [...assertions, retry.condition];
}

/** Steps from the request object: ["params", 0, "encoding"]. */
export type CallPath = readonly (string | number)[];

/** The node of a value. `isWhole` is false if the path continues inside a variable's value. */
export interface PartPlace {
  readonly node: Node;
  readonly isWhole: boolean;
}

/** The place of a call's part, or the nearest enclosing one in the file. */
export function partPlace(body: Body, call: Pick<Call, 'index'>, steps: CallPath): PartPlace | undefined {
  let node = body.tree();
  const path = call.index === undefined ? steps : [call.index, ...steps];
  for (const step of path) {
    const next: Node | undefined = node === undefined ? undefined : childOf(node, step);
    if (next === undefined) return node === undefined ? undefined : { node, isWhole: false };
    node = next;
  }
  return node === undefined ? undefined : { node, isWhole: true };
}

/** The element or member of a node; of two members with one name the last, as in JSON. */
function childOf(node: Node, step: string | number): Node | undefined {
  if (typeof step === 'number') return node.type === 'array' ? node.children?.[step] : undefined;
  return propertyOf(node, step)?.children?.[1];
}

export function propertyOf(node: Node, key: string): Node | undefined {
  if (node.type !== 'object') return undefined;
  return node.children?.findLast((property) => property.children?.[0]?.value === key);
}

/** A node and everything inside it, in no particular order. */
export function* nodesIn(root: Node | undefined): Generator<Node> {
  const pending = root === undefined ? [] : [root];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    yield node;
    for (const child of node.children ?? []) pending.push(child);
  }
}

export const nodeSpan = (node: Node): Span => ({ start: node.offset, end: node.offset + node.length });

/** The steps from the body to the token that holds an offset. */
export function pathTo(body: Body, offset: number): CallPath | undefined {
  const root = body.tree();
  const node = root === undefined ? undefined : findNodeAtOffset(root, offset);
  return node === undefined ? undefined : getNodePath(node);
}

/** The span to delete to remove the node at `index`, a comma included. `toEnd`: all following siblings too. */
export function spanWithout(siblings: readonly Node[], index: number, toEnd = false): Span {
  const node = siblings[index];
  if (node === undefined) return { start: 0, end: 0 };
  const before = siblings[index - 1];
  const after = toEnd ? undefined : siblings[index + 1];
  const { start } = nodeSpan(node);
  const { end } = nodeSpan((toEnd ? siblings.at(-1) : undefined) ?? node);
  return before !== undefined ? { start: nodeSpan(before).end, end } : { start, end: after?.offset ?? end };
}

/** The span of the key of a member of the call, or of its object where it has none. */
export function keySpan(body: Body, call: Pick<Call, 'index'>, steps: CallPath): Span | undefined {
  const owner = partPlace(body, call, steps.slice(0, -1));
  const key = steps.at(-1);
  if (owner === undefined) return undefined;
  const property = owner.isWhole && typeof key === 'string' ? propertyOf(owner.node, key) : undefined;
  return nodeSpan(property?.children?.[0] ?? owner.node);
}
