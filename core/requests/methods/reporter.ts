// Collects the problems of one call and knows which texts are variables. The path is built only when a problem is.
import type { Release } from './releases';
import type { Availability, Lane } from './types';
import { CODES, type Code } from '../diagnostics/codes';
import { shortened } from '../../solana/common/ends';
import { isJsonObject, JsonNumber, type JsonObject, type JsonValue } from '../../solana/json/json';
import type { Programs } from '../../solana/decode/decoded';
import type { PackId } from '../../service/providers/packIds';
import type { CheckOptions, ProblemCondition, Fix, ParamsPath, ParamsProblem, RequestProblem } from './problems';

const NO_FIXES: readonly Fix[] = [];
const NO_PROBLEMS: readonly ParamsProblem[] = [];

/** A place within params as a chain to its parent: costs one object per container entered, no arrays. */
export interface ParamsPlace {
  readonly parent: ParamsPlace | undefined;
  readonly step: string | number;
  /** The object that the value is a member of, for specs that depend on a sibling. */
  readonly owner?: JsonObject;
}

export function pathOf(place: ParamsPlace | undefined): ParamsPath {
  const steps: (string | number)[] = [];
  for (let at = place; at !== undefined; at = at.parent) steps.push(at.step);
  return steps.reverse();
}

/** The part that a problem marks. */
type Mark = Pick<ParamsProblem, 'target' | 'path'>;

/** The name of the method. */
export const METHOD_NAME: Mark = { target: 'method', path: [] };

/** With the severity of its code. */
export function makeProblem(
  code: Code,
  { target, path }: Mark,
  message: string,
  fixes: readonly Fix[] = NO_FIXES,
): ParamsProblem {
  return { code, severity: CODES[code].severity, target, path, message, fixes };
}

/** The same of a place in a whole request, or in a message. */
export const problemAt = (
  code: Code,
  message: string,
  path: RequestProblem['path'],
  target: RequestProblem['target'] = 'value',
): RequestProblem => ({ code, severity: CODES[code].severity, message, path, target });

export class Reporter {
  #problems: ParamsProblem[] | undefined;

  constructor(private readonly options: CheckOptions) {}

  /** In the order they were found; one empty list serves all calls without any. */
  get problems(): readonly ParamsProblem[] {
    return this.#problems ?? NO_PROBLEMS;
  }

  /** Drops the problems after the first `count`, to be replaced by a better one. */
  keepUpTo(count: number): void {
    if (this.#problems !== undefined) this.#problems.length = count;
  }

  #add(problem: ParamsProblem): void {
    (this.#problems ??= []).push(problem);
  }

  /** A problem of the whole value at a place. */
  value(code: Code, place: ParamsPlace | undefined, message: string, fixes?: readonly Fix[]): void {
    this.#add(makeProblem(code, { target: 'value', path: pathOf(place) }, message, fixes));
  }

  /** A problem of the key of a member. */
  key(code: Code, place: ParamsPlace | undefined, message: string, fixes?: readonly Fix[]): void {
    this.#add(makeProblem(code, { target: 'key', path: pathOf(place) }, message, fixes));
  }

  /** A problem of a member's key in an object that we read ourselves: always an error, unlike its code elsewhere. */
  ownKey(code: Code, place: ParamsPlace | undefined, message: string, fixes?: readonly Fix[]): void {
    this.#add({ ...makeProblem(code, { target: 'key', path: pathOf(place) }, message, fixes), severity: 'error' });
  }

  /** A problem of the call as a whole, marked at the method's name. */
  method(code: Code, message: string, fixes?: readonly Fix[]): void {
    this.#add(makeProblem(code, METHOD_NAME, message, fixes));
  }

  /** A parameter or member that only the providers of a pack know. */
  ofPack(target: 'value' | 'key', place: ParamsPlace, name: string, pack: PackId): void {
    if (this.options.conditional === true) this.#add(packHint({ target, path: pathOf(place) }, quote(name), [pack]));
  }

  /** Something that nodes have from a release of Agave on. */
  since(target: ParamsProblem['target'], place: ParamsPlace | undefined, name: string, { agave }: Availability): void {
    if (this.options.conditional !== true || agave === undefined) return;
    const message = `${quote(name)} is known from Agave ${agave} on, and this endpoint runs an older release.`;
    const problem = makeProblem('newer-node', { target, path: pathOf(place) }, message);
    this.#add({ ...problem, only: { kind: 'olderThan', agave } });
  }

  /** A problem of a value that nodes know since a release of Agave: left out if the node is known to be older. */
  from(
    agave: Release,
    place: ParamsPlace,
    { code, message, fixes }: Pick<ParamsProblem, 'code' | 'message' | 'fixes'>,
  ): void {
    if (this.options.conditional !== true) return;
    const problem = makeProblem(code, { target: 'value', path: pathOf(place) }, message, fixes);
    this.#add({ ...problem, only: { kind: 'unlessOlder', agave } });
  }

  /** Where the request goes. */
  get lane(): Lane {
    return this.options.lane ?? 'http';
  }

  /** The IDLs at hand. */
  get programs(): Programs | undefined {
    return this.options.programs;
  }

  /** A problem that somebody else has found. */
  found(problem: ParamsProblem): void {
    this.#add(problem);
  }

  /** A string whose value is not known yet; a wallet transaction is one, too. */
  isUnknown(value: JsonValue | undefined): boolean {
    if (typeof value !== 'string') return false;
    return this.options.isUnknown === undefined ? value.includes('{{') : this.options.isUnknown(value);
  }

  isWalletTransaction(text: string): boolean {
    return this.options.isWalletTransaction?.(text) === true;
  }
}

/** Something that only the providers of some packs know. */
export function packHint(
  mark: Mark,
  what: string,
  packs: readonly PackId[],
): ParamsProblem & { readonly only: ProblemCondition } {
  const named = packs.length === 1 ? `the method pack ${packs.join()}` : `the method packs ${orList(packs)}`;
  const message = `${what} is part of ${named}: providers without it do not know it. Write "# @pack ${packs[0] ?? ''}" at the top of the file.`;
  return { ...makeProblem('method-pack', mark, message), only: { kind: 'withoutPack', packs } };
}

/** A value in a message, short: a string in quotes, a number's digits, else what it is. */
export function quote(value: JsonValue): string {
  if (typeof value === 'string') return JSON.stringify(shortened(value, MAX_QUOTE));
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (value instanceof JsonNumber) return shortened(value.text, MAX_QUOTE);
  if (value === null) return 'null';
  return isJsonObject(value) ? 'an object' : 'an array';
}

const MAX_QUOTE = 40;

/** Asks behind a sentence about a name that nothing has; empty if none is near. */
export const didYouMean = (names: readonly string[]): string =>
  names.length === 0 ? '' : ` Did you mean ${names.join(' or ')}?`;

/** `a`, `a or b`, `a, b or c`. */
export function orList(items: readonly string[]): string {
  const last = items[items.length - 1] ?? '';
  return items.length < 2 ? last : `${items.slice(0, -1).join(', ')} or ${last}`;
}
