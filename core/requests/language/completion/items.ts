// Completion items: one way to make them, for every part of the grammar.
import type { Node } from 'jsonc-parser';
import type * as lsp from 'vscode-languageserver-types';
import type { Span } from '../../document/model';
import { filterKindsOf, filterSnippet, type FilterForm } from '../../methods/filterKinds';
import type { KnownAddress } from '../../../solana/chain/addresses';
import { propertyOf } from '../../document/call';
import { lspRange, type BodyPlace, type CursorContext } from '../context';
import { CompletionItemKind, InsertTextFormat, MarkupKind } from 'vscode-languageserver-types';

export interface CompletionWords {
  readonly label: string;
  readonly kind: lsp.CompletionItemKind;
  readonly doc?: string;
  readonly detail?: string;
  readonly text?: string;
  readonly isSnippet?: true;
  /** Sort key in the list; default: the label. */
  readonly order?: string;
  /** Once accepted, the completion list opens at its tab stop. */
  readonly opensList?: true;
}

/** A command of VS Code: omitted for other editors. */
const OPEN_LIST: lsp.Command = { title: 'Suggest', command: 'editor.action.triggerSuggest' };

/** An item that replaces `span`. */
export function item(cursor: CursorContext, span: Span, words: CompletionWords): lsp.CompletionItem {
  const { label, kind, doc, detail, text = label, isSnippet, order, opensList } = words;
  return {
    label,
    kind,
    filterText: cursor.block.text[span.start] === '"' ? `"${label}` : label,
    textEdit: { range: lspRange(cursor, span), newText: text },
    ...(isSnippet === true ? { insertTextFormat: InsertTextFormat.Snippet } : {}),
    ...(detail === undefined ? {} : { detail }),
    ...(order === undefined ? {} : { sortText: order }),
    ...(opensList === undefined ? {} : { command: OPEN_LIST }),
    ...(doc === undefined ? {} : { documentation: { kind: MarkupKind.Markdown, value: doc } }),
  };
}

/** An item for each member of a table: its name, with its description and form. */
export function tableItems(
  cursor: CursorContext,
  span: Span,
  kind: lsp.CompletionItemKind,
  table: Iterable<readonly [label: string, shown: { readonly doc: string; readonly usage?: string }]>,
): lsp.CompletionItem[] {
  return [...table].map(([label, { doc, usage: detail }]) =>
    item(cursor, span, { label, doc, kind, ...(detail === undefined ? {} : { detail }) }),
  );
}

/** A key before its colon is replaced alone; a new one is inserted with its value. */
export const hasColon = (cursor: CursorContext, span: Span): boolean =>
  /^\s*:/.test(cursor.block.text.slice(span.end, cursor.lineEnd));

/** The node at a path of the body. */
export function nodeAt(root: Node | undefined, path: BodyPlace['path']): Node | undefined {
  let node = root;
  for (const step of path)
    node = typeof step === 'number' ? node?.children?.[step] : node && propertyOf(node, step)?.children?.[1];
  return node;
}

/** Found by its name as well as by its characters. */
export function addressItem(
  cursor: CursorContext,
  span: Span,
  { address, name }: Pick<KnownAddress, 'address' | 'name'>,
): lsp.CompletionItem {
  const words = { label: name, detail: address, kind: CompletionItemKind.Constant, text: `"${address}"` };
  return { ...item(cursor, span, words), filterText: `"${name} ${address}` };
}

/** Filters that find a kind of account of a program; in place of their list they come with its brackets. */
export function filterKindItems(
  cursor: CursorContext,
  span: Span,
  { program, isElement, form }: { readonly program: unknown; readonly isElement: boolean; readonly form?: FilterForm },
): lsp.CompletionItem[] {
  return filterKindsOf(typeof program === 'string' ? program : undefined).map((kind) => {
    const text = filterSnippet(kind, form);
    const words = { label: kind.label, kind: CompletionItemKind.Snippet, isSnippet: true } as const;
    return item(cursor, span, {
      ...words,
      detail: text.replace(/\$\{1:(\w+)\}/, '$1'),
      text: isElement ? text : `[${text}]`,
    });
  });
}
