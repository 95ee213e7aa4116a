// Damaged calls: checks never throw, every path leads somewhere, and the examples' variations stay quiet.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkCall, checkMethod } from '../../../core/requests/methods/check';
import { METHODS, STANDARD_METHODS } from '../../../core/requests/methods/index';
import type { ParamsProblem } from '../../../core/requests/methods/problems';
import { isJsonArray, isJsonObject, JsonNumber, type JsonValue } from '../../../core/solana/json/json';

let state = 1;
function random(below: number): number {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return Math.floor((state / 2 ** 32) * below);
}

const ODD: readonly JsonValue[] = [
  null,
  true,
  false,
  0,
  -1,
  1,
  255,
  256,
  '',
  '{{x}}',
  'processed',
  'base64',
  'jsonParsed',
  '11111111111111111111111111111111',
  'A'.repeat(200),
  '\ud800',
  [],
  {},
  [null],
  [[]],
  [{}],
  { __proto__: null, constructor: 1 },
  { commitment: {} },
  new JsonNumber('18446744073709551616'),
  new JsonNumber('1.5'),
  new JsonNumber('-0'),
  new JsonNumber('1e400'),
  NaN,
  1.5,
  { filters: [null, 1, 'x', { memcmp: null }, { memcmp: { bytes: {}, offset: [] } }] },
];
const odd = (): JsonValue => ODD[random(ODD.length)] ?? null;

/** The value with one thing in it changed, somewhere. */
function damage(value: JsonValue): JsonValue {
  if (random(4) === 0) return odd();
  if (isJsonArray(value)) {
    const items = [...value];
    if (items.length === 0 || random(5) === 0) items.splice(random(items.length + 1), random(2), odd());
    else {
      const at = random(items.length);
      items[at] = damage(items[at] ?? null);
    }
    return items;
  }
  if (isJsonObject(value)) {
    const entries = Object.entries(value);
    if (entries.length === 0 || random(4) === 0) return Object.fromEntries([...entries, [`key${random(9)}`, odd()]]);
    const at = random(entries.length);
    return Object.fromEntries(entries.map(([key, one], index) => [key, index === at ? damage(one) : one]));
  }
  if (typeof value === 'string') return value.slice(0, random(value.length + 1)) + (random(2) === 0 ? '' : '+');
  return odd();
}

function leads(params: JsonValue, { path, target }: ParamsProblem): boolean {
  let at: JsonValue | undefined = params;
  for (const step of path) {
    if (typeof step === 'number') at = isJsonArray(at) ? at[step] : undefined;
    else at = isJsonObject(at) && Object.hasOwn(at, step) ? at[step] : undefined;
  }
  return target === 'method' ? path.length === 0 : at !== undefined;
}

test('30,000 damaged calls: no throw, every problem is placed at an existing value', () => {
  for (let round = 0; round < 30_000; round++) {
    const record = METHODS[round % METHODS.length];
    assert.ok(record);
    let params: JsonValue = record.example;
    for (let change = random(4); change >= 0; change--) params = damage(params);
    for (const lane of ['http', 'swqos'] as const) {
      for (const problem of checkCall(record, params, { lane })) {
        assert.ok(leads(params, problem), `${record.name} ${problem.code} at ${problem.path.join('/')}`);
        assert.match(problem.message, /^.+[.?]$/s);
        assert.ok(problem.message.length < 400, problem.message);
      }
    }
  }
});

test('leaving out every option, or giving each its default, keeps a call valid', () => {
  for (const record of METHODS) {
    const { example } = record;
    assert.ok(isJsonArray(example), record.name);
    const required = record.params.filter((param) => param.required === true).length;
    const errors = (params: readonly JsonValue[]): ParamsProblem[] =>
      checkCall(record, params).filter(
        // The default of maxSupportedTransactionVersion is what this one warns of.
        ({ severity, code }) => (severity === 'error' || severity === 'warning') && code !== 'legacy-only',
      );
    // The examples of transactions are base64, which has to be said.
    if (record.params[0]?.spec.kind === 'transaction') continue;
    assert.deepEqual(errors(example.slice(0, Math.max(required, 0))), [], record.name);
    const config = record.params[record.params.length - 1];
    if (config?.spec.kind !== 'object' || config.required === true) continue;
    // Given, it has to hold these.
    if (config.spec.fields.some((field) => field.required === true)) continue;
    const defaults: Record<string, JsonValue> = {};
    for (const field of config.spec.fields) if (field.default !== undefined) defaults[field.name] = field.default;
    const before = record.params.slice(0, -1).map((_, index) => example[index] ?? null);
    assert.deepEqual(errors([...before, defaults]), [], record.name);
    const nothing = Object.fromEntries(config.spec.fields.map((field) => [field.name, null]));
    assert.deepEqual(errors([...before, nothing]), [], record.name);
  }
});

test('any text is a method name that can be judged', () => {
  for (const name of ['', ' ', 'toString', '\ud800', 'x'.repeat(1 << 20), '../..', '{{method}}']) {
    for (const lane of ['http', 'ws', 'swqos', 'grpc'] as const) {
      const problems = checkMethod(name, lane, STANDARD_METHODS);
      assert.equal(problems.length, 1);
      assert.ok((problems[0]?.message.length ?? 999) < 200);
    }
  }
});
