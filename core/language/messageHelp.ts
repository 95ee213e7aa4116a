// Completion and hover in the message of a gRPC call, from the same descriptions that check it.
import { requestOf, type FieldDescription, type MessageDescription } from '../../proto/requests';
import type { CompletionItem } from 'vscode-languageserver-types';
import type { Block, Span } from '../document/model';
import { propertyOf } from './call';
import type { BodyPlace, Cursor } from './context';
import { item } from './items';
import { CompletionItemKind } from './kinds';
import { fieldAt, fieldLabel, messageAt } from './message';

/** The message of a block on a GRPC line; undefined for a call that is not known. */
export function messageOfBlock({ requestLine }: Block): MessageDescription | undefined {
  return requestLine?.transport === 'GRPC' ? requestOf(requestLine.method?.text ?? '') : undefined;
}

export function messageItems(cursor: Cursor, place: BodyPlace, span: Span): CompletionItem[] {
  const root = messageOfBlock(cursor.block);
  if (root === undefined) return [];
  if (place.isKey) return fieldItems(cursor, place, span, messageAt(root, place.path.slice(0, -1)));
  const field = fieldAt(root, place.path);
  if (field === undefined) return [];
  return wordsOf(field).map((text) =>
    item(cursor, span, { label: text.replaceAll('"', ''), kind: CompletionItemKind.EnumMember, text }),
  );
}

/** The values that can be written in full, as they stand in a body. */
function wordsOf({ many, type }: FieldDescription): readonly string[] {
  if (many !== 'no') return [];
  if (type.kind === 'enum') return type.description.values.map(({ name }) => `"${name}"`);
  return type.name === 'bool' ? ['true', 'false'] : [];
}

function fieldItems(
  cursor: Cursor,
  place: BodyPlace,
  span: Span,
  owner: MessageDescription | undefined,
): CompletionItem[] {
  let node = place.call;
  for (const step of place.path.slice(0, -1))
    node = typeof step === 'number' ? node?.children?.[step] : node && propertyOf(node, step)?.children?.[1];
  const hasColon = /^\s*:/.test(cursor.block.text.slice(span.end, cursor.lineEnd));
  return (owner?.fields ?? [])
    .filter(({ jsonName }) => {
      const key = node === undefined ? undefined : propertyOf(node, jsonName)?.children?.[0];
      return key === undefined || key.offset === span.start;
    })
    .map((field) =>
      item(cursor, span, {
        label: field.jsonName,
        detail: fieldLabel(field),
        kind: CompletionItemKind.Field,
        text: hasColon ? `"${field.jsonName}"` : `"${field.jsonName}": ${valueSnippet(field)}`,
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
      return `"\${1|${type.description.values.map(({ name }) => name).join(',')}|}"`;
    case 'scalar':
      if (type.name === 'bool') return '${1|true,false|}';
      return /^u?int/.test(type.name) ? '${1:0}' : '"$1"';
  }
}

/** What a field takes, in markdown. */
export function messageHover(block: Block, place: BodyPlace): string | undefined {
  const root = messageOfBlock(block);
  const field = root === undefined ? undefined : fieldAt(root, place.path);
  if (field === undefined) return undefined;
  const lines = [`\`${field.jsonName}\`: \`${fieldLabel(field)}\`, field ${field.number} of \`${field.parent.name}\``];
  if (field.oneof !== undefined) {
    const names = field.parent.fields
      .filter(({ oneof }) => oneof === field.oneof)
      .map(({ jsonName }) => `\`${jsonName}\``);
    if (names.length > 1) lines.push(`Only one of ${names.join(', ')}.`);
  }
  if (field.type.kind === 'enum')
    lines.push(field.type.description.values.map(({ name, number }) => `- \`${name}\` (${number})`).join('\n'));
  return lines.join('\n\n');
}
