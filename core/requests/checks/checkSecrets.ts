// Finds keys written into a file: headers, URL parameters, body members, and variables used as one of these.
import { knownText } from '../document/variables/evaluate';
import type { Block, Problem, Span, Variable } from '../document/model';
import { KEY_MEMBER, namesKey } from '../../service/keys/keyNames';
import { keysInUrl, type KeyInUrl } from '../../service/providers/keyPlaces';
import { contentsOf } from '../document/variables/dependencies';
import { piecesOf, type Piece } from '../document/variables/template';
import type { Scope } from '../document/variables/variables';
import { nodesIn, nodeSpan } from '../document/call';
import { problem, type FixData } from './problem';

const SCHEME = /^\s*(?:Bearer|Basic|Token)(?=\s|$)/i;
const MESSAGE = 'This file contains a key. Move it to secret storage, or use a variable from outside the file.';

const IN_URL =
  'A key does not go into a URL, out of a variable neither: `run` refuses it. Write {key} in its place, and store the key for this host.';

/** A place that may hold a key: its text, and where that is in the block. */
interface Candidate {
  readonly text: string;
  readonly span: Span;
  /** Where it is part of a URL. */
  readonly kind?: KeyInUrl['kind'];
}

/**
 * The literal keys of a block and of its variables, and the variables of this file that hold one because the block uses
 * them so; undefined where there can be none. `isInVariable`: its URL has a key that is reported at a variable.
 */
export function secretsOf(
  scope: Scope,
  block: Block,
): { problems: Problem[]; variables: Map<Variable, Block>; isInVariable: boolean } | undefined {
  const { headers, requestLine, body } = block;
  const inVariables = block.variables.flatMap(keysOfVariable);
  const problems = inVariables.map(({ kind, span }) => problem('secret-in-file', IN_URL, span, placeFix(kind, span)));
  const isPlain = headers.length === 0 && requestLine === undefined && body?.text.includes(KEY_MEMBER) !== true;
  if (isPlain && problems.length === 0) return undefined;
  const variables = new Map<Variable, Block>();
  for (const name of inVariables.flatMap(({ text }) => piecesOf(text).flatMap(variablesIn)))
    literalVariables(scope, block, name, variables);
  for (const { text, span, kind } of candidates(block)) {
    const pieces = piecesOf(text.replace(SCHEME, '').trim());
    if (pieces.some(isLiteral)) {
      problems.push(problem('secret-in-file', MESSAGE, span));
      continue;
    }
    if (kind !== undefined) problems.push(problem('secret-in-file', IN_URL, span, placeFix(kind, span)));
    for (const name of pieces.flatMap(variablesIn)) literalVariables(scope, block, name, variables);
  }
  const isInVariable = usesKeyOfVariable(scope, block);
  if (problems.length === 0 && !isInVariable) problems.push(...filledUrl(scope, block));
  return { problems, variables, isInVariable };
}

/**
 * Keys in the URL that a variable is. A path of an unknown host may be the address of something else: that counts where the
 * URL is used.
 */
function keysOfVariable({ value: { text, span } }: Variable): (Candidate & { readonly kind: KeyInUrl['kind'] })[] {
  const [, quote = '', url = ''] = /^("?)([a-z]+:\/\/[^"]*)/i.exec(text) ?? [];
  return keysIn(url, span.start + quote.length, 0, () => false);
}

/** Whether the URL of a block is made of a variable of this file that holds a key, where that is reported. */
function usesKeyOfVariable(scope: Scope, block: Block): boolean {
  const url = block.requestLine?.url;
  if (url?.text.includes('{{') !== true) return false;
  return piecesOf(url.text)
    .flatMap(variablesIn)
    .some((name) => variablesFrom(scope, block, name).some(({ variable }) => keysOfVariable(variable).length > 0));
}

/** `{key}` in its place; a user name has none. */
const placeFix = (kind: KeyInUrl['kind'] | 'url', span: Span): FixData => ({
  kind: 'rename',
  span,
  names: kind === 'query' || kind === 'path' ? ['{key}'] : [],
});

/** A URL that holds a key once its variables are filled in, as far as the file knows them. */
function filledUrl(scope: Scope, block: Block): Problem[] {
  const url = block.requestLine?.url;
  if (url?.text.includes('{{') !== true) return [];
  const text = knownText({ scope, block }, url.text);
  if (text === undefined || keysInUrl(text).length === 0) return [];
  return [problem('secret-in-file', IN_URL, url.span, placeFix('url', url.span))];
}

/** The problem of a variable that is used as a key and holds one. */
export const literalKey = (variable: Variable): Problem => problem('secret-in-file', MESSAGE, variable.value.span);

/** Text that is written out; the default of a variable is. */
function isLiteral(piece: Piece): boolean {
  if (piece.kind === 'text') return piece.text.trim() !== '';
  const fallback = piece.content.kind === 'computed' ? piece.content.fallback : undefined;
  return fallback !== undefined && fallback !== null && fallback !== '';
}

function variablesIn(piece: Piece): readonly string[] {
  if (piece.kind === 'text') return [];
  return contentsOf(piece.content).flatMap((content) => (content.kind === 'variable' ? [content.name] : []));
}

/** Follows a variable to the one whose value is written out. */
function literalVariables(scope: Scope, block: Block, name: string, found: Map<Variable, Block>): void {
  for (const { variable, owner, pieces } of variablesFrom(scope, block, name))
    if (pieces.some(isLiteral)) found.set(variable, owner);
}

/** A variable of this file and those that it is made of, with the pieces of their values. */
function variablesFrom(scope: Scope, block: Block, name: string) {
  const found: { readonly variable: Variable; readonly owner: Block; readonly pieces: readonly Piece[] }[] = [];
  const pending = [{ block, name }];
  const seen = new Set<Variable>();
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const meaning = scope.meaningOf(next.block, { kind: 'variable', name: next.name });
    // Another file's variable is reported where that file is checked.
    if (meaning.kind !== 'variable' || meaning.scope !== scope || seen.has(meaning.origin.variable)) continue;
    const { variable, block: owner } = meaning.origin;
    seen.add(variable);
    const text = typeof variable.json === 'string' ? variable.json : variable.value.text;
    const pieces = piecesOf(text.replace(SCHEME, '').trim());
    found.push({ variable, owner, pieces });
    for (const inner of pieces.flatMap(variablesIn)) pending.push({ block: owner, name: inner });
  }
  return found;
}

function candidates(block: Block): readonly Candidate[] {
  return [...headerKeys(block), ...urlKeys(block), ...bodyKeys(block)];
}

function headerKeys({ headers }: Block): Candidate[] {
  return headers.filter((header) => namesKey(header.name.text, 'header')).map((header) => header.value);
}

/** The parts of a URL that `run` refuses, with their places. */
function urlKeys({ requestLine }: Block): Candidate[] {
  const { url, query } = requestLine ?? {};
  const inUrl = url === undefined ? [] : keysIn(url.text, url.span.start);
  // The query behind a gRPC path belongs to the same address.
  const before = `${url?.text ?? ''}?`;
  return query === undefined
    ? inUrl
    : [...inUrl, ...keysIn(`${before}${query.text}`, query.span.start - before.length, before.length)];
}

const keysIn = (text: string, offset: number, from = 0, guess?: (segment: string) => boolean) =>
  keysInUrl(text, guess)
    .filter(({ start }) => start >= from)
    .map(({ text: own, start, end, kind }) => {
      const found = { start: offset + start, end: offset + (kind === 'user' ? end - 1 : end) };
      return { text: own, span: found, kind };
    });

function bodyKeys({ body }: Block): Candidate[] {
  if (body?.text.includes(KEY_MEMBER) !== true) return [];
  return [...nodesIn(body.tree())].flatMap(({ type, children: [key, value] = [] }) => {
    const isText = value?.type === 'string' || value?.type === 'number';
    return type === 'property' && key?.value === KEY_MEMBER && isText
      ? [{ text: String(value.value), span: nodeSpan(value) }]
      : [];
  });
}
