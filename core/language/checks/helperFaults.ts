// The arguments of helpers: an address, an amount, or the name of a variable that has one.
import { evaluate } from '../../document/evaluate';
import type { Block, Problem, ReferenceContent, Span, Token } from '../../document/model';
import { HELPERS, NAME_PATTERN } from '../../document/reference';
import type { Scope } from '../../document/variables';
import { nearestNames } from '../../methods/describe';
import { integerOf, type JsonValue } from '../../values/json/json';
import { judgeBase58, KEY_BYTES } from '../../values/solana/keys';
import type { Code } from './codes';
import { problem, type FixData } from './problem';

type Helper = Extract<ReferenceContent, { readonly kind: 'helper' }>;

interface ArgumentShape {
  /** As messages name it. */
  readonly what: string;
  /** Words that are no name of a variable. */
  readonly words?: readonly string[];
  /** What is wrong with a value; undefined where nothing is. */
  readonly fault: (value: JsonValue) => Code | undefined;
}

const MAX_U64 = 2n ** 64n - 1n;

const ADDRESS: ArgumentShape = {
  what: 'an address',
  words: ['$wallet'],
  fault: (value) => {
    if (typeof value !== 'string') return 'wrong-type';
    const { kind } = judgeBase58(value, KEY_BYTES);
    return kind === 'ok' ? undefined : kind === 'alphabet' ? 'not-base58' : 'wrong-length';
  },
};

const LAMPORTS: ArgumentShape = {
  what: 'an amount in lamports',
  fault: (value) => {
    const amount = typeof value === 'string' && /^\d{1,20}$/.test(value) ? BigInt(value) : integerOf(value);
    if (amount === undefined) return 'wrong-type';
    return amount < 0n || amount > MAX_U64 ? 'out-of-range' : undefined;
  },
};

/** By the helper's name, in the order of its arguments. */
const ARGUMENTS: Readonly<Record<string, readonly ArgumentShape[]>> = { $transfer: [ADDRESS, LAMPORTS] };

/** What is wrong with the arguments of a helper, each at its place. */
export function helperFaults(scope: Scope, block: Block, { name, args }: Helper): Problem[] {
  const shapes = Object.hasOwn(ARGUMENTS, name) ? (ARGUMENTS[name] ?? []) : [];
  return shapes.flatMap((shape, index) => {
    const arg = args[index];
    return arg === undefined ? [] : argumentFault(scope, block, shape, arg);
  });
}

/** A word that nothing has as its name is meant as it is written. */
function argumentFault(scope: Scope, block: Block, shape: ArgumentShape, { text, span }: Token): Problem[] {
  if (shape.words?.includes(text) === true) return [];
  const found = evaluate({ scope, block }, { kind: 'variable', name: text });
  if (found.kind === 'unknown' || found.kind === 'cycle') return [];
  const value = found.kind === 'known' ? found.value : text;
  const code = shape.fault(value);
  if (code === undefined) return [];
  if (found.kind === 'known') return [problem(code, `The variable "${text}" is not ${shape.what}.`, span)];
  if (!NAME_PATTERN.test(text) || text.length > MAX_NAME)
    return [problem(code, `Expected ${shape.what}, or the name of a variable.`, span)];
  const { first } = scope.document;
  const names = [block, ...(first.kind === 'preamble' ? [first] : [])].flatMap(({ variables }) =>
    variables.map((variable) => variable.name.text),
  );
  const message = `This is not ${shape.what}, and no variable is named "${text}".`;
  return [
    problem('unresolved-variable', message, span, { kind: 'unnamed', span, names: nearestNames(text, names, 2) }),
  ];
}

/** Longer words are addresses with a slip, not names. */
const MAX_NAME = 30;

/** The helpers near to one that does not exist. */
export function nearHelpers(text: string, { start, end }: Span): FixData | undefined {
  const [, blank = '', name = ''] = /^\{\{(\s*)(\$[\w-]*)/.exec(text.slice(start, end)) ?? [];
  if (name === '' || Object.hasOwn(HELPERS, name)) return undefined;
  const at = start + 2 + blank.length;
  return {
    kind: 'unnamed',
    span: { start: at, end: at + name.length },
    names: nearestNames(name, Object.keys(HELPERS), 2),
  };
}
