// Semantic tokens beyond the TextMate grammar: existing methods, names, references and helpers.
import { positionAt } from '../../document/lines';
import type { Block, Range, Reference, ReferenceContent, RequestDocument, Span } from '../../document/model';
import type { Scope } from '../../document/variables/variables';
import { removedMethodNamed, type MethodTable } from '../../methods';
import { methodsOf } from '../../document/packs';
import { isJsonArray } from '../../../solana/json/json';
import { partPlace, nodeSpan } from '../../document/call';
import { callsIn, methodOf } from '../../../solana/json/calls';

export const TOKEN_TYPES = ['keyword', 'decorator', 'variable', 'function', 'macro', 'method', 'namespace'] as const;
export const TOKEN_MODIFIERS = ['declaration', 'deprecated', 'defaultLibrary'] as const;

type TokenType = (typeof TOKEN_TYPES)[number];
type Modifier = (typeof TOKEN_MODIFIERS)[number];

interface SemanticToken {
  readonly span: Span;
  readonly type: TokenType;
  readonly modifier?: Modifier;
  /** A reference without a path: a variable, or the whole response of a request. */
  readonly content?: ReferenceContent;
}

/** The tokens of a file, or of the blocks that `range` touches, in LSP's relative form. */
export function tokensOf(document: RequestDocument, scope: Scope, range?: Range): number[] {
  const data: number[] = [];
  const methods = methodsOf(scope.surroundings);
  let line = 0;
  let character = 0;
  for (const placed of document.blocks) {
    if (range !== undefined && placed.line > range.end.line) break;
    if (range !== undefined && placed.line + placed.block.lineStarts.length <= range.start.line) continue;
    for (const { span, type: usual, modifier, content } of blockTokens(placed.block, methods)) {
      const at = positionAt(placed, span.start);
      const type = content !== undefined && isResponse(scope, placed.block, content) ? 'function' : usual;
      const bits = modifier === undefined ? 0 : 1 << TOKEN_MODIFIERS.indexOf(modifier);
      const column = at.line === line ? at.character - character : at.character;
      data.push(at.line - line, column, span.end - span.start, TOKEN_TYPES.indexOf(type), bits);
      ({ line, character } = at);
    }
  }
  return data;
}

function isResponse(scope: Scope, block: Block, content: ReferenceContent): boolean {
  const meaning = scope.meaningOf(block, content);
  return meaning.kind === 'dynamic' && meaning.dynamic.kind === 'response';
}

const known = new WeakMap<Block, { readonly methods: MethodTable; readonly tokens: readonly SemanticToken[] }>();

/** In the order of the text; none overlaps another. */
function blockTokens(block: Block, methods: MethodTable): readonly SemanticToken[] {
  const kept = known.get(block);
  if (kept?.methods === methods) return kept.tokens;
  const all = [...headTokens(block), ...block.references.map(referenceToken), ...methodTokens(block, methods)];
  all.sort((a, b) => a.span.start - b.span.start);
  const tokens = all.filter((token, index) => {
    const before = all[index - 1];
    return token.span.end > token.span.start && (before === undefined || before.span.end <= token.span.start);
  });
  known.set(block, { methods, tokens });
  return tokens;
}

function headTokens({ directives, variables, settings, requestLine }: Block): SemanticToken[] {
  const tokens: SemanticToken[] = [
    ...directives.map(({ span, name }) => ({
      span: { start: span.start, end: name.span.end },
      type: 'decorator' as const,
    })),
    ...variables.map(({ name }) => ({ span: name.span, type: 'variable' as const, modifier: 'declaration' as const })),
  ];
  if (settings.name !== undefined) tokens.push({ span: settings.name.span, type: 'function', modifier: 'declaration' });
  if (requestLine === undefined) return tokens;
  tokens.push({ span: requestLine.keyword.span, type: 'keyword' });
  if (requestLine.service !== undefined) tokens.push({ span: requestLine.service.span, type: 'namespace' });
  if (requestLine.method !== undefined) tokens.push({ span: requestLine.method.span, type: 'method' });
  return tokens;
}

/** The name inside the braces; all of a reference that names nothing. */
function referenceToken({ span, content, isOperand }: Reference): SemanticToken {
  const inner = isOperand === true ? span : { start: span.start + 2, end: span.end - 2 };
  switch (content.kind) {
    case 'variable':
      return { span: inner, type: 'variable', content };
    case 'response':
      return { span: inner, type: 'function' };
    case 'helper':
      return { span: inner, type: 'macro' };
    // The names in an expression have separate tokens.
    case 'computed':
    case 'invalid':
      return { span: { start: inner.start, end: inner.start }, type: 'variable' };
  }
}

function methodTokens({ body, requestLine }: Block, methods: MethodTable): SemanticToken[] {
  const value = body?.value();
  if (body === undefined || value === undefined || requestLine?.transport === 'GRPC') return [];
  return callsIn(value).flatMap((call): SemanticToken[] => {
    const name = methodOf(call.request) ?? '';
    const isRemoved = removedMethodNamed(name) !== undefined;
    if (!isRemoved && methods.named(name) === undefined) return [];
    const node = partPlace(body, isJsonArray(value) ? call : { index: undefined }, ['method'])?.node;
    if (node === undefined) return [];
    const { start, end } = nodeSpan(node);
    const span = { start: start + 1, end: end - 1 };
    return [{ span, type: 'method', modifier: isRemoved ? 'deprecated' : 'defaultLibrary' }];
  });
}
