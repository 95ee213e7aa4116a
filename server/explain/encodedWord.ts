// The base58 or base64 text around a position, as long as a signature or a transaction.
import type { Position, Range } from 'vscode-languageserver-types';

export interface EncodedWord {
  readonly text: string;
  readonly range: Range;
}

const ENCODED = /[A-Za-z0-9+/]{64,16384}={0,2}/g;

/** Undefined where there is none. `lines`: of the file, without their ends. */
export function encodedWordAt(lines: readonly string[], { line, character }: Position): EncodedWord | undefined {
  for (const { 0: text, index } of (lines[line] ?? '').matchAll(ENCODED)) {
    const end = index + text.length;
    if (index <= character && character <= end)
      return { text, range: { start: { line, character: index }, end: { line, character: end } } };
  }
  return undefined;
}
