// Checks one JSON-RPC request as a value: its envelope here, its method and params in core/requests/methods. Knows no text:
// checkBody finds the place of a problem, and faultless.ts asks only whether there is a problem.
import { integerOf, isJsonArray, isJsonObject, member, type JsonObject, type JsonValue } from '../../solana/json/json';
import { checkCall, checkMethod } from '../methods/check';
import { nearestNames } from '../../solana/common/nearest';
import type { MethodTable } from '../methods';
import type { CheckOptions, Fix, ParamsProblem, RequestProblem } from '../methods/problems';
import { problemAt } from '../methods/reporter';
import type { Lane } from '../methods/types';

/** The context in which a request is checked; one object serves all requests of a body. */
export interface RequestOptions extends CheckOptions {
  readonly lane: Lane | undefined;
  readonly methods: MethodTable;
  /** A batch where none can go: that it is misplaced has been said once, for all of it. */
  readonly isMisplaced: boolean;
  readonly isUnknown: (text: JsonValue) => boolean;
  readonly conditional: true;
}

const MAX_ID = 2n ** 64n - 1n;
const MEMBERS = ['jsonrpc', 'id', 'method', 'params'];
const NONE: readonly RequestProblem[] = [];

/** The problems of a request; allocates only where there are some. */
export function checkRequest(request: JsonValue, options: RequestOptions): readonly RequestProblem[] {
  if (!isJsonObject(request))
    return options.isUnknown(request) ? NONE : [problemAt('wrong-type', 'A request is an object with a method.', [])];
  const envelope = checkEnvelope(request, options);
  const method = member(request, 'method');
  if (method === undefined) return withoutMethod(request, envelope);
  if (typeof method !== 'string')
    return [...envelope, problemAt('wrong-type', 'The name of a method is a string.', ['method'])];
  if (options.isUnknown(method)) return envelope;
  const record = options.methods.named(method);
  const ofMethod = checkMethod(method, options.lane, options.methods, record);
  const ofCall = record === undefined ? [] : checkCall(record, member(request, 'params'), options);
  if (ofMethod.length === 0 && ofCall.length === 0) return envelope;
  const told = options.isMisplaced ? ofMethod.filter(({ code }) => code !== 'wrong-transport') : ofMethod;
  return [...envelope, ...told.map(inRequest), ...ofCall.map(inRequest)];
}

/** Reports a misspelt member and the missing member that it is meant for as one fault. */
function withoutMethod(request: JsonObject, envelope: readonly RequestProblem[]): readonly RequestProblem[] {
  const slip = Object.keys(request).find(
    (key) => !MEMBERS.includes(key) && nearestNames(key, MEMBERS, 1)[0] === 'method',
  );
  const place = envelope.find(({ code, path }) => code === 'unknown-field' && path[0] === slip);
  if (slip === undefined || place === undefined)
    return [...envelope, problemAt('missing-field', 'A request needs "method".', [])];
  const message = `A request needs "method", and has ${JSON.stringify(slip)}.`;
  const fixes: readonly Fix[] = [{ kind: 'rename', name: 'method' }];
  const found = { ...problemAt('missing-field', message, [slip], 'key'), fixes };
  return envelope.map((one) => (one === place ? found : one));
}

function checkEnvelope(request: JsonObject, { isUnknown }: RequestOptions): readonly RequestProblem[] {
  let found: RequestProblem[] | undefined;
  for (const key of Object.keys(request)) {
    const problem = checkMember(key, request[key] ?? null, isUnknown);
    if (problem !== undefined) (found ??= []).push(problem);
  }
  return found ?? NONE;
}

function checkMember(
  key: string,
  value: JsonValue,
  isUnknown: RequestOptions['isUnknown'],
): RequestProblem | undefined {
  switch (key) {
    case 'method':
    case 'params':
      return undefined;
    case 'jsonrpc':
      if (value === '2.0' || isUnknown(value)) return undefined;
      return {
        ...problemAt('enum-value', 'The only version is "2.0".', [key]),
        fixes: [{ kind: 'replace', value: '2.0' }],
      };
    case 'id':
      if (isId(value) || isUnknown(value)) return undefined;
      return problemAt('wrong-type', 'An id is a string, an integer from 0 to 18446744073709551615, or null.', [key]);
    // A key with its value is said to be a secret; that says more.
    case 'api_key':
      return undefined;
    default: {
      if (isUnknown(key)) return undefined;
      const fixes = nearestNames(key, MEMBERS, 1).map((name) => ({ kind: 'rename' as const, name }));
      const message = `A request has no member ${JSON.stringify(key)}: only jsonrpc, id, method and params.`;
      return { ...problemAt('unknown-field', message, [key], 'key'), fixes: [...fixes, { kind: 'remove' }] };
    }
  }
}

export function isId(id: JsonValue): boolean {
  if (typeof id === 'string' || id === null) return true;
  if (isJsonArray(id) || isJsonObject(id)) return false;
  const integer = integerOf(id);
  return integer !== undefined && integer >= 0n && integer <= MAX_ID;
}

function inRequest({ target, path, ...said }: ParamsProblem): RequestProblem {
  if (target === 'method') return { ...said, path: ['method'], target: 'value' };
  return { ...said, path: ['params', ...path], target };
}
