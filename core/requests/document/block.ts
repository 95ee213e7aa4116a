// Parses one block, line by line. Never throws, never looks beyond the block, reads each part a fixed number of times.
import { readBody, type BodyReading, type BodyStart } from './body';
import { readCondition } from './variables/condition';
import { directiveShape, emptySettings, type SettingsDraft } from './directives';
import { insteadOfLine } from './foreign';
import type {
  Assertion,
  Block,
  Body,
  Directive,
  Header,
  Problem,
  Redirect,
  Reference,
  ReferencePlace,
  RequestLine,
  RunCondition,
  Span,
  Token,
  Variable,
} from './model';
import { findReferences, MAX_REFERENCES, readReference, ReferenceEnds, unescapeJson } from './variables/reference';
import { readRequestLine } from './requestLine';
import { readVariableText } from './variables/value';

/** One empty list and one empty settings object serve all blocks: a large file has mostly blocks without either. */
const NONE: readonly never[] = [];
const NO_SETTINGS = emptySettings();

/** A list with one more element; the shared empty one is left alone. */
function added<T>(list: readonly T[], item: T): readonly T[] {
  if (list.length === 0) return [item];
  (list as T[]).push(item);
  return list;
}

/** A block's text with LF between its lines. `titled`: its first line begins with "###". */
export interface BlockSource {
  readonly kind: Block['kind'];
  readonly titled: boolean;
  readonly text: string;
}

/** How far the reading of a block has come; each part of the grammar belongs to some of these. */
type Stage = 'head' | 'headers' | 'beforeBody' | 'trailer';

const DIRECTIVE = /^(?:#|\/\/)\s*@\s*([A-Za-z_][A-Za-z0-9_-]*)(?![A-Za-z0-9_-])(.*)$/;
const VARIABLE = /^@\s*([A-Za-z_][A-Za-z0-9_-]*)(\s*=)(.*)$/;
const HEADER = /^([A-Za-z0-9!#$%&'*+.^_`|~-]+)(\s*:)(.*)$/;
const REDIRECT = /^>>(\s*!)?(.*)$/;
const REQUEST_LINE = /^(?:POST|WS|WEBSOCKET|SWQOS|GRPC)(?=\s|$)/;

export function parseBlock(source: BlockSource): Block {
  return new BlockParser(source).parse();
}

class BlockParser {
  readonly #text: string;
  readonly #lineStarts: number[] = [];
  #directives: readonly Directive[] = NONE;
  #settings: SettingsDraft = NO_SETTINGS;
  #variables: readonly Variable[] = NONE;
  #headers: readonly Header[] = NONE;
  #assertions: readonly Assertion[] = NONE;
  #redirects: readonly Redirect[] = NONE;
  #references: readonly Reference[] = NONE;
  #hasTooMany = false;
  #problems: readonly Problem[] = NONE;
  #requestLine: RequestLine | undefined;
  #body: Body | undefined;
  #stage: Stage = 'head';
  #line = 0;
  /** Where the stray text of the line before ended: a run of stray lines is one problem. */
  #strayLine = -2;
  readonly #referenceEnds: ReferenceEnds;

  constructor(private readonly source: BlockSource) {
    this.#text = source.text;
    for (let start = 0; ;) {
      this.#lineStarts.push(start);
      const end = this.#text.indexOf('\n', start);
      if (end < 0) break;
      start = end + 1;
    }
    this.#referenceEnds = new ReferenceEnds(this.#text);
  }

  parse(): Block {
    const title = this.#title();
    while (this.#line < this.#lineStarts.length) {
      const line = this.#line;
      this.#readLine();
      if (this.#line === line) this.#line++;
    }
    // No spread: it costs more than all the rest of this object.
    const block: { -readonly [K in keyof Block]: Block[K] } = {
      kind: this.source.kind,
      text: this.#text,
      lineStarts: this.#lineStarts,
      title,
      directives: this.#directives,
      settings: this.#settings,
      variables: this.#variables,
      headers: this.#headers,
      assertions: this.#assertions,
      redirects: this.#redirects,
      references: this.#references,
      problems: this.#problems,
    };
    if (this.#requestLine !== undefined) block.requestLine = this.#requestLine;
    if (this.#body !== undefined) block.body = this.#body;
    return block;
  }

  #title(): Token {
    if (!this.source.titled) return { text: '', span: { start: 0, end: 0 } };
    this.#line = 1;
    return this.#token(3, this.#endOfLine(0));
  }

  #readLine(): void {
    const start = this.#lineStarts[this.#line] ?? 0;
    const first = this.#text.charCodeAt(start);
    // A body or an empty line needs no token.
    if (first === 123 || first === 91) {
      this.#readBody(start);
      return;
    }
    const token = this.#token(start, this.#endOfLine(this.#line));
    const { text, span } = token;
    switch (text.charCodeAt(0)) {
      case 35: // #
        this.#comment(token);
        return;
      case 64: // @
        this.#variable(token);
        return;
      case 123: // {
      case 91: // [
        this.#readBody(span.start);
        return;
      default:
    }
    if (text === '') {
      if (this.#stage === 'headers') this.#stage = 'beforeBody';
    } else if (text.startsWith('//')) this.#comment(token);
    else if (text.startsWith('??') && this.#isRequest()) this.#assertion(token);
    else if (text.startsWith('>>') && this.#isRequest()) this.#redirect(token);
    else if (this.#stage === 'head' && this.#isRequest() && REQUEST_LINE.test(text)) this.#readRequestLine(token);
    else if (this.#stage === 'headers' && HEADER.test(text)) this.#header(token);
    else this.#stray(span);
  }

  #isRequest(): boolean {
    return this.source.kind === 'request';
  }

  #comment({ text, span }: Token): void {
    const match = DIRECTIVE.exec(text);
    if (match === null) return;
    const at = span.start + text.indexOf('@');
    const nameText = match[1] ?? '';
    const nameStart = this.#text.indexOf(nameText, at + 1);
    const name = { text: nameText, span: { start: nameStart, end: nameStart + nameText.length } };
    const value = this.#token(name.span.end, span.end);
    const directive = { name, value, span: { start: at, end: Math.max(name.span.end, value.span.end) } };
    if (this.#directives.length === 0) this.#settings = emptySettings();
    this.#directives = added(this.#directives, directive);
    const shape = directiveShape(nameText);
    // An unknown name is the business of the diagnostics: it may be near to a known one.
    if (shape === undefined) return;
    const misplaced =
      this.source.kind === 'preamble'
        ? shape.preamble === 'no' && `@${nameText} belongs to one request and cannot be used before the first "###".`
        : shape.preamble === 'only' &&
          this.source.titled &&
          `@${nameText} applies to the whole file: put it before the first "###".`;
    const reason = misplaced === false ? shape.read(directive, this.#settings, this.#text) : misplaced;
    if (reason !== undefined) this.#report('bad-directive', reason, directive.span);
    const run = nameText === 'if' && reason === undefined ? this.#settings.conditions.at(-1) : undefined;
    if (run !== undefined) this.#referToNamed(run);
    const condition = nameText === 'retry' ? this.#settings.retry?.condition?.value : undefined;
    if (condition?.kind === 'template') this.#refer(condition.span, 'retry');
  }

  /** The name that `@if` begins with, and what its value names. */
  #referToNamed({ content, condition }: RunCondition): void {
    const { operator, path, value } = condition;
    const isOptional = operator === 'exists' || operator === 'isAbsent';
    const place = 'condition';
    const reference = { span: path.span, place, content, bare: false, alone: false, isOperand: true } as const;
    this.#references = added(this.#references, isOptional ? { ...reference, isOptional } : reference);
    if (value?.kind === 'template') this.#refer(value.span, place);
  }

  #variable({ text, span }: Token): void {
    const match = VARIABLE.exec(text);
    if (match === null || this.#stage !== 'head') {
      this.#stray(span);
      return;
    }
    const nameText = match[1] ?? '';
    const nameStart = this.#text.indexOf(nameText, span.start + 1);
    const nameEnd = nameStart + nameText.length;
    const value = this.#token(nameEnd + (match[2] ?? '').length, span.end);
    const name = { text: nameText, span: { start: nameStart, end: nameEnd } };
    this.#variables = added(this.#variables, { name, value, json: readVariableText(value.text), span });
    this.#refer(value.span, 'variable');
  }

  #readRequestLine(token: Token): void {
    const reading = readRequestLine(token);
    if (reading.stray !== undefined) this.#stray(reading.stray, reading.reason);
    if (reading.line !== undefined) {
      this.#requestLine = reading.line;
      if (reading.line.url !== undefined) this.#refer(reading.line.url.span, 'url');
      if (reading.line.query !== undefined) this.#refer(reading.line.query.span, 'url');
    }
    this.#stage = 'headers';
  }

  #header({ text, span }: Token): void {
    const match = HEADER.exec(text);
    const nameText = match?.[1] ?? '';
    const name = { text: nameText, span: { start: span.start, end: span.start + nameText.length } };
    const value = this.#token(name.span.end + (match?.[2] ?? '').length, span.end);
    this.#headers = added(this.#headers, { name, value, span });
    this.#refer(value.span, 'header');
  }

  #assertion({ text, span }: Token): void {
    this.#stage = 'trailer';
    const reading = readCondition(this.#text, span.start + 2, span.end);
    if (!reading.ok) {
      this.#report('bad-assertion', reading.reason, span);
      return;
    }
    this.#assertions = added(this.#assertions, { ...reading.condition, text: text.slice(2).trim(), span });
    if (reading.condition.value?.kind === 'template') this.#refer(reading.condition.value.span, 'assertion');
  }

  #redirect({ text, span }: Token): void {
    this.#stage = 'trailer';
    const match = REDIRECT.exec(text);
    const file = this.#token(span.end - (match?.[2] ?? '').length, span.end);
    if (file.text === '') {
      this.#report('bad-redirect', 'A file is due after ">>".', span);
      return;
    }
    this.#redirects = added(this.#redirects, { file, overwrite: match?.[1] !== undefined, span });
    this.#refer(file.span, 'redirect');
  }

  #bodyAt(start: number): BodyStart {
    return { text: this.#text, lineStarts: this.#lineStarts, line: this.#line, start };
  }

  #readBody(start: number): void {
    const bareEnd = this.#referenceEnds.endAt(start);
    if (bareEnd !== undefined) {
      this.#stray({ start, end: this.#token(start, this.#endOfLine(this.#line)).span.end });
      return;
    }
    if (this.#text.startsWith('{{\n', start) && this.#script(start)) return;
    if (this.#body !== undefined || this.#stage === 'trailer' || !this.#isRequest()) {
      this.#surplusBody(start);
      return;
    }
    const reading = readBody(this.#bodyAt(start), true);
    this.#takeBody(reading);
    this.#afterBody(reading.body.span.end);
  }

  /** Lines between "{{" and "}}", each alone on its line: a program elsewhere, and no part of a request here. */
  #script(start: number): boolean {
    const end = this.#text.indexOf('\n}}', start);
    if (end < 0) return false;
    this.#stray({ start, end: end + 3 });
    this.#moveTo(end + 3);
    this.#line++;
    return true;
  }

  /** A misplaced body: read only to find its end. Text after it on its last line is part of the fault. */
  #surplusBody(start: number): void {
    const { span } = readBody(this.#bodyAt(start), false).body;
    if (this.#body === undefined) this.#stray(span);
    else this.#report('second-body', 'A request has one body. Start a new request for the second one.', span);
    this.#moveTo(span.end);
    this.#line++;
  }

  #takeBody(reading: BodyReading): void {
    this.#body = reading.body;
    this.#stage = 'trailer';
    for (const problem of reading.problems) this.#problems = added(this.#problems, problem);
    const { span, text } = reading.body;
    if (!text.includes('{{')) return;
    const bare = new Set(reading.bare.map((reference) => reference.start));
    // `text` is the body without its comments: references in comments do not count.
    for (const found of findReferences(text, span.start)) {
      const isBare = bare.has(found.start);
      this.#addReference(found, 'body', isBare, isBare || this.#fillsString(found));
    }
  }

  /** Moves on behind the body: comments may follow on its last line, anything else may not. */
  #afterBody(end: number): void {
    let at = end;
    for (;;) {
      while (this.#text[at] === ' ' || this.#text[at] === '\t') at++;
      if (!this.#text.startsWith('/*', at)) break;
      const close = this.#text.indexOf('*/', at + 2);
      at = close < 0 ? this.#text.length : close + 2;
    }
    this.#moveTo(at);
    const rest = this.#token(at, this.#endOfLine(this.#line));
    if (rest.text.startsWith('{') || rest.text.startsWith('[')) {
      this.#surplusBody(rest.span.start);
      return;
    }
    if (rest.text !== '' && !rest.text.startsWith('//')) this.#stray(rest.span);
    this.#line++;
  }

  #moveTo(offset: number): void {
    while ((this.#lineStarts[this.#line + 1] ?? Infinity) <= offset) this.#line++;
  }

  #stray(span: Span, reason?: string): void {
    const last = this.#problems.at(-1);
    const joins = this.#strayLine === this.#line - 1 && last?.code === 'stray-text';
    this.#strayLine = this.#line;
    if (joins) {
      this.#problems = [...this.#problems.slice(0, -1), { ...last, span: { start: last.span.start, end: span.end } }];
      return;
    }
    const general = this.#isRequest()
      ? 'This does not belong in a request here.'
      : 'Only comments, directives and variables can be used before the first "###".';
    this.#report('stray-text', reason ?? insteadOfLine(this.#text.slice(span.start, span.end)) ?? general, span);
  }

  #refer(span: Span, place: ReferencePlace): void {
    for (const found of findReferences(this.#text.slice(span.start, span.end), span.start)) {
      const isWhole = found.start === span.start && found.end === span.end;
      this.#addReference(found, place, false, isWhole || this.#fillsString(found));
    }
  }

  /** True if there are quotes at both ends; a quote after a backslash is inside its string. */
  #fillsString({ start, end }: Span): boolean {
    return this.#text[start - 1] === '"' && this.#text[end] === '"' && this.#text[start - 2] !== '\\';
  }

  #addReference(span: Span, place: ReferencePlace, bare: boolean, alone: boolean): void {
    if (this.#references.length === MAX_REFERENCES) {
      if (!this.#hasTooMany)
        this.#report('unresolved-variable', `A block holds at most ${MAX_REFERENCES} references; split it.`, span);
      this.#hasTooMany = true;
      return;
    }
    const raw = this.#text.slice(span.start + 2, span.end - 2);
    const content = readReference(place === 'body' && !bare ? unescapeJson(raw) : raw, span.start + 2);
    this.#references = added(this.#references, { span, place, content, bare, alone });
    if (content.kind !== 'computed') return;
    const optional = content.fallback === undefined ? {} : { isOptional: true as const };
    for (const operand of content.operands)
      this.#references = added(this.#references, {
        ...operand,
        ...optional,
        place,
        bare: false,
        alone: false,
        isOperand: true,
      });
  }

  #report(code: string, message: string, span: Span): void {
    this.#problems = added(this.#problems, { code, severity: 'error', message, span });
  }

  #endOfLine(line: number): number {
    const next = this.#lineStarts[line + 1];
    return next === undefined ? this.#text.length : next - 1;
  }

  /** The text between two offsets without the white space around it. */
  #token(start: number, end: number): Token {
    let from = start;
    let to = end;
    while (from < to && this.#text.charCodeAt(from) <= 32) from++;
    while (to > from && this.#text.charCodeAt(to - 1) <= 32) to--;
    return { text: this.#text.slice(from, to), span: { start: from, end: to } };
  }
}
