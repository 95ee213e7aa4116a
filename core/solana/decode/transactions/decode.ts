// Entry points for decoding transactions, one per source format.
import type { DecodedTransaction, Programs } from '../decoded';
import type { JsonValue } from '../../json/json';
import { decodeTransaction } from '../../wire/transaction';
import type { WireResult } from '../../wire/transactionTypes';
import { buildTransaction } from './build';
import { partsFromJson } from './fromJson';
import { partsFromWire } from './fromWire';
import { partsFromYellowstone } from './fromYellowstone';
import type { TransactionParts } from './parts';

/** Serialised bytes, as they go to sendTransaction: it has not run yet, and lookup tables have not been read. */
export function transactionFromWire(bytes: Uint8Array, known: Programs): WireResult<DecodedTransaction> {
  const transaction = decodeTransaction(bytes);
  return transaction.ok ? { ok: true, value: buildTransaction(partsFromWire(transaction.value), known) } : transaction;
}

/**
 * A node's JSON: the result of getTransaction, one of getBlock's transactions, or the transaction of a notification;
 * in json, jsonParsed, base64 and base58.
 */
export function transactionFromJson(value: JsonValue, known: Programs): WireResult<DecodedTransaction> {
  return built(partsFromJson(value), known);
}

/** `hasRun`: false for a transaction that nobody has run yet. `slot`: a field of the same message. */
export interface YellowstoneForm {
  readonly hasRun?: boolean;
  readonly slot?: bigint | undefined;
}

/**
 * The bytes of a Yellowstone `SubscribeUpdateTransactionInfo`: field 1 of a SubscribeUpdateTransaction, field 6 of a
 * SubscribeUpdateBlock. Before execution: the bytes of a `SubscribeUpdateDeshredTransactionInfo`.
 */
export function transactionFromYellowstone(
  info: Uint8Array,
  known: Programs,
  { hasRun = true, slot }: YellowstoneForm = {},
): WireResult<DecodedTransaction> {
  const parts = partsFromYellowstone(info, hasRun);
  return built(parts.ok && slot !== undefined ? { ok: true, value: { ...parts.value, slot } } : parts, known);
}

function built(parts: WireResult<TransactionParts>, known: Programs): WireResult<DecodedTransaction> {
  return parts.ok ? { ok: true, value: buildTransaction(parts.value, known) } : parts;
}
