// The body of a request in a `.http` file: its JSON as this language writes it, and the lines around it. Pure.
import { readBody } from '../document/body';
import { scanBody } from '../document/bodyScan';
import { endOfLine, replaced } from '../document/lines';
import { MAX_DEPTH } from '../../solana/json/json';
import { commentIn, type HttpBody, type HttpLine } from './lines';

export function readHttpBody(lines: readonly HttpLine[]): HttpBody {
  const before: HttpLine[] = [];
  let first = 0;
  for (let isOpen = false; first < lines.length; first++) {
    const line = lines[first] ?? NOTHING;
    const comment = commentIn(line);
    if (!isOpen && comment === undefined && line.text.trim() !== '' && !/^\s*\/\*/.test(line.text)) break;
    if (isOpen || /^\s*\/\*/.test(line.text)) {
      isOpen = !/\*\/\s*$/.test(line.text);
      before.push({ ...line, text: line.text.replace(/^\s*\/\*|\*\/\s*$/g, '').trim() });
    } else if (comment !== undefined) before.push(comment);
  }
  const rest = lines.slice(first);
  const [head] = rest;
  if (head === undefined) return { before, content: { kind: 'empty' }, behind: [] };
  const other = (number: number, reason: string): HttpBody => ({
    before,
    content: { kind: 'other', number, reason },
    behind: [],
  });
  const start = head.text.search(/\S/);
  const [variable] = /^\s*\{\{[^{}]*\}\}/.exec(head.text) ?? [];
  if (variable !== undefined)
    return other(
      head.number,
      `Its body is the variable ${variable.trim().slice(0, 80)}, and a body is written out here`,
    );
  if (!/[{[]/.test(head.text.charAt(start))) return other(head.number, 'Its body is not JSON');
  const given = rest.map(({ text }) => text).join('\n');
  const { foreign } = scanBody(given, start, MAX_DEPTH, true);
  const text = replaced(given, foreign, (piece) => (piece.startsWith('#') ? '//' : piece));
  const { body, problems, bare } = readBody({ text, lineStarts: startsOf(text), line: 0, start }, true);
  const numberAt = (offset: number): number => rest[text.slice(0, offset).split('\n').length - 1]?.number ?? 0;
  const [problem] = problems;
  if (problem?.severity === 'error')
    return other(numberAt(problem.span.start), `Its body is not JSON (${problem.message})`);
  const { end } = body.span;
  const lineEnd = endOfLine(text, end);
  const tail = text.slice(end, lineEnd).trim();
  if (tail !== '' && !/^(?:#|\/\/|\/\*[^]*\*\/$)/.test(tail))
    return other(numberAt(end), 'Its body is not JSON: there is more text behind the last bracket');
  const count = text.slice(0, lineEnd).split('\n').length;
  return {
    before,
    content: {
      kind: 'json',
      text:
        text.slice(0, end) +
        text
          .slice(end, lineEnd)
          .replace('#', tail.startsWith('#') ? '//' : '#')
          .trimEnd(),
      body,
      bare,
      lines: rest.slice(0, count),
    },
    behind: rest.slice(count),
  };
}

const NOTHING: HttpLine = { text: '', number: 0 };

function startsOf(text: string): readonly number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}
