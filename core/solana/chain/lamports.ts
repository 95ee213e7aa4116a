// Lamports as SOL and back, exact: no floating point touches an amount.
import { withoutTrailing } from '../common/ends';

export const MAX_U64 = 18_446_744_073_709_551_615n;

/** `1500000000n` → `1.5 SOL`; trailing zeros fall away, whole SOL have grouped digits (`12,345 SOL`). */
export function formatSol(lamports: bigint): string {
  return `${formatUnits(lamports, 9)} SOL`;
}

/** A raw token amount with its decimals, exact: `formatUnits(1234567n, 6)` is `1.234567`. */
export function formatUnits(amount: bigint, decimals: number): string {
  const negative = amount < 0n;
  const digits = (negative ? -amount : amount).toString().padStart(decimals + 1, '0');
  const point = digits.length - decimals;
  const whole = groupDigits(digits.slice(0, point));
  const fraction = withoutTrailing(digits.slice(point), '0');
  return `${negative ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`;
}

/** `1234567` → `1,234,567`. Takes digits only. */
export function groupDigits(digits: string): string {
  const groups: string[] = [];
  for (let end = digits.length; end > 0; end -= 3) groups.unshift(digits.slice(Math.max(0, end - 3), end));
  return groups.join(',');
}
