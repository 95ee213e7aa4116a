// Counts the sending calls of a request, and reads the signature of a sent transaction or bundle whose answer was lost.
import { decodeBase58, encodeBase58 } from '../core/solana/encoding/base58';
import { isJsonArray, jsonOf, member, type JsonValue } from '../core/solana/json/json';
import { isSendingMethod } from '../core/solana/wire/sending';
import type { PreparedRequest } from '../core/requests/run/model';
import type { PlanCost } from './rate';

const BUNDLE = 'sendBundle';
const SIGNATURE_BYTES = 64;

/** The calls of a request that count against the plan. */
export function planCost(request: PreparedRequest): PlanCost {
  if (!request.isBatch) return { requests: 1, sends: isSendingMethod(request.method) ? 1 : 0 };
  const calls = jsonOf(request.body);
  const sends = isJsonArray(calls) ? calls.filter((call) => isSendingMethod(member(call, 'method'))).length : 0;
  return { requests: Math.max(1, request.ids.length), sends };
}

/** A sent transaction or bundle, for messages about it. */
export interface SentCall {
  readonly what: 'transaction' | 'bundle';
  /** First signature of the transaction, or of a bundle's first one, in base58; undefined if unreadable. */
  readonly signature: string | undefined;
}

export function sentCall(request: PreparedRequest): SentCall {
  const calls = jsonOf(request.body);
  const call = isJsonArray(calls) ? calls.find((each) => isSendingMethod(member(each, 'method'))) : calls;
  const isBundle = member(call, 'method') === BUNDLE;
  return { what: isBundle ? 'bundle' : 'transaction', signature: signatureIn(member(call, 'params')) };
}

function signatureIn(params: JsonValue | undefined): string | undefined {
  if (!isJsonArray(params)) return undefined;
  const [sent, config] = params;
  const text = isJsonArray(sent) ? sent[0] : sent;
  if (typeof text !== 'string') return undefined;
  const bytes = member(config, 'encoding') === 'base64' ? Buffer.from(text, 'base64') : decodeBase58(text);
  // A serialized transaction begins with the number of its signatures, below 128 in one byte, then the signatures.
  const count = bytes?.[0] ?? 0;
  if (bytes === undefined || count === 0 || count > 127 || bytes.length < 1 + SIGNATURE_BYTES) return undefined;
  return encodeBase58(bytes.subarray(1, 1 + SIGNATURE_BYTES));
}
