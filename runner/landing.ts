// Watches a transaction that was sent: asks, with the RPC key, how far it is confirmed until it is finalized, its
// blockhash is too old or its durable nonce was advanced. Only reads; nothing is ever sent again.
import { answersRpc } from '../core/providers/ways';
import { advanced, nonceInAnswer, sightingIn, transactionIn, type Sighting } from '../core/run/landing';
import { integerOf, member, type JsonValue } from '../core/values/json/json';
import { BLOCKHASH_BLOCKS } from '../core/values/solana/limits';
import type { DurableNonce } from '../core/values/solana/nonce';
import { abortable, Cancelled } from './wait';
import type { ServiceError } from '../core/errors';
import type { Landing, LandingLevel, PreparedRequest } from '../core/run/model';
import type { RunPorts } from './ports';

/** Between two questions until it is confirmed, in milliseconds: about a slot. */
const POLL_MS = 400;
/** And from then on: a dozen seconds to finality are no reason to spend the plan. */
const SLOW_POLL_MS = 1_500;
/** Longest time a transaction is watched, in milliseconds; a blockhash is good for about a minute. */
const MAX_MS = 120_000;
/** After this many polls in a row without a usable answer, the watch ends with the current state. */
const MAX_FAILURES = 5;
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
  landing: Landing;
  readonly #since: number;
  #lastValid: bigint | undefined;
  #failures = 0;
  /** The URL is a sender's, which answers no question; false once no endpoint was found that does. */
  #isAtSender: boolean;
  /** The service offers no getSignatureStatuses: getTransaction is asked, level by level. */
  #isPlain = false;

  constructor(private readonly watching: Watching) {
    const { signature, nonce } = watching;
    this.landing = { signature, level: 'sent', times: {}, ...(nonce && { nonceAccount: nonce.account }) };
    const { url } = watching.request;
    this.#isAtSender = url !== undefined && !answersRpc(url);
    this.#since = watching.ports.clock.now();
    this.#lastValid = watching.lastValidBlockHeight;
  }

  async toEnd(): Promise<Watched> {
    const { ports, signal } = this.watching;
    for (;;) {
      if (await this.#look(this.watching.inHistory === true)) return { landing: this.landing };
      if (this.landing.level === 'sent' && (await this.#isTooOld())) {
        // Between the two questions it may have landed in the very last block.
        await this.#look(true);
        if (this.landing.level === 'sent') return this.watching.isUnread === true ? this.#unseen() : this.#expired();
      }
      const isOver = ports.clock.now() - this.#since > MAX_MS || this.#failures >= MAX_FAILURES;
      if (isOver) return { landing: this.landing };
      const pause = this.landing.level === 'confirmed' ? SLOW_POLL_MS : POLL_MS;
      await abortable(ports.clock.sleep(pause, signal), signal);
    }
  }

  /** True once it is finalized. */
  async #look(inHistory: boolean): Promise<boolean> {
    const seen = await this.#sighting(inHistory);
    if (seen === undefined) return false;
    const { level } = this.landing;
    this.landing = advanced(this.landing, seen, this.watching.ports.clock.now() - this.#since);
    if (this.landing.level !== level) this.watching.onChange(this.landing);
    return seen.level === 'finalized';
  }

  async #sighting(inHistory: boolean): Promise<Sighting | undefined> {
    const { signature } = this.watching;
    if (!this.#isPlain) {
      const config = inHistory ? ',{"searchTransactionHistory":true}' : '';
      const answer = await this.#ask('getSignatureStatuses', `[["${signature}"]${config}]`);
      if (answer !== undefined) return this.#read(() => sightingIn(answer));
      if (!this.#isPlain) return undefined;
    }
    const wanted: LandingLevel = this.landing.level === 'sent' ? 'confirmed' : 'finalized';
    const config = `{"commitment":"${wanted}","maxSupportedTransactionVersion":1}`;
    const answer = await this.#ask('getTransaction', `["${signature}",${config}]`);
    return answer === undefined ? undefined : this.#read(() => transactionIn(answer, wanted));
  }

  async #isTooOld(): Promise<boolean> {
    const { nonce } = this.watching;
    if (nonce !== undefined) return this.#isAdvanced(nonce);
    const answer = await this.#ask('getBlockHeight', '[{"commitment":"confirmed"}]');
    const height = answer === undefined ? undefined : this.#read(() => integerOf(member(answer, 'result')));
    if (height === undefined) return false;
    // Unknown: no blockhash that was good when it was sent is good for longer.
    this.#lastValid ??= height + BigInt(BLOCKHASH_BLOCKS);
    return height > this.#lastValid;
  }

  /** Whether the account has another nonce by now: the transaction, or another one, has used it up. */
  async #isAdvanced({ account, nonce }: DurableNonce): Promise<boolean> {
    const answer = await this.#ask('getAccountInfo', `["${account}",{"encoding":"base64","commitment":"confirmed"}]`);
    const now = answer === undefined ? undefined : this.#read(() => ({ nonce: nonceInAnswer(answer) }));
    return now !== undefined && now.nonce !== nonce;
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

  /** The body of an answer; undefined if unreadable. Sent as a request of the same endpoint, by POST. */
  async #ask(method: string, params: string): Promise<JsonValue | undefined> {
    const { request, ports, signal } = this.watching;
    const { endpoint, url, isKeyless, timeoutMs } = request;
    const answer = await abortable(
      ports.look(
        {
          transport: 'POST',
          method,
          body: `{"jsonrpc":"2.0","id":1,"method":"${method}","params":${params}}`,
          ids: ['1'],
          isBatch: false,
          headers: [],
          timeoutMs,
          ...(endpoint === undefined ? {} : { endpoint }),
          ...(isKeyless && { isKeyless }),
          ...(url === undefined ? {} : this.#isAtSender ? { sentTo: url } : { url }),
        },
        signal,
      ),
      signal,
    );
    const { error, body } = answer.ok ? answer.value : { error: answer.error, body: undefined };
    const read = error === undefined && body?.kind === 'text' ? body.value : undefined;
    if (read !== undefined) return read;
    if (error?.kind === 'noEndpoint' || error?.kind === 'invalidRequest') this.#isAtSender = false;
    if (method === 'getSignatureStatuses' && error?.kind === 'rpc' && error.code === NO_METHOD) this.#isPlain = true;
    else this.#failures++;
    return undefined;
  }
}
