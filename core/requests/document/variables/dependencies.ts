// The responses that the references of a block or a value need: this request's own, or those of others.
import type { Reference, ReferenceContent } from '../model';
import { isJsonArray, isJsonObject, type JsonValue } from '../../../solana/json/json';
import { piecesOf } from './template';

/** Why the file of a response cannot be named by that response. */
export const NAMED_BY_OWN_RESPONSE =
  'The file is named by the response that it is for: name it by an earlier request, a variable or a text.';

/** References that are read when the response is there. */
export function isAfterwards(reference: Reference): boolean {
  return reference.place === 'assertion' || reference.place === 'redirect' || reference.place === 'retry';
}

/** The contents that a content is made of: the names in an expression, else itself. */
export const contentsOf = (content: ReferenceContent): readonly ReferenceContent[] =>
  content.kind === 'computed' ? content.operands.map((operand) => operand.content) : [content];

/** The references in every string of a value; names in an expression one by one. */
export function contentsIn(value: JsonValue): ReferenceContent[] {
  if (typeof value === 'string') {
    if (!value.includes('{{')) return [];
    return piecesOf(value).flatMap((piece) => (piece.kind === 'reference' ? contentsOf(piece.content) : []));
  }
  if (isJsonArray(value)) return value.flatMap(contentsIn);
  return isJsonObject(value) ? Object.values(value).flatMap(contentsIn) : [];
}
