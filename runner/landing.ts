// Watches a transaction that was sent until it is finalized, its blockhash is too old or its durable nonce was advanced: by
// a subscription to its signature where the endpoint has one, else by asking once a slot. Only reads, with the RPC key;
// nothing is ever sent again.
import { answersRpc } from '../core/service/providers/ways';
import {
  advanced,
  contextSlot,
  nonceInAnswer,
  notifiedIn,
  sightingIn,
  sightingOfTransaction,
  type SeenAt,
  type Sighting,
} from '../core/requests/run/landing';
import { integerOf, member, type JsonValue } from '../core/solana/json/json';
import { blockhashMs, chainAge, type ChainAge } from '../core/solana/chain/chain';
import { BLOCKHASH_BLOCKS } from '../core/solana/chain/limits';
import type { DurableNonce } from '../core/solana/wire/nonce';
import { nodeRequest } from './nodeRequest';
import { abortable, Cancelled } from './wait';
import type { ServiceError } from '../core/service/errors';
import type { Landing, PreparedRequest } from '../core/requests/run/model';
import type { RunPorts } from './ports';

/** Between two questions about its age, in slots; with a subscription, between two looks as well. */
const ROUND_SLOTS = 10;
/** Longest time that a transaction is watched, in lifetimes of a blockhash. */
const MAX_LIFETIMES = 2;
/** After this many questions in a row without a usable answer, the watch ends with the current state. */
const MAX_FAILURES = 10;
/** Each subscription has a connection; while so many are open, further transactions are asked for. */
const MAX_SUBSCRIPTIONS = 4;
/** Method not found (JSON-RPC 2.0, 5.1). */
const NO_METHOD = -32601;

export interface Watching {
  readonly signature: string;
  /** Polls the address the transaction was sent to, or its profile's if that URL is a sender's. */
  readonly request: Pick<PreparedRequest, 'endpoint' | 'url' | 'isKeyless' | 'timeoutMs'>;
  /** It may be an old one: looked for in the whole history. */
  readonly inHistory?: boolean;
  /** Of the transaction's blockhash, if known. */
  readonly lastValidBlockHeight: bigint | undefined;
  /** Set if the transaction uses a durable nonce instead of a recent blockhash. */
  readonly nonce?: DurableNonce | undefined;
  /** Only its signature is known: it may have a recent blockhash or a durable nonce. */
  readonly isUnread?: boolean;
  readonly ports: RunPorts;
  readonly signal: AbortSignal;
  readonly onChange: (landing: Landing) => void;
}

export interface Watched {
  readonly landing: Landing;
  readonly error?: ServiceError;
}

/** Never throws; on cancellation, returns the current state. */
export async function watchLanding(watching: Watching): Promise<Watched> {
  const watch = new Watch(watching);
  try {
    return await watch.toEnd();
  } catch (error) {
    if (error instanceof Cancelled || watching.signal.aborted) return { landing: watch.landing };
    throw error;
  }
}

class Watch {
  static #subscriptions = 0;
  landing: Landing;
  readonly #chain: ChainAge;
  readonly #since: number;
  #lastValid: bigint | undefined;
  #failures = 0;
  /** The URL is a sender's, which answers no question; false once no endpoint was found that does. */
  #isAtSender: boolean;
  /** The service offers no getSignatureStatuses: getTransaction is asked, level by level. */
  #isPlain = false;
  #isFirst = true;
  /** The slot in which the send was answered. */
  #sentSlot: bigint | undefined;
  /** Until it is asked again how old it is. */
  #slotsToAge = 0;
  /** A subscription is open. */
  #isFollowed = false;
  /** A look after it was opened showed what it does not report. */
  #isCaughtUp = false;
  /** Something happened that the next look is due for. */
  #isDue = false;
  #wake = (): void => undefined;

  constructor(private readonly watching: Watching) {
    const { signature, nonce, ports, request } = watching;
    this.landing = { signature, level: 'sent', times: {}, ...(nonce && { nonceAccount: nonce.account }) };
    const { url, endpoint } = request;
    this.#chain = (url === undefined ? ports.chain?.(endpoint) : undefined) ?? chainAge();
    this.#isAtSender = url !== undefined && !answersRpc(url);
    this.#since = ports.clock.now();
    this.#lastValid = watching.lastValidBlockHeight;
  }

  async toEnd(): Promise<Watched> {
    const { signal } = this.watching;
    const ended = new AbortController();
    void this.#follow(AbortSignal.any([signal, ended.signal]));
    try {
      return await this.#untilEnd();
    } finally {
      ended.abort();
    }
  }

  async #untilEnd(): Promise<Watched> {
    const { ports, inHistory = false, isUnread } = this.watching;
    for (;;) {
      // By a notification: the look finds its slot.
      const wasFinal = this.#isFinal();
      const isSeenFinal = await this.#look(inHistory && this.#isFirst);
      if (wasFinal || isSeenFinal) return { landing: this.landing };
      if (this.landing.level === 'sent' && (await this.#isTooOld())) {
        // Between the two questions it may have landed in the very last block.
        await this.#look(true);
        if (this.landing.level === 'sent') return isUnread === true ? this.#unseen() : this.#expired();
      }
      const isLost = this.#failures >= MAX_FAILURES && !this.#isFollowed;
      if (isLost || ports.clock.now() - this.#since > MAX_LIFETIMES * blockhashMs(this.#chain))
        return this.#unfinished();
      if (!this.#isDue) await this.#pause();
    }
  }

  #isFinal(): boolean {
    return this.landing.level === 'finalized';
  }

  /** Until a slot is over, or a round of them with a subscription; or until something happens. */
  async #pause(): Promise<void> {
    const { ports, signal } = this.watching;
    const slots = this.#isFollowed ? ROUND_SLOTS : 1;
    this.#slotsToAge -= slots;
    const over = new AbortController();
    const slept = ports.clock.sleep(slots * this.#chain.slotMs, over.signal);
    slept.catch(() => undefined);
    const woken = new Promise<void>((resolve) => (this.#wake = resolve));
    try {
      await abortable(Promise.race([slept, woken]), signal);
    } finally {
      over.abort();
    }
  }

  /** The next look is due now. */
  #rouse(): void {
    this.#isDue = true;
    this.#wake();
  }

  /** Follows by push as far as the endpoint has it; where it ends, looks are once a slot again. */
  async #follow(signal: AbortSignal): Promise<void> {
    if (Watch.#subscriptions >= MAX_SUBSCRIPTIONS) return;
    Watch.#subscriptions++;
    try {
      while (!this.#isFinal() && (await this.#isNotified(signal)));
    } catch (thrown) {
      if (!(thrown instanceof Cancelled)) this.watching.ports.onFault?.(thrown);
    } finally {
      Watch.#subscriptions--;
    }
  }

  /** Subscribes to the next level; true once it was reached. */
  async #isNotified(signal: AbortSignal): Promise<boolean> {
    const { signature, request, ports } = this.watching;
    // A URL on the request line has no WebSocket that is known.
    if (ports.stream === undefined || (request.url !== undefined && !this.#isAtSender)) return false;
    // On Agave 4.3 a notification of `confirmed` may be skipped, and on Alpenglow it says nothing more.
    const level = this.#chain.hasConfirmed && this.landing.times.confirmed === undefined ? 'confirmed' : 'finalized';
    const wanted = this.#request('WS', 'signatureSubscribe', `["${signature}",{"commitment":"${level}"}]`);
    const opened = await abortable(ports.stream.openStream(wanted, signal), signal);
    if (!opened.ok) return false;
    try {
      this.#isFollowed = true;
      this.#isCaughtUp = false;
      this.#rouse();
      for await (const message of opened.value.messages()) {
        const seen = notifiedIn(message, level);
        if (seen === undefined) continue;
        this.#see({ ...seen, ...(this.landing.slot !== undefined && { slot: this.landing.slot }) }, this.#isCaughtUp);
        return true;
      }
      return false;
    } finally {
      this.#isFollowed = false;
      this.#rouse();
      await opened.value.close();
    }
  }

  #see(seen: Sighting, isExact: boolean): void {
    const { level } = this.landing;
    // The first sighting may be of a transaction that landed long before.
    const isOld = this.#isFirst && this.watching.inHistory === true;
    const at: SeenAt = { ms: isOld ? undefined : this.watching.ports.clock.now() - this.#since, isExact };
    const landing = advanced(this.landing, seen, at);
    const sent = this.#sentSlot;
    const slots = sent === undefined || seen.slot === undefined ? undefined : Number(BigInt(seen.slot) - sent);
    this.landing = { ...landing, ...(slots !== undefined && { slots: Math.max(0, slots) }) };
    if (this.landing.level !== level) this.watching.onChange(this.landing);
  }

  /** True if it is seen as finalized. */
  async #look(inHistory: boolean): Promise<boolean> {
    this.#isDue = false;
    const wasFollowed = this.#isFollowed;
    const seen = await this.#sighting(inHistory);
    if (seen !== undefined) this.#see(seen, false);
    this.#isFirst = false;
    if (wasFollowed && this.#failures === 0) this.#isCaughtUp = true;
    return seen?.level === 'finalized';
  }

  async #sighting(inHistory: boolean): Promise<Sighting | undefined> {
    const { signature } = this.watching;
    if (!this.#isPlain) {
      const config = inHistory ? ',{"searchTransactionHistory":true}' : '';
      const answer = await this.#ask('getSignatureStatuses', `[["${signature}"]${config}]`);
      if (answer !== undefined) {
        if (this.#isFirst && this.watching.inHistory !== true) this.#sentSlot = contextSlot(answer);
        return this.#read(() => sightingIn(answer));
      }
      if (!this.#isPlain) return undefined;
    }
    const wanted = this.landing.level === 'sent' ? this.#settled : 'finalized';
    const config = `{"commitment":"${wanted}","maxSupportedTransactionVersion":1}`;
    const answer = await this.#ask('getTransaction', `["${signature}",${config}]`);
    return answer === undefined ? undefined : this.#read(() => sightingOfTransaction(answer, wanted));
  }

  /** The first level at which a block stays. */
  get #settled(): 'confirmed' | 'finalized' {
    return this.#chain.hasConfirmed ? 'confirmed' : 'finalized';
  }

  async #isTooOld(): Promise<boolean> {
    if (this.#slotsToAge > 0) return false;
    this.#slotsToAge = ROUND_SLOTS;
    const { nonce } = this.watching;
    if (nonce !== undefined) return this.#isAdvanced(nonce);
    const answer = await this.#ask('getBlockHeight', `[{"commitment":"${this.#settled}"}]`);
    const height = answer === undefined ? undefined : this.#read(() => integerOf(member(answer, 'result')));
    if (height === undefined) return false;
    // Unknown: no blockhash that was good when it was sent is good for longer.
    this.#lastValid ??= height + BigInt(BLOCKHASH_BLOCKS);
    return height > this.#lastValid;
  }

  /** Whether the account has another nonce by now: the transaction, or another one, has used it up. */
  async #isAdvanced({ account, nonce }: DurableNonce): Promise<boolean> {
    const answer = await this.#ask(
      'getAccountInfo',
      `["${account}",{"encoding":"base64","commitment":"${this.#settled}"}]`,
    );
    const now = answer === undefined ? undefined : this.#read(() => ({ nonce: nonceInAnswer(answer) }));
    return now !== undefined && now.nonce !== nonce;
  }

  /** The watch is over before the transaction is final: a cluster whose finality has stopped is reported. */
  async #unfinished(): Promise<Watched> {
    const { slot, level } = this.landing;
    if (slot === undefined || level === 'sent') return { landing: this.landing };
    const answer = await this.#ask('getSlot', '[{"commitment":"finalized"}]');
    const finalized = integerOf(member(answer, 'result'));
    if (finalized !== undefined && finalized < BigInt(slot)) {
      this.landing = { ...this.landing, finalizedSlot: String(finalized) };
      this.watching.onChange(this.landing);
    }
    return { landing: this.landing };
  }

  #expired(): Watched {
    const { signature, nonce } = this.watching;
    this.landing = { ...this.landing, level: 'expired' };
    const [end, next] =
      nonce === undefined
        ? ['its blockhash was too old', 'a fresh blockhash, with a higher priority fee if the cluster is busy']
        : ['its nonce was advanced', `the nonce that ${nonce.account} has now`];
    return {
      landing: this.landing,
      error: {
        kind: 'expired',
        signature,
        message: `The transaction ${signature} did not land before ${end}.`,
        hint: `It can no longer land: sign it again with ${next}.`,
      },
    };
  }

  /** Too old with a recent blockhash, and with a durable nonce not: nobody can say which one an unseen transaction has. */
  #unseen(): Watched {
    const { signature } = this.watching;
    return {
      landing: this.landing,
      error: {
        kind: 'ambiguous',
        signature,
        message: `The transaction ${signature} was not seen for ${BLOCKHASH_BLOCKS} blocks. With a recent blockhash it can no longer land; with a durable nonce it can, until its nonce account is advanced.`,
      },
    };
  }

  #read<T>(get: () => T): T | undefined {
    try {
      const value = get();
      this.#failures = 0;
      return value;
    } catch {
      this.#failures++;
      return undefined;
    }
  }

  /** A request of the same endpoint. */
  #request(transport: 'POST' | 'WS', method: string, params: string): PreparedRequest {
    const { endpoint, url, isKeyless, timeoutMs } = this.watching.request;
    const place = { transport, endpoint, isKeyless, timeoutMs };
    return nodeRequest({ ...place, ...(this.#isAtSender ? { sentTo: url } : { url }) }, method, params);
  }

  /** The body of an answer; undefined if unreadable. By POST. */
  async #ask(method: string, params: string): Promise<JsonValue | undefined> {
    const { ports, signal } = this.watching;
    const answer = await abortable(ports.look(this.#request('POST', method, params), signal), signal);
    const { error, body } = answer.ok ? answer.value : { error: answer.error, body: undefined };
    const read = error === undefined && body?.kind === 'text' ? body.value : undefined;
    if (read !== undefined) return read;
    if (error?.kind === 'noEndpoint' || error?.kind === 'invalidRequest') this.#isAtSender = false;
    if (method === 'getSignatureStatuses' && error?.kind === 'rpc' && error.code === NO_METHOD) this.#isPlain = true;
    else this.#failures++;
    return undefined;
  }
}
