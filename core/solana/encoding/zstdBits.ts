// Bits as Zstandard writes them: forwards in the head of a table, backwards everywhere else, and the tables of finite
// state entropy that are read with them.

/** An invalid frame. Internal: the public function returns `undefined`. */
export class ZstdError extends Error {}

/** Bits from the end of the bytes to their beginning; the highest one set in the last byte marks where they start. */
export class BackwardBits {
  #left: number;

  constructor(private readonly bytes: Uint8Array) {
    const last = bytes.at(-1) ?? 0;
    if (last === 0) throw new ZstdError('a stream of bits without an end');
    this.#left = bytes.length * 8 - (Math.clz32(last) - 24) - 1;
  }

  /** Whether bits were read before the first byte; they are zeros. */
  get isBeyond(): boolean {
    return this.#left < 0;
  }

  get isAtEnd(): boolean {
    return this.#left === 0;
  }

  /** At most 32 bits, as a number. */
  read(count: number): number {
    this.#left -= count;
    return this.#peekAt(this.#left, count);
  }

  /** The next bits, without taking them. */
  peek(count: number): number {
    return this.#peekAt(this.#left - count, count);
  }

  skip(count: number): void {
    this.#left -= count;
  }

  #peekAt(from: number, count: number): number {
    let value = 0;
    let got = 0;
    let at = from;
    while (got < count) {
      const shift = at & 7;
      const taken = Math.min(8 - shift, count - got);
      const byte = at < 0 ? 0 : (this.bytes[at >> 3] ?? 0);
      value += ((byte >> shift) & ((1 << taken) - 1)) * 2 ** got;
      got += taken;
      at += taken;
    }
    return value;
  }
}

export class FseTable {
  constructor(
    /** Bits of the first state. */
    readonly bits: number,
    readonly symbol: Uint8Array,
    private readonly width: Uint8Array,
    private readonly base: Uint16Array,
  ) {}

  next(state: number, bits: BackwardBits): number {
    return (this.base[state] ?? 0) + bits.read(this.width[state] ?? 0);
  }
}

/** `counts`: states per symbol in a table of `2 ** log` states; -1 for a probability below one. */
export function fseTable(counts: readonly number[], log: number): FseTable {
  const size = 2 ** log;
  const symbol = new Uint8Array(size);
  const width = new Uint8Array(size);
  const base = new Uint16Array(size);
  const seen = counts.map((count) => (count === -1 ? 1 : count));
  let high = size - 1;
  counts.forEach((count, at) => {
    if (count === -1) symbol[high--] = at;
  });
  const step = (size >> 1) + (size >> 3) + 3;
  let place = 0;
  counts.forEach((count, at) => {
    for (let i = 0; i < count; i++) {
      symbol[place] = at;
      do place = (place + step) & (size - 1);
      while (place > high);
    }
  });
  for (let state = 0; state < size; state++) {
    const at = symbol[state] ?? 0;
    const next = seen[at] ?? 1;
    seen[at] = next + 1;
    const bits = log - (31 - Math.clz32(next));
    width[state] = bits;
    base[state] = next * 2 ** bits - size;
  }
  return new FseTable(log, symbol, width, base);
}

export interface Distribution {
  readonly counts: readonly number[];
  readonly log: number;
  /** Bytes it took. */
  readonly read: number;
}

/** A table's counts, read forwards. */
export function readDistribution(bytes: Uint8Array, mostLog: number): Distribution {
  let at = 0;
  const peek = (count: number): number => {
    let value = 0;
    for (let i = 0; i < count; i++) value |= (((bytes[(at + i) >> 3] ?? 0) >> ((at + i) & 7)) & 1) << i;
    return value;
  };
  const take = (count: number): number => {
    const value = peek(count);
    at += count;
    return value;
  };
  const log = take(4) + 5;
  if (log > mostLog) throw new ZstdError('a table is too large');
  let left = 2 ** log + 1;
  const counts: number[] = [];
  while (left > 1 && counts.length <= 255) {
    if (at > bytes.length * 8) throw new ZstdError('the data ends');
    // Values are below `left + 1`: the smaller ones take a bit less.
    const bits = 32 - Math.clz32(left);
    const short = 2 ** bits - 1 - left;
    let value = peek(bits - 1);
    if (value < short) at += bits - 1;
    else {
      value = take(bits);
      if (value >= 2 ** (bits - 1)) value -= short;
    }
    const count = value - 1;
    counts.push(count);
    left -= Math.abs(count);
    if (count !== 0) continue;
    // Two bits at a time say how many more symbols do not occur.
    for (let more = 3; more === 3;) {
      more = take(2);
      for (let i = 0; i < more; i++) counts.push(0);
      if (counts.length > 255) throw new ZstdError('too many symbols');
    }
  }
  if (left !== 1) throw new ZstdError('a table that does not add up');
  return { counts, log, read: Math.ceil(at / 8) };
}
