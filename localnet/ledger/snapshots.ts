// Remembered states of all accounts. A snapshot holds references only: accounts never change in place.
import { SYSVAR_OWNER } from './accounts/addresses';
import { engineOrder } from './engine/engineOrder';
import { LedgerInputError } from './errors';
import type { LedgerState } from './state';
import type { AccountState } from './types';

const KEPT = 16;
const NAME = /^[\w.-]{1,64}$/;

interface Snapshot {
  readonly accounts: ReadonlyMap<string, AccountState>;
  /** Addresses that had been fetched from elsewhere. */
  readonly fetched: ReadonlySet<string>;
}

export class Snapshots {
  readonly #taken = new Map<string, Snapshot>();
  #count = 0;

  constructor(private readonly state: LedgerState) {}

  take(given?: string): string {
    if (given !== undefined && !NAME.test(given))
      throw new LedgerInputError('A name has 1 to 64 letters, digits, dots, dashes and underscores.');
    const name = given ?? this.#unusedName();
    // A snapshot that is taken again becomes the newest.
    this.#taken.delete(name);
    this.#taken.set(name, {
      accounts: new Map(this.state.accounts.entries()),
      fetched: new Set(this.state.fetched.all.keys()),
    });
    const [oldest] = this.#taken.keys();
    if (this.#taken.size > KEPT && oldest !== undefined) this.#taken.delete(oldest);
    return name;
  }

  /** Oldest first. */
  names(): readonly string[] {
    return [...this.#taken.keys()];
  }

  #unusedName(): string {
    do this.#count++;
    while (this.#taken.has(`snapshot-${this.#count}`));
    return `snapshot-${this.#count}`;
  }

  restore(name: string): void {
    const taken = this.#taken.get(name);
    if (taken === undefined) throw new LedgerInputError(`There is no snapshot "${name}".`);
    // Accounts fetched since then had existed all the time.
    this.#putBack(this.state.fetched.beside(taken.accounts, taken.fetched));
  }

  reset(): void {
    this.#putBack(this.state.genesis);
  }

  /** Only what differs is written: in the order that the engine takes. */
  #putBack(accounts: ReadonlyMap<string, AccountState>): void {
    const now = new Map(this.state.accounts.entries());
    const gone = [...now.keys()].filter((address) => !accounts.has(address));
    const changed = [...accounts].filter(([address, account]) => now.get(address) !== account);
    for (const address of gone) this.state.overwrite(address, undefined);
    const kept = changed.filter(([, account]) => account.owner !== SYSVAR_OWNER);
    const after = {
      get: (address: string) => accounts.get(address),
      candidates: (owner: string) => [...accounts].flatMap(([address, one]) => (one.owner === owner ? [address] : [])),
    };
    for (const [address, account] of engineOrder(kept, after)) this.state.overwrite(address, account);
  }
}
