// Asks the REST interface for usage and keys over a Net it is handed; loads no transport itself.
import { failed, type Result, type ServiceError } from '../../core/service/errors';
import type { Exchange } from '../../core/requests/run/model';
import { readUsage, type ListedKey, type Usage } from '../../core/service/usage';
import type { JsonValue } from '../../core/solana/json/json';
import type { CallOptions, Net, SendTarget } from '../api';
import { readKeyRows } from './keyRows';

/** A range of time, in Unix seconds. */
export interface UsageRange {
  /** Default: a day before `to`. */
  readonly from?: number;
  /** Default: now. */
  readonly to?: number;
  /** Usage of this key alone. */
  readonly keyId?: string;
}

export interface UsageQuestion extends UsageRange {
  /** Unix seconds. */
  readonly now: number;
}

const DAY_S = 24 * 60 * 60;

/** Usage of the account or of one key. */
export async function askUsage(
  net: Net,
  target: SendTarget,
  question: UsageQuestion,
  call: CallOptions,
): Promise<Result<Usage>> {
  const to = question.to ?? question.now;
  const asked = { from: question.from ?? to - DAY_S, to };
  const answer = read(await net.get(target, usagePath(question), call));
  if (!answer.ok) return answer;
  return readUsage(answer.value, asked);
}

/** The account's keys, if the service lists them; never the key itself. */
export async function askKeys(net: Net, target: SendTarget, call: CallOptions): Promise<Result<readonly ListedKey[]>> {
  const answer = read(await net.get(target, '/v1/keys', call));
  if (!answer.ok) return answer;
  const keys = readKeyRows(answer.value);
  return keys === undefined ? failed(UNREADABLE) : { ok: true, value: keys };
}

/** Path and query (docs/local-service.md, "Usage"). */
export function usagePath({ from, to, keyId }: UsageRange): string {
  const query = new URLSearchParams();
  if (from !== undefined) query.set('from', String(from));
  if (to !== undefined) query.set('to', String(to));
  const path = keyId === undefined ? '/v1/usage' : `/v1/usage/${encodeURIComponent(keyId)}`;
  return query.size === 0 ? path : `${path}?${query.toString()}`;
}

const UNREADABLE: ServiceError = {
  kind: 'protocol',
  message: 'The answer is not what the REST interface promises.',
  hint: 'Check restUrl in the endpoint profile.',
};

/** The body as JSON; the refusal of an unknown key id gets its own hint. */
function read(answer: Result<Exchange>): Result<JsonValue> {
  if (!answer.ok) return answer;
  const { error, body, httpStatus } = answer.value;
  if (error !== undefined) return failed(httpStatus === 404 ? { ...error, hint: NOT_FOUND } : error);
  const value = body.kind === 'text' ? body.value : undefined;
  return value === undefined ? failed(UNREADABLE) : { ok: true, value };
}

const NOT_FOUND = 'Check the key id and restUrl in the endpoint profile.';
