// The fix for text that JSON wants in double quotes: bare words, and words in quotes of another kind. Reads one line.
import { endOfLine } from '../../document/lines';
import type { Block, Span } from '../../document/model';
import type { Mend } from '../problem';

/** Quotes that other languages and word processors use, with what closes each. */
const CLOSING: Readonly<Record<string, string>> = {
  "'": "'",
  '`': '`',
  '“': '”',
  '”': '”',
  '„': '“',
  '‘': '’',
  '’': '’',
};

/** JSON's own words as other languages write them. */
const LITERALS: Readonly<Record<string, string>> = {
  True: 'true',
  TRUE: 'true',
  False: 'false',
  FALSE: 'false',
  None: 'null',
  nil: 'null',
  NULL: 'null',
  Null: 'null',
  undefined: 'null',
};

/** A name or a text of base58 or base64, without brackets, commas and signs. */
const WORD = /^[\w$][\w$.+/=-]*$/;

/** The fixes for text at `span` that is not JSON. */
export function quoteMends({ text }: Block, { start, end }: Span): Mend[] {
  const word = text.slice(start, end);
  const literal = Object.hasOwn(LITERALS, word) ? LITERALS[word] : undefined;
  if (literal !== undefined)
    return [{ title: `Change to ${literal}`, edits: [{ span: { start, end }, text: literal }] }];
  const opening = text.charAt(start);
  const closing = Object.hasOwn(CLOSING, opening) ? CLOSING[opening] : undefined;
  if (closing !== undefined) {
    const close = text.slice(start, endOfLine(text, start)).indexOf(closing, 1);
    if (close < 0) return [];
    const inner = text.slice(start + 1, start + close);
    const span = { start, end: start + close + 1 };
    return [{ title: 'Write it in double quotes', edits: [{ span, text: JSON.stringify(inner) }] }];
  }
  // A number with letters behind it, such as an address that begins with digits, is one word.
  if (!WORD.test(word) || !/[A-Za-z_$]/.test(word)) return [];
  return [{ title: 'Put it in quotes', edits: [{ span: { start, end }, text: `"${word}"` }] }];
}
