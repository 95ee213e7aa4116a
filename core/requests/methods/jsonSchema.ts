// Turns JSON Schemas into value specs, as far as these can say the same. Where they cannot (patterns, `not`, alternatives
// of one type, references in circles) the spec takes anything: better nothing said than a false alarm.
import { markdownText } from '../../solana/common/markdown';
import { isJsonArray, isJsonObject, JsonNumber, member, type JsonObject, type JsonValue } from '../../solana/json/json';
import { jsonTypeOf, takes } from './kinds';
import type { FieldSpec, ValueSpec } from './types';

const ANY: ValueSpec = { kind: 'any' };
const TYPES = ['string', 'number', 'boolean', 'array', 'object', 'null'] as const;
/** Deeper than this, or more than this many, and the rest takes anything. */
const MAX_DEPTH = 12;
const MAX_SPECS = 50_000;
const MAX_ENUM = 200;
/** References that lead to references. */
const MAX_HOPS = 8;
/** Names that can be used unescaped in documentation and snippets. */
const PLAIN_NAME = /^[^`"\\$}{|\n\r]{1,100}$/;

/** Longest description that is shown. UTF-16 units */
export const MAX_DOC = 400;

export class SchemaReader {
  #count = 0;

  constructor(private readonly document: JsonValue) {}

  /** Follows references into this document; undefined if one leads nowhere. */
  resolved(value: JsonValue | undefined): JsonValue | undefined {
    let at = value;
    for (let hop = 0; hop <= MAX_HOPS; hop++) {
      const reference = member(at, '$ref');
      if (typeof reference !== 'string') return at;
      at = this.#target(reference);
    }
    return undefined;
  }

  /** Spec, doc, default and examples of a schema. */
  field(schema: JsonValue | undefined, said = '', depth = 0): Omit<FieldSpec, 'name'> {
    const resolved = this.resolved(schema);
    const fallback = member(resolved, 'default');
    const title = member(resolved, 'description') ?? member(resolved, 'title');
    const examples = member(resolved, 'examples');
    return {
      doc: said || (typeof title === 'string' ? markdownText(title, MAX_DOC) : '') || 'No description.',
      spec: this.#spec(resolved, depth),
      custom: true,
      ...(fallback === undefined ? {} : { default: fallback }),
      ...(isJsonArray(examples) && examples.length > 0 ? { suggested: examples.slice(0, 10) } : {}),
    };
  }

  #target(reference: string): JsonValue | undefined {
    if (!reference.startsWith('#/')) return undefined;
    let at: JsonValue | undefined = this.document;
    for (const step of reference.slice(2).split('/')) {
      const key = step.replaceAll('~1', '/').replaceAll('~0', '~');
      at = isJsonArray(at) ? at[Number(key)] : member(at, key);
    }
    return at;
  }

  #spec(given: JsonValue | undefined, depth: number): ValueSpec {
    const schema = this.resolved(given);
    if (!isJsonObject(schema) || depth > MAX_DEPTH || ++this.#count > MAX_SPECS) return ANY;
    const fixed = member(schema, 'const') ?? member(schema, 'enum');
    if (fixed !== undefined)
      return fixedSpec(isJsonArray(fixed) && member(schema, 'const') === undefined ? fixed : [fixed]);
    const alternatives = member(schema, 'anyOf') ?? member(schema, 'oneOf');
    if (isJsonArray(alternatives)) return this.#anyOf(alternatives, depth);
    const parts = member(schema, 'allOf');
    if (isJsonArray(parts)) return parts.length === 1 ? this.#spec(parts[0], depth + 1) : ANY;
    const type = member(schema, 'type');
    if (isJsonArray(type))
      return either(type.map((one) => (typeof one === 'string' ? this.#typed(schema, one, depth) : ANY)));
    if (typeof type === 'string') return this.#typed(schema, type, depth);
    return member(schema, 'properties') === undefined ? ANY : either([this.#object(schema, depth), ...ALL_BUT_OBJECT]);
  }

  #anyOf(alternatives: readonly JsonValue[], depth: number): ValueSpec {
    const options = alternatives.slice(0, 32).map((one) => this.#spec(one, depth + 1));
    const words = options.flatMap((one) => (one.kind === 'enum' ? one.values : []));
    // Alternatives that are words each make one choice of words.
    if (words.length > 0 && options.every((one) => one.kind === 'enum')) return { kind: 'enum', values: words };
    return alternatives.length > 32 ? ANY : either(options);
  }

  #typed(schema: JsonObject, type: string, depth: number): ValueSpec {
    switch (type) {
      case 'integer':
        return { kind: 'integer', type: 'integer', ...bounds(schema, true) };
      case 'number':
        return { kind: 'number', ...bounds(schema, false) };
      case 'boolean':
        return { kind: 'boolean' };
      case 'null':
        return { kind: 'null' };
      case 'string': {
        const [minLength, maxLength] = [count(schema, 'minLength'), count(schema, 'maxLength')];
        return { kind: 'string', ...(minLength && { minLength }), ...(maxLength && { maxLength }) };
      }
      case 'array': {
        const [minItems, maxItems] = [count(schema, 'minItems'), count(schema, 'maxItems')];
        const given = member(schema, 'items');
        const isTuple = isJsonArray(given) || member(schema, 'prefixItems') !== undefined;
        const items = isTuple ? ANY : this.#spec(given, depth + 1);
        return { kind: 'array', items, ...(minItems && { minItems }), ...(maxItems && { maxItems }) };
      }
      case 'object':
        return this.#object(schema, depth);
      default:
        return ANY;
    }
  }

  #object(schema: JsonObject, depth: number): ValueSpec {
    const properties = member(schema, 'properties');
    const required = member(schema, 'required');
    const needed = new Set(isJsonArray(required) ? required : []);
    const all = isJsonObject(properties) ? Object.entries(properties) : [];
    const named = all.filter(([name]) => PLAIN_NAME.test(name));
    const isClosed =
      member(schema, 'additionalProperties') === false &&
      member(schema, 'patternProperties') === undefined &&
      named.length === all.length;
    return {
      kind: 'object',
      fields: named.map(([name, value]): FieldSpec => ({
        name,
        ...this.field(value, '', depth + 1),
        ...(needed.has(name) ? { required: true as const } : {}),
      })),
      ...(isClosed ? {} : { open: true as const }),
    };
  }
}

const ALL_BUT_OBJECT: readonly ValueSpec[] = [
  { kind: 'string' },
  { kind: 'number' },
  { kind: 'boolean' },
  { kind: 'array', items: ANY },
  { kind: 'null' },
];

/** A choice that a value's JSON type decides; two of one type cannot be told apart. */
function either(options: readonly ValueSpec[]): ValueSpec {
  const [only] = options;
  if (only !== undefined && options.length === 1) return only;
  const clear = TYPES.every((type) => options.filter((one) => takes(one, type)).length <= 1);
  return clear && options.length > 0 ? { kind: 'anyOf', options } : ANY;
}

/** The words of an enum or a const; values that are no words are not told apart. */
function fixedSpec(values: readonly JsonValue[]): ValueSpec {
  const words = values.filter((value) => typeof value === 'string');
  const hasNull = values.includes(null);
  const isWords = words.length + (hasNull ? 1 : 0) === values.length && words.length > 0;
  if (!isWords || values.length > MAX_ENUM || !words.every((word) => PLAIN_NAME.test(word))) {
    const types = new Set(values.map(jsonTypeOf));
    return types.size === 1 && types.has('boolean') ? { kind: 'boolean' } : ANY;
  }
  const spec: ValueSpec = { kind: 'enum', values: words.map((value) => ({ value, doc: 'A value of the schema.' })) };
  return hasNull ? { kind: 'anyOf', options: [spec, { kind: 'null' }] } : spec;
}

/** Inclusive bounds; of integers whole ones. A bound that no double holds exactly is left out. */
function bounds(schema: JsonObject, whole: boolean): { readonly min?: number; readonly max?: number } {
  const min = number(schema, 'minimum');
  const max = number(schema, 'maximum');
  const usable = (bound: number | undefined): bound is number =>
    bound !== undefined && (!whole || Number.isSafeInteger(bound));
  return { ...(usable(min) ? { min } : {}), ...(usable(max) ? { max } : {}) };
}

function number(schema: JsonObject, name: string): number | undefined {
  const value = member(schema, name);
  return value instanceof JsonNumber ? value.toNumber() : typeof value === 'number' ? value : undefined;
}

function count(schema: JsonObject, name: string): number | undefined {
  const value = member(schema, name);
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}
