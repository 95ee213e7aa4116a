// Takes secrets and invisible characters out of text that people will read: messages, reports, logs. Pure; it never
// sees a `Secret`: the few places that may reveal one hand its text in.
import { encodeBase64 } from './values/base64';

export const REDACTED = '[redacted]';

/** A shorter text would be found everywhere by chance; no service issues such keys. */
const MIN_LENGTH = 6;

/**
 * The ways a secret may be written in a text: as it is, URL-encoded, JSON-escaped, in hex, and in base64 or base64url,
 * alone or inside a longer text at any of the three alignments. Longest first. Compute once per secret.
 */
export function secretSpellings(secret: string): readonly string[] {
  if (secret.length < MIN_LENGTH) return [];
  const bytes = new TextEncoder().encode(secret);
  const spellings = new Set([secret, encodeUrl(secret), JSON.stringify(secret).slice(1, -1), hexOf(bytes)]);
  for (let offset = 0; offset < 3; offset++) {
    const shifted = new Uint8Array(offset + bytes.length);
    shifted.set(bytes, offset);
    const text = encodeBase64(shifted).replace(/=+$/, '');
    // The first and last characters share bits with what stands around the secret.
    const end = shifted.length % 3 === 0 ? text.length : text.length - 1;
    const own = text.slice(offset === 0 ? 0 : offset + 1, end);
    spellings.add(own);
    spellings.add(own.replaceAll('+', '-').replaceAll('/', '_'));
  }
  return [...spellings].filter((text) => text.length >= MIN_LENGTH).sort((a, b) => b.length - a.length);
}

/** The text with every given spelling (of `secretSpellings`) replaced by `[redacted]`. */
export function redact(text: string, spellings: readonly string[]): string {
  let rest = text;
  for (const spelling of spellings) rest = rest.replaceAll(spelling, REDACTED);
  return rest;
}

/** A lone surrogate cannot be URL-encoded; then the text itself is the only spelling. */
function encodeUrl(text: string): string {
  try {
    return encodeURIComponent(text);
  } catch {
    return text;
  }
}

function hexOf(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += byte.toString(16).padStart(2, '0');
  return text;
}

/**
 * Characters nobody sees, and those that move or turn the text around them: controls, bidi marks, zero-width ones,
 * line separators, halves of a surrogate pair.
 */
const UNSEEN =
  /[\0-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb\p{Surrogate}]|[\u{e0000}-\u{e0fff}]/gu;

export interface HarmlessOptions {
  /** UTF-16 units that are kept; the rest is cut off with `…`. */
  readonly max?: number;
  /** Keeps line feeds and tabs. */
  readonly lines?: boolean;
}

/**
 * Text from outside, fit to be shown: what cannot be seen is written out, so that ESC becomes `\u{1b}` and nothing
 * moves a cursor, changes a colour or turns the direction of reading.
 */
export function harmless(text: string, options: HarmlessOptions = {}): string {
  const { max = Infinity, lines = false } = options;
  // Cut first: a line of a megabyte costs no more than a short one.
  const short = text.length <= max ? text : `${text.slice(0, Math.max(0, max - 1))}…`;
  return short.replace(UNSEEN, (char) => {
    if (lines && (char === '\n' || char === '\t')) return char;
    return `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`;
  });
}
