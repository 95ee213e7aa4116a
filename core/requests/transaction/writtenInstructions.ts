// Which part of a `$transaction` an instruction of the message was made of. Pure; `compile.ts` makes the message.
import { isJsonArray, isJsonObject, member, type JsonValue } from '../../solana/json/json';
import type { TransactionPath } from '../methods/transactions/model';

/**
 * The path of the part that became the instruction at `index` of `count`; undefined for limits and price, which come first.
 * `transaction`: the value of `$transaction`.
 */
export function pathOfInstruction(transaction: JsonValue, index: number, count: number): TransactionPath | undefined {
  const list = member(transaction, 'instructions');
  const paths = (isJsonArray(list) ? list : []).flatMap((one, at) =>
    Array.from({ length: instructionsOf(one) }, (): TransactionPath => ['instructions', at]),
  );
  if (isJsonObject(member(transaction, 'tip'))) paths.push(['tip']);
  return paths[index - (count - paths.length)];
}

const instructionsOf = (one: JsonValue): number => (createsReceiver(member(one, 'transferToken')) ? 2 : 1);

/** Whether a transfer of tokens creates the account that it pays into, by an instruction before its own. */
export const createsReceiver = (transferToken: JsonValue | undefined): boolean =>
  member(transferToken, 'createAccount') === true;
