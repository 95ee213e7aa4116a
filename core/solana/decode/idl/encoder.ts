// JSON values as the bytes that an IDL's types ask for: the arguments of instructions, and seeds of addresses made of them.
// Reads the same types as the decoder. Never throws; each fault has its path within the value.
import { ByteWriter } from '../../encoding/byteWriter';
import { textBytes, writtenBytes } from '../../json/writtenBytes';
import { integerOf, isJsonArray, isJsonObject, JsonNumber, member, numberOf, type JsonValue } from '../../json/json';
import { keyBytes } from '../../chain/keys';
import { nearestName, plainName, sameName } from '../names';
import { alignmentOf, knownCount, NO_SCOPE, scopeOf, sizeOf, type TypeScope } from './size';
import { NUMBERS, type IdlField, type IdlInstruction, type IdlType, type IdlTypes } from './model';

/** Structures nested deeper than this are not written. */
const MAX_DEPTH = 48;
/** No transaction carries more, in bytes. */
const MAX_BYTES = 4_096;
/** Values of one piece of data, all lists together: some have no bytes. */
const MAX_VALUES = 100_000;

/** The problem with a value. */
export interface EncodingFault {
  readonly kind: 'missing' | 'unknown' | 'type' | 'range' | 'value';
  /** Names of fields and places in lists, outermost first. */
  readonly path: readonly (string | number)[];
  /** One sentence. */
  readonly message: string;
  /** The name that a member's unknown name is near to. */
  readonly near?: string;
}

export type EncodedData =
  | { readonly ok: true; readonly bytes: Uint8Array }
  | { readonly ok: false; readonly faults: readonly EncodingFault[] };

/** True for a value that is not known yet: it is taken for right, and nothing is written of it. */
export type IsUnknown = (value: JsonValue) => boolean;

/** Writes JSON values by an IDL. */
export interface IdlEncoder {
  readonly instruction: typeof encodeInstruction;
  readonly value: typeof encodeValue;
}

export const ENCODER: IdlEncoder = { instruction: encodeInstruction, value: encodeValue };

/** The data of an instruction: its discriminator and its arguments, by name. */
function encodeInstruction(
  idl: IdlTypes,
  instruction: IdlInstruction,
  args: JsonValue | undefined,
  isUnknown: IsUnknown = () => false,
): EncodedData {
  const encoder = new Encoder(idl, isUnknown);
  for (const one of instruction.start === 0 ? [] : instruction.discriminators)
    if (one.kind === 'bytes') encoder.constant(one.bytes);
  encoder.write({ kind: 'struct', fields: instruction.args }, args ?? {}, []);
  return encoder.done();
}

/** One value by its type, up to its first fault: an IDL file from a stranger may contain it. */
function encodeValue(idl: IdlTypes, type: IdlType, value: JsonValue): EncodedData {
  const encoder = new Encoder(idl, () => false, true);
  encoder.write(type, value, []);
  return encoder.done();
}

type Path = readonly (string | number)[];
type Of<K extends IdlType['kind']> = Extract<IdlType, { kind: K }>;

interface At {
  readonly value: JsonValue;
  readonly path: Path;
  readonly scope: TypeScope;
  readonly depth: number;
}

class Encoder {
  readonly #idl: IdlTypes;
  readonly #isUnknown: IsUnknown;
  readonly #endsAtFault: boolean;
  readonly #faults: EncodingFault[] = [];
  #out = new ByteWriter();
  #values = 0;
  #isOver = false;

  constructor(idl: IdlTypes, isUnknown: IsUnknown, endsAtFault = false) {
    this.#idl = idl;
    this.#isUnknown = isUnknown;
    this.#endsAtFault = endsAtFault;
  }

  constant(bytes: Uint8Array): void {
    this.#out.bytes(bytes);
  }

  write(type: IdlType, value: JsonValue, path: Path): void {
    this.#value(type, { value, path, scope: NO_SCOPE, depth: 0 });
  }

  done(): EncodedData {
    if (this.#faults.length === 0 && this.#out.length > MAX_BYTES)
      this.#fault('range', [], `This is more than ${MAX_BYTES} bytes, which no transaction carries.`);
    return this.#faults.length > 0 ? { ok: false, faults: this.#faults } : { ok: true, bytes: this.#out.done() };
  }

  #fault(kind: EncodingFault['kind'], path: Path, message: string, near?: string): void {
    if (!this.#isOver) this.#faults.push({ kind, path, message, ...(near === undefined ? {} : { near }) });
    this.#isOver ||= this.#endsAtFault || this.#values > MAX_VALUES;
  }

  #expected(what: string, { value, path }: At): void {
    this.#fault('type', path, `Expected ${what}, found ${named(value)}.`);
  }

  #value(type: IdlType, at: At): void {
    if (at.depth > MAX_DEPTH) return this.#fault('value', at.path, 'This is nested too deep.');
    if (++this.#values > MAX_VALUES) return this.#fault('range', at.path, 'This has too many values.');
    // Too long data is refused in the end.
    if (this.#isOver || this.#out.length > MAX_BYTES || this.#isUnknown(at.value)) return;
    const inner = (of: IdlType, value = at.value, step?: string | number): void =>
      this.#value(of, { ...at, value, path: step === undefined ? at.path : [...at.path, step], depth: at.depth + 1 });
    switch (type.kind) {
      case 'integer':
        return this.#integer(type, at);
      case 'compactU16':
        return this.#ranged(at, 0n, 0xffffn, (value) => this.#out.compactU16(Number(value)));
      case 'float':
        return this.#float(type, at);
      case 'bool':
        if (typeof at.value !== 'boolean') return this.#expected('true or false', at);
        return this.#number(type.as, at.value ? 1 : 0, at);
      case 'pubkey': {
        const bytes = typeof at.value === 'string' ? keyBytes(at.value) : undefined;
        if (bytes === undefined) return this.#expected('a public key', at);
        return void this.#out.bytes(bytes);
      }
      case 'text': {
        if (typeof at.value !== 'string') return this.#expected('text', at);
        const bytes = textBytes(at.value, type.encoding);
        if (bytes === undefined) return this.#expected(`${type.encoding} text`, at);
        return void this.#out.bytes(bytes);
      }
      case 'bytes':
        return this.#bytes(at);
      case 'prefixed': {
        const bytes = this.#apart(() => inner(type.of));
        this.#number(type.prefix, bytes.length, at);
        return void this.#out.bytes(bytes);
      }
      case 'fixed': {
        const bytes = this.#apart(() => inner(type.of));
        if (bytes.length > type.size)
          return this.#fault('range', at.path, `This has ${bytes.length} bytes; ${type.size} fit here.`);
        const rest = Math.max(0, Math.min(type.size, MAX_BYTES + 1) - bytes.length);
        return void this.#out.bytes(bytes).bytes(new Uint8Array(rest));
      }
      case 'sentinel':
        inner(type.of);
        return void this.#out.bytes(type.end);
      case 'hidden':
        for (const bytes of type.before) this.#out.bytes(bytes);
        inner(type.of);
        for (const bytes of type.after) this.#out.bytes(bytes);
        return;
      case 'option':
        return this.#option(type, at, inner);
      case 'zeroable':
        return this.#zeroable(type, at, inner);
      case 'remainderOption':
        return at.value === null ? undefined : inner(type.of);
      case 'list':
        return this.#list(type, at, inner);
      case 'struct':
        return this.#struct(type.fields, at);
      case 'enum':
        return this.#enum(type, at);
      case 'defined': {
        const def = this.#idl.types.get(type.name);
        if (def === undefined) return this.#unwritable(at, type.name);
        const scope = scopeOf(def, type.generics, at.scope);
        const within = { ...at, scope, depth: at.depth + 1 };
        if (def.isAligned && def.type.kind === 'struct') return this.#struct(def.type.fields, within, true);
        return this.#value(def.type, within);
      }
      case 'generic': {
        const given = at.scope.get(type.name);
        if (given?.kind !== 'type') return this.#unwritable(at, type.name);
        return this.#value(given.type, { ...at, scope: given.scope, depth: at.depth + 1 });
      }
      case 'moved':
        return this.#unwritable(at, 'a value at an offset');
      case 'unreadable':
        return this.#unwritable(at, type.what);
    }
  }

  #unwritable({ path }: At, what: string): void {
    this.#fault('value', path, `The IDL's type here cannot be written: ${what.slice(0, 60)}.`);
  }

  /** The bytes that `write` adds, taken out again. */
  #apart(write: () => void): Uint8Array {
    const outer = this.#out;
    this.#out = new ByteWriter();
    write();
    const bytes = this.#out.done();
    this.#out = outer;
    return bytes;
  }

  /** A number of the layout's own: a length, a tag, a flag. */
  #number(type: IdlType, value: number, at: At): void {
    this.#value(type, { ...at, value, depth: at.depth + 1 });
  }

  #integer({ of, isBigEndian }: Of<'integer'>, at: At): void {
    const { bytes, isSigned } = NUMBERS[of];
    const half = 1n << BigInt(8 * bytes - 1);
    this.#ranged(at, isSigned ? -half : 0n, isSigned ? half - 1n : 2n * half - 1n, (value) => {
      if (isBigEndian !== true) return void this.#out.integer(value, bytes);
      this.#out.bytes(new ByteWriter().integer(value, bytes).done().reverse());
    });
  }

  /** An integer as a number, or as its digits in quotes. */
  #ranged(at: At, min: bigint, max: bigint, write: (value: bigint) => void): void {
    const { value: given, path } = at;
    const value = typeof given === 'string' && /^-?\d{1,80}$/.test(given) ? BigInt(given) : integerOf(given);
    if (value === undefined) this.#expected('an integer', at);
    else if (value < min || value > max)
      this.#fault('range', path, `${value} is out of range: expected an integer from ${min} to ${max}.`);
    else write(value);
  }

  #float({ of, isBigEndian }: Of<'float'>, at: At): void {
    const number = at.value instanceof JsonNumber ? at.value.toNumber() : at.value;
    if (typeof number !== 'number') return this.#expected('a number', at);
    const view = new DataView(new ArrayBuffer(of === 'f32' ? 4 : 8));
    if (of === 'f32') view.setFloat32(0, number, isBigEndian !== true);
    else view.setFloat64(0, number, isBigEndian !== true);
    this.#out.bytes(new Uint8Array(view.buffer));
  }

  /** An array of byte values, or text that says its encoding: `hex:00ff`, `base58:…`, `base64:…`, `text:…`. */
  #bytes(at: At): void {
    const bytes = writtenBytes(at.value);
    if (bytes === undefined) return this.#expected('bytes: an array of byte values or "hex:…"', at);
    this.#out.bytes(bytes);
  }

  #option({ tag, of, isFixed }: Of<'option'>, at: At, inner: (of: IdlType) => void): void {
    this.#number(tag, at.value === null ? 0 : 1, at);
    if (at.value !== null) return inner(of);
    if (isFixed !== true) return;
    const size = sizeOf(this.#idl, of, at.scope);
    if (size === undefined) return this.#unwritable(at, 'an option of no fixed size');
    this.#out.bytes(new Uint8Array(Math.min(size, MAX_BYTES + 1)));
  }

  #zeroable({ of, none }: Of<'zeroable'>, at: At, inner: (of: IdlType) => void): void {
    if (at.value !== null) return inner(of);
    const size = sizeOf(this.#idl, of, at.scope);
    if (none === undefined && size === undefined) return this.#unwritable(at, 'an option of no fixed size');
    this.#out.bytes(none ?? new Uint8Array(Math.min(size ?? 0, MAX_BYTES + 1)));
  }

  #list(type: Of<'list'>, at: At, inner: (of: IdlType, value: JsonValue, step: number) => void): void {
    const { of, count } = type;
    const isBytes = of.kind === 'integer' && of.of === 'u8';
    const bytes = isBytes && typeof at.value === 'string' ? writtenBytes(at.value) : undefined;
    const items: readonly JsonValue[] | undefined = bytes === undefined ? asItems(at.value) : [...bytes];
    if (items === undefined) return this.#expected(isBytes ? 'bytes: an array or "hex:…"' : 'an array', at);
    if (items.length > MAX_BYTES) return this.#fault('range', at.path, `${items.length} items do not fit.`);
    const wanted = knownCount(count, at.scope);
    if (wanted !== undefined && wanted !== items.length)
      return this.#fault('range', at.path, `Expected ${wanted} items, found ${items.length}.`);
    if (count.kind === 'prefixed') this.#number(count.prefix, items.length, at);
    for (const [index, item] of items.entries()) inner(of, item, index);
  }

  /** By name, or for a tuple by position. */
  #struct(fields: readonly IdlField[], at: At, isAligned = false): void {
    const { value, path } = at;
    const isTuple = fields.length > 0 && fields.every(({ name }, index) => name === String(index));
    if (isTuple && isJsonArray(value) && value.length !== fields.length)
      return this.#fault('range', path, `Expected ${fields.length} items, found ${value.length}.`);
    const isList = isTuple && isJsonArray(value);
    if (!isList && !isJsonObject(value)) return this.#expected(isTuple ? 'an array' : 'an object', at);
    const keys = isJsonObject(value) ? Object.keys(value) : [];
    const open = fields.filter(({ constant }) => constant === undefined).map(({ name }) => name);
    const [given, known] = [new Map(keys.map((key) => [plainName(key), key])), new Set(open.map(plainName))];
    const unknown = keys.filter((key) => !known.has(plainName(key)) && !this.#isUnknown(key));
    /** An unknown member that is meant for a missing one: one fault, not two. */
    const isSlip = (key: string, name: string): boolean =>
      unknown.includes(key) && nearestName(key, [name]) !== undefined;
    const start = this.#out.length;
    let largest = 1;
    for (const [index, field] of fields.entries()) {
      if (isAligned) {
        const alignment = alignmentOf(this.#idl, field.type, at.scope);
        largest = Math.max(largest, alignment);
        this.#pad(start, alignment);
      }
      if (field.constant !== undefined) {
        this.#out.bytes(field.constant);
        continue;
      }
      const key = isList ? index : given.get(plainName(field.name));
      const item = key === undefined ? undefined : isList ? value[index] : member(value, String(key));
      if (item !== undefined && key !== undefined)
        this.#value(field.type, { ...at, value: item, path: [...path, key], depth: at.depth + 1 });
      else if (isEmptyable(field.type)) this.#value(field.type, { ...at, value: null, depth: at.depth + 1 });
      else if (this.#endsAtFault || !keys.some((one) => this.#isUnknown(one) || isSlip(one, field.name)))
        this.#fault('missing', path, `"${field.name}" is missing.`);
    }
    if (isAligned) this.#pad(start, largest);
    const missing = open.filter((name) => !given.has(plainName(name)));
    for (const key of this.#isOver ? [] : unknown) {
      const near = this.#endsAtFault ? undefined : nearestName(key, missing);
      const hint = near === undefined ? '' : ` Did you mean "${near}"?`;
      this.#fault('unknown', [...path, key], `"${key.slice(0, 40)}" is not known here.${hint}`, near);
    }
  }

  #pad(start: number, alignment: number): void {
    while ((this.#out.length - start) % alignment !== 0) this.#out.u8(0);
  }

  /** The variant's name, or an object with the name as its only key and the content as its value. */
  #enum({ tag, variants }: Of<'enum'>, at: At): void {
    const { value } = at;
    const [only, ...more] = isJsonObject(value) ? Object.keys(value) : [];
    const name = typeof value === 'string' ? value : more.length === 0 ? only : undefined;
    if (name === undefined) return this.#expected('the name of a variant, or an object with that name', at);
    const found = [...variants].find(([, one]) => sameName(one.name, name));
    if (found === undefined) {
      const names = [...variants.values()].map((one) => one.name);
      const near = nearestName(name, names);
      const list = names.slice(0, 8).join(', ');
      return this.#fault(
        'value',
        at.path,
        `There is no variant "${name.slice(0, 40)}": expected one of ${list}.`,
        near,
      );
    }
    const [number, variant] = found;
    this.#number(tag, number, at);
    const held = typeof value === 'string' ? {} : (member(value, name) ?? {});
    this.#value(variant.type, {
      ...at,
      value: held,
      path: typeof value === 'string' ? at.path : [...at.path, name],
      depth: at.depth + 1,
    });
  }
}

/** Left out, these are empty. */
const isEmptyable = (type: IdlType): boolean =>
  type.kind === 'option' || type.kind === 'zeroable' || type.kind === 'remainderOption';

/** An array; an object is a map, whose entries are its items. */
function asItems(value: JsonValue): readonly JsonValue[] | undefined {
  if (isJsonArray(value)) return value;
  if (!isJsonObject(value)) return undefined;
  return Object.entries(value).map(([key, item]) => [/^-?\d+$/.test(key) ? numberOf(key) : key, item]);
}

function named(value: JsonValue): string {
  if (value === null) return 'null';
  if (isJsonArray(value)) return 'an array';
  if (value instanceof JsonNumber) return value.text.slice(0, 40);
  return isJsonObject(value) ? 'an object' : JSON.stringify(typeof value === 'string' ? value.slice(0, 40) : value);
}
