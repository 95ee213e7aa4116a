// Reads the faults of PUT /local/faults. What makes no sense is refused with a sentence that says why.
import { validateHeaderName, validateHeaderValue } from 'node:http';
import { integerOf, isJsonArray, isJsonObject, JsonNumber, member, type JsonValue } from '../../core/solana/json/json';
import { FAULT_KINDS, FAULT_SCOPES, KINDS_AT, scopesOf, UPGRADE, type FaultKind, type KindRule } from './kinds';
import type { Fault } from './rules';

/** Faults kept at one time, and the longest delay. */
const MAX_FAULTS = 100;
const MAX_MS = 600_000;

/** Reads `{faults: […]}`; a string says what is wrong with it. */
export function readFaults(value: JsonValue | undefined): readonly Fault[] | string {
  const items = member(value, 'faults');
  if (!isJsonArray(items)) return '"faults" must be an array';
  if (items.length > MAX_FAULTS) return `At most ${MAX_FAULTS} faults are kept`;
  const faults: Fault[] = [];
  for (const [index, item] of items.entries()) {
    const fault = readFault(item);
    if (typeof fault === 'string') return `faults[${index}]: ${fault}`;
    faults.push(fault);
  }
  return faults;
}

const FIELDS: Readonly<Record<string, (value: JsonValue) => unknown>> = {
  method: (value) => (typeof value === 'string' ? value : undefined),
  keyId: (value) => (typeof value === 'string' ? value : undefined),
  times: (value) => wholeNumber(value, 1, 1_000_000),
  probability: readProbability,
  ms: (value) => wholeNumber(value, 0, MAX_MS),
  status: (value) => wholeNumber(value, 200, 599),
  headers: readHeaders,
  body: (value) => (typeof value === 'string' ? value : undefined),
};
const ALWAYS = ['times', 'probability'];

function readFault(item: JsonValue): Fault | string {
  if (!isJsonObject(item)) return 'must be an object';
  const scope = FAULT_SCOPES.find((one) => one === member(item, 'scope'));
  const kind = member(item, 'kind');
  if (scope === undefined) return `"scope" must be one of ${FAULT_SCOPES.join(', ')}`;
  if (typeof kind !== 'string' || !isKind(kind)) return `"kind" must be one of ${Object.keys(FAULT_KINDS).join(', ')}`;
  const rule: KindRule = FAULT_KINDS[kind];
  const scopes = scopesOf(rule);
  if (!scopes.includes(scope))
    return `"${kind}" makes no sense in scope ${scope}: ${rule.why}; it strikes in ${scopes.join(', ')}`;
  const fault: Record<string, unknown> = { scope, kind };
  for (const [name, value] of Object.entries(item)) {
    if (name === 'scope' || name === 'kind') continue;
    const read = Object.hasOwn(FIELDS, name) ? FIELDS[name] : undefined;
    if (read === undefined) return `"${name}" is unknown`;
    if (!ALWAYS.includes(name) && !rule.fields.some((field) => field === name))
      return `"${name}" says nothing to a fault of kind ${kind}; it takes ${[...rule.fields, ...ALWAYS].join(', ')}`;
    const field = read(value);
    if (field === undefined) return `"${name}" has a value that is not allowed`;
    fault[name] = field;
  }
  return misfit(fault as unknown as Fault) ?? (fault as unknown as Fault);
}

/** Why the members of a fault do not go together, though each is valid; undefined if they do. */
function misfit({ scope, kind, method, status, headers }: Fault): string | undefined {
  if (scope === 'rest' && method !== undefined) return '"method" makes no sense in scope rest: it has no methods';
  if (kind === 'congestion' && method !== undefined && method !== 'sendTransaction')
    return 'Congestion holds up sendTransaction alone';
  if (scope !== 'ws') return undefined;
  const named = method !== undefined && method !== UPGRADE;
  if ((kind === 'status' || kind === 'redirect') && named)
    return `"${kind}" strikes the opening of a WebSocket alone, whose method is "${UPGRADE}"`;
  const onUpgrade: ReadonlySet<FaultKind> = KINDS_AT.upgrade;
  if (method === UPGRADE && !onUpgrade.has(kind))
    return `The opening of a WebSocket can be struck by ${[...onUpgrade].join(', ')}`;
  if (kind === 'garbage' && (status !== undefined || headers !== undefined))
    return 'A message of a WebSocket has neither status nor headers';
  return undefined;
}

function isKind(name: string): name is FaultKind {
  return Object.hasOwn(FAULT_KINDS, name);
}

function wholeNumber(value: JsonValue, least: number, most: number): number | undefined {
  const number = Number(integerOf(value) ?? Number.NaN);
  return number >= least && number <= most ? number : undefined;
}

function readProbability(value: JsonValue): number | undefined {
  const number = value instanceof JsonNumber ? value.toNumber() : value;
  return typeof number === 'number' && number >= 0 && number <= 1 ? number : undefined;
}

function readHeaders(value: JsonValue): Readonly<Record<string, string>> | undefined {
  if (!isJsonObject(value)) return undefined;
  const headers: Record<string, string> = {};
  for (const [name, text] of Object.entries(value)) {
    if (typeof text !== 'string' && typeof text !== 'number') return undefined;
    try {
      validateHeaderName(name);
      validateHeaderValue(name, String(text));
    } catch {
      return undefined;
    }
    headers[name.toLowerCase()] = String(text);
  }
  return headers;
}
