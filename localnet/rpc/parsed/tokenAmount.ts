// Token amounts as answers show them. A mint that bears interest, or scales what is shown, does so here.
import { withoutTrailing } from '../../../core/solana/common/ends';
import type { WireJson } from '../../api';
import type { AccountView } from '../../ledger/accounts/accounts';
import { SYSVAR_CLOCK } from '../../ledger/accounts/addresses';
import { mintScale, readMint, type Mint } from '../../ledger/accounts/tokens';
import type { AccountState } from '../../ledger/types';
import { viewOf } from '../../../core/solana/encoding/bytes';

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

/** Amounts of a mint as they are shown at the time of a view's clock. */
export interface MintAmounts {
  readonly mint: Mint;
  readonly show: (amount: bigint) => { readonly [key: string]: WireJson };
}

/** `undefined` if the account is not a mint. */
export function amountsOf(account: AccountState, view: Pick<AccountView, 'get'>): MintAmounts | undefined {
  const mint = readMint(account);
  if (mint === undefined) return undefined;
  const { decimals } = mint;
  const scale = mintScale(account.data, () => unixTime(view));
  if (scale === undefined) return { mint, show: (amount) => tokenAmount(amount, decimals) };
  return {
    mint,
    show: (amount) => {
      const whole = ((Number(amount) * scale) / 10 ** decimals).toFixed(Math.min(decimals, 100));
      const uiAmountString = decimals === 0 ? whole : withoutTrailing(withoutTrailing(whole, '0'), '.');
      return { amount: amount.toString(), decimals, uiAmount: Number(uiAmountString), uiAmountString };
    },
  };
}

/** Unix seconds of the clock sysvar; 0 where there is none. */
function unixTime(view: Pick<AccountView, 'get'>): bigint {
  const data = view.get(SYSVAR_CLOCK)?.data;
  if (data === undefined || data.length < 40) return 0n;
  return viewOf(data).getBigInt64(32, true);
}

/** The exact decimal text without zeros at its end: 1500000 with 6 decimals is "1.5". */
export function wholeTokens(amount: bigint, decimals: number): string {
  if (decimals === 0) return amount.toString();
  const digits = amount.toString().padStart(decimals + 1, '0');
  const fraction = withoutTrailing(digits.slice(-decimals), '0');
  const whole = digits.slice(0, -decimals);
  return fraction === '' ? whole : `${whole}.${fraction}`;
}
