// The base58 or base64 text around a position, as long as a signature or a transaction.
import type { Position, Range } from 'vscode-languageserver-types';
import { encodedAt } from '../../core/solana/explain/encodedWord';

export interface EncodedWord {
  readonly text: string;
  readonly range: Range;
}

/** The encoded word at a position; undefined if there isn't one. `lines`: of the file, without line ends. */
export function encodedWordAt(lines: readonly string[], { line, character }: Position): EncodedWord | undefined {
  const found = encodedAt(lines[line] ?? '', character);
  if (found === undefined) return undefined;
  const { text, start } = found;
  return { text, range: { start: { line, character: start }, end: { line, character: start + text.length } } };
}
