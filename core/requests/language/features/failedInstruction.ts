// Locates the instruction in a file that failed in a run.
import { placeAt, positionAt } from '../../document/lines';
import type { Position, RequestDocument } from '../../document/model';
import { TRANSACTION_KEY } from '../../methods/records/transactionBody';
import { pathOfInstruction } from '../../transaction/writtenInstructions';
import { isJsonArray, member } from '../../../solana/json/json';
import { partPlace, nodeSpan } from '../../document/call';

/**
 * `index`: of the instruction, among the `count` of its message. Undefined where the block at this line does not write its
 * transaction as an object, or the instruction is not among those that are written.
 */
export function failedInstructionAt(
  document: RequestDocument,
  line: number,
  { index, count }: { readonly index: number; readonly count: number },
): Position | undefined {
  const { placed } = placeAt(document, line);
  const { body } = placed.block;
  const params = member(body?.value(), 'params');
  const transaction = member(isJsonArray(params) ? params[0] : undefined, TRANSACTION_KEY);
  if (body === undefined || transaction === undefined) return undefined;
  const path = pathOfInstruction(transaction, index, count);
  if (path === undefined) return undefined;
  const found = partPlace(body, { index: undefined }, ['params', 0, TRANSACTION_KEY, ...path]);
  return found === undefined ? undefined : positionAt(placed, nodeSpan(found.node).start);
}
