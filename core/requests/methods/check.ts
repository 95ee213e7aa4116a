// Checks a call against its method record: values only, no text, no offsets. Never throws; allocates only for problems
// and for the containers it enters.
import { integerOf, isJsonArray, isJsonObject, member, type JsonObject, type JsonValue } from '../../solana/json/json';
import { checkTransaction } from './checkTransaction';
import { fieldsOf } from './describe';
import { checkField, checkObject } from './checkValue';
import { removedMethodNamed, type MethodTable } from './index';
import { nearestNames } from '../../solana/common/nearest';
import type { CheckOptions, Fix, ParamsProblem } from './problems';
import { makeProblem, METHOD_NAME, orList, packHint, quote, Reporter, type ParamsPlace } from './reporter';
import { applyRule } from './rules/cross';
import { swappedIn } from './rules/swapped';
import { jsonTypeOf, takes } from './kinds';
import type { Advice, Lane, MethodRecord, ParamSpec } from './types';

/**
 * The problems of a method name on a lane: unknown, removed, not served there, unstable. Without a lane the request goes
 * where its method is served. `target` is always `method`. A batch on a lane that has none is the caller's business.
 */
export function checkMethod(
  name: string,
  lane: Lane | undefined,
  methods: MethodTable,
  record = methods.named(name),
): readonly ParamsProblem[] {
  if (record === undefined) return [unknownMethod(name, methods)];
  const misplaced = wrongTransport(record, lane);
  if (misplaced === undefined && record.unstable === undefined && record.pack === undefined) return NONE;
  const problems: ParamsProblem[] = [];
  if (misplaced !== undefined) problems.push(misplaced);
  if (record.pack !== undefined) problems.push(packHint(METHOD_NAME, name, [record.pack]));
  if (record.unstable !== undefined) {
    const why = record.unstable.charAt(0).toLowerCase() + record.unstable.slice(1);
    problems.push(makeProblem('unstable-method', METHOD_NAME, `${name} is unstable: ${why}`));
  }
  return problems;
}

const NONE: readonly never[] = [];

function unknownMethod(name: string, methods: MethodTable): ParamsProblem {
  const removed = removedMethodNamed(name);
  if (removed !== undefined) {
    const { replacedBy, note } = removed;
    const instead = replacedBy === undefined ? 'nothing takes its place' : `use ${replacedBy}`;
    const message = `Nodes no longer serve ${name}: ${instead}.${note === undefined ? '' : ` ${note}`}`;
    const fixes: Fix[] = replacedBy === undefined ? [] : [{ kind: 'replace', value: replacedBy }];
    return makeProblem('deprecated-method', METHOD_NAME, message, fixes);
  }
  const near = nearestMethods(name, methods);
  const hint = near.length === 0 ? '' : ` Did you mean ${orList(near)}?`;
  const message = `No method is named ${quote(name)}.${hint}`;
  return makeProblem(
    'unknown-method',
    METHOD_NAME,
    message,
    near.map((value): Fix => ({ kind: 'replace', value })),
  );
}

/** Methods of a pack only where no other one is near. */
function nearestMethods(name: string, methods: MethodTable): readonly string[] {
  const all = methods.all();
  const near = nearestNames(
    name,
    all.filter(({ pack }) => pack === undefined).map((record) => record.name),
  );
  if (near.length > 0) return near;
  return nearestNames(
    name,
    all.map((record) => record.name),
  );
}

function wrongTransport(record: MethodRecord, lane: Lane | undefined): ParamsProblem | undefined {
  if (lane === undefined) return undefined;
  const { name, transport } = record;
  const problem = (message: string): ParamsProblem => makeProblem('wrong-transport', METHOD_NAME, message);
  switch (lane) {
    case 'http':
      return transport === 'ws' ? problem(`${name} is served on the WebSocket: write WS above it.`) : undefined;
    case 'ws':
      return transport === 'http' ? problem(`${name} is served over HTTPS: write POST above it.`) : undefined;
    case 'swqos':
      if (transport === 'ws') return problem(`${name} is served on the WebSocket: write WS above it.`);
      if (name === 'sendTransaction') return undefined;
      return { ...problem(`SWQOS is for sendTransaction: write POST above ${name}.`), severity: 'warning' };
    case 'grpc':
      return problem(`${name} is a JSON-RPC method: write ${transport === 'ws' ? 'WS' : 'POST'} above it.`);
  }
}

/**
 * The problems of `params` against the record; empty for a valid call. `params`: the member's value, `undefined` when
 * it is absent.
 */
export function checkCall(
  record: MethodRecord,
  params: JsonValue | undefined,
  options: CheckOptions = {},
): readonly ParamsProblem[] {
  const report = new Reporter(options);
  if (params === undefined || params === null) checkPositions(report, record, undefined);
  else if (isJsonArray(params) && (record.structure !== 'byName' || params.length === 0))
    checkPositions(report, record, params);
  else if (isJsonArray(params)) {
    const message = `${record.name} takes its parameters by name: write an object, not an array.`;
    report.value('wrong-type', undefined, message);
    return report.problems;
  } else if (report.isUnknown(params)) return report.problems;
  else if (isJsonObject(params) && record.structure !== undefined) {
    const only = record.structure === 'either' ? wholeOf(record, params) : undefined;
    if (only !== undefined) checkField(report, only, params, placeOfParam(0));
    else checkObject(report, { kind: 'object', fields: record.params }, params, undefined);
    return report.problems;
  } else if (isJsonObject(params)) {
    const message = 'Parameters go by position: write an array, not an object.';
    report.value('params-by-name', undefined, message, intoArray(record, params));
    return report.problems;
  } else {
    const [first] = record.params;
    const isFirst = first !== undefined && takes(first.spec, jsonTypeOf(params));
    const message = `Expected an array of parameters, found ${quote(params)}.`;
    report.value('wrong-type', undefined, message, isFirst ? [{ kind: 'wrap' }] : []);
    return report.problems;
  }
  if (record.since !== undefined) report.since('method', undefined, record.name, record.since);
  const given = isJsonArray(params) ? params : NONE;
  for (const rule of record.rules ?? NONE) applyRule(report, rule, given);
  for (const advice of record.advice ?? NONE) giveAdvice(report, advice, record, given);
  return report.problems;
}

/** An object in place of the array of parameters: these by their names, or the first of them. Nothing of it gets lost. */
function intoArray({ params: specs }: MethodRecord, params: JsonObject): Fix[] {
  const names = specs.map((param) => param.name);
  const keys = Object.keys(params);
  if (keys.every((key) => names.includes(key))) return [{ kind: 'positional', names }];
  const [first] = specs;
  const members = first === undefined ? [] : fieldsOf(first.spec).map(({ name }) => name);
  return keys.every((key) => members.includes(key)) ? [{ kind: 'wrap' }] : [];
}

/**
 * The one parameter of a method that `params` is as a whole: documents that name the object of all parameters instead of
 * its members do not say that its name is never sent.
 */
function wholeOf(record: MethodRecord, params: JsonValue): ParamSpec | undefined {
  const [only] = record.params;
  if (only === undefined || record.params.length > 1 || !takes(only.spec, 'object')) return undefined;
  return member(params, only.name) === undefined ? only : undefined;
}

/**
 * How many parameters are taken. What a pack adds behind the last counts only where the value is meant for it: for all
 * others it is one too many.
 */
function lastTaken(report: Reporter, { params: specs, repeats }: MethodRecord, params: readonly JsonValue[]): number {
  if (repeats === true) return Infinity;
  let taken = 0;
  for (const { pack, spec } of specs) {
    if (pack !== undefined && !isMeant(report, spec, params[taken] ?? null)) break;
    taken++;
  }
  return taken;
}

function isMeant(report: Reporter, spec: ParamSpec['spec'], value: JsonValue): boolean {
  if (report.isUnknown(value)) return true;
  if (spec.kind !== 'object' || !isJsonObject(value)) return takes(spec, jsonTypeOf(value));
  return Object.keys(value).length > 0;
}

function checkPositions(report: Reporter, record: MethodRecord, params: readonly JsonValue[] | undefined): void {
  const specs = record.params;
  const count = params?.length ?? 0;
  if (params !== undefined && isNested(record, params)) {
    const message = 'The parameters are in an array within the array: write one array.';
    report.value('wrong-type', placeOfParam(0), message, [{ kind: 'unwrap', of: 'params' }]);
    return;
  }
  // Required parameters come first: where the last one that is there is the last required one, none is missing.
  if (specs[count]?.required === true) {
    const missing = specs.slice(count).filter((param) => param.required === true);
    const names = missing.map((param) => param.name).join(' and ');
    const message = `${record.name} needs ${names}.`;
    if (params === undefined) report.method('missing-param', message);
    else report.value('missing-param', undefined, message);
  }
  if (params === undefined) return;
  const most = lastTaken(report, record, params);
  const before = report.problems.length;
  for (let index = 0; index < params.length && index < most; index++) {
    const param = specs[Math.min(index, specs.length - 1)];
    const value = params[index];
    if (param === undefined || value === undefined) continue;
    checkField(report, param, value, placeOfParam(index));
    if (param.pack !== undefined && value !== null) report.ofPack('value', placeOfParam(index), param.name, param.pack);
    if (param.since !== undefined && value !== null)
      report.since('value', placeOfParam(index), param.name, param.since);
    if (param.spec.kind === 'transaction') checkTransaction(report, param.spec, params, index);
  }
  // Parameters in each other's place are one fault, not two.
  if (report.problems.length > before) reportSwapped(report, record, params, before);
  if (count > most) {
    const taken = most === 0 ? 'no parameters' : `at most ${most}`;
    const message = `${record.name} takes ${taken}, found ${count}.`;
    report.value('too-many-params', { parent: undefined, step: most }, message, [{ kind: 'cut' }]);
  }
}

/** Whether the first parameter is an array of all parameters, and not a list that the method takes there. */
function isNested({ params: specs }: MethodRecord, params: readonly JsonValue[]): boolean {
  const [inner] = params;
  const [first] = specs;
  if (params.length !== 1 || first === undefined || !isJsonArray(inner)) return false;
  const [given] = inner;
  if ([first.spec, ...(first.alsoAccepts ?? [])].some((spec) => takes(spec, 'array'))) return false;
  return given !== undefined && takes(first.spec, jsonTypeOf(given));
}

/** Two parameters that each fit in the other's place and not in their own; `from`: the first problem of the parameters. */
function reportSwapped(report: Reporter, record: MethodRecord, params: readonly JsonValue[], from: number): void {
  const pair = swappedIn(record.params, params);
  if (pair === undefined) return;
  const [first, second] = pair;
  report.keepUpTo(from);
  const names = [first, second].map((index) => record.params[index]?.name ?? '');
  const message = `These parameters are in each other's place: ${names.join(' comes before ')}.`;
  report.value('wrong-type', placeOfParam(first), message, [{ kind: 'swap', with: [second] }]);
}

const paramPlaces: ParamsPlace[] = [];

/** The place of a parameter: the same object for every call. */
function placeOfParam(index: number): ParamsPlace {
  return (paramPlaces[index] ??= { parent: undefined, step: index });
}

function giveAdvice(report: Reporter, advice: Advice, record: MethodRecord, params: readonly JsonValue[]): void {
  const at = record.params.findIndex((param) => param.name === 'config');
  // The required parameters are missing or the config holds a variable: there is nothing to advise on yet.
  if (params.length < at || report.isUnknown(params[at])) return;
  const config = params[at] ?? undefined;
  // Neither options nor a bare encoding: reported separately.
  if (config !== undefined && typeof config !== 'string' && !isJsonObject(config)) return;
  const isLeftOut = (name: string): boolean => (member(config, name) ?? null) === null;
  const advise = (code: 'legacy-only' | 'swqos-settings' | 'unbounded-scan', message: string, fixes: Fix[]): void => {
    if (config === undefined) report.method(code, message, fixes);
    else report.value(code, { parent: undefined, step: at }, message, fixes);
  };
  switch (advice) {
    case 'base58Version': {
      const version = integerOf(member(config, 'maxSupportedTransactionVersion'));
      if (member(config, 'encoding') !== 'base58' || version === undefined || version < 1n) return;
      if (isWithoutTransactions(member(config, 'transactionDetails'))) return;
      report.from('4.3', { parent: undefined, step: at }, base58Version(at));
      return;
    }
    case 'legacyOnly':
    case 'legacyOnlyBlock':
    case 'legacyOnlyStream': {
      const details = member(config, 'transactionDetails');
      const given = member(config, 'maxSupportedTransactionVersion');
      const isTooLow = isLeftOut('maxSupportedTransactionVersion') || integerOf(given) === 0n;
      if (!isTooLow || isWithoutTransactions(details)) return;
      const allowed = integerOf(given) === 0n ? 'legacy and version 0' : 'legacy';
      const message = `Only ${allowed} transactions are allowed: ${LEGACY_FAILURES[advice]}. Set maxSupportedTransactionVersion to 1.`;
      const members = {
        ...(typeof config === 'string' && { encoding: config }),
        maxSupportedTransactionVersion: 1,
      };
      advise('legacy-only', message, [{ kind: 'set', path: [at], members }]);
      return;
    }
    case 'swqosSettings': {
      if (report.lane !== 'swqos') return;
      const members: Record<string, JsonValue> = {};
      if (isOff(report, member(config, 'skipPreflight'), true)) members['skipPreflight'] = true;
      if (isOff(report, member(config, 'maxRetries'), 0)) members['maxRetries'] = 0;
      if (Object.keys(members).length === 0) return;
      const message = 'Priority landing works best with skipPreflight true and maxRetries 0.';
      advise('swqos-settings', message, [{ kind: 'set', path: [at], members }]);
      return;
    }
    case 'unboundedScan': {
      const filters = member(config, 'filters') ?? null;
      if (filters !== null && !(isJsonArray(filters) && filters.length === 0)) return;
      const message = 'Without filters the answer holds every account of the program and may time out.';
      advise('unbounded-scan', message, [{ kind: 'set', path: [at], members: { filters: [{ dataSize: 165 }] } }]);
      return;
    }
  }
}

/** The consequence of a transaction that is newer than allowed. */
const LEGACY_FAILURES = {
  legacyOnly: 'any other transaction is answered with error -32015',
  legacyOnlyBlock: 'one other transaction fails the whole block with error -32015',
  legacyOnlyStream:
    'one other transaction makes a notification without its block, with error -32015, and ends the stream',
} as const;

/** Details of a block that hold no transaction. */
const isWithoutTransactions = (details: JsonValue | undefined): boolean =>
  details === 'signatures' || details === 'none';

const base58Version = (at: number): Pick<ParamsProblem, 'code' | 'message' | 'fixes'> => ({
  code: 'base58-version',
  message:
    'Agave 4.3 and later refuse base58 where maxSupportedTransactionVersion is 1 or more, since base58 cannot carry every transaction. Use base64.',
  fixes: [{ kind: 'set', path: [at], members: { encoding: 'base64' } }],
});

/** Whether a setting is not what is advised; a variable may turn out to be. */
function isOff(report: Reporter, value: JsonValue | undefined, advised: JsonValue): boolean {
  return value !== advised && !report.isUnknown(value);
}
