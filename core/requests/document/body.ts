// Reads a JSON body: where it ends, whether it is JSON with comments, and what to report where it is not. Never throws,
// never looks past the block. A strict body costs one JSON.parse; only the rest is read token by token.
import { parseTree, type Node } from 'jsonc-parser';
import { jsonOf, MAX_DEPTH, parseJson, type JsonValue } from '../../solana/json/json';
import { scanBody, type Scan } from './bodyScan';
import { replaced } from './lines';
import type { Body, Problem, Span } from './model';

/** The body, its problems, and the `{{x}}` outside strings. */
export interface BodyReading {
  readonly body: Body;
  readonly problems: readonly Problem[];
  readonly bare: readonly Span[];
  /** False where the block ended before the body did. */
  readonly closed: boolean;
}

/** Where a body begins in the text of a block. */
export interface BodyStart {
  readonly text: string;
  readonly lineStarts: readonly number[];
  readonly line: number;
  readonly start: number;
}

/**
 * Reads the body that begins at a place. `lookAhead` allows a body that something foreign
 * interrupts to be continued after it; a caller reads with it once per block, which keeps the work linear.
 */
export function readBody(place: BodyStart, lookAhead: boolean): BodyReading {
  const { text, start } = place;
  if (lookAhead) {
    const strict = readStrict(place);
    if (strict !== undefined) return strict;
  }
  const scan = scanBody(text, start, MAX_DEPTH, lookAhead);
  const faults = scan.syntaxError === undefined ? scan.misplaced : [...scan.misplaced, scan.syntaxError];
  const problems = [...faults, ...scan.hints];
  const body = new LooseBody({ start, end: scan.end }, text[start] === '[', scan, text);
  return { body, problems, bare: scan.bare, closed: scan.closed };
}

/** The common case: strict JSON up to the first line that cannot belong to a body. */
function readStrict({ text, lineStarts, line, start }: BodyStart): BodyReading | undefined {
  let end = text.length;
  for (let next = line + 1; next < lineStarts.length; next++) {
    const at = lineStarts[next] ?? 0;
    const code = text.charCodeAt(at);
    // "?", ">", "#", "/", an empty line.
    if (code === 63 || code === 62 || code === 35 || code === 47 || code === 10 || Number.isNaN(code)) {
      end = at;
      break;
    }
  }
  while (end > start && text.charCodeAt(end - 1) <= 32) end--;
  const slice = text.slice(start, end);
  const value = slice.endsWith(text[start] === '[' ? ']' : '}') ? jsonOf(slice) : undefined;
  if (value === undefined) return undefined;
  return { body: new StrictBody({ start, end }, slice, value), problems: [], bare: [], closed: true };
}

class StrictBody implements Body {
  readonly valid = true;
  readonly isBatch: boolean;
  // Hidden from a printed or compared block: they are caches.
  readonly #parsed: JsonValue;
  #node: Node | undefined;

  constructor(
    readonly span: Span,
    readonly text: string,
    parsed: JsonValue,
  ) {
    this.#parsed = parsed;
    this.isBatch = text.startsWith('[');
  }

  value(): JsonValue {
    return this.#parsed;
  }

  tree(): Node | undefined {
    this.#node ??= treeOf(this.text, this.span.start);
    return this.#node;
  }
}

class LooseBody implements Body {
  readonly valid: boolean;
  readonly #scan: Scan;
  readonly #source: string;
  #plain: string | undefined;
  #parsed: JsonValue | undefined;
  #node: Node | undefined;

  constructor(
    readonly span: Span,
    readonly isBatch: boolean,
    scan: Scan,
    source: string,
  ) {
    this.valid = scan.syntaxError === undefined && scan.misplaced.length === 0;
    this.#scan = scan;
    this.#source = source;
  }

  get text(): string {
    const { start, end } = this.span;
    this.#plain ??= replaced(this.#source.slice(start, end), this.#scan.droppable, blank, start);
    return this.#plain;
  }

  value(): JsonValue | undefined {
    if (!this.valid) return undefined;
    this.#parsed ??= parseJson(this.#withBare((reference) => JSON.stringify(reference)));
    return this.#parsed;
  }

  tree(): Node | undefined {
    if (this.#scan.tooDeep) return undefined;
    this.#node ??= treeOf(this.#withBare(masked), this.span.start);
    return this.#node;
  }

  /** With the bare references as `write` gives them. */
  #withBare(write: (reference: string) => string): string {
    return replaced(this.text, this.#scan.bare, write, this.span.start);
  }
}

/** A bare reference as a string of the same length, so that every offset stays. */
const masked = (reference: string): string => `"${reference.slice(1, -1).replace(/["\\\t]/g, ' ')}"`;

const blank = (text: string): string => ' '.repeat(text.length);

/** jsonc-parser counts from the start of its text: blanks in front bring the offsets to those of the block. */
function treeOf(text: string, start: number): Node | undefined {
  return parseTree(' '.repeat(start) + text, [], { allowTrailingComma: true });
}
