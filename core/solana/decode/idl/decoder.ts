// One value after another out of bytes, by the types of an IDL. Never throws; bounded in depth, values, list items and
// bytes read twice, so that neither an IDL nor data from a stranger costs more than its size.
import { withoutTrailing } from '../../common/ends';
import { floatOf, flagOf, integerValue, MAX_ITEMS, NO_VALUE, pubkeyOf, textValue } from '../layout';
import { encodeBase58 } from '../../encoding/base58';
import { encodeBase64 } from '../../encoding/base64';
import { ByteReader } from '../../encoding/bytes';
import type { DecodedField, DecodedValue } from '../decoded';
import type { DecodedUnit } from '../../layouts/unit';
import { hexOf } from '../decodedText';
import { groupDigits } from '../../chain/lamports';
import { ReadingFault } from './fault';
import { alignmentOf, knownCount, NO_SCOPE, scopeOf, sizeOf, type TypeScope } from './size';
import { NUMBERS, type Idl, type IdlEncoding, type IdlField, type IdlMoved, type IdlType } from './model';

/** Structures nested deeper than this are not read. */
const MAX_DEPTH = 48;
/** Values in one account or instruction, all lists together. */
const MAX_VALUES = 100_000;
/** Longer bytes are not shown in base58, whose cost grows with the square of their length. */
const MAX_BASE58 = 1_024;

const UTF8 = new TextDecoder('utf-8');

type Of<K extends IdlType['kind']> = Extract<IdlType, { kind: K }>;

export class Decoder {
  readonly #idl: Idl;
  #reader: ByteReader;
  #values = 0;
  /** An unreadable type has consumed the rest of its container. */
  #stopped = false;
  /** Bytes that offsets still may go back, all together. */
  #back: number;
  /** The end of the bytes that were read, at the outermost level. */
  #farthest = 0;
  readonly #fault = new ReadingFault();

  constructor(idl: Idl, data: Uint8Array) {
    this.#idl = idl;
    this.#reader = new ByteReader(data);
    this.#back = 2 * data.length + MAX_DEPTH;
  }

  /** Reads a value from the first byte; `undefined` where the data does not fit the type. */
  whole(type: IdlType): DecodedValue | undefined {
    const value = this.#value(type, NO_SCOPE, 0);
    return this.#reader.failed ? undefined : value;
  }

  /** The bytes after those that were read. */
  left(): Uint8Array {
    const { bytes, at } = this.#reader;
    return bytes.subarray(Math.max(at, this.#farthest));
  }

  /** The reason why `whole` returned nothing. */
  fault(): string {
    return this.#fault.text();
  }

  /** Makes the reading fail: everything after this gives nothing. */
  #fail(why: string): DecodedValue {
    this.#fault.note(why);
    this.#reader.take(this.#reader.left + 1);
    return NO_VALUE;
  }

  #fields(fields: readonly IdlField[], scope: TypeScope, depth: number): DecodedField[] {
    const found: DecodedField[] = [];
    for (const { name, type, constant } of fields) {
      if (this.#reader.failed || this.#stopped) break;
      const value = this.#value(type, scope, depth + 1);
      if (this.#reader.failed) this.#fault.within(name);
      if (constant === undefined) found.push({ name, value });
    }
    return found;
  }

  #value(type: IdlType, scope: TypeScope, depth: number): DecodedValue {
    if (depth > MAX_DEPTH) return this.#fail(`it is nested more than ${MAX_DEPTH} deep`);
    if (++this.#values > MAX_VALUES) return this.#fail(`the data has more than ${count(MAX_VALUES)} values`);
    switch (type.kind) {
      case 'integer':
        return integer(this.#integer(type), type.unit);
      case 'pubkey':
        return pubkeyOf(encodeBase58(this.#reader.take(32)));
      case 'bool': {
        const number = this.#number(type.as, scope, depth);
        return number > 1 || number < 0 ? integerValue(number) : flagOf(number === 1);
      }
      case 'struct':
        return { kind: 'fields', fields: this.#fields(type.fields, scope, depth) };
      case 'prefixed':
        return this.#within(this.#claimed(this.#length(type.prefix, scope, depth)), { type: type.of, scope }, depth);
      case 'fixed':
        return this.#fixed(type, scope, depth);
      case 'list':
        return this.#list(type, scope, depth);
      case 'option':
        return this.#option(type, scope, depth);
      case 'enum': {
        const number = this.#number(type.tag, scope, depth);
        if (this.#reader.failed) return NO_VALUE;
        const variant = type.variants.get(number);
        if (variant === undefined) return this.#fail(`there is no variant ${number}`);
        const value = this.#value(variant.type, scope, depth + 1);
        const fields = value.kind === 'fields' && value.name === undefined ? value.fields : [{ name: '0', value }];
        return { kind: 'fields', name: variant.name, fields };
      }
      case 'defined': {
        const def = this.#idl.types.get(type.name);
        if (def === undefined) return this.#fail(`the IDL has no type ${type.name}`);
        const inner = scopeOf(def, type.generics, scope);
        if (def.isAligned && def.type.kind === 'struct')
          return { kind: 'fields', fields: this.#aligned(def.type.fields, inner, depth) };
        return this.#value(def.type, inner, depth + 1);
      }
      case 'generic': {
        const given = scope.get(type.name);
        return given?.kind === 'type'
          ? this.#value(given.type, given.scope, depth + 1)
          : this.#fail(`the IDL gives no type for ${type.name}`);
      }
      case 'text':
        return textIn(this.#reader.take(this.#reader.left), type.encoding);
      case 'bytes':
        return { kind: 'bytes', bytes: this.#reader.take(this.#reader.left) };
      case 'float':
        return this.#float(type);
      case 'compactU16':
        return integer(this.#reader.compactU16(), type.unit);
      case 'sentinel': {
        const end = indexOf(this.#reader, type.end);
        if (end === undefined) return this.#fail('the bytes that end it are missing');
        const bytes = this.#reader.take(end - this.#reader.at);
        this.#reader.take(type.end.length);
        return this.#within(bytes, { type: type.of, scope }, depth);
      }
      case 'zeroable':
        return this.#zeroable(type, scope, depth);
      case 'remainderOption':
        return this.#reader.left === 0 ? NO_VALUE : this.#value(type.of, scope, depth + 1);
      case 'hidden': {
        if (!type.before.every((bytes) => this.#reads(bytes))) return this.#fail(OTHER_CONSTANT);
        const value = this.#value(type.of, scope, depth + 1);
        if (this.#reader.failed || this.#stopped) return value;
        return type.after.every((bytes) => this.#reads(bytes)) ? value : this.#fail(OTHER_CONSTANT);
      }
      case 'moved':
        return this.#moved(type, scope, depth);
      case 'unreadable':
        return this.#unreadable(type.what);
    }
  }

  #unreadable(what: string): DecodedValue {
    this.#stopped = true;
    return { kind: 'bytes', bytes: this.#reader.take(this.#reader.left), unread: what };
  }

  /** Reads a value from these bytes only; unread ones are padding. */
  #within(bytes: Uint8Array, { type, scope }: { type: IdlType; scope: TypeScope }, depth: number): DecodedValue {
    const outer = this.#reader;
    if (outer.failed) return NO_VALUE;
    if (type.kind === 'text') return textIn(bytes, type.encoding);
    if (type.kind === 'bytes') return { kind: 'bytes', bytes };
    const stopped = this.#stopped;
    const farthest = this.#farthest;
    this.#reader = new ByteReader(bytes);
    this.#stopped = false;
    const value = this.#value(type, scope, depth + 1);
    const { failed } = this.#reader;
    this.#reader = outer;
    this.#stopped = stopped;
    this.#farthest = farthest;
    return failed ? this.#fail(ENDS) : value;
  }

  #fixed({ size, of }: Of<'fixed'>, scope: TypeScope, depth: number): DecodedValue {
    const value = this.#within(this.#reader.take(size), { type: of, scope }, depth);
    // Text that is shorter than its room is padded with zeros.
    return value.kind === 'text' && of.kind === 'text' && of.encoding === 'utf8'
      ? textValue(withoutTrailing(value.text, '\0'))
      : value;
  }

  /** A count, a tag or a length; those above 2^53 are inexact, and too large for any data. */
  #number(type: IdlType, scope: TypeScope, depth: number): number {
    if (type.kind === 'integer') return Number(this.#integer(type));
    const value = this.#value(type, scope, depth + 1);
    if (value.kind === 'integer' || value.kind === 'float') return Number(value.value);
    this.#fail('its count or tag is not a number');
    return 0;
  }

  /** A number of bytes or items; more than a number can count exactly fit into no data. */
  #length(type: IdlType, scope: TypeScope, depth: number): number {
    const length = this.#number(type, scope, depth);
    if (Number.isSafeInteger(length) && length >= 0) return length;
    this.#fail(`its length is ${length}`);
    return 0;
  }

  /** As many bytes as the data itself claims. */
  #claimed(length: number): Uint8Array {
    const { left, failed } = this.#reader;
    if (!failed && length > left) this.#fail(`${count(length)} bytes are more than the ${count(left)} that are left`);
    return this.#reader.take(length);
  }

  #integer({ of, isBigEndian }: Of<'integer'>): number | bigint {
    const { bytes, isSigned } = NUMBERS[of];
    if (isBigEndian === true) return signed(bigEndian(this.#reader.take(bytes)), bytes, isSigned);
    switch (bytes) {
      case 1: {
        const value = this.#reader.u8();
        return isSigned ? (value << 24) >> 24 : value;
      }
      case 2: {
        const value = this.#reader.u16();
        return isSigned ? (value << 16) >> 16 : value;
      }
      case 4: {
        const value = this.#reader.u32();
        return isSigned ? value | 0 : value;
      }
      default:
        return signed(this.#reader.integer(bytes), bytes, isSigned);
    }
  }

  #float({ of, isBigEndian }: Of<'float'>): DecodedValue {
    const size = of === 'f32' ? 4 : 8;
    if (isBigEndian !== true) return floatOf(this.#reader, size);
    return floatOf(new ByteReader(this.#reader.take(size).slice().reverse()), size);
  }

  #option({ tag, of, isFixed }: Of<'option'>, scope: TypeScope, depth: number): DecodedValue {
    const isNone = this.#number(tag, scope, depth) === 0;
    if (!isNone) return this.#value(of, scope, depth + 1);
    if (isFixed !== true) return NO_VALUE;
    const size = sizeOf(this.#idl, of, scope);
    if (size === undefined) this.#value(of, scope, depth + 1);
    else this.#reader.take(size);
    return NO_VALUE;
  }

  #zeroable({ of, none }: Of<'zeroable'>, scope: TypeScope, depth: number): DecodedValue {
    const size = none?.length ?? sizeOf(this.#idl, of, scope);
    if (size === undefined) return this.#unreadable('zeroable option of no fixed size');
    const { bytes, at } = this.#reader;
    const here = bytes.subarray(at, at + size);
    const isNone = here.length === size && here.every((byte, place) => byte === (none?.[place] ?? 0));
    if (!isNone) return this.#value(of, scope, depth + 1);
    this.#reader.take(size);
    return NO_VALUE;
  }

  #list({ of, count: counted }: Of<'list'>, scope: TypeScope, depth: number): DecodedValue {
    const { left } = this.#reader;
    const isRemainder = counted.kind === 'remainder';
    const length =
      counted.kind === 'prefixed'
        ? this.#length(counted.prefix, scope, depth)
        : isRemainder
          ? left
          : knownCount(counted, scope);
    if (length === undefined) return this.#fail('the IDL does not say how many items it has');
    if (of.kind === 'integer' && of.of === 'u8' && of.unit === undefined)
      return { kind: 'bytes', bytes: this.#claimed(length) };
    const size = sizeOf(this.#idl, of, scope);
    if (size !== undefined && !isRemainder && length * size > this.#reader.left) {
      const room = count(this.#reader.left);
      return this.#fail(`${count(length)} items of ${count(size)} bytes are more than the ${room} bytes that are left`);
    }
    // Items without bytes could be any number: one shows them all.
    if (size === 0) return { kind: 'list', items: [], ...(length > 0 && !isRemainder ? { more: length } : {}) };
    const items: DecodedValue[] = [];
    let read = 0;
    for (; read < length; read++) {
      if (this.#reader.failed || this.#stopped || (isRemainder && this.#reader.left === 0)) break;
      if (read >= MAX_ITEMS && size !== undefined) {
        const rest = isRemainder ? Math.ceil(this.#reader.left / size) : length - read;
        this.#reader.take(rest * size);
        read += rest;
        break;
      }
      const { at } = this.#reader;
      const item = this.#value(of, scope, depth + 1);
      if (this.#reader.failed) {
        this.#fault.within(read);
        return NO_VALUE;
      }
      if (read < MAX_ITEMS) items.push(item);
      if (isRemainder && this.#reader.at <= at) return this.#fail('its items have no bytes');
    }
    const more = read - items.length;
    return { kind: 'list', items, ...(more > 0 ? { more } : {}) };
  }

  #reads(constant: Uint8Array): boolean {
    const taken = this.#reader.take(constant.length);
    return taken.length === constant.length && constant.every((byte, at) => byte === taken[at]);
  }

  #moved({ when, from, by, of }: IdlMoved, scope: TypeScope, depth: number): DecodedValue {
    const start = this.#reader.at;
    if (when === 'before') this.#moveTo(from === 'start' ? this.#fromStart(by) : start + by);
    const value = this.#value(of, scope, depth + 1);
    if (when === 'after' && !this.#stopped)
      this.#moveTo(from === 'start' ? this.#fromStart(by) : by + (from === 'value' ? start : this.#reader.at));
    return value;
  }

  #fromStart(by: number): number {
    return by < 0 ? this.#reader.bytes.length + by : by;
  }

  #moveTo(place: number): void {
    const { at, bytes, failed } = this.#reader;
    if (failed) return;
    this.#farthest = Math.max(this.#farthest, at);
    this.#back -= Math.max(0, at - place);
    if (place < 0 || place > bytes.length || this.#back < 0) this.#fail('its offset leads out of the data');
    else this.#reader.at = place;
  }

  /** Fields at multiples of their alignment, and the whole a multiple of the largest. */
  #aligned(fields: readonly IdlField[], scope: TypeScope, depth: number): readonly DecodedField[] {
    const start = this.#reader.at;
    const found: DecodedField[] = [];
    let largest = 1;
    for (const field of fields) {
      const alignment = alignmentOf(this.#idl, field.type, scope);
      largest = Math.max(largest, alignment);
      this.#pad(start, alignment);
      found.push(...this.#fields([field], scope, depth));
    }
    this.#pad(start, largest);
    return found;
  }

  #pad(start: number, alignment: number): void {
    const over = (this.#reader.at - start) % alignment;
    // The end of the data may be that of the last field.
    if (over > 0) this.#reader.take(Math.min(alignment - over, this.#reader.left));
  }
}

const OTHER_CONSTANT = 'the bytes around it are not those of the IDL';
const ENDS = 'its bytes end before it';

const count = (value: number): string => groupDigits(String(value));

const integer = (value: number | bigint, unit: DecodedUnit | undefined): DecodedValue =>
  unit === undefined ? { kind: 'integer', value: BigInt(value) } : { kind: 'integer', value: BigInt(value), unit };

const signed = (value: bigint, bytes: number, isSigned: boolean): bigint =>
  isSigned ? BigInt.asIntN(8 * bytes, value) : value;

function bigEndian(bytes: Uint8Array): bigint {
  let value = 0n;
  for (const byte of bytes) value = (value << 8n) + BigInt(byte);
  return value;
}

function textIn(bytes: Uint8Array, encoding: IdlEncoding): DecodedValue {
  switch (encoding) {
    case 'utf8':
      return textValue(UTF8.decode(bytes));
    case 'base16':
      return textValue(hexOf(bytes));
    case 'base64':
      return textValue(encodeBase64(bytes));
    case 'base58':
      return bytes.length > MAX_BASE58 ? { kind: 'bytes', bytes } : textValue(encodeBase58(bytes));
  }
}

/** Position of `end` in the remaining bytes. */
function indexOf({ bytes, at: start }: ByteReader, end: Uint8Array): number | undefined {
  const [first = 0] = end;
  for (let at = bytes.indexOf(first, start); at >= 0; at = bytes.indexOf(first, at + 1)) {
    let same = 1;
    while (same < end.length && bytes[at + same] === end[same]) same++;
    if (same >= end.length) return at;
  }
  return undefined;
}
