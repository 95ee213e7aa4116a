// Chance with a seed, and what it does to bytes and texts: a run that found something can be made again.

export interface Chance {
  /** A whole number from 0 up to `count`, exclusive. */
  below(count: number): number;
  /** True once in `count` times. */
  once(count: number): boolean;
  pick<T>(from: readonly T[]): T;
  bytes(length: number): Buffer;
}

/** The mulberry32 generator. */
export function chance(seed: number): Chance {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
  const below = (count: number): number => Math.floor((next() / 2 ** 32) * count);
  return {
    below,
    once: (count) => below(count) === 0,
    pick: <T>(from: readonly T[]): T => {
      const picked = from[below(from.length)];
      if (picked === undefined && from.length === 0) throw new Error('There is nothing to pick from');
      return picked as T;
    },
    bytes: (length) => Buffer.from(Array.from({ length }, () => below(256))),
  };
}

/** Bytes that mean something in lengths, versions, tags and headers. */
const TELLING = [0, 1, 2, 0x0a, 0x12, 0x7f, 0x80, 0x81, 0x89, 0xff];

/** One to three changes: a byte set, flipped, left out, put in; a cut, a tail, a piece said twice. */
export function mutatedBytes(random: Chance, bytes: Uint8Array): Buffer {
  let out = Buffer.from(bytes);
  for (let left = 1 + random.below(3); left > 0; left--) {
    const at = random.below(Math.max(1, out.length));
    const [before, after] = [out.subarray(0, at), out.subarray(at)];
    switch (random.below(8)) {
      case 0:
        out[at] = random.below(256);
        break;
      case 1:
        out[at] = (out[at] ?? 0) ^ (1 << random.below(8));
        break;
      case 2:
        out = Buffer.concat([before, after.subarray(1)]);
        break;
      case 3:
        out = Buffer.concat([before, random.bytes(1), after]);
        break;
      case 4:
        out = Buffer.from(before);
        break;
      case 5:
        out = Buffer.concat([out, random.bytes(1 + random.below(8))]);
        break;
      case 6:
        out = Buffer.concat([before, after.subarray(0, random.below(16)), after]);
        break;
      default:
        out[at] = random.pick(TELLING);
    }
  }
  return out;
}

/** Pieces of JSON, and other text in its place. */
const SPLINTERS = [
  '"', '\\', '{', '}', '[', ']', ',', ':', 'null', 'true', '-', '.', 'e', '\\u0000', '\\ud800', '\u0000', '\ufeff',
  '1e400', '-0', '18446744073709551616', '99999999999999999999999999', '0.1', '"__proto__":', '"__proto__"', '[[[[[[[[',
  '{"a":{"a":{"a":', '/*', '//', "'", 'NaN', 'Infinity', '\u2028', '\u202e', '%00', '<img onerror=1>',
]; // oxfmt-ignore

/** One to three changes: a splinter put in or in place of something, a cut, characters left out or said twice. */
export function mutatedText(random: Chance, text: string): string {
  let out = text;
  for (let left = 1 + random.below(3); left > 0; left--) {
    const at = random.below(Math.max(1, out.length));
    const length = random.below(12);
    switch (random.below(6)) {
      case 0:
        out = out.slice(0, at) + random.pick(SPLINTERS) + out.slice(at);
        break;
      case 1:
        out = out.slice(0, at) + random.pick(SPLINTERS) + out.slice(at + length);
        break;
      case 2:
        out = out.slice(0, at);
        break;
      case 3:
        out = out.slice(0, at) + out.slice(at + length);
        break;
      case 4:
        out = out.slice(0, at) + out.slice(at, at + length) + out.slice(at);
        break;
      default:
        out = out.slice(0, at) + String.fromCharCode(random.below(0x250)) + out.slice(at + 1);
    }
  }
  return out;
}
