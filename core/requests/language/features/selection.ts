// Selection ranges: from the token under the cursor outwards, through the body, to the block.
import type { SelectionRange } from 'vscode-languageserver-types';
import { touches } from '../../document/lines';
import type { Block, Span } from '../../document/model';
import { nodeSpan } from '../../document/call';
import { lspRange, referenceAt, type CursorContext } from '../context';

export function selectionAt(cursor: CursorContext): SelectionRange {
  let range: SelectionRange | undefined;
  let last: Span | undefined;
  for (const span of spansAround(cursor)) {
    if (last?.start === span.start && last.end === span.end) continue;
    range = range === undefined ? { range: lspRange(cursor, span) } : { range: lspRange(cursor, span), parent: range };
    last = span;
  }
  return range ?? { range: lspRange(cursor, { start: cursor.offset, end: cursor.offset }) };
}

/** The spans that hold the cursor, the widest first, each inside the one before. */
function spansAround(cursor: CursorContext): Span[] {
  const { block, offset, lineStart, lineEnd } = cursor;
  const whole = { start: 0, end: Math.max(offset, block.text.trimEnd().length) };
  const spans: Span[] = [whole, ...linesOf(block, offset, lineStart, lineEnd)];
  let node = block.body?.tree();
  while (node !== undefined && touches(nodeSpan(node), offset)) {
    const span = nodeSpan(node);
    spans.push(span);
    // Brackets and quotes first without what they hold.
    if (node.type === 'object' || node.type === 'array' || node.type === 'string') {
      const inner = { start: span.start + 1, end: span.end - 1 };
      if (inner.start <= offset && offset <= inner.end) spans.push(inner);
    }
    node = node.children?.find((child) => touches(nodeSpan(child), offset));
  }
  const reference = referenceAt(cursor);
  if (reference !== undefined) spans.push(reference.span);
  const result: Span[] = [];
  for (const span of spans) {
    const outer = result.at(-1);
    if (outer === undefined || (outer.start <= span.start && span.end <= outer.end)) result.push(span);
  }
  return result;
}

/** Outside the body: the line, and the value on it. */
function linesOf(block: Block, offset: number, start: number, end: number): Span[] {
  const { body } = block;
  if (body !== undefined && touches(body.span, offset)) return [];
  const values = [
    ...block.variables.map(({ value }) => value.span),
    ...block.directives.map(({ value }) => value.span),
  ];
  return [{ start, end }, ...values.filter((span) => touches(span, offset))];
}
