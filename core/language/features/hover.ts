// Hover: what stands under the cursor, in words. Reads the same tables as completion.
import { MarkupKind, type Hover } from 'vscode-languageserver-types';
import { evaluate } from '../../document/evaluate';
import { directiveShape } from '../../document/directives';
import { touches } from '../../document/lines';
import type { Reference, Span } from '../../document/model';
import { printPath } from '../../document/path';
import { HELPERS } from '../../document/reference';
import { KEYWORDS } from '../../document/requestLine';
import type { Dynamic, Scope } from '../../document/variables';
import { removedMethodNamed } from '../../methods';
import { fieldMarkdown, methodMarkdown, removedMarkdown, specAt, valueMarkdown } from '../../methods/describe';
import { knownAddress } from '../../values/solana/addresses';
import { integerOf, parseJson, printJson, type JsonValue } from '../../values/json/json';
import { formatSol } from '../../values/solana/lamports';
import { lastValue, type AnswersPort } from '../answers';
import { GEYSER_CALLS } from '../call';
import { messageHover } from '../grpc/messageHelp';
import { transactionMarkdown } from './transactionText';
import { bodyPlace, lspRange, referenceAt, type BodyPlace, type Cursor } from './context';

/** Longer values are cut. */
const MAX_SHOWN = 400;

export function hoverAt(cursor: Cursor, scope: () => Scope, answers: AnswersPort): Hover | undefined {
  const found = referenceHover(cursor, scope, answers) ?? bodyHover(cursor) ?? headHover(cursor);
  if (found === undefined) return undefined;
  return { contents: { kind: MarkupKind.Markdown, value: found.text }, range: lspRange(cursor, found.span) };
}

interface Told {
  readonly text: string;
  readonly span: Span;
}

/** A value from the file inside markdown: a code block that the value cannot leave. */
function fenced(value: JsonValue): string {
  const text = printJson(value, 2);
  const shown = text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
  return `\`\`\`\`json\n${shown.replaceAll('````', "''''")}\n\`\`\`\``;
}

/** Text from the file as text: nothing of it becomes a link or an element (I9). */
const plain = (text: string): string => text.replace(/[\\`*_{}[\]()#+\-.!<>|&~:]/g, '\\$&');

function referenceHover(cursor: Cursor, scope: () => Scope, answers: AnswersPort): Told | undefined {
  const reference = referenceAt(cursor);
  return reference === undefined
    ? undefined
    : { text: referenceText(cursor, scope(), reference, answers), span: reference.span };
}

function referenceText({ block }: Cursor, scope: Scope, { content }: Reference, answers: AnswersPort): string {
  const result = evaluate({ scope, block }, content);
  switch (result.kind) {
    case 'known':
      return `${originText[result.origin.kind]}\n\n${fenced(result.value)}${addressText(result.value)}`;
    case 'unknown':
      return `${dynamicText(result.waitsFor)}${lastText(result.waitsFor, answers)}`;
    case 'unresolved':
      return plain(result.reason);
    case 'cycle':
      return 'This reference leads back to itself.';
  }
}

const originText = {
  var: 'From `--var`.',
  profile: 'From the endpoint profile.',
  variable: 'Variable.',
  dynamic: 'Known when the request is sent.',
} as const;

function dynamicText(dynamic: Dynamic): string {
  switch (dynamic.kind) {
    case 'response': {
      const path = printPath(dynamic.path).replaceAll('`', "'");
      return `From the response of \`${dynamic.request.name.text}\`${path === '' ? '' : `, at \`${path}\``}.`;
    }
    case 'helper': {
      const shape = HELPERS[dynamic.name];
      return shape === undefined ? dynamic.name : `\`${shape.usage}\`: ${shape.doc}`;
    }
    case 'prompt':
      return 'Asked for before the request is sent.';
  }
}

/** What the request answered when it last ran. */
function lastText(dynamic: Dynamic, answers: AnswersPort): string {
  if (dynamic.kind !== 'response') return '';
  const value = lastValue(answers, dynamic.request, dynamic.path);
  return value === undefined ? '' : `\n\nIts last answer:\n\n${fenced(value)}${addressText(value)}`;
}

function addressText(value: JsonValue): string {
  const known = typeof value === 'string' ? knownAddress(value) : undefined;
  return known === undefined ? '' : `\n\n**${known.name}** (${known.kind})`;
}

function bodyHover(cursor: Cursor): Told | undefined {
  const place = bodyPlace(cursor);
  if (place?.token === undefined) return undefined;
  const text = placeText(cursor, place, place.token);
  return text === undefined || text === '' ? undefined : { text, span: place.token };
}

function placeText({ block }: Cursor, place: BodyPlace, token: Span): string | undefined {
  if (block.requestLine?.transport === 'GRPC') return messageHover(block, place);
  const [first, ...path] = place.path;
  if (first === 'method' && path.length === 0) {
    if (place.record !== undefined) return methodMarkdown(place.record);
    const name = read(block.text.slice(token.start, token.end));
    const removed = typeof name === 'string' ? removedMethodNamed(name) : undefined;
    return removed === undefined ? undefined : removedMarkdown(removed);
  }
  if (first !== 'params' || place.record === undefined) return undefined;
  const field = specAt(place.record, path);
  if (field === undefined) return undefined;
  if (place.isKey) return fieldMarkdown(field, place.record);
  const value = read(block.text.slice(token.start, token.end));
  const isLamports = field.spec.kind === 'integer' && field.spec.unit === 'lamports';
  const lamports = isLamports ? integerOf(value) : undefined;
  const parts = [
    typeof value === 'string' ? valueMarkdown(field.spec, value) : undefined,
    value === undefined ? undefined : addressText(value).trim(),
    field.spec.kind === 'transaction' && typeof value === 'string' ? transactionMarkdown(value) : undefined,
    lamports === undefined ? undefined : formatSol(lamports),
    fieldMarkdown(field, place.record),
  ];
  return parts.filter((part) => part !== undefined && part !== '').join('\n\n');
}

function read(token: string): JsonValue | undefined {
  try {
    return parseJson(token);
  } catch {
    return undefined;
  }
}

/** Directives, the request line, variables. */
function headHover({ block, offset }: Cursor): Told | undefined {
  const directive = block.directives.find(({ name }) => touches(name.span, offset));
  const shape = directive === undefined ? undefined : directiveShape(directive.name.text);
  if (directive !== undefined && shape !== undefined)
    return { text: `\`${shape.usage}\`\n\n${shape.doc}`, span: directive.name.span };
  const { requestLine } = block;
  if (requestLine !== undefined && touches(requestLine.keyword.span, offset)) {
    const keyword = KEYWORDS[requestLine.keyword.text];
    return keyword === undefined ? undefined : { text: keyword.doc, span: requestLine.keyword.span };
  }
  if (requestLine?.method !== undefined && touches(requestLine.method.span, offset)) {
    const doc = GEYSER_CALLS.get(requestLine.method.text);
    return doc === undefined ? undefined : { text: doc, span: requestLine.method.span };
  }
  const variable = block.variables.find(({ span }) => touches(span, offset));
  if (variable === undefined) return undefined;
  return { text: `Variable.\n\n${fenced(variable.json)}${addressText(variable.json)}`, span: variable.span };
}
