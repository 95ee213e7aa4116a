// Base64, standard alphabet with padding, as nodes read it: no blanks, no missing padding, no stray bits.

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const PAD = 61;

const SIX_BITS = new Int8Array(128).fill(-1);
for (let bits = 0; bits < 64; bits++) SIX_BITS[ALPHABET.charCodeAt(bits)] = bits;

function sixBits(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code < 128 ? (SIX_BITS[code] ?? -1) : -1;
}

/** Encodes bytes, padded to a multiple of four characters. */
export function encodeBase64(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 3) {
    const left = bytes.length - at;
    const three = ((bytes[at] ?? 0) << 16) | ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0);
    text += ALPHABET.charAt(three >> 18) + ALPHABET.charAt((three >> 12) & 63);
    text += left > 1 ? ALPHABET.charAt((three >> 6) & 63) : '=';
    text += left > 2 ? ALPHABET.charAt(three & 63) : '=';
  }
  return text;
}

/** Decoded length in bytes, or -1 if the text is not base64. Allocates nothing. */
export function base64Length(text: string): number {
  if (text.length % 4 !== 0) return -1;
  const padding = paddingOf(text);
  const end = text.length - padding;
  for (let at = 0; at < end; at++) if (sixBits(text, at) < 0) return -1;
  const unused = padding === 2 ? 15 : padding === 1 ? 3 : 0;
  if ((sixBits(text, end - 1) & unused) !== 0 && padding > 0) return -1;
  return (text.length / 4) * 3 - padding;
}

function paddingOf(text: string): number {
  if (text.length === 0 || text.charCodeAt(text.length - 1) !== PAD) return 0;
  return text.charCodeAt(text.length - 2) === PAD ? 2 : 1;
}

/** Decodes text; `undefined` if it is not base64. The empty text has zero bytes. */
export function decodeBase64(text: string): Uint8Array | undefined {
  const length = base64Length(text);
  if (length < 0) return undefined;
  const bytes = new Uint8Array(length);
  for (let at = 0, to = 0; at < text.length; at += 4) {
    const high = (sixBits(text, at) << 18) | (sixBits(text, at + 1) << 12);
    const low = (Math.max(0, sixBits(text, at + 2)) << 6) | Math.max(0, sixBits(text, at + 3));
    const three = high | low;
    // Writes beyond the end are no-ops: the padding's bytes fall away.
    bytes[to++] = three >> 16;
    bytes[to++] = (three >> 8) & 255;
    bytes[to++] = three & 255;
  }
  return bytes;
}
