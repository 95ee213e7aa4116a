// The head of a request for people to read: made of its target, with `[redacted]` wherever a key went. Never reads a key.
import { keyPlacement } from '../../core/service/keys/authForm';
import { namesKey } from '../../core/service/keys/keyNames';
import { perObject } from '../../core/solana/common/perObject';
import { keysInUrl } from '../../core/service/providers/keyPlaces';
import type { SentRequest } from '../../core/requests/run/model';
import type { AttachedKey, SendTarget } from '../api';
import type { HeaderPairs } from '../target/headers';

const REDACTED = '[redacted]';

export interface ShownParts {
  readonly method: string;
  /** The request's own and those that were added to them, apart from the keys. */
  readonly headers: HeaderPairs;
  /** Takes the keys out of a text that may repeat one. */
  readonly redact: (text: string) => string;
}

export function shownRequest(
  target: SendTarget,
  attached: readonly AttachedKey[],
  { method, headers, redact }: ShownParts,
): SentRequest {
  const saved = attached.find(({ placed }) => placed !== undefined)?.placed;
  const url = attached.length === 0 ? (target.keylessUrl ?? target.url) : (saved ?? target.url);
  const added: (readonly [string, string])[] = [];
  let places = '';
  for (const { auth } of attached) {
    const place = keyPlacement(auth);
    if (place?.kind === 'header')
      added.push([place.name.toLowerCase(), place.scheme === undefined ? REDACTED : `${place.scheme} ${REDACTED}`]);
    if (place?.kind === 'query') places += `${url.search === '' && places === '' ? '?' : '&'}${place.name}=${REDACTED}`;
  }
  const own = headers.map(
    ([name, value]) => [name, namesKey(name, 'header') ? withoutCredential(value) : redact(value)] as const,
  );
  return { method, url: redact(shownUrl(url)) + places, headers: [...own, ...added] };
}

/** The scheme of a credential without the credential. */
const withoutCredential = (value: string): string => value.replace(/^(Bearer |Basic )?.*$/is, `$1${REDACTED}`);

/** A URL with `[redacted]` for its key places, and for keys that somebody wrote into it. */
const shownUrl = perObject((url: URL): string => {
  let shown = url.origin + url.pathname + url.search;
  for (const { start, end } of [...keysInUrl(shown)].reverse())
    shown = shown.slice(0, start) + REDACTED + shown.slice(end);
  return shown.replace(/\{key\}|%7Bkey%7D/gi, REDACTED);
});
