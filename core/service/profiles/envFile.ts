// Files of variables as dotenv reads them: comments, quotes, escapes, values over several lines, and `${NAME}` of the same
// files. Never looks at the environment. Pure.
import { withoutMark, withPlainEnds } from '../../solana/common/textFile';
import { isKeyVariable } from '../keys/keyNames';
import { jsonOf } from '../../solana/json/json';

export interface EnvFile {
  /** In the order of the file; keys are left out. */
  readonly values: ReadonlyMap<string, string>;
  /** Variables that are left out because they refer to a variable without a value. `line`: one-based. */
  readonly unresolved: readonly { readonly line: number; readonly name: string; readonly reference: string }[];
}

const LINE = /^\s*(?:export\s+)?([A-Za-z_][A-Za-z0-9_-]*)\s*=[ \t]*/;
const PARTS = /\\([nrt"\\$])|\$\{([A-Za-z_]\w*)(?::-([^}$]*))?\}/g;
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' };

/** `known`: variables that `${NAME}` may name besides those of the text. */
export function readEnvFile(text: string, known: ReadonlyMap<string, string> = new Map()): EnvFile {
  const values = new Map<string, string>();
  const unresolved: EnvFile['unresolved'][number][] = [];
  const lines = withPlainEnds(withoutMark(text)).split('\n');
  for (let at = 0; at < lines.length; at++) {
    const line = at + 1;
    const [head, name] = LINE.exec(lines[at] ?? '') ?? [];
    if (head === undefined || name === undefined) continue;
    const quoted = quotedValue(lines, at, head.length);
    at = quoted?.last ?? at;
    if (isKeyVariable(name)) continue;
    const written = quoted?.text ?? bareValue((lines[at] ?? '').slice(head.length));
    const quote = quoted?.quote;
    let missing: string | undefined;
    const value =
      quote === "'" || quote === '`'
        ? written
        : written.replace(PARTS, (all, escape?: string, reference?: string, fallback?: string) => {
            if (escape !== undefined) return quote === undefined && escape !== '$' ? all : (ESCAPES[escape] ?? escape);
            const found = values.get(reference ?? '') ?? known.get(reference ?? '') ?? fallback;
            if (found === undefined) missing ??= all;
            return found ?? all;
          });
    if (missing === undefined) values.set(name, value);
    else unresolved.push({ line, name, reference: missing });
  }
  return { values, unresolved };
}

/** A value without quotes ends at a "#", unless all of it is an object or an array of JSON. */
function bareValue(rest: string): string {
  const whole = rest.trim();
  if (/^[[{]/.test(whole) && jsonOf(whole) !== undefined) return whole;
  const [value = ''] = whole.split('#', 1);
  return value.trimEnd();
}

interface Quoted {
  readonly quote: string;
  readonly text: string;
  /** The index of its last line. */
  readonly last: number;
}

/** A value over more lines is not closed. */
const MAX_LINES = 2_000;

/** Undefined where no quote opens, none closes, or more than a comment is behind it: then the quotes are text. */
function quotedValue(lines: readonly string[], first: number, start: number): Quoted | undefined {
  const quote = (lines[first] ?? '').charAt(start);
  if (!/["'`]/.test(quote)) return undefined;
  const inside: string[] = [];
  const end = Math.min(lines.length, first + MAX_LINES);
  for (let last = first; last < end; last++) {
    const line = last === first ? (lines[last] ?? '').slice(start + 1) : (lines[last] ?? '');
    const close = closing(line, quote);
    if (close >= 0) {
      if (!/^\s*(?:#|$)/.test(line.slice(close + 1))) return undefined;
      inside.push(line.slice(0, close));
      return { quote, text: inside.join('\n'), last };
    }
    inside.push(line);
  }
  return undefined;
}

/** The index of the first unescaped quote; -1 if not found. */
function closing(line: string, quote: string): number {
  for (let at = 0; at < line.length; at++) {
    if (line[at] === '\\') at++;
    else if (line[at] === quote) return at;
  }
  return -1;
}
