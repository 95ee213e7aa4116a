// Lists the texts that give a secret away: the secret itself, its hex and its base64. How their characters may be escaped
// is in `characters.ts`.
import { withoutTrailing } from '../../solana/common/ends';
import { encodeBase64 } from '../../solana/encoding/base64';

/** A shorter text would match by chance; no service issues keys this short. UTF-16 units */
const MIN_LENGTH = 6;

export interface Spelling {
  readonly text: string;
  /** Hex may be written in either case. */
  readonly ignoresCase: boolean;
}

/** Empty for secrets too short to search for. */
export function spellingsOf(secret: string): readonly Spelling[] {
  if (secret.length < MIN_LENGTH) return [];
  const bytes = new TextEncoder().encode(secret);
  const exact = new Set([secret, ...base64Of(bytes)]);
  return [
    { text: hexOf(bytes), ignoresCase: true },
    ...[...exact].filter((text) => text.length >= MIN_LENGTH).map((text) => ({ text, ignoresCase: false })),
  ];
}

/** In both alphabets, alone or inside a longer text: at each of the three alignments. */
function base64Of(bytes: Uint8Array): readonly string[] {
  return [0, 1, 2].flatMap((offset) => {
    const shifted = new Uint8Array(offset + bytes.length);
    shifted.set(bytes, offset);
    const text = withoutTrailing(encodeBase64(shifted), '=');
    // The first and last characters share bits with the surrounding text.
    const end = shifted.length % 3 === 0 ? text.length : text.length - 1;
    const own = text.slice(offset === 0 ? 0 : offset + 1, end);
    return [own, own.replaceAll('+', '-').replaceAll('/', '_')];
  });
}

function hexOf(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += byte.toString(16).padStart(2, '0');
  return text;
}
