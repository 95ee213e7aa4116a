// Completion inside a body: members of the request, method names, parameters by position, config members and values.
import { trailingRun } from '../../../solana/common/ends';
import { CompletionItemKind, type CompletionItem } from 'vscode-languageserver-types';
import type { Node } from 'jsonc-parser';
import type { Span } from '../../document/model';
import {
  fieldMarkdown,
  fieldSnippet,
  fieldsOf,
  methodMarkdown,
  paramsSnippet,
  signatureLabel,
  specAt,
  specLabel,
  valuesOf,
} from '../../methods/describe';
import type { PackId } from '../../../service/providers/packIds';
import { knownTo } from '../../methods/packs/packs';
import type { FieldSpec, MethodRecord, ValueSpec } from '../../methods/types';
import { TRANSACTION_KEY } from '../../methods/records/transactionBody';
import { perObject } from '../../../solana/common/perObject';
import { snippetText } from '../../snippet';
import { addressName, KNOWN_ADDRESSES, type KnownAddress } from '../../../solana/chain/addresses';
import { printJson } from '../../../solana/json/json';
import type { ChainAge } from '../../../solana/chain/chain';
import { propertyOf } from '../../document/call';
import type { BodyPlace, CursorContext } from '../context';
import { addressItem, filterKindItems, hasColon, item, nodeAt, type CompletionWords } from './items';
import { callItems } from './transactionHelp';
import { messageItems } from './messageHelp';

const MEMBERS: readonly (readonly [name: string, snippet: string, doc: string])[] = [
  ['method', '"method": "$1"', 'The name of the method.'],
  ['params', '"params": [$1]', 'The parameters, by position.'],
  ['id', '"id": ${1:1}', 'A string or an integer; filled in when it is left out.'],
  ['jsonrpc', '"jsonrpc": "2.0"', 'The version; filled in when it is left out.'],
];

/** `packs`: the requested method packs; methods of others are not offered. `chain`: that of the endpoint. */
export function bodyItems(
  cursor: CursorContext,
  given: BodyPlace,
  packs: ReadonlySet<PackId>,
  chain?: ChainAge,
): CompletionItem[] {
  const place = { ...given, record: given.record === undefined ? undefined : knownTo(given.record, packs) };
  const span = place.token ?? { start: cursor.offset, end: cursor.offset };
  if (cursor.block.requestLine?.transport === 'GRPC') return messageItems(cursor, place, span);
  const [first, ...path] = place.path;
  if (place.isKey && place.path.length <= 1) return memberItems(cursor, place, span, packs);
  if (first === 'method' && path.length === 0) return methodItems(cursor, place, span, packs);
  if (first !== 'params' || place.record === undefined) return [];
  if (path.length === 0) {
    const text = paramsSnippet(place.record);
    return [item(cursor, span, { label: 'params', kind: CompletionItemKind.Snippet, text, isSnippet: true })];
  }
  const ofCall = callItems(cursor, place, span);
  if (ofCall !== undefined) return ofCall;
  if (place.isKey) {
    const owner = path.length === 1 ? byName(place.record) : specAt(place.record, path.slice(0, -1));
    return owner === undefined ? [] : fieldItems(cursor, place, span, owner);
  }
  const field = specAt(place.record, path);
  if (field === undefined) return [];
  const isFilter = isAccountFilter(place.record, path);
  return [...(isFilter ? filterItems(cursor, place, span) : []), ...valueItems(cursor, span, field, chain)];
}

/** The list of account filters, or one of its elements. */
function isAccountFilter(record: MethodRecord, path: readonly (string | number)[]): boolean {
  const list = specAt(record, typeof path.at(-1) === 'number' ? path.slice(0, -1) : path);
  return list?.spec.kind === 'array' && list.spec.choosesAccounts === true;
}

/** Filters that find a kind of account; in place of the list they come with its brackets. */
function filterItems(cursor: CursorContext, place: BodyPlace, span: Span): CompletionItem[] {
  const program: unknown = nodeAt(place.call, ['params', 0])?.value;
  const isElement = typeof place.path.at(-1) === 'number';
  return filterKindItems(cursor, span, { program, isElement });
}

/** The parameters as members of an object, if the method takes an object. */
function byName({ structure, params }: MethodRecord): FieldSpec | undefined {
  return structure === undefined ? undefined : { name: 'params', doc: '', spec: { kind: 'object', fields: params } };
}

function memberItems(
  cursor: CursorContext,
  place: BodyPlace,
  written: Span,
  packs: ReadonlySet<PackId>,
): CompletionItem[] {
  const span = wordSpan(cursor, written);
  const { text } = cursor.block;
  const colon = hasColon(cursor, span);
  // Between two braces the member gets its blanks.
  const isAlone = text[span.start - 1] === '{' && text[span.end] === '}';
  const spaced = (snippet: string): string => (isAlone ? ` ${snippet} ` : snippet);
  const missing = MEMBERS.filter(([name]) => place.call === undefined || isNew(place.call, name, span));
  const members = missing.map(([label, snippet, doc], index) =>
    item(cursor, span, {
      label,
      doc,
      kind: CompletionItemKind.Property,
      text: colon ? `"${label}"` : spaced(snippet),
      isSnippet: true,
      order: `0${index}`,
      ...(label === 'method' && !colon ? { opensList: true } : {}),
    }),
  );
  if (colon || missing[0]?.[0] !== 'method') return members;
  // A method's name where "method" is expected: inserts both.
  return [
    ...members,
    ...methodsFor(cursor, packs).map((record) => {
      const words = calledWords(knownTo(record, packs), place);
      const text = spaced(`"method": ${words.text}`);
      return item(cursor, span, { ...words, text, isSnippet: true, order: `1${words.label}` });
    }),
  ];
}

/** An unquoted word, if nothing else is under the cursor. */
function wordSpan({ block, offset }: CursorContext, span: Span): Span {
  const word = trailingRun(block.text.slice(0, offset), /[A-Za-z]/);
  return span.start === span.end || block.text[span.start] !== '"'
    ? { start: offset - word.length, end: offset }
    : span;
}

/** The words of a method, with its parameters where it needs some that are not there. */
function calledWords(method: MethodRecord, place: Pick<BodyPlace, 'call'> | undefined): MethodWords {
  const hasParams = place?.call !== undefined && propertyOf(place.call, 'params') !== undefined;
  const { bare, whole } = methodWords(method);
  return hasParams ? bare : whole;
}

/** The methods that the block's transport serves and the file's packs know. */
function methodsFor({ block, methods }: CursorContext, packs: ReadonlySet<PackId>): readonly MethodRecord[] {
  const transport = block.requestLine?.transport;
  return methods
    .all()
    .filter(({ pack }) => pack === undefined || packs.has(pack))
    .filter(
      (method) =>
        transport === undefined || method.transport === 'both' || (transport === 'WS') === (method.transport === 'ws'),
    );
}

/** Whole bodies by the name of their method, in place of the word at `span`. */
export function requestItems(cursor: CursorContext, span: Span, packs: ReadonlySet<PackId>): CompletionItem[] {
  return methodsFor(cursor, packs).map((record) => {
    const words = calledWords(knownTo(record, packs), undefined);
    const text = `{ "method": ${words.text} }`;
    return item(cursor, span, { ...words, text, isSnippet: true, order: `3${words.label}` });
  });
}

/** A member is offered while it is not there; the one being written does not count. */
function isNew(owner: Node, name: string, span: Span): boolean {
  const key = propertyOf(owner, name)?.children?.[0];
  return key === undefined || key.offset === span.start;
}

function methodItems(
  cursor: CursorContext,
  place: BodyPlace,
  span: Span,
  packs: ReadonlySet<PackId>,
): CompletionItem[] {
  return methodsFor(cursor, packs).map((record) => item(cursor, span, calledWords(knownTo(record, packs), place)));
}

type MethodWords = CompletionWords & { readonly text: string };

/** A method's item without its parameters and, where it requires some, with them. */
const methodWords = perObject((method: MethodRecord): { readonly bare: MethodWords; readonly whole: MethodWords } => {
  const bare: MethodWords = {
    label: method.name,
    detail: signatureLabel(method).label,
    doc: methodMarkdown(method),
    kind: CompletionItemKind.Method,
    text: `"${method.name}"`,
  };
  if (!method.params.some((param) => param.required === true)) return { bare, whole: bare };
  const text = `"${method.name}", "params": ${paramsSnippet(method)}`;
  return { bare, whole: { ...bare, text, isSnippet: true } };
});

function fieldItems(cursor: CursorContext, place: BodyPlace, span: Span, owner: FieldSpec): CompletionItem[] {
  const node = nodeAt(place.call, place.path.slice(0, -1));
  const colon = hasColon(cursor, span);
  return [owner.spec, ...(owner.alsoAccepts ?? [])]
    .flatMap(fieldsOf)
    .filter((field) => node === undefined || isNew(node, field.name, span))
    .map((field) =>
      item(cursor, span, {
        label: field.name,
        detail: specLabel(field.spec),
        doc: fieldMarkdown(field),
        kind: CompletionItemKind.Field,
        text: `${snippetText(JSON.stringify(field.name))}${colon ? '' : `: ${fieldSnippet(field, 1)}`}`,
        isSnippet: true,
      }),
    );
}

function valueItems(cursor: CursorContext, span: Span, field: FieldSpec, chain?: ChainAge): CompletionItem[] {
  const { spec } = field;
  const values = valuesOf(spec, chain).map(({ value, doc }) =>
    item(cursor, span, { label: value, doc, kind: CompletionItemKind.EnumMember, text: `"${value}"` }),
  );
  const suggested = (field.suggested ?? []).map((value) =>
    item(cursor, span, { label: printJson(value), kind: CompletionItemKind.Value, doc: fieldMarkdown(field) }),
  );
  const booleans = spec.kind === 'boolean' ? ['true', 'false'] : [];
  return [
    ...values,
    ...suggested,
    ...booleans.map((label) => item(cursor, span, { label, kind: CompletionItemKind.Value })),
    ...addressesFor(spec).map((known) => addressItem(cursor, span, known)),
    ...objectItems(cursor, span, field),
    ...transactionItems(cursor, span, spec),
  ];
}

function addressesFor(spec: ValueSpec): readonly Pick<KnownAddress, 'address' | 'name'>[] {
  if (spec.kind === 'anyOf') return spec.options.flatMap(addressesFor);
  if (spec.kind !== 'pubkey') return [];
  if (spec.known === undefined) return KNOWN_ADDRESSES;
  return spec.known.map((address) => ({ address, name: addressName(address) ?? address }));
}

/** A transaction that is built when it is sent, in place of its bytes. */
function transactionItems(cursor: CursorContext, span: Span, { kind }: ValueSpec): CompletionItem[] {
  if (kind !== 'transaction') return [];
  const text = `{ "${snippetText(TRANSACTION_KEY)}": { "instructions": [{ $1 }] } }`;
  const doc = "A transaction that is built and signed with the endpoint's wallet when the request is sent.";
  return [item(cursor, span, { label: TRANSACTION_KEY, doc, kind: CompletionItemKind.Struct, text, isSnippet: true })];
}

function objectItems(cursor: CursorContext, span: Span, field: FieldSpec): CompletionItem[] {
  if (fieldsOf(field.spec).length === 0) return [];
  const text = fieldSnippet(field, 1);
  return [item(cursor, span, { label: `{ ${field.name} }`, kind: CompletionItemKind.Struct, text, isSnippet: true })];
}
