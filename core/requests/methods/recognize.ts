// Recognises valid parameters in their text, in one pass: the short way of checkCall, for the calls that people mostly
// write. "No" means only that checkCall has to look. Parsing a request and walking its value against the record takes
// three times as long: most of that is values that are made to be looked at once.
import { perObject } from '../../solana/common/perObject';
import {
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COLON,
  COMMA,
  OPEN_BRACE,
  OPEN_BRACKET,
  type PlainReader,
} from '../../solana/json/plainReader';
import { isPublicKey, isSignature } from '../../solana/chain/keys';
import { plainBounds } from './checkInteger';
import { fitsRole } from './rules/roles';
import { SLICE_NEEDS_CHECK } from './rules/slice';
import type { FieldSpec, MethodRecord, ObjectSpec, ParamSpec, ValueSpec } from './types';

/** True where a valid value was read. Otherwise it may be faulty, or valid in a way that only checkCall knows. */
type Recognizer = (reader: PlainReader) => boolean;

/** Recognises valid calls of one method. */
export interface CallRecognizer {
  readonly params: Recognizer;
  readonly mayBeLeftOut: boolean;
}

/** Bits of a number: members of an object that are told apart. */
const MAX_MEMBERS = 31;

/** Undefined for a method about whose calls there is more to say than what each value is. */
export const callRecognizer = perObject((record: MethodRecord): CallRecognizer | undefined => {
  const { advice, rules, since, pack, unstable, structure, repeats } = record;
  const isPlain = [advice, rules, since, pack, unstable, repeats].every((special) => special === undefined);
  if (!isPlain || structure === 'byName') return undefined;
  const firstSpecial = record.params.findIndex(isSpecial);
  const specs = firstSpecial < 0 ? record.params : record.params.slice(0, firstSpecial);
  // A document may name a required parameter after an optional one.
  const required = record.params.findLastIndex((param) => param.required === true) + 1;
  return { params: inOrder(specs, required), mayBeLeftOut: required === 0 };
});

/** Parameters that only some nodes know are checked against the endpoint. */
const isSpecial = ({ pack, since }: FieldSpec): boolean => pack !== undefined || since !== undefined;

/** An array of parameters, `required` of them at least. */
function inOrder(params: readonly ParamSpec[], required: number): Recognizer {
  const recognizers = params.map(({ spec }) => recognizerOf(spec));
  const recognizerAt = (index: number): Recognizer | undefined => recognizers[index];
  return (reader) => itemsOf(reader, recognizerAt) >= required;
}

/** How many items an array has, each of them valid; below zero where it is not so. */
function itemsOf(reader: PlainReader, recognizerAt: (index: number) => Recognizer | undefined): number {
  let count = 0;
  if (!reader.take(OPEN_BRACKET)) return -1;
  if (reader.take(CLOSE_BRACKET)) return count;
  do {
    if (recognizerAt(count++)?.(reader) !== true) return -1;
  } while (reader.take(COMMA));
  return reader.take(CLOSE_BRACKET) ? count : -1;
}

function recognizerOf(spec: ValueSpec): Recognizer {
  switch (spec.kind) {
    case 'pubkey':
      return publicKey(spec);
    case 'blockhash':
      return (reader) => isPublicKey(reader.quoted() ?? '');
    case 'signature':
      return (reader) => isSignature(reader.quoted() ?? '');
    case 'integer':
      return integer(spec);
    case 'boolean':
      return (reader) => reader.takeWord('true') || reader.takeWord('false');
    case 'enum':
      return oneOf(spec.values.map(({ value }) => value));
    case 'encoding':
    case 'commitment':
      return oneOf(spec.values);
    case 'string':
      return spec.minLength === undefined && spec.maxLength === undefined
        ? (reader) => reader.string() !== undefined
        : NEVER;
    case 'array':
      return array(spec);
    case 'object':
      return object(spec);
    case 'number':
    case 'base64':
    case 'transaction':
    case 'memcmpBytes':
    case 'null':
    case 'any':
    case 'anyOf':
      return NEVER;
  }
}

const NEVER: Recognizer = () => false;

function publicKey({ role }: ValueSpec & { readonly kind: 'pubkey' }): Recognizer {
  if (role === undefined) return (reader) => isPublicKey(reader.quoted() ?? '');
  return (reader) => {
    const address = reader.quoted() ?? '';
    return isPublicKey(address) && fitsRole(role, address);
  };
}

function integer(spec: ValueSpec & { readonly kind: 'integer' }): Recognizer {
  const { low, high } = plainBounds(spec);
  return (reader) => {
    const value = reader.integer();
    return value !== undefined && value >= low && value <= high;
  };
}

function oneOf(words: readonly string[]): Recognizer {
  const tokens = words.map((word) => JSON.stringify(word));
  return (reader) => {
    for (const token of tokens) if (reader.takeWord(token)) return true;
    return false;
  };
}

function array({ items, minItems = 0, maxItems = Infinity }: ValueSpec & { readonly kind: 'array' }): Recognizer {
  const recognize = recognizerOf(items);
  const recognizerAt = (): Recognizer => recognize;
  return (reader) => {
    const count = itemsOf(reader, recognizerAt);
    return count >= minItems && count <= maxItems;
  };
}

/** A member of an object: its name with the quotes, and the bit that it has among the others. */
interface Member {
  readonly name: string;
  readonly bit: number;
  readonly recognize: Recognizer;
}

function object(spec: ObjectSpec): Recognizer {
  const { fields, exactlyOne, slices, conflicts, exclusive } = spec;
  if (fields.length > MAX_MEMBERS) return NEVER;
  const members = fields.map((field, index): Member => {
    const recognize = isSpecial(field) ? NEVER : recognizerOf(field.spec);
    return { name: JSON.stringify(field.name), bit: 1 << index, recognize };
  });
  const bitsOf = (passes: (field: FieldSpec) => boolean): number =>
    fields.reduce((bits, field, index) => (passes(field) ? bits | (1 << index) : bits), 0);
  const required = bitsOf((field) => field.required === true);
  const choices = bitsOf(({ name }) => exactlyOne?.includes(name) === true);
  const apart = [...(conflicts ?? []), ...(exclusive ?? [])].map((pair) => bitsOf(({ name }) => pair.includes(name)));
  const sliced = slices === true ? bitsOf(({ name }) => name === 'dataSlice') : 0;
  return (reader) => {
    const start = reader.at;
    const seen = membersOf(reader, members);
    if (seen < 0 || (seen & required) !== required) return false;
    // A power of two is one member alone.
    if (exactlyOne !== undefined && ((seen & choices) === 0 || (seen & (seen - 1)) !== 0)) return false;
    for (const pair of apart) if ((seen & pair) === pair) return false;
    return (seen & sliced) === 0 || !SLICE_NEEDS_CHECK.test(reader.text.slice(start, reader.at));
  };
}

/** The bits of the members of an object, each there once and valid; below zero where it is not so. */
function membersOf(reader: PlainReader, members: readonly Member[]): number {
  let seen = 0;
  if (!reader.take(OPEN_BRACE)) return -1;
  if (reader.take(CLOSE_BRACE)) return seen;
  do {
    const member = memberAt(reader, members);
    if (member === undefined || (seen & member.bit) !== 0) return -1;
    seen |= member.bit;
    if (!reader.take(COLON) || !member.recognize(reader)) return -1;
  } while (reader.take(COMMA));
  return reader.take(CLOSE_BRACE) ? seen : -1;
}

function memberAt(reader: PlainReader, members: readonly Member[]): Member | undefined {
  for (const member of members) if (reader.takeWord(member.name)) return member;
  return undefined;
}
