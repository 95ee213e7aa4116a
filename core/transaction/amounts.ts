// Decimal amounts as whole numbers of their smallest unit, exact: no floating point touches them.
import { MAX_U64 } from '../values/solana/lamports';

/** `12.50` with 6 decimals is 12500000n; undefined for other texts, more digits than decimals, and beyond u64. */
export function unitsOf(text: string, decimals: number): bigint | undefined {
  const [, whole, fraction = ''] = /^(\d{1,20})(?:\.(\d+))?$/.exec(text) ?? [];
  if (whole === undefined) return undefined;
  const digits = fraction.replace(/0+$/, '');
  if (digits.length > decimals) return undefined;
  const units = BigInt(whole + digits.padEnd(decimals, '0'));
  return units > MAX_U64 ? undefined : units;
}
