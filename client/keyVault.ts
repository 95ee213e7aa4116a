// The keys: each in the editor's secret storage under an id of its own, beside an index without secrets. A key of the
// local service lives in memory only. Never hands a secret to anything but the key broker.
import { randomUUID } from 'node:crypto';
import type { SecretStorage } from 'vscode';
import type { KeyType } from '../core/errors';
import { Secret } from '../core/secret';
import type { Origins } from './origins';

/** What the service last said of a key; times in Unix milliseconds. */
export type KeyState =
  | { readonly kind: 'untested' }
  | { readonly kind: 'active' }
  | { readonly kind: 'rejected' }
  | { readonly kind: 'wrongType' }
  | { readonly kind: 'suspended'; readonly until?: number };

/** A key without its secret. */
export interface KeyRecord {
  readonly id: string;
  readonly type: KeyType;
  readonly label: string;
  /** The profile it was added for; for showing and for choosing between several that fit. */
  readonly profile: string;
  readonly origins: Origins;
  /** The service's own name of the key. */
  readonly keyId?: string;
  readonly state: KeyState;
  readonly lastUsed?: number;
}

export type NewKey = Omit<KeyRecord, 'id' | 'state' | 'lastUsed'> & { readonly state?: KeyState };

/** Something about a stored key changed, here or in another window; `secret` is true when leases of it are void. */
export interface VaultChange {
  readonly record: KeyRecord;
  readonly secret: boolean;
}

type Store = Pick<SecretStorage, 'get' | 'store' | 'delete' | 'onDidChange'>;

const INDEX = 'solanaRpc.keyIndex';
const ENTRY = 'solanaRpc.key.';

/** The only place of the client where a secret becomes text: for the key channel, and for the fragment of the local dashboard. */
export function textOfSecret(secret: Secret): string {
  return secret.reveal();
}

export class KeyVault {
  readonly #store: Store;
  readonly #changed: (change: VaultChange) => void;
  readonly #session = new Map<string, { record: KeyRecord; secret: Secret }>();
  readonly #subscription: { dispose(): unknown };
  #index: readonly KeyRecord[] | undefined;
  #queue: Promise<unknown> = Promise.resolve();

  constructor(store: Store, changed: (change: VaultChange) => void) {
    this.#store = store;
    this.#changed = changed;
    this.#subscription = store.onDidChange(({ key }) => void this.#exclusive(() => this.#noticed(key)));
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#session.clear();
  }

  /** All keys, those of the session first. */
  async list(): Promise<readonly KeyRecord[]> {
    const stored = await this.#exclusive(() => this.#load());
    return [...[...this.#session.values()].map(({ record }) => record), ...stored];
  }

  async find(id: string): Promise<KeyRecord | undefined> {
    return (await this.list()).find((record) => record.id === id);
  }

  /** The secret of a key; undefined where it was removed, here or in another window. */
  async secret(id: string): Promise<Secret | undefined> {
    const held = this.#session.get(id);
    if (held !== undefined) return held.secret;
    const text = await this.#store.get(ENTRY + id);
    return text === undefined ? undefined : new Secret(text);
  }

  /** Stores a key. The secret is written before the index names it, so that the index never promises one in vain. */
  add(key: NewKey, secret: Secret): Promise<KeyRecord> {
    return this.#exclusive(async () => {
      const record: KeyRecord = { state: { kind: 'untested' }, ...key, id: randomUUID() };
      await this.#store.store(ENTRY + record.id, secret.reveal());
      await this.#write([...(await this.#load()), record]);
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
  async swap(id: string, secret: Secret, changes: Pick<Partial<KeyRecord>, 'keyId' | 'state'>): Promise<void> {
    const held = this.#session.get(id);
    if (held !== undefined) {
      const record = { ...held.record, ...changes };
      this.#session.set(id, { record, secret });
      this.#changed({ record, secret: true });
      return;
    }
    await this.#exclusive(async () => {
      await this.#store.store(ENTRY + id, secret.reveal());
      await this.#edit(id, changes, true);
    });
  }

  /** Notes what became known of a key; unknown ids are ignored: the key may have been removed meanwhile. */
  async note(id: string, changes: Pick<Partial<KeyRecord>, 'state' | 'lastUsed'>): Promise<void> {
    const held = this.#session.get(id);
    if (held !== undefined) {
      this.#session.set(id, { ...held, record: { ...held.record, ...changes } });
      this.#changed({ record: { ...held.record, ...changes }, secret: false });
      return;
    }
    await this.#exclusive(() => this.#edit(id, changes, false));
  }

  async remove(id: string): Promise<void> {
    const held = this.#session.get(id);
    if (held !== undefined) {
      this.#session.delete(id);
      this.#changed({ record: held.record, secret: true });
      return;
    }
    await this.#exclusive(async () => {
      const index = await this.#load();
      const record = index.find((candidate) => candidate.id === id);
      await this.#store.delete(ENTRY + id);
      await this.#write(index.filter((candidate) => candidate.id !== id));
      if (record !== undefined) this.#changed({ record, secret: true });
    });
  }

  /** The key may have been changed by another window: what we knew of it is void. */
  async #noticed(key: string): Promise<void> {
    if (key === INDEX) {
      const before = this.#index ?? [];
      this.#index = undefined;
      const after = await this.#load();
      const gone = before.filter((record) => !after.some(({ id }) => id === record.id));
      for (const record of [...gone, ...after]) this.#changed({ record, secret: gone.includes(record) });
    } else if (key.startsWith(ENTRY)) {
      const record = (await this.#load()).find(({ id }) => ENTRY + id === key);
      if (record !== undefined) this.#changed({ record, secret: true });
    }
  }

  async #edit(id: string, changes: Partial<KeyRecord>, secret: boolean): Promise<void> {
    const index = await this.#load();
    const found = index.find((record) => record.id === id);
    if (found === undefined) return;
    const record = { ...found, ...changes };
    await this.#write(index.map((entry) => (entry.id === id ? record : entry)));
    this.#changed({ record, secret });
  }

  async #load(): Promise<readonly KeyRecord[]> {
    this.#index ??= readIndex(await this.#store.get(INDEX));
    return this.#index;
  }

  async #write(index: readonly KeyRecord[]): Promise<void> {
    await this.#store.store(INDEX, JSON.stringify(index));
    this.#index = index;
  }

  /** One read-modify-write at a time; a failed one does not stop the next. */
  #exclusive<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#queue.then(work);
    this.#queue = result.catch(() => undefined);
    return result;
  }
}

function readIndex(text: string | undefined): readonly KeyRecord[] {
  if (text === undefined) return [];
  try {
    const index: unknown = JSON.parse(text);
    return Array.isArray(index) ? index.filter(isRecord) : [];
  } catch {
    // An index that cannot be read is as good as none: the keys are added again.
    return [];
  }
}

function isRecord(value: unknown): value is KeyRecord {
  if (typeof value !== 'object' || value === null) return false;
  const { id, type, label, origins } = value as Partial<KeyRecord>;
  return (
    typeof id === 'string' &&
    typeof label === 'string' &&
    typeof origins === 'object' &&
    (type === 'rpc' || type === 'grpc' || type === 'swqos')
  );
}
