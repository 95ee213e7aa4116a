// Reads the current state of one account over JSON-RPC. Decodes nothing.
import { failed, ok, type Result } from '../../core/service/errors';
import type { PlacedProfile } from '../../core/service/profiles/profile';
import { member, type JsonValue } from '../../core/solana/json/json';
import type { Net } from '../api';
import { readResult } from '../readResult';
import { settleInterface } from '../target/target';

export const ACCOUNT_TIMEOUT_MS = 15_000;
export const COMMITMENT = 'confirmed';

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

/** `value`: the account, or null if it does not exist. */
export interface AccountAnswer {
  readonly slot: number;
  readonly value: JsonValue;
}

export async function askAccount(
  { net, placed, address, encoding = 'base64', minSlot }: AccountQuestion,
  signal: AbortSignal,
): Promise<Result<AccountAnswer>> {
  const target = settleInterface(placed, 'rpc');
  if (!target.ok) return target;
  const config = { encoding, commitment: COMMITMENT, ...(minSlot !== undefined && { minContextSlot: minSlot }) };
  const reading = { net, target: target.value, signal, timeoutMs: ACCOUNT_TIMEOUT_MS };
  const answer = await readResult(reading, 'getAccountInfo', [address, config]);
  if (!answer.ok) return answer;
  const slot = member(member(answer.value, 'context'), 'slot');
  return typeof slot === 'number'
    ? ok({ slot, value: member(answer.value, 'value') ?? null })
    : failed({ kind: 'invalidRequest', message: 'The answer for the account cannot be read.' });
}
