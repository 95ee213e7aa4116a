// Base58 texts of fixed length: public keys, blockhashes (32 bytes) and signatures (64 bytes).
import { decodeBase58 } from './base58';

export const KEY_BYTES = 32;
export const SIGNATURE_BYTES = 64;

/** 64 bytes take at most 88 digits; a key that is longer than this in text is wrong in length, whatever it decodes to. */
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

export function judgeBase58(text: string, bytes: number): Base58Verdict {
  if (text.length > MAX_DIGITS) return isBase58(text) ? { kind: 'length', found: undefined } : ALPHABET;
  const decoded = decodeBase58(text);
  if (decoded === undefined) return ALPHABET;
  return decoded.length === bytes ? OK : { kind: 'length', found: decoded.length };
}

/** Whether every character is in the base58 alphabet. */
export function isBase58(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    const digit = code >= 49 && code <= 57;
    const upper = code >= 65 && code <= 90 && code !== 73 && code !== 79;
    const lower = code >= 97 && code <= 122 && code !== 108;
    if (!digit && !upper && !lower) return false;
  }
  return true;
}

/** Whether the text is a public key (or a blockhash: they look the same). */
export function isPublicKey(text: string): boolean {
  return text.length >= 32 && text.length <= 44 && judgeBase58(text, KEY_BYTES).kind === 'ok';
}

export function isSignature(text: string): boolean {
  return text.length >= 64 && text.length <= 88 && judgeBase58(text, SIGNATURE_BYTES).kind === 'ok';
}
