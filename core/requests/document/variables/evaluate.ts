// Works out the value of `{{…}}`, for the editor, which knows the files alone, and for runs, which know responses too.
// Every caller hands in its bound: a small file must not become a large request.
import { isJsonArray, isJsonObject, type JsonValue } from '../../../solana/json/json';
import { ArithmeticError, FUNCTIONS, fractionJson, numberFrom, OPERATIONS, type Fraction } from './arithmetic';
import type { Block, Computed, Expression, OperandContent, ReferenceContent, Variable } from '../model';
import { printPath } from './path';
import { variableValue, type ResolveReference } from '../splice';
import { piecesOf, insertedText } from './template';
import type { Dynamic, Evaluation, Meaning, ValueOrigin, Scope } from './variables';

/** Where names are looked up: a block, or a file's shared part, of one file. */
export interface Home {
  readonly scope: Scope;
  readonly block: Block;
}

type Failure = Exclude<Evaluation, { readonly kind: 'known' }>;

/** A value that only a run knows, or why it has none; undefined if not known yet. A throw ends the evaluation. */
export type Runtime = (dynamic: Dynamic, home: Home) => RuntimeValue | undefined;

export type RuntimeValue =
  | { readonly kind: 'value'; readonly value: JsonValue }
  | Extract<Evaluation, { readonly kind: 'unresolved' }>;

/** Limits the values of references. */
export interface Bound {
  /** About the length of the values as JSON, in UTF-16 units. */
  readonly units: number;
  /** Whether each value has the bound for itself, or everything that one evaluator works out shares it. */
  readonly per: 'value' | 'evaluator';
  /** The reason of a value beyond it. */
  readonly reason: string;
}

/** For the editor, which computes values only to show and check them. */
const FILE_BOUND: Bound = { units: 1_000_000, per: 'value', reason: 'The value is too large.' };

/** Longer chains of variables are refused. */
const MAX_CHAIN = 200;

/** The value of a reference, as far as the files say. */
export function evaluate(home: Home, content: ReferenceContent): Evaluation {
  return new Evaluator(FILE_BOUND, undefined, home.scope.values).evaluate(home, content);
}

/** A text with its references replaced, as far as the files and `runtime` say: one alone in it keeps its type. */
export function expand(home: Home, text: string, runtime?: Runtime): Evaluation {
  const values = runtime === undefined ? home.scope.values : undefined;
  return new Evaluator(FILE_BOUND, runtime, values).expand(home, text);
}

/** The same as text, where all of it is known. */
export function knownText(home: Home, text: string, runtime?: Runtime): string | undefined {
  const found = expand(home, text, runtime);
  return found.kind === 'known' ? insertedText(found.value) : undefined;
}

/** Works out each variable once. */
export class Evaluator {
  readonly #open = new Set<Variable>();
  readonly #budget: { left: number };

  /** `values`: of variables, worked out before with the same runtime. */
  constructor(
    private readonly bound: Bound,
    private readonly runtime: Runtime | undefined,
    private readonly values = new Map<Variable, Evaluation>(),
  ) {
    this.#budget = { left: bound.units };
  }

  evaluate(home: Home, content: ReferenceContent): Evaluation {
    const meaning = home.scope.meaningOf(home.block, content);
    switch (meaning.kind) {
      case 'unresolved':
        return meaning;
      case 'computed':
        return this.#computed(home, meaning.content);
      case 'value':
        return { kind: 'known', value: meaning.value, origin: meaning.origin };
      case 'dynamic': {
        const found = this.runtime?.(meaning.dynamic, home);
        if (found === undefined) return { kind: 'unknown', waitsFor: meaning.dynamic };
        return found.kind === 'value' ? { kind: 'known', value: found.value, origin: { kind: 'dynamic' } } : found;
      }
      case 'variable':
        return this.#variable(meaning);
    }
  }

  expand(home: Home, text: string): Evaluation {
    if (!text.includes('{{')) return { kind: 'known', value: text, origin: { kind: 'dynamic' } };
    const pieces = piecesOf(text);
    const [only] = pieces;
    return this.#filled(home, { kind: 'dynamic' }, (valueOf) =>
      only?.kind === 'reference' && pieces.length === 1
        ? valueOf(only)
        : pieces.map((piece) => (piece.kind === 'text' ? piece.text : insertedText(valueOf(piece)))).join(''),
    );
  }

  /** The value of a reference that is put into something else: it counts against the bound of this evaluator. */
  insert(home: Home, content: ReferenceContent, budget = this.#budget): Evaluation {
    const found = this.evaluate(home, content);
    if (found.kind === 'known') budget.left -= unitsOf(found.value, budget.left);
    return budget.left < 0 ? { kind: 'unresolved', reason: this.bound.reason } : found;
  }

  #computed(home: Home, { expression, fallback }: Computed): Evaluation {
    const failures: Failure[] = [];
    try {
      const found = this.#result(home, expression, failures);
      if (found !== undefined) return found;
    } catch (error) {
      if (!(error instanceof ArithmeticError)) throw error;
      return { kind: 'unresolved', reason: error.message, isArithmetic: true };
    }
    const [failure] = failures;
    const isAbsent = failure?.kind === 'unresolved' && failure.isAbsent === true;
    if (isAbsent && fallback !== undefined) return { kind: 'known', value: fallback, origin: { kind: 'default' } };
    return failure ?? { kind: 'unresolved', reason: 'The expression has no value.' };
  }

  /** Undefined where a name has no value; `failures` then has why. Throws ArithmeticError. */
  #result(home: Home, expression: Expression, failures: Failure[]): Evaluation | undefined {
    const valueOf = (content: OperandContent): Extract<Evaluation, { readonly kind: 'known' }> | undefined => {
      const found = this.evaluate(home, content);
      if (found.kind === 'known') return found;
      failures.push(found);
      return undefined;
    };
    // A single name keeps its value as it is.
    if (expression.kind === 'operand' && failures.length === 0) return valueOf(expression.content);
    const number = (part: Expression): Fraction | undefined => {
      switch (part.kind) {
        case 'number':
          return numberFrom(part.text, part.text);
        case 'operand': {
          const found = valueOf(part.content);
          return found === undefined ? undefined : numberFrom(found.value, nameOf(part.content));
        }
        case 'operation': {
          const left = number(part.left);
          const right = left === undefined ? undefined : number(part.right);
          return left === undefined || right === undefined ? undefined : OPERATIONS[part.sign](left, right);
        }
        case 'call': {
          const values: Fraction[] = [];
          for (const argument of part.args) {
            const value = number(argument);
            if (value === undefined) return undefined;
            values.push(value);
          }
          return FUNCTIONS[part.name]?.of(values);
        }
      }
    };
    const result = number(expression);
    return result === undefined
      ? undefined
      : { kind: 'known', value: fractionJson(result), origin: { kind: 'computed' } };
  }

  #variable({ origin, scope }: Extract<Meaning, { readonly kind: 'variable' }>): Evaluation {
    const { variable, block } = origin;
    const known = this.values.get(variable);
    if (known !== undefined) return known;
    if (this.#open.has(variable)) return { kind: 'cycle', variable };
    if (this.#open.size >= MAX_CHAIN) return { kind: 'unresolved', reason: 'The chain of variables is too long.' };
    this.#open.add(variable);
    try {
      const result = this.#filled({ scope, block }, origin, (valueOf) =>
        variableValue(variable, block.references, valueOf),
      );
      if (result.kind !== 'cycle') this.values.set(variable, result);
      return result;
    } finally {
      this.#open.delete(variable);
    }
  }

  /** The result of `fill` with the values of its references. After the first without a value, the others are empty. */
  #filled(home: Home, origin: ValueOrigin, fill: (valueOf: ResolveReference) => JsonValue): Evaluation {
    const budget = this.bound.per === 'value' ? { left: this.bound.units } : this.#budget;
    let failure: Failure | undefined;
    const value = fill(({ content }) => {
      if (failure !== undefined) return '';
      const found = this.insert(home, content, budget);
      if (found.kind === 'known') return found.value;
      failure = found;
      return '';
    });
    return failure ?? { kind: 'known', value, origin };
  }
}

const nameOf = (content: OperandContent): string =>
  content.kind === 'variable' ? content.name : printPath([content.request, ...content.path]);

/** About the length of a value as JSON; counts items no further than `limit`. */
function unitsOf(value: JsonValue, limit: number): number {
  const items = isJsonArray(value) ? value : isJsonObject(value) ? Object.values(value) : undefined;
  if (items === undefined) return insertedText(value).length + 1;
  let units = isJsonObject(value) ? Object.keys(value).join('"":').length : 2;
  for (const item of items) {
    if (units > limit) break;
    units += unitsOf(item, limit - units);
  }
  return units;
}
