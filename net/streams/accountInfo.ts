// Reads the current state of one account over JSON-RPC: the request and its answer. Decodes nothing.
import { randomInt } from 'node:crypto';
import type { ServiceError } from '../../core/service/errors';
import type { PlacedProfile } from '../../core/service/profiles/profile';
import type { PreparedRequest } from '../../core/requests/run/model';
import { member, type JsonValue } from '../../core/solana/json/json';
import type { Net } from '../api';
import { settle } from '../target/target';

const TIMEOUT_MS = 15_000;
export const COMMITMENT = 'confirmed';

export const PLAIN = { ids: [], isBatch: false, headers: [], timeoutMs: TIMEOUT_MS } as const;

/** A JSON-RPC request, for any transport. */
export const jsonRpc = (method: string, params: string, id: number): Omit<PreparedRequest, 'transport'> => ({
  ...PLAIN,
  method,
  ids: [String(id)],
  body: `{"jsonrpc":"2.0","id":${id},"method":"${method}","params":${params}}`,
});

/** The encoding of an account's data. */
export type StreamEncoding = 'base64' | 'jsonParsed';

export interface AccountQuestion {
  readonly net: Pick<Net, 'call'>;
  readonly placed: PlacedProfile;
  /** Base58. */
  readonly address: string;
  readonly encoding?: StreamEncoding;
  /** The oldest acceptable slot. */
  readonly minSlot?: number;
}

export type AccountAnswer =
  /** `value`: the account, or null if it does not exist. */
  | { readonly kind: 'answered'; readonly slot: number; readonly value: JsonValue }
  | { readonly kind: 'failed'; readonly error: ServiceError };

const UNREADABLE: ServiceError = { kind: 'invalidRequest', message: 'The answer for the account cannot be read.' };

export async function askAccount(
  { net, placed, address, encoding = 'base64', minSlot }: AccountQuestion,
  signal: AbortSignal,
): Promise<AccountAnswer> {
  const min = minSlot === undefined ? '' : `,"minContextSlot":${minSlot}`;
  const params = `["${address}",{"encoding":"${encoding}","commitment":"${COMMITMENT}"${min}}]`;
  const request: PreparedRequest = {
    transport: 'POST',
    ...jsonRpc('getAccountInfo', params, randomInt(1, 2 ** 31)),
  };
  const target = settle(placed, request);
  if (!target.ok) return { kind: 'failed', error: target.error };
  const answered = await net.call(target.value, request, { signal });
  if (!answered.ok) return { kind: 'failed', error: answered.error };
  const { error, body } = answered.value;
  if (error !== undefined) return { kind: 'failed', error };
  const result = body.kind === 'text' ? member(body.value, 'result') : undefined;
  const slot = member(member(result, 'context'), 'slot');
  if (result === undefined || typeof slot !== 'number') return { kind: 'failed', error: UNREADABLE };
  return { kind: 'answered', slot, value: member(result, 'value') ?? null };
}
