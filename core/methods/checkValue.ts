// Checks one value against its spec, and what is inside it. Valid values cost no more than the look at them.
import { base64Length } from '../values/base64';
import { isJsonArray, JsonNumber, type JsonObject, type JsonValue } from '../values/json';
import { judgeBase58, KEY_BYTES, SIGNATURE_BYTES } from '../values/keys';
import { checkInteger } from './checkInteger';
import { checkMemcmpBytes } from './checkMemcmp';
import { nearestNames } from './nearest';
import type { Fix } from './problems';
import { orList, pathOf, quote, type Place, type Reporter } from './reporter';
import type { Encoding, FieldSpec, ObjectSpec, ValueSpec } from './types';

/** Encodings that are one somewhere. `binary` is the old name of base58, which nodes still read. */
const ENCODINGS = new Set<string>(['base58', 'base64', 'base64+zstd', 'jsonParsed', 'json', 'binary']);

/** Levels of old clusters, and what is closest to them now. */
const OLD_COMMITMENTS = new Map([
  ['recent', 'processed'],
  ['single', 'confirmed'],
  ['singleGossip', 'confirmed'],
  ['root', 'finalized'],
  ['max', 'finalized'],
]);

type JsonType = 'string' | 'number' | 'boolean' | 'array' | 'object' | 'null';

export function jsonTypeOf(value: JsonValue): JsonType {
  if (value === null) return 'null';
  if (value instanceof JsonNumber) return 'number';
  if (isJsonArray(value)) return 'array';
  return typeof value as 'string' | 'number' | 'boolean' | 'object';
}

/** Whether a value of this JSON type can be meant for the spec. */
export function takes(spec: ValueSpec, type: JsonType): boolean {
  switch (spec.kind) {
    case 'integer':
      return type === 'number';
    case 'boolean':
      return type === 'boolean';
    case 'array':
      return type === 'array';
    case 'object':
      return type === 'object';
    case 'memcmpBytes':
      return type === 'string' || type === 'array';
    case 'anyOf':
      return spec.options.some((option) => takes(option, type));
    case 'pubkey':
    case 'signature':
    case 'blockhash':
    case 'string':
    case 'enum':
    case 'encoding':
    case 'commitment':
    case 'base64':
    case 'transaction':
      return type === 'string';
  }
}

/** What a spec expects, for a message: `a public key`, `an object`. */
export function expectation(spec: ValueSpec): string {
  switch (spec.kind) {
    case 'pubkey':
      return 'a public key (base58 of 32 bytes)';
    case 'signature':
      return 'a signature (base58 of 64 bytes)';
    case 'blockhash':
      return 'a blockhash (base58 of 32 bytes)';
    case 'integer':
      return spec.min === undefined && spec.max === undefined
        ? 'an integer'
        : `an integer from ${spec.min ?? 0}${spec.max === undefined ? '' : ` to ${spec.max}`}`;
    case 'boolean':
      return 'true or false';
    case 'string':
      return 'a string';
    case 'enum':
      return orList(spec.values.map((one) => JSON.stringify(one.value)));
    case 'encoding':
    case 'commitment':
      return orList(spec.values.map((one) => JSON.stringify(one)));
    case 'base64':
      return 'base64 text';
    case 'transaction':
      return 'a serialised transaction in base58 or base64';
    case 'memcmpBytes':
      return 'encoded bytes or an array of byte values';
    case 'array':
      return 'an array';
    case 'object':
      return 'an object';
    case 'anyOf':
      return orList(spec.options.map(expectation));
  }
}

/** A member or parameter: `alsoAccepts` is tried in silence before anything is reported. */
export function checkField(
  report: Reporter,
  field: FieldSpec,
  value: JsonValue,
  place: Place,
  owner?: JsonObject,
): void {
  if (value === null && field.required !== true) return;
  const spec = field.alsoAccepts === undefined ? field.spec : meant(field.spec, field.alsoAccepts, value);
  checkValue(report, spec, value, place, owner);
}

/** The spec a value is meant for: the offered one unless only another takes it. */
function meant(offered: ValueSpec, others: readonly ValueSpec[], value: JsonValue): ValueSpec {
  const type = jsonTypeOf(value);
  for (const other of others) {
    if (other.kind === 'enum' && other.values.some((one) => one.value === value)) return other;
    if (!takes(offered, type) && takes(other, type)) return other;
  }
  return offered;
}

/** `owner`: the object the value is a member of, for specs that depend on a sibling. */
export function checkValue(
  report: Reporter,
  spec: ValueSpec,
  value: JsonValue,
  place: Place,
  owner?: JsonObject,
): void {
  if (spec.kind === 'anyOf') {
    const type = jsonTypeOf(value);
    const option = spec.options.find((one) => takes(one, type));
    if (option !== undefined) checkValue(report, option, value, place, owner);
    else wrongType(report, spec, value, place);
    return;
  }
  if (spec.kind === 'integer') {
    checkInteger(report, spec, value, place);
    return;
  }
  if (!takes(spec, jsonTypeOf(value))) {
    wrongType(report, spec, value, place);
    return;
  }
  switch (spec.kind) {
    case 'pubkey':
      return checkBase58(report, value as string, KEY_BYTES, 'public key', place);
    case 'blockhash':
      return checkBase58(report, value as string, KEY_BYTES, 'blockhash', place);
    case 'signature':
      return checkBase58(report, value as string, SIGNATURE_BYTES, 'signature', place);
    case 'enum':
      if (!spec.values.some((one) => one.value === value)) {
        const names = spec.values.map((one) => one.value);
        unknownWord(report, value as string, names, expectation(spec), place);
      }
      return;
    case 'encoding':
      return checkEncoding(report, spec.values, value as string, place);
    case 'commitment':
      return checkCommitment(report, spec.values, value as string, place);
    case 'base64':
      if (base64Length(value as string) < 0 && !report.isUnknown(value)) {
        report.value('not-base64', place, 'This is not base64 text: it takes the standard alphabet with padding.');
      }
      return;
    case 'memcmpBytes':
      return checkMemcmpBytes(report, spec.maxBytes, value, owner, place);
    case 'array':
      return checkArray(report, spec, value as readonly JsonValue[], place);
    case 'object':
      return checkObject(report, spec, value as JsonObject, place);
    case 'boolean':
    case 'string':
    case 'transaction':
      // A transaction is checked with the config beside it (checkTransaction).
      return;
  }
}

export function wrongType(report: Reporter, spec: ValueSpec, value: JsonValue, place: Place | undefined): void {
  if (report.isUnknown(value)) return;
  report.value('wrong-type', place, `Expected ${expectation(spec)}, found ${quote(value)}.`);
}

function checkBase58(report: Reporter, text: string, bytes: number, what: string, place: Place): void {
  const verdict = judgeBase58(text, bytes);
  if (verdict.kind === 'ok' || report.isUnknown(text)) return;
  if (verdict.kind === 'alphabet') {
    report.value('not-base58', place, `A ${what} is base58 text: letters and digits without 0, O, I and l.`);
    return;
  }
  const found = verdict.found === undefined ? 'far more' : String(verdict.found);
  report.value('wrong-length', place, `A ${what} has ${bytes} bytes; this decodes to ${found}.`);
}

function checkEncoding(report: Reporter, allowed: readonly Encoding[], value: string, place: Place): void {
  if ((allowed as readonly string[]).includes(value)) return;
  if (value === 'binary' && allowed.includes('base58')) return;
  const expected = orList(allowed.map((one) => JSON.stringify(one)));
  if (ENCODINGS.has(value)) {
    const fixes = allowed.map((one): Fix => ({ kind: 'replace', value: one }));
    report.value('encoding-unsupported', place, `${quote(value)} does not work here: use ${expected}.`, fixes);
  } else unknownWord(report, value, allowed, expected, place);
}

function checkCommitment(report: Reporter, allowed: readonly string[], value: string, place: Place): void {
  if (allowed.includes(value)) return;
  const expected = orList(allowed.map((one) => JSON.stringify(one)));
  const fixes = allowed.map((one): Fix => ({ kind: 'replace', value: one }));
  if (value === 'processed') {
    report.value('commitment-unsupported', place, `"processed" is refused here: use ${expected}.`, fixes);
    return;
  }
  const modern = OLD_COMMITMENTS.get(value);
  if (modern === undefined) {
    unknownWord(report, value, allowed, expected, place);
    return;
  }
  const offered = allowed.includes(modern) ? modern : (allowed[0] ?? modern);
  report.value('enum-value', place, `${quote(value)} is an old name that nodes refuse: use ${expected}.`, [
    { kind: 'replace', value: offered },
  ]);
}

function unknownWord(report: Reporter, value: string, words: readonly string[], expected: string, place: Place): void {
  if (report.isUnknown(value)) return;
  const near = nearestNames(value, words);
  const offered = near.length > 0 ? near : words.length <= 4 ? words : [];
  const fixes = offered.map((word): Fix => ({ kind: 'replace', value: word }));
  report.value('enum-value', place, `${quote(value)} is not allowed here: expected ${expected}.`, fixes);
}

function checkArray(
  report: Reporter,
  spec: ValueSpec & { readonly kind: 'array' },
  items: readonly JsonValue[],
  place: Place,
): void {
  const most = spec.maxItems ?? Infinity;
  if (items.length < (spec.minItems ?? 0)) {
    report.value('out-of-range', place, `At least ${spec.minItems} is needed here, found ${items.length}.`);
  }
  // Items beyond the bound are not looked at: one problem says it all.
  const count = Math.min(items.length, most);
  for (let i = 0; i < count; i++) checkValue(report, spec.items, items[i] ?? null, { parent: place, step: i });
  if (items.length > most) {
    const message = `At most ${most} allowed here, found ${items.length}.`;
    report.value('too-many-items', { parent: place, step: most }, message, [{ kind: 'remove' }]);
  }
}

export function checkObject(report: Reporter, spec: ObjectSpec, value: JsonObject, place: Place): void {
  let known = 0;
  let chosen = 0;
  for (const field of spec.fields) {
    const member = Object.hasOwn(value, field.name) ? value[field.name] : undefined;
    if (member === undefined) {
      if (field.required === true) missingField(report, spec, field, value, place);
      continue;
    }
    known++;
    if (member !== null && spec.exactlyOne?.includes(field.name) === true) chosen++;
    checkField(report, field, member, { parent: place, step: field.name }, value);
  }
  const keys = Object.keys(value);
  if (keys.length > known) unknownFields(report, spec, keys, place);
  if (spec.exactlyOne !== undefined && chosen !== 1) filterShape(report, spec.exactlyOne, chosen, keys, place);
  if (spec.conflicts !== undefined) conflicts(report, spec.conflicts, value, keys, place);
}

/** A member whose name is a variable may be any of them: nothing is missing then. */
const hasUnknownKey = (report: Reporter, keys: readonly string[]): boolean => keys.some((key) => report.isUnknown(key));

function missingField(report: Reporter, spec: ObjectSpec, field: FieldSpec, value: JsonObject, place: Place): void {
  if (hasUnknownKey(report, Object.keys(value))) return;
  const fixes: Fix[] =
    field.default === undefined ? [] : [{ kind: 'set', path: pathOf(place), members: { [field.name]: field.default } }];
  const names = spec.fields.filter((one) => one.required === true).map((one) => one.name);
  report.value('missing-field', place, `${quote(field.name)} is missing; this needs ${names.join(' and ')}.`, fixes);
}

function unknownFields(report: Reporter, spec: ObjectSpec, keys: readonly string[], place: Place): void {
  for (const key of keys) {
    if (spec.fields.some((field) => field.name === key) || report.isUnknown(key)) continue;
    const mistaken = spec.mistaken !== undefined && Object.hasOwn(spec.mistaken, key) ? spec.mistaken[key] : undefined;
    const unused = spec.fields.map((field) => field.name).filter((name) => !keys.includes(name));
    const names = mistaken === undefined ? nearestNames(key, unused) : [mistaken];
    const hint = names[0] === undefined ? '' : ` Did you mean ${quote(names[0])}?`;
    const fixes = names.map((name): Fix => ({ kind: 'rename', name }));
    const at = { parent: place, step: key };
    report.key('unknown-field', at, `${quote(key)} is not known here; nodes ignore it.${hint}`, [
      ...fixes,
      { kind: 'remove' },
    ]);
  }
}

function filterShape(
  report: Reporter,
  names: readonly string[],
  chosen: number,
  keys: readonly string[],
  place: Place,
): void {
  if (chosen === 0 && hasUnknownKey(report, keys)) return;
  const found = chosen === 0 ? 'none' : 'both';
  report.value('filter-shape', place, `Expected exactly one of ${orList(names)}, found ${found}.`);
}

function conflicts(
  report: Reporter,
  pairs: readonly (readonly [string, string])[],
  value: JsonObject,
  keys: readonly string[],
  place: Place,
): void {
  for (const [a, b] of pairs) {
    if (value[a] !== true || value[b] !== true) continue;
    const [first, second] = keys.indexOf(a) < keys.indexOf(b) ? [a, b] : [b, a];
    const message = `${quote(second)} cannot be true together with ${quote(first)}.`;
    report.key('conflicting-fields', { parent: place, step: second }, message, [{ kind: 'remove' }]);
  }
}
