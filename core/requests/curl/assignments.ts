// Variables that get their value in front of a command: `RPC=https://…`, `export …`, `set …`, `$body = @'…'@`. Only
// literal values count, not those that a shell would compute. Pure.
import { hereString } from './windows';

export interface Assignment {
  readonly name: string;
  readonly value: string;
  /** The index of its last line. */
  readonly last: number;
}

/** Longer values are ignored. Lines. */
const MAX_LINES = 2_000;

const ONE_LINE: readonly RegExp[] = [
  /^\s*(?:[$%>]\s+)?(?:export\s+)?([A-Za-z_]\w*)=(?:'([^']*)'|"([^"$`\\]*)"|([^\s'"$`;|&<>()\\]+))\s*(?:;\s*)?$/,
  /^\s*(?:PS[^>]*>\s*)?\$(?:env:)?([A-Za-z_]\w*)\s*=\s*(?:'([^']*)'|"([^"$`]*)")\s*(?:;\s*)?$/i,
  /^\s*(?:[A-Za-z]:[^>]*>)?set\s+"?([A-Za-z_]\w*)=([^"%^]*)(?:"\s*)?$/i,
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
    const close = `${line.charAt(here[0].length + 1)}@`;
    const last = lineAfter(lines, at, (one) => one.startsWith(close));
    const text = lines.slice(at, last + 1).join('\n');
    const read = hereString(text, here[0].length);
    if (read === undefined || (text[read.end] !== undefined && text[read.end] !== '\n')) return undefined;
    return { name: here[1] ?? '', value: read.text, last: at + text.slice(0, read.end).split('\n').length - 1 };
  }
  const [, name, begun = ''] = OPEN.exec(line) ?? [];
  if (name === undefined) return undefined;
  const end = lineAfter(lines, at, (one) => one.includes("'"));
  const closing = lines[end] ?? '';
  if (!/^[^']*'\s*(?:;\s*)?$/.test(closing)) return undefined;
  const value = [begun, ...lines.slice(at + 1, end), closing.slice(0, closing.indexOf("'"))].join('\n');
  return { name, value, last: end };
}

/** The index of the first of the next lines for which this holds; -1 if the bound comes first. */
function lineAfter(lines: readonly string[], at: number, isWanted: (line: string) => boolean): number {
  const end = Math.min(lines.length, at + MAX_LINES);
  for (let next = at + 1; next < end; next++) if (isWanted(lines[next] ?? '')) return next;
  return -1;
}
