// The body of a request in a `.http` file: its JSON as this language writes it, and the lines around it. Pure.
import { JsonSyntaxError, parseJson, type JsonValue } from '../values/json/json';
import { commentIn, type HttpBody, type HttpLine } from './lines';

export function readHttpBody(lines: readonly HttpLine[]): HttpBody {
  const before: HttpLine[] = [];
  let first = 0;
  for (let isOpen = false; first < lines.length; first++) {
    const line = lines[first] ?? NOTHING;
    const comment = commentIn(line);
    if (!isOpen && comment === undefined && line.text.trim() !== '' && !/^\s*\/\*/.test(line.text)) break;
    if (isOpen || /^\s*\/\*/.test(line.text)) {
      isOpen = !/\*\/\s*$/.test(line.text);
      before.push({ ...line, text: line.text.replace(/^\s*\/\*|\*\/\s*$/g, '').trim() });
    } else if (comment !== undefined) before.push(comment);
  }
  const rest = lines.slice(first);
  const [head] = rest;
  if (head === undefined) return { before, content: { kind: 'empty' }, behind: [] };
  const other = (number: number, reason: string): HttpBody => ({
    before,
    content: { kind: 'other', number, reason },
    behind: [],
  });
  const start = head.text.search(/\S/);
  const [variable] = /^\s*\{\{[^{}]*\}\}/.exec(head.text) ?? [];
  if (variable !== undefined)
    return other(
      head.number,
      `Its body is the variable ${variable.trim().slice(0, 80)}, and a body is written out here`,
    );
  if (!/[{[]/.test(head.text.charAt(start))) return other(head.number, 'Its body is not JSON');
  const { text, plain, end } = masked(rest.map(({ text: line }) => line).join('\n'), start);
  const numberAt = (offset: number): number => rest[text.slice(0, offset).split('\n').length - 1]?.number ?? 0;
  const read = valueOf(plain.slice(0, end));
  if (read instanceof JsonSyntaxError) return other(numberAt(read.offset), 'Its body is not JSON from this line on');
  const newline = text.indexOf('\n', end);
  const lineEnd = newline < 0 ? text.length : newline;
  if (plain.slice(end, lineEnd).trim() !== '')
    return other(numberAt(end), 'Its body is not JSON: there is more text behind the last bracket');
  const count = text.slice(0, lineEnd).split('\n').length;
  return {
    before,
    content: {
      kind: 'json',
      text: text.slice(0, lineEnd).trimEnd(),
      plain,
      value: read.value,
      lines: rest.slice(0, count),
    },
    behind: rest.slice(count),
  };
}

function valueOf(plain: string): { readonly value: JsonValue } | JsonSyntaxError {
  try {
    return { value: parseJson(plain) };
  } catch (error) {
    if (error instanceof JsonSyntaxError) return error;
    throw error;
  }
}

const TOKENS = /"[^"\\\n]*(?:\\.[^"\\\n]*)*"?|\/\/[^\n]*|#[^\n]*|\/\*|\{\{[^{}\n]*\}\}|[^\s"#/]|\//g;

/**
 * A body with `//` in place of each "#", and strict JSON of the same length: blanks in place of comments and trailing commas,
 * a `{{x}}` outside of strings as a string. `end` is behind the bracket that closes the first one.
 */
function masked(given: string, start: number): { readonly text: string; readonly plain: string; readonly end: number } {
  const text: string[] = [given.slice(0, start)];
  const plain: string[] = [' '.repeat(start)];
  let depth = 0;
  let end: number | undefined;
  let length = start;
  let comma = -1;
  TOKENS.lastIndex = start;
  const put = (shown: string, json: string): void => {
    text.push(shown);
    plain.push(json);
    length += shown.length;
  };
  for (let at = start; at < given.length;) {
    TOKENS.lastIndex = at;
    const found = TOKENS.exec(given);
    const from = found?.index ?? given.length;
    put(given.slice(at, from), given.slice(at, from));
    if (found === null) break;
    let [token] = found;
    if (token === '/*') {
      const close = given.indexOf('*/', from + 2);
      token = given.slice(from, close < 0 ? given.length : close + 2);
    }
    at = from + token.length;
    if (/^(?:#|\/[/*])/.test(token)) {
      const shown = token.replace(/^#/, '//');
      put(shown, shown.replace(/[^\n]/g, ' '));
      continue;
    }
    if (/^[}\]]$/.test(token) && comma >= 0) plain[comma] = ' ';
    comma = token === ',' ? plain.length : -1;
    const isReference = token.startsWith('{{');
    put(token, isReference ? `"${token.slice(1, -1).replace(/["\\\t]/g, ' ')}"` : token);
    if (token === '{' || token === '[') depth++;
    else if ((token === '}' || token === ']') && --depth <= 0) end ??= length;
  }
  return { text: text.join(''), plain: plain.join(''), end: end ?? length };
}

const NOTHING: HttpLine = { text: '', number: 0 };
