// Formatting: white space, the quotes of a bare variable, and the shape of directives. Line breaks inside a body are the
// writer's; what is sent stays the same, and a block with a fault in its grammar is left alone.
import { createScanner, format as formatJson } from 'jsonc-parser';
import type { FormattingOptions, TextEdit } from 'vscode-languageserver-types';
import { blockAt, endOfLine, lastLine, offsetAt, rangeOf, replaced } from '../../document/lines';
import { INDENTED_LEVELS, isDeeper } from '../../../solana/json/json';
import { printPath } from '../../document/variables/path';
import type { Block, Condition, Edit, PlacedBlock, Position, Range, RequestDocument, Span } from '../../document/model';

/** The characters after which a line, or a body that has been closed, is put in order. */
export const TYPED: readonly [string, ...string[]] = ['}', ']', '\n'];

/** Edits for a whole file, or for the blocks and lines that `range` touches. */
export function formatEdits(document: RequestDocument, options: FormattingOptions, range?: Range): TextEdit[] {
  const last = document.blocks.at(-1);
  return document.blocks.flatMap((placed) => {
    if (range !== undefined && (lastLine(placed) < range.start.line || placed.line > range.end.line)) return [];
    const changes = changesOf(placed.block, options);
    const changedTo = changes.reduce((end, { span }) => Math.max(end, span.end), 0);
    return [...changes, ...spacing(placed.block, placed === last, changedTo)]
      .map((change) => toEdit(placed, change))
      .filter((edit) => range === undefined || meets(edit.range, range));
  });
}

/** Edits after `typed` has been written at `position`: the line that was left, or the body that was closed. */
export function typedEdits(
  document: RequestDocument,
  position: Position,
  typed: string,
  options: FormattingOptions,
): TextEdit[] {
  const placed = blockAt(document, typed === '\n' ? position.line - 1 : position.line);
  const { body } = placed.block;
  const changes = changesOf(placed.block, options);
  if (typed === '\n') {
    const line = position.line - 1;
    const isInBody = body !== undefined && offsetAt(placed, { line, character: 0 }) >= body.span.start;
    if (isInBody && offsetAt(placed, { line: line + 1, character: 0 }) <= body.span.end) return [];
    return changes.map((change) => toEdit(placed, change)).filter(({ range }) => range.start.line === line);
  }
  if (body?.span.end !== offsetAt(placed, position)) return [];
  return changes.filter(({ span }) => span.end === body.span.end).map((change) => toEdit(placed, change));
}

const toEdit = (placed: PlacedBlock, { span, text }: Edit): TextEdit => ({
  range: rangeOf(placed, span),
  newText: text,
});
const meets = (a: Range, b: Range): boolean => a.start.line <= b.end.line && b.start.line <= a.end.line;

/** The edits of a block; none if it does not parse. */
function changesOf(block: Block, options: FormattingOptions): Edit[] {
  if (block.problems.some(({ severity }) => severity === 'error')) return [];
  const { text } = block;
  const changes = [
    ...block.directives.map(({ name, value, span }) =>
      lineChange(block, span, `# @${name.text}${value.text === '' ? '' : ` ${value.text}`}`),
    ),
    ...block.variables.map(({ name, value, span }) =>
      lineChange(block, span, `@${name.text} = ${value.text}`.trimEnd()),
    ),
    ...block.headers.map(({ name, value, span }) => lineChange(block, span, `${name.text}: ${value.text}`.trimEnd())),
    ...block.assertions.map((assertion) =>
      lineChange(block, assertion.span, `?? ${conditionText(block, assertion, options)}`),
    ),
    ...block.redirects.map(({ file, overwrite, span }) =>
      lineChange(block, span, `>>${overwrite ? '!' : ''} ${file.text}`),
    ),
    ...titleChange(block),
    ...bodyChanges(block, options),
  ];
  return changes.filter(({ span, text: wanted }) => text.slice(span.start, span.end) !== wanted);
}

/** Path, operator and value with one blank between them; lists and objects as in a body, other values as written. */
function conditionText(
  { text }: Block,
  { path, words, value, quantifier, ignoring }: Condition,
  options: FormattingOptions,
): string {
  const head = `${quantifier === undefined ? '' : `${quantifier} `}${path.text} ${words}`;
  if (value === undefined) return head;
  const written = text.slice(value.span.start, value.span.end).trim();
  const isNested = value.kind === 'json' && /^[[{]/.test(written);
  const tail = ignoring === undefined ? '' : ` ignoring ${ignoring.map(printPath).join(', ')}`;
  return `${head} ${isNested ? inOrder(written, options) : written}${tail}`;
}

/** The whole line that holds `span`. */
function lineChange({ text }: Block, span: Span, wanted: string): Edit {
  const start = text.lastIndexOf('\n', span.start - 1) + 1;
  return { span: { start, end: endOfLine(text, span.start) }, text: wanted };
}

function titleChange(block: Block): Edit[] {
  const { text, title } = block;
  // A longer row of "#" is a way to draw a line.
  if (!text.startsWith('###') || title.text.startsWith('#')) return [];
  return [lineChange(block, { start: 0, end: 3 }, `### ${title.text}`.trimEnd())];
}

/** None of a body with deeper levels than are indented: its white space would grow with the square of them. */
function bodyChanges({ text, body, references }: Block, { tabSize, insertSpaces }: FormattingOptions): Edit[] {
  if (body?.valid !== true || isDeeper(body.value() ?? null, INDENTED_LEVELS)) return [];
  const { start, end } = body.span;
  const lineStart = text.lastIndexOf('\n', start - 1) + 1;
  const source = text.slice(start, end);
  const bare = references.filter((reference) => reference.bare).map(({ span }) => span);
  const quoted = replaced(source, bare, (reference) => JSON.stringify(reference), start);
  const wanted = inOrder(quoted, { tabSize, insertSpaces });
  return [{ span: { start: lineStart, end }, text: wanted }];
}

/** JSON with its blanks in order and its lines as they are. */
function inOrder(json: string, { tabSize, insertSpaces }: FormattingOptions): string {
  const edits = formatJson(json, undefined, { tabSize, insertSpaces, eol: '\n', keepLines: true });
  const spans = edits.map(({ offset, length, content }) => ({ start: offset, end: offset + length, content }));
  return tightened(replaced(json, spans, (_, { content }) => content).trimStart());
}

/** Without blanks inside square brackets, and inside brackets that hold nothing. */
function tightened(json: string): string {
  const scanner = createScanner(json, false);
  let result = '';
  let last = '';
  let blanks = '';
  for (scanner.scan(); scanner.getTokenLength() > 0; scanner.scan()) {
    const token = json.slice(scanner.getTokenOffset(), scanner.getTokenOffset() + scanner.getTokenLength());
    if (/^[ \t]+$/.test(token)) {
      blanks += token;
      continue;
    }
    const isInside = last === '[' || (token === ']' && last !== '\n') || (last === '{' && token === '}');
    result += isInside && token !== '\n' && !token.startsWith('/') ? token : blanks + token;
    blanks = '';
    last = token;
  }
  return result + blanks;
}

/** One empty line between blocks; none added at the end of a file. */
function spacing({ text }: Block, isLast: boolean, changedTo: number): Edit[] {
  const content = text.trimEnd();
  if (content === '') return [];
  // Blanks at the end of a last line that changes go with that line.
  const span = { start: Math.max(content.length, changedTo), end: text.length };
  const rest = text.slice(span.start);
  // A last line with blanks in an open body or a comment is the writer's.
  const wanted = isLast ? (rest === '' ? '' : '\n') : '\n';
  return rest === wanted ? [] : [{ span, text: wanted }];
}
