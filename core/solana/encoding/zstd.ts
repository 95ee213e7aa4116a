// Decodes Zstandard frames (RFC 8878), for the encoding base64+zstd: Node 20 has no built-in decoder, and fzstd
// (0.1.1) works for minutes on a hostile frame of 19 bytes, since it does not bound what sequences copy. Checks no
// checksums and knows no dictionaries; never gives more bytes than asked for.
import { BackwardBits, fseTable, readDistribution, ZstdError, type FseTable } from './zstdBits';
import { readHuffman, type HuffmanTable } from './zstdHuffman';

const MAGIC = 0xfd2fb528;
const MAX_BLOCK = 128 * 1024;
/** Bytes from which on a copy by the engine is faster than a loop. */
const LONG = 48;
/** The largest window that the reference decoder takes without being asked to. Bytes. */
const MAX_WINDOW = 2 ** 27;

/** The bytes of all frames; `undefined` when they are damaged, or more than `most`. */
export function unzstd(data: Uint8Array, most: number): Uint8Array | undefined {
  try {
    return new Frames(data, most).read();
  } catch (error) {
    if (error instanceof ZstdError || error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Codes of lengths: what is added and how many bits follow. */
const LITERAL_LENGTHS = codes(16, [
  [16, 1],
  [18, 1],
  [20, 1],
  [22, 1],
  [24, 2],
  [28, 2],
  [32, 3],
  [40, 3],
  [48, 4],
  [64, 6],
  [128, 7],
  [256, 8],
  [512, 9],
  [1024, 10],
  [2048, 11],
  [4096, 12],
  [8192, 13],
  [16384, 14],
  [32768, 15],
  [65536, 16],
]);
const MATCH_LENGTHS = codes(
  32,
  [
    [35, 1],
    [37, 1],
    [39, 1],
    [41, 1],
    [43, 2],
    [47, 2],
    [51, 3],
    [59, 3],
    [67, 4],
    [83, 4],
    [99, 5],
    [131, 7],
    [259, 8],
    [515, 9],
    [1027, 10],
    [2051, 11],
    [4099, 12],
    [8195, 13],
    [16387, 14],
    [32771, 15],
    [65539, 16],
  ],
  3,
);

type Code = readonly [base: number, bits: number];

function codes(plain: number, more: readonly Code[], first = 0): readonly Code[] {
  return [...Array.from({ length: plain }, (_, at): Code => [at + first, 0]), ...more];
}

/** The tables that hold where a block brings none. */
const DEFAULTS = {
  literals: () =>
    fseTable(
      [4, 3, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 3, 2, 1, 1, 1, 1, 1, -1, -1, -1, -1],
      6,
    ),
  offsets: () =>
    fseTable([1, 1, 1, 1, 1, 1, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1], 5),
  matches: () =>
    fseTable(
      [
        1, 4, 3, 2, 2, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
        1, 1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1, -1, -1,
      ],
      6,
    ),
};
type TableName = keyof typeof DEFAULTS;
const MOST_BITS: Readonly<Record<TableName, number>> = { literals: 9, offsets: 8, matches: 9 };

/** `descriptor`: an exponent above three bits of mantissa (RFC 8878, 3.1.1.1.2). Nothing is allocated by it. */
function checkWindow(descriptor: number): void {
  if (2 ** (10 + (descriptor >> 3)) * (1 + (descriptor & 7) / 8) > MAX_WINDOW)
    throw new ZstdError('too large a window');
}

class Frames {
  #at = 0;
  #out: Uint8Array;
  #used = 0;
  #frameStart = 0;
  #offsets: [number, number, number] = [1, 4, 8];
  #tables: { [K in TableName]?: FseTable } = {};
  #huffman: HuffmanTable | undefined;

  constructor(
    private readonly data: Uint8Array,
    private readonly most: number,
  ) {
    this.#out = new Uint8Array(Math.min(most, 4 * data.length));
  }

  read(): Uint8Array {
    while (this.#at < this.data.length) this.#frame();
    return this.#out.subarray(0, this.#used);
  }

  #number(bytes: number): number {
    if (this.#at + bytes > this.data.length) throw new ZstdError('the data ends');
    let value = 0;
    for (let i = bytes - 1; i >= 0; i--) value = value * 256 + (this.data[this.#at + i] ?? 0);
    this.#at += bytes;
    return value;
  }

  #take(bytes: number): Uint8Array {
    if (this.#at + bytes > this.data.length) throw new ZstdError('the data ends');
    this.#at += bytes;
    return this.data.subarray(this.#at - bytes, this.#at);
  }

  #frame(): void {
    const magic = this.#number(4);
    // Frames of somebody's own, to be passed over.
    if (magic >= 0x184d2a50 && magic <= 0x184d2a5f) {
      this.#take(this.#number(4));
      return;
    }
    if (magic !== MAGIC) throw new ZstdError('no frame begins here');
    const descriptor = this.#number(1);
    const isSingle = (descriptor & 0x20) !== 0;
    if (!isSingle) checkWindow(this.#number(1));
    const dictionary = this.#number([0, 1, 2, 4][descriptor & 3] ?? 0);
    if (dictionary !== 0) throw new ZstdError('a dictionary is needed');
    const sizeBytes = [isSingle ? 1 : 0, 2, 4, 8][descriptor >> 6] ?? 0;
    const size = this.#number(sizeBytes) + (sizeBytes === 2 ? 256 : 0);
    if (this.#used + size > this.most) throw new ZstdError('more than was asked for');
    this.#frameStart = this.#used;
    this.#offsets = [1, 4, 8];
    this.#tables = {};
    this.#huffman = undefined;
    while (!this.#block());
    if ((descriptor & 4) !== 0) this.#take(4);
    if (sizeBytes > 0 && this.#used - this.#frameStart !== size) throw new ZstdError('another size than announced');
  }

  /** True after the last one of a frame. */
  #block(): boolean {
    const head = this.#number(3);
    const size = head >> 3;
    if (size > MAX_BLOCK) throw new ZstdError('a block is too large');
    switch ((head >> 1) & 3) {
      case 0:
        this.#append(this.#take(size));
        break;
      case 1:
        this.#fill(this.#number(1), size);
        break;
      case 2:
        this.#compressed(this.#take(size));
        break;
      default:
        throw new ZstdError('a block of a kind that does not exist');
    }
    return (head & 1) === 1;
  }

  /** Ensures that `bytes` more bytes fit. */
  #room(bytes: number): void {
    const needed = this.#used + bytes;
    if (needed <= this.#out.length) return;
    if (needed > this.most) throw new ZstdError('more than was asked for');
    const larger = new Uint8Array(Math.min(this.most, Math.max(needed, 2 * this.#out.length)));
    larger.set(this.#out.subarray(0, this.#used));
    this.#out = larger;
  }

  #append(bytes: Uint8Array): void {
    this.#room(bytes.length);
    this.#out.set(bytes, this.#used);
    this.#used += bytes.length;
  }

  /** As `#append` of a part of `bytes`, most often a few of them. */
  #literal(bytes: Uint8Array, from: number, count: number): void {
    if (count >= LONG) {
      this.#append(bytes.subarray(from, from + count));
      return;
    }
    this.#room(count);
    const [out, to] = [this.#out, this.#used];
    for (let i = 0; i < count; i++) out[to + i] = bytes[from + i] ?? 0;
    this.#used = to + count;
  }

  #fill(byte: number, count: number): void {
    this.#room(count);
    this.#out.fill(byte, this.#used, this.#used + count);
    this.#used += count;
  }

  #compressed(block: Uint8Array): void {
    const [literals, read] = this.#literals(block);
    this.#sequences(block.subarray(read), literals);
  }

  /** The literals of a block, and the bytes they took. */
  #literals(block: Uint8Array): readonly [Uint8Array, number] {
    const first = block[0] ?? 0;
    const kind = first & 3;
    const format = (first >> 2) & 3;
    const head = (bytes: number): number => {
      if (bytes > block.length) throw new ZstdError('the data ends');
      let value = 0;
      for (let i = bytes - 1; i >= 0; i--) value = value * 256 + (block[i] ?? 0);
      return value;
    };
    if (kind < 2) {
      const bytes = format === 1 ? 2 : format === 3 ? 3 : 1;
      const size = Math.floor(head(bytes) / (bytes === 1 ? 8 : 16));
      if (size > MAX_BLOCK) throw new ZstdError('too many literals');
      if (kind === 1) return [new Uint8Array(size).fill(block[bytes] ?? 0), bytes + 1];
      if (bytes + size > block.length) throw new ZstdError('the data ends');
      return [block.subarray(bytes, bytes + size), bytes + size];
    }
    const bytes = format < 2 ? 3 : format + 2;
    const width = format < 2 ? 10 : format === 2 ? 14 : 18;
    const sizes = Math.floor(head(bytes) / 16);
    const size = sizes % 2 ** width;
    const packed = Math.floor(sizes / 2 ** width);
    if (size > MAX_BLOCK || bytes + packed > block.length) throw new ZstdError('the data ends');
    let streams = block.subarray(bytes, bytes + packed);
    if (kind === 2) {
      const [table, read] = readHuffman(streams);
      this.#huffman = table;
      streams = streams.subarray(read);
    }
    if (this.#huffman === undefined) throw new ZstdError('no table for the literals');
    return [this.#huffman.decode(streams, size, format === 0 ? 1 : 4), bytes + packed];
  }

  #sequences(section: Uint8Array, literals: Uint8Array): void {
    let at = 0;
    const byte = (): number => section[at++] ?? 0;
    let count = byte();
    if (count > 127) count = count < 255 ? ((count - 128) << 8) + byte() : byte() + (byte() << 8) + 0x7f00;
    if (count === 0) {
      this.#append(literals);
      return;
    }
    const modes = byte();
    for (const [name, shift] of [
      ['literals', 6],
      ['offsets', 4],
      ['matches', 2],
    ] as const) {
      at += this.#table(name, (modes >> shift) & 3, section.subarray(at));
    }
    const { literals: lengths, offsets, matches } = this.#tables;
    if (lengths === undefined || offsets === undefined || matches === undefined) throw new ZstdError('no tables');
    const bits = new BackwardBits(section.subarray(at));
    let [l, o, m] = [bits.read(lengths.bits), bits.read(offsets.bits), bits.read(matches.bits)];
    let used = 0;
    for (let i = 0; i < count; i++) {
      const offsetCode = offsets.symbol[o] ?? 0;
      const matchCode = MATCH_LENGTHS[matches.symbol[m] ?? 0];
      const literalCode = LITERAL_LENGTHS[lengths.symbol[l] ?? 0];
      if (matchCode === undefined || literalCode === undefined || offsetCode > 31) throw new ZstdError('no such code');
      const offset = 2 ** offsetCode + bits.read(offsetCode);
      const length = matchCode[0] + bits.read(matchCode[1]);
      const plain = literalCode[0] + bits.read(literalCode[1]);
      if (used + plain > literals.length) throw new ZstdError('too few literals');
      this.#literal(literals, used, plain);
      used += plain;
      this.#copy(this.#distance(offset, plain), length);
      if (i < count - 1) {
        l = lengths.next(l, bits);
        m = matches.next(m, bits);
        o = offsets.next(o, bits);
      }
    }
    if (bits.isBeyond) throw new ZstdError('the data ends');
    this.#append(literals.subarray(used));
  }

  /** Reads a table and makes it current; returns the bytes consumed. */
  #table(name: TableName, mode: number, bytes: Uint8Array): number {
    switch (mode) {
      case 0:
        this.#tables[name] = DEFAULTS[name]();
        return 0;
      case 1:
        this.#tables[name] = fseTable(Array.from({ length: bytes[0] ?? 0 }, () => 0).concat(1), 0);
        return 1;
      case 2: {
        const { counts, log, read } = readDistribution(bytes, MOST_BITS[name]);
        this.#tables[name] = fseTable(counts, log);
        return read;
      }
      default:
        if (this.#tables[name] === undefined) throw new ZstdError('a table is repeated that never was');
        return 0;
    }
  }

  /** How far back: the first three codes stand for the last three distances. */
  #distance(offset: number, plain: number): number {
    const [first, second, third] = this.#offsets;
    if (offset > 3) {
      this.#offsets = [offset - 3, first, second];
      return offset - 3;
    }
    const code = plain === 0 ? offset + 1 : offset;
    const distance = [first, second, third, first - 1][code - 1] ?? 0;
    if (code > 1) this.#offsets = code === 2 ? [distance, first, third] : [distance, first, second];
    return distance;
  }

  #copy(distance: number, length: number): void {
    if (distance < 1 || distance > this.#used - this.#frameStart) throw new ZstdError('a match before the beginning');
    this.#room(length);
    const [out, to] = [this.#out, this.#used];
    const from = to - distance;
    if (length >= LONG && distance >= length) out.copyWithin(to, from, from + length);
    // A match may reach into what it writes: byte by byte.
    else for (let i = 0; i < length; i++) out[to + i] = out[from + i] ?? 0;
    this.#used = to + length;
  }
}
