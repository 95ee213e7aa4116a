// The request objects of a JSON-RPC body, alone or in a batch.
import { isJsonArray, member, type JsonValue } from './json';

/** One request object of a body: `index` is its place in a batch. */
export interface Call {
  readonly index: number | undefined;
  /** The request as written, or with the values of its variables. */
  readonly request: JsonValue;
}

/** The calls of a body's value; elements of a batch that are no objects are among them. */
export function callsIn(value: JsonValue): Call[] {
  if (isJsonArray(value)) return value.map((request, index) => ({ index, request }));
  return [{ index: undefined, request: value }];
}

/** The method's name, if there is one. */
export function methodOf(request: JsonValue | undefined): string | undefined {
  const method = member(request, 'method');
  return typeof method === 'string' ? method : undefined;
}
