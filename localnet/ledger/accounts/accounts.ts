// Every account of the ledger in plain JavaScript, indexed by owner, at every height that is not final yet: reads never
// call the engine, and a read at `finalized` cannot see what came later. Writers are the ledger's own, all of them.
import { U64_MAX } from './addresses';
import type { AccountChange, AccountState } from '../types';

/** Reads accounts as they were at one height. */
export interface AccountView {
  get(address: string): AccountState | undefined;
  /** Addresses the program owns or owned at a later height; check the account before use. */
  candidates(owner: string): Iterable<string>;
  addresses(): Iterable<string>;
}

/** An account as a transaction makes one. */
export function newAccount(owner: string, lamports: bigint, data: Uint8Array = new Uint8Array()): AccountState {
  return { lamports, owner, data, executable: false, rentEpoch: U64_MAX };
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

/** Accounts before a stretch of writes. A height is one stretch, or several where long reads began inside it. */
interface Stretch {
  readonly height: number;
  /** Grows from one to the next. */
  readonly order: number;
  readonly before: Map<string, AccountState | undefined>;
}

/** A view that writes do not change any more, until it is released. */
export interface HeldAccounts {
  readonly accounts: AccountView;
  release(): void;
}

export class AccountStore {
  readonly #newest = new Map<string, AccountState>();
  readonly #owned = new Map<string, Set<string>>();
  /** Oldest first. */
  readonly #undo: Stretch[] = [];
  #orders = 0;
  /** The order up to which each long read sees. */
  readonly #holds: number[] = [];

  /** Heights up to the one before `height` are closed: from here on writes belong to it. */
  open(height: number): void {
    this.#undo.push({ height, order: ++this.#orders, before: new Map() });
  }

  /** Forgets what was before `height`, unless a long read still needs it. */
  finalize(height: number): void {
    const needed = this.#holds.reduce((least, order) => Math.min(least, order), Infinity);
    const first = this.#undo.findIndex((stretch) => stretch.height > height || stretch.order > needed);
    const gone = this.#undo.splice(0, first === -1 ? this.#undo.length : first);
    for (const { before } of gone)
      for (const [address, account] of before) if (account !== undefined) this.#forget(address, account.owner);
  }

  /** Takes the writes of the open height back and closes it; answers what it had written, as it is again. */
  revert(): readonly AccountChange[] {
    const open = this.#undo.at(-1)?.height;
    const restored = new Map<string, AccountState | undefined>();
    for (let last = this.#undo.at(-1); last !== undefined && last.height === open; last = this.#undo.at(-1)) {
      this.#undo.pop();
      for (const [address, account] of last.before) {
        this.#put(address, account);
        restored.set(address, account);
      }
    }
    return [...restored];
  }

  /** The accounts at the end of a height, and what each later height wrote, as its own end left it. */
  split(height: number): {
    readonly at: ReadonlyMap<string, AccountState>;
    readonly later: ReadonlyMap<number, readonly AccountChange[]>;
  } {
    const at = new Map(this.#newest);
    const later = new Map<number, Map<string, AccountState | undefined>>();
    for (const entry of [...this.#undo].reverse()) {
      if (entry.height <= height) break;
      const ended = later.get(entry.height) ?? new Map<string, AccountState | undefined>();
      // A height may have several entries: the last one to write an account has its state at the height's end.
      for (const address of entry.before.keys()) if (!ended.has(address)) ended.set(address, at.get(address));
      later.set(entry.height, ended);
      for (const [address, account] of entry.before)
        if (account === undefined) at.delete(address);
        else at.set(address, account);
    }
    return { at, later: new Map([...later].map(([at, changes]) => [at, [...changes]])) };
  }

  /** The accounts that the open height has written so far. */
  written(): readonly AccountChange[] {
    const open = this.#undo.at(-1)?.height;
    const stretches = this.#undo.filter(({ height }) => height === open);
    const addresses = new Set(stretches.flatMap(({ before }) => [...before.keys()]));
    return [...addresses].map((address) => [address, this.#newest.get(address)]);
  }

  /** The accounts as they are at `height` now, for a read during which writes may happen. */
  hold(height: number): HeldAccounts {
    const order = this.#closeStretch(height);
    this.#holds.push(order);
    return {
      accounts: this.#viewBefore((stretch) => stretch.order > order),
      release: () => {
        this.#holds.splice(this.#holds.indexOf(order), 1);
        if (!this.#holds.includes(order)) this.#joinStretches(order);
      },
    };
  }

  get(address: string): AccountState | undefined {
    return this.#newest.get(address);
  }

  /** Every account as it is now. */
  entries(): Iterable<readonly [string, AccountState]> {
    return this.#newest.entries();
  }

  /** A write of the open height. `undefined` removes the account. */
  set(address: string, account: AccountState | undefined): void {
    const entry = this.#undo.at(-1);
    if (entry !== undefined && !entry.before.has(address)) entry.before.set(address, this.#newest.get(address));
    this.#put(address, account);
  }

  /** A write that holds at every height, as if it had always been. */
  setEverywhere(address: string, account: AccountState | undefined): void {
    for (const { before } of this.#undo) {
      const old = before.get(address);
      before.delete(address);
      if (old !== undefined) this.#forget(address, old.owner);
    }
    this.#put(address, account);
  }

  /** The accounts at the end of `height`; for the open height, as they are now. */
  at(height: number): AccountView {
    return this.#viewBefore((stretch) => stretch.height > height);
  }

  /** The accounts before the stretches that `later` picks. */
  #viewBefore(later: (stretch: Stretch) => boolean): AccountView {
    // The list is looked at afresh for every account: blocks may close between two reads of one view.
    const get = (address: string): AccountState | undefined => {
      for (const stretch of this.#undo)
        if (stretch.before.size > 0 && later(stretch) && stretch.before.has(address))
          return stretch.before.get(address);
      return this.#newest.get(address);
    };
    return {
      get,
      candidates: (owner) => once(this.#owned.get(owner) ?? []),
      addresses: () => once(this.#everyAddress()),
    };
  }

  *#everyAddress(): Generator<string, void, void> {
    yield* this.#newest.keys();
    for (const { before } of [...this.#undo]) yield* before.keys();
  }

  /** Ends the stretch that a read at `height` sees to its end; answers its order. */
  #closeStretch(height: number): number {
    const last = this.#undo.at(-1);
    if (last === undefined || last.height > height)
      return this.#undo.findLast((stretch) => stretch.height <= height)?.order ?? 0;
    if (last.before.size === 0) return last.order - 1;
    this.open(last.height);
    return last.order;
  }

  /** Undoes what `closeStretch` did: every read of a height looks at each of its stretches. */
  #joinStretches(order: number): void {
    const at = this.#undo.findIndex((stretch) => stretch.order === order);
    const [first, second] = [this.#undo[at], this.#undo[at + 1]];
    if (first === undefined || second?.height !== first.height) return;
    for (const [address, account] of second.before) if (!first.before.has(address)) first.before.set(address, account);
    this.#undo.splice(at, 2, { ...first, order: second.order });
  }

  #put(address: string, account: AccountState | undefined): void {
    const old = this.#newest.get(address);
    if (account === undefined) this.#newest.delete(address);
    else {
      this.#newest.set(address, account);
      const set = this.#owned.get(account.owner);
      if (set === undefined) this.#owned.set(account.owner, new Set([address]));
      else set.add(address);
    }
    if (old !== undefined) this.#forget(address, old.owner);
  }

  /** Drops an address from an owner's index unless some readable height still has it there. */
  #forget(address: string, owner: string): void {
    if (this.#newest.get(address)?.owner === owner) return;
    if (this.#undo.some(({ before }) => before.get(address)?.owner === owner)) return;
    const set = this.#owned.get(owner);
    set?.delete(address);
    if (set?.size === 0) this.#owned.delete(owner);
  }
}

/** Iterates once over a source that may change; rewritten entries reappear last. */
function* once(source: Iterable<string>): Generator<string, void, void> {
  const seen = new Set<string>();
  for (const value of source) {
    if (seen.has(value)) continue;
    seen.add(value);
    yield value;
  }
}
