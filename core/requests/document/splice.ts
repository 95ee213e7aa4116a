// Puts values into the SOURCE text of a body. Nothing is parsed and printed again, so every number token leaves as it
// was written (I11); white space between tokens stays behind.
import { parseJson, printJson, stringEnd, type JsonValue } from '../../solana/json/json';
import type { Reference, Span, Token, Variable } from './model';
import { plainLiteral, insertedText } from './variables/template';

/** Gives the value of a reference. May throw: a splice is all or nothing. */
export type ResolveReference = (reference: Pick<Reference, 'content'>) => JsonValue;

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

/** Fills in plain text: a URL, a header, a file name. `\{{` is a literal `{{`. */
export function spliceText(template: Template, resolve: ResolveReference): string {
  return spliceRange(template, { start: 0, end: template.text.length }, resolve, PLAIN);
}

/** Fills in a token of a block. */
export const spliceToken = (
  { text, span }: Token,
  references: readonly Reference[],
  resolve: ResolveReference,
): string =>
  spliceText({ text, offset: span.start, references: referencesIn(references, span.start, span.end) }, resolve);

/** How literal text and values are written in a place. */
interface Form {
  readonly literal: (text: string) => string;
  readonly inserted: (value: JsonValue) => string;
}

const PLAIN: Form = { literal: plainLiteral, inserted: insertedText };
/** Inside a JSON string the backslash itself is escaped. */
const QUOTED: Form = {
  literal: (text) => text.replaceAll('\\\\{{', '{{'),
  inserted: (value) => JSON.stringify(insertedText(value)).slice(1, -1),
};

/** `range` counts from the start of the template's text. */
function spliceRange(
  { text, offset, references }: Template,
  range: Span,
  resolve: ResolveReference,
  form: Form,
): string {
  let out = '';
  let at = range.start;
  for (const reference of references) {
    const start = reference.span.start - offset;
    const end = reference.span.end - offset;
    if (start < at || end > range.end) continue;
    out += form.literal(text.slice(at, start)) + form.inserted(resolve(reference));
    at = end;
  }
  return out + form.literal(text.slice(at, range.end));
}

/**
 * Fills in strict JSON that may hold bare `{{x}}`, and gives it on one line. `"{{x}}"` and a bare `{{x}}` become x's
 * value, `"a{{x}}"` a string; a member's name always stays a string.
 */
export function spliceJson(template: Template, resolve: ResolveReference): string {
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

function spliceString(template: Template, start: number, end: number, resolve: ResolveReference): string {
  const { text, offset } = template;
  const references = referencesIn(template.references, offset + start, offset + end);
  const [only] = references;
  // Anything else inside its braces belongs to it.
  if (only !== undefined) {
    const isAlone = only.span.start === offset + start + 1 && only.span.end === offset + end - 1;
    if (isAlone && !isKey(text, end)) return printJson(resolve(only));
  }
  return spliceRange({ ...template, references }, { start, end }, resolve, QUOTED);
}

const isSpace = (char: string): boolean => char === ' ' || char === '\n' || char === '\r' || char === '\t';

/** True where the string that ends at `end` is a member's name. */
function isKey(text: string, end: number): boolean {
  let at = end;
  while (isSpace(text.charAt(at))) at++;
  return text[at] === ':';
}

/**
 * The value of a variable's or an assertion's text: JSON where the text is JSON, the value itself where it is one
 * `{{x}}` and nothing else, otherwise text.
 */
function spliceValue(template: Template, resolve: ResolveReference): JsonValue {
  const references = referencesIn(template.references, template.offset, template.offset + template.text.length);
  const [only] = references;
  const trimmed = template.text.trim();
  if (only !== undefined && only.span.end - only.span.start === trimmed.length) return resolve(only);
  if (/^["[{]/.test(trimmed)) {
    const json = spliceJson({ ...template, references }, resolve);
    try {
      return parseJson(json);
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
  resolve: ResolveReference,
): JsonValue {
  const { text, span } = variable.value;
  const inside = referencesIn(references, span.start, span.end);
  if (inside.length === 0 && !text.includes('\\{{')) return variable.json;
  return spliceValue({ text, offset: span.start, references: inside }, resolve);
}
