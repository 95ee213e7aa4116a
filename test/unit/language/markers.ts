// Reads `⟦…⟧` ranges and the `‸` cursor out of a test's text, so that positions are seen where they are.
import { parseDocument } from '../../../core/requests/document/document';
import type { Position, Range, RequestDocument } from '../../../core/requests/document/model';

export interface Marked {
  readonly text: string;
  readonly ranges: readonly Range[];
  readonly cursor: Position;
  readonly document: RequestDocument;
}

export function marked(source: string, uri = 'file:///project/test.jsonrpc'): Marked {
  let text = '';
  let line = 0;
  let character = 0;
  let start: Position | undefined;
  let cursor: Position = { line: 0, character: 0 };
  const ranges: Range[] = [];
  for (const unit of source.split('')) {
    if (unit === '⟦') start = { line, character };
    else if (unit === '⟧' && start !== undefined) ranges.push({ start, end: { line, character } });
    else if (unit === '‸') cursor = { line, character };
    else {
      text += unit;
      character++;
      if (unit === '\n') {
        line++;
        character = 0;
      }
    }
  }
  return { text, ranges, cursor, document: parseDocument(uri, 1, text) };
}
