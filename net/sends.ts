// What a request sends to the ledger: how many sendTransaction calls it holds, and the signature of a transaction whose
// answer was lost.
import { decodeBase58, encodeBase58 } from '../core/values/encoding/base58';
import { isJsonArray, member, parseJson, type JsonValue } from '../core/values/json/json';
import type { PreparedRequest } from '../core/run/model';
import type { Cost } from './rate';

const SEND = 'sendTransaction';
/** A bundle is repeated as little as a transaction. */
const isSend = (method: unknown): boolean => method === SEND || method === 'sendBundle';
const SIGNATURE_BYTES = 64;

/** What a request counts against the plan. */
export function costOf(request: PreparedRequest): Cost {
  if (!request.isBatch) return { requests: 1, sends: isSend(request.method) ? 1 : 0 };
  const calls = parse(request.body);
  const sends = isJsonArray(calls) ? calls.filter((call) => isSend(member(call, 'method'))).length : 0;
  return { requests: Math.max(1, request.ids.length), sends };
}

/** The first signature of the transaction in a request, in base58; undefined where it cannot be read. */
export function signatureOf(request: PreparedRequest): string | undefined {
  const calls = parse(request.body);
  const call = isJsonArray(calls) ? calls.find((each) => member(each, 'method') === SEND) : calls;
  const params = member(call, 'params');
  if (!isJsonArray(params)) return undefined;
  const [text, config] = params;
  if (typeof text !== 'string') return undefined;
  const bytes = member(config, 'encoding') === 'base64' ? Buffer.from(text, 'base64') : decodeBase58(text);
  // A serialized transaction begins with the number of its signatures, below 128 in one byte, then the signatures.
  const count = bytes?.[0] ?? 0;
  if (bytes === undefined || count === 0 || count > 127 || bytes.length < 1 + SIGNATURE_BYTES) return undefined;
  return encodeBase58(bytes.subarray(1, 1 + SIGNATURE_BYTES));
}

function parse(text: string): JsonValue | undefined {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}
