// Asks the client for keys over the IPC channel and hands them to the transports as leases. A lease lives while a run is
// going and dies at once when its key is rotated or removed. Nothing of it is ever written or logged.
import type { KeyType } from '../core/errors';
import type { KeyQuery } from '../core/profile';
import { Secret } from '../core/secret';
import type { KeyAnswer, KeyLease, KeyPort } from '../net/api';
import type { FromServer, SecretReply, SecretRequest } from '../protocol/secrets';

/** The IPC channel, or its absence: a server started by another editor has none and knows no keys. */
export interface SecretChannel {
  send(message: FromServer): void;
  onMessage(listener: (message: SecretReply) => void): void;
}

/** A request without its id, which `ask` gives it. */
type Question = SecretRequest extends infer R ? (R extends { readonly id: number } ? Omit<R, 'id'> : never) : never;

/** Shorter texts are no keys: taking them out of a response would take words out of it. */
const MIN_REDACTED = 8;

interface Held {
  readonly query: KeyQuery;
  readonly lease: KeyLease;
}

export class Keys implements KeyPort {
  readonly #channel: SecretChannel | undefined;
  readonly #waiting = new Map<number, (reply: SecretReply) => void>();
  readonly #leases = new Map<string, Held>();
  /** Secrets seen while the present runs last: what an answer or a log line must not repeat. */
  readonly #seen = new Set<string>();
  #nextId = 1;
  #runs = 0;

  constructor(channel: SecretChannel | undefined) {
    this.#channel = channel;
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
    const reply = await this.#ask({ kind: 'key', query }, signal);
    if (reply?.kind !== 'granted') return { kind: 'none' };
    const lease = this.#leaseOf(reply);
    if (this.#runs > 0) this.#leases.set(name, { query, lease });
    return { kind: 'lease', lease };
  }

  /** A port that knows one key alone: the candidate behind a one-time handle. */
  candidate(handle: string): KeyPort {
    return this.#single(({ origin }) => ({ kind: 'candidate', handle, origin }));
  }

  /** A port that knows one key alone: the local service's admin token. */
  adminToken(): KeyPort {
    return this.#single(({ origin }) => ({ kind: 'adminToken', origin }));
  }

  /** The wallet of an endpoint, as the secret key's text; undefined where there is none. */
  async wallet(profile: string, signal: AbortSignal): Promise<Secret | undefined> {
    const reply = await this.#ask({ kind: 'wallet', profile }, signal);
    return reply?.kind === 'granted' ? this.#leaseOf(reply).secret : undefined;
  }

  /** Hands a key that the local service made to the client, under `handle`. */
  deliver(handle: string, keyId: string, key: Secret): void {
    this.#channel?.send({ kind: 'delivery', handle, keyId, secret: key.reveal() });
  }

  /** `text` without any key of the present runs. */
  redact(text: string): string {
    let clean = text;
    for (const secret of this.#seen) {
      for (const form of [secret, encodeURIComponent(secret), Buffer.from(secret).toString('base64')])
        clean = clean.replaceAll(form, '[redacted]');
    }
    return clean;
  }

  #single(question: (query: KeyQuery) => Question): KeyPort {
    let answer: KeyAnswer | undefined;
    return {
      key: async (query, signal) => {
        if (answer === undefined) {
          const reply = await this.#ask(question(query), signal);
          answer = reply?.kind === 'granted' ? { kind: 'lease', lease: this.#leaseOf(reply) } : { kind: 'none' };
        }
        return answer;
      },
    };
  }

  #leaseOf(reply: Extract<SecretReply, { kind: 'granted' }>): KeyLease {
    if (this.#runs > 0 && reply.secret.length >= MIN_REDACTED) this.#seen.add(reply.secret);
    const { keyId, label } = reply;
    return { secret: new Secret(reply.secret), label, ...(keyId !== undefined && { keyId }) };
  }

  #take(message: SecretReply): void {
    if (message.kind === 'revoke') this.#revoke(message.origin, message.type);
    else this.#waiting.get(message.id)?.(message);
  }

  #revoke(origin: string, type: KeyType): void {
    for (const [name, { query }] of this.#leases)
      if (query.origin === origin && query.type === type) this.#leases.delete(name);
  }

  /** The client's reply; undefined without a channel or once `signal` is aborted. */
  #ask(question: Question, signal: AbortSignal): Promise<SecretReply | undefined> {
    const channel = this.#channel;
    if (channel === undefined || signal.aborted) return Promise.resolve(undefined);
    const id = this.#nextId++;
    return new Promise((resolve) => {
      const done = (reply: SecretReply | undefined): void => {
        this.#waiting.delete(id);
        signal.removeEventListener('abort', aborted);
        resolve(reply);
      };
      const aborted = (): void => done(undefined);
      signal.addEventListener('abort', aborted);
      this.#waiting.set(id, done);
      channel.send({ ...question, id });
    });
  }
}

/** The channel of this process, where the parent gave it one. */
export function processChannel(): SecretChannel | undefined {
  if (process.send === undefined) return undefined;
  return {
    // A channel that is closing has nobody left to answer; the process ends with it (parent.ts).
    send: (message) => void process.send?.(message, () => undefined),
    onMessage: (listener) => void process.on('message', listener),
  };
}
