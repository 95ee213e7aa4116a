// The differences between two JSON values: a few lines, each a path with the found and the expected value. Pure.
import { printPath } from '../../document/variables/path';
import type { PathStep } from '../../document/model';
import { shortened } from '../../../solana/common/ends';
import { isJsonArray, isJsonObject, member, printJson, type JsonValue } from '../../../solana/json/json';
import { equalValues, type TextIntegers } from '../../../solana/json/numbers';

/** More differences are counted, not shown. */
const MAX_LINES = 8;
/** UTF-16 units of a value in a line. */
const MAX_VALUE = 80;

/** A value without its members at some paths. */
export function without(value: JsonValue, paths: readonly (readonly PathStep[])[]): JsonValue {
  return paths.reduce<JsonValue>((rest, path) => withoutOne(rest, path), value);
}

function withoutOne(value: JsonValue, [step, ...rest]: readonly PathStep[]): JsonValue {
  if (step === undefined) return null;
  if (isJsonArray(value) && typeof step === 'number')
    return value.map((item, index) => (index === step ? withoutOne(item, rest) : item));
  if (!isJsonObject(value) || typeof step !== 'string' || !Object.hasOwn(value, step)) return value;
  const entries = Object.entries(value).flatMap(([key, item]): (readonly [string, JsonValue])[] =>
    key !== step ? [[key, item]] : rest.length === 0 ? [] : [[key, withoutOne(item, rest)]],
  );
  return Object.fromEntries(entries);
}

/** `path: found, expected`, in the order of the found value; empty if the values are equal. */
export function differences(found: JsonValue, expected: JsonValue, text?: TextIntegers): string[] {
  const lines: string[] = [];
  let count = 0;
  const at: PathStep[] = [];
  const compare = (one: JsonValue | undefined, other: JsonValue | undefined): void => {
    const steps = stepsOf(one, other);
    for (const step of steps ?? []) {
      at.push(step);
      compare(partOf(one, step), partOf(other, step));
      at.pop();
    }
    if (steps !== undefined || (one !== undefined && other !== undefined && equalValues(one, other, text))) return;
    if (++count > MAX_LINES) return;
    lines.push(`${at.length === 0 ? '' : `${printPath(at)}: `}found ${shown(one)}, expected ${shown(other)}`);
  };
  compare(found, expected);
  return count > MAX_LINES ? [...lines, `and ${count - MAX_LINES} more`] : lines;
}

/** The parts of two objects, or of two lists. */
function stepsOf(a: JsonValue | undefined, b: JsonValue | undefined): readonly PathStep[] | undefined {
  if (isJsonArray(a) && isJsonArray(b))
    return Array.from({ length: Math.max(a.length, b.length) }, (_, index) => index);
  if (isJsonObject(a) && isJsonObject(b)) return [...new Set([...Object.keys(a), ...Object.keys(b)])];
  return undefined;
}

const partOf = (value: JsonValue | undefined, step: PathStep): JsonValue | undefined =>
  isJsonArray(value) ? value[Number(step)] : member(value, String(step));

function shown(value: JsonValue | undefined): string {
  return value === undefined ? 'nothing' : shortened(printJson(value), MAX_VALUE);
}
