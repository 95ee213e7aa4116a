// The faults that tests ask the service to make: read from JSON, matched against requests, counted down. Makes none itself.
import { validateHeaderName, validateHeaderValue } from 'node:http';
import { integerOf, isJsonArray, isJsonObject, JsonNumber, member, type JsonValue } from '../../core/values/json';

/**
 * Which kinds each interface can make. `latency` delays, `status` and `redirect` answer in place of the call, the others
 * of http and rest damage its answer; `gap` leaves a notification out and `duplicate` sends it twice.
 */
export const FAULT_KINDS = {
  http: ['latency', 'drop', 'hang', 'status', 'garbage', 'truncate', 'slowloris', 'wrongid', 'redirect'],
  rest: ['latency', 'drop', 'hang', 'status', 'garbage', 'truncate', 'slowloris', 'redirect'],
  ws: ['gap', 'duplicate'],
  grpc: ['latency', 'drop', 'hang', 'status', 'gap', 'duplicate'],
} as const;

export type FaultScope = keyof typeof FAULT_KINDS;
export type FaultKind = (typeof FAULT_KINDS)[FaultScope][number];

export interface Fault {
  readonly scope: FaultScope;
  readonly kind: FaultKind;
  /** Only requests of this method (of a batch, one element is enough); in scope ws, the notification's name. In scope grpc, the method's full name. */
  readonly method?: string;
  /** Only requests paid by this key. */
  readonly keyId?: string;
  /** How often it strikes, then it is gone; without it, always. */
  readonly times?: number;
  /** 0 to 1: how likely it strikes a matching request; default 1. */
  readonly probability?: number;
  /** latency: the delay; slowloris: the pause between two bytes. */
  readonly ms?: number;
  /** status, redirect: the HTTP status. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** What a fault is matched against. */
export interface FaultTarget {
  readonly methods: readonly string[];
  readonly keyIds: readonly string[];
}

/** Faults kept at one time, and the longest delay. */
const MAX_FAULTS = 100;
const MAX_MS = 600_000;

export class FaultBox {
  private rules: { readonly fault: Fault; left: number }[] = [];

  /** `random` gives numbers from 0 up to 1. */
  constructor(private readonly random: () => number) {}

  replace(faults: readonly Fault[]): void {
    this.rules = faults.map((fault) => ({ fault, left: fault.times ?? Number.POSITIVE_INFINITY }));
  }

  /** The faults in force, with how often each may still strike. */
  list(): readonly Fault[] {
    return this.rules.map(({ fault, left }) => (Number.isFinite(left) ? { ...fault, times: left } : fault));
  }

  /** The first fault, of one of these kinds, that strikes this request, or `undefined`. */
  strike(scope: FaultScope, target: FaultTarget, kinds?: ReadonlySet<FaultKind>): Fault | undefined {
    for (const rule of this.rules) {
      const { fault } = rule;
      if (fault.scope !== scope || kinds?.has(fault.kind) === false || !matches(fault, target)) continue;
      if (fault.probability !== undefined && this.random() >= fault.probability) continue;
      rule.left--;
      if (rule.left <= 0) this.rules = this.rules.filter((other) => other !== rule);
      return fault;
    }
    return undefined;
  }
}

function matches(fault: Fault, target: FaultTarget): boolean {
  return (
    (fault.method === undefined || target.methods.includes(fault.method)) &&
    (fault.keyId === undefined || target.keyIds.includes(fault.keyId))
  );
}

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

function readFault(item: JsonValue): Fault | string {
  if (!isJsonObject(item)) return 'must be an object';
  const scope = member(item, 'scope');
  const kind = member(item, 'kind');
  if (typeof scope !== 'string' || !isScope(scope))
    return `"scope" must be one of ${Object.keys(FAULT_KINDS).join(', ')}`;
  const kinds: readonly string[] = FAULT_KINDS[scope];
  if (typeof kind !== 'string' || !kinds.includes(kind))
    return `"kind" must be one of ${kinds.join(', ')} in scope ${scope}`;
  const fault: Record<string, unknown> = { scope, kind };
  for (const [name, value] of Object.entries(item)) {
    if (name === 'scope' || name === 'kind') continue;
    const field = Object.hasOwn(FIELDS, name) ? FIELDS[name]?.(value) : undefined;
    if (field === undefined) return `"${name}" is unknown or has a value that is not allowed`;
    fault[name] = field;
  }
  return fault as unknown as Fault;
}

function isScope(name: string): name is FaultScope {
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
