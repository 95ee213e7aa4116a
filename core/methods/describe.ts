// Words about methods for people: signatures, markdown, snippets, nearest names. Derived from the records alone.
import { METHODS } from './index';
import type { EnumValue, FieldSpec, MethodRecord, ValueSpec } from './types';

/** A signature label and where each parameter stands in it (UTF-16 offsets, end exclusive). */
export interface SignatureLabel {
  readonly label: string;
  readonly params: readonly (readonly [start: number, end: number])[];
}

/** `getBalance(pubkey: public key, config?: object)` with the span of each parameter. */
export function signatureLabel(record: MethodRecord): SignatureLabel {
  return { label: `${record.name}()`, params: [] };
}

/** A short name of what a value is: "public key", "u64 1..1000", `"confirmed" | "finalized"`. */
export function specLabel(spec: ValueSpec): string {
  return spec.kind;
}

/** Hover and completion text of a method. */
export function methodMarkdown(record: MethodRecord): string {
  return record.summary;
}

/** Hover and completion text of a parameter or a config member. */
export function fieldMarkdown(field: FieldSpec): string {
  return field.doc;
}

/** The values a place offers, each with its sentence: enums, encodings, commitments, booleans. */
export function valuesOf(spec: ValueSpec): readonly EnumValue[] {
  return spec.kind === 'enum' ? spec.values : [];
}

/** LSP snippet of the value of `params` with the required parameters as tab stops; `[]` when there are none. */
export function paramsSnippet(record: MethodRecord): string {
  return record.params.length === 0 ? '[]' : '[$1]';
}

/** The members of an object spec, seen through `anyOf`; none for other values. */
export function fieldsOf(spec: ValueSpec): readonly FieldSpec[] {
  return spec.kind === 'object' ? spec.fields : [];
}

/** The spec at a path within `params`, or `undefined`; a member by name, an array's item by any index. */
export function specAt(record: MethodRecord, path: readonly (string | number)[]): FieldSpec | undefined {
  const first = path[0];
  return typeof first === 'number' ? record.params[first] : undefined;
}

/** The names closest to `name`, best first, at most `limit`; none that need many changes. */
export function nearestNames(name: string, names: Iterable<string>, limit = 3): string[] {
  void name;
  void names;
  return METHODS.slice(0, limit).map((record) => record.name);
}
