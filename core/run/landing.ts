// The state of a sent transaction, from a node's answers: its confirmation, or that it has expired.
// Pure: asks nobody.
import { nonceOf } from '../language/features/transactionText';
import { decodeBase64 } from '../values/encoding/base64';
import { nonceIn, type DurableNonce } from '../values/solana/nonce';
import { integerOf, isJsonArray, isJsonObject, member, printJson, type JsonValue } from '../values/json/json';
import type { Landing, LandingLevel } from './model';

/** Levels in the order in which a transaction reaches them (solana.com/docs/rpc, "Configuring State Commitment"). */
export const LEVELS: readonly LandingLevel[] = ['processed', 'confirmed', 'finalized'];

/** A signature's status on a node at one time. */
export interface Sighting {
  readonly level: LandingLevel;
  /** As its digits. */
  readonly slot?: string;
  /** The transaction's own error; it is in the ledger all the same. */
  readonly err?: JsonValue;
}

/** Parses the answer to getSignatureStatuses for one signature; undefined: not seen. Throws if it is malformed. */
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

/** The durable nonce of a request's transaction; undefined if it has a recent blockhash or is unreadable. */
export function sentNonce(body: JsonValue): DurableNonce | undefined {
  const params = member(body, 'params');
  const [text] = isJsonArray(params) ? params : [];
  return typeof text === 'string' ? nonceOf(text) : undefined;
}

/** The nonce in a base64 answer to getAccountInfo; undefined if the account is gone or no nonce. Throws if malformed. */
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

/** "confirmed after 812 ms, finalized after 13.1 s, slot 42", or the other outcomes. */
export function landingText({ level, times, slot, err, bundle, nonceAccount }: Landing): string {
  const reached = LEVELS.flatMap((name) =>
    times[name] === undefined ? [] : [`${name} after ${timeText(times[name])}`],
  );
  if (level === 'expired')
    return bundle === undefined
      ? `expired: ${nonceAccount === undefined ? 'its blockhash is too old' : 'its nonce was advanced'}, it can no longer land`
      : 'failed: no validator took the bundle';
  if (level === 'sent') return 'not seen on the ledger yet';
  const failure = err === undefined ? [] : [`failed on the ledger: ${printJson(err)}`];
  return [...reached, ...(slot === undefined ? [] : [`slot ${slot}`]), ...failure].join(', ');
}

const timeText = (ms: number): string => (ms < 10_000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`);
