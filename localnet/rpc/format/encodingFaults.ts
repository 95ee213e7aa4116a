// Why a text is not base64 or base58, in the words of the decoders that nodes use (Debug of the Rust crates base64 and bs58).

const PAD = 0x3d;
const QUAD = 4;
const isSymbol = (byte: number | undefined): boolean =>
  byte !== undefined && /[A-Za-z0-9+/]/.test(String.fromCharCode(byte));
const invalidByte = (index: number, byte: number): string => `InvalidByte(${index}, ${byte})`;

/** For a text that is not canonical base64 of the standard alphabet with padding. */
export function base64Fault(text: string): string {
  const bytes = Buffer.from(text);
  const { length } = bytes;
  const last = bytes.at(-1) ?? PAD;
  if (length % QUAD === 1 && last !== PAD && !isSymbol(last)) return invalidByte(length - 1, last);
  // The last quad, whole or not, is the only one with padding.
  const start = Math.max(0, length - (length % QUAD || QUAD));
  const bad = bytes.subarray(0, start).findIndex((byte) => !isSymbol(byte));
  if (bad >= 0) return invalidByte(bad, bytes[bad] ?? 0);
  const suffix = bytes.subarray(start);
  const end = suffix.indexOf(PAD);
  const symbols = end < 0 ? suffix : suffix.subarray(0, end);
  const wrong = symbols.findIndex((byte) => !isSymbol(byte));
  if (wrong >= 0) return invalidByte(start + wrong, symbols[wrong] ?? 0);
  if (end >= 0 && (end < 2 || suffix.subarray(end).some((byte) => byte !== PAD))) return invalidByte(start + end, PAD);
  if (symbols.length < 2) return `InvalidLength(${start + symbols.length})`;
  if (suffix.length !== QUAD) return 'InvalidPadding';
  return `InvalidLastSymbol(${start + symbols.length - 1}, ${symbols.at(-1) ?? 0})`;
}

/** For a text with a character outside the base58 alphabet. */
export function base58Fault(text: string): string {
  const index = [...text].findIndex((character) => !/[1-9A-HJ-NP-Za-km-z]/.test(character));
  const character = [...text][index] ?? '';
  if (character > '\x7f') return `NonAsciiCharacter { index: ${index} }`;
  const shown = character === "'" ? "\\'" : JSON.stringify(character).slice(1, -1).replace('\\"', '"');
  return `InvalidCharacter { character: '${shown}', index: ${index} }`;
}
