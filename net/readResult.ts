// One JSON-RPC read with the answer in memory: its result, or the error.
import { failed, ok, tooDeep, type Result } from '../core/service/errors';
import { member, printJson, type JsonValue } from '../core/solana/json/json';
import type { Net, SendTarget } from './api';

const TIMEOUT_MS = 60_000;
/** The largest account has 10 MiB, which base64 makes a third larger; many small ones may be as much. */
const MAX_ANSWER = 256 * 1024 * 1024;

export interface Reading {
  readonly net: Pick<Net, 'call'>;
  readonly target: SendTarget;
  readonly signal: AbortSignal;
  /** Of the answer. Default: enough for the largest accounts. */
  readonly maxBytes?: number;
  /** For the answer. Default: enough for many accounts. ms */
  readonly timeoutMs?: number;
}

export async function readResult(
  { net, target, signal, maxBytes = MAX_ANSWER, timeoutMs = TIMEOUT_MS }: Reading,
  method: string,
  params: JsonValue,
): Promise<Result<JsonValue>> {
  const request = {
    transport: 'POST',
    method,
    body: printJson({ jsonrpc: '2.0', id: 1, method, params }),
    ids: ['1'],
    isBatch: false,
    headers: [],
    timeoutMs,
  } as const;
  const answer = await net.call(target, request, { signal, inlineBytes: maxBytes, maxBytes });
  if (!answer.ok) return answer;
  const { error, body } = answer.value;
  if (error !== undefined) return failed(error);
  if (body.kind === 'text' && body.isTooDeep) return failed(tooDeep(`Its answer to ${method}`));
  const result = member(body.kind === 'text' ? body.value : undefined, 'result');
  if (result === undefined) return failed({ kind: 'protocol', message: `It answers ${method} without a result.` });
  return ok(result);
}
