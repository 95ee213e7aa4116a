// Transactions within the text of a body that is ready to leave: where they are, and the body with their bytes in their
// place. Every other token stays as it is written (I11).
import { parseTree, type Node } from 'jsonc-parser';
import { rangeOf, replaced } from '../document/lines';
import { partPlace, propertyOf, nodeSpan } from '../document/call';
import type { PlacedBlock } from '../document/model';
import { parseJson, type JsonValue } from '../../solana/json/json';
import { TRANSACTION_KEY } from '../methods/records/transactionBody';
import type { TransactionPath } from '../methods/transactions/model';

/** The spelling of a serialised transaction; base58 where the options say nothing. */
export type WireEncoding = 'base58' | 'base64';

export interface PlacedTransaction {
  readonly method: string;
  /** The value of `$transaction`. */
  readonly value: JsonValue;
  /** Steps from the body to the object that holds it. */
  readonly path: TransactionPath;
  /** Offset and length of that object in the text. */
  readonly offset: number;
  readonly length: number;
  readonly encoding: WireEncoding;
  /** Whether its signatures are looked at: a simulation leaves them out unless it is asked to. */
  readonly isSigned: boolean;
}

/** Cheap: almost no body holds one. */
export const mayHoldTransaction = (text: string): boolean => text.includes(`"${TRANSACTION_KEY}"`);

/** The transactions of a JSON-RPC body, in order: parameters of its calls, and what lists among them hold. */
export function transactionsIn(body: string): readonly PlacedTransaction[] {
  if (!mayHoldTransaction(body)) return [];
  const root = parseTree(body);
  if (root === undefined) return [];
  const calls = root.type === 'array' ? (root.children ?? []) : [root];
  return calls.flatMap((call, index) => inCall(body, call, root.type === 'array' ? [index] : []));
}

function inCall(body: string, call: Node, path: TransactionPath): PlacedTransaction[] {
  const params = propertyOf(call, 'params')?.children?.[1];
  if (params === undefined) return [];
  const method: unknown = propertyOf(call, 'method')?.children?.[1]?.value;
  const given = itemsOf(params);
  const options = given.map(([, node]) => node).filter((node) => transactionAt(node) === undefined);
  const option = (name: string): unknown =>
    options.map((node) => propertyOf(node, name)?.children?.[1]?.value as unknown).find((value) => value !== undefined);
  const facts = {
    method: typeof method === 'string' ? method : '',
    encoding: option('encoding') === 'base64' ? 'base64' : 'base58',
    isSigned: method !== 'simulateTransaction' || option('sigVerify') === true,
  } as const;
  const placed = given.flatMap(([step, node]) => [
    { node, at: [...path, 'params', step] },
    ...(node.type === 'array'
      ? itemsOf(node).map(([inner, item]) => ({ node: item, at: [...path, 'params', step, inner] }))
      : []),
  ]);
  return placed.flatMap(({ node, at }) => {
    const held = transactionAt(node);
    if (held === undefined) return [];
    const value = parseJson(body.slice(held.offset, held.offset + held.length));
    return [{ ...facts, value, path: at, offset: node.offset, length: node.length }];
  });
}

/** Elements by index, members by name. */
function itemsOf(node: Node): readonly (readonly [string | number, Node])[] {
  const children = node.children ?? [];
  if (node.type === 'array') return children.map((child, index) => [index, child]);
  if (node.type !== 'object') return [];
  return children.flatMap(({ children: [key, value] = [] }) =>
    value === undefined ? [] : [[String(key?.value), value] as const],
  );
}

const transactionAt = (node: Node): Node | undefined => propertyOf(node, TRANSACTION_KEY)?.children?.[1];

/** The body with these texts in the place of its transactions. */
export function withTransactions(
  body: string,
  built: readonly { readonly placed: PlacedTransaction; readonly text: string }[],
): string {
  const spans = built.map(({ placed, text }) => ({ start: placed.offset, end: placed.offset + placed.length, text }));
  return replaced(body, spans, (_, { text }) => JSON.stringify(text));
}

/** The line of a place in the body of a block, one-based; that of the nearest value around it where it is in a variable. */
export function lineOfPath(placed: PlacedBlock, path: TransactionPath): number {
  const { body } = placed.block;
  const found = body === undefined ? undefined : partPlace(body, { index: undefined }, path);
  const span = found === undefined ? { start: 0, end: 0 } : nodeSpan(found.node);
  return rangeOf(placed, span).start.line + 1;
}
