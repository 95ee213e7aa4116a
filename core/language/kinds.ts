// The numbers and words of LSP that answers hold. Only these: the library that lists them all is read by the compiler
// alone, which checks each one, and is no part of what starts.
import type * as lsp from 'vscode-languageserver-types';

export const CodeActionKind = {
  QuickFix: 'quickfix',
  Source: 'source',
  SourceFixAll: 'source.fixAll',
} as const satisfies Partial<typeof lsp.CodeActionKind>;

export const CompletionItemKind = {
  Method: 2,
  Function: 3,
  Field: 5,
  Variable: 6,
  Property: 10,
  Value: 12,
  Keyword: 14,
  Snippet: 15,
  Reference: 18,
  EnumMember: 20,
  Constant: 21,
  Struct: 22,
  Operator: 24,
} as const satisfies Partial<typeof lsp.CompletionItemKind>;

export const DiagnosticSeverity = {
  Error: 1,
  Warning: 2,
  Information: 3,
  Hint: 4,
} as const satisfies typeof lsp.DiagnosticSeverity;

export const DocumentHighlightKind = { Read: 2, Write: 3 } as const satisfies Partial<typeof lsp.DocumentHighlightKind>;

export const FoldingRangeKind = { Region: 'region' } as const satisfies Partial<typeof lsp.FoldingRangeKind>;

export const InlayHintKind = { Type: 1 } as const satisfies Partial<typeof lsp.InlayHintKind>;

export const InsertTextFormat = { Snippet: 2 } as const satisfies Partial<typeof lsp.InsertTextFormat>;

export const MarkupKind = { Markdown: 'markdown' } as const satisfies Partial<typeof lsp.MarkupKind>;

export const SymbolKind = { Namespace: 3, Method: 6, Variable: 13 } as const satisfies Partial<typeof lsp.SymbolKind>;
