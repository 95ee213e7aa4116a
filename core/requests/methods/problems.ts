// The problems that a check reports: codes, places as paths within `params`, and facts for quick fixes. Data only.
import type { Severity, Code } from '../diagnostics/codes';
import type { Programs } from '../../solana/decode/decoded';
import type { JsonValue } from '../../solana/json/json';
import type { PackId } from '../../service/providers/packIds';
import type { Release } from './releases';
import type { Lane } from './types';

/** Steps from `params` to a value: [] is `params` itself, [1, 'filters', 0] an element. */
export type ParamsPath = readonly (string | number)[];

/** A fix for a problem; the editor turns it into edits. Paths are within `params`. */
export type Fix =
  /** Put `value` where the problem is (the method's name when the target is `method`). */
  | { readonly kind: 'replace'; readonly value: JsonValue }
  /** Rename the member whose key the problem marks, or the one at another path. */
  | { readonly kind: 'rename'; readonly name: string; readonly path?: ParamsPath }
  /** Take out the element or member at the problem's path, or at another one. */
  | { readonly kind: 'remove'; readonly path?: ParamsPath }
  /** Take out the element at the problem's path and all behind it. */
  | { readonly kind: 'cut' }
  /** Set members of the object at `path`, making it (and `params`) where it is missing. */
  | { readonly kind: 'set'; readonly path: ParamsPath; readonly members: Readonly<Record<string, JsonValue>> }
  /** Turn the object `params` into an array in this order of names; later names that are missing end it. */
  | { readonly kind: 'positional'; readonly names: readonly string[] }
  /** Put the value into an array, or into an object as this member. */
  | { readonly kind: 'wrap'; readonly member?: string }
  /** Put the only element of the array in its place; the array is the value of the problem, or `params` itself. */
  | { readonly kind: 'unwrap'; readonly of?: 'params' }
  /** Exchange the value with the one at another path. */
  | { readonly kind: 'swap'; readonly with: ParamsPath };

/** A condition under which a problem counts; decided where the file and its endpoint are known. */
export type ProblemCondition =
  /** None of these packs is asked for. */
  | { readonly kind: 'withoutPack'; readonly packs: readonly PackId[] }
  /** The endpoint is known to run an older release of Agave than this. */
  | { readonly kind: 'olderThan'; readonly agave: Release }
  /** The endpoint is not known to run an older release. */
  | { readonly kind: 'unlessOlder'; readonly agave: Release };

export interface ParamsProblem {
  readonly code: Code;
  readonly severity: Severity;
  /**
   * `value`: the whole value at `path`. `key`: the key of the member at `path`. `method`: the method's string, `path` is [].
   */
  readonly target: 'value' | 'key' | 'method';
  readonly path: ParamsPath;
  /** One plain sentence: what is wrong and what is expected. May quote text from the file, shortened. */
  readonly message: string;
  /** Best first. */
  readonly fixes: readonly Fix[];
  readonly only?: ProblemCondition;
}

/** A problem with its place in a whole request, or in a message; `fixes` only where some were looked for. */
export interface RequestProblem extends Omit<ParamsProblem, 'target' | 'fixes'> {
  readonly target: Exclude<ParamsProblem['target'], 'method'>;
  readonly fixes?: readonly Fix[];
}

export interface CheckOptions {
  /** Where the request goes; advice for SWQoS depends on it. Without one: where its method is served, and not by SWQoS. */
  readonly lane?: Lane | undefined;
  /**
   * True for a string whose value is not known before the request is sent (a variable without a value): it is valid
   * anywhere, and everything around it is checked. Asked only about strings that fail a check. Without one: any
   * string with `{{` in it.
   */
  readonly isUnknown?: (text: string) => boolean;
  /** True for a string that becomes a signed base64 transaction when it is sent (`{{$transfer …}}`, `{{$memo …}}`). */
  readonly isWalletTransaction?: (text: string) => boolean;
  /** The IDLs that calls of programs are checked against; undefined: they are not checked. */
  readonly programs?: Programs | undefined;
  /** Also report what holds under a condition only: the caller leaves out what does not apply. */
  readonly conditional?: true;
}
