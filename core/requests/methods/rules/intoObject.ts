// Finds the member that a bare word or key is, where an object with that member is due: `"confirmed"` for
// `{ "commitment": "confirmed" }`.
import { judgeBase58, KEY_BYTES } from '../../../solana/chain/keys';
import type { JsonValue } from '../../../solana/json/json';
import type { Fix } from '../problems';
import type { ValueSpec } from '../types';
import { isTokenProgram } from './roles';

/** Replacements by an object with one member, best first. */
export function memberFor(spec: ValueSpec, value: JsonValue): Fix[] {
  if (spec.kind !== 'object' || typeof value !== 'string') return [];
  return spec.fields
    .filter((field) => isMember(field.spec, value))
    .map(({ name }): Fix => ({ kind: 'replace', value: { [name]: value } }));
}

/** Whether a text says by itself which member it is. */
function isMember(spec: ValueSpec, text: string): boolean {
  switch (spec.kind) {
    case 'commitment':
    case 'encoding':
      return (spec.values as readonly string[]).includes(text);
    case 'enum':
      return spec.values.some(({ value }) => value === text);
    case 'pubkey':
      if (spec.role === undefined || judgeBase58(text, KEY_BYTES).kind !== 'ok') return false;
      return isTokenProgram(text) === (spec.role === 'program');
    default:
      return false;
  }
}
