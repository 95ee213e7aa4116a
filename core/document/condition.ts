// `PATH OP [VALUE]` of assertions and of `@retry … while`. Reads shapes; compares nothing.
import { JsonSyntaxError, parseJson } from '../values/json/json';
import { DURATION, durationMs } from './duration';
import { insteadOfOperator, insteadOfPath } from './foreign';
import type { AssertionValue, Condition, Operator, Span } from './model';
import { readPath } from './path';
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
  exists: { hasValue: false, doc: 'The path leads to a value; null counts.' },
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
  length: { hasValue: true, doc: 'The string, array or object has this many units, elements or members.' },
};

export type ConditionReading =
  { readonly ok: true; readonly condition: Condition } | { readonly ok: false; readonly reason: string };

const no = (reason: string): ConditionReading => ({ ok: false, reason });

/** Reads the condition between two offsets of a block's text. */
export function readCondition(text: string, start: number, end: number): ConditionReading {
  // Only its own stretch, so that many conditions in one block do not each hold all of it; offsets count from `start`.
  const source = text.slice(start, end);
  const spanOf = (from: number, to: number): Span => ({ start: start + from, end: start + to });
  const from = skipBlanks(source, 0);
  const path = readPath(source, from, true);
  if (path.steps.length === 0 || source[from] === '.') return no('A path is due first, such as result.value.');
  const other = insteadOfPath(String(path.steps[0]));
  if (other !== undefined) return no(`A path into the response is due first, such as ${other}.`);
  const rest = source.slice(path.end);
  const word = /^\s*(==|!=|<=|>=|<|>|[A-Za-z]+)(?=$|\s|["[{\d-])/.exec(rest);
  const operator = word?.[1] ?? '';
  if (!isOperator(operator)) {
    const found = /^\s*(\S+)/.exec(rest)?.[1];
    if (found === undefined) return no('An operator is due after the path.');
    const meant = insteadOfOperator(found);
    return no(`"${found}" is no operator.${meant === undefined ? '' : ` Write ${meant}.`}`);
  }
  const valueStart = skipBlanks(source, path.end + (word?.[0].length ?? 0));
  const span = spanOf(from, path.end);
  const head = { path: { text: source.slice(from, path.end), steps: path.steps, span }, operator };
  if (!OPERATORS[operator].hasValue)
    return valueStart < source.length ? no(`${operator} takes no value.`) : { ok: true, condition: head };
  if (valueStart >= source.length) return no(`A value is due after ${operator}.`);
  const value = readValue(source.slice(valueStart), spanOf(valueStart, source.length));
  if (value === undefined) return no('The value is neither JSON nor {{…}}; text stands in double quotes.');
  const reason = mismatch(head.path.text, operator, value);
  return reason === undefined ? { ok: true, condition: { ...head, value } } : no(reason);
}

const isOperator = (word: string): word is Operator => Object.hasOwn(OPERATORS, word);

function skipBlanks(text: string, start: number): number {
  let at = start;
  while (at < text.length && text.charCodeAt(at) <= 32) at++;
  return at;
}

function readValue(text: string, span: Span): AssertionValue | undefined {
  if (DURATION.test(text)) return { kind: 'duration', ms: durationMs(text), span };
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
function mismatch(path: string, operator: Operator, value: AssertionValue): string | undefined {
  if (value.kind === 'template') return undefined;
  if (path === 'duration') return value.kind === 'duration' ? undefined : 'A duration compares with a unit: 500ms, 2s.';
  if (value.kind === 'duration') return 'Only "duration" compares with a time.';
  if (operator === 'length' && !(typeof value.json === 'number' && value.json >= 0))
    return 'length compares with an integer from 0.';
  if (operator === 'startsWith' || operator === 'endsWith' || operator === 'matches') {
    if (typeof value.json !== 'string') return `${operator} compares with a string in double quotes.`;
    if (operator === 'matches' && !isPattern(value.json)) return 'This is no regular expression.';
  }
  return undefined;
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
