// Takes secrets and invisible characters out of text that people will read: messages, reports, logs. Pure; it never
// sees a `Secret`: the few places that may reveal one hand its text in.
import { SecretPatterns } from './patterns';
import { StreamRedactor } from './stream';
import { shortened } from '../../solana/common/ends';
import { replaceUnseen } from '../../solana/common/unseen';

export { SecretPatterns };

const DECODER = new TextDecoder('utf-8', { ignoreBOM: true });

/**
 * The text with `[redacted]` in place of every secret of the patterns, however it is spelled: as it is, in hex, in base64
 * or base64url, alone or inside a longer text, and with any of its characters escaped as JSON, URLs or HTML do.
 */
export function redact(text: string, patterns: SecretPatterns): string {
  const bytes = suspect(text, patterns);
  if (bytes === undefined) return text;
  const clean = new StreamRedactor(patterns).end(bytes);
  return clean === bytes ? text : DECODER.decode(clean);
}

/** The same for the beginning of a text that was cut off: the beginning of a secret at its end is left out, too. */
export function redactCut(text: string, patterns: SecretPatterns): string {
  if (patterns.isEmpty) return text;
  const bytes = new TextEncoder().encode(text);
  const clean = new StreamRedactor(patterns).push(bytes);
  return clean === bytes ? text : DECODER.decode(clean);
}

/** The bytes of a text that may repeat a secret; undefined if it does not. */
function suspect(text: string, patterns: SecretPatterns): Uint8Array | undefined {
  if (!patterns.prefilter.mayHoldText(text)) return undefined;
  const bytes = new TextEncoder().encode(text);
  return patterns.prefilter.mayHold(bytes) ? bytes : undefined;
}

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
  const written = (char: string): string => `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`;
  // Cut first: a line of a megabyte costs no more than a short one.
  return replaceUnseen(shortened(text, max), written, lines ? '\n\t' : '');
}
