// Where keys are written in a URL: the one list for what `run` refuses, what `check` flags, and what is cut out of pasted
// text. Pure.
import { looksLikeKey, namesKey } from '../keys/keyNames';
import { isLoopback } from '../profiles/origin';
import { isPublicKey, isSignature } from '../../solana/chain/keys';
import { keyParametersAt, matchAddress } from './match';
import { unescaped, isKeyPlace, readUrlText, type UrlPart, type UrlText } from './urlText';

export interface KeyInUrl {
  readonly kind: 'user' | 'query' | 'path';
  /** Of a parameter. */
  readonly name?: string;
  /** As written; of `user` without the `@`, which the span has. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/**
 * Keys that are written out in a URL, in order; `{key}` does not count. `guess` says whether a segment of an unknown
 * host's path is a key: strict for texts that were written on purpose, `looksLikeKey` for pasted ones.
 */
export function keysInUrl(text: string, guess: (segment: string) => boolean = isIssuedKey): readonly KeyInUrl[] {
  const url = readUrlText(text);
  const found: KeyInUrl[] = [];
  if (url.user !== undefined && url.user.text !== '') found.push({ kind: 'user', ...url.user });
  found.push(...pathKeys(text, url, guess).map((part): KeyInUrl => ({ kind: 'path', ...part })));
  const names = url.parameters.length === 0 ? [] : keyParametersAt(url.host);
  for (const { name, value } of url.parameters)
    if (value.text !== '' && !isKeyPlace(value.text) && (namesKey(name, 'query') || names.includes(name)))
      found.push({ kind: 'query', name, ...value });
  return found;
}

function pathKeys(text: string, url: UrlText, guess: (segment: string) => boolean): readonly UrlPart[] {
  if (url.segments.length === 0) return [];
  const key = matchAddress(text)?.key;
  if (key !== undefined) return url.segments.filter(({ start, text: own }) => start === key.start && !isKeyPlace(own));
  if (URL.canParse(text) && isLoopback(new URL(text))) return [];
  return url.segments.filter((segment) => guess(unescaped(segment.text)));
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const HEX = /^(?=.*\d)(?=.*[a-f])[0-9a-f]{24,}$/i;
/** Random letters and digits: words, versions and dates are not of this kind. */
const RANDOM = /^(?=.*[a-z])(?=.*[A-Z])(?=.*\d.*\d)[A-Za-z0-9_-]{28,}$/;

/** True for what services issue and nobody writes as a path: stricter than `looksLikeKey`, and no account or signature. */
function isIssuedKey(segment: string): boolean {
  if (isPublicKey(segment) || isSignature(segment)) return false;
  return (
    UUID.test(segment) || HEX.test(segment) || RANDOM.test(segment) || (segment.includes('.') && looksLikeKey(segment))
  );
}

/** True for a placeholder that documentation writes instead of a key: `<api-key>`, `YOUR_API_KEY`, `$KEY`, `${KEY}`. */
export function isStandIn(text: string): boolean {
  const bare = unescaped(text).trim();
  return MARKED.test(bare) || (/key|token|uuid/i.test(bare) && WORDS.test(bare));
}

const MARKED = /^(?:<.*>|\$\{?\w+\}?|%\w+%|\{+[^{}]*\}+|\[.*\]|\*+|x{3,}|\.{3}|…)$/i;
/** Words alone, with nothing that somebody was issued. */
const WORDS = /^[a-z]{1,12}(?:[-_ ]?[a-z]{1,12}){0,5}$/i;
