// Completion. Each part of the grammar has its own function; all return items of the LSP types.
import { trailingRun } from '../../../solana/common/ends';
import { CompletionItemKind, type CompletionItem } from 'vscode-languageserver-types';
import { FUNCTIONS } from '../../document/variables/arithmetic';
import { OPERATORS } from '../../document/variables/condition';
import { DIRECTIVES, directiveShape } from '../../document/directives';
import type { Span } from '../../document/model';
import { HELPERS } from '../../document/variables/reference';
import { KEYWORDS } from '../../document/requestLine';
import type { Scope } from '../../document/variables/variables';
import { insertedText } from '../../document/variables/template';
import { markdownCode } from '../../../solana/common/markdown';
import type { AnswersPort } from '../answers';
import { PACKS } from '../../methods/packs/packs';
import { CODES, STOPS_A_RUN } from '../../diagnostics/codes';
import { endpointOf, packsAsked } from '../../document/packs';
import { bodyItems, requestItems } from './bodyCompletion';
import { GEYSER_CALLS, GEYSER_SERVICE } from '../../document/call';
import { bodyPlace, referencePrefix, type CursorContext } from '../context';
import { TASKS } from '../tasks';
import { item, tableItems, type CompletionWords } from './items';
import { mayAnswer, ownPathItems, pathItems } from './pathCompletion';

/** Items for the cursor; the editor filters by the typed text. The file's names are looked up only in `{{…}}`. */
export function completionsAt(cursor: CursorContext, scope: () => Scope, answers: AnswersPort): CompletionItem[] {
  const inner = referencePrefix(cursor)?.trimStart();
  if (inner?.startsWith('=') === true) return expressionItems(cursor, scope(), answers, inner);
  if (inner !== undefined)
    return /[.[]/.test(inner) && !inner.startsWith('$')
      ? pathItems(cursor, scope(), answers, inner)
      : referenceItems(cursor, scope(), inner);
  const place = bodyPlace(cursor);
  if (place !== undefined) {
    const { document, surroundings } = scope();
    const { chain } = endpointOf(document, cursor.block, surroundings) ?? {};
    return bodyItems(cursor, place, packsAsked(document, cursor.block, surroundings), chain);
  }
  const { before } = cursor;
  const directive = /^\s*(?:#|\/\/)\s*@\s*([\w-]*)$/.exec(before)?.[1];
  if (directive !== undefined) return directiveItems(cursor, directive);
  const pack = /^\s*(?:#|\/\/)\s*@\s*pack(?:\s+[\w-]+)*\s+([\w-]*)$/.exec(before)?.[1];
  if (pack !== undefined) return packItems(cursor, pack);
  const auth = /^\s*(?:#|\/\/)\s*@\s*auth\s+(\w*)$/.exec(before)?.[1];
  if (auth !== undefined) return authItems(cursor, auth);
  const run = /^\s*(?:#|\/\/)\s*@\s*if\s+(?!\s)(?:(?:every|any)\s+(?!\s))?(.*)$/.exec(before)?.[1];
  if (run !== undefined) return runConditionItems(cursor, scope(), answers, run);
  const condition = /^\s*(?:\?\?|(?:#|\/\/)\s*@\s*retry\s.*\swhile\s)(.*)$/.exec(before)?.[1];
  if (condition !== undefined) return conditionItems(cursor, scope(), answers, condition);
  const silenced = /^\s*(?:#|\/\/)\s*@\s*silence\s+([\w-]*)$/.exec(before)?.[1];
  if (silenced !== undefined) return codeItems(cursor, silenced);
  const captured = /^\s*(?:#|\/\/)\s*@\s*capture\s+[\w-]+\s*=\s*(\S*)$/.exec(before)?.[1];
  if (captured !== undefined) return answerItems(cursor, scope(), answers, captured);
  const path = /^\s*GRPC\s+(\S*)$/.exec(before)?.[1];
  if (path !== undefined) return grpcItems(cursor, path);
  return titled(cursor) ? [] : lineItems(cursor, scope);
}

/** On a line without anything but the words before the cursor. */
function lineItems(cursor: CursorContext, scope: () => Scope): CompletionItem[] {
  const words = /^\s*((?:[A-Za-z][A-Za-z ]*)?)$/.exec(cursor.before)?.[1];
  const { block } = cursor;
  if (words === undefined || block.text.slice(cursor.offset, cursor.lineEnd).trim() !== '') return [];
  if (block.kind === 'preamble' || block.body !== undefined) return taskItems(cursor, words);
  const word = words.includes(' ') ? undefined : words;
  const keywords =
    word === undefined || (word === '' && !isFirstWord(cursor))
      ? []
      : tableItems(cursor, typed(cursor, word), CompletionItemKind.Keyword, Object.entries(KEYWORDS));
  const { document, surroundings } = scope();
  const packs = packsAsked(document, block, surroundings);
  const isGrpc = block.requestLine?.transport === 'GRPC';
  return [
    ...keywords,
    ...(word === undefined || isGrpc ? [] : bodyItem(cursor, word)),
    ...(block.requestLine === undefined && block.assertions.length === 0 ? taskItems(cursor, words) : []),
    ...(word === undefined || word === '' || isGrpc ? [] : requestItems(cursor, typed(cursor, word), packs)),
  ];
}

/** A body that begins with its method. */
function bodyItem(cursor: CursorContext, word: string): CompletionItem[] {
  return [
    item(cursor, typed(cursor, word), {
      label: 'method',
      detail: '{ "method": … }',
      doc: 'A request, beginning with its method.',
      kind: CompletionItemKind.Snippet,
      text: '{ "method": "$1" }',
      isSnippet: true,
      order: '0',
      opensList: true,
    }),
  ];
}

/** Whole requests: below a title that is there, else with their own. Behind a request an empty line has to come first. */
function taskItems(cursor: CursorContext, words: string): CompletionItem[] {
  const { block, lineStart } = cursor;
  const isBehind = block.body !== undefined;
  if (isBehind && !/\n[ \t]*\n$/.test(block.text.slice(0, lineStart))) return [];
  const isTitled = block.kind === 'request' && block.text.startsWith('###') && !isBehind;
  return TASKS.map(({ label, detail, text }, index) => ({
    ...item(cursor, typed(cursor, words), {
      label,
      detail,
      kind: CompletionItemKind.Snippet,
      text: isTitled ? text : `### ${label}\n${text}\n`,
      isSnippet: true,
      order: `1${String(index).padStart(2, '0')}`,
    }),
    filterText: `${label} ${detail}`,
  }));
}

const titled = ({ lineStart, block }: CursorContext): boolean => lineStart === 0 && block.text.startsWith('###');

/** On an empty line keywords are offered only in the request line's place. */
const isFirstWord = ({ block }: CursorContext): boolean =>
  block.requestLine === undefined && block.assertions.length === 0;

/** The span of the text typed before the cursor. */
const typed = ({ offset }: CursorContext, text: string): Span => ({ start: offset - text.length, end: offset });

function directiveItems(cursor: CursorContext, prefix: string): CompletionItem[] {
  const isPreamble = cursor.block.kind === 'preamble';
  const offered = Object.entries(DIRECTIVES).filter(([, { preamble }]) => preamble !== (isPreamble ? 'no' : 'only'));
  return tableItems(cursor, typed(cursor, prefix), CompletionItemKind.Keyword, offered);
}

function authItems(cursor: CursorContext, prefix: string): CompletionItem[] {
  const doc = directiveShape('auth')?.doc ?? '';
  return [item(cursor, typed(cursor, prefix), { label: 'none', doc, kind: CompletionItemKind.Keyword })];
}

/** The packs that the line does not name yet. */
function packItems(cursor: CursorContext, prefix: string): CompletionItem[] {
  const named = cursor.before.slice(0, cursor.before.length - prefix.length).split(/\s+/);
  const others = PACKS.filter(({ id }) => !named.includes(id));
  const rows = others.map(({ id, title, doc }) => [id, { doc, usage: title }] as const);
  return tableItems(cursor, typed(cursor, prefix), CompletionItemKind.Module, rows);
}

/** The codes of findings that can be silenced. */
function codeItems(cursor: CursorContext, prefix: string): CompletionItem[] {
  const codes = Object.entries(CODES).filter(([code]) => !STOPS_A_RUN.has(code) && code !== 'secret-in-file');
  return tableItems(cursor, typed(cursor, prefix), CompletionItemKind.EnumMember, codes);
}

/** `geyser.Service/Method` or its beginning, from the service on if it is written. */
function grpcPathAtEnd(text: string): string {
  const method = trailingRun(text, /[A-Za-z.]/);
  const before = text.slice(0, text.length - method.length);
  if (!before.endsWith('/')) return method;
  const name = trailingRun(before.slice(0, -1), /[A-Za-z]/);
  const service = `geyser.${name}/`;
  return before.endsWith(service) ? service + method : method;
}

function grpcItems(cursor: CursorContext, prefix: string): CompletionItem[] {
  // After a URL only the path is replaced.
  const last = grpcPathAtEnd(prefix);
  const calls = [...GEYSER_CALLS].map(([name, doc]) => [`${GEYSER_SERVICE}/${name}`, { doc }] as const);
  return tableItems(cursor, typed(cursor, last), CompletionItemKind.Method, calls);
}

const PATHS: readonly (readonly [string, string])[] = [
  ['status', 'The HTTP status.'],
  ['duration', 'How long the response took; compares with a unit: `duration < 500ms`.'],
  ['result', 'The result of the response.'],
  ['result.value', 'The value inside a result with a context.'],
  ['result.context.slot', 'The slot at which the result was evaluated.'],
  ['error', 'The error of the response. Named in an assertion, an error no longer fails the request.'],
  ['error.code', 'The code of the error.'],
  ['error.message', 'The text of the error.'],
  ['messages.length', 'How many messages a stream gave.'],
  ['messages[0]', 'The first message of a stream.'],
  ['headers.content-type', 'A header of the response.'],
];

/** A path into the block's own answer, then an operator. */
function conditionItems(
  cursor: CursorContext,
  scope: Scope,
  answers: AnswersPort,
  typedText: string,
): CompletionItem[] {
  // Words before the path and the operator do not affect what may follow.
  const typedPart = typedText.replace(/^\s*(?:every|any)\s+/, '');
  if (/^\s*\S+\s+(?:not\s+)?\S*$/.test(typedPart)) return operatorItems(cursor, typedPart);
  const path = /^\s*(\S*)$/.exec(typedPart)?.[1];
  return path === undefined ? [] : answerItems(cursor, scope, answers, path);
}

/** Behind a path. */
function operatorItems(cursor: CursorContext, typedPart: string): CompletionItem[] {
  const operator = /^\s*\S+\s+(?:not\s+)?(\S*)$/.exec(typedPart)?.[1];
  if (operator === undefined) return [];
  return tableItems(cursor, typed(cursor, operator), CompletionItemKind.Operator, Object.entries(OPERATORS));
}

/** The name of a request or a variable and what follows it, then an operator. */
function runConditionItems(
  cursor: CursorContext,
  scope: Scope,
  answers: AnswersPort,
  typedText: string,
): CompletionItem[] {
  if (/\s/.test(typedText)) return operatorItems(cursor, typedText);
  if (/[.[]/.test(typedText)) return pathItems(cursor, scope, answers, typedText);
  return referenceItems(cursor, scope, typedText).filter(({ label }) => !label.startsWith('$'));
}

/** A path into the block's own answer. */
function answerItems(cursor: CursorContext, scope: Scope, answers: AnswersPort, path: string): CompletionItem[] {
  if (/[.[]/.test(path)) return ownPathItems(cursor, scope, answers, path);
  return PATHS.filter(([label]) => mayAnswer(cursor, label)).map(([label, doc]) =>
    item(cursor, typed(cursor, path), { label, doc, kind: CompletionItemKind.Property }),
  );
}

/** A name or a path in an expression, and the functions. */
function expressionItems(cursor: CursorContext, scope: Scope, answers: AnswersPort, inner: string): CompletionItem[] {
  const word = /[A-Za-z_][^]*/.exec(trailingRun(inner, /[\w$.[\]-]/))?.[0] ?? '';
  if (/[.[]/.test(word)) return pathItems(cursor, scope, answers, word);
  const functions = tableItems(cursor, typed(cursor, word), CompletionItemKind.Function, Object.entries(FUNCTIONS));
  const names = referenceItems(cursor, scope, word).filter(({ label }) => !label.startsWith('$'));
  return [...names, ...functions];
}

function referenceItems(cursor: CursorContext, scope: Scope, prefix: string): CompletionItem[] {
  // The words after a helper's name are not names.
  if (/\s/.test(prefix)) return [];
  const span = typed(cursor, prefix);
  const { block, document } = cursor;
  const preamble = document.first;
  const names = new Map<string, CompletionItem>();
  const add = (label: string, words: Omit<CompletionWords, 'label'>): void => {
    if (!names.has(label)) names.set(label, item(cursor, span, { label, ...words }));
  };
  for (const { name, label } of block.settings.prompts) add(name, { kind: CompletionItemKind.Variable, detail: label });
  for (const [name, { capture, request }] of scope.captures)
    add(name, {
      kind: CompletionItemKind.Variable,
      detail: capture?.path.text ?? '',
      doc: `Captured from the response of ${markdownCode(request.name.text)}.`,
    });
  const { foreach } = block.settings;
  if (foreach !== undefined)
    add(foreach.name.text, {
      kind: CompletionItemKind.Variable,
      detail: foreach.source.token.text,
      doc: 'The row that `@foreach` is at.',
    });
  const places = [block, preamble, ...scope.imported().map((imported) => imported.document.first)];
  for (const place of places)
    for (const { name, value } of place.variables)
      add(name.text, { kind: CompletionItemKind.Variable, detail: value.text });
  const { vars, environment, profile } = scope.surroundings;
  for (const map of [vars, environment, profile])
    for (const [name, value] of map ?? [])
      add(name, { kind: CompletionItemKind.Variable, detail: insertedText(value) });
  for (const source of [scope, ...scope.imported()])
    for (const [name, request] of source.requests)
      // Without a path the name is a variable's, if there is one.
      add(names.has(name) ? `${name}.result` : name, {
        kind: CompletionItemKind.Reference,
        detail: request.placed.block.title.text,
        doc: `The response of the request ${markdownCode(name)}.`,
        text: `${name}.result`,
      });
  for (const [name, { doc, usage }] of Object.entries(HELPERS))
    add(name, { kind: CompletionItemKind.Function, doc, detail: usage });
  return [...names.values()];
}
