// Regular expressions that always end: `matches` runs patterns of a file over answers from outside, and a backtracking
// engine can be made to hang by either. This one walks the text once with a set of states; it has no look-around and no
// back-references, which cannot be done that way.
import { parsePattern } from './patternSyntax';
import type { PatternNode } from './patternSyntax';
import { Unchecked, type Work } from './work';

/** Longest pattern, in UTF-16 units. */
export const MAX_PATTERN = 1_000;
/** Longest text that is searched, in UTF-16 units. */
export const MAX_SUBJECT = 1_000_000;
/** Most states; counted repeats multiply them. */
const MAX_STATES = 4_000;

type Instruction =
  | { readonly kind: 'set'; readonly accepts: (code: number) => boolean; readonly next: number }
  | { readonly kind: 'split'; readonly next: number; readonly other: number }
  | { readonly kind: 'assert'; readonly holds: (before: number, after: number) => boolean; readonly next: number }
  | { readonly kind: 'match' };

export type MatchOutcome = 'match' | 'noMatch' | 'tooMuchWork';

export interface Pattern {
  readonly states: number;
  /** Whether the pattern matches anywhere in the text; each character costs a step for each state. */
  search(text: string, work: Work): MatchOutcome;
}

export type PatternResult =
  | { readonly ok: true; readonly pattern: Pattern }
  | { readonly ok: false; readonly reason: string };

/** Reads a pattern in the syntax of JavaScript without look-around, back-references and `\p`. Never throws. */
export function compilePattern(source: string): PatternResult {
  if (source.length > MAX_PATTERN) return { ok: false, reason: `A pattern has at most ${MAX_PATTERN} characters` };
  const parsed = parsePattern(source);
  if (!parsed.ok) return parsed;
  const program = new Program();
  const start = program.emit(parsed.node, program.add({ kind: 'match' }));
  if (start === undefined) return { ok: false, reason: 'The repeats of the pattern multiply beyond its bound' };
  const { instructions } = program;
  const { length: states } = instructions;
  return {
    ok: true,
    pattern: { states, search: (text, work) => search({ program: instructions, start }, text, work) },
  };
}

/** A test of texts, which counts its work and throws Unchecked. Throws Unchecked where there is no such pattern. */
export function testOf(source: string, work: Work): (text: string) => boolean {
  const compiled = compilePattern(source);
  if (!compiled.ok) throw new Unchecked(`the pattern ${JSON.stringify(source)} cannot be used: ${compiled.reason}`);
  const { pattern } = compiled;
  work.spend(pattern.states);
  return (text) => {
    const outcome = pattern.search(text, work);
    return outcome === 'tooMuchWork' ? work.exceed() : outcome === 'match';
  };
}

/** Builds from the end to the start, so that every instruction knows its successor; only loops are set afterwards. */
class Program {
  readonly instructions: Instruction[] = [];

  add(instruction: Instruction): number {
    return this.instructions.push(instruction) - 1;
  }

  /** The first instruction of `node` followed by `next`; undefined above the bound. */
  emit(node: PatternNode, next: number): number | undefined {
    if (this.instructions.length > MAX_STATES) return undefined;
    switch (node.kind) {
      case 'empty':
        return next;
      case 'set':
        return this.add({ kind: 'set', accepts: node.accepts, next });
      case 'assert':
        return this.add({ kind: 'assert', holds: node.holds, next });
      case 'sequence':
        return node.items.reduceRight<number | undefined>(
          (after, item) => (after === undefined ? undefined : this.emit(item, after)),
          next,
        );
      case 'either': {
        const starts = node.items.map((item) => this.emit(item, next));
        return starts.reduceRight((other, start) =>
          start === undefined || other === undefined ? undefined : this.add({ kind: 'split', next: start, other }),
        );
      }
      case 'repeat':
        return this.#repeat(node.item, node.min, node.max, next);
    }
  }

  #repeat(item: PatternNode, min: number, max: number, next: number): number | undefined {
    let start: number | undefined = next;
    if (max === Infinity) {
      const loop = this.add({ kind: 'match' });
      const body = this.emit(item, loop);
      if (body === undefined) return undefined;
      this.instructions[loop] = { kind: 'split', next: body, other: next };
      start = loop;
    } else {
      for (let i = min; i < max && start !== undefined; i++) {
        const body = this.emit(item, start);
        start = body === undefined ? undefined : this.add({ kind: 'split', next: body, other: next });
      }
    }
    for (let i = 0; i < min && start !== undefined; i++) start = this.emit(item, start);
    return start;
  }
}

/** Code units before the start and after the end of the text. */
const NOTHING = -1;

interface Searched {
  readonly program: readonly Instruction[];
  readonly start: number;
}

function search(searched: Searched, text: string, work: Work): MatchOutcome {
  if (text.length > MAX_SUBJECT) return 'tooMuchWork';
  const steps = { left: work.left };
  const outcome = walk(searched, text, steps);
  work.takes(work.left - steps.left);
  return outcome;
}

/** Counts its steps; ends where none is left. */
function walk({ program, start }: Searched, text: string, steps: { left: number }): MatchOutcome {
  // The position (plus one) at which a state was last entered: a state is entered once per position.
  const entered = new Int32Array(program.length);
  let states: number[] = [];
  const pending: number[] = [];

  for (let at = 0; at <= text.length; at++) {
    const before = at === 0 ? NOTHING : text.charCodeAt(at - 1);
    const after = at === text.length ? NOTHING : text.charCodeAt(at);
    const following: number[] = [];
    pending.length = 0;
    for (let i = states.length - 1; i >= 0; i--) pending.push(states[i] ?? start);
    pending.push(start);
    for (let state = pending.pop(); state !== undefined; state = pending.pop()) {
      if (entered[state] === at + 1) continue;
      entered[state] = at + 1;
      if (steps.left-- === 0) return 'tooMuchWork';
      const instruction = program[state];
      if (instruction === undefined) continue;
      switch (instruction.kind) {
        case 'match':
          return 'match';
        case 'split':
          pending.push(instruction.other, instruction.next);
          break;
        case 'assert':
          if (instruction.holds(before, after)) pending.push(instruction.next);
          break;
        case 'set':
          if (after !== NOTHING && instruction.accepts(after)) following.push(instruction.next);
          break;
      }
    }
    states = following;
  }
  return 'noMatch';
}
