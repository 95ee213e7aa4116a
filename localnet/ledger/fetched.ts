// The accounts that a ledger has from elsewhere, as they came: what a reset goes back to, and what a state file keeps.
import type { AccountStore } from './accounts/accounts';
import type { Svm } from './engine/svm';
import { LedgerInputError } from './errors';
import { fetchedChanges, type FetchedAccount, type LedgerJournal } from './saved';
import type { AccountState } from './types';

/** The ledger that gets them. */
interface Taker {
  readonly svm: Svm;
  readonly accounts: AccountStore;
}

export class Fetched {
  readonly #came = new Map<string, FetchedAccount>();

  constructor(private readonly ledger: Taker) {}

  /** Every address that was asked for, those that do not exist among them. */
  get all(): ReadonlyMap<string, FetchedAccount> {
    return this.#came;
  }

  /** Notes what an earlier run fetched; its accounts are the ledger's already. */
  remember(address: string, fetched: FetchedAccount): void {
    this.#came.set(address, fetched);
  }

  /** These accounts and the other fetched ones, except the addresses in `without`. */
  beside(
    accounts: ReadonlyMap<string, AccountState>,
    without: { has(address: string): boolean } = NOTHING,
  ): ReadonlyMap<string, AccountState> {
    const later = [...this.#came].flatMap(([address, { account }]) =>
      account === undefined || without.has(address) ? [] : [[address, account] as const],
    );
    return later.length === 0 ? accounts : new Map([...later, ...accounts]);
  }

  /**
   * Makes accounts the ledger's own, at every height and without an event: nothing has changed. Throws LedgerInputError,
   * with none of them adopted, if the engine refuses an account.
   */
  adopt(fetched: readonly (readonly [address: string, fetched: FetchedAccount])[], journal?: LedgerJournal): void {
    const { svm, accounts } = this.ledger;
    // The engine reads a program's code at the moment the program is written.
    const existing = fetched
      .flatMap(([address, { account }]) => (account === undefined ? [] : [[address, account] as const]))
      .sort((a, b) => Number(a[1].executable) - Number(b[1].executable));
    for (const [at, [address, account]] of existing.entries())
      try {
        svm.setAccount(address, account);
      } catch {
        for (const [done] of existing.slice(0, at)) svm.setAccount(done, accounts.get(done));
        throw new LedgerInputError(
          `The engine refuses the account ${address} that was fetched: its data is not what its owner keeps there.`,
        );
      }
    for (const [address, one] of fetched) {
      this.#came.set(address, one);
      if (one.account !== undefined) accounts.setEverywhere(address, one.account);
    }
    for (const change of fetchedChanges(fetched)) journal?.(change);
  }
}

const NOTHING: ReadonlySet<string> = new Set();
