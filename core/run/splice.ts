// Puts values into the SOURCE text of a body. Nothing is parsed and printed again, so every number token leaves as it
// was written (I11); white space between tokens stays behind.
import { printJson } from '../values/json/json';
import type { Reference, Variable } from '../document/model';
import type { JsonValue } from '../values/json/json';

/** Gives the value of a reference. May throw: a splice is all or nothing. */
export type Resolve = (reference: Reference) => JsonValue;

/** A piece of a block's text and the references in it. */
export interface Template {
  readonly text: string;
  /** Offset of `text` in the block: the references' spans count from the block's start. */
  readonly offset: number;
  /** In order; those outside the text are passed over. */
  readonly references: readonly Reference[];
}

/** The references within a range of the block. They are in order, so a long body with many of them stays cheap. */
export function referencesIn(references: readonly Reference[], start: number, end: number): readonly Reference[] {
  let low = 0;
  let high = references.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((references[middle]?.span.start ?? 0) < start) low = middle + 1;
    else high = middle;
  }
  let last = low;
  while ((references[last]?.span.end ?? Infinity) <= end) last++;
  return references.slice(low, last);
}

/** How a value stands inside a text: a string as it is, anything else as JSON. */
export function textOf(value: JsonValue): string {
  return typeof value === 'string' ? value : printJson(value);
}

/** Fills in plain text: a URL, a header, a file name. `\{{` is a literal `{{`. */
export function spliceText(template: Template, resolve: Resolve): string {
  return pieces(template, template.text, 0, resolve, plainLiteral, textOf);
}

const plainLiteral = (text: string): string => text.replaceAll('\\{{', '{{');
/** Inside a JSON string the backslash itself is escaped. */
const jsonLiteral = (text: string): string => text.replaceAll('\\\\{{', '{{');
const insideString = (value: JsonValue): string => JSON.stringify(textOf(value)).slice(1, -1);

function pieces(
  template: Template,
  text: string,
  from: number,
  resolve: Resolve,
  literal: (text: string) => string,
  inserted: (value: JsonValue) => string,
): string {
  let out = '';
  let at = 0;
  for (const reference of template.references) {
    const start = reference.span.start - template.offset - from;
    const end = reference.span.end - template.offset - from;
    if (start < at || end > text.length) continue;
    out += literal(text.slice(at, start)) + inserted(resolve(reference));
    at = end;
  }
  return out + literal(text.slice(at));
}

/**
 * Fills in strict JSON that may hold bare `{{x}}`, and gives it on one line. `"{{x}}"` and a bare `{{x}}` become x's
 * value, `"a{{x}}"` a string; a member's name always stays a string.
 */
export function spliceJson(template: Template, resolve: Resolve): string {
  const { text, offset } = template;
  const bareAt = new Map(template.references.map((reference) => [reference.span.start - offset, reference]));
  let out = '';
  let at = 0;
  while (at < text.length) {
    const char = text.charAt(at);
    const bare = bareAt.get(at);
    if (bare !== undefined) {
      out += printJson(resolve(bare));
      at = bare.span.end - offset;
    } else if (char === '"') {
      const end = stringEnd(text, at);
      out += spliceString(template, at, end, resolve);
      at = end;
    } else {
      if (!isSpace(char)) out += char;
      at++;
    }
  }
  return out;
}

function spliceString(template: Template, start: number, end: number, resolve: Resolve): string {
  const { text, offset } = template;
  const references = referencesIn(template.references, offset + start, offset + end);
  const [only] = references;
  if (only !== undefined && references.length === 1) {
    const isAlone = only.span.start === offset + start + 1 && only.span.end === offset + end - 1;
    if (isAlone && !isKey(text, end)) return printJson(resolve(only));
  }
  return pieces({ ...template, references }, text.slice(start, end), start, resolve, jsonLiteral, insideString);
}

const isSpace = (char: string): boolean => char === ' ' || char === '\n' || char === '\r' || char === '\t';

/** True where the string that ends at `end` is a member's name. */
function isKey(text: string, end: number): boolean {
  let at = end;
  while (isSpace(text.charAt(at))) at++;
  return text[at] === ':';
}

/** The offset behind the closing quote of the string that opens at `start`. */
function stringEnd(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === '"') return at + 1;
  }
  return text.length;
}

/**
 * The value of a variable's or an assertion's text: JSON where the text is JSON, the value itself where it is one
 * `{{x}}` and nothing else, otherwise text. `parse` reads JSON with exact digits and throws on anything else.
 */
export function spliceValue(template: Template, resolve: Resolve, parse: (json: string) => JsonValue): JsonValue {
  const references = referencesIn(template.references, template.offset, template.offset + template.text.length);
  const [only] = references;
  const trimmed = template.text.trim();
  if (only !== undefined && only.span.end - only.span.start === trimmed.length) return resolve(only);
  if (/^["[{]/.test(trimmed)) {
    const json = spliceJson({ ...template, references }, resolve);
    try {
      return parse(json);
    } catch {
      // Not JSON after all: text, as the grammar says.
    }
  }
  return spliceText({ ...template, references }, resolve);
}

/** A variable's value; without references the parser has read it already. */
export function variableValue(
  variable: Variable,
  references: readonly Reference[],
  resolve: Resolve,
  parse: (json: string) => JsonValue,
): JsonValue {
  const { text, span } = variable.value;
  const inside = referencesIn(references, span.start, span.end);
  if (inside.length === 0 && !text.includes('\\{{')) return variable.json;
  return spliceValue({ text, offset: span.start, references: inside }, resolve, parse);
}
