// Base58 (Bitcoin alphabet), the text form of keys, hashes and signatures. Exact at any length; fast at 32 and 64 bytes.

export const BASE58_ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

/** 58^5: the largest power of 58 whose product with 2^16 still leaves a double exact. */
const LIMB = 656356768;

const DIGIT_OF = new Int8Array(128).fill(-1);
for (let digit = 0; digit < 58; digit++) DIGIT_OF[BASE58_ALPHABET.charCodeAt(digit)] = digit;

/** Two digits of a number below 58^2, high digit first: five digits of a limb are three look-ups, not five. */
const PAIRS: string[] = [];

/** Made with the first text: 3,364 strings at every start would be felt. */
function makePairs(): void {
  for (const high of BASE58_ALPHABET) for (const low of BASE58_ALPHABET) PAIRS.push(high + low);
}

/** Limbs for up to 64 bytes, used anew by every call: making an array costs more than the arithmetic. */
const SCRATCH = new Float64Array(20);

/** Encodes bytes; a leading zero byte becomes a leading "1". */
export function encodeBase58(bytes: Uint8Array): string {
  let zeros = 0;
  while (zeros < bytes.length && bytes[zeros] === 0) zeros++;
  if (zeros === bytes.length) return '1'.repeat(zeros);
  if (PAIRS.length === 0) makePairs();

  // Little-endian limbs of five digits each; two bytes enter at a time.
  const most = Math.ceil(((bytes.length - zeros) * 1.3658) / 5) + 1;
  const limbs = most <= SCRATCH.length ? SCRATCH : new Float64Array(most);
  let used = 0;
  let at = zeros;
  if ((bytes.length - zeros) % 2 === 1) {
    limbs[0] = bytes[at++] ?? 0;
    used = 1;
  }
  for (; at < bytes.length; at += 2) {
    let carry = (bytes[at] ?? 0) * 256 + (bytes[at + 1] ?? 0);
    for (let i = 0; i < used; i++) {
      const sum = (limbs[i] ?? 0) * 65536 + carry;
      carry = Math.floor(sum / LIMB);
      limbs[i] = sum - carry * LIMB;
    }
    if (carry > 0) limbs[used++] = carry;
  }

  let text = '1'.repeat(zeros) + fiveDigits(limbs[used - 1] ?? 0).replace(/^1+/, '');
  for (let i = used - 2; i >= 0; i--) text += fiveDigits(limbs[i] ?? 0);
  return text;
}

function fiveDigits(limb: number): string {
  const first = Math.floor(limb / 58 ** 4);
  const rest = limb - first * 58 ** 4;
  const middle = Math.floor(rest / 58 ** 2);
  return BASE58_ALPHABET.charAt(first) + (PAIRS[middle] ?? '') + (PAIRS[rest - middle * 58 ** 2] ?? '');
}

/** Decodes text; `undefined` when a character is outside the alphabet. The empty text is no bytes. */
export function decodeBase58(text: string): Uint8Array | undefined {
  let ones = 0;
  while (ones < text.length && text.charCodeAt(ones) === 49) ones++;

  // Little-endian limbs of three bytes each; four digits enter at a time.
  const limbs = new Float64Array(Math.ceil((text.length - ones) / 4) + 1);
  let used = 0;
  let at = ones;
  while (at < text.length) {
    const take = (text.length - at) % 4 || 4;
    let carry = 0;
    let factor = 1;
    for (const end = at + take; at < end; at++) {
      const code = text.charCodeAt(at);
      const digit = code < 128 ? (DIGIT_OF[code] ?? -1) : -1;
      if (digit < 0) return undefined;
      carry = carry * 58 + digit;
      factor *= 58;
    }
    for (let i = 0; i < used; i++) {
      const sum = (limbs[i] ?? 0) * factor + carry;
      carry = Math.floor(sum / 16777216);
      limbs[i] = sum - carry * 16777216;
    }
    if (carry > 0) limbs[used++] = carry;
  }

  const top = used === 0 ? 0 : (limbs[used - 1] ?? 0);
  const topBytes = used === 0 ? 0 : top > 65535 ? 3 : top > 255 ? 2 : 1;
  const length = used === 0 ? 0 : (used - 1) * 3 + topBytes;
  const bytes = new Uint8Array(ones + length);
  for (let i = 0, to = bytes.length; i < used; i++) {
    let limb = limbs[i] ?? 0;
    for (let byte = 0; byte < 3 && to > ones; byte++) {
      bytes[--to] = limb & 255;
      limb = Math.floor(limb / 256);
    }
  }
  return bytes;
}
