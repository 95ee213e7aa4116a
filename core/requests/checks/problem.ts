// A diagnostic before it has a place in the file, and the facts its quick fixes need.
import { wholeLines } from '../document/lines';
import type { Block, Edit, PlacedBlock, Position, Problem, Span } from '../document/model';
import type { CallPath } from '../document/call';
import type { Fix } from '../methods/problems';
import type { ParamSpec } from '../methods/types';
import { CODES, type Code } from '../diagnostics/codes';

/** A problem and the block it is in. */
export interface PlacedProblem {
  readonly placed: PlacedBlock;
  readonly problem: Problem;
}

/** A way to mend a problem: what the editor shows, and the edits within the block. */
export interface Mend {
  readonly title: string;
  /** For more than an edit: a command of the client, called with the file, the range and the edits, never the text. */
  readonly command?: string;
  readonly edits: readonly Edit[];
  /** A text to add elsewhere in the file. */
  readonly elsewhere?: { readonly at: Position; readonly text: string };
}

/** Facts for fixing a problem. Spans are of the block. */
export type FixData =
  /** A problem of a call: the method check's own fixes; `index` is the call's place in a batch. */
  | {
      readonly kind: 'call';
      readonly index: number | undefined;
      readonly path: CallPath;
      readonly fixes: readonly Fix[];
    }
  /** Required parameters are left out; `params`: all that the method has. */
  | { readonly kind: 'missing'; readonly index: number | undefined; readonly params: readonly ParamSpec[] }
  /** Nothing has the name at `span`: the nearest ones, best first, and where one can be declared. */
  | {
      readonly kind: 'unnamed';
      readonly span: Span;
      readonly names: readonly string[];
      readonly declare?: {
        readonly name: string;
        /** The line of the file where the variable goes. `isAlone`: no other variable is next to it. */
        readonly at: { readonly position: Position; readonly isAlone: boolean };
      };
    }
  /** Edits that are known already, best first. */
  | { readonly kind: 'edits'; readonly choices: readonly Mend[] }
  /** Texts to add outside the block, best first; `at` is a place of the file. */
  | {
      readonly kind: 'top';
      readonly at: Position;
      readonly choices: readonly { readonly title: string; readonly text: string }[];
    }
  /** The nearest names, best first, for the text at `span`; `isEverywhere`: for every use of the name as well. */
  | {
      readonly kind: 'rename';
      readonly span: Span;
      readonly names: readonly string[];
      readonly isEverywhere?: true;
    };

/** A problem with the severity of its code, unless another is given. */
export function problem(code: Code, message: string, span: Span, data?: FixData): Problem {
  const base = { code, severity: CODES[code].severity, message, span };
  return data === undefined ? base : { ...base, data };
}

/** The fix that takes away the line of a part of the block. */
export function removal({ text }: Block, span: Span): FixData {
  return {
    kind: 'edits',
    choices: [{ title: 'Remove the line', edits: [{ span: wholeLines(text, span), text: '' }] }],
  };
}
