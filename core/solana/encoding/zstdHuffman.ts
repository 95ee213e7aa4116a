// Zstandard's Huffman codes for literals: the table as a block brings it, and one or four streams read with it.
import { BackwardBits, fseTable, readDistribution, ZstdError } from './zstdBits';

const MAX_BITS = 11;
/** The most bits of a state in the compressed form of weights. */
const WEIGHT_LOG = 6;

export class HuffmanTable {
  constructor(
    private readonly bits: number,
    /** By the next `bits` bits: the byte, and how many of the bits are its. */
    private readonly symbol: Uint8Array,
    private readonly width: Uint8Array,
  ) {}

  /** `size` bytes out of one stream, or out of four that share them. */
  decode(bytes: Uint8Array, size: number, streams: 1 | 4): Uint8Array {
    const out = new Uint8Array(size);
    if (streams === 1) {
      this.#stream(bytes, out);
      return out;
    }
    const lengths = [0, 2, 4].map((at) => (bytes[at] ?? 0) + ((bytes[at + 1] ?? 0) << 8));
    const each = Math.floor((size + 3) / 4);
    let at = 6;
    for (let part = 0; part < 4; part++) {
      const end = part < 3 ? at + (lengths[part] ?? 0) : bytes.length;
      if (end > bytes.length || part * each > size) throw new ZstdError('the data ends');
      this.#stream(bytes.subarray(at, end), out.subarray(part * each, part < 3 ? (part + 1) * each : size));
      at = end;
    }
    return out;
  }

  #stream(bytes: Uint8Array, out: Uint8Array): void {
    const bits = new BackwardBits(bytes);
    for (let at = 0; at < out.length; at++) {
      const code = bits.peek(this.bits);
      out[at] = this.symbol[code] ?? 0;
      bits.skip(this.width[code] ?? 0);
    }
    if (!bits.isAtEnd) throw new ZstdError('literals that do not add up');
  }
}

/** The table at the beginning of the bytes, and how many of them it took. */
export function readHuffman(bytes: Uint8Array): readonly [HuffmanTable, number] {
  const head = bytes[0] ?? 0;
  if (head >= 128) {
    const count = head - 127;
    const read = 1 + Math.ceil(count / 2);
    if (read > bytes.length) throw new ZstdError('the data ends');
    const weights = Array.from({ length: count }, (_, at) => {
      const pair = bytes[1 + (at >> 1)] ?? 0;
      return at % 2 === 0 ? pair >> 4 : pair & 15;
    });
    return [tableOf(weights), read];
  }
  if (head + 1 > bytes.length) throw new ZstdError('the data ends');
  return [tableOf(packedWeights(bytes.subarray(1, head + 1))), head + 1];
}

/** Weights by two states that take turns, until the bits are used up. */
function packedWeights(bytes: Uint8Array): readonly number[] {
  const { counts, log, read } = readDistribution(bytes, WEIGHT_LOG);
  const table = fseTable(counts, log);
  const bits = new BackwardBits(bytes.subarray(read));
  let [now, other] = [bits.read(log), bits.read(log)];
  const weights: number[] = [];
  while (weights.length <= 255) {
    weights.push(table.symbol[now] ?? 0);
    const next = table.next(now, bits);
    if (bits.isBeyond) {
      weights.push(table.symbol[other] ?? 0);
      return weights;
    }
    [now, other] = [other, next];
  }
  throw new ZstdError('too many weights');
}

/** The weight of the last symbol is what is missing to a power of two. */
function tableOf(given: readonly number[]): HuffmanTable {
  const sum = given.reduce((total, weight) => total + (weight === 0 ? 0 : 2 ** (weight - 1)), 0);
  if (sum === 0) throw new ZstdError('weights without a weight');
  const bits = 32 - Math.clz32(sum);
  const missing = 2 ** bits - sum;
  if (bits > MAX_BITS || (missing & (missing - 1)) !== 0) throw new ZstdError('weights that do not add up');
  const weights = [...given, 32 - Math.clz32(missing)];
  const symbol = new Uint8Array(2 ** bits);
  const width = new Uint8Array(2 ** bits);
  let at = 0;
  for (let weight = 1; weight <= bits; weight++) {
    weights.forEach((own, byte) => {
      if (own !== weight) return;
      const places = 2 ** (weight - 1);
      symbol.fill(byte, at, at + places);
      width.fill(bits + 1 - weight, at, at + places);
      at += places;
    });
  }
  return new HuffmanTable(bits, symbol, width);
}
