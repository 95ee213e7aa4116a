// The API keys of the service: made, found, rotated, revoked. Keeps a digest of each secret, never the secret itself; what a
// connection presented goes with the connection.
import { hash, timingSafeEqual } from 'node:crypto';
import { encodeBase58 } from '../../core/solana/encoding/base58';
import type { PlanName } from './plans';
import { Allowance } from './allowance';
import type { SavedSuspension } from './suspension';

/** The types of keys (docs/local-service.md, "Keys"). */
export const KEY_TYPE_NAMES = { rpc: 'RPC Key', grpc: 'gRPC Key', swqos: 'SWQoS Key' } as const;
export type KeyType = keyof typeof KEY_TYPE_NAMES;

export type KeyState = 'active' | 'suspended' | 'revoked';

/** A key as everything outside this folder sees it. Times are Unix milliseconds. */
export interface ApiKey {
  readonly keyId: string;
  readonly type: KeyType;
  readonly label: string;
  readonly createdAt: number;
  readonly lastUsedAt: number | undefined;
  readonly revoked: boolean;
  readonly allowance: Allowance;
}

/** A key with its secret: handed out once, when it is made or rotated. */
export interface IssuedKey {
  readonly keyId: string;
  readonly key: string;
}

/** Why streams that were opened with a key must end. */
export type EndReason = 'rotated' | 'revoked' | 'suspended';

/** The outside world, passed in. `now` is Unix milliseconds; `random` gives that many unpredictable bytes. */
export interface KeyringEnvironment {
  readonly now: () => number;
  readonly random: (bytes: number) => Uint8Array;
  /** Called with a new or changed key before the change is answered; `onUse`, with each use. */
  readonly onChange?: (keyId: string) => void;
  readonly onUse?: (keyId: string) => void;
}

/** A key between two runs. Times are Unix milliseconds; `digest` is SHA-256 of the secret in hex. */
export interface SavedKey extends Omit<ApiKey, 'lastUsedAt' | 'allowance'> {
  readonly plan: PlanName;
  readonly lastUsedAt: number | null;
  readonly digest: string;
  readonly suspension: SavedSuspension;
}

/** Keys in use at one time, and revoked keys still listed. */
const MAX_KEYS = 1_000;
const MAX_REVOKED = 100;

interface Entry extends ApiKey {
  lastUsedAt: number | undefined;
  revoked: boolean;
  digest: Buffer;
}

interface Digest {
  readonly bytes: Buffer;
  readonly hex: string;
}

export class Keyring {
  readonly #byId = new Map<string, Entry>();
  readonly #byDigest = new Map<string, Entry>();
  /** The secret that each connection presented last: most present one key with every call. Dropped with the connection. */
  readonly #presented = new WeakMap<object, { readonly secret: string; readonly digest: Digest }>();
  readonly #ended = new Set<(keyId: string, reason: EndReason) => void>();

  constructor(private readonly environment: KeyringEnvironment) {}

  /** Creates a key, from given bytes if a run must reproduce it; `undefined` if there are too many. */
  create(
    { type, label, plan }: Pick<SavedKey, 'type' | 'label' | 'plan'>,
    random: KeyringEnvironment['random'] = this.environment.random,
  ): IssuedKey | undefined {
    if (this.#byDigest.size >= MAX_KEYS) return undefined;
    const issued = issueFrom(type, random);
    const now = this.environment.now();
    const entry: Entry = {
      keyId: issued.keyId,
      type,
      label,
      createdAt: now,
      lastUsedAt: undefined,
      revoked: false,
      allowance: this.#allowance(issued.keyId, plan),
      digest: digestOf(issued.key),
    };
    this.#byId.set(entry.keyId, entry);
    this.#byDigest.set(entry.digest.toString('hex'), entry);
    this.#changed(entry);
    return issued;
  }

  /**
   * The key that `secret` belongs to. How long this takes says nothing about how much of a guess was right. `connection` is
   * what the secret came over, where it may come again.
   */
  find(secret: string, connection?: object): ApiKey | undefined {
    const { bytes, hex } = this.#digestOf(secret, connection);
    const entry = this.#byDigest.get(hex);
    return entry !== undefined && timingSafeEqual(entry.digest, bytes) ? entry : undefined;
  }

  #digestOf(secret: string, connection: object | undefined): Digest {
    const presented = connection && this.#presented.get(connection);
    if (presented?.secret === secret) return presented.digest;
    const bytes = digestOf(secret);
    const digest = { bytes, hex: bytes.toString('hex') };
    if (connection !== undefined) this.#presented.set(connection, { secret, digest });
    return digest;
  }

  get(keyId: string): ApiKey | undefined {
    return this.#byId.get(keyId);
  }

  /** Every key, oldest first, revoked ones included. */
  list(): readonly ApiKey[] {
    return [...this.#byId.values()];
  }

  stateOf(key: ApiKey): KeyState {
    if (key.revoked) return 'revoked';
    return key.allowance.suspension.remaining(this.environment.now()) > 0 ? 'suspended' : 'active';
  }

  used(keyId: string): void {
    const entry = this.#byId.get(keyId);
    if (entry === undefined) return;
    entry.lastUsedAt = this.environment.now();
    this.environment.onUse?.(keyId);
  }

  /** Replaces the secret at once; key id, plan, suspension and usage stay. `undefined` for an unknown or revoked key. */
  rotate(keyId: string): IssuedKey | undefined {
    const entry = this.#byId.get(keyId);
    if (entry === undefined || entry.revoked) return undefined;
    const key = newSecret(entry.type, this.environment.random);
    this.#byDigest.delete(entry.digest.toString('hex'));
    entry.digest = digestOf(key);
    this.#byDigest.set(entry.digest.toString('hex'), entry);
    this.#changed(entry);
    this.#announceEnd(keyId, 'rotated');
    return { keyId, key };
  }

  /** Ends a key for good; it stays listed, with its usage, while there is room. False for an unknown or revoked key. */
  revoke(keyId: string): boolean {
    const entry = this.#byId.get(keyId);
    if (entry === undefined || entry.revoked) return false;
    entry.revoked = true;
    this.#byDigest.delete(entry.digest.toString('hex'));
    this.#changed(entry);
    this.#forgetRevoked();
    this.#announceEnd(keyId, 'revoked');
    return true;
  }

  /** Calls `listener` when streams of a key must end; returns the way to stop listening. */
  onEnd(listener: (keyId: string, reason: EndReason) => void): () => void {
    this.#ended.add(listener);
    return () => this.#ended.delete(listener);
  }

  /** A key as it is kept between two runs; its secret as a digest, as here. */
  saved(keyId: string): SavedKey | undefined {
    const entry = this.#byId.get(keyId);
    if (entry === undefined) return undefined;
    const { allowance, lastUsedAt = null, digest, ...rest } = entry;
    const { plan, suspension } = allowance;
    return { ...rest, plan, lastUsedAt, digest: digest.toString('hex'), suspension: suspension.saved };
  }

  /** Puts a kept key back, in place of one with its id; its buckets start full. False if there are too many. */
  load(saved: SavedKey): boolean {
    const old = this.#byId.get(saved.keyId);
    if (old === undefined && this.#byId.size >= MAX_KEYS + MAX_REVOKED) return false;
    if (old !== undefined) this.#byDigest.delete(old.digest.toString('hex'));
    const { plan, lastUsedAt, digest, suspension, ...rest } = saved;
    const allowance = this.#allowance(saved.keyId, plan);
    allowance.suspension.load(suspension);
    const entry = { ...rest, lastUsedAt: lastUsedAt ?? undefined, allowance, digest: Buffer.from(digest, 'hex') };
    this.#byId.set(saved.keyId, entry);
    if (saved.revoked) this.#forgetRevoked();
    else this.#byDigest.set(digest, entry);
    return true;
  }

  #allowance(keyId: string, plan: PlanName): Allowance {
    return new Allowance(plan, this.environment.now(), (suspended) => {
      const entry = this.#byId.get(keyId);
      if (entry !== undefined) this.#changed(entry);
      if (suspended) this.#announceEnd(keyId, 'suspended');
    });
  }

  #changed({ keyId }: ApiKey): void {
    this.environment.onChange?.(keyId);
  }

  #forgetRevoked(): void {
    const revoked = [...this.#byId.values()].filter((other) => other.revoked);
    for (const old of revoked.slice(0, Math.max(0, revoked.length - MAX_REVOKED))) this.#byId.delete(old.keyId);
  }

  #announceEnd(keyId: string, reason: EndReason): void {
    for (const listener of this.#ended) listener(keyId, reason);
  }
}

/** The id and the secret that these bytes give. */
export function issueFrom(type: KeyType, random: KeyringEnvironment['random']): IssuedKey {
  return { keyId: `key_${encodeBase58(random(9))}`, key: newSecret(type, random) };
}

/** The type's name as prefix identifies a key to people and to scanners for leaked keys. */
function newSecret(type: KeyType, random: KeyringEnvironment['random']): string {
  return `${type}_${encodeBase58(random(24))}`;
}

function digestOf(secret: string): Buffer {
  return hash('sha256', secret, 'buffer');
}
