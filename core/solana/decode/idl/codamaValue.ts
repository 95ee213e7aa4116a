// Constants of a Codama document as bytes: discriminators, sentinels, hidden parts. Never throws; bounded.
import { textBytes } from '../../json/writtenBytes';
import { integerOf, isJsonArray, JsonNumber, member, type JsonValue } from '../../json/json';
import { NUMBERS, type IdlEncoding, type IdlType } from './model';
import { MAX_NESTING, textAt } from './problems';

/** Longer constants are not used, bytes. */
const MAX_CONSTANT = 256;

/** The type that a link means; `undefined` where it is not known. */
type Linked = (key: string) => IdlType | undefined;

/** The bytes of a value node in a type; `undefined` where it does not fit, or its bytes are not known. */
export function encodeConstant(type: IdlType, value: JsonValue | undefined, linked: Linked): Uint8Array | undefined {
  try {
    const bytes: number[] = [];
    write(bytes, { type, value, linked, depth: 0 });
    return Uint8Array.from(bytes);
  } catch (error) {
    if (error instanceof Unfit) return undefined;
    throw error;
  }
}

class Unfit extends Error {}

const unfit = (): never => {
  throw new Unfit();
};

interface Written {
  readonly type: IdlType;
  readonly value: JsonValue | undefined;
  readonly linked: Linked;
  readonly depth: number;
}

function write(into: number[], at: Written): void {
  const { type, value, linked, depth } = at;
  if (depth > MAX_NESTING || into.length > MAX_CONSTANT) return unfit();
  const inner = (of: IdlType, given = value): void => write(into, { type: of, value: given, linked, depth: depth + 1 });
  const apart = (of: IdlType): number[] => {
    const bytes: number[] = [];
    write(bytes, { type: of, value, linked, depth: depth + 1 });
    return bytes;
  };
  const kind = textAt(value, 'kind');
  switch (type.kind) {
    case 'integer':
      return writeInteger(into, type, integerOf(member(value, 'number')));
    case 'compactU16':
      return writeCompact(into, integerOf(member(value, 'number')));
    case 'float':
      return writeFloat(into, type, member(value, 'number'));
    case 'bool':
      return writeNumber(into, at, type.as, member(value, 'boolean') === true ? 1 : 0);
    case 'pubkey':
      return append(into, keyBytes(textIn(value, 'publicKey')));
    case 'text':
      return append(into, bytesOf(textIn(value, 'string'), type.encoding));
    case 'bytes':
      return append(into, bytesOf(textIn(value, 'data'), encodingOf(value)));
    case 'prefixed': {
      const bytes = apart(type.of);
      writeNumber(into, at, type.prefix, bytes.length);
      return append(into, bytes);
    }
    case 'fixed': {
      if (type.size > MAX_CONSTANT) return unfit();
      const bytes = apart(type.of).slice(0, type.size);
      return append(into, [...bytes, ...new Uint8Array(type.size - bytes.length)]);
    }
    case 'sentinel':
      inner(type.of);
      return append(into, type.end);
    case 'hidden':
      for (const bytes of type.before) append(into, bytes);
      inner(type.of);
      for (const bytes of type.after) append(into, bytes);
      return;
    case 'option': {
      if (kind === 'noneValueNode' && type.isFixed !== true) return writeNumber(into, at, type.tag, 0);
      if (kind !== 'someValueNode') return unfit();
      writeNumber(into, at, type.tag, 1);
      return inner(type.of, member(value, 'value'));
    }
    case 'list': {
      const items = member(value, 'items');
      if (!isJsonArray(items)) return unfit();
      if (type.count.kind === 'prefixed') writeNumber(into, at, type.count.prefix, items.length);
      if (type.count.kind === 'count' && type.count.count !== items.length) return unfit();
      for (const item of items) inner(type.of, item);
      return;
    }
    case 'struct': {
      const items = member(value, kind === 'tupleValueNode' ? 'items' : 'fields');
      if (!isJsonArray(items) && type.fields.length > 0) return unfit();
      const given = isJsonArray(items) ? items : [];
      for (const [index, { name, type: of }] of type.fields.entries()) {
        const field = kind === 'tupleValueNode' ? given[index] : member(named(given, name), 'value');
        inner(of, field);
      }
      return;
    }
    case 'enum': {
      const found = [...type.variants].find(([, { name }]) => name === textAt(value, 'variant'));
      if (found === undefined) return unfit();
      writeNumber(into, at, type.tag, found[0]);
      return inner(found[1].type, member(value, 'value'));
    }
    case 'defined':
      return inner(linked(type.name) ?? unfit());
    case 'zeroable':
    case 'remainderOption':
    case 'moved':
    case 'generic':
    case 'unreadable':
      return unfit();
  }
}

const named = (items: readonly JsonValue[], name: string): JsonValue | undefined =>
  items.find((item) => textAt(item, 'name') === name);

function append(into: number[], bytes: Uint8Array | readonly number[]): void {
  if (into.length + bytes.length > MAX_CONSTANT) return unfit();
  for (const byte of bytes) into.push(byte);
}

const textIn = (value: JsonValue | undefined, key: string): string => {
  const text = member(value, key);
  return typeof text === 'string' ? text : unfit();
};

/** A number of the document's own: a length, a tag, a flag. */
function writeNumber(into: number[], { linked, depth }: Written, type: IdlType, number: number): void {
  write(into, { type, value: { kind: 'numberValueNode', number }, linked, depth: depth + 1 });
}

function writeInteger(
  into: number[],
  { of, isBigEndian }: Extract<IdlType, { kind: 'integer' }>,
  value: bigint | undefined,
): void {
  const { bytes, isSigned } = NUMBERS[of];
  const fits = isSigned ? BigInt.asIntN(8 * bytes, value ?? 0n) : BigInt.asUintN(8 * bytes, value ?? 0n);
  if (value === undefined || fits !== value) return unfit();
  const little = Array.from({ length: bytes }, (_, place) =>
    Number((BigInt.asUintN(8 * bytes, value) >> BigInt(8 * place)) & 0xffn),
  );
  append(into, isBigEndian === true ? little.reverse() : little);
}

function writeCompact(into: number[], value: bigint | undefined): void {
  if (value === undefined || value < 0n || value > 0xffffn) return unfit();
  let left = Number(value);
  for (; left > 0x7f; left >>= 7) append(into, [(left & 0x7f) | 0x80]);
  append(into, [left]);
}

function writeFloat(
  into: number[],
  { of, isBigEndian }: Extract<IdlType, { kind: 'float' }>,
  value: JsonValue | undefined,
): void {
  const number = value instanceof JsonNumber ? value.toNumber() : value;
  if (typeof number !== 'number') return unfit();
  const view = new DataView(new ArrayBuffer(of === 'f32' ? 4 : 8));
  if (of === 'f32') view.setFloat32(0, number, isBigEndian !== true);
  else view.setFloat64(0, number, isBigEndian !== true);
  append(into, new Uint8Array(view.buffer));
}

const keyBytes = (text: string): Uint8Array => {
  const bytes = bytesOf(text, 'base58');
  return bytes.length === 32 ? bytes : unfit();
};

function encodingOf(value: JsonValue | undefined): IdlEncoding {
  const name = textAt(value, 'encoding');
  return name === 'utf8' || name === 'base16' || name === 'base58' || name === 'base64' ? name : unfit();
}

/** Codama writes the number of an instruction of a Shank program as hexadecimal digits without a leading zero. */
const bytesOf = (text: string, encoding: IdlEncoding): Uint8Array =>
  (text.length > 2 * MAX_CONSTANT
    ? undefined
    : textBytes(encoding === 'base16' && text.length === 1 ? `0${text}` : text, encoding)) ?? unfit();
