// JSON as documentation writes it: comments and trailing commas go, everything else stays. Pure.
import { stringEnd } from '../../solana/json/json';

/** The text without its comments, and without commas before a closing bracket; strings stay as they are. */
export function withoutComments(text: string): string {
  const pieces: string[] = [];
  /** The place of a comma that only blanks and comments follow. */
  let comma = -1;
  for (let at = 0; at < text.length;) {
    const end = endOfPiece(text, at);
    const char = text.charAt(at);
    const isComment = char === '/' && end > at + 1;
    if ((char === '}' || char === ']') && comma >= 0) pieces[comma] = '';
    if (char === ',') comma = pieces.length;
    else if (!isComment && !/\s/.test(char)) comma = -1;
    if (!isComment) pieces.push(text.slice(at, end));
    at = end;
  }
  return pieces.join('');
}

/** A string, a comment, or one character. */
function endOfPiece(text: string, at: number): number {
  if (text[at] === '"') return stringEnd(text, at);
  if (text.startsWith('//', at)) return orEnd(text, text.indexOf('\n', at));
  if (!text.startsWith('/*', at)) return at + 1;
  const close = text.indexOf('*/', at + 2);
  return close < 0 ? text.length : close + 2;
}

const orEnd = (text: string, index: number): number => (index < 0 ? text.length : index);
