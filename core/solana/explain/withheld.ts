// Fees that Token-2022 withheld from transfers: they are in the receiving account, but not in the balance that a node
// reports.
import { visibleText } from '../decode/decodedText';
import { addressName, TOKEN_2022_PROGRAM } from '../chain/addresses';
import { formatUnits } from '../chain/lamports';
import { callsInOrder } from './calls';
import type { ExplainedAccount, ExplainedCall, TokenBalance } from './explanation';

/** Only these withhold. */
const TRANSFERS: ReadonlySet<string> = new Set(['transferChecked', 'transferCheckedWithFee']);

/** Other instructions that leave the amounts of a mint's accounts as they are, taken together. */
const NEUTRAL: ReadonlySet<string> = new Set([
  'approve',
  'approveChecked',
  'closeAccount',
  'disableCpiGuard',
  'disableRequiredMemoTransfers',
  'enableCpiGuard',
  'enableRequiredMemoTransfers',
  'freezeAccount',
  'getAccountDataSize',
  'harvestWithheldTokensToMint',
  'initializeAccount',
  'initializeAccount2',
  'initializeAccount3',
  'initializeImmutableOwner',
  'reallocate',
  'revoke',
  'setAuthority',
  'thawAccount',
]);

/** One sentence for each mint whose accounts lost tokens to fees; none where something else may have changed the amounts. */
export function withheldNotes(
  accounts: readonly ExplainedAccount[],
  calls: readonly ExplainedCall[],
): readonly string[] {
  const token2022 = callsInOrder(calls).filter(({ program }) => program === TOKEN_2022_PROGRAM);
  const byMint = new Map<string, (TokenBalance & { readonly address: string })[]>();
  for (const { address, tokens } of accounts)
    if (address !== undefined && tokens !== undefined)
      byMint.set(tokens.mint, [...(byMint.get(tokens.mint) ?? []), { ...tokens, address }]);
  return [...byMint].flatMap(([mint, held]) => {
    const about = new Set([mint, ...held.map(({ address }) => address)]);
    const names = token2022
      .filter(({ accounts: named }) => named.some(({ address = '' }) => about.has(address)))
      .map(({ name = '' }) => name);
    const isKnown = names.every((name) => TRANSFERS.has(name) || NEUTRAL.has(name));
    const withheld = held.reduce((sum, { before, after }) => sum + before - after, 0n);
    const [first] = held;
    if (first === undefined || withheld <= 0n || !isKnown || !names.some((name) => TRANSFERS.has(name))) return [];
    const amount = `${formatUnits(withheld, first.decimals)} of ${addressName(mint) ?? visibleText(mint)}`;
    return [`Withheld as transfer fee: ${amount}. It is in the receiving account, and no balance here includes it.`];
  });
}
