// Builders of method records: what the methods of one file have in common, and the forms of parameters that recur.
import type { JsonValue } from '../../../solana/json/json';
import type { PackId } from '../../../service/providers/packIds';
import type { Category, FieldSpec, MethodRecord, ObjectSpec, ValueSpec } from '../types';

/** A method served over HTTPS, without parameters and known error codes, unless it says otherwise. */
export type MethodFacts = Omit<MethodRecord, 'category' | keyof typeof USUAL> &
  Partial<Pick<MethodRecord, keyof typeof USUAL>>;

const USUAL = { transport: 'http', params: [], errors: [], example: [] } as const;

/** The records of methods of one category. */
export const recordsOf = (category: Category, methods: readonly MethodFacts[]): readonly MethodRecord[] =>
  methods.map((method) => ({ ...USUAL, ...method, category }));

/** The records of a pack's methods. */
export const packRecords = (pack: PackId, methods: readonly MethodFacts[]): readonly MethodRecord[] =>
  recordsOf(
    'pack',
    methods.map((method) => ({ ...method, undocumented: true, pack })),
  );

/** Marks what the service contract names. */
export const contracted = (contract: boolean): { readonly contract?: true } => (contract ? { contract: true } : {});

/** A required positional parameter. */
export const required = (name: string, doc: string, spec: ValueSpec, contract = false): FieldSpec => ({
  name,
  doc,
  spec,
  required: true,
  ...contracted(contract),
});

/** An optional parameter or member that the standard node defines. */
export const optionalSpec = (name: string, doc: string, spec: ValueSpec, fallback?: JsonValue): FieldSpec => ({
  name,
  doc,
  spec,
  ...(fallback === undefined ? {} : { default: fallback }),
});

/** The same, named by the service contract. */
export const contractSpec = (...field: Parameters<typeof optionalSpec>): FieldSpec => ({
  ...optionalSpec(...field),
  contract: true,
});

/** An optional config object in its position. */
export const config = (
  fields: readonly FieldSpec[],
  more: Pick<ObjectSpec, 'conflicts' | 'exclusive' | 'mistaken'> & Pick<FieldSpec, 'contract' | 'alsoAccepts'> = {},
): FieldSpec => {
  const { contract, alsoAccepts, ...rules } = more;
  return {
    name: 'config',
    doc: 'Options.',
    spec: objectSpec(fields, {
      ...(fields.some(({ name }) => name === 'dataSlice') && { slices: true }),
      ...rules,
    }),
    ...(contract === undefined ? {} : { contract }),
    ...(alsoAccepts === undefined ? {} : { alsoAccepts }),
  };
};

export const objectSpec = (fields: readonly FieldSpec[], more: Partial<ObjectSpec> = {}): ObjectSpec => ({
  kind: 'object',
  fields,
  ...more,
});

/** Switches of an options object, all off unless they are set. */
export const switches = (rows: readonly (readonly [name: string, doc: string])[]): readonly FieldSpec[] =>
  rows.map(([name, doc]) => optionalSpec(name, doc, { kind: 'boolean' }, false));

/** A choice of words, each with its sentence. */
export const words = (rows: readonly (readonly [value: string, doc: string])[]): ValueSpec => ({
  kind: 'enum',
  values: rows.map(([value, doc]) => ({ value, doc })),
});

/** A list of one to `maxItems` items. */
export const listSpec = (items: ValueSpec, maxItems?: number): ValueSpec => ({
  kind: 'array',
  items,
  minItems: 1,
  ...(maxItems === undefined ? {} : { maxItems }),
});

/** A list of any number of items up to `maxItems`. */
export const listUpTo = (maxItems: number, items: ValueSpec): ValueSpec => ({ kind: 'array', items, maxItems });

export const integer = (min: number, max?: number): ValueSpec => ({
  kind: 'integer',
  type: 'u64',
  min,
  ...(max === undefined ? {} : { max }),
});

/** A member or parameter with its default left to the service. */
export const limit = (max: number, what: string): FieldSpec =>
  optionalSpec('limit', `How many ${what}, 1 to ${max.toLocaleString('en-US')}.`, integer(1, max));
