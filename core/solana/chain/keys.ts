// Base58 texts of fixed length: public keys, blockhashes (32 bytes) and signatures (64 bytes). A text is judged without
// decoding it: the alphabet is in ASCII order, so that texts of one length compare like the numbers they stand for.
import { BASE58_ALPHABET, decodeBase58, encodeBase58 } from '../encoding/base58';

export const KEY_BYTES = 32;
export const SIGNATURE_BYTES = 64;

/** Text beyond this many digits is not decoded to count its bytes: it is far too long for any key. */
const MAX_DIGITS = 96;

/** `ok`, or why the text is not base58 of `bytes` bytes. */
export type Base58Verdict = { readonly kind: 'ok' } | { readonly kind: 'alphabet' } | WrongLength;

interface WrongLength {
  readonly kind: 'length';
  /** Bytes the text decodes to; `undefined` when it is too long to be worth decoding. */
  readonly found: number | undefined;
}

const OK: Base58Verdict = { kind: 'ok' };
const ALPHABET: Base58Verdict = { kind: 'alphabet' };

/** Compiled by the engine this takes a third of a loop over the characters. */
const ONLY_ALPHABET = new RegExp(`^[${BASE58_ALPHABET}]*$`);

/** The smallest and the largest text of so many bytes without a leading zero byte. */
interface Bounds {
  readonly low: string;
  readonly high: string;
}

/** By number of bytes; each is worked out when it is first asked for, since all of them would slow down every start. */
const BOUNDS: (Bounds | undefined)[] = [{ low: '', high: '' }];

function boundsOf(bytes: number): Bounds {
  return (BOUNDS[bytes] ??= {
    low: encodeBase58(new Uint8Array(bytes).fill(1, 0, 1)),
    high: encodeBase58(new Uint8Array(bytes).fill(255)),
  });
}

/** `bytes`: at most 64. */
export function judgeBase58(text: string, bytes: number): Base58Verdict {
  if (!isBase58(text)) return ALPHABET;
  if (hasLength(text, bytes)) return OK;
  return { kind: 'length', found: text.length > MAX_DIGITS ? undefined : decodeBase58(text)?.length };
}

/** Whether base58 text decodes to exactly this many bytes; each leading "1" is a zero byte. */
function hasLength(text: string, bytes: number): boolean {
  let ones = 0;
  while (ones < text.length && text.charCodeAt(ones) === 49) ones++;
  if (ones > bytes) return false;
  const { low, high } = boundsOf(bytes - ones);
  const digits = text.length - ones;
  if (digits < low.length || digits > high.length) return false;
  const rest = ones === 0 ? text : text.slice(ones);
  return (digits > low.length || rest >= low) && (digits < high.length || rest <= high);
}

/**
 * True for text that is the base58 of a key as most are, 43 or 44 digits. As base64 with its padding it would be 33 bytes,
 * which nobody compares, or none at all.
 */
export const isKeyText = (text: string): boolean =>
  (text.length === 43 || text.length === 44) && judgeBase58(text, KEY_BYTES).kind === 'ok';

/** Whether every character is in the base58 alphabet. */
export const isBase58 = (text: string): boolean => ONLY_ALPHABET.test(text);

/** Whether the text is a public key (or a blockhash: they look the same). */
export function isPublicKey(text: string): boolean {
  return text.length >= 32 && text.length <= 44 && isBase58(text) && hasLength(text, KEY_BYTES);
}

export function isSignature(text: string): boolean {
  return text.length >= 64 && text.length <= 88 && isBase58(text) && hasLength(text, SIGNATURE_BYTES);
}

/** The 32 bytes of a public key, or of a blockhash; undefined for any other text. */
export function keyBytes(text: string): Uint8Array | undefined {
  return isPublicKey(text) ? decodeBase58(text) : undefined;
}
