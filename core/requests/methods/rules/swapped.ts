// Recognises parameters in each other's place: each fits there and not in its own.
import { isJsonObject, type JsonValue } from '../../../solana/json/json';
import { judgeBase58, KEY_BYTES, SIGNATURE_BYTES } from '../../../solana/chain/keys';
import { jsonTypeOf, optionFor, takes } from '../kinds';
import type { ParamSpec, ValueSpec } from '../types';

/** The places of the first two that are swapped. */
export function swappedIn(
  specs: readonly ParamSpec[],
  params: readonly JsonValue[],
): readonly [first: number, second: number] | undefined {
  const count = Math.min(specs.length, params.length);
  for (let first = 0; first < count; first++)
    for (let second = first + 1; second < count; second++)
      if (
        !fitsAt(specs, params, first, first) &&
        !fitsAt(specs, params, second, second) &&
        fitsAt(specs, params, first, second) &&
        fitsAt(specs, params, second, first)
      )
        return [first, second];
  return undefined;
}

/** Whether the value at one place can be meant for another. */
function fitsAt(specs: readonly ParamSpec[], params: readonly JsonValue[], from: number, to: number): boolean {
  const field = specs[to];
  const value = params[from];
  if (field === undefined || value === undefined || value === null) return false;
  return [field.spec, ...(field.alsoAccepts ?? [])].some((spec) => fits(spec, value));
}

function fits(spec: ValueSpec, value: JsonValue): boolean {
  if (spec.kind === 'anyOf') {
    const option = optionFor(spec.options, jsonTypeOf(value));
    return option !== undefined && fits(option, value);
  }
  if (!takes(spec, jsonTypeOf(value))) return false;
  if (typeof value === 'string')
    switch (spec.kind) {
      case 'pubkey':
      case 'blockhash':
        return judgeBase58(value, KEY_BYTES).kind === 'ok';
      case 'signature':
        return judgeBase58(value, SIGNATURE_BYTES).kind === 'ok';
      default:
        return true;
    }
  // An empty object says nothing.
  return spec.kind !== 'object' || !isJsonObject(value) || isOf(spec.fields, Object.keys(value));
}

const isOf = (fields: readonly { readonly name: string }[], keys: readonly string[]): boolean =>
  keys.length > 0 && keys.every((key) => fields.some(({ name }) => name === key));
