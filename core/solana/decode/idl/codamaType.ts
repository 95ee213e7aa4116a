// The type nodes of a Codama document (node types of the specification 1.x). Never throws: a node that is not known, or
// makes no sense, is a problem with its place and an unreadable type; the rest of the document is as it was.
import { isJsonObject, member, type JsonObject, type JsonValue } from '../../json/json';
import type { DecodedUnit } from '../../layouts/unit';
import { nodeJson } from './codamaValue';
import { ENCODER } from './encoder';
import {
  isIdlEncoding,
  isIdlNumber,
  NO_FIELDS,
  tupleOf,
  U32,
  U8,
  type IdlCount,
  type IdlField,
  type IdlMoved,
  type IdlType,
  type IdlTypeDef,
  type IdlVariant,
} from './model';
import { listAt, MAX_NESTING, short, textAt, type Problems } from './problems';

/** More type nodes than these are not read. */
const MAX_NODES = 100_000;
/** Longer constants are not used, bytes. */
const MAX_CONSTANT = 256;
/** Decimals of an amount beyond these make no sense. */
const MAX_DECIMALS = 64;

/** Where a node is: for problems, and for links without a program. */
interface At {
  readonly place: string;
  readonly program: string;
  readonly depth: number;
}

type Read = (node: JsonObject, at: At) => IdlType | undefined;

interface Linked {
  readonly name: string;
  readonly node: JsonValue;
  readonly at: At;
}

/** The name of a type in `Idl.types`. */
const keyOf = (program: string, main: string, name: string): string => (program === main ? name : `${program}/${name}`);

/** Reads type nodes of one document, each linked type once. */
export class CodamaTypes {
  readonly types = new Map<string, IdlTypeDef>();
  readonly #problems: Problems;
  /** The document's first program, whose types need no prefix. */
  readonly #main: string;
  readonly #keys = new Set<string>();
  /** Types that are still to be read. */
  readonly #linked = new Map<string, Linked>();
  #depth = 0;
  #nodes = 0;

  constructor(main: string, problems: Problems) {
    this.#main = main;
    this.#problems = problems;
  }

  /** Makes a program's types known to links; `define` reads them. */
  add(program: string, nodes: readonly JsonValue[], place: string): void {
    for (const node of nodes) {
      const name = textAt(node, 'name');
      if (name === undefined) this.#problems.say(place, 'a type has a name');
      else {
        const at = { place: `${place}.${name}`, program, depth: 0 };
        const key = keyOf(program, this.#main, name);
        this.#keys.add(key);
        this.#linked.set(key, { name, node: member(node, 'type') ?? null, at });
      }
    }
  }

  defineAll(): void {
    for (const key of this.#linked.keys()) this.define(key);
  }

  /** A linked type; `undefined` if it does not exist, and while it is being read. */
  define(key: string): IdlTypeDef | undefined {
    const linked = this.#linked.get(key);
    if (linked !== undefined && this.#depth < MAX_NESTING) {
      this.#depth++;
      this.#linked.delete(key);
      const { name, node, at } = linked;
      this.types.set(key, { name, generics: [], type: this.read(node, at), isAligned: false });
      this.#depth--;
    }
    return this.types.get(key);
  }

  at(program: string, place: string): At {
    return { place, program, depth: 0 };
  }

  read(node: JsonValue | undefined, at: At): IdlType {
    const kind = textAt(node, 'kind');
    if (!isJsonObject(node) || kind === undefined) return this.#unreadable('a type that is missing', at);
    if (at.depth > MAX_NESTING || ++this.#nodes > MAX_NODES)
      return this.#unreadable(`${short(kind)}: types nest too deep or are too many`, at);
    const read = Object.hasOwn(this.#readers, kind) ? this.#readers[kind] : undefined;
    return read?.(node, at) ?? this.#unreadable(short(kind), at);
  }

  /** Fields of a struct, or arguments. */
  fields(nodes: readonly JsonValue[], at: At): readonly IdlField[] {
    return nodes.map((node, index) => {
      const name = textAt(node, 'name') ?? String(index);
      return { name, type: this.read(member(node, 'type'), inside(at, name)) };
    });
  }

  /** The bytes of a constantValueNode, or of another node with a type and a value; `undefined` where they are not known. */
  constant(node: JsonValue | undefined, at: At): Uint8Array | undefined {
    return this.encoded(this.read(member(node, 'type'), inside(at)), member(node, 'value'));
  }

  /** The bytes of a value node; `undefined` where it does not fit the type, or has none. */
  encoded(type: IdlType, node: JsonValue | undefined): Uint8Array | undefined {
    const value = nodeJson(node);
    if (value === undefined) return undefined;
    const written = ENCODER.value({ types: { get: (key) => this.define(key) } }, type, value);
    const isUsed = written.ok && written.bytes.length > 0 && written.bytes.length <= MAX_CONSTANT;
    return isUsed ? written.bytes : undefined;
  }

  #unreadable(what: string, { place }: At): IdlType {
    this.#problems.say(place, `cannot read ${what}`);
    return { kind: 'unreadable', what };
  }

  #of(node: JsonObject, at: At, key = 'type'): IdlType {
    return this.read(member(node, key), inside(at));
  }

  #number(node: JsonObject, key: string, at: At, missing = U8): IdlType {
    return member(node, key) === undefined ? missing : this.#of(node, at, key);
  }

  #list(node: JsonObject, key: string, { place }: At): readonly JsonValue[] {
    return listAt(node, key, `${place}.`, this.#problems);
  }

  #constants(nodes: readonly JsonValue[], at: At): readonly Uint8Array[] | undefined {
    const all = nodes.map((node) => this.constant(node, at));
    const known = all.filter((bytes) => bytes !== undefined);
    return known.length < all.length ? undefined : known;
  }

  readonly #readers: Readonly<Record<string, Read>> = {
    numberTypeNode: (node) => numberOf(node),
    amountTypeNode: (node, at) => counted(this.#of(node, at, 'number'), amountUnit(node)),
    solAmountTypeNode: (node, at) => counted(this.#of(node, at, 'number'), { kind: 'lamports' }),
    dateTimeTypeNode: (node, at) => counted(this.#of(node, at, 'number'), { kind: 'unixTime' }),
    booleanTypeNode: (node, at) => ({ kind: 'bool', as: this.#number(node, 'size', at) }),
    publicKeyTypeNode: () => ({ kind: 'pubkey' }),
    bytesTypeNode: () => ({ kind: 'bytes' }),
    stringTypeNode: (node) => {
      const encoding = textAt(node, 'encoding') ?? 'utf8';
      return isIdlEncoding(encoding) ? { kind: 'text', encoding } : undefined;
    },
    sizePrefixTypeNode: (node, at) => ({
      kind: 'prefixed',
      prefix: this.#number(node, 'prefix', at, U32),
      of: this.#of(node, at),
    }),
    fixedSizeTypeNode: (node, at) => {
      const size = countAt(node, 'size');
      return size === undefined ? undefined : { kind: 'fixed', size, of: this.#of(node, at) };
    },
    sentinelTypeNode: (node, at) => {
      const end = this.constant(member(node, 'sentinel'), at);
      return end === undefined ? undefined : { kind: 'sentinel', end, of: this.#of(node, at) };
    },
    optionTypeNode: (node, at) => ({
      kind: 'option',
      tag: this.#number(node, 'prefix', at),
      of: this.#of(node, at, 'item'),
      ...(member(node, 'fixed') === true ? { isFixed: true } : {}),
    }),
    remainderOptionTypeNode: (node, at) => ({ kind: 'remainderOption', of: this.#of(node, at, 'item') }),
    zeroableOptionTypeNode: (node, at) => {
      const given = member(node, 'zeroValue');
      const none = given === undefined ? undefined : this.constant(given, at);
      if (given !== undefined && none === undefined) return undefined;
      return { kind: 'zeroable', of: this.#of(node, at, 'item'), ...(none === undefined ? {} : { none }) };
    },
    arrayTypeNode: (node, at) => this.#items(node, this.#of(node, at, 'item'), at),
    setTypeNode: (node, at) => this.#items(node, this.#of(node, at, 'item'), at),
    mapTypeNode: (node, at) => this.#items(node, tupleOf([this.#of(node, at, 'key'), this.#of(node, at, 'value')]), at),
    structTypeNode: (node, at) => ({ kind: 'struct', fields: this.fields(this.#list(node, 'fields', at), inside(at)) }),
    tupleTypeNode: (node, at) =>
      tupleOf(this.#list(node, 'items', at).map((item, index) => this.read(item, inside(at, String(index))))),
    enumTypeNode: (node, at) => this.#enum(node, at),
    hiddenPrefixTypeNode: (node, at) => {
      const before = this.#constants(this.#list(node, 'prefix', at), at);
      return before === undefined ? undefined : { kind: 'hidden', before, after: [], of: this.#of(node, at) };
    },
    hiddenSuffixTypeNode: (node, at) => {
      const after = this.#constants(this.#list(node, 'suffix', at), at);
      return after === undefined ? undefined : { kind: 'hidden', before: [], after, of: this.#of(node, at) };
    },
    preOffsetTypeNode: (node, at) => this.#moved(node, 'before', at),
    postOffsetTypeNode: (node, at) => this.#moved(node, 'after', at),
    definedTypeLinkNode: (node, at) => {
      const name = textAt(node, 'name');
      if (name === undefined) return undefined;
      const key = keyOf(textAt(member(node, 'program'), 'name') ?? at.program, this.#main, name);
      if (!this.#keys.has(key)) return this.#unreadable(`the type "${short(name)}", which is not there`, at);
      return { kind: 'defined', name: key, generics: [] };
    },
  };

  #items(node: JsonObject, of: IdlType, at: At): IdlType | undefined {
    const count = this.#count(member(node, 'count'), at);
    return count === undefined ? undefined : { kind: 'list', of, count };
  }

  #count(node: JsonValue | undefined, at: At): IdlCount | undefined {
    if (!isJsonObject(node)) return undefined;
    switch (textAt(node, 'kind')) {
      case 'fixedCountNode': {
        const count = countAt(node, 'value');
        return count === undefined ? undefined : { kind: 'count', count };
      }
      case 'prefixedCountNode':
        return { kind: 'prefixed', prefix: this.#number(node, 'prefix', at, U32) };
      case 'remainderCountNode':
        return { kind: 'remainder' };
      default:
        return undefined;
    }
  }

  #enum(node: JsonObject, at: At): IdlType {
    const variants = new Map<number, IdlVariant>();
    for (const [index, variant] of this.#list(node, 'variants', at).entries()) {
      const name = textAt(variant, 'name') ?? String(index);
      const number = member(variant, 'discriminator') ?? index;
      const type = this.#variant(variant, inside(at, name));
      if (typeof number === 'number') variants.set(number, { name, type });
      else this.#problems.say(`${at.place}.${name}`, 'the discriminator of a variant is a number');
    }
    return { kind: 'enum', tag: this.#number(node, 'size', at), variants };
  }

  #variant(node: JsonValue, at: At): IdlType {
    switch (textAt(node, 'kind')) {
      case 'enumEmptyVariantTypeNode':
        return NO_FIELDS;
      case 'enumStructVariantTypeNode':
        return this.read(member(node, 'struct'), at);
      case 'enumTupleVariantTypeNode':
        return this.read(member(node, 'tuple'), at);
      default:
        return this.#unreadable(short(textAt(node, 'kind') ?? 'a variant without a kind'), at);
    }
  }

  #moved(node: JsonObject, when: IdlMoved['when'], at: At): IdlType | undefined {
    const by = member(node, 'offset');
    const from = FROM.get(textAt(node, 'strategy') ?? 'relative');
    if (typeof by !== 'number' || from === undefined) return undefined;
    return { kind: 'moved', when, from, by, of: this.#of(node, at) };
  }
}

/** Padding is bytes that are passed over. */
const FROM: ReadonlyMap<string, IdlMoved['from']> = new Map([
  ['relative', 'here'],
  ['padded', 'here'],
  ['absolute', 'start'],
  ['preOffset', 'value'],
]);

const inside = ({ place, program, depth }: At, name?: string): At => ({
  place: name === undefined ? place : `${place}.${name}`,
  program,
  depth: depth + 1,
});

function numberOf(node: JsonObject): IdlType | undefined {
  const format = textAt(node, 'format');
  const endian = member(node, 'endian');
  const order = endian === 'be' ? ({ isBigEndian: true } as const) : {};
  if (format === undefined || (endian !== undefined && endian !== 'be' && endian !== 'le')) return undefined;
  if (format === 'shortU16') return { kind: 'compactU16' };
  if (format === 'f32' || format === 'f64') return { kind: 'float', of: format, ...order };
  return isIdlNumber(format) ? { kind: 'integer', of: format, ...order } : undefined;
}

/** The number with its unit, if it is an integer. */
function counted(number: IdlType, unit: DecodedUnit | undefined): IdlType {
  return unit !== undefined && (number.kind === 'integer' || number.kind === 'compactU16')
    ? { ...number, unit }
    : number;
}

function amountUnit(node: JsonObject): DecodedUnit | undefined {
  const decimals = countAt(node, 'decimals');
  const symbol = textAt(node, 'unit');
  if (decimals === undefined || decimals > MAX_DECIMALS) return undefined;
  return { kind: 'amount', decimals, ...(symbol === undefined ? {} : { symbol }) };
}

/** A size, a count, an offset from the start. */
export function countAt(node: JsonValue | undefined, key: string): number | undefined {
  const value = member(node, key);
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}
