// The bytes that instructions, accounts and events of an Anchor or Shank IDL begin with. The file gives them, or its origin
// decides: Anchor hashes names, Shank numbers instructions in their order and has nothing before accounts.
import { isJsonArray, member, type JsonObject, type JsonValue } from '../../json/json';
import { sha256 } from '../../chain/crypto';
import { readType } from './anchorType';
import { ENCODER } from './encoder';
import { textAt, type Problems } from './problems';
import type { IdlIdentified, IdlTypeDef } from './model';

/** Who wrote the file. */
export type IdlWriter = 'anchor' | 'shank' | 'other';

/** The origin that the file names. Without one it is Shank's if all instructions have Shank's discriminants. */
export function idlWriter(file: JsonObject): IdlWriter {
  const origin = textAt(member(file, 'metadata'), 'origin');
  if (origin !== undefined) return origin === 'anchor' || origin === 'shank' ? origin : 'other';
  const instructions = member(file, 'instructions');
  const isNumbered = isJsonArray(instructions) && instructions.length > 0 && instructions.every(hasDiscriminant);
  return isNumbered ? 'shank' : 'anchor';
}

const hasDiscriminant = (instruction: JsonValue): boolean => (member(instruction, 'discriminant') ?? null) !== null;

/** The fields follow the head. Without one, data is never identified as this. */
export const headOf = (bytes: Uint8Array): Pick<IdlIdentified, 'discriminators' | 'start'> => ({
  discriminators: bytes.length === 0 ? [] : [{ kind: 'bytes', offset: 0, bytes }],
  start: bytes.length,
});

interface Named {
  readonly name: string;
  readonly origin: IdlWriter;
  readonly place: string;
}

/** Of an account or event; empty if nothing identifies it. `wrong` was reported. */
export function recordHead(
  value: JsonValue,
  { name, namespace, origin, place }: Named & { readonly namespace: 'account' | 'event' },
  problems: Problems,
): Uint8Array | 'wrong' {
  const given = givenBytes(value, place, problems);
  if (given !== undefined) return given;
  return origin === 'anchor' ? hashOf(namespace, name.slice(0, 1).toUpperCase() + name.slice(1)) : new Uint8Array();
}

/** Of an instruction. `wrong` was reported: what is not known must not be sent. */
export function instructionHead(
  value: JsonValue,
  at: Named & { readonly index: number; readonly types: ReadonlyMap<string, IdlTypeDef> },
  problems: Problems,
): Uint8Array | 'wrong' {
  const { name, index, origin, types, place } = at;
  const given = givenBytes(value, place, problems);
  if (given !== undefined) return given;
  if (hasDiscriminant(value)) {
    const discriminant = member(value, 'discriminant');
    const type = readType(member(discriminant, 'type') ?? 'u8', `${place}.discriminant`, problems);
    const number = member(discriminant, 'value');
    const read = type === undefined || number === undefined ? undefined : ENCODER.value({ types }, type, number);
    if (read?.ok === true && isHead(read.bytes)) return read.bytes;
    return wrong(problems, `${place}.discriminant`, 'a discriminant is a value of its type');
  }
  if (origin === 'anchor') return hashOf('global', snakeCase(name));
  if (origin === 'shank' && index <= 255) return Uint8Array.of(index);
  return wrong(problems, place, 'nothing says which bytes it begins with: give it a discriminant');
}

function wrong(problems: Problems, place: string, message: string): 'wrong' {
  problems.say(place, message);
  return 'wrong';
}

/** `discriminator`, as Anchor writes it since 0.30. */
function givenBytes(value: JsonValue, place: string, problems: Problems): Uint8Array | 'wrong' | undefined {
  const given = member(value, 'discriminator');
  if (given === undefined) return undefined;
  if (isJsonArray(given) && isHead(given) && given.every(isByte)) return Uint8Array.from(given);
  return wrong(problems, `${place}.discriminator`, 'a discriminator is a list of bytes');
}

const isHead = ({ length }: { readonly length: number }): boolean => length > 0 && length <= 32;

const isByte = (value: JsonValue): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 255;

const snakeCase = (name: string): string =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1_$2')
    .toLowerCase();

/** The first eight bytes of the hash of `namespace:name`, as Anchor has always made them. */
function hashOf(namespace: 'account' | 'event' | 'global', name: string): Uint8Array {
  return sha256(new TextEncoder().encode(`${namespace}:${name}`)).slice(0, 8);
}
