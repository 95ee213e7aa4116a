// A variable's text as a value: the rule is the same in a file, in a profile and after `--var`.
import { parseJson, type JsonValue } from '../../../solana/json/json';

const INTEGER = /^-?\d+$/;
const LOWEST = -(2n ** 63n);
const HIGHEST = 2n ** 64n - 1n;

/** JSON where the text is JSON, else the text, trimmed. A bare integer that fits no 64 bits is text: an address of ones. */
export function readVariableText(text: string): JsonValue {
  const trimmed = text.trim();
  if (!/^["[{\d\-tfn]/.test(trimmed)) return trimmed;
  if (trimmed.length > 18 && INTEGER.test(trimmed)) {
    const integer = trimmed.length > 64 ? HIGHEST + 1n : BigInt(trimmed);
    if (integer < LOWEST || integer > HIGHEST) return trimmed;
  }
  try {
    return parseJson(trimmed);
  } catch {
    return trimmed;
  }
}
