// A command line as Windows reads it: first the shell (cmd or PowerShell), then the rules by which every program splits its
// own command line. Variables are marked.
import { markCmd, variableAt } from './variables';
import { restOf, type SplitWords } from './words';

/** As cmd takes it: `^` makes the next character plain and continues a line. */
export function splitCmd(given: string): SplitWords {
  const text = markCmd(given);
  let line = '';
  let isQuoted = false;
  let at = 0;
  for (; at < text.length; at++) {
    const char = text[at] ?? '';
    if (char === '^' && !isQuoted) {
      const next = /^\^[ \t]*\n/.exec(text.slice(at));
      if (next === null) line += text[++at] ?? '';
      else {
        at += next[0].length - 1;
        line += ' ';
      }
    } else if (!isQuoted && /[\n&|<>]/.test(char)) {
      // `<name>` of documentation, which no shell would take.
      const standIn = char === '<' ? /^<[A-Za-z][\w-]*>/.exec(text.slice(at, at + 60)) : null;
      if (standIn === null) break;
      line += standIn[0];
      at += standIn[0].length - 1;
    } else {
      // A quote behind a backslash is one of the argument, not of the shell.
      if (char === '"' && text[at - 1] !== '\\') isQuoted = !isQuoted;
      line += char;
    }
  }
  const split = argumentsOf(line);
  return split.kind === 'words' ? { ...split, ...restOf(text.slice(at)) } : split;
}

/** The words of a command line by the rules of Microsoft's C runtime. */
function argumentsOf(line: string): SplitWords {
  const words: string[] = [];
  let word: string | undefined;
  let isQuoted = false;
  for (let at = 0; at < line.length; at++) {
    const [slashes = ''] = /^\\*/.exec(line.slice(at)) ?? [];
    if (slashes !== '') {
      const isBeforeQuote = line[at + slashes.length] === '"';
      word = (word ?? '') + (isBeforeQuote ? slashes.slice(0, slashes.length / 2) : slashes);
      at += slashes.length - 1;
      if (isBeforeQuote && slashes.length % 2 === 1) {
        word += '"';
        at++;
      }
      continue;
    }
    const char = line[at] ?? '';
    if (char === '"') {
      word ??= '';
      if (isQuoted && line[at + 1] === '"') {
        word += '"';
        at++;
      } else isQuoted = !isQuoted;
    } else if (/\s/.test(char) && !isQuoted) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else word = (word ?? '') + char;
  }
  if (isQuoted) return { kind: 'refused', reason: 'A double quote is not closed.' };
  if (word !== undefined) words.push(word);
  return { kind: 'words', words };
}

/** As PowerShell takes it: a backtick escapes and continues a line, quotes are doubled within quotes. */
export function splitPowerShell(text: string): SplitWords {
  const words: string[] = [];
  let word: string | undefined;
  let at = 0;
  for (; at < text.length; at++) {
    const char = text[at] ?? '';
    if (char === '`') {
      const next = /^`[ \t]*\n/.exec(text.slice(at));
      if (next === null) word = (word ?? '') + (text[++at] ?? '');
      else at += next[0].length - 1;
    } else if (char === '@' && HERE_STRING.test(text.slice(at, at + 80))) {
      const here = hereString(text, at);
      if (here === undefined) return { kind: 'refused', reason: 'A here-string is not closed.' };
      word = (word ?? '') + here.text;
      at = here.end - 1;
    } else if (char === '$' && variableAt(text, at, 'powershell') !== undefined) {
      const variable = variableAt(text, at, 'powershell');
      word = (word ?? '') + (variable?.text ?? '');
      at = (variable?.end ?? at + 1) - 1;
    } else if (char === "'" || char === '"') {
      const quoted = quotedPart(text, at + 1, char);
      if (quoted === undefined)
        return { kind: 'refused', reason: `A ${char === '"' ? 'double' : 'single'} quote is not closed.` };
      word = (word ?? '') + quoted.text;
      at = quoted.end;
    } else if (/\s/.test(char)) {
      if (word !== undefined) words.push(word);
      word = undefined;
      if (char === '\n') break;
    } else if (/[;|]/.test(char)) break;
    else word = (word ?? '') + char;
  }
  if (word !== undefined) words.push(word);
  return { kind: 'words', words: words.map(asArgument), ...restOf(text.slice(at)) };
}

/** Up to version 7.2 quotes need a backslash to get to a program; a text with bare quotes is of a later one. */
const asArgument = (word: string): string =>
  /(?:^|[^\\])"/.test(word)
    ? word
    : word.replace(/(?<!\\)(\\+)"/g, (_, all: string) => `${'\\'.repeat(all.length >> 1)}"`);

const HERE_STRING = /^@(['"])[ \t]*\n/;

/** `@'…'@`: the lines between. */
export function hereString(text: string, start: number): { readonly text: string; readonly end: number } | undefined {
  const [opening = '', quote = ''] = HERE_STRING.exec(text.slice(start, start + 80)) ?? [];
  const from = start + opening.length;
  const close = text.indexOf(`\n${quote}@`, from - 1);
  if (opening === '' || close < 0) return undefined;
  const inside = text.slice(from, Math.max(from, close));
  return { text: quote === "'" ? inside : expanded(inside), end: close + 3 };
}

/** The text between double quotes: backticks escape, variables are marked. */
function expanded(inside: string): string {
  let out = '';
  for (let at = 0; at < inside.length;) {
    const char = inside[at] ?? '';
    const variable = char === '$' ? variableAt(inside, at, 'powershell') : undefined;
    if (char === '`') out += inside[at + 1] ?? '';
    else out += variable?.text ?? char;
    at = variable?.end ?? at + (char === '`' ? 2 : 1);
  }
  return out;
}

/** `end`: the place of the closing quote. */
function quotedPart(
  text: string,
  start: number,
  quote: string,
): { readonly text: string; readonly end: number } | undefined {
  let out = '';
  for (let at = start; at < text.length; at++) {
    const char = text[at] ?? '';
    const variable = char === '$' && quote === '"' ? variableAt(text, at, 'powershell') : undefined;
    if (variable !== undefined) {
      out += variable.text;
      at = variable.end - 1;
    } else if (char === '`' && quote === '"') out += text[++at] ?? '';
    else if (char !== quote) out += char;
    else if (text[at + 1] === quote) {
      out += quote;
      at++;
    } else return { text: out, end: at };
  }
  return undefined;
}
