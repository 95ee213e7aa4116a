// The JSON types that a spec takes, and its expectation in words: the check before a value is checked in full.
import { isJsonArray, JsonNumber, type JsonValue } from '../../solana/json/json';
import { orList } from './reporter';
import type { ValueSpec } from './types';

export type JsonType = 'string' | 'number' | 'boolean' | 'array' | 'object' | 'null';

export function jsonTypeOf(value: JsonValue): JsonType {
  if (typeof value !== 'object') return typeof value as 'string' | 'number' | 'boolean';
  if (value === null) return 'null';
  if (isJsonArray(value)) return 'array';
  return value instanceof JsonNumber ? 'number' : 'object';
}

/** Whether a value of this JSON type can be meant for the spec. */
export function takes(spec: ValueSpec, type: JsonType): boolean {
  switch (spec.kind) {
    case 'integer':
    case 'number':
      return type === 'number';
    case 'null':
      return type === 'null';
    case 'any':
      return true;
    case 'boolean':
      return type === 'boolean';
    case 'array':
      return type === 'array';
    case 'object':
      return type === 'object';
    case 'memcmpBytes':
      return type === 'string' || type === 'array';
    case 'anyOf':
      return optionFor(spec.options, type) !== undefined;
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

/**
 * The alternative that takes a value of this type. A loop, as all that runs for every value: a closure over a parameter
 * costs each call an object, whether or not the closure is reached.
 */
export function optionFor(options: readonly ValueSpec[], type: JsonType): ValueSpec | undefined {
  for (const option of options) if (takes(option, type)) return option;
  return undefined;
}

/** The expectation of a spec, for a message: `a public key`, `an object`. */
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
    case 'number':
      return 'a number';
    case 'null':
      return 'null';
    case 'any':
      return 'any value';
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
