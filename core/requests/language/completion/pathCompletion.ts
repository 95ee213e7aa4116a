// Completion of paths into an answer, behind the name of a request and in assertions: what the last answer held, and what
// the method says it answers.
import { trailingRun } from '../../../solana/common/ends';
import { CompletionItemKind, type CompletionItem } from 'vscode-languageserver-types';
import type { PathStep, PlacedBlock } from '../../document/model';
import { readPath } from '../../document/variables/path';
import type { NamedRequest, Scope } from '../../document/variables/variables';
import type { MethodTable } from '../../methods';
import { isJsonArray, isJsonObject, member, printJson, type JsonValue } from '../../../solana/json/json';
import { lastValue, preview, type AnswersPort } from '../answers';
import { isStream, shapeOfPath } from '../../document/call';
import { methodOf } from '../../../solana/json/calls';
import type { CursorContext } from '../context';
import { item } from './items';
import { answerShape, labelOf, shapeAt } from '../../methods/resultShape';

/** More members of one value, or elements of a list, are not offered. */
const MAX_MEMBERS = 200;
const MAX_ELEMENTS = 20;

/** A path and the step being written at its end, with its "." or "["; both empty if the text does not end with one. */
function splitLastStep(text: string): readonly [owner: string, begun: string] {
  const dot = text.length - trailingRun(text, /[\w$-]/).length - 1;
  const bracket = text.indexOf('[', text.lastIndexOf(']') + 1);
  const starts = [text[dot] === '.' ? dot : -1, bracket].filter((at) => at >= 0);
  return starts.length === 0 ? ['', ''] : [text.slice(0, Math.min(...starts)), text.slice(Math.min(...starts))];
}

/** A step that may follow: its text, such as `.slot` or `[0]`, is appended to the value. */
interface Offer {
  readonly text: string;
  readonly detail: string;
}

/** `prefix`: the text behind "{{", which names a request and begins a step. */
export function pathItems(cursor: CursorContext, scope: Scope, answers: AnswersPort, prefix: string): CompletionItem[] {
  const [written, begun] = splitLastStep(prefix);
  const [name = ''] = /^[A-Za-z_][A-Za-z0-9_-]*/.exec(written) ?? [];
  const rest = written.slice(name.length);
  const request = scope.requestNamed(name);
  const owner = rest.replace(/^\.response\.body\.\$(?=[.[]|$)/, '');
  const path = readPath(owner, 0, false);
  if (request === undefined || path.end < owner.length) return [];
  return stepItems(cursor, begun, [
    ...fromAnswer(answers, request, path.steps),
    ...fromShape(request.placed, path.steps, cursor.methods),
  ]);
}

/** `typed`: the path of an assertion as far as it is written, with the "." or "[" of its last step. */
export function ownPathItems(
  cursor: CursorContext,
  scope: Scope,
  answers: AnswersPort,
  typed: string,
): CompletionItem[] {
  const [owner, begun] = splitLastStep(typed);
  const path = readPath(owner, 0, true);
  if (path.end < owner.length) return [];
  const { name } = cursor.block.settings;
  const named = name === undefined ? undefined : scope.requestNamed(name.text);
  return stepItems(cursor, begun, [
    ...(named?.placed.block === cursor.block ? fromAnswer(answers, named, path.steps) : []),
    ...fromShape(cursor.placed, path.steps, cursor.methods),
  ]);
}

/** Whether an answer to the block can have a value at `path`; true if unknown. */
export function mayAnswer({ block, methods }: CursorContext, path: string): boolean {
  const [root, ...rest] = readPath(path, 0, true).steps;
  if (root === 'messages') return isStream(block, methods) !== false;
  if (root !== 'result' || rest.length === 0) return true;
  const shape = answerShape(block.body?.value(), methods);
  return shape === undefined || [root, ...rest].reduce(shapeAt, shape) !== undefined;
}

function stepItems(cursor: CursorContext, begun: string, found: readonly Offer[]): CompletionItem[] {
  const offers = new Map<string, Offer>();
  for (const offer of found) if (!offers.has(offer.text)) offers.set(offer.text, offer);
  const span = { start: cursor.offset - begun.length, end: cursor.offset };
  return [...offers.values()].map(({ text, detail }, index) => ({
    ...item(cursor, span, { label: text.replace(/^\./, ''), detail, kind: CompletionItemKind.Property, text }),
    filterText: begun.startsWith('[') ? text.replace(/^\.(.*)$/s, '[$1') : text.replace(/^\[/, '.['),
    sortText: String(index).padStart(3, '0'),
  }));
}

function fromAnswer(answers: AnswersPort, request: NamedRequest, path: readonly PathStep[]): Offer[] {
  const value = lastValue(answers, request, path);
  if (value === undefined) return [];
  const isBatch = path.length === 0 && request.placed.block.body?.isBatch === true;
  return isBatch ? batchOffers(value) : offersOf(value);
}

function offersOf(value: JsonValue): Offer[] {
  if (isJsonArray(value))
    return value.slice(0, MAX_ELEMENTS).map((one, index) => ({ text: `[${index}]`, detail: preview(one) }));
  if (!isJsonObject(value)) return [];
  return Object.keys(value)
    .slice(0, MAX_MEMBERS)
    .map((key) => ({ text: stepText(key), detail: preview(member(value, key) ?? null) }));
}

/** A batch is read by the ids of its requests. */
function batchOffers(value: JsonValue): Offer[] {
  const items = isJsonArray(value) ? value.slice(0, MAX_ELEMENTS) : [];
  return items.flatMap((one) => {
    const id = member(one, 'id');
    return id === undefined ? [] : [{ text: idText(id), detail: preview(member(one, 'result') ?? one) }];
  });
}

function fromShape({ block }: PlacedBlock, path: readonly PathStep[], methods: MethodTable): Offer[] {
  const value = block.body?.value();
  if (block.body?.isBatch === true && path.length === 0)
    return (isJsonArray(value) ? value : []).slice(0, MAX_ELEMENTS).flatMap((call) => {
      const own = member(call, 'id');
      return own === undefined ? [] : [{ text: idText(own), detail: methodOf(call) ?? '' }];
    });
  const shape = shapeOfPath(block, path, methods);
  if (shape?.kind === 'list') return [{ text: '[0]', detail: labelOf(shape.item) }];
  if (shape?.kind !== 'object') return [];
  return [...shape.members].map(([key, inner]) => ({ text: stepText(key), detail: labelOf(inner) }));
}

/** Single quotes: the reference is in a JSON string. */
const stepText = (key: string): string => (/^[\w$-]+$/.test(key) && !key.includes('-') ? `.${key}` : `['${key}']`);
const idText = (id: JsonValue): string => (typeof id === 'string' ? `['${id}']` : `[${printJson(id)}]`);
