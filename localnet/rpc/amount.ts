// Token amounts as answers show them.
import type { WireJson } from '../api';

/** Above this a double cannot hold 10 to the power of the decimals as an exact integer of 64 bits. */
const MAX_UI_DECIMALS = 19;

/** {amount, decimals, uiAmount, uiAmountString}: the raw amount, and what it is in whole tokens. */
export function tokenAmount(amount: bigint, decimals: number): { readonly [key: string]: WireJson } {
  return {
    amount: amount.toString(),
    decimals,
    uiAmount: decimals > MAX_UI_DECIMALS ? null : Number(amount) / 10 ** decimals,
    uiAmountString: wholeTokens(amount, decimals),
  };
}

/** The exact decimal text without zeros at its end: 1500000 with 6 decimals is "1.5". */
export function wholeTokens(amount: bigint, decimals: number): string {
  if (decimals === 0) return amount.toString();
  const digits = amount.toString().padStart(decimals + 1, '0');
  const fraction = digits.slice(-decimals).replace(/0+$/, '');
  const whole = digits.slice(0, -decimals);
  return fraction === '' ? whole : `${whole}.${fraction}`;
}
