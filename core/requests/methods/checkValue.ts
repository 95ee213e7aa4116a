// Checks one value against its spec, and what is inside it. Valid values cost no more than the look at them.
import { isJsonArray, isJsonObject, JsonNumber, type JsonObject, type JsonValue } from '../../solana/json/json';
import { judgeBase58, KEY_BYTES, SIGNATURE_BYTES } from '../../solana/chain/keys';
import { checkInteger } from './checkInteger';
import { checkMemcmpBytes } from './checkMemcmp';
import { checkCommitment, checkEncoding, unknownWord } from './checkWord';
import { expectation, jsonTypeOf, optionFor, takes } from './kinds';
import { nearestNames } from '../../solana/common/nearest';
import { perObject } from '../../solana/common/perObject';
import type { Fix } from './problems';
import { orList, pathOf, quote, type ParamsPlace, type Reporter } from './reporter';
import { checkMessage } from './rules/message';
import { checkRole } from './rules/roles';
import { checkSlice } from './rules/slice';
import { memberFor } from './rules/intoObject';
import type { EnumValue, FieldSpec, ObjectSpec, ValueSpec } from './types';

/** A member or parameter: `alsoAccepts` is tried in silence before anything is reported. */
export function checkField(report: Reporter, field: FieldSpec, value: JsonValue, place: ParamsPlace): void {
  if (value === null && field.required !== true) return;
  const spec = field.alsoAccepts === undefined ? field.spec : meant(field.spec, field.alsoAccepts, value);
  checkValue(report, spec, value, place);
}

/** The spec a value is meant for: the offered one unless only another takes it. */
function meant(offered: ValueSpec, others: readonly ValueSpec[], value: JsonValue): ValueSpec {
  const type = jsonTypeOf(value);
  for (const other of others) {
    if (isWordOf(other, value)) return other;
    if (takes(offered, type) || !takes(other, type) || !isMeantFor(other, value)) continue;
    // A bare word that is a member of the offered object is not a misspelling of another word.
    if (memberFor(offered, value).length === 0) return other;
  }
  return offered;
}

/** Whether a value is one of the words of a spec. */
function isWordOf(spec: ValueSpec, value: JsonValue): boolean {
  if (spec.kind === 'enum') return isOneOf(spec.values, value);
  return spec.kind === 'encoding' && (spec.values as readonly JsonValue[]).includes(value);
}

/** An object that is read here says so by a member: any other object is meant for a node. */
const isMeantFor = (spec: ValueSpec, value: JsonValue): boolean =>
  spec.kind !== 'object' ||
  spec.ours !== true ||
  (isJsonObject(value) && spec.fields.some(({ name }) => Object.hasOwn(value, name)));

function isOneOf(values: readonly EnumValue[], value: JsonValue): boolean {
  for (const one of values) if (one.value === value) return true;
  return false;
}

function checkValue(report: Reporter, spec: ValueSpec, value: JsonValue, place: ParamsPlace): void {
  if (spec.kind === 'anyOf') {
    const option = optionFor(spec.options, jsonTypeOf(value));
    if (option !== undefined) checkValue(report, option, value, place);
    else reportWrongType(report, spec, value, place);
    return;
  }
  if (spec.kind === 'integer') {
    checkInteger(report, spec, value, place);
    return;
  }
  if (!takes(spec, jsonTypeOf(value))) {
    reportWrongType(report, spec, value, place);
    return;
  }
  switch (spec.kind) {
    case 'pubkey':
      checkBase58(report, value as string, PUBLIC_KEY, place);
      if (spec.role !== undefined) checkRole(report, spec.role, value as string, place);
      return;
    case 'blockhash':
      return checkBase58(report, value as string, BLOCKHASH, place);
    case 'signature':
      return checkBase58(report, value as string, SIGNATURE, place);
    case 'enum':
      if (!isOneOf(spec.values, value)) {
        const words = spec.values.map((one) => one.value);
        unknownWord(report, value as string, { words, expected: expectation(spec) }, place);
      }
      return;
    case 'encoding':
      return checkEncoding(report, spec.values, value as string, place);
    case 'commitment':
      return checkCommitment(report, spec.values, value as string, place);
    case 'base64':
      return checkMessage(report, value as string, place);
    case 'memcmpBytes':
      return checkMemcmpBytes(report, spec.maxBytes, value, place);
    case 'array':
      return checkArray(report, spec, value as readonly JsonValue[], place);
    case 'object':
      return checkObject(report, spec, value as JsonObject, place);
    case 'string':
      return checkLength(report, spec, value as string, place);
    case 'number':
      return checkNumber(report, spec, value, place);
    case 'any':
    case 'null':
    case 'boolean':
    case 'transaction':
      // A transaction is checked together with its config (checkTransaction).
      return;
  }
}

function checkLength(
  report: Reporter,
  { minLength, maxLength }: ValueSpec & { readonly kind: 'string' },
  text: string,
  place: ParamsPlace,
): void {
  if (minLength === undefined && maxLength === undefined) return;
  const { length } = [...text];
  if ((length >= (minLength ?? 0) && length <= (maxLength ?? Infinity)) || report.isUnknown(text)) return;
  const wanted = length < (minLength ?? 0) ? `at least ${minLength}` : `at most ${maxLength}`;
  report.value('wrong-length', place, `This has ${length} characters; ${wanted} are needed here.`);
}

function checkNumber(
  report: Reporter,
  { min = -Infinity, max = Infinity }: ValueSpec & { readonly kind: 'number' },
  value: JsonValue,
  place: ParamsPlace,
): void {
  const number = value instanceof JsonNumber ? value.toNumber() : Number(value);
  if (number >= min && number <= max) return;
  const wanted = number < min ? `${min} or more` : `${max} or less`;
  report.value('out-of-range', place, `${quote(value)} is out of range: expected ${wanted}.`);
}

export function reportWrongType(
  report: Reporter,
  spec: ValueSpec,
  value: JsonValue,
  place: ParamsPlace | undefined,
): void {
  if (report.isUnknown(value)) return;
  const fixes = [...nesting(spec, value), ...memberFor(spec, value)];
  report.value('wrong-type', place, `Expected ${expectation(spec)}, found ${quote(value)}.`, fixes);
}

/** A value where a list of such values is due, or the reverse. */
function nesting(spec: ValueSpec, value: JsonValue): Fix[] {
  const lists = spec.kind === 'anyOf' ? spec.options : [spec];
  if (lists.some((list) => list.kind === 'array' && takes(list.items, jsonTypeOf(value)))) return [{ kind: 'wrap' }];
  const [only, ...more] = isJsonArray(value) ? value : [];
  return only !== undefined && more.length === 0 && takes(spec, jsonTypeOf(only)) ? [{ kind: 'unwrap' }] : [];
}

/** A kind of base58 text of a fixed length. */
interface Base58Value {
  readonly bytes: number;
  /** As messages name it. */
  readonly what: string;
}

const PUBLIC_KEY: Base58Value = { bytes: KEY_BYTES, what: 'public key' };
const BLOCKHASH: Base58Value = { bytes: KEY_BYTES, what: 'blockhash' };
const SIGNATURE: Base58Value = { bytes: SIGNATURE_BYTES, what: 'signature' };

function checkBase58(report: Reporter, text: string, { bytes, what }: Base58Value, place: ParamsPlace): void {
  const verdict = judgeBase58(text, bytes);
  if (verdict.kind === 'ok' || report.isUnknown(text)) return;
  if (verdict.kind === 'alphabet') {
    report.value('not-base58', place, `A ${what} is base58 text: letters and digits without 0, O, I and l.`);
    return;
  }
  const found = verdict.found === undefined ? 'far more' : String(verdict.found);
  report.value('wrong-length', place, `A ${what} has ${bytes} bytes; this decodes to ${found}.`);
}

function checkArray(
  report: Reporter,
  spec: ValueSpec & { readonly kind: 'array' },
  items: readonly JsonValue[],
  place: ParamsPlace,
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
    report.value('too-many-items', { parent: place, step: most }, message, [{ kind: 'cut' }]);
  }
}

/** An object that is being checked against its spec. Without a place it is `params` itself. */
interface CheckedObject {
  readonly spec: ObjectSpec;
  readonly value: JsonObject;
  /** Its own keys, in the order in which they are written. */
  readonly keys: readonly string[];
  readonly place: ParamsPlace | undefined;
}

/** Without a place the object is `params` itself. */
export function checkObject(
  report: Reporter,
  spec: ObjectSpec,
  value: JsonObject,
  place: ParamsPlace | undefined,
): void {
  const keys = Object.keys(value);
  const object: CheckedObject = { spec, value, keys, place };
  const shape = shapeOf(spec);
  const outer = missedMember(report, object);
  if (outer !== undefined) {
    const found = keys.map(quote).join(', ');
    const fixes: readonly Fix[] = [{ kind: 'wrap', member: outer }];
    const code = spec.exactlyOne === undefined ? 'missing-field' : 'filter-shape';
    report.value(code, place, `${found} ${keys.length === 1 ? 'belongs' : 'belong'} inside ${quote(outer)}.`, fixes);
    return;
  }
  let chosen = 0;
  for (const key of keys) {
    const member = value[key];
    const field = shape.byName.get(key);
    if (field === undefined && spec.open !== true && meantBy(report, object, key) === undefined)
      unknownField(report, object, key);
    else if (field !== undefined && member !== undefined) {
      if (member !== null && spec.exactlyOne?.includes(key) === true) chosen++;
      const at: ParamsPlace = { parent: place, step: key, owner: value };
      checkField(report, field, member, at);
      if (field.pack !== undefined && member !== null) report.ofPack('key', at, key, field.pack);
      if (field.since !== undefined && member !== null) report.since('key', at, key, field.since);
    }
  }
  for (const field of shape.required) {
    if (!Object.hasOwn(value, field.name)) missingField(report, object, field);
  }
  if (spec.slices === true && Object.hasOwn(value, 'dataSlice')) checkSlice(report, value, place);
  // Nodes read a filter as a choice: any second member spoils it, even if it is null or unknown.
  if (spec.exactlyOne !== undefined && (chosen !== 1 || keys.length > 1))
    filterShape(report, object, spec.exactlyOne, chosen);
  if (spec.conflicts !== undefined) conflicts(report, object, spec.conflicts, 'true');
  if (spec.exclusive !== undefined) conflicts(report, object, spec.exclusive, 'given');
}

/** The fields of a spec as they are asked for, made once: a walk over all of them for each member costs more. */
interface Shape {
  readonly byName: ReadonlyMap<string, FieldSpec>;
  readonly required: readonly FieldSpec[];
}

const shapeOf = perObject((spec: ObjectSpec): Shape => ({
  byName: new Map(spec.fields.map((field) => [field.name, field])),
  required: spec.fields.filter((field) => field.required === true),
}));

/** A member whose name is a variable may be any of them: nothing is missing then. */
const hasUnknownKey = (report: Reporter, keys: readonly string[]): boolean => keys.some((key) => report.isUnknown(key));

/** The required member that an unknown key is a slip of: missing and misspelt are one fault. */
function meantBy(report: Reporter, { spec, keys }: CheckedObject, key: string): FieldSpec | undefined {
  if (hasUnknownKey(report, keys)) return undefined;
  const missing = shapeOf(spec).required.filter(({ name }) => !keys.includes(name));
  if (missing.length === 0) return undefined;
  const unused = spec.fields.map(({ name }) => name).filter((name) => !keys.includes(name));
  const name = spec.mistaken?.[key] ?? nearestNames(key, unused)[0];
  return missing.find((field) => field.name === name);
}

function missingField(report: Reporter, object: CheckedObject, field: FieldSpec): void {
  const { spec, keys, place } = object;
  if (hasUnknownKey(report, keys)) return;
  const slip = keys.find((key) => !shapeOf(spec).byName.has(key) && meantBy(report, object, key) === field);
  if (slip !== undefined) {
    const message = `${quote(slip)} is not known here, and ${quote(field.name)} is missing.`;
    report.key('missing-field', { parent: place, step: slip }, message, [{ kind: 'rename', name: field.name }]);
    return;
  }
  const fixes: Fix[] =
    field.default === undefined ? [] : [{ kind: 'set', path: pathOf(place), members: { [field.name]: field.default } }];
  const names = spec.fields.filter((one) => one.required === true).map((one) => one.name);
  report.value('missing-field', place, `${quote(field.name)} is missing; this needs ${names.join(' and ')}.`, fixes);
}

/** The member whose content is written in its place: `{ "offset": 0, "bytes": "…" }` where `memcmp` is due. */
function missedMember(report: Reporter, { spec, keys }: CheckedObject): string | undefined {
  const { byName, required } = shapeOf(spec);
  if (keys.length === 0 || keys.some((key) => byName.has(key) || report.isUnknown(key))) return undefined;
  return (spec.exactlyOne ?? required.map(({ name }) => name)).find((name) => {
    const inner = byName.get(name)?.spec;
    return inner?.kind === 'object' && keys.some((key) => shapeOf(inner).byName.has(key));
  });
}

function unknownField(report: Reporter, { spec, keys, place }: CheckedObject, key: string): void {
  if (report.isUnknown(key)) return;
  const mistaken = spec.mistaken !== undefined && Object.hasOwn(spec.mistaken, key) ? spec.mistaken[key] : undefined;
  const unused = spec.fields.map((field) => field.name).filter((name) => !keys.includes(name));
  const names = mistaken === undefined ? nearestNames(key, unused) : [mistaken];
  const hint = names[0] === undefined ? '' : ` Did you mean ${quote(names[0])}?`;
  const fixes = names.map((name): Fix => ({ kind: 'rename', name }));
  const at = { parent: place, step: key };
  const all: Fix[] = [...fixes, { kind: 'remove' }];
  const isChoice = spec.exactlyOne !== undefined || spec.closed === true;
  const effect = spec.ours === true ? '' : isChoice ? ', and a node refuses it' : '; nodes ignore it';
  const message = `${quote(key)} is not known here${effect}.${hint}`;
  // A filter that is not a choice of one is a fault already.
  if (spec.ours === true || spec.closed === true) report.ownKey('unknown-field', at, message, all);
  else report.key('unknown-field', at, message, all);
}

/** `chosen`: how many members of `names` have a value. */
function filterShape(report: Reporter, { keys, place }: CheckedObject, names: readonly string[], chosen: number): void {
  if (chosen < 2 && hasUnknownKey(report, keys)) return;
  const found = chosen === 0 ? 'none' : chosen === 1 ? 'another member as well' : 'both';
  const kept = keys.find((key) => names.includes(key));
  const surplus = keys.length === 2 ? keys.find((key) => key !== kept) : undefined;
  const fixes: Fix[] = surplus === undefined || kept === undefined ? [] : [removalOf(place, surplus)];
  report.value('filter-shape', place, `Expected exactly one of ${orList(names)}, found ${found}.`, fixes);
}

const removalOf = (place: ParamsPlace | undefined, key: string): Fix => ({
  kind: 'remove',
  path: [...pathOf(place), key],
});

/** Pairs of members that may not both be `what`. */
function conflicts(
  report: Reporter,
  { value, keys, place }: CheckedObject,
  pairs: readonly (readonly [string, string])[],
  what: 'true' | 'given',
): void {
  for (const [a, b] of pairs) {
    if (![value[a], value[b]].every((one) => (what === 'true' ? one === true : (one ?? null) !== null))) continue;
    const [first, second] = keys.indexOf(a) < keys.indexOf(b) ? [a, b] : [b, a];
    const message = `${quote(second)} cannot be ${what} together with ${quote(first)}.`;
    report.key('conflicting-fields', { parent: place, step: second }, message, [{ kind: 'remove' }]);
  }
}
