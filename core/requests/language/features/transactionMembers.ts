// Writes members of a `$transaction` in a request file: limits and fee that a simulation suggests.
import { placeAt, rangeOf } from '../../document/lines';
import type { Range, RequestDocument } from '../../document/model';
import { TRANSACTION_KEY } from '../../methods/records/transactionBody';
import type { JsonObject } from '../../../solana/json/json';
import { partPlace } from '../../document/call';
import { memberEdits } from '../../checks/fixes/fixes';
import { isSendTransaction } from './simulate';

export interface MemberEdit {
  readonly range: Range;
  readonly newText: string;
}

/** Undefined if the block at this line sends no transaction written as an object. */
export function transactionMemberEdits(
  document: RequestDocument,
  line: number,
  members: JsonObject,
): readonly MemberEdit[] | undefined {
  const { placed } = placeAt(document, line);
  const { block } = placed;
  if (block.body === undefined || !isSendTransaction(block)) return undefined;
  const transaction = partPlace(block.body, { index: undefined }, ['params', 0, TRANSACTION_KEY]);
  if (transaction?.isWhole !== true || transaction.node.type !== 'object') return undefined;
  return memberEdits(block.text, transaction.node, members).map(({ span, text }) => ({
    range: rangeOf(placed, span),
    newText: text,
  }));
}
