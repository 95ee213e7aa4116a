// `[every|any] PATH [not] OP [VALUE]` of assertions and of `@retry … while`. Reads shapes; compares nothing.
import { isJsonArray, isJsonObject, JsonSyntaxError, parseJson, type JsonValue } from '../../../solana/json/json';
import { compareNumbers, numberText } from '../../../solana/json/numbers';
import { DURATION, durationMs } from '../duration';
import { insteadOfOperator, insteadOfPath } from '../foreign';
import type { AssertionValue, Condition, Operator, PathStep, Span } from '../model';
import { readPath, type PathReading } from './path';
import { findReferences } from './reference';

interface OperatorShape {
  readonly hasValue: boolean;
  readonly doc: string;
}

/** The operators, as data; completion shows the same sentences. */
export const OPERATORS: Readonly<Record<Operator, OperatorShape>> = {
  '==': { hasValue: true, doc: 'Equal; integers and their digits exactly.' },
  '!=': { hasValue: true, doc: 'Not equal.' },
  '<': { hasValue: true, doc: 'Less than.' },
  '<=': { hasValue: true, doc: 'Less than or equal.' },
  '>': { hasValue: true, doc: 'Greater than.' },
  '>=': { hasValue: true, doc: 'Greater than or equal.' },
  in: { hasValue: true, doc: 'One of the values of a list: `in [1, 2]`.' },
  between: { hasValue: true, doc: 'From the first to the second, both included: `between 1 5`.' },
  within: { hasValue: true, doc: 'Off by so many percent at most: `within 1% of 5000`.' },
  exists: { hasValue: false, doc: 'The path leads to a value; null counts.' },
  isAbsent: { hasValue: false, doc: 'The path leads nowhere; null is a value.' },
  isNull: { hasValue: false, doc: 'The value is null.' },
  isNumber: { hasValue: false, doc: 'The value is a number.' },
  isString: { hasValue: false, doc: 'The value is a string.' },
  isArray: { hasValue: false, doc: 'The value is an array.' },
  isObject: { hasValue: false, doc: 'The value is an object.' },
  isBoolean: { hasValue: false, doc: 'The value is true or false.' },
  contains: { hasValue: true, doc: 'A string holds the text, an array the element, an object the key.' },
  startsWith: { hasValue: true, doc: 'The string begins with the text.' },
  endsWith: { hasValue: true, doc: 'The string ends with the text.' },
  matches: { hasValue: true, doc: 'The string matches the regular expression.' },
  matchesSchema: {
    hasValue: true,
    doc: 'The value fits a JSON Schema: of a file, as in `matchesSchema ./account.json`, or written inline.',
  },
  matchesSnapshot: {
    hasValue: false,
    doc: 'The value is the one that was kept in `__snapshots__/FILE.json`; `--update-snapshots` writes it, in the editor *Update Snapshot*.',
  },
  length: {
    hasValue: true,
    doc: 'The string, array or object has this many units, elements or members; `length >= 1` compares.',
  },
};

export type ConditionReading =
  | { readonly ok: true; readonly condition: Condition }
  | { readonly ok: false; readonly reason: string };

const no = (reason: string): ConditionReading => ({ ok: false, reason });

const QUANTIFIER = /^(every|any)\s+/;
const WILDCARD = '[*]';

/** A path with `[*]` in it: the steps up to the first, and those behind each. */
function readPaths(source: string, start: number): Pick<Condition, 'each'> & PathReading {
  const first = readPath(source, start, true);
  const each: (readonly PathStep[])[] = [];
  let { end } = first;
  while (first.steps.length > 0 && source.startsWith(WILDCARD, end)) {
    const next = readPath(source, end + WILDCARD.length, false);
    each.push(next.steps);
    ({ end } = next);
  }
  return { steps: first.steps, end, ...(each.length === 0 ? {} : { each }) };
}

const WORDS = /^\s*(not\s+)?(==|!=|<=|>=|<|>|[A-Za-z]+)(?=$|\s|["[{\d-])/;
const LENGTH_ORDER = /^(==|!=|<=|>=|<|>)\s*/;
const TOLERANCE = /^(\d+(?:\.\d+)?)\s*%\s+of(?=\s)/;

/** Reads the condition between two offsets of a block's text. `isNamed`: its path begins with a name of the file. */
export function readCondition(text: string, start: number, end: number, isNamed = false): ConditionReading {
  // Only its own stretch, so that many conditions in one block do not each hold all of it; offsets count from `start`.
  const source = text.slice(start, end);
  const spanOf = (from: number, to: number): Span => ({ start: start + from, end: start + to });
  const first = skipBlanks(source, 0);
  const quantifier = QUANTIFIER.exec(source.slice(first));
  const from = first + (quantifier?.[0].length ?? 0);
  const path = readPaths(source, from);
  if (path.steps.length === 0 || source[from] === '.') return no('A path is due first, such as result.value.');
  const other = isNamed ? undefined : insteadOfPath(String(path.steps[0]));
  if (other !== undefined) return no(`A path into the response is due first, such as ${other}.`);
  if ((quantifier === null) !== (path.each === undefined))
    return no('Write "every" or "any" before a path with [*], such as every result[*].lamports > 0.');
  const rest = source.slice(path.end);
  const word = WORDS.exec(rest);
  const operator = word?.[2] ?? '';
  if (!isOperator(operator)) {
    const found = /^\s*(\S+)/.exec(rest)?.[1];
    if (found === undefined) return no('An operator is due after the path.');
    const meant = insteadOfOperator(found);
    return no(`"${found}" is not an operator.${meant === undefined ? '' : ` Write ${meant}.`}`);
  }
  let valueStart = skipBlanks(source, path.end + (word?.[0].length ?? 0));
  const order = operator === 'length' ? LENGTH_ORDER.exec(source.slice(valueStart)) : null;
  const tolerance = operator === 'within' ? TOLERANCE.exec(source.slice(valueStart)) : null;
  if (operator === 'within' && tolerance === null) return no('within is written: within 1% of VALUE.');
  valueStart = skipBlanks(source, valueStart + (order?.[0] ?? tolerance?.[0] ?? '').length);
  // The blank in front of the word may be all that is before it.
  const ignoringFrom = operator === 'matchesSnapshot' ? Math.max(0, valueStart - 1) : valueStart;
  const ignoring = IGNORING.has(operator) ? readIgnoring(source.slice(ignoringFrom)) : undefined;
  const valueEnd = ignoring === undefined ? source.length : ignoringFrom + ignoring.start;
  const head: Condition = {
    path: { text: source.slice(from, path.end), steps: path.steps, span: spanOf(from, path.end) },
    operator,
    words: source.slice(path.end, valueStart).trim().replace(/\s+/g, ' '),
    ...(word?.[1] === undefined ? {} : { isNegated: true }),
    ...(quantifier === null ? {} : { quantifier: quantifier[1] === 'any' ? 'any' : 'every' }),
    ...(path.each === undefined ? {} : { each: path.each }),
    ...(order === null ? {} : { lengthOrder: order[1] as NonNullable<Condition['lengthOrder']> }),
    ...(tolerance === null ? {} : { tolerance: tolerance[1] ?? '' }),
    ...(ignoring === undefined ? {} : { ignoring: ignoring.paths }),
  };
  if (!OPERATORS[operator].hasValue)
    return valueStart < valueEnd ? no(`${operator} takes no value.`) : { ok: true, condition: head };
  if (valueStart >= valueEnd) return no(`A value is due after ${operator}.`);
  const given = source.slice(valueStart, valueEnd).trimEnd();
  const span = spanOf(valueStart, valueStart + given.length);
  if (operator === 'matchesSchema' && SCHEMA_FILE.test(given))
    return { ok: true, condition: { ...head, value: { kind: 'file', path: given, span } } };
  const value = operator === 'between' ? readPair(given, span) : readValue(given, span);
  if (value === undefined)
    return no(
      operator === 'between'
        ? 'between takes two values: between 1 5.'
        : 'The value is neither JSON nor {{…}}. Put text in double quotes.',
    );
  const reason = mismatch(head, value);
  return reason === undefined ? { ok: true, condition: { ...head, value } } : no(reason);
}

/** Operators with `ignoring`. */
const IGNORING: ReadonlySet<Operator> = new Set<Operator>(['==', '!=', 'matchesSnapshot']);
/** A schema in place is JSON, and so is a reference to one. */
const SCHEMA_FILE = /^[^{[tf"\s][^{}]*\.json$/;

/** `ignoring a.b, c` at the end of a value. */
function readIgnoring(
  text: string,
): { readonly start: number; readonly paths: readonly (readonly PathStep[])[] } | undefined {
  const at = text.lastIndexOf(' ignoring ');
  if (at < 0) return undefined;
  const paths = text
    .slice(at + ' ignoring '.length)
    .split(',')
    .map((one) => one.trim());
  const read = paths.map((one) => readPath(one, 0, true));
  const isRead = read.every(({ steps, end }, index) => steps.length > 0 && end === paths[index]?.length);
  return isRead ? { start: at, paths: read.map(({ steps }) => steps) } : undefined;
}

const PAIR = /^("(?:[^"\\]|\\.)*"|\{\{[^{}]*\}\}|\S+(?:\s+SOL\b)?)\s+(\S.*)$/;

/** Two values with a blank between them, as a list. */
function readPair(text: string, span: Span): AssertionValue | undefined {
  const [, low = '', high = ''] = PAIR.exec(text) ?? [];
  const ends = [low, high].map((one) => readValue(one, span));
  const [a, b] = ends;
  if (a === undefined || b === undefined) return undefined;
  if (a.kind === 'template' || b.kind === 'template') {
    const gap = text.length - low.length - high.length;
    return { kind: 'template', text: `${low},${' '.repeat(gap - 1)}${high}`, span, isList: true };
  }
  const plain = [a, b].map((one) => (one.kind === 'duration' ? one.ms : one.kind === 'json' ? one.json : null));
  if (a.kind !== b.kind) return undefined;
  return a.kind === 'duration'
    ? { kind: 'duration', ms: a.ms, upTo: plain[1] as number, span }
    : { kind: 'json', json: plain, span };
}

const isOperator = (word: string): word is Operator => Object.hasOwn(OPERATORS, word);

function skipBlanks(text: string, start: number): number {
  let at = start;
  while (at < text.length && text.charCodeAt(at) <= 32) at++;
  return at;
}

/** An amount in SOL, as many digits behind the point as lamports have. */
const SOL = /^(\d{1,11}(?:\.\d{1,9})?)\s*SOL$/;

function lamportsOf(sol: string): string {
  const [whole = '0', fraction = ''] = sol.split('.');
  return String(BigInt(`${whole}${fraction.padEnd(9, '0')}`));
}

function readValue(text: string, span: Span): AssertionValue | undefined {
  if (DURATION.test(text)) return { kind: 'duration', ms: durationMs(text), span };
  const sol = SOL.exec(text)?.[1];
  if (sol !== undefined) return { kind: 'json', json: parseJson(lamportsOf(sol)), span };
  const references = findReferences(text, 0);
  // A reference outside quotes stands for a JSON value: null in its place shows whether the rest is JSON.
  const filled = text.replace(/(?<![\\"])\{\{[^{}"]*\}\}(?!")/g, 'null');
  try {
    const json = parseJson(filled);
    return references.length > 0 ? { kind: 'template', text, span } : { kind: 'json', json, span };
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
  }
  return references.length === 1 && references[0]?.start === 0 && references[0].end === text.length
    ? { kind: 'template', text, span }
    : undefined;
}

/** Why path, operator and value cannot go together; undefined where they can. */
function mismatch({ path, operator, lengthOrder }: Condition, value: AssertionValue): string | undefined {
  if (value.kind === 'template' || value.kind === 'file') return undefined;
  if (path.text === 'duration' && value.kind !== 'duration') return 'A duration compares with a unit: 500ms, 2s.';
  if (value.kind === 'duration') {
    if (path.text !== 'duration') return 'Only "duration" compares with a time.';
    return value.upTo !== undefined && value.upTo < value.ms ? REVERSED : undefined;
  }
  const { json } = value;
  switch (operator) {
    case 'matchesSchema':
      return isJsonObject(json) || typeof json === 'boolean'
        ? undefined
        : 'matchesSchema takes the path of a .json file, or a schema: matchesSchema ./account.json.';
    case 'in':
      if (!isJsonArray(json)) return 'in takes a list: in [1, 2].';
      return json.length === 0 ? 'No value is in an empty list: in [1, 2].' : undefined;
    case 'between':
      return rangeFault(isJsonArray(json) ? json : []);
    case '<':
    case '<=':
    case '>':
    case '>=':
    case 'within':
      return numberText(json) === undefined ? `${operator} compares with a number.` : undefined;
    case 'length':
      if (!(typeof json === 'number' && json >= 0)) return 'length compares with an integer from 0.';
      return lengthOrder === '<' && json === 0 ? 'No length is less than 0.' : undefined;
    case 'startsWith':
    case 'endsWith':
    case 'matches':
      if (typeof json !== 'string') return `${operator} compares with a string in double quotes.`;
      return operator === 'matches' && !isPattern(json) ? 'This is not a regular expression.' : undefined;
    default:
      return undefined;
  }
}

const REVERSED = 'between takes the lower value first: between 1 5.';

/** Why no value can lie between two others. */
function rangeFault(ends: readonly JsonValue[]): string | undefined {
  const [low, high] = ends.map(numberText);
  if (low === undefined || high === undefined) return 'between compares numbers: between 1 5.';
  return (compareNumbers(low, high) ?? 0) > 0 ? REVERSED : undefined;
}

function isPattern(source: string): boolean {
  try {
    new RegExp(source, 'u');
    return true;
  } catch {
    try {
      new RegExp(source);
      return true;
    } catch {
      return false;
    }
  }
}
