// Which requests must have run before a block can: through its own references and through the variables they use.
import type { Block, Reference, ReferenceContent, RequestDocument, Variable } from './model';
import { isJsonArray, isJsonObject, type JsonValue } from '../values/json';
import { piecesOf } from './template';
import { Scope, type NamedRequest } from './variables';

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
function isAfterwards(reference: Reference): boolean {
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

/** The requests of one file that wait for themselves through others: each is in at least one circle. */
export function requestsInCycles(scope: Scope): ReadonlySet<Block> {
  const edges = new Map<Block, Block[]>();
  for (const { placed } of scope.requests.values()) {
    if (placed.block.references.length === 0) continue;
    const targets = dependenciesOf(scope, placed.block).map((request) => request.placed.block);
    if (targets.length > 0) edges.set(placed.block, targets);
  }
  return blocksInCycles(edges);
}

/** Tarjan's strongly connected components, with an explicit stack: a chain of any length is fine. */
function blocksInCycles(edges: ReadonlyMap<Block, readonly Block[]>): ReadonlySet<Block> {
  const cyclic = new Set<Block>();
  const state = new Map<Block, { readonly index: number; low: number; open: boolean }>();
  const component: Block[] = [];
  for (const root of edges.keys()) {
    if (state.has(root)) continue;
    const path: { readonly block: Block; next: number }[] = [];
    const enter = (block: Block): void => {
      state.set(block, { index: state.size, low: state.size, open: true });
      component.push(block);
      path.push({ block, next: 0 });
    };
    enter(root);
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const own = state.get(top.block);
      if (own === undefined) break;
      const target = edges.get(top.block)?.[top.next++];
      if (target !== undefined) {
        const seen = state.get(target);
        if (seen === undefined) enter(target);
        else if (seen.open) own.low = Math.min(own.low, seen.index);
        if (target === top.block) cyclic.add(target);
        continue;
      }
      path.pop();
      const parent = path.at(-1);
      const parentState = parent === undefined ? undefined : state.get(parent.block);
      if (parentState !== undefined) parentState.low = Math.min(parentState.low, own.low);
      if (own.low !== own.index) continue;
      const members = component.splice(component.lastIndexOf(top.block));
      for (const member of members) {
        const memberState = state.get(member);
        if (memberState !== undefined) memberState.open = false;
        if (members.length > 1) cyclic.add(member);
      }
    }
  }
  return cyclic;
}

/** The scope of a document; one per analysis, handed to everything that asks about names. */
export function scopeOf(document: RequestDocument, surroundings: Scope['surroundings'] = {}): Scope {
  return new Scope(document, surroundings);
}
