// Texts that hold `{{…}}`: cut into literal pieces and references, and put together again. Looks nothing up.
import { printJson, type JsonValue } from '../../../solana/json/json';
import type { ReferenceContent } from '../model';
import { findReferences, readReference } from './reference';

export type Piece =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'reference'; readonly content: ReferenceContent; readonly source: string };

/** The pieces of a text; `\{{` has become `{{` in the literal ones. A text without either is one piece, itself. */
export function piecesOf(text: string): readonly Piece[] {
  const pieces: Piece[] = [];
  let at = 0;
  for (const { start, end } of findReferences(text, 0)) {
    if (start > at) pieces.push(literal(text.slice(at, start)));
    pieces.push({
      kind: 'reference',
      content: readReference(text.slice(start + 2, end - 2), start + 2),
      source: text.slice(start, end),
    });
    at = end;
  }
  if (at < text.length || pieces.length === 0) pieces.push(literal(text.slice(at)));
  return pieces;
}

const literal = (text: string): Piece => ({ kind: 'text', text: plainLiteral(text) });

/** Literal text outside JSON: `\{{` is `{{`. */
export const plainLiteral = (text: string): string => text.replaceAll('\\{{', '{{');

/** A value inside other text: a string as it is, anything else as JSON with its digits. */
export const insertedText = (value: JsonValue): string => (typeof value === 'string' ? value : printJson(value));
