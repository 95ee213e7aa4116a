// Builders of pack records: what all methods of one pack have in common, and parameters that several packs use.
import type { FieldSpec, MethodRecord, ObjectSpec, ParamSpec, ValueSpec } from '../types';
import { BOOLEAN, optionalSpec } from '../records/shared';
import type { PackId } from '../../../service/providers/packIds';

/** A method of a pack; served over HTTPS and without known error codes unless it says otherwise. */
export type PackMethod = Omit<MethodRecord, 'category' | 'transport' | 'errors' | 'undocumented' | 'pack'> &
  Partial<Pick<MethodRecord, 'transport' | 'errors'>>;

/** The records of a pack's methods. */
export const recordsOf = (pack: PackId, methods: readonly PackMethod[]): readonly MethodRecord[] =>
  methods.map((method) => ({
    transport: 'http',
    errors: [],
    ...method,
    category: 'pack',
    undocumented: true,
    pack,
  }));

export const objectSpec = (fields: readonly FieldSpec[], more: Partial<ObjectSpec> = {}): ObjectSpec => ({
  kind: 'object',
  fields,
  ...more,
});

export const HASH: ValueSpec = { kind: 'blockhash' };

/** Switches of an options object, all off unless they are set. */
export const switches = (rows: readonly (readonly [name: string, doc: string])[]): readonly FieldSpec[] =>
  rows.map(([name, doc]) => optionalSpec(name, doc, BOOLEAN, false));

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

export const integer = (min: number, max?: number): ValueSpec => ({
  kind: 'integer',
  type: 'u64',
  min,
  ...(max === undefined ? {} : { max }),
});

/** A member or parameter with its default left to the service. */
export const limit = (max: number, what: string): ParamSpec =>
  optionalSpec('limit', `How many ${what}, 1 to ${max.toLocaleString('en-US')}.`, integer(1, max));
