// The shape of a file: what the outline, folding, lenses and the list of blocks show. Reads blocks, checks nothing.
import {
  FoldingRangeKind,
  SymbolKind,
  type CodeLens,
  type DocumentSymbol,
  type FoldingRange,
  type WorkspaceSymbol,
} from 'vscode-languageserver-types';
import { lastLine, positionAt, rangeOf } from '../../document/lines';
import type { Block, PlacedBlock, RequestDocument, Transport } from '../../document/model';
import { isJsonArray, member } from '../../../solana/json/json';
import type { MethodTable } from '../../methods';
import { isStream, nodesIn, transportOf } from '../../document/call';
import { methodOf } from '../../../solana/json/calls';
import { isSendTransaction } from './simulate';

/** One request of a file, as the outline and the test explorer list it. Lines are zero-based. */
export interface BlockSummary {
  readonly line: number;
  readonly endLine: number;
  readonly title: string;
  readonly name: string | null;
  readonly method: string | null;
  readonly transport: Transport | null;
  readonly assertions: number;
}

/** True for a block that a run sends: it has a body, or a GRPC line that means an empty message. */
export function isSendable(block: Block): boolean {
  return block.kind === 'request' && (block.body !== undefined || block.requestLine?.method !== undefined);
}

/** The method as a report names it: the JSON-RPC method, the gRPC path, or "batch". */
export function methodName(block: Block): string | undefined {
  const { requestLine, body } = block;
  if (requestLine?.service !== undefined && requestLine.method !== undefined)
    return `${requestLine.service.text}/${requestLine.method.text}`;
  if (body?.isBatch === true) return 'batch';
  const value = body?.value();
  return value === undefined ? undefined : methodOf(value);
}

/** Every block that can be sent, in the order of the file. */
export function blocksOf(document: RequestDocument, methods: MethodTable): BlockSummary[] {
  return document.blocks
    .filter(({ block }) => isSendable(block))
    .map((placed) => ({
      line: placed.line,
      endLine: lastLine(placed),
      title: titleOf(placed.block),
      name: placed.block.settings.name?.text ?? null,
      method: methodName(placed.block) ?? null,
      transport: transportOf(placed.block, methods),
      assertions: placed.block.assertions.length,
    }));
}

/** The title, else the name, else the method. */
function titleOf(block: Block): string {
  return block.title.text || (block.settings.name?.text ?? methodName(block) ?? '');
}

/** `Send` above each block that can be sent, `Watch` or `Simulate` where it subscribes or sends a transaction, `Copy As…`. */
export function lensesOf(document: RequestDocument, methods: MethodTable): CodeLens[] {
  return document.blocks
    .filter(({ block }) => isSendable(block))
    .flatMap(({ line, block }) => {
      const start = { line, character: 0 };
      const place = [document.uri, line];
      const lens = (title: string, command: string): CodeLens => ({
        range: { start, end: start },
        command: { title, command, arguments: place },
      });
      const send = lens('Send', 'solanaRpc.send');
      const copy = lens('Copy As…', 'solanaRpc.copyAs');
      if (isSendTransaction(block)) return [send, lens('Simulate', 'solanaRpc.simulate'), copy];
      return isStream(block, methods) === true ? [send, lens('Watch', 'solanaRpc.watch'), copy] : [send, copy];
    });
}

/** The outline: requests with their variables and the calls of a batch. */
export function symbolsOf(document: RequestDocument): DocumentSymbol[] {
  return document.blocks.flatMap((placed) => {
    const children = [...variableSymbols(placed), ...batchSymbols(placed)];
    if (placed.block.kind === 'preamble') return children;
    const text = titleOf(placed.block);
    if (text === '' && children.length === 0) return [];
    const { title } = placed.block;
    const method = methodName(placed.block);
    return [
      {
        name: text || 'request',
        ...(method === undefined ? {} : { detail: method }),
        kind: isSendable(placed.block) ? SymbolKind.Method : SymbolKind.Namespace,
        range: rangeOf(placed, { start: 0, end: placed.block.text.length }),
        selectionRange: rangeOf(placed, title.span),
        children,
      },
    ];
  });
}

/** Most symbols that one question answers. */
const MAX_SYMBOLS = 500;

/** Requests and variables whose names hold the letters of `query` in their order. */
export function workspaceSymbolsOf(documents: readonly RequestDocument[], query: string): WorkspaceSymbol[] {
  const letters = [...query.toLowerCase()];
  const matches = (name: string): boolean => {
    let at = -1;
    const text = name.toLowerCase();
    return letters.every((letter) => (at = text.indexOf(letter, at + 1)) >= 0);
  };
  const found: WorkspaceSymbol[] = [];
  for (const document of documents) {
    const pending = symbolsOf(document);
    for (let next = pending.shift(); next !== undefined && found.length < MAX_SYMBOLS; next = pending.shift()) {
      const { name, kind, selectionRange, children, detail } = next;
      pending.unshift(...(children ?? []));
      const location = { uri: document.uri, range: selectionRange };
      if (matches(name))
        found.push({ name, kind, location, ...(detail === undefined ? {} : { containerName: detail }) });
    }
  }
  return found;
}

function variableSymbols(placed: PlacedBlock): DocumentSymbol[] {
  return placed.block.variables.map(({ name, value, span }) => ({
    name: name.text,
    detail: value.text,
    kind: SymbolKind.Variable,
    range: rangeOf(placed, span),
    selectionRange: rangeOf(placed, name.span),
  }));
}

function batchSymbols(placed: PlacedBlock): DocumentSymbol[] {
  const { body } = placed.block;
  if (body?.isBatch !== true) return [];
  const value = body.value();
  return (body.tree()?.children ?? []).map((node, index) => {
    const range = rangeOf(placed, { start: node.offset, end: node.offset + node.length });
    const method = member(isJsonArray(value) ? value[index] : undefined, 'method');
    const name = typeof method === 'string' && method !== '' ? method : `[${index}]`;
    return { name, kind: SymbolKind.Method, range, selectionRange: range };
  });
}

/** Blocks, bodies over several lines, and comments over several lines. */
export function foldingOf(document: RequestDocument): FoldingRange[] {
  return document.blocks.flatMap((placed) => {
    const { block } = placed;
    const folds: FoldingRange[] = [];
    let end = lastLine(placed);
    while (end > placed.line && (document.lines[end] ?? '').trim() === '') end--;
    if (block.text.startsWith('###') && end > placed.line)
      folds.push({ startLine: placed.line, endLine: end, kind: FoldingRangeKind.Region });
    return [...folds, ...bodyFolds(placed)];
  });
}

function bodyFolds(placed: PlacedBlock): FoldingRange[] {
  const { body, text } = placed.block;
  // A body on one line folds nowhere; its tree need not be built.
  if (body === undefined || !text.slice(body.span.start, body.span.end).includes('\n')) return [];
  const folds: FoldingRange[] = [];
  for (const node of nodesIn(body.tree())) {
    if (node.type !== 'object' && node.type !== 'array') continue;
    const startLine = positionAt(placed, node.offset).line;
    // The closing bracket stays in sight.
    const endLine = positionAt(placed, node.offset + node.length).line - 1;
    if (endLine > startLine) folds.push({ startLine, endLine });
  }
  return folds.sort((a, b) => a.startLine - b.startLine);
}
