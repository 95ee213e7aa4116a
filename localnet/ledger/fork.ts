// Accounts from elsewhere, fetched when something first needs them, once: from then on they are the ledger's own. Fetches
// together what comes together, and a program's code and a token account's mint with it. Only reads reach the source.
import { AsyncLocalStorage } from 'node:async_hooks';
import type { AccountStore } from './accounts/accounts';
import { FEATURE_PROGRAM, NATIVE_LOADER, SYSVAR_OWNER } from './accounts/addresses';
import { codeAddressOf } from './accounts/programs';
import { readTokenAccount } from './accounts/tokens';
import { ForkError, LedgerInputError } from './errors';
import type { Fetched } from './fetched';
import type { FetchedAccount } from './saved';
import type { AccountState } from './types';

/** Reads of one question, as many as a node answers for. */
const AT_ONCE = 100;
/** How often one call may find that it needs more: a table, its addresses, their programs. */
const MAX_ROUNDS = 8;
/** The most that one ledger fetches. */
const MAX_ACCOUNTS = 100_000;
const MAX_BYTES = 1024 ** 3;
/** Addresses that a status names. */
const SHOWN = 1_000;

/** Where accounts come from. Every method rejects with an Error whose message is for people. */
export interface ForkSource {
  readonly name: string;
  /** Questions so far. */
  readonly reads: number;
  /** Up to 100 accounts, in the order of the addresses. */
  accounts(addresses: readonly string[]): Promise<{
    readonly slot: number;
    readonly accounts: readonly (AccountState | undefined)[];
  }>;
}

/** The ledger that is forked. */
interface ForkedLedger {
  readonly accounts: AccountStore;
  readonly fetched: Fetched;
  readonly genesis: ReadonlyMap<string, AccountState>;
  readonly svm: { readonly knownFeatures: readonly string[] };
  adopt(fetched: readonly (readonly [address: string, fetched: FetchedAccount])[]): void;
}

/** A fork's fetches so far. */
interface ForkStatus {
  readonly source: string;
  readonly reads: number;
  /** Addresses that were asked for and exist there, and those that do not. */
  readonly fetched: number;
  readonly absent: number;
  readonly bytes: number;
  /** The newest first, at most 1,000: each with the slot of its answer. */
  readonly newest: readonly { readonly address: string; readonly slot: number; readonly exists: boolean }[];
}

/** A call needs accounts that were never fetched; it has changed nothing yet. */
class Untouched extends Error {
  constructor(readonly addresses: readonly string[]) {
    super('accounts have yet to be fetched');
  }
}

export class Fork {
  /** Of each call that is being answered: the addresses that it missed. */
  readonly #calls = new AsyncLocalStorage<Set<string>>();
  readonly #queue = new Set<string>();
  #round: Promise<void> | undefined;
  /** Accounts the ledger began with, even if deleted since, and its engine's features: never fetched. */
  readonly #own: ReadonlySet<string>;

  /** The ledger has its first accounts, and those of an earlier run. */
  constructor(
    private readonly state: ForkedLedger,
    private readonly source: ForkSource,
  ) {
    this.#own = new Set([...state.genesis.keys(), ...state.svm.knownFeatures]);
  }

  /** Notes that a call has read an account which is not there. */
  miss(address: string): undefined {
    if (this.#isUntouched(address)) this.#calls.getStore()?.add(address);
    return undefined;
  }

  /** Stops a call before it changes anything, where it needs accounts that were never fetched. */
  need(addresses: readonly string[]): void {
    const untouched = addresses.filter((address) => this.#isUntouched(address));
    if (untouched.length > 0) throw new Untouched(untouched);
  }

  /** Makes a call, and again once what it missed is there. Rejects with ForkError where that cannot be fetched. */
  async answer<T>(call: () => T | Promise<T>): Promise<T> {
    for (let round = 0; round < MAX_ROUNDS; round++) {
      const missed = new Set<string>();
      let end: () => T;
      let isWhole = true;
      try {
        const value = await this.#calls.run(missed, call);
        end = () => value;
      } catch (error) {
        if (error instanceof Untouched) {
          isWhole = false;
          for (const address of error.addresses) missed.add(address);
        }
        end = () => {
          throw error;
        };
      }
      if (isWhole && missed.size === 0) return end();
      await this.touch([...missed]);
    }
    throw new ForkError('This call needs accounts that lead to more accounts without an end.');
  }

  /** Fetches what was never fetched. Rejects with ForkError. */
  async touch(addresses: readonly string[]): Promise<void> {
    for (;;) {
      const untouched = addresses.filter((address) => this.#isUntouched(address));
      if (untouched.length === 0) return;
      for (const address of untouched) this.#queue.add(address);
      this.#round ??= this.#fetchRound();
      await this.#round;
    }
  }

  /** Takes accounts that were read in a list, as far as they are new here. Throws ForkError. */
  take(accounts: readonly (readonly [address: string, account: FetchedAccount])[]): void {
    this.#adopt(new Map(accounts.filter(([address]) => this.#isUntouched(address))));
  }

  status(): ForkStatus {
    const newest = [...this.state.fetched.all].slice(-SHOWN).reverse();
    return {
      source: this.source.name,
      reads: this.source.reads,
      ...this.#held(),
      newest: newest.map(([address, { slot, account }]) => ({ address, slot, exists: account !== undefined })),
    };
  }

  /** How many accounts are here that exist at the source. */
  get fetched(): number {
    return this.#held().fetched;
  }

  #held(): Pick<ForkStatus, 'fetched' | 'absent' | 'bytes'> {
    const held = { fetched: 0, absent: 0, bytes: 0 };
    for (const { account } of this.state.fetched.all.values()) {
      held[account === undefined ? 'absent' : 'fetched']++;
      held.bytes += account?.data.length ?? 0;
    }
    return held;
  }

  /** False for accounts that the ledger began with, has, or has fetched. */
  #isUntouched(address: string): boolean {
    const { state } = this;
    return !state.fetched.all.has(address) && state.accounts.get(address) === undefined && !this.#own.has(address);
  }

  async #fetchRound(): Promise<void> {
    // Calls that are made in the same turn are fetched for together.
    await new Promise((resolve) => setImmediate(resolve));
    const first = [...this.#queue].slice(0, AT_ONCE);
    for (const address of first) this.#queue.delete(address);
    try {
      const found = new Map<string, FetchedAccount>();
      for (let wanted: readonly string[] = first; wanted.length > 0;) {
        const { slot, accounts } = await this.source.accounts(wanted.slice(0, AT_ONCE));
        for (const [index, address] of wanted.slice(0, AT_ONCE).entries())
          found.set(address, { slot, account: accounts[index] });
        const rest = wanted.slice(AT_ONCE);
        wanted = [...rest, ...this.#companions(found, new Set(rest))];
      }
      this.#adopt(found);
    } catch (error) {
      throw error instanceof ForkError ? error : new ForkError(error instanceof Error ? error.message : String(error));
    } finally {
      this.#round = undefined;
    }
  }

  /** The code of programs and the mints of token accounts, as far as they are not here yet. */
  #companions(found: ReadonlyMap<string, FetchedAccount>, asked: ReadonlySet<string>): readonly string[] {
    const named = [...found.values()].flatMap(({ account }) =>
      account === undefined ? [] : [codeAddressOf(account) ?? readTokenAccount(account)?.mint ?? []].flat(),
    );
    return [...new Set(named)].filter(
      (address) => !found.has(address) && !asked.has(address) && this.#isUntouched(address),
    );
  }

  #adopt(found: ReadonlyMap<string, FetchedAccount>): void {
    const { fetched, bytes } = this.#held();
    const added = [...found.values()].reduce((sum, { account }) => sum + (account?.data.length ?? 0), 0);
    if (fetched + found.size > MAX_ACCOUNTS || bytes + added > MAX_BYTES)
      throw new ForkError(
        `A fork holds at most ${MAX_ACCOUNTS} accounts and 1 GiB of data; this one has ${fetched} accounts and ${bytes} bytes.`,
      );
    try {
      const untouched = [...found].filter(([address]) => this.#isUntouched(address));
      this.state.adopt(untouched.map(([address, one]) => [address, { ...one, account: takeable(one.account) }]));
    } catch (error) {
      if (error instanceof LedgerInputError) throw new ForkError(error.message);
      throw error;
    }
  }
}

/** Sysvars, native programs and features are the engine's own: those that it does not have are not there. */
function takeable(account: AccountState | undefined): AccountState | undefined {
  return [NATIVE_LOADER, SYSVAR_OWNER, FEATURE_PROGRAM].includes(account?.owner ?? '') ? undefined : account;
}
