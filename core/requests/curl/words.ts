// A command line as a POSIX shell splits it into words: quotes, escapes, ANSI-C quotes, line continuations. A variable is
// marked, a substitution is refused. A here-document is what the command reads.
import { variableAt } from './variables';

export type SplitWords =
  | {
      readonly kind: 'words';
      readonly words: readonly string[];
      /** The content of a here-document or a here-string, which the command reads. */
      readonly input?: string;
      /** Behind the command on its last line, from the sign that ends it: `| jq .result`. */
      readonly rest?: string;
    }
  | { readonly kind: 'refused'; readonly reason: string };

const ANSI: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  e: '\x1b',
  E: '\x1b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
  "'": "'",
  '"': '"',
  '?': '?',
};
const ENDS = new Set([';', '|', '&', '<', '>', '(', ')']);

/** A name in angle brackets within a word. */
const STAND_IN = /^<[A-Za-z][\w-]*>/;

const refused = (reason: string): Extract<SplitWords, { kind: 'refused' }> => ({ kind: 'refused', reason });

export function splitWords(given: string): SplitWords {
  const document = hereDocument(given);
  if (document?.kind === 'refused') return document;
  if (document === undefined) return wordsOf(given);
  const split = wordsOf(document.command);
  return split.kind === 'words' ? { ...split, input: document.input } : split;
}

/** `isInput`: a here-string, which no other one follows. */
function wordsOf(text: string, isInput = false): SplitWords {
  const words: string[] = [];
  let word: string | undefined;
  let at = 0;
  while (at < text.length) {
    const char = text[at] ?? '';
    if (char === '\\') {
      const line = /^\\\r?\n/.exec(text.slice(at, at + 3));
      if (line !== null) {
        at += line[0].length;
        continue;
      }
      word = (word ?? '') + (text[at + 1] ?? '');
      at += 2;
    } else if (char === "'") {
      const end = text.indexOf("'", at + 1);
      if (end < 0) return refused('A single quote is not closed.');
      word = (word ?? '') + text.slice(at + 1, end);
      at = end + 1;
    } else if (char === '$' && text[at + 1] === "'") {
      const quoted = ansiQuoted(text, at + 2);
      if (quoted === undefined) return refused('A quote is not closed.');
      word = (word ?? '') + quoted.text;
      at = quoted.end;
    } else if (char === '$' && variableAt(text, at) !== undefined) {
      const variable = variableAt(text, at);
      word = (word ?? '') + (variable?.text ?? '');
      at = variable?.end ?? at + 1;
    } else if (char === '"') {
      const quoted = doubleQuoted(text, at + 1);
      if (typeof quoted === 'string') return refused(quoted);
      word = (word ?? '') + quoted.text;
      at = quoted.end;
    } else if (/\s/.test(char)) {
      if (word !== undefined) words.push(word);
      word = undefined;
      // A line that ends without a backslash ends the command.
      if (char === '\n' && words.length > 0) return { kind: 'words', words };
      at++;
    } else if (!isInput && text.startsWith('<<<', at)) {
      // A here-string: one word, which the command reads.
      if (word !== undefined) words.push(word);
      const input = wordsOf(text.slice(at + 3).trimStart(), true);
      return input.kind === 'refused' ? input : { kind: 'words', words, input: input.words[0] ?? '' };
    } else if (char === '<' && word !== undefined && STAND_IN.test(text.slice(at, at + 60))) {
      // Documentation leaves `<api-key>` unquoted, which no shell would take.
      const [standIn = ''] = STAND_IN.exec(text.slice(at, at + 60)) ?? [];
      word += standIn;
      at += standIn.length;
    } else if (ENDS.has(char) && !(char === '&' && word !== undefined && /\w/.test(text[at + 1] ?? ''))) {
      break;
    } else {
      word = (word ?? '') + char;
      at++;
    }
  }
  if (word !== undefined) words.push(word);
  return { kind: 'words', words, ...restOf(text.slice(at)) };
}

/** The line behind a command, unless nothing is on it. */
export function restOf(text: string): { readonly rest?: string } {
  const [rest = ''] = /^[^\n]*/.exec(text) ?? [];
  return /^[\s;]*$/.test(rest) ? {} : { rest: rest.trim() };
}

/** `<<EOF`, `<<-"EOF"`, outside of quotes as far as a line shows it. */
const HERE = /(?<![<\w])<<(-?)[ \t]*(?:'(\w+)'|"(\w+)"|\\?(\w+))/;

type HereDocument = { readonly kind: 'here'; readonly command: string; readonly input: string };

/** The command without its here-document, and the document; undefined if the command has no here-document. */
function hereDocument(text: string): HereDocument | Extract<SplitWords, { kind: 'refused' }> | undefined {
  // On the last line, no document follows.
  const found = HERE.exec(text.slice(0, Math.max(0, text.lastIndexOf('\n'))));
  if (found === null) return undefined;
  const [all, dash, single, double, bare] = found;
  const name = single ?? double ?? bare ?? '';
  const lineEnd = text.indexOf('\n', found.index);
  const lines = text.slice(lineEnd + 1).split('\n');
  const bareLine = (line: string): string => (dash === '-' ? line.replace(/^\t+/, '') : line);
  const end = lines.findIndex((line) => bareLine(line) === name || line.trim() === name);
  if (end < 0) return undefined;
  const written = lines.slice(0, end).map(bareLine).join('\n');
  const command = text.slice(0, found.index) + text.slice(found.index + all.length, lineEnd);
  if (bare === undefined) return { kind: 'here', command, input: written };
  if (/`|\$\(/.test(written)) return refused('A command inside the text cannot be carried over.');
  return { kind: 'here', command, input: expanded(written) };
}

/** The text of a here-document without quotes: escapes go, variables are marked. */
function expanded(written: string): string {
  let out = '';
  for (let at = 0; at < written.length;) {
    const char = written[at] ?? '';
    const variable = char === '$' ? variableAt(written, at) : undefined;
    const next = written[at + 1] ?? '';
    if (char === '\\' && /[\\$`\n]/.test(next)) {
      out += next === '\n' ? '' : next;
      at += 2;
    } else {
      out += variable?.text ?? char;
      at = variable?.end ?? at + 1;
    }
  }
  return out;
}

interface Quoted {
  readonly text: string;
  /** After the closing quote. */
  readonly end: number;
}

/** The sentence that refuses it where it cannot be read. */
function doubleQuoted(text: string, start: number): Quoted | string {
  let out = '';
  for (let at = start; at < text.length; at++) {
    const char = text[at] ?? '';
    const variable = char === '$' ? variableAt(text, at) : undefined;
    if (char === '"') return { text: out, end: at + 1 };
    if (variable !== undefined) {
      out += variable.text;
      at = variable.end - 1;
      continue;
    }
    if (text.startsWith('${', at)) return 'A default for a variable of the shell cannot be carried over.';
    if (char === '`' || (char === '$' && text[at + 1] === '('))
      return 'A command inside the text cannot be carried over.';
    if (char === '\\' && /["\\$`\n]/.test(text[at + 1] ?? '')) {
      at++;
      if (text[at] !== '\n') out += text[at] ?? '';
    } else out += char;
  }
  return 'A double quote is not closed.';
}

function ansiQuoted(text: string, start: number): Quoted | undefined {
  let out = '';
  for (let at = start; at < text.length;) {
    if (text[at] === "'") return { text: out, end: at + 1 };
    const escape = /^\\(?:x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|U([0-9a-fA-F]{1,8})|([0-7]{1,3})|([\s\S]))/.exec(
      text.slice(at, at + 10),
    );
    if (escape === null) {
      out += text[at] ?? '';
      at++;
      continue;
    }
    const [whole, hex, short, long, octal, letter] = escape;
    const code = parseInt(hex ?? short ?? long ?? '', 16);
    if (octal !== undefined) out += String.fromCharCode(parseInt(octal, 8));
    else if (letter !== undefined) out += ANSI[letter] ?? `\\${letter}`;
    else out += code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd';
    at += whole.length;
  }
  return undefined;
}
