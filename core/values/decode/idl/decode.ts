// Bytes read after an IDL: accounts, arguments, events. Never throws; bounded in depth, values and list items, so that
// neither an IDL nor data from a stranger can cost more than its size.
import { floatOf, flagOf, integerOf, MAX_ITEMS, NONE, pubkeyOf, textOf, wide } from '../accounts/layout';
import { encodeBase58 } from '../../encoding/base58';
import { ByteReader } from '../../encoding/bytes';
import type { DecodedField, DecodedValue } from '../decoded';
import { alignmentOf, lengthOf, NO_SCOPE, scopeOf, sizeOf, type Scope } from './size';
import type { Idl, IdlField, IdlNumber, IdlRecord, IdlType, IdlTypeDef } from './model';

/** Structures nested deeper than this are not read. */
const MAX_DEPTH = 48;
/** Values in one account or instruction, all lists together. */
const MAX_VALUES = 100_000;

const UTF8 = new TextDecoder('utf-8');

/** The record whose discriminator the data begins with; the longest one where several do. */
export function recordOf<T extends Pick<IdlRecord, 'discriminator'>>(
  records: readonly T[],
  data: Uint8Array,
): T | undefined {
  let found: T | undefined;
  for (const record of records) {
    const { discriminator } = record;
    const fits = discriminator.length <= data.length && discriminator.every((byte, at) => byte === data[at]);
    if (fits && discriminator.length > (found?.discriminator.length ?? 0)) found = record;
  }
  return found;
}

/** The fields of an account or event; `undefined` when the data ends before them or a type of theirs is not there. */
export function decodeRecord(idl: Idl, record: IdlRecord, data: Uint8Array): readonly DecodedField[] | undefined {
  const decoder = new Decoder(idl, data.subarray(record.discriminator.length));
  const value = decoder.value(record.type, NO_SCOPE, 0);
  if (decoder.reader.failed) return undefined;
  return value.kind === 'fields' && value.name === undefined ? value.fields : [{ name: 'value', value }];
}

/** Arguments one after the other. */
export function decodeFields(
  idl: Idl,
  fields: readonly IdlField[],
  data: Uint8Array,
): readonly DecodedField[] | undefined {
  const decoder = new Decoder(idl, data);
  const found = decoder.fields(fields, NO_SCOPE, 0);
  return decoder.reader.failed ? undefined : found;
}

class Decoder {
  readonly reader: ByteReader;
  #values = 0;

  constructor(
    private readonly idl: Idl,
    data: Uint8Array,
  ) {
    this.reader = new ByteReader(data);
  }

  /** Makes the reading fail: everything after this gives nothing. */
  #fail(): DecodedValue {
    this.reader.take(this.reader.left + 1);
    return NONE;
  }

  fields(fields: readonly IdlField[], scope: Scope, depth: number): readonly DecodedField[] {
    const found: DecodedField[] = [];
    for (const { name, type } of fields) {
      if (this.reader.failed) break;
      found.push({ name, value: this.value(type, scope, depth + 1) });
    }
    return found;
  }

  value(type: IdlType, scope: Scope, depth: number): DecodedValue {
    if (depth > MAX_DEPTH || ++this.#values > MAX_VALUES) return this.#fail();
    switch (type.kind) {
      case 'integer':
        return this.#integer(type.of);
      case 'float':
        return floatOf(this.reader, type.of === 'f32' ? 4 : 8);
      case 'bool':
        return flagOf(this.reader.u8() !== 0);
      case 'string':
        return textOf(UTF8.decode(this.reader.take(this.reader.u32())));
      case 'bytes':
        return { kind: 'bytes', bytes: this.reader.take(this.reader.u32()) };
      case 'pubkey':
        return pubkeyOf(encodeBase58(this.reader.take(32)));
      case 'option':
        return this.reader.u8() === 0 ? NONE : this.value(type.of, scope, depth + 1);
      case 'coption': {
        const tag = this.reader.u32();
        const value = this.value(type.of, scope, depth + 1);
        return tag === 0 ? NONE : value;
      }
      case 'vec':
      case 'set':
        return this.#list(type.of, this.reader.u32(), scope, depth);
      case 'array': {
        const count = lengthOf(type.length, scope);
        return count === undefined ? this.#fail() : this.#list(type.of, count, scope, depth);
      }
      case 'map':
        return this.#list({ kind: 'tuple', items: [type.key, type.value] }, this.reader.u32(), scope, depth);
      case 'tuple':
        return {
          kind: 'fields',
          fields: this.fields(
            type.items.map((item, at) => ({ name: String(at), type: item })),
            scope,
            depth,
          ),
        };
      case 'generic': {
        const given = scope.get(type.name);
        return given?.kind === 'type' ? this.value(given.type, given.scope, depth + 1) : this.#fail();
      }
      case 'defined': {
        const def = this.idl.types.get(type.name);
        return def === undefined ? this.#fail() : this.#defined(def, scopeOf(def, type.generics, scope), depth);
      }
    }
  }

  #integer(of: IdlNumber): DecodedValue {
    const bits = Number(of.slice(1));
    const value =
      bits === 8
        ? BigInt(this.reader.u8())
        : bits === 16
          ? BigInt(this.reader.u16())
          : bits === 32
            ? BigInt(this.reader.u32())
            : wide(this.reader, bits / 8);
    return integerOf(of.startsWith('i') ? BigInt.asIntN(bits, value) : value);
  }

  #list(of: IdlType, count: number, scope: Scope, depth: number): DecodedValue {
    if (of.kind === 'integer' && of.of === 'u8') return { kind: 'bytes', bytes: this.reader.take(count) };
    const items: DecodedValue[] = [];
    const most = Math.min(count, MAX_ITEMS);
    const size = sizeOf(this.idl, of, scope);
    // Items without bytes could be any number: one shows them all.
    if (size === 0) return { kind: 'list', items: [], ...(count > 0 ? { more: count } : {}) };
    for (let at = 0; at < most && !this.reader.failed; at++) items.push(this.value(of, scope, depth + 1));
    const more = count - most;
    if (more > 0 && size !== undefined) this.reader.take(more * size);
    else for (let at = 0; at < more && !this.reader.failed; at++) this.value(of, scope, depth + 1);
    return { kind: 'list', items, ...(more > 0 ? { more } : {}) };
  }

  #defined(def: IdlTypeDef, scope: Scope, depth: number): DecodedValue {
    const { body } = def;
    switch (body.kind) {
      case 'struct':
        return {
          kind: 'fields',
          fields: def.isAligned ? this.#aligned(def, scope, depth) : this.fields(body.fields, scope, depth),
        };
      case 'enum': {
        const variant = body.variants[this.reader.u8()];
        if (variant === undefined) return this.#fail();
        return { kind: 'fields', name: variant.name, fields: this.fields(variant.fields, scope, depth) };
      }
      case 'alias':
        return this.value(body.type, scope, depth + 1);
    }
  }

  /** Fields at multiples of their alignment, and the whole a multiple of the largest. */
  #aligned(def: IdlTypeDef, scope: Scope, depth: number): readonly DecodedField[] {
    if (def.body.kind !== 'struct') return [];
    const start = this.reader.at;
    const found: DecodedField[] = [];
    let largest = 1;
    for (const field of def.body.fields) {
      const alignment = alignmentOf(this.idl, field.type, scope);
      largest = Math.max(largest, alignment);
      this.#pad(start, alignment);
      found.push(...this.fields([field], scope, depth));
    }
    this.#pad(start, largest);
    return found;
  }

  #pad(start: number, alignment: number): void {
    const over = (this.reader.at - start) % alignment;
    // The end of the data may stand for the last gap.
    if (over > 0) this.reader.take(Math.min(alignment - over, this.reader.left));
  }
}
