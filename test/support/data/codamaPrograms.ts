// Generated Codama programs, with bytes that are valid for their types. The bytes come from the specification's wire forms:
// neither of the decoders that are compared makes them.
import * as codama from './codama';
import type { Node } from './codama';
import { layOut } from './layouts';

/** A number below another one; the same in every run of one seed. */
export type Random = (below: number) => number;

/** xorshift. */
export function randomOf(seed: number): Random {
  let state = seed;
  return (below) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
  };
}

/** A type with the bytes of its values. */
export interface Made {
  readonly node: Node;
  /** Bytes of every value, where that is one number. */
  readonly size?: number;
  /** Reads to the end of what contains it. */
  readonly isOpen?: true;
  readonly value: () => Uint8Array;
}

const EMPTY = new Uint8Array(0);
const LETTERS = 'abcdefghijklmnopqrstuvwxyz ';

const compact = (value: number): Uint8Array => {
  const bytes: number[] = [];
  let left = value;
  for (; left > 0x7f; left >>= 7) bytes.push((left & 0x7f) | 0x80);
  return Uint8Array.from([...bytes, left]);
};

const FORMATS = {
  u8: 1,
  u16: 2,
  u32: 4,
  u64: 8,
  u128: 16,
  i8: 1,
  i16: 2,
  i32: 4,
  i64: 8,
  i128: 16,
  f32: 4,
  f64: 8,
} as const;

/** Makes types and values out of one stream of numbers. */
export class Generator {
  readonly #random: Random;
  readonly #links: (readonly [name: string, made: Made])[] = [];
  #names = 0;

  constructor(random: Random) {
    this.#random = random;
  }

  #pick<T>(items: readonly [T, ...T[]]): T {
    return items[this.#random(items.length)] ?? items[0];
  }

  #bytes(count: number): Uint8Array {
    return Uint8Array.from({ length: count }, () => this.#random(256));
  }

  #letters(): Uint8Array {
    const text = Array.from({ length: this.#random(12) }, () => LETTERS[this.#random(LETTERS.length)]).join('');
    return layOut(this.#random(4) === 0 ? `${text}é€` : text);
  }

  #name(): string {
    return `${this.#pick(['alpha', 'beta', 'gamma', 'delta'])}${this.#names++}`;
  }

  /** A number small enough to count with, in one of the forms that a prefix has. */
  #count(): { readonly node: Node; readonly of: (count: number) => Uint8Array } {
    const format = this.#pick(['u8', 'u16', 'u32', 'u64', 'shortU16'] as const);
    const node = codama.number(format);
    return format === 'shortU16' ? { node, of: compact } : { node, of: (count) => layOut([FORMATS[format], count]) };
  }

  #number(): Made {
    const format = this.#pick(Object.keys(FORMATS) as [keyof typeof FORMATS]);
    const size = FORMATS[format];
    return { node: codama.number(format), size, value: () => this.#bytes(size) };
  }

  #integer(): Made {
    const format = this.#pick(['u8', 'u16', 'u64', 'i64'] as const);
    const size = FORMATS[format];
    return { node: codama.number(format), size, value: () => this.#bytes(size) };
  }

  readonly #leaves: readonly [() => Made, ...(() => Made)[]] = [
    () => this.#number(),
    () => ({ node: codama.number('shortU16'), value: () => compact(this.#random(0x10000)) }),
    () => {
      const number = this.#integer();
      return { ...number, node: { kind: 'amountTypeNode', decimals: 6, unit: 'USD', number: number.node } };
    },
    () => {
      const number = this.#integer();
      return { ...number, node: { kind: 'dateTimeTypeNode', number: number.node } };
    },
    () => ({ node: { kind: 'solAmountTypeNode', number: codama.number('u64') }, size: 8, value: () => this.#bytes(8) }),
    () => {
      const size = this.#pick([1, 2, 4, 8] as const);
      const format = ({ 1: 'u8', 2: 'u16', 4: 'u32', 8: 'u64' } as const)[size];
      return {
        node: codama.boolean(codama.number(format)),
        size,
        value: () => layOut([size, this.#random(2)]),
      };
    },
    () => ({ node: codama.publicKey, size: 32, value: () => this.#bytes(32) }),
    () => this.#within(this.#open()),
    () => {
      const size = 1 + this.#random(40);
      return { node: codama.fixed(size, codama.bytes), size, value: () => this.#bytes(size) };
    },
    () => ({
      node: codama.fixed(16, codama.text()),
      size: 16,
      value: () => this.#padded(16),
    }),
    () => ({
      node: codama.sentinel(codama.text(), codama.constant(codama.bytes, codama.bytesValue('ff00'))),
      value: () => layOut(this.#letters(), Uint8Array.of(255, 0)),
    }),
    () => this.#scalarEnum(),
    () => this.#moved(),
  ];

  #padded(size: number): Uint8Array {
    const text = this.#letters()
      .slice(0, 3)
      .map((byte) => (byte < 0x80 ? byte : 0x61));
    return layOut(text, new Uint8Array(size - text.length));
  }

  /** Types that read to the end. */
  #open(): Made {
    return this.#pick<() => Made>([
      () => ({ node: codama.bytes, isOpen: true, value: () => this.#bytes(this.#random(20)) }),
      () => ({ node: codama.text(), isOpen: true, value: () => this.#letters() }),
      () => ({
        node: codama.text(this.#pick(['base16', 'base58', 'base64'])),
        isOpen: true,
        value: () => this.#bytes(this.#random(40)),
      }),
    ])();
  }

  /** In its size. */
  #within(made: Made): Made {
    const prefix = this.#count();
    return {
      node: codama.sized(made.node, prefix.node),
      value: () => {
        const bytes = made.value();
        return layOut(prefix.of(bytes.length), bytes);
      },
    };
  }

  #scalarEnum(): Made {
    const names = Array.from({ length: 1 + this.#random(5) }, () => this.#name());
    return {
      node: codama.enumOf(names.map((name) => codama.emptyVariant(name))),
      size: 1,
      value: () => Uint8Array.of(this.#random(names.length)),
    };
  }

  /** Offsets, with a size that they set; the skipped bytes are arbitrary. */
  #moved(): Made {
    const u16 = codama.number('u16');
    const u8 = codama.number('u8');
    const field = codama.field;
    const node = this.#pick<Node>([
      codama.preOffset(this.#random(7), 'absolute', u16),
      codama.preOffset(-2 - this.#random(5), 'absolute', u16),
      codama.preOffset(this.#random(7), 'relative', u16),
      codama.preOffset(this.#random(7), 'padded', u16),
      codama.struct(field('first', u16), field('again', codama.preOffset(-2, 'relative', u16))),
      codama.struct(field('first', codama.postOffset(this.#random(6), 'relative', u8)), field('then', u8)),
      codama.struct(field('first', codama.postOffset(this.#random(6), 'padded', u8)), field('then', u8)),
      codama.struct(field('first', codama.postOffset(this.#random(8), 'absolute', u8)), field('then', u8)),
      codama.struct(field('first', codama.postOffset(-1 - this.#random(7), 'absolute', u8)), field('then', u8)),
      codama.struct(field('first', codama.postOffset(this.#random(8), 'preOffset', u8)), field('then', u8)),
    ]);
    return this.#within({ node, value: () => this.#bytes(8) });
  }

  /** Any type that says itself where it ends. */
  type(depth = 0): Made {
    if (depth >= 4 || this.#random(3) === 0) return this.#pick(this.#leaves)();
    return this.#pick<() => Made>([
      () => this.struct(depth),
      () => this.#tuple(depth),
      () => this.#array(depth),
      () => this.#map(depth),
      () => this.#option(depth),
      () => this.#zeroable(depth),
      () => this.#enum(depth),
      () => this.#hidden(depth),
      () => this.#within(this.type(depth + 1)),
      () => this.#within(this.#remainder(depth)),
      () => this.#link(depth),
    ])();
  }

  /** A value that ends with its container. */
  #remainder(depth: number): Made {
    const item = this.type(depth + 1);
    const isEmpty = item.size === 0;
    if (this.#random(2) === 0 || isEmpty)
      return {
        node: codama.remainderOption(item.node),
        isOpen: true,
        value: () => (this.#random(2) === 0 ? EMPTY : item.value()),
      };
    // An item without bytes could be there any number of times.
    const solid: Made = {
      node: codama.tuple(codama.number('u8'), item.node),
      value: () => layOut([1, 7], item.value()),
    };
    return {
      node: codama.array(solid.node, codama.remainderCount),
      isOpen: true,
      value: () => this.#repeat(solid, this.#random(4)),
    };
  }

  #repeat(made: Made, count: number): Uint8Array {
    return layOut(...Array.from({ length: count }, () => made.value()));
  }

  #fields(depth: number): readonly (readonly [name: string, made: Made])[] {
    return Array.from({ length: this.#random(4) }, () => [this.#name(), this.type(depth + 1)] as const);
  }

  struct(depth = 0, fields = this.#fields(depth)): Made {
    return {
      node: codama.struct(...fields.map(([name, { node }]) => codama.field(name, node))),
      ...sizeOfAll(fields.map(([, made]) => made)),
      value: () => layOut(...fields.map(([, made]) => made.value())),
    };
  }

  #tuple(depth: number): Made {
    const items = this.#fields(depth).map(([, made]) => made);
    return {
      node: codama.tuple(...items.map(({ node }) => node)),
      ...sizeOfAll(items),
      value: () => layOut(...items.map((made) => made.value())),
    };
  }

  #array(depth: number): Made {
    const item = this.type(depth + 1);
    const of = this.#pick([codama.array, codama.set]);
    // Items without bytes are counted and not made: the one difference in lists, which has its own test.
    if (this.#random(2) === 0) {
      const count = item.size === 0 ? 0 : this.#random(4);
      return {
        node: of(item.node, codama.fixedCount(count)),
        ...(item.size === undefined ? {} : { size: count * item.size }),
        value: () => this.#repeat(item, count),
      };
    }
    const prefix = this.#count();
    return {
      node: of(item.node, codama.prefixedCount(prefix.node)),
      value: () => {
        const count = item.size === 0 ? 0 : this.#random(4);
        return layOut(prefix.of(count), this.#repeat(item, count));
      },
    };
  }

  /** Keys are numbers in order: an object would put them there. */
  #map(depth: number): Made {
    const value = this.type(depth + 1);
    const prefix = this.#count();
    return {
      node: codama.map(codama.number('u8'), value.node, codama.prefixedCount(prefix.node)),
      value: () => {
        const count = this.#random(4);
        const entries = Array.from({ length: count }, (_, at) => layOut([1, at * 3], value.value()));
        return layOut(prefix.of(count), ...entries);
      },
    };
  }

  #option(depth: number): Made {
    const item = this.type(depth + 1);
    const isFixed = item.size !== undefined && this.#random(2) === 0;
    const wide = this.#random(3) === 0;
    const prefix = codama.number(wide ? 'u32' : 'u8');
    const tag = (value: number): Uint8Array => layOut([wide ? 4 : 1, value]);
    const { size = 0 } = item;
    return {
      node: codama.option(item.node, { prefix, fixed: isFixed }),
      ...(isFixed ? { size: size + (wide ? 4 : 1) } : {}),
      value: () => {
        if (this.#random(2) === 0) return layOut(tag(1), item.value());
        return isFixed ? layOut(tag(0), new Uint8Array(size)) : tag(0);
      },
    };
  }

  #zeroable(depth: number): Made {
    const item = this.type(depth + 1);
    const { size } = item;
    if (size === undefined) return item;
    if (this.#random(3) > 0 || size === 0 || size > 40)
      return {
        node: codama.zeroable(item.node),
        size,
        value: () => (this.#random(2) === 0 ? new Uint8Array(size) : item.value()),
      };
    const none = this.#bytes(size);
    const zeroValue = codama.constant(codama.bytes, codama.bytesValue(Buffer.from(none).toString('hex')));
    return {
      node: codama.zeroable(item.node, { zeroValue }),
      size,
      value: () => (this.#random(2) === 0 ? none : item.value()),
    };
  }

  #enum(depth: number): Made {
    const variants = Array.from({ length: 1 + this.#random(3) }, () => {
      const name = this.#name();
      if (this.#random(3) === 0) return { node: codama.emptyVariant(name), value: () => EMPTY };
      const fields = this.#fields(depth);
      const { value } = this.struct(depth, fields);
      const node =
        this.#random(2) === 0
          ? codama.structVariant(name, ...fields.map(([field, made]) => codama.field(field, made.node)))
          : codama.tupleVariant(name, ...fields.map(([, made]) => made.node));
      return { node, value };
    });
    const size = this.#pick([1, 2] as const);
    return {
      node: codama.enumOf(
        variants.map(({ node }) => node),
        codama.number(size === 1 ? 'u8' : 'u16'),
      ),
      value: () => {
        const at = this.#random(variants.length);
        return layOut([size, at], variants[at]?.value() ?? EMPTY);
      },
    };
  }

  #hidden(depth: number): Made {
    const item = this.type(depth + 1);
    const constants = Array.from({ length: 1 + this.#random(2) }, () => this.#random(256));
    const isPrefix = this.#random(2) === 0;
    const bytes = Uint8Array.from(constants);
    const wrap = isPrefix ? codama.hiddenPrefix : codama.hiddenSuffix;
    return {
      node: wrap(item.node, ...constants.map(codama.byteConstant)),
      ...(item.size === undefined ? {} : { size: item.size + bytes.length }),
      value: () => (isPrefix ? layOut(bytes, item.value()) : layOut(item.value(), bytes)),
    };
  }

  #link(depth: number): Made {
    const known = this.#links[this.#random(this.#links.length + 2)];
    if (known !== undefined) return { ...known[1], node: codama.link(known[0]) };
    const made = this.type(depth + 1);
    const name = this.#name();
    this.#links.push([name, made]);
    return { ...made, node: codama.link(name) };
  }

  definedTypes(): readonly Node[] {
    return this.#links.map(([name, { node }]) => codama.definedType(name, node));
  }
}

function sizeOfAll(all: readonly Made[]): { readonly size?: number } {
  let sum = 0;
  for (const { size } of all) {
    if (size === undefined) return {};
    sum += size;
  }
  return { size: sum };
}
