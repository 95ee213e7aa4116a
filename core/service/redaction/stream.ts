// Replaces secrets in bytes that arrive in pieces. However they are cut, the result is that of the whole: what may be the
// beginning of a secret waits for the next piece. Leaves JSON valid: no escape is cut in two.
import { BACKSLASH, hexDigit } from './characters';
import type { SecretPatterns } from './patterns';

export const REDACTED = '[redacted]';

const MARK = new TextEncoder().encode(REDACTED);
const NOTHING = new Uint8Array();
const LOWER_U = 0x75;
const DIGITS = 4;

export class StreamRedactor {
  /** Undecided bytes: shorter than the longest spelling of a secret, all of it escaped. */
  #waiting: Uint8Array = NOTHING;
  /** The first bytes of those that belong to a secret already replaced. */
  #covered = 0;

  constructor(private readonly patterns: SecretPatterns) {}

  /** The bytes that are decided; the same array if nothing is replaced. */
  push(piece: Uint8Array): Uint8Array {
    if (this.patterns.isEmpty) return piece;
    const bytes = this.#waiting.length === 0 ? piece : joined([this.#waiting, piece]);
    if (this.#covered > 0 || this.patterns.prefilter.mayHold(bytes)) return this.#search(bytes, 0, false);
    // Only a secret without escapes can begin at the end.
    return this.#search(bytes, Math.max(0, bytes.length - this.patterns.longest + 1), false);
  }

  /** The remaining bytes, and `last`. The next piece begins another text. */
  end(last: Uint8Array = NOTHING): Uint8Array {
    return this.#search(this.#waiting.length === 0 ? last : joined([this.#waiting, last]), 0, true);
  }

  /** `from`: no secret begins before. */
  #search(bytes: Uint8Array, from: number, isWhole: boolean): Uint8Array {
    const { patterns } = this;
    const { first } = patterns;
    const { length } = bytes;
    const parts: Uint8Array[] = [];
    /** Where the bytes begin that are neither put out nor replaced. */
    let rest = this.#covered;
    let stop = length;
    for (let at = from; at < length; at++) {
      if (first[bytes[at] ?? 0] === 0) continue;
      if (bytes[at] !== BACKSLASH && !patterns.mayBegin(bytes, length, at)) continue;
      let start = at;
      if (bytes[at] === BACKSLASH) {
        const behind = behindBackslashes(bytes, at);
        const isEscape = (behind - at) % 2 === 1;
        // Of a run only the last one, or the last pair, belongs to what follows.
        start = behind - (isEscape ? 1 : 2);
        if (!isWhole && (behind === length || (isEscape && isCutEscape(bytes, behind)))) {
          stop = start;
          break;
        }
        at = behind - 1;
        if (!patterns.mayBegin(bytes, length, start)) continue;
      }
      const end = patterns.endAt(bytes, length, start);
      if (patterns.isOpen && !isWhole) {
        stop = escapeAround(bytes, start);
        break;
      }
      if (end < 0) continue;
      const begin = escapeAround(bytes, start);
      if (begin >= rest) parts.push(bytes.subarray(rest, begin), MARK);
      rest = Math.max(rest, end);
    }
    this.#waiting = stop === length ? NOTHING : new Uint8Array(bytes.subarray(stop));
    this.#covered = Math.max(0, rest - stop);
    if (parts.length === 0 && rest === 0) return stop === length ? bytes : bytes.subarray(0, stop);
    if (rest < stop) parts.push(bytes.subarray(rest, stop));
    return joined(parts);
  }
}

function behindBackslashes(bytes: Uint8Array, at: number): number {
  let end = at;
  while (bytes[end] === BACKSLASH) end++;
  return end;
}

/** True for the `u002` of a `\u002b` whose rest has not arrived. */
function isCutEscape(bytes: Uint8Array, at: number): boolean {
  if (bytes[at] !== LOWER_U || at + DIGITS < bytes.length) return false;
  for (let digit = at + 1; digit < bytes.length; digit++) if (hexDigit(bytes[digit]) < 0) return false;
  return true;
}

/** The beginning of the JSON escape that `at` is in; `at` itself if it is in none. */
function escapeAround(bytes: Uint8Array, at: number): number {
  if (bytes[at] === BACKSLASH) return at;
  let start = at - 1;
  // Back over the digits of `\u002b`, of which `at` may be the last.
  while (start > at - DIGITS && hexDigit(bytes[start]) >= 0) start--;
  if (start < at - 1 || bytes[start] === LOWER_U) start = bytes[start] === LOWER_U ? start - 1 : -1;
  return start >= 0 && bytes[start] === BACKSLASH && backslashesUpTo(bytes, start) % 2 === 1 ? start : at;
}

function backslashesUpTo(bytes: Uint8Array, at: number): number {
  let start = at;
  while (start >= 0 && bytes[start] === BACKSLASH) start--;
  return at - start;
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  let length = 0;
  for (const part of parts) length += part.length;
  const whole = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
