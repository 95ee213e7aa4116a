// Fixes for what JSON cannot hold inside a body: comments that begin with "#", and lines that belong behind it.
import { createScanner } from 'jsonc-parser';
import { scanBody } from '../../document/bodyScan';
import { endOfLine } from '../../document/lines';
import type { Block, Span } from '../../document/model';
import { MAX_DEPTH } from '../../../solana/json/json';
import type { Mend } from '../problem';

/** The mends of "#", "??" or ">>" at `span`. */
export function foreignMends({ text, body }: Block, span: Span): Mend[] {
  const sign = text.slice(span.start, span.end);
  if (body === undefined || !/^(?:#|\?\?|>>)$/.test(sign)) return [];
  const lineStart = text.lastIndexOf('\n', span.start) + 1;
  const isInside = span.start < body.span.end;
  if (!isInside) {
    const brackets = openBrackets(text.slice(body.span.start, body.span.end));
    const at = body.span.end;
    // Behind a "#" on the line of other text there is nothing to close.
    if (text.slice(lineStart, span.start).trim() !== '' || brackets === '') return [];
    return [{ title: 'Close the body in front of it', edits: [{ span: { start: at, end: at }, text: brackets }] }];
  }
  if (sign !== '#') {
    const lineEnd = endOfLine(text, span.start);
    const bodyEnd = endOfLine(text, body.span.end);
    return [
      {
        title: 'Move it behind the body',
        edits: [
          { span: { start: lineStart, end: lineEnd + 1 }, text: '' },
          { span: { start: bodyEnd, end: bodyEnd }, text: `\n${text.slice(span.start, lineEnd)}` },
        ],
      },
    ];
  }
  // None where the comment takes the closing bracket with it.
  const { foreign } = scanBody(text, body.span.start, MAX_DEPTH, true);
  const signs = foreign.filter(({ start }) => text[start] === '#');
  const slashes = (spans: readonly Span[]): Mend['edits'] => spans.map((one) => ({ span: one, text: '//' }));
  if (signs.length === 0) return [];
  const one = { title: 'Write // in place of "#"', edits: slashes([span]) };
  if (signs.length < 2) return [one];
  return [one, { title: 'Write // in place of every "#"', edits: slashes(signs) }];
}

/** The brackets that close what is open at the end of a text. */
function openBrackets(text: string): string {
  const scanner = createScanner(text, true);
  const closing: string[] = [];
  for (scanner.scan(); scanner.getTokenLength() > 0; scanner.scan()) {
    const at = scanner.getTokenOffset();
    const token = text.slice(at, at + scanner.getTokenLength());
    if (token === '{') closing.unshift(' }');
    else if (token === '[') closing.unshift(']');
    else if (token === '}' || token === ']') closing.shift();
  }
  return closing.join('');
}
