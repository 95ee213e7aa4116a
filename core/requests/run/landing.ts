// The state of a sent transaction, from a node's answers: its confirmation, or that it has expired.
// Pure: asks nobody.
import { nonceOf } from '../../solana/wire/transactionText';
import { decodeBase64 } from '../../solana/encoding/base64';
import { nonceIn, type DurableNonce } from '../../solana/wire/nonce';
import { integerOf, isJsonArray, isJsonObject, member, printJson, type JsonValue } from '../../solana/json/json';
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
  return { level: LEVELS.find((level) => level === named) ?? 'processed', ...sightingFacts(status, status) };
}

/** The answer to getTransaction at a level, for services without getSignatureStatuses. */
export function sightingOfTransaction(answer: JsonValue, level: LandingLevel): Sighting | undefined {
  const found = member(answer, 'result');
  if (found === null) return undefined;
  if (!isJsonObject(found)) throw new Error('no transaction');
  return { level, ...sightingFacts(found, member(found, 'meta')) };
}

/**
 * A notification of signatureSubscribe at a level; undefined if it only says that the signature was received. Its slot is
 * the newest of that level: the transaction's, or a later one.
 */
export function notifiedIn(notification: JsonValue, level: LandingLevel): Sighting | undefined {
  const value = member(notification, 'value');
  return isJsonObject(value) ? { level, ...sightingFacts(member(notification, 'context'), value) } : undefined;
}

/** Members of a sighting that nodes name alike everywhere. */
export function sightingFacts(placed: JsonValue | undefined, outcome: JsonValue | undefined): Omit<Sighting, 'level'> {
  const slot = integerOf(member(placed, 'slot'));
  const err = member(outcome, 'err');
  return {
    ...(slot === undefined ? {} : { slot: String(slot) }),
    ...(err === undefined || err === null ? {} : { err }),
  };
}

/** The slot that a node answered at. */
export const contextSlot = (answer: JsonValue): bigint | undefined =>
  integerOf(member(member(member(answer, 'result'), 'context'), 'slot'));

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

/** When something was seen, in milliseconds after the transaction left; undefined: it was there before the watch. */
export interface SeenAt {
  readonly ms: number | undefined;
  /** By its notification, as it happened; else it was found so by asking, and happened at any time before. */
  readonly isExact?: boolean;
}

/** The landing after a sighting; a level that is passed over counts as reached, and none is taken back. */
export function advanced(before: Landing, seen: Sighting, { ms, isExact = false }: SeenAt): Landing {
  const known = LEVELS.findIndex((level) => level === before.level);
  const reached = Math.max(known, LEVELS.indexOf(seen.level));
  const times: { [name in LandingLevel]?: number } = { ...before.times };
  const atMost = [...(before.atMost ?? [])];
  for (const level of LEVELS.slice(known + 1, reached + 1)) {
    if (ms === undefined) continue;
    times[level] = ms;
    if (!isExact || level !== seen.level) atMost.push(level);
  }
  const level = LEVELS[reached] ?? seen.level;
  return { ...before, ...seen, level, times, ...(atMost.length > 0 && { atMost }) };
}

/**
 * The levels that have a time, in their order; of levels that were reached at the same time the last: `confirmed` is not a
 * step on Alpenglow.
 */
const stepsOf = ({ times }: Landing): readonly LandingLevel[] => {
  const reached = LEVELS.filter((name) => times[name] !== undefined);
  return reached.filter((name, index) => {
    const next = reached[index + 1];
    return next === undefined || times[name] !== times[next];
  });
};

/** "confirmed after 812 ms, finalized after at most 13.1 s, slot 42, 2 slots after the send", or the other outcomes. */
export function landingText(landing: Landing): string {
  const { level, times, atMost = [], slot, slots = 0, finalizedSlot, err, bundle, nonceAccount } = landing;
  if (level === 'expired')
    return bundle === undefined
      ? `expired: ${nonceAccount === undefined ? 'its blockhash is too old' : 'its nonce was advanced'}, it can no longer land`
      : 'failed: no validator took the bundle';
  if (level === 'sent') return 'not seen on the ledger yet';
  const steps = stepsOf(landing).map(
    (name) => `${name} after ${atMost.includes(name) ? 'at most ' : ''}${timeText(times[name] ?? 0)}`,
  );
  return [
    ...steps,
    ...(times[level] === undefined ? [level] : []),
    ...(slot === undefined ? [] : [`slot ${slot}`]),
    ...(slots === 0 ? [] : [`${slots} ${slots === 1 ? 'slot' : 'slots'} after the send`]),
    ...(finalizedSlot === undefined
      ? []
      : [`not finalized: the cluster has finalized nothing after slot ${finalizedSlot}`]),
    ...(err === undefined ? [] : [`failed on the ledger: ${printJson(err)}`]),
  ].join(', ');
}

const timeText = (ms: number): string => (ms < 10_000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`);
