// Shared by the readers of IDL files: problems with their places, bounded names and lists.
import { isJsonArray, member, type JsonValue } from '../../json/json';

/** A problem of a file and its place: `instructions.transfer.args.amount`. */
export interface IdlProblem {
  readonly place: string;
  /** One sentence without a full stop. */
  readonly message: string;
}

/** Types nested deeper than this are refused. */
export const MAX_NESTING = 32;
/** Longer lists are cut, and that is a problem. */
export const MAX_ENTRIES = 4_096;
/** Longer names are cut, in UTF-16 units. */
export const MAX_IDL_NAME = 128;
/** Longer messages of errors are cut, in UTF-16 units. */
export const MAX_ERROR_TEXT = 500;

/** Collects problems, up to a number nobody reads beyond. */
export class Problems {
  readonly found: IdlProblem[] = [];

  say(place: string, message: string): undefined {
    if (this.found.length < 100) this.found.push({ place, message });
    return undefined;
  }
}

export const short = (text: string): string => text.slice(0, 40);

export const textAt = (value: JsonValue | undefined, key: string): string | undefined => {
  const found = member(value, key);
  return typeof found === 'string' ? found.slice(0, MAX_IDL_NAME) : undefined;
};

/** The list at a key; a missing one is empty. */
export function listAt(
  value: JsonValue | undefined,
  key: string,
  place: string,
  problems: Problems,
): readonly JsonValue[] {
  const found = member(value, key);
  if (found === undefined || found === null) return [];
  if (!isJsonArray(found)) {
    problems.say(`${place}${key}`, 'this is not a list');
    return [];
  }
  if (found.length > MAX_ENTRIES)
    problems.say(`${place}${key}`, `more than ${MAX_ENTRIES} entries; the rest is ignored`);
  return found.slice(0, MAX_ENTRIES);
}
