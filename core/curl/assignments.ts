// Variables that get their value in front of a command: `RPC=https://…`, `export …`, `set …`, `$body = @'…'@`. A value with
// anything to work out in it is none. Pure.
import { hereString } from './windows';

export interface Assignment {
  readonly name: string;
  readonly value: string;
  /** The index of its last line. */
  readonly last: number;
}

/** A longer value is none. Lines. */
const MAX_LINES = 2_000;

const ONE_LINE: readonly RegExp[] = [
  /^\s*(?:[$%>]\s+)?(?:export\s+)?([A-Za-z_]\w*)=(?:'([^']*)'|"([^"$`\\]*)"|([^\s'"$`;|&<>()\\]+))\s*;?\s*$/,
  /^\s*(?:PS[^>]*>\s*)?\$(?:env:)?([A-Za-z_]\w*)\s*=\s*(?:'([^']*)'|"([^"$`]*)")\s*;?\s*$/i,
  /^\s*(?:[A-Za-z]:[^>]*>)?set\s+"?([A-Za-z_]\w*)=([^"%^]*)"?\s*$/i,
];
const HERE = /^\s*(?:PS[^>]*>\s*)?\$(?:env:)?([A-Za-z_]\w*)\s*=\s*(?=@['"]\s*$)/i;
const OPEN = /^\s*(?:export\s+)?([A-Za-z_]\w*)='([^']*)$/;

/** The assignment that begins on a line; undefined where none does. */
export function readAssignment(lines: readonly string[], at: number): Assignment | undefined {
  const line = lines[at] ?? '';
  if (!line.includes('=')) return undefined;
  for (const pattern of ONE_LINE) {
    const [, name, ...values] = pattern.exec(line) ?? [];
    if (name !== undefined) return { name, value: values.find((value) => value !== undefined) ?? '', last: at };
  }
  const here = HERE.exec(line);
  if (here !== null) {
    const text = lines.slice(at, at + MAX_LINES).join('\n');
    const read = hereString(text, here[0].length);
    if (read === undefined || (text[read.end] !== undefined && text[read.end] !== '\n')) return undefined;
    return { name: here[1] ?? '', value: read.text, last: at + text.slice(0, read.end).split('\n').length - 1 };
  }
  const [, name, begun = ''] = OPEN.exec(line) ?? [];
  if (name === undefined) return undefined;
  const rest = lines.slice(at + 1, at + MAX_LINES);
  const end = rest.findIndex((one) => one.includes("'"));
  const closing = rest[end] ?? '';
  if (end < 0 || !/^[^']*'\s*;?\s*$/.test(closing)) return undefined;
  const value = [begun, ...rest.slice(0, end), closing.slice(0, closing.indexOf("'"))].join('\n');
  return { name, value, last: at + 1 + end };
}
