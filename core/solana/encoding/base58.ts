// Base58 (Bitcoin alphabet), the text form of keys, hashes and signatures. Exact at any length that travels so; fast at 32 and 64 bytes.

export const BASE58_ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

/** 58^5: the largest power of 58 whose product with 2^16 still leaves a double exact. */
const LIMB = 656356768;

const DIGIT_OF = new Int8Array(128).fill(-1);
for (let digit = 0; digit < 58; digit++) DIGIT_OF[BASE58_ALPHABET.charCodeAt(digit)] = digit;

/** Up to so many bytes the powers of 2^16 are at hand as limbs; longer ones take a slower way. */
const MOST_BYTES = 64;
const WORDS = MOST_BYTES / 2;
/** 58^90 is the first power of 58^5 above 2^512. */
const LIMBS = 18;

/** 2^(16 word) in limbs, the lowest first, `LIMBS` for each word; and how many of them are used. */
const POWERS = new Float64Array(WORDS * LIMBS);
const POWER_LIMBS = new Uint8Array(WORDS);
/** Codes of two digits of a number below 58^2, the high digit's in the high byte: five digits are three look-ups, not five. */
const PAIRS = new Uint16Array(58 ** 2);
const CODES = Uint8Array.from(BASE58_ALPHABET, (digit) => digit.charCodeAt(0));

/** Made with the first text: not every process that starts writes one. */
function makeTables(): void {
  for (let pair = 0; pair < PAIRS.length; pair++)
    PAIRS[pair] = (CODES[Math.floor(pair / 58)] ?? 0) * 256 + (CODES[pair % 58] ?? 0);
  POWERS[0] = 1;
  POWER_LIMBS[0] = 1;
  for (let word = 1; word < WORDS; word++) {
    const row = POWERS.subarray(word * LIMBS, (word + 1) * LIMBS);
    row.set(POWERS.subarray((word - 1) * LIMBS, word * LIMBS));
    POWER_LIMBS[word] = timesAndPlus(row, POWER_LIMBS[word - 1] ?? 0, 0);
  }
}

/** Little-endian limbs, reused by every call: allocating an array costs more than the arithmetic. */
const SCRATCH = new Float64Array(LIMBS + 1);

/** Encodes bytes; a leading zero byte becomes a leading "1". */
export function encodeBase58(bytes: Uint8Array): string {
  let zeros = 0;
  while (zeros < bytes.length && bytes[zeros] === 0) zeros++;
  if (zeros === bytes.length) return '1'.repeat(zeros);
  if (PAIRS[0] === 0) makeTables();

  const isShort = bytes.length - zeros <= MOST_BYTES;
  const limbs = isShort ? SCRATCH : new Float64Array(Math.ceil(((bytes.length - zeros) * 1.3658) / 5) + 1);
  const used = isShort ? sumOfPowers(bytes, zeros) : limbsOf(bytes, zeros, limbs);

  // Ten digits at a time: a short text is made whole, and each piece that is added costs.
  const even = used - (used % 2);
  const top = even === used ? tenDigits(limbs[used - 1] ?? 0, limbs[used - 2] ?? 0) : tenDigits(0, limbs[even] ?? 0);
  let ones = 0;
  while (top.charCodeAt(ones) === ONE) ones++;
  let text = '1'.repeat(zeros) + top.slice(ones);
  for (let at = even === used ? used - 4 : even - 2; at >= 0; at -= 2)
    text += tenDigits(limbs[at + 1] ?? 0, limbs[at] ?? 0);
  return inOnePiece(text);
}

/** The same text; to read its last character the engine joins its pieces, which else stay: 900 bytes for a signature. */
const inOnePiece = (text: string): string => (text.charCodeAt(text.length - 1) > 0 ? text : '');

/**
 * The bytes from `start` on in SCRATCH, as the sum of each two times their power; gives how many limbs are used. Carries
 * once, at the end: 32 products below 2^16 * 2^30 are exact, and a carry with each pair of bytes costs a division a limb.
 */
function sumOfPowers(bytes: Uint8Array, start: number): number {
  SCRATCH.fill(0);
  let word = 0;
  for (let at = bytes.length - 1; at >= start; at -= 2, word++) {
    const value = (at > start ? (bytes[at - 1] ?? 0) * 256 : 0) + (bytes[at] ?? 0);
    const from = word * LIMBS;
    const count = POWER_LIMBS[word] ?? 0;
    for (let i = 0; i < count; i++) SCRATCH[i] = (SCRATCH[i] ?? 0) + value * (POWERS[from + i] ?? 0);
  }
  const most = (POWER_LIMBS[word - 1] ?? 0) + 1;
  let used = 0;
  let carry = 0;
  for (let i = 0; i < most; i++) {
    const sum = (SCRATCH[i] ?? 0) + carry;
    carry = Math.floor(sum / LIMB);
    const limb = sum - carry * LIMB;
    SCRATCH[i] = limb;
    if (limb > 0) used = i + 1;
  }
  return used;
}

/** The same for any length, two bytes after the other. */
function limbsOf(bytes: Uint8Array, start: number, limbs: Float64Array): number {
  let at = start;
  let used = 0;
  if ((bytes.length - start) % 2 === 1) {
    limbs[0] = bytes[at++] ?? 0;
    used = 1;
  }
  for (; at < bytes.length; at += 2) used = timesAndPlus(limbs, used, (bytes[at] ?? 0) * 256 + (bytes[at + 1] ?? 0));
  return used;
}

/** Makes `limbs` 2^16 times as much plus `more`; gives how many are used then. */
function timesAndPlus(limbs: Float64Array, used: number, more: number): number {
  let carry = more;
  for (let i = 0; i < used; i++) {
    const sum = (limbs[i] ?? 0) * 65536 + carry;
    carry = Math.floor(sum / LIMB);
    limbs[i] = sum - carry * LIMB;
  }
  if (carry > 0) limbs[used++] = carry;
  return used;
}

const ONE = 49;

/** The digits of two limbs. */
function tenDigits(high: number, low: number): string {
  const highFirst = Math.floor(high / 58 ** 4);
  const highRest = high - highFirst * 58 ** 4;
  const highMiddle = Math.floor(highRest / 58 ** 2);
  const a = PAIRS[highMiddle] ?? 0;
  const b = PAIRS[highRest - highMiddle * 58 ** 2] ?? 0;
  const lowFirst = Math.floor(low / 58 ** 4);
  const lowRest = low - lowFirst * 58 ** 4;
  const lowMiddle = Math.floor(lowRest / 58 ** 2);
  const c = PAIRS[lowMiddle] ?? 0;
  const d = PAIRS[lowRest - lowMiddle * 58 ** 2] ?? 0;
  return String.fromCharCode(
    CODES[highFirst] ?? 0,
    a >> 8,
    a & 255,
    b >> 8,
    b & 255,
    CODES[lowFirst] ?? 0,
    c >> 8,
    c & 255,
    d >> 8,
    d & 255,
  );
}

/**
 * Digits of the longest bytes that travel so: the data of a call within a program, 10 KiB. Time grows with the square of the
 * length, and a megabyte would take minutes.
 */
const MOST_DIGITS = 16_384;

/** Limbs of a text of up to 92 digits, reused by every call. */
const DECODED = new Float64Array(24);

/** Decodes text; `undefined` if a character is outside the alphabet, or it is too long. The empty text gives zero bytes. */
export function decodeBase58(text: string): Uint8Array | undefined {
  if (text.length > MOST_DIGITS) return undefined;
  let ones = 0;
  while (ones < text.length && text.charCodeAt(ones) === ONE) ones++;

  // Little-endian limbs of three bytes each; four digits enter at a time.
  const most = Math.ceil((text.length - ones) / 4) + 1;
  const limbs = most <= DECODED.length ? DECODED : new Float64Array(most);
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
