// The keys: each in the editor's secret storage under a separate id, next to an index without secrets; those of the local
// service in memory, as long as it runs. Never hands a secret to anything but the key broker.
import { randomUUID } from 'node:crypto';
import type { SecretStorage } from 'vscode';
import { Secret } from '../../core/service/keys/secret';
import { Queue } from '../shared/queue';
import { areRivals, readIndex, type KeyRecord, type NewKey } from './keyRecord';

/** Something about a stored key changed, here or in another window; `secret` is true when leases of it are void. */
export interface VaultChange {
  readonly record: KeyRecord;
  readonly secret: boolean;
}

type Store = Pick<SecretStorage, 'get' | 'store' | 'delete' | 'onDidChange'>;
type Changes = Pick<Partial<KeyRecord>, 'label' | 'state' | 'lastUsed' | 'keyId'>;

const INDEX = 'solanaRpc.keyIndex';
const ENTRY = 'solanaRpc.key.';

/** The last four characters would reveal half of a shorter key. */
const MIN_TOLD = 12;

/** The only place of the client where a secret becomes text: for the key channel, and for the fragment of the local dashboard. */
export function textOfSecret(secret: Secret): string {
  return secret.reveal();
}

export class KeyVault {
  readonly #store: Store;
  readonly #listeners = new Set<(change: VaultChange) => void>();
  readonly #session = new Map<string, { record: KeyRecord; secret: Secret }>();
  readonly #subscription: { dispose(): unknown };
  #index: readonly KeyRecord[] | undefined;
  #gone: readonly KeyRecord[] = [];
  /** One read-modify-write at a time. */
  readonly #queue = new Queue();

  constructor(store: Store) {
    this.#store = store;
    this.#subscription = store.onDidChange(({ key }) => void this.#queue.add(() => this.#noticed(key)));
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#listeners.clear();
    this.#session.clear();
  }

  /** Fires with every change of a key, here or in another window. */
  onDidChange(listener: (change: VaultChange) => void): { dispose(): void } {
    this.#listeners.add(listener);
    return { dispose: () => void this.#listeners.delete(listener) };
  }

  /** All keys, those of the session first. */
  async list(): Promise<readonly KeyRecord[]> {
    const stored = await this.#queue.add(() => this.#load());
    return [...[...this.#session.values()].map(({ record }) => record), ...stored];
  }

  /** Keys that another window removed while this one was open; until they are dismissed. */
  get removedElsewhere(): readonly KeyRecord[] {
    return this.#gone;
  }

  dismissRemoved(id: string): void {
    const record = this.#gone.find((one) => one.id === id);
    this.#gone = this.#gone.filter((one) => one !== record);
    if (record !== undefined) this.#changed({ record, secret: false });
  }

  /** The secret of a key; undefined where it was removed, here or in another window. */
  async secret(id: string): Promise<Secret | undefined> {
    const held = this.#session.get(id);
    if (held !== undefined) return held.secret;
    const text = await this.#store.get(ENTRY + id);
    return text === undefined ? undefined : new Secret(text);
  }

  /**
   * The last four characters, to tell keys apart; undefined if the key is gone or so short that they would reveal much of it.
   */
  async lastFour(id: string): Promise<string | undefined> {
    const text = (await this.secret(id))?.reveal();
    return text === undefined || text.length < MIN_TOLD ? undefined : text.slice(-4);
  }

  /** Stores a key. The secret is written before the index names it, so that the index never lists a key that does not exist. */
  add(key: NewKey, secret: Secret): Promise<KeyRecord> {
    return this.#queue.add(async () => {
      const record: KeyRecord = { state: { kind: 'untested' }, ...key, id: randomUUID() };
      await this.#store.store(ENTRY + record.id, secret.reveal());
      try {
        await this.#write([...(await this.#reload()), record]);
      } catch (error) {
        // Nobody would find the secret again.
        await this.#store.delete(ENTRY + record.id);
        throw error;
      }
      this.#changed({ record, secret: true });
      return record;
    });
  }

  /** Keeps a key for the life of this window only: the local service's. Replaces one of the same id. */
  hold(id: string, key: NewKey, secret: Secret): KeyRecord {
    const record: KeyRecord = { state: { kind: 'active' }, ...key, id };
    this.#session.set(id, { record, secret });
    this.#changed({ record, secret: true });
    return record;
  }

  /** Swaps the secret in one write; the old one is gone with it. Rejects, with the old key in place, when the write fails. */
  async swap(id: string, secret: Secret, changes: Pick<Changes, 'keyId' | 'state'>): Promise<void> {
    const held = this.#session.get(id);
    if (held !== undefined) {
      const record = { ...held.record, ...changes };
      this.#session.set(id, { record, secret });
      this.#changed({ record, secret: true });
      return;
    }
    await this.#queue.add(async () => {
      await this.#store.store(ENTRY + id, secret.reveal());
      // The key is swapped: what is said of it may stay as it was.
      await this.#edit(id, changes, true).catch(() => this.#edited(id, changes, true));
    });
  }

  /** Notes what became known of a key; unknown ids are ignored: the key may have been removed meanwhile. */
  note(id: string, changes: Pick<Changes, 'state' | 'lastUsed'>): Promise<void> {
    return this.#change(id, changes, false);
  }

  /** Files choose keys by their label: leases under the old one are void. */
  rename(id: string, label: string): Promise<void> {
    return this.#change(id, { label }, true);
  }

  /** Requests of its profile go out with this key from now on, where a file names none. */
  async choose(id: string): Promise<void> {
    await this.#queue.add(async () => {
      const index = await this.#reload();
      const wanted = index.find((record) => record.id === id);
      if (wanted === undefined) return;
      const chosen = index.map((record) =>
        record.id === id
          ? { ...record, chosen: true }
          : areRivals(record, wanted)
            ? { ...record, chosen: false }
            : record,
      );
      await this.#write(chosen);
      for (const record of chosen)
        if (record.id === id || areRivals(record, wanted)) this.#changed({ record, secret: true });
    });
  }

  async remove(id: string): Promise<void> {
    const held = this.#session.get(id);
    if (held !== undefined) {
      this.#session.delete(id);
      this.#changed({ record: held.record, secret: true });
      return;
    }
    await this.#queue.add(async () => {
      const index = await this.#reload();
      const record = index.find((candidate) => candidate.id === id);
      await this.#store.delete(ENTRY + id);
      await this.#write(index.filter((candidate) => candidate.id !== id));
      if (record !== undefined) this.#changed({ record, secret: true });
    });
  }

  async #change(id: string, changes: Changes, secret: boolean): Promise<void> {
    const held = this.#session.get(id);
    if (held === undefined) return this.#queue.add(() => this.#edit(id, changes, secret));
    const record = { ...held.record, ...changes };
    this.#session.set(id, { ...held, record });
    this.#changed({ record, secret });
  }

  #changed(change: VaultChange): void {
    for (const listener of this.#listeners) listener(change);
  }

  /** The key may have been changed by another window: what we knew of it is void. */
  async #noticed(key: string): Promise<void> {
    if (key === INDEX) {
      const before = this.#index ?? [];
      const after = await this.#reload();
      const gone = before.filter((record) => !after.some(({ id }) => id === record.id));
      for (const record of [...gone, ...after]) {
        const known = before.find(({ id }) => id === record.id);
        // Another label, or another choice, makes leases void as another secret does.
        const isOther = known?.label !== record.label || known.chosen !== record.chosen;
        this.#changed({ record, secret: gone.includes(record) || isOther });
      }
    } else if (key.startsWith(ENTRY)) {
      const record = (await this.#load()).find(({ id }) => ENTRY + id === key);
      if (record !== undefined) this.#changed({ record, secret: true });
    }
  }

  async #edit(id: string, changes: Changes, secret: boolean): Promise<void> {
    const index = await this.#reload();
    await this.#write(index.map((record) => (record.id === id ? { ...record, ...changes } : record)));
    await this.#edited(id, changes, secret);
  }

  async #edited(id: string, changes: Changes, secret: boolean): Promise<void> {
    const found = (await this.#load()).find((record) => record.id === id);
    if (found !== undefined) this.#changed({ record: { ...found, ...changes }, secret });
  }

  async #load(): Promise<readonly KeyRecord[]> {
    this.#index ??= readIndex(await this.#store.get(INDEX));
    return this.#index;
  }

  /** Before a write: another window may have written since. What it removed is kept apart. */
  async #reload(): Promise<readonly KeyRecord[]> {
    const before = this.#index ?? [];
    const after = readIndex(await this.#store.get(INDEX));
    const gone = before.filter((record) => !after.some(({ id }) => id === record.id));
    this.#gone = [...this.#gone, ...gone.map((record): KeyRecord => ({ ...record, state: { kind: 'removed' } }))];
    this.#index = after;
    return after;
  }

  async #write(index: readonly KeyRecord[]): Promise<void> {
    await this.#store.store(INDEX, JSON.stringify(index));
    this.#index = index;
  }
}
