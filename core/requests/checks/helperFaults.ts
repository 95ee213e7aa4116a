// The arguments of helpers: an address, an amount, or the name of a variable that has one.
import { evaluate } from '../document/variables/evaluate';
import type { Block, Problem, ReferenceContent, Span, Token } from '../document/model';
import { HELPERS, NAME_PATTERN } from '../document/variables/reference';
import type { Scope } from '../document/variables/variables';
import { nearestNames } from '../../solana/common/nearest';
import { integerOf, printJson, type JsonValue } from '../../solana/json/json';
import { judgeBase58, KEY_BYTES } from '../../solana/chain/keys';
import { writtenBytes } from '../../solana/json/writtenBytes';
import {
  lamportsOfSol,
  offsetSeconds,
  quotedText,
  seedBytes,
  TIME_FORMATS,
  timeIn,
} from '../../solana/wire/writtenArguments';
import type { Code } from '../diagnostics/codes';
import { problem, type FixData } from './problem';

type Helper = Extract<ReferenceContent, { readonly kind: 'helper' }>;

interface ArgumentShape {
  /** As messages name it. */
  readonly what: string;
  /** Words that are no name of a variable. */
  readonly words?: readonly string[];
  /** It is never the name of a variable. */
  readonly isLiteral?: true;
  /** The fault of a value; undefined if it is valid. */
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

const SOL: ArgumentShape = {
  what: 'an amount in SOL',
  fault: (value) => (lamportsOfSol(plain(value)) === undefined ? 'wrong-type' : undefined),
};

/** An address; a short word may be the name of an IDL. */
const PROGRAM: ArgumentShape = {
  what: 'an address',
  fault: (value) =>
    typeof value === 'string' && value.length <= MAX_NAME && NAME_PATTERN.test(value)
      ? undefined
      : ADDRESS.fault(value),
};

const SEED: ArgumentShape = {
  what: 'a seed',
  words: ['$wallet'],
  fault: (value) => (seedBytes(plain(value)) === undefined ? 'wrong-type' : undefined),
};

const SEED_TEXT: ArgumentShape = {
  what: 'text of at most 32 bytes',
  isLiteral: true,
  fault: (value) =>
    new TextEncoder().encode(quotedText(plain(value)) ?? plain(value)).length > 32 ? 'wrong-length' : undefined,
};

const FORMAT: ArgumentShape = {
  what: `one of ${TIME_FORMATS.join(', ')}`,
  isLiteral: true,
  fault: (value) => (timeIn(quotedText(plain(value)) ?? plain(value), 0) === undefined ? 'enum-value' : undefined),
};

const OFFSET: ArgumentShape = {
  what: 'an offset such as -1d or +90m',
  isLiteral: true,
  fault: (value) => (offsetSeconds(plain(value)) === undefined ? 'wrong-type' : undefined),
};

const BYTES: ArgumentShape = {
  what: 'bytes such as hex:00ff',
  isLiteral: true,
  fault: (value) => (writtenBytes(plain(value)) === undefined ? 'wrong-type' : undefined),
};

/** A value as it is written in an argument. */
const plain = (value: JsonValue): string => (typeof value === 'string' ? value : printJson(value));

/** By the helper's name, in the order of its arguments. */
const ARGUMENTS: Readonly<Record<string, readonly ArgumentShape[]>> = {
  $transfer: [ADDRESS, LAMPORTS],
  $sol: [SOL],
  $ata: [ADDRESS, ADDRESS, ADDRESS],
  $pda: [PROGRAM, ...Array.from({ length: 16 }, () => SEED)],
  $withSeed: [ADDRESS, SEED_TEXT, ADDRESS],
  $datetime: [FORMAT, OFFSET],
  $base58: [BYTES],
};

/** Checks the arguments of a helper, each at its place. */
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
  if (shape.isLiteral === true) {
    const code = shape.fault(text);
    return code === undefined ? [] : [problem(code, `Expected ${shape.what}.`, span)];
  }
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

/** The helpers with a name similar to an unknown one. */
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
