// SHA-256 (FIPS 180-4) in a few lines: core has no crypto module, and Anchor's discriminators and program addresses are
// hashes of short texts. Not for secrets: its time depends on nothing but length, yet nobody has checked that.

/** The fraction bits of the roots of the first primes, worked out once. */
const { ROUNDS, START } = constants();

function constants(): { readonly ROUNDS: Uint32Array; readonly START: Uint32Array } {
  const primes: number[] = [];
  for (let candidate = 2; primes.length < 64; candidate++) {
    if (primes.every((prime) => candidate % prime !== 0)) primes.push(candidate);
  }
  const bits = (root: number): number => Math.floor((root - Math.floor(root)) * 2 ** 32);
  return {
    ROUNDS: Uint32Array.from(primes, (prime) => bits(Math.cbrt(prime))),
    START: Uint32Array.from(primes.slice(0, 8), (prime) => bits(Math.sqrt(prime))),
  };
}

const turned = (word: number, by: number): number => (word >>> by) | (word << (32 - by));

/** The hash, 32 bytes. */
export function sha256(message: Uint8Array): Uint8Array {
  const state = Uint32Array.from(START);
  const whole = padded(message);
  const words = new Uint32Array(64);
  const view = new DataView(whole.buffer);
  for (let at = 0; at < whole.length; at += 64) {
    for (let i = 0; i < 16; i++) words[i] = view.getUint32(at + 4 * i);
    block(state, words);
  }
  const hash = new Uint8Array(32);
  const out = new DataView(hash.buffer);
  state.forEach((word, i) => out.setUint32(4 * i, word));
  return hash;
}

/** A one bit, zeros, and the length in bits, to a multiple of 64 bytes. */
function padded(message: Uint8Array): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(Math.ceil((message.length + 9) / 64) * 64);
  whole.set(message);
  whole[message.length] = 0x80;
  new DataView(whole.buffer).setBigUint64(whole.length - 8, BigInt(message.length) * 8n);
  return whole;
}

function block(state: Uint32Array, w: Uint32Array): void {
  const word = (at: number): number => w[at] ?? 0;
  for (let i = 16; i < 64; i++) {
    const early = word(i - 15);
    const late = word(i - 2);
    const s0 = turned(early, 7) ^ turned(early, 18) ^ (early >>> 3);
    const s1 = turned(late, 17) ^ turned(late, 19) ^ (late >>> 10);
    w[i] = word(i - 16) + s0 + word(i - 7) + s1;
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  for (let i = 0; i < 64; i++) {
    const s1 = turned(e, 6) ^ turned(e, 11) ^ turned(e, 25);
    const first = (h + s1 + ((e & f) ^ (~e & g)) + (ROUNDS[i] ?? 0) + word(i)) >>> 0;
    const s0 = turned(a, 2) ^ turned(a, 13) ^ turned(a, 22);
    const second = (s0 + ((a & b) ^ (a & c) ^ (b & c))) >>> 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) >>> 0, c, b, a, (first + second) >>> 0];
  }
  [a, b, c, d, e, f, g, h].forEach((value, i) => (state[i] = (state[i] ?? 0) + value));
}
