// SipHash-2-4 of short inputs, in 64-bit integers.

const MASK = (1n << 64n) - 1n;

/** The first key has 64 bits, and so has the second. */
export function sipHash24(key0: bigint, key1: bigint, input: Uint8Array): bigint {
  let v0 = key0 ^ 0x736f6d6570736575n;
  let v1 = key1 ^ 0x646f72616e646f6dn;
  let v2 = key0 ^ 0x6c7967656e657261n;
  let v3 = key1 ^ 0x7465646279746573n;
  const rounds = (count: number): void => {
    for (let round = 0; round < count; round++) {
      v0 = (v0 + v1) & MASK;
      v1 = rotateLeft(v1, 13n) ^ v0;
      v0 = rotateLeft(v0, 32n);
      v2 = (v2 + v3) & MASK;
      v3 = rotateLeft(v3, 16n) ^ v2;
      v0 = (v0 + v3) & MASK;
      v3 = rotateLeft(v3, 21n) ^ v0;
      v2 = (v2 + v1) & MASK;
      v1 = rotateLeft(v1, 17n) ^ v2;
      v2 = rotateLeft(v2, 32n);
    }
  };
  const absorb = (word: bigint): void => {
    v3 ^= word;
    rounds(2);
    v0 ^= word;
  };
  // The last word holds what is left over, and the length in its highest byte.
  const padded = new DataView(new ArrayBuffer((Math.floor(input.length / 8) + 1) * 8));
  new Uint8Array(padded.buffer).set(input);
  padded.setUint8(padded.byteLength - 1, input.length & 0xff);
  for (let at = 0; at < padded.byteLength; at += 8) absorb(padded.getBigUint64(at, true));
  v2 ^= 0xffn;
  rounds(4);
  return v0 ^ v1 ^ v2 ^ v3;
}

export function rotateLeft(value: bigint, bits: bigint): bigint {
  return ((value << bits) | (value >> (64n - bits))) & MASK;
}
