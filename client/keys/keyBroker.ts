// Answers the server's questions for secrets over the key channel: only for exactly the origin a key was saved for, and
// only in a trusted window. Knows no dialog and lends nothing to another origin.
import { randomUUID } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import type { KeyType } from '../../core/service/errors';
import type { KeyQuery } from '../../core/service/profiles/profile';
import type { Secret } from '../../core/service/keys/secret';
import type { ProxyQuestion, SecretDenial, SecretReply, SecretRequest } from '../../protocol/secrets';
import { preferred, type KeyRecord } from './keyRecord';
import { textOfSecret, type KeyVault } from './keyVault';

/** Secrets of a running local service, in memory. */
export interface LocalSecrets {
  /** Origin of its admin interface. */
  readonly origin: string;
  readonly adminToken: Secret;
  readonly profile: string;
  readonly wallet: Secret;
}

export type KeypairText =
  | { readonly kind: 'text'; readonly secret: Secret }
  | { readonly kind: 'denied'; readonly reason: 'none' | 'unreadable' };

export interface BrokerDeps {
  readonly vault: Pick<KeyVault, 'list' | 'secret' | 'note'>;
  /** The window's trust at this moment. */
  readonly trusted: () => boolean;
  /** Unix milliseconds. */
  readonly now: () => number;
  /** The text of the keypair file that the user's own settings give this name. */
  readonly keypair?: (name: string) => Promise<KeypairText>;
  /** The credentials of the proxy in the user's settings, if its URL is this one. */
  readonly proxyCredentials?: (question: ProxyQuestion) => Secret | undefined;
}

/** A new key that the local service made, waiting under its handle. */
export interface Delivered {
  readonly secret: Secret;
  readonly keyId: string;
}

/** The time of last use is kept to the minute: a note per request would write to the storage with each of them. */
const USE_NOTED_MS = 60_000;

/** How long a delivery on the one channel may be behind its announcement on the other. */
const DELIVERY_MS = 5_000;

export class KeyBroker {
  readonly #deps: BrokerDeps;
  readonly #candidates = new Map<string, { readonly secret: Secret; readonly origin: string }>();
  readonly #deliveries = new Map<string, Delivered>();
  /** Named by their handles. */
  readonly #arrivals = new EventEmitter();
  #local: LocalSecrets | undefined;

  constructor(deps: BrokerDeps) {
    this.#deps = deps;
  }

  set local(secrets: LocalSecrets | undefined) {
    this.#local = secrets;
  }

  /** A one-time handle for a key that is not stored yet, good at `origin` alone. */
  offer(secret: Secret, origin: string): string {
    const handle = randomUUID();
    this.#candidates.set(handle, { secret, origin });
    return handle;
  }

  withdraw(handle: string): void {
    this.#candidates.delete(handle);
  }

  /** The new key the server sent under `handle`, whichever of the two channels was faster; undefined when it never came. */
  async delivery(handle: string): Promise<Delivered | undefined> {
    const here = this.#deliveries.get(handle);
    this.#deliveries.delete(handle);
    if (here !== undefined) return here;
    const arrival = once(this.#arrivals, handle, { signal: AbortSignal.timeout(DELIVERY_MS) });
    const [delivered] = (await arrival.catch(() => [])) as readonly Delivered[];
    return delivered;
  }

  /** Takes in what the local service made; the text becomes a `Secret` at once. */
  deliver(handle: string, delivered: Delivered): void {
    if (!this.#arrivals.emit(handle, delivered)) this.#deliveries.set(handle, delivered);
  }

  async answer(request: SecretRequest): Promise<SecretReply> {
    const { id } = request;
    if (!this.#deps.trusted()) return { kind: 'denied', id, reason: 'untrusted' };
    try {
      return await this.#answerTrusted(request);
    } catch {
      // The storage's own error may quote what it holds; the server only needs to know that there is no key.
      return { kind: 'denied', id, reason: 'none' };
    }
  }

  async #answerTrusted(request: SecretRequest): Promise<SecretReply> {
    const { id } = request;
    switch (request.kind) {
      case 'key':
        return this.#key(id, request.query);
      case 'candidate': {
        const candidate = this.#candidates.get(request.handle);
        this.#candidates.delete(request.handle);
        if (candidate === undefined) return { kind: 'denied', id, reason: 'none' };
        if (candidate.origin !== request.origin) return { kind: 'denied', id, reason: 'originMismatch' };
        return granted(id, candidate.secret, 'candidate');
      }
      case 'wallet':
        if (this.#local?.profile !== request.profile) return { kind: 'denied', id, reason: 'none' };
        return granted(id, this.#local.wallet, 'wallet');
      case 'keypair': {
        const found = await this.#deps.keypair?.(request.name);
        if (found?.kind !== 'text') return { kind: 'denied', id, reason: found?.reason ?? 'none' };
        return granted(id, found.secret, 'keypair');
      }
      case 'proxy': {
        const credentials = this.#deps.proxyCredentials?.(request);
        if (credentials === undefined) return { kind: 'denied', id, reason: 'none' };
        return granted(id, credentials, 'proxy');
      }
      case 'adminToken':
        if (this.#local === undefined) return { kind: 'denied', id, reason: 'none' };
        if (this.#local.origin !== request.origin) return { kind: 'denied', id, reason: 'originMismatch' };
        return granted(id, this.#local.adminToken, 'local service');
    }
  }

  async #key(id: number, query: KeyQuery): Promise<SecretReply> {
    const found = chooseKey(await this.#deps.vault.list(), query);
    if (found.kind === 'denied') return { kind: 'denied', id, reason: found.reason };
    const secret = await this.#deps.vault.secret(found.record.id);
    if (secret === undefined) {
      await this.#deps.vault.note(found.record.id, { state: { kind: 'removed' } });
      return { kind: 'denied', id, reason: 'none' };
    }
    const now = this.#deps.now();
    if (now - (found.record.lastUsed ?? 0) > USE_NOTED_MS)
      await this.#deps.vault.note(found.record.id, { lastUsed: now });
    const { label, keyId, ways } = found.record;
    const way = ways?.[query.interface];
    return { ...granted(id, secret, label, keyId), ...(way !== undefined && { way }) };
  }
}

function granted(id: number, secret: Secret, label: string, keyId?: string): SecretReply {
  return { kind: 'granted', id, secret: textOfSecret(secret), label, ...(keyId !== undefined && { keyId }) };
}

export type Choice =
  | { readonly kind: 'found'; readonly record: KeyRecord }
  | { readonly kind: 'denied'; readonly reason: SecretDenial };

/** The key that fits the question exactly; of several, those added for the profile, and of these the chosen one. */
export function chooseKey(records: readonly KeyRecord[], query: KeyQuery): Choice {
  const labelled = records.filter(({ label }) => query.label === undefined || label === query.label);
  // An RPC key that was saved for gRPC as well is the one key of its provider.
  const opens = (type: KeyType): boolean => type === query.type || (type === 'rpc' && query.interface === 'grpc');
  const typed = labelled
    .filter(({ type }) => opens(type))
    .sort((a, b) => Number(b.type === query.type) - Number(a.type === query.type));
  const fitting = typed.filter(({ origins }) => origins[query.interface] === query.origin);
  const record = preferred(fitting.filter(({ profile }) => profile === query.profile)) ?? preferred(fitting);
  if (record !== undefined) return { kind: 'found', record };
  return { kind: 'denied', reason: typed.length > 0 ? 'originMismatch' : 'none' };
}
