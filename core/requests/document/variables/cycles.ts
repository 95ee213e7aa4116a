// References that lead back to themselves: variables through variables, requests through each other's responses.
import { mayHold } from '../chunk';
import { contentsIn, isAfterwards } from './dependencies';
import type { Block, ReferenceContent, Variable } from '../model';
import type { Scope } from './variables';

/** A request depends on what its references name; a variable, on the references in its value. */
type Knot = Block | Variable;

interface Entry {
  readonly index: number;
  low: number;
  open: boolean;
}

/** Which knots reach themselves, and which of them reach each other (they share a number). */
export type Circles = ReadonlyMap<Knot, number>;

const isBlock = (knot: Knot): knot is Block => 'kind' in knot;

/** The circles of a file. Tarjan's components with an explicit stack: a chain of any length is fine. */
export function findCircles(scope: Scope): Circles {
  return new CircleFinder(scope).run();
}

/** The target of a reference in `block`, if it can be part of a circle. */
export function referenceTarget(scope: Scope, block: Block | undefined, content: ReferenceContent): Knot | undefined {
  const meaning = scope.meaningOf(block, content);
  if (meaning.kind === 'variable') return meaning.origin.variable;
  return meaning.kind === 'dynamic' && meaning.dynamic.kind === 'response'
    ? meaning.dynamic.request.placed.block
    : undefined;
}

class CircleFinder {
  readonly #entries = new Map<Knot, Entry>();
  readonly #places = new Map<Knot, { readonly scope: Scope; readonly block: Block }>();
  readonly #component: Knot[] = [];
  readonly #circles = new Map<Knot, number>();

  constructor(private readonly scope: Scope) {}

  run(): Circles {
    for (const chunk of this.scope.document.chunks) {
      if (!mayHold(chunk, '{{')) continue;
      for (const block of chunk.blocks) if (block.references.length > 0) this.#start(block);
    }
    return this.#circles;
  }

  #start(block: Block): void {
    const isRead = block.settings.name !== undefined || block.settings.captures.length > 0;
    for (const knot of [...block.variables, ...(isRead ? [block] : [])]) {
      this.#places.set(knot, { scope: this.scope, block });
      if (!this.#entries.has(knot)) this.#explore(knot);
    }
  }

  #explore(root: Knot): void {
    const path: { readonly knot: Knot; readonly targets: readonly Knot[]; next: number }[] = [];
    const enter = (knot: Knot): void => {
      const index = this.#entries.size;
      this.#entries.set(knot, { index, low: index, open: true });
      this.#component.push(knot);
      path.push({ knot, targets: this.#targets(knot), next: 0 });
    };
    enter(root);
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const own = this.#entries.get(top.knot);
      const target = top.targets[top.next++];
      if (own === undefined) return;
      if (target === undefined) {
        path.pop();
        const parent = path.at(-1);
        const above = parent === undefined ? undefined : this.#entries.get(parent.knot);
        if (above !== undefined) above.low = Math.min(above.low, own.low);
        if (own.low === own.index) this.#close(top.knot, own.index);
        continue;
      }
      const seen = this.#entries.get(target);
      if (target === top.knot) this.#circles.set(target, own.index);
      if (seen === undefined) enter(target);
      else if (seen.open) own.low = Math.min(own.low, seen.index);
    }
  }

  #close(knot: Knot, circle: number): void {
    const members = this.#component.splice(this.#component.lastIndexOf(knot));
    for (const member of members) {
      const entry = this.#entries.get(member);
      if (entry !== undefined) entry.open = false;
      if (members.length > 1) this.#circles.set(member, circle);
    }
  }

  #targets(knot: Knot): Knot[] {
    const place = this.#places.get(knot);
    if (place === undefined) return [];
    const contents = isBlock(knot)
      ? knot.references
          .filter(
            (reference) =>
              reference.place !== 'variable' && !(isAfterwards(reference) && this.#isOwn(knot, reference.content)),
          )
          .map((reference) => reference.content)
      : contentsIn(knot.json);
    return contents.flatMap((content): Knot[] => {
      const meaning = place.scope.meaningOf(place.block, content);
      if (meaning.kind === 'variable') {
        const { variable, block } = meaning.origin;
        this.#places.set(variable, { scope: meaning.scope, block });
        return [variable];
      }
      if (meaning.kind !== 'dynamic' || meaning.dynamic.kind !== 'response') return [];
      const { placed, document } = meaning.dynamic.request;
      // A request of an imported file is read with that file's names.
      const owner = [this.scope, ...this.scope.imported()].find((scope) => scope.document === document);
      if (owner !== undefined) this.#places.set(placed.block, { scope: owner, block: placed.block });
      return [placed.block];
    });
  }

  #isOwn(block: Block, content: ReferenceContent): boolean {
    const scope = this.#places.get(block)?.scope ?? this.scope;
    return referenceTarget(scope, block, content) === block;
  }
}
