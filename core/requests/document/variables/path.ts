// Paths into a response: `result.value[0].pubkey`, `[two]`, `["1"]`. The same reader serves references and assertions.
import type { PathStep } from '../model';

const NAME = /[A-Za-z0-9_$-]+/y;
/** From the end where it is negative. */
const INDEX = /\[\s*(-?\d+)\s*\]/y;
const QUOTED = /\[\s*(?:"((?:[^"\\]|\\.)*)"|'([^'\\]*)')\s*\]/y;
const WORD = /\[\s*([A-Za-z_][A-Za-z0-9_-]*)\s*\]/y;

export interface PathReading {
  readonly steps: readonly PathStep[];
  /** Offset after the last step. */
  readonly end: number;
}

/**
 * Reads as many steps as there are at `start`. With `bare` the first may be a name without its dot. A number in
 * brackets is an index, or an id of a batch; a number too large to be exact is not a step.
 */
export function readPath(text: string, start: number, bare: boolean): PathReading {
  const steps: PathStep[] = [];
  let at = start;
  const match = (pattern: RegExp, from: number): RegExpExecArray | undefined => {
    pattern.lastIndex = from;
    return pattern.exec(text) ?? undefined;
  };
  for (;;) {
    const dot = text[at] === '.';
    const name = dot || (bare && at === start) ? match(NAME, dot ? at + 1 : at) : undefined;
    const bracket = name === undefined && !dot ? bracketStep(match, at) : undefined;
    if (name !== undefined) {
      steps.push(name[0]);
      at = (dot ? at + 1 : at) + name[0].length;
    } else if (bracket !== undefined) {
      steps.push(bracket.step);
      at += bracket.length;
    } else return { steps, end: at };
  }
}

function bracketStep(
  match: (pattern: RegExp, from: number) => RegExpExecArray | undefined,
  at: number,
): { step: PathStep; length: number } | undefined {
  const index = match(INDEX, at);
  if (index !== undefined) {
    const step = Number(index[1]);
    return Number.isSafeInteger(step) ? { step, length: index[0].length } : undefined;
  }
  const quoted = match(QUOTED, at);
  if (quoted !== undefined) {
    const step = quoted[2] ?? unescape(quoted[1] ?? '');
    return step === undefined ? undefined : { step, length: quoted[0].length };
  }
  const word = match(WORD, at);
  return word === undefined ? undefined : { step: word[1] ?? '', length: word[0].length };
}

function unescape(inner: string): string | undefined {
  if (!inner.includes('\\')) return inner;
  try {
    return JSON.parse(`"${inner}"`) as string;
  } catch {
    return undefined;
  }
}

/** Prints steps as they are written in a file. */
export function printPath(steps: readonly PathStep[]): string {
  return steps
    .map((step, at) => {
      if (typeof step === 'number') return `[${step}]`;
      if (/^[A-Za-z_][A-Za-z0-9_]*$/.test(step)) return at === 0 ? step : `.${step}`;
      return `[${JSON.stringify(step)}]`;
    })
    .join('');
}
