// Reads `{{= … }}` and the default in `{{x else 5}}`. Reads shapes; works nothing out and looks nothing up.
import { FUNCTIONS, type Sign } from './arithmetic';
import type { Expression, Operand, OperandContent } from '../model';
import { readPath } from './path';

/** Deeper nesting, and more values in one expression, are refused. */
const MAX_DEPTH = 50;
const MAX_VALUES = 1000;

export type ExpressionReading =
  | { readonly ok: true; readonly expression: Expression; readonly operands: readonly Operand[] }
  | { readonly ok: false; readonly reason: string };

const ELSE = ' else ';

/** The texts before and after the first unquoted `else`; undefined if there is no default. */
export function splitDefault(text: string): { readonly before: string; readonly fallback: string } | undefined {
  let quote = '';
  for (let at = 0; at < text.length; at++) {
    const char = text.charAt(at);
    if (quote !== '') quote = char === quote ? '' : quote;
    else if (char === '"' || char === "'") quote = char;
    else if (text.startsWith(ELSE, at))
      return { before: text.slice(0, at).trimEnd(), fallback: text.slice(at + ELSE.length).trimStart() };
  }
  return undefined;
}

const NAME = /[A-Za-z_][A-Za-z0-9_-]*/y;
const NUMBER = /\d+(?:\.\d+)?(?:[eE][+-]?\d{1,3})?/y;
const BLANK = /\s*/y;

/** The name of a variable, or a path into the answer of a request. */
export function readOperand(
  text: string,
  start: number,
): { readonly content: OperandContent; readonly end: number } | undefined {
  NAME.lastIndex = start;
  const name = NAME.exec(text)?.[0];
  if (name === undefined) return undefined;
  const { steps, end } = readPath(text, start + name.length, false);
  const content: OperandContent =
    steps.length === 0 ? { kind: 'variable', name } : { kind: 'response', request: name, path: steps };
  return { content, end };
}

/** Reads an expression; `offset` is where `text` begins in the block. */
export function readExpression(text: string, offset: number): ExpressionReading {
  const reader = new ExpressionReader(text, offset);
  try {
    return { ok: true, expression: reader.whole(), operands: reader.operands };
  } catch (error) {
    if (error instanceof Misread) return { ok: false, reason: error.message };
    throw error;
  }
}

/** Stays inside this file. */
class Misread extends Error {}

const SUMS: ReadonlySet<string> = new Set<Sign>(['+', '-']);
const PRODUCTS: ReadonlySet<string> = new Set<Sign>(['*', '/', '%']);

class ExpressionReader {
  readonly operands: Operand[] = [];
  #at = 0;
  #values = 0;

  constructor(
    private readonly text: string,
    private readonly offset: number,
  ) {}

  whole(): Expression {
    const expression = this.#chain(0, SUMS);
    if (this.#peek() !== '') throw new Misread(`"${this.text.slice(this.#at)}" is not part of an expression.`);
    return expression;
  }

  #chain(depth: number, signs: ReadonlySet<string>): Expression {
    if (depth > MAX_DEPTH) throw new Misread(`An expression is nested ${MAX_DEPTH} levels deep at most.`);
    const next = (): Expression => (signs === SUMS ? this.#chain(depth, PRODUCTS) : this.#value(depth));
    let left = next();
    for (let sign = this.#peek(); signs.has(sign); sign = this.#peek()) {
      this.#at++;
      left = { kind: 'operation', sign: sign as Sign, left, right: next() };
    }
    return left;
  }

  #value(depth: number): Expression {
    if (++this.#values > MAX_VALUES) throw new Misread(`An expression has ${MAX_VALUES} values at most.`);
    const sign = this.#peek();
    if (sign === '-') {
      this.#at++;
      if (depth >= MAX_DEPTH) throw new Misread(`An expression is nested ${MAX_DEPTH} levels deep at most.`);
      return { kind: 'operation', sign: '-', left: { kind: 'number', text: '0' }, right: this.#value(depth + 1) };
    }
    if (sign === '(') {
      const [only, second] = this.#list(depth);
      if (only === undefined || second !== undefined)
        throw new Misread('A comma separates the values of min and max only.');
      return only;
    }
    const start = this.#at;
    NUMBER.lastIndex = start;
    const number = NUMBER.exec(this.text)?.[0];
    if (number !== undefined) {
      this.#at += number.length;
      return { kind: 'number', text: number };
    }
    const operand = readOperand(this.text, start);
    if (operand === undefined) this.#fail();
    this.#at = operand.end;
    if (operand.content.kind === 'variable' && this.#peek() === '(') return this.#call(operand.content.name, depth);
    const found = { content: operand.content, span: { start: this.offset + start, end: this.offset + operand.end } };
    this.operands.push(found);
    return { kind: 'operand', ...found };
  }

  #call(name: string, depth: number): Expression {
    const shape = Object.hasOwn(FUNCTIONS, name) ? FUNCTIONS[name] : undefined;
    if (shape === undefined)
      throw new Misread(`There is no function ${name}; there are ${Object.keys(FUNCTIONS).join(', ')}.`);
    const args = this.#list(depth);
    if (args.length === 0 || (shape.count !== undefined && args.length !== shape.count))
      throw new Misread(`It is written ${shape.usage}.`);
    return { kind: 'call', name, args };
  }

  /** The items between parentheses, separated by commas. */
  #list(depth: number): Expression[] {
    this.#at++;
    const items = [this.#chain(depth + 1, SUMS)];
    for (let sign = this.#peek(); sign !== ')'; sign = this.#peek()) {
      if (sign !== ',') throw new Misread('A ")" is missing.');
      this.#at++;
      items.push(this.#chain(depth + 1, SUMS));
    }
    this.#at++;
    return items;
  }

  /** The next character that is not blank; empty at the end. */
  #peek(): string {
    BLANK.lastIndex = this.#at;
    this.#at += BLANK.exec(this.text)?.[0].length ?? 0;
    return this.text.charAt(this.#at);
  }

  #fail(): never {
    const rest = this.text.slice(this.#at);
    throw new Misread(rest === '' ? 'A number or a name is due.' : `"${rest}" is neither a number nor a name.`);
  }
}
