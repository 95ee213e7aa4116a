// Which requests must have run before a block can: through its own references and through the variables they use.
import type { Block, Reference, ReferenceContent, RequestDocument, Variable } from './model';
import { isJsonArray, isJsonObject, type JsonValue } from '../values/json/json';
import { piecesOf } from './template';
import { Scope, type NamedRequest, type Surroundings } from './variables';

/**
 * The requests whose responses `block` reads, each once, in the order they are first named. A block that reads its own
 * response in an assertion depends on nothing by that.
 */
export function dependenciesOf(scope: Scope, block: Block): NamedRequest[] {
  const found = new Map<Block, NamedRequest>();
  const visited = new Set<Variable>();
  for (const reference of block.references) {
    // A variable's own references count where the variable is used.
    if (reference.place === 'variable') continue;
    for (const request of requestsOf(scope, block, reference.content, visited)) {
      const isOwn = request.placed.block === block;
      if (!(isOwn && isAfterwards(reference))) found.set(request.placed.block, request);
    }
  }
  return [...found.values()];
}

/** References that are read when the response is there. */
export function isAfterwards(reference: Reference): boolean {
  return reference.place === 'assertion' || reference.place === 'redirect' || reference.place === 'retry';
}

/** The requests one reference leads to, through any chain of variables. */
function requestsOf(
  scope: Scope,
  block: Block | undefined,
  content: ReferenceContent,
  visited: Set<Variable>,
): NamedRequest[] {
  const found: NamedRequest[] = [];
  const pending = [{ scope, block, content }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const meaning = next.scope.meaningOf(next.block, next.content);
    if (meaning.kind === 'dynamic' && meaning.dynamic.kind === 'response') found.push(meaning.dynamic.request);
    if (meaning.kind !== 'variable' || visited.has(meaning.origin.variable)) continue;
    visited.add(meaning.origin.variable);
    for (const inner of contentsIn(meaning.origin.variable.json))
      pending.push({ scope: meaning.scope, block: meaning.origin.block, content: inner });
  }
  return found;
}

/** The references in every string of a value. */
export function contentsIn(value: JsonValue): ReferenceContent[] {
  if (typeof value === 'string') {
    if (!value.includes('{{')) return [];
    return piecesOf(value).flatMap((piece) => (piece.kind === 'reference' ? [piece.content] : []));
  }
  if (isJsonArray(value)) return value.flatMap(contentsIn);
  return isJsonObject(value) ? Object.values(value).flatMap(contentsIn) : [];
}

/** The scope of a document; one per analysis, handed to everything that asks about names. */
export function scopeOf(document: RequestDocument, surroundings: Surroundings = {}): Scope {
  return new Scope(document, surroundings);
}
