// Completion of paths behind the name of a request: what its last answer held, and what its method says it answers.
import { CompletionItemKind, type CompletionItem } from 'vscode-languageserver-types';
import type { PathStep } from '../../document/model';
import { readPath } from '../../document/path';
import type { NamedRequest, Scope } from '../../document/variables';
import type { MethodTable } from '../../methods';
import { isJsonArray, isJsonObject, member, printJson, type JsonValue } from '../../values/json/json';
import { lastValue, preview, type AnswersPort } from '../answers';
import { methodOf } from '../call';
import type { Cursor } from './context';
import { item } from './items';
import { shapeAt, shapeOf, type Shape } from '../shape';

/** More members of one value, or elements of a list, are not offered. */
const MAX_MEMBERS = 200;
const MAX_ELEMENTS = 20;

/** A name, what leads to the step that is being written, and that step with its "." or "[". */
const PREFIX = /^([A-Za-z_][A-Za-z0-9_-]*)(.*?)(\.[\w$-]*|\[[^\]]*)$/s;

/** A step that may follow: its text is what stands behind the value, such as `.slot` or `[0]`. */
interface Offer {
  readonly text: string;
  readonly detail: string;
}

/** `prefix`: the text behind "{{", which names a request and begins a step. */
export function pathItems(cursor: Cursor, scope: Scope, answers: AnswersPort, prefix: string): CompletionItem[] {
  const [, name = '', rest = '', begun = ''] = PREFIX.exec(prefix) ?? [];
  const request = scope.requestNamed(name);
  const owner = rest.replace(/^\.response\.body\.\$(?=[.[]|$)/, '');
  const path = readPath(owner, 0, false);
  if (request === undefined || path.end < owner.length) return [];
  const offers = new Map<string, Offer>();
  for (const offer of [...fromAnswer(answers, request, path.steps), ...fromShape(request, path.steps, cursor.methods)])
    if (!offers.has(offer.text)) offers.set(offer.text, offer);
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

function fromShape(request: NamedRequest, path: readonly PathStep[], methods: MethodTable): Offer[] {
  const { body } = request.placed.block;
  const value = body?.value();
  if (body?.isBatch !== true) return shapeOffers(path.reduce(shapeAt, responseShape(value, methods)));
  const calls = isJsonArray(value) ? value : [];
  const [id, ...rest] = path;
  if (id === undefined)
    return calls.slice(0, MAX_ELEMENTS).flatMap((call) => {
      const own = member(call, 'id');
      return own === undefined ? [] : [{ text: idText(own), detail: methodOf(call) ?? '' }];
    });
  const call = calls.find((one) => printJson(member(one, 'id') ?? null) === printJson(id));
  return shapeOffers(rest.reduce(shapeAt, responseShape(call, methods)));
}

/** The shape of the whole response to a call: what a subscription tells is under `messages`. */
function responseShape(call: JsonValue | undefined, methods: MethodTable): Shape | undefined {
  const record = methods.named(methodOf(call ?? null) ?? '');
  if (record === undefined) return undefined;
  const { subscription } = record;
  const text =
    subscription === undefined
      ? `{ result: ${record.result}, id, error: { code, message, data } }`
      : `{ messages: (${subscription.payload})[], result, id, error: { code, message, data } }`;
  return shapeOf(text);
}

function shapeOffers(shape: Shape | undefined): Offer[] {
  if (shape?.kind === 'list') return [{ text: '[0]', detail: labelOf(shape.item) }];
  if (shape?.kind !== 'object') return [];
  return [...shape.members].map(([key, inner]) => ({ text: stepText(key), detail: labelOf(inner) }));
}

function labelOf(shape: Shape): string {
  if (shape.kind === 'value') return shape.label;
  return shape.kind === 'list' ? `${labelOf(shape.item)}[]` : `{ ${[...shape.members.keys()].join(', ')} }`;
}

/** Single quotes: the reference stands in a JSON string. */
const stepText = (key: string): string => (/^[\w$-]+$/.test(key) && !key.includes('-') ? `.${key}` : `['${key}']`);
const idText = (id: JsonValue): string => (typeof id === 'string' ? `['${id}']` : `[${printJson(id)}]`);
