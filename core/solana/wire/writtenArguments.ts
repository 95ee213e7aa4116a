// Arguments of the helpers that know Solana, as they are written: seeds of derived addresses, times, amounts in SOL.
// Looks no name up: a word that is a variable's name has its value in its place before.
import { withoutTrailing } from '../common/ends';
import { writtenBytes } from '../json/writtenBytes';
import { ByteWriter } from '../encoding/byteWriter';
import { keyBytes } from '../chain/keys';
import { MAX_U64 } from '../chain/lamports';

/** Bytes of one seed (Solana, MAX_SEED_LEN). */
const MAX_SEED = 32;

/** `"vault"`, `text:vault`, `hex:ff`, `u64:5` (little-endian), or an address; undefined for anything else. */
export function seedBytes(text: string): Uint8Array | undefined {
  const bytes = quotedText(text) ?? integerSeed(text) ?? keyBytes(text) ?? writtenBytes(text);
  const seed = typeof bytes === 'string' ? new TextEncoder().encode(bytes) : bytes;
  return seed === undefined || seed.length > MAX_SEED ? undefined : seed;
}

/** The text between two quotes; undefined without quotes. */
export const quotedText = (text: string): string | undefined => /^"([^"]*)"$/.exec(text)?.[1];

function integerSeed(text: string): Uint8Array | undefined {
  const [, sign, bits = '', digits] = /^([iu])(8|16|32|64|128):(-?\d{1,40})$/.exec(text) ?? [];
  if (sign === undefined || digits === undefined) return undefined;
  const value = BigInt(digits);
  const fits = sign === 'i' ? BigInt.asIntN(Number(bits), value) : BigInt.asUintN(Number(bits), value);
  return fits === value ? new ByteWriter().integer(value, Number(bits) / 8).done() : undefined;
}

/** `1.5` is 1500000000n; undefined for other texts, more than nine decimals, and beyond u64. */
export const lamportsOfSol = (text: string): bigint | undefined => unitsOf(text, 9);

/** A decimal amount in its smallest units: `12.50` with 6 decimals is 12500000n. No floating point touches it. */
export function unitsOf(text: string, decimals: number): bigint | undefined {
  const [, whole, fraction = ''] = /^(\d{1,20})(?:\.(\d+))?$/.exec(text) ?? [];
  if (whole === undefined) return undefined;
  const digits = withoutTrailing(fraction, '0');
  if (digits.length > decimals) return undefined;
  const units = BigInt(whole + digits.padEnd(decimals, '0'));
  return units > MAX_U64 ? undefined : units;
}

/** Seconds of each unit of an offset. */
const SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400, w: 604_800 };

/** `-1d`, `+90m` in seconds; undefined for anything else. */
export function offsetSeconds(text: string): number | undefined {
  const [, sign, digits, unit = ''] = /^([+-])(\d{1,9})([smhdw])$/.exec(text) ?? [];
  const one = SECONDS[unit];
  return digits === undefined || one === undefined ? undefined : Number(digits) * one * (sign === '-' ? -1 : 1);
}

export const TIME_FORMATS = ['iso', 'iso8601', 'date', 'unix', 'unixms'] as const;

/** A time in one of the formats; undefined for another word, and where no calendar reaches. `seconds`: since 1970. */
export function timeIn(format: string, seconds: number): string | number | undefined {
  const date = new Date(seconds * 1_000);
  if (Number.isNaN(date.getTime())) return undefined;
  switch (format) {
    case 'iso':
    case 'iso8601':
      return date.toISOString().replace('.000Z', 'Z');
    case 'date':
      return date.toISOString().slice(0, 10);
    case 'unix':
      return seconds;
    case 'unixms':
      return seconds * 1_000;
    default:
      return undefined;
  }
}
