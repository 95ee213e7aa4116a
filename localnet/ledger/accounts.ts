// Every account of the ledger in plain JavaScript, indexed by owner, at every height that is not final yet: reads never
// call the engine, and a read at `finalized` cannot see what came later. Writers are the ledger's own, all of them.
import type { AccountChange } from './engineOrder';
import type { AccountState } from './types';

/** Reads accounts as they stood at one height. */
export interface AccountView {
  get(address: string): AccountState | undefined;
  /** Addresses the program owns or owned at a later height; check the account before use. */
  candidates(owner: string): Iterable<string>;
  addresses(): Iterable<string>;
}

export function sameAccount(a: AccountState | undefined, b: AccountState | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  return (
    a.lamports === b.lamports &&
    a.owner === b.owner &&
    a.executable === b.executable &&
    a.data.length === b.data.length &&
    Buffer.compare(a.data, b.data) === 0
  );
}

export class AccountStore {
  private readonly newest = new Map<string, AccountState>();
  private readonly owned = new Map<string, Set<string>>();
  /** Per height: what an account was before that height first wrote it. Ascending heights, newest last. */
  private readonly undo: { readonly height: number; readonly before: Map<string, AccountState | undefined> }[] = [];
  private readonly pins: number[] = [];

  /** Heights up to the one before `height` are closed: from here on writes belong to it. */
  open(height: number): void {
    this.undo.push({ height, before: new Map() });
  }

  /** Forgets what was before `height`, unless a pinned read still needs it. */
  finalize(height: number): void {
    const lowest = Math.min(height, ...this.pins);
    const first = this.undo.findIndex((entry) => entry.height > lowest);
    const gone = this.undo.splice(0, first === -1 ? this.undo.length : first);
    for (const { before } of gone)
      for (const [address, account] of before) if (account !== undefined) this.forget(address, account.owner);
  }

  /** Takes the writes of the open height back and closes it; answers what it had written, as it is again. */
  revert(): readonly AccountChange[] {
    const { before = new Map<string, AccountState | undefined>() } = this.undo.pop() ?? {};
    for (const [address, account] of before) this.put(address, account);
    return [...before];
  }

  /** The accounts at the end of a height, and what each later height wrote, as its own end left it. */
  split(height: number): {
    readonly at: ReadonlyMap<string, AccountState>;
    readonly later: ReadonlyMap<number, readonly AccountChange[]>;
  } {
    const at = new Map(this.newest);
    const later = new Map<number, readonly AccountChange[]>();
    for (const entry of [...this.undo].reverse()) {
      if (entry.height <= height) break;
      later.set(
        entry.height,
        [...entry.before.keys()].map((address) => [address, at.get(address)]),
      );
      for (const [address, account] of entry.before)
        if (account === undefined) at.delete(address);
        else at.set(address, account);
    }
    return { at, later };
  }

  /** What the open height has written so far. */
  written(): readonly AccountChange[] {
    return [...(this.undo.at(-1)?.before.keys() ?? [])].map((address) => [address, this.newest.get(address)]);
  }

  /** Forgets that heights were ever open: what is now has always been. */
  settle(): void {
    this.finalize(Number.POSITIVE_INFINITY);
  }

  /** Keeps a height readable while a long read yields to others; call what it returns when done. */
  pin(height: number): () => void {
    this.pins.push(height);
    return () => {
      this.pins.splice(this.pins.indexOf(height), 1);
    };
  }

  get(address: string): AccountState | undefined {
    return this.newest.get(address);
  }

  /** Every account as it is now. */
  entries(): Iterable<readonly [string, AccountState]> {
    return this.newest.entries();
  }

  /** A write of the open height. `undefined` removes the account. */
  set(address: string, account: AccountState | undefined): void {
    const entry = this.undo.at(-1);
    if (entry !== undefined && !entry.before.has(address)) entry.before.set(address, this.newest.get(address));
    this.put(address, account);
  }

  /** A write that holds at every height, as if it had always been. */
  setEverywhere(address: string, account: AccountState | undefined): void {
    for (const { before } of this.undo) {
      const old = before.get(address);
      before.delete(address);
      if (old !== undefined) this.forget(address, old.owner);
    }
    this.put(address, account);
  }

  /** The accounts at the end of `height`; for the open height, as they are now. */
  at(height: number): AccountView {
    // The list is looked at afresh for every account: blocks may close between two reads of one view.
    const get = (address: string): AccountState | undefined => {
      for (const entry of this.undo)
        if (entry.height > height && entry.before.size > 0 && entry.before.has(address))
          return entry.before.get(address);
      return this.newest.get(address);
    };
    return {
      get,
      candidates: (owner) => this.owned.get(owner) ?? [],
      addresses: () => {
        const all = new Set(this.newest.keys());
        for (const { before } of this.undo) for (const address of before.keys()) all.add(address);
        return all;
      },
    };
  }

  private put(address: string, account: AccountState | undefined): void {
    const old = this.newest.get(address);
    if (account === undefined) this.newest.delete(address);
    else {
      this.newest.set(address, account);
      const set = this.owned.get(account.owner);
      if (set === undefined) this.owned.set(account.owner, new Set([address]));
      else set.add(address);
    }
    if (old !== undefined) this.forget(address, old.owner);
  }

  /** Drops an address from an owner's index unless some readable height still has it there. */
  private forget(address: string, owner: string): void {
    if (this.newest.get(address)?.owner === owner) return;
    if (this.undo.some(({ before }) => before.get(address)?.owner === owner)) return;
    const set = this.owned.get(owner);
    set?.delete(address);
    if (set?.size === 0) this.owned.delete(owner);
  }
}
