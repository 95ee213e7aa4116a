// Asks the client for keys over the IPC channel and hands them to the transports as leases. A lease lives while a run is
// going and dies at once when its key is rotated or removed. Nothing of it is ever written or logged.
import type { KeyType } from '../../core/service/errors';
import type { KeyQuery } from '../../core/service/profiles/profile';
import { redact, SecretPatterns } from '../../core/service/redaction/redact';
import { Secret } from '../../core/service/keys/secret';
import { decodeBase58 } from '../../core/solana/encoding/base58';
import type { KeyAnswer, KeyLease, KeyPort } from '../../net/api';
import { Calls } from '../calls';
import type { FromServer, ProxyQuestion, SecretReply, SecretRequest } from '../../protocol/secrets';

/** The IPC channel, or its absence: a server started by another editor has none and knows no keys. */
export interface SecretChannel {
  send(message: FromServer): void;
  onMessage(listener: (message: SecretReply) => void): void;
}

/** A request without its id, which `ask` gives it. */
type Question = SecretRequest extends infer R ? (R extends { readonly id: number } ? Omit<R, 'id'> : never) : never;

interface Held {
  readonly query: KeyQuery;
  readonly lease: KeyLease;
}

export class Keys implements KeyPort {
  /** Called when keys of this origin and type were stored, rotated or removed. */
  onChanged: (origin: string, type: KeyType) => void = () => undefined;
  readonly #calls = new Calls<SecretReply>();
  readonly #leases = new Map<string, Held>();
  /** Patterns of the secrets seen during the current runs, to redact from answers and log lines. */
  readonly #seen = new Map<string, SecretPatterns>();
  #runs = 0;

  constructor(private readonly channel: SecretChannel | undefined) {
    channel?.onMessage((message) => this.#take(message));
  }

  /** Leases are kept until `end` was called as often as `begin`. */
  begin(): void {
    this.#runs++;
  }

  end(): void {
    this.#runs--;
    if (this.#runs > 0) return;
    this.#leases.clear();
    this.#seen.clear();
  }

  async key(query: KeyQuery, signal: AbortSignal): Promise<KeyAnswer> {
    const name = JSON.stringify([query.type, query.origin, query.interface, query.profile, query.label ?? null]);
    const held = this.#leases.get(name);
    if (held !== undefined) return { kind: 'lease', lease: held.lease };
    const lease = await this.#granted({ kind: 'key', query }, signal);
    if (lease !== undefined && this.#runs > 0) this.#leases.set(name, { query, lease });
    return answerOf(lease);
  }

  /** A port that knows one key alone: the candidate behind a one-time handle. */
  candidate(handle: string): KeyPort {
    let answer: KeyAnswer | undefined;
    return {
      key: async ({ origin }, signal) => {
        answer ??= answerOf(await this.#granted({ kind: 'candidate', handle, origin }, signal));
        return answer;
      },
    };
  }

  /** The local service's admin token, for exactly this origin. */
  async adminToken(origin: string, signal: AbortSignal): Promise<Secret | undefined> {
    return (await this.#granted({ kind: 'adminToken', origin }, signal))?.secret;
  }

  /** The user's credentials for the proxy of the editor's settings. */
  async proxyCredentials(question: ProxyQuestion): Promise<Secret | undefined> {
    return (await this.#granted({ kind: 'proxy', ...question }, new AbortController().signal))?.secret;
  }

  /** The 64 bytes of an endpoint's wallet: seed and public key; undefined if it has no wallet. */
  async wallet(profile: string, signal: AbortSignal): Promise<Uint8Array | undefined> {
    const lease = await this.#granted({ kind: 'wallet', profile }, signal);
    return lease === undefined ? undefined : decodeBase58(lease.secret.reveal());
  }

  /** The 64 bytes of a keypair file that the user's settings name, or why it cannot be used. */
  async keypair(name: string, signal: AbortSignal): Promise<Uint8Array | 'none' | 'unreadable'> {
    const reply = await this.#ask({ kind: 'keypair', name }, signal);
    if (reply?.kind !== 'granted')
      return reply?.kind === 'denied' && reply.reason === 'unreadable' ? 'unreadable' : 'none';
    const { secret } = this.#leaseOf(reply);
    // The curves are read with the first signature, not with the server.
    const { keypairBytes } = await import('../../core/requests/tools/wallet');
    return keypairBytes(secret.reveal()) ?? 'unreadable';
  }

  /** Hands a key that the local service made to the client, under `handle`. */
  deliver(handle: string, keyId: string, key: Secret): void {
    this.channel?.send({ kind: 'delivery', handle, keyId, secret: key.reveal() });
  }

  /** `text` without any key of the present runs. */
  redact(text: string): string {
    let clean = text;
    for (const patterns of this.#seen.values()) clean = redact(clean, patterns);
    return clean;
  }

  async #granted(question: Question, signal: AbortSignal): Promise<KeyLease | undefined> {
    const reply = await this.#ask(question, signal);
    return reply?.kind === 'granted' ? this.#leaseOf(reply) : undefined;
  }

  #leaseOf(reply: Extract<SecretReply, { kind: 'granted' }>): KeyLease {
    if (this.#runs > 0) this.#remember(reply.secret);
    const { keyId, label, way } = reply;
    const secret = new Secret(reply.secret);
    return { secret, label, ...(keyId !== undefined && { keyId }), ...(way !== undefined && { way }) };
  }

  #remember(secret: string): void {
    if (!this.#seen.has(secret)) this.#seen.set(secret, new SecretPatterns([secret]));
  }

  #take(message: SecretReply): void {
    if (message.kind === 'revoke') this.#revoke(message.origin, message.type);
    else this.#calls.answer(message.id, message);
  }

  #revoke(origin: string, type: KeyType): void {
    for (const [name, { query }] of this.#leases)
      if (query.origin === origin && query.type === type) this.#leases.delete(name);
    this.onChanged(origin, type);
  }

  /** The client's reply; undefined without a channel or once `signal` is aborted. */
  async #ask(question: Question, signal: AbortSignal): Promise<SecretReply | undefined> {
    const { channel } = this;
    return channel && this.#calls.ask((id) => channel.send({ ...question, id }), signal);
  }
}

const answerOf = (lease: KeyLease | undefined): KeyAnswer =>
  lease === undefined ? { kind: 'none' } : { kind: 'lease', lease };

/** The channel of this process, if its parent opened one. */
export function processChannel(): SecretChannel | undefined {
  if (process.send === undefined) return undefined;
  return {
    // A channel that is closing has nobody left to answer; the process ends with it (parent.ts).
    send: (message) => void process.send?.(message, () => undefined),
    onMessage: (listener) => void process.on('message', listener),
  };
}
