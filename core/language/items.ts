// Completion items: one way to make them, for every part of the grammar.
import type { CompletionItem, CompletionItemKind } from 'vscode-languageserver-types';
import type { Span } from '../document/model';
import { lspRange, type Cursor } from './context';
import { InsertTextFormat, MarkupKind } from './kinds';

export interface Words {
  readonly label: string;
  readonly kind: CompletionItemKind;
  readonly doc?: string;
  readonly detail?: string;
  readonly text?: string;
  readonly isSnippet?: true;
}

/** An item that replaces `span`. */
export function item(cursor: Cursor, span: Span, words: Words): CompletionItem {
  const { label, kind, doc, detail, text = label, isSnippet } = words;
  return {
    label,
    kind,
    filterText: cursor.block.text[span.start] === '"' ? `"${label}` : label,
    textEdit: { range: lspRange(cursor, span), newText: text },
    ...(isSnippet === true ? { insertTextFormat: InsertTextFormat.Snippet } : {}),
    ...(detail === undefined ? {} : { detail }),
    ...(doc === undefined ? {} : { documentation: { kind: MarkupKind.Markdown, value: doc } }),
  };
}
