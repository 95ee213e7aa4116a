// The balance changes of each owner in a transaction: lamports per address, tokens over all accounts of an owner.
import type { BalanceChange, TransactionAccount } from '../decode/decoded';
import type { ExplainedAccount, OwnerBalances, TokenBalance } from './explanation';

/** Whether the account began or ended with the transaction: an account without lamports is not there. */
export function lifeOf({ before, after }: TransactionAccount): 'created' | 'closed' | undefined {
  if (before === undefined || after === undefined || (before === 0n) === (after === 0n)) return undefined;
  return before === 0n ? 'created' : 'closed';
}

/** Each account with what happened to its tokens. */
export function withTokens(
  accounts: readonly TransactionAccount[],
  changes: readonly BalanceChange[],
): readonly ExplainedAccount[] {
  const held = new Map(
    changes.flatMap((change) => {
      if (change.kind !== 'tokens') return [];
      const { account, mint, decimals, before, after, owner, formerOwner } = change;
      const tokens = { mint, decimals, before, after };
      const handed =
        owner === undefined || formerOwner === undefined ? {} : { owners: { from: formerOwner, to: owner } };
      return [[account, { tokens, ...handed }] as const];
    }),
  );
  return accounts.map((account) => {
    const what = account.address === undefined ? undefined : held.get(account.address);
    return { ...account, ...what };
  });
}

/** Only what changed, in the order of the changes. Token accounts without a named owner count as their own. */
export function balancesOf(changes: readonly BalanceChange[]): readonly OwnerBalances[] {
  const owners = new Map<string, OwnerBalances>();
  for (const change of changes.flatMap(byOwner)) {
    const { before, after } = change;
    // An empty token account was opened or closed.
    if (before === after) continue;
    const owner = change.kind === 'tokens' ? (change.owner ?? change.account) : change.account;
    const known = owners.get(owner) ?? { owner, tokens: [] };
    if (change.kind === 'lamports') owners.set(owner, { ...known, lamports: { before, after } });
    else owners.set(owner, { ...known, tokens: withChange(known.tokens, change) });
  }
  return [...owners.values()];
}

/** An account that changed hands: one owner lost what was in it, the other has what is in it. */
function byOwner(change: BalanceChange): readonly BalanceChange[] {
  if (change.kind === 'lamports' || change.formerOwner === undefined) return [change];
  const { formerOwner, ...now } = change;
  return [
    { ...now, owner: formerOwner, after: 0n },
    { ...now, before: 0n },
  ];
}

function withChange(
  tokens: readonly TokenBalance[],
  { mint, decimals, before, after }: Extract<BalanceChange, { kind: 'tokens' }>,
): readonly TokenBalance[] {
  const known = tokens.find((token) => token.mint === mint);
  const sum = { mint, decimals, before: (known?.before ?? 0n) + before, after: (known?.after ?? 0n) + after };
  return known === undefined ? [...tokens, sum] : tokens.map((token) => (token === known ? sum : token));
}
