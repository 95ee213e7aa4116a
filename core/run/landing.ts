// What became of a sent transaction, read from the answers of a node: how far it is confirmed, or that its time is over.
// Pure: asks nobody.
import { nonceOf } from '../language/features/transactionText';
import { decodeBase64 } from '../values/encoding/base64';
import { nonceIn, type DurableNonce } from '../values/solana/nonce';
import { integerOf, isJsonArray, isJsonObject, member, printJson, type JsonValue } from '../values/json/json';
import type { Landing, LandingLevel } from './model';

/** Levels in the order in which a transaction reaches them (solana.com/docs/rpc, "Configuring State Commitment"). */
export const LEVELS: readonly LandingLevel[] = ['processed', 'confirmed', 'finalized'];

/** What a node says of a signature at one time. */
export interface Sighting {
  readonly level: LandingLevel;
  /** As its digits. */
  readonly slot?: string;
  /** The transaction's own error; it is in the ledger all the same. */
  readonly err?: JsonValue;
}

/** The answer to getSignatureStatuses for one signature; undefined: not seen. Throws where it is no such answer. */
export function sightingIn(answer: JsonValue): Sighting | undefined {
  const value = member(member(answer, 'result'), 'value');
  const [status] = isJsonArray(value) ? value : [];
  if (status === null) return undefined;
  if (!isJsonObject(status)) throw new Error('no status');
  const named = member(status, 'confirmationStatus');
  const slot = integerOf(member(status, 'slot'));
  const err = member(status, 'err');
  return {
    level: LEVELS.find((level) => level === named) ?? 'processed',
    ...(slot === undefined ? {} : { slot: String(slot) }),
    ...(err === undefined || err === null ? {} : { err }),
  };
}

/** The answer to getTransaction at a level, for services without getSignatureStatuses. */
export function transactionIn(answer: JsonValue, level: LandingLevel): Sighting | undefined {
  const found = member(answer, 'result');
  if (found === null) return undefined;
  if (!isJsonObject(found)) throw new Error('no transaction');
  const slot = integerOf(member(found, 'slot'));
  const err = member(member(found, 'meta'), 'err');
  return {
    level,
    ...(slot === undefined ? {} : { slot: String(slot) }),
    ...(err === undefined || err === null ? {} : { err }),
  };
}

/** The durable nonce of the transaction that a request sends; undefined for a recent blockhash, and where it is not readable. */
export function sentNonce(body: JsonValue): DurableNonce | undefined {
  const params = member(body, 'params');
  const [text] = isJsonArray(params) ? params : [];
  return typeof text === 'string' ? nonceOf(text) : undefined;
}

/** The nonce in the answer to getAccountInfo in base64; undefined where the account is gone or is no nonce. Throws where it is no such answer. */
export function nonceInAnswer(answer: JsonValue): string | undefined {
  const value = member(member(answer, 'result'), 'value');
  if (value === null) return undefined;
  const data = member(value, 'data');
  const [text] = isJsonArray(data) ? data : [];
  const bytes = typeof text === 'string' ? decodeBase64(text) : undefined;
  if (bytes === undefined) throw new Error('no account');
  return nonceIn(bytes);
}

/** The landing after a sighting, `ms` after the transaction left; a level that is passed over counts as reached. */
export function advanced(before: Landing, seen: Sighting, ms: number): Landing {
  const reached = LEVELS.indexOf(seen.level);
  const times: { [name in LandingLevel]?: number } = { ...before.times };
  for (const level of LEVELS.slice(0, reached + 1)) times[level] ??= ms;
  return { ...before, ...seen, times };
}

/** "confirmed after 812 ms, finalized after 13.1 s, slot 42", or what else there is to say. */
export function landingText({ level, times, slot, err, bundle, nonceAccount }: Landing): string {
  const told = LEVELS.flatMap((name) => (times[name] === undefined ? [] : [`${name} after ${timeText(times[name])}`]));
  if (level === 'expired')
    return bundle === undefined
      ? `expired: ${nonceAccount === undefined ? 'its blockhash is too old' : 'its nonce was advanced'}, it can no longer land`
      : 'failed: no validator took the bundle';
  if (level === 'sent') return 'not seen on the ledger yet';
  const failure = err === undefined ? [] : [`failed on the ledger: ${printJson(err)}`];
  return [...told, ...(slot === undefined ? [] : [`slot ${slot}`]), ...failure].join(', ');
}

const timeText = (ms: number): string => (ms < 10_000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`);
