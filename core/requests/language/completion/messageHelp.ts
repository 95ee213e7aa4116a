// Completion and hover in the message of a gRPC call, from the same descriptions that check it.
import { requestOf, type FieldDescription, type MessageDescription } from '../../../../proto/requests';
import { CompletionItemKind, type CompletionItem } from 'vscode-languageserver-types';
import type { Block, Span } from '../../document/model';
import { YELLOWSTONE } from '../../methods/filterKinds';
import { snippetChoice } from '../../snippet';
import { KNOWN_ADDRESSES } from '../../../solana/chain/addresses';
import { propertyOf } from '../../document/call';
import type { BodyPlace, CursorContext } from '../context';
import { addressItem, filterKindItems, hasColon, item, nodeAt } from './items';
import { fieldAt, fieldLabel, holdsAddresses, messageAt } from '../../grpc/message';
import { fieldDoc, FILTER_NAME, valueDoc } from '../../grpc/messageDocs';

/** The message of a block on a GRPC line; undefined for a call that is not known. */
export function messageOfBlock({ requestLine }: Block): MessageDescription | undefined {
  return requestLine?.transport === 'GRPC' ? requestOf(requestLine.method?.text ?? '') : undefined;
}

export function messageItems(cursor: CursorContext, place: BodyPlace, span: Span): CompletionItem[] {
  const root = messageOfBlock(cursor.block);
  if (root === undefined) return [];
  if (place.isKey) {
    const path = place.path.slice(0, -1);
    const owner = messageAt(root, path);
    return owner === undefined ? nameItems(cursor, span, fieldAt(root, path)) : fieldItems(cursor, place, span, owner);
  }
  const field = fieldAt(root, place.path);
  if (field === undefined) return [];
  const isElement = typeof place.path.at(-1) === 'number';
  return [
    ...wordItems(cursor, span, field),
    ...(holdsAddresses(field) && isElement ? addressItems(cursor, span, field) : []),
    ...(isAccountFilters(field) ? kindItems(cursor, place, span, isElement) : []),
  ];
}

/** The values that can be written in full, as they are written in a body. */
function wordItems(cursor: CursorContext, span: Span, { many, type }: FieldDescription): CompletionItem[] {
  if (many !== 'no') return [];
  if (type.kind !== 'enum')
    return type.name === 'bool'
      ? ['true', 'false'].map((label) => item(cursor, span, { label, kind: CompletionItemKind.EnumMember }))
      : [];
  const { name: set, values } = type.description;
  return values.map(({ name: label }) =>
    item(cursor, span, {
      label,
      kind: CompletionItemKind.EnumMember,
      text: `"${label}"`,
      ...docOf(valueDoc(set, label)),
    }),
  );
}

const docOf = (doc: string | undefined): { readonly doc?: string } => (doc === undefined ? {} : { doc });

/** Owners can only be programs. */
function addressItems(cursor: CursorContext, span: Span, { name }: FieldDescription): CompletionItem[] {
  return KNOWN_ADDRESSES.filter(({ kind }) => name !== 'owner' || kind === 'program').map((known) =>
    addressItem(cursor, span, known),
  );
}

const isAccountFilters = ({ name, parent }: FieldDescription): boolean =>
  name === 'filters' && parent.name === 'SubscribeRequestFilterAccounts';

/** Account filters by kind of account, of the first owner in the same filter. */
function kindItems(cursor: CursorContext, place: BodyPlace, span: Span, isElement: boolean): CompletionItem[] {
  const filter = nodeAt(place.call, place.path.slice(0, isElement ? -2 : -1));
  const program: unknown = nodeAt(filter, ['owner', 0])?.value;
  return filterKindItems(cursor, span, { program, isElement, form: YELLOWSTONE });
}

/** A filter of a map, under a name that is still to be chosen. */
function nameItems(cursor: CursorContext, span: Span, field: FieldDescription | undefined): CompletionItem[] {
  if (field?.many !== 'map' || field.type.kind !== 'message') return [];
  const { type } = field;
  const value = type.description?.fields.length === 0 ? '{}' : '{ $2 }';
  const text = hasColon(cursor, span) ? '"${1:name}"' : `"\${1:name}": ${value}`;
  const words = { label: 'name', detail: type.name, doc: FILTER_NAME, kind: CompletionItemKind.Struct, text };
  return [item(cursor, span, { ...words, isSnippet: true })];
}

/** Missing fields; mutually exclusive ones only if none of them is present. */
function fieldItems(cursor: CursorContext, place: BodyPlace, span: Span, owner: MessageDescription): CompletionItem[] {
  const node = nodeAt(place.call, place.path.slice(0, -1));
  const isWritten = ({ name, jsonName }: FieldDescription): boolean =>
    [name, jsonName].some((each) => {
      const key = node && propertyOf(node, each)?.children?.[0];
      return key !== undefined && key.offset !== span.start;
    });
  const chosen = new Set(owner.fields.filter(isWritten).map(({ oneof }) => oneof));
  const colon = hasColon(cursor, span);
  return owner.fields
    .filter((field) => !isWritten(field) && (field.oneof === undefined || !chosen.has(field.oneof)))
    .map((field) =>
      item(cursor, span, {
        label: field.jsonName,
        detail: fieldLabel(field),
        ...docOf(fieldDoc(owner.name, field.name)),
        kind: CompletionItemKind.Field,
        text: colon ? `"${field.jsonName}"` : `"${field.jsonName}": ${valueSnippet(field)}`,
        isSnippet: true,
      }),
    );
}

/** The beginning of a value, with a place to write on. */
function valueSnippet({ many, type }: FieldDescription): string {
  if (many === 'map') return '{ "${1:name}": { $2 } }';
  if (many === 'list') return type.kind === 'message' ? '[{ $1 }]' : '["$1"]';
  switch (type.kind) {
    case 'message':
      return '{ $1 }';
    case 'enum':
      return `"${snippetChoice(
        1,
        type.description.values.map(({ name }) => name),
      )}"`;
    case 'scalar':
      if (type.name === 'bool') return snippetChoice(1, ['true', 'false']);
      return /^u?int/.test(type.name) ? '${1:0}' : '"$1"';
  }
}

/** The type of a field, in markdown. */
export function messageHover(block: Block, place: BodyPlace): string | undefined {
  const root = messageOfBlock(block);
  if (root === undefined) return undefined;
  const field = fieldAt(root, place.path);
  if (field === undefined) return undefined;
  const lines = [`\`${field.jsonName}\`: \`${fieldLabel(field)}\`, field ${field.number} of \`${field.parent.name}\``];
  const doc = fieldDoc(field.parent.name, field.name);
  if (doc !== undefined) lines.push(doc);
  if (place.isKey && field.many === 'map' && fieldAt(root, place.path.slice(0, -1)) === field)
    lines.unshift(FILTER_NAME);
  if (field.oneof !== undefined) {
    const names = field.parent.fields
      .filter(({ oneof }) => oneof === field.oneof)
      .map(({ jsonName }) => `\`${jsonName}\``);
    if (names.length > 1) lines.push(`Only one of ${names.join(', ')}.`);
  }
  if (field.type.kind === 'enum') {
    const { name: set, values } = field.type.description;
    const rows = values.map(({ name, number }) => `- \`${name}\` (${number}): ${valueDoc(set, name) ?? ''}`);
    lines.push(rows.join('\n'));
  }
  return lines.join('\n\n');
}
