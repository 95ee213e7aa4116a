// Completion and hover in the message of a gRPC call, from the same descriptors that check it.
import type { DescField, DescMessage } from '../../proto';
import { CompletionItemKind, type CompletionItem } from 'vscode-languageserver-types';
import type { Block, Span } from '../document/model';
import { propertyOf } from './call';
import type { BodyPlace, Cursor } from './context';
import { item } from './items';
import { fieldAt, fieldLabel, messageAt, messageOf } from './message';

/** The message of a block on a GRPC line; undefined for a call that is not known. */
export function messageOfBlock({ requestLine }: Block): DescMessage | undefined {
  return requestLine?.transport === 'GRPC' ? messageOf(requestLine.method?.text ?? '') : undefined;
}

export function messageItems(cursor: Cursor, place: BodyPlace, span: Span): CompletionItem[] {
  const root = messageOfBlock(cursor.block);
  if (root === undefined) return [];
  if (place.isKey) return fieldItems(cursor, place, span, messageAt(root, place.path.slice(0, -1)));
  const field = fieldAt(root, place.path);
  if (field === undefined) return [];
  const words = field.fieldKind === 'enum' ? field.enum.values.map(({ name }) => `"${name}"`) : booleans(field);
  return words.map((text) =>
    item(cursor, span, { label: text.replaceAll('"', ''), kind: CompletionItemKind.EnumMember, text }),
  );
}

const booleans = (field: DescField): readonly string[] => (fieldLabel(field) === 'bool' ? ['true', 'false'] : []);

function fieldItems(cursor: Cursor, place: BodyPlace, span: Span, owner: DescMessage | undefined): CompletionItem[] {
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
function valueSnippet(field: DescField): string {
  switch (field.fieldKind) {
    case 'message':
      return '{ $1 }';
    case 'map':
      return '{ "${1:name}": { $2 } }';
    case 'list':
      return field.message === undefined ? '["$1"]' : '[{ $1 }]';
    case 'enum':
      return `"\${1|${field.enum.values.map(({ name }) => name).join(',')}|}"`;
    case 'scalar':
      if (fieldLabel(field) === 'bool') return '${1|true,false|}';
      return /^u?int/.test(fieldLabel(field)) ? '${1:0}' : '"$1"';
  }
}

/** What a field takes, in markdown. */
export function messageHover(block: Block, place: BodyPlace): string | undefined {
  const root = messageOfBlock(block);
  const field = root === undefined ? undefined : fieldAt(root, place.path);
  if (field === undefined) return undefined;
  const lines = [`\`${field.jsonName}\`: \`${fieldLabel(field)}\`, field ${field.number} of \`${field.parent.name}\``];
  if (field.oneof !== undefined) {
    const names = field.oneof.fields.map(({ jsonName }) => `\`${jsonName}\``);
    if (names.length > 1) lines.push(`Only one of ${names.join(', ')}.`);
  }
  if (field.enum !== undefined)
    lines.push(field.enum.values.map(({ name, number }) => `- \`${name}\` (${number})`).join('\n'));
  return lines.join('\n\n');
}
