// `@if`: whether a request runs, by answers and variables. Pure.
import { answerOf } from '../document/variables/answer';
import { checkAssertion } from './assertions/assertions';
import { expectedOf, resolverFor, valueOf, type World } from './evaluate';
import { printJson } from '../../solana/json/json';
import type { RunCondition } from '../document/model';
import type { Home } from '../document/variables/evaluate';

/** Of a value, in a reason. UTF-16 units. */
const MAX_SHOWN = 100;

/** Why a condition skips a request, as a sentence; undefined if the condition holds. Throws NoValue. */
export async function unmetReason(
  { content, condition, text }: RunCondition,
  at: Home,
  world: World,
): Promise<string | undefined> {
  const value = valueOf(content, at, world);
  const expected = expectedOf(condition, at, resolverFor(at, world));
  const answer = answerOf({ durationMs: 0, headers: [], isBatch: false, ...(value !== undefined && { body: value }) });
  const own = { ...condition, path: { ...condition.path, steps: [] } };
  const { passed, actual } = await checkAssertion(own, expected, answer);
  if (passed) return undefined;
  const found = actual === undefined ? 'there is no such value' : `the value is ${shortened(printJson(actual))}`;
  return `@if ${text} does not hold: ${found}.`;
}

const shortened = (text: string): string => (text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text);
