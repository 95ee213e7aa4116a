// Recognises messages that two connections of a stream both deliver: a replay after a break, or an old connection that
// is still open next to a new one. Keeps no message, only its identity.

import { bankPart, withoutBank } from '../../core/service/streams/identities';

/** Updates of one connection since the comparison began. */
export class ConnectionHistory {
  /** How often it brought each message, by identity. */
  readonly counts = new Map<string, number>();
  /** Whether its bank ids are from the same server as before; undefined while unknown. */
  hasSameBanks: boolean | undefined;
}

/** Most identities that are kept; beyond it a message may appear twice. */
const MAX_KNOWN = 200_000;

export class ReplayDeduper {
  /** Until when new messages are remembered, by the stream's clock. ms */
  until = Infinity;
  /** How often each message was handed on. */
  readonly #counts = new Map<string, number>();
  /** For messages that name a bank: the identity without it, and the banks. */
  readonly #bankless = new Set<string>();
  readonly #banks = new Set<string>();

  /**
   * @param known identities of the updates passed on before
   * @param isUnique whether two messages of one identity are the same one, as updates of Yellowstone are (yellowstone-grpc,
   *   from_slot). Notifications of PubSub have no identity: two equal ones may be separate events, and each connection
   *   delivers both. They are passed on as often as the connection that delivers them most often.
   * @param slot the newest before the comparison began: anything above it is new
   */
  constructor(
    known: Iterable<string>,
    private readonly isUnique: boolean,
    public slot: number,
  ) {
    for (const identity of known) this.#remember(identity, 1);
  }

  /** Whether the message was received already; records it if not. `remembers`: it may be replayed. */
  isRepeat(identity: string, history: ConnectionHistory, remembers: boolean): boolean {
    const times = this.#counts.get(identity) ?? 0;
    if (this.isUnique) {
      if (this.#hasCome(identity, times > 0, history)) return true;
    } else {
      const here = (history.counts.get(identity) ?? 0) + 1;
      if (remembers || here <= times) history.counts.set(identity, here);
      if (here <= times) return true;
    }
    if (remembers && this.#counts.size < MAX_KNOWN) this.#remember(identity, times + 1);
    return false;
  }

  /**
   * Updates are equal in the same bank of the same slot. Bank ids are local to a server: if the connection is to another
   * server, only the slot counts.
   */
  #hasCome(identity: string, isKnown: boolean, history: ConnectionHistory): boolean {
    const bank = bankPart(identity);
    if (bank === '') return isKnown;
    const isSameBut = this.#bankless.has(withoutBank(identity));
    if (this.#banks.has(bank)) history.hasSameBanks ??= true;
    else if (isSameBut) history.hasSameBanks ??= false;
    return isKnown || (history.hasSameBanks === false && isSameBut);
  }

  #remember(identity: string, times: number): void {
    this.#counts.set(identity, times);
    const bank = bankPart(identity);
    if (bank === '') return;
    this.#banks.add(bank);
    this.#bankless.add(withoutBank(identity));
  }
}

interface Comparison {
  readonly deduper: ReplayDeduper;
  readonly history: ConnectionHistory;
}

/**
 * The dedupers of one connection: one against the updates passed on before it, during its replay, and one against those
 * of the connection that replaces it. Both at once if a stream moves again before the replay is over.
 */
export class Comparisons implements Iterable<Comparison> {
  #all: readonly Comparison[] = [];

  get isEmpty(): boolean {
    return this.#all.length === 0;
  }

  /** From now on the connection takes part in this one, too. */
  with(deduper: ReplayDeduper): ReplayDeduper {
    this.#all = [...this.#all, { deduper, history: new ConnectionHistory() }];
    return deduper;
  }

  clear(): void {
    this.#all = [];
  }

  end(deduper: ReplayDeduper): void {
    this.#all = this.#all.filter((one) => one.deduper !== deduper);
  }

  /** For messages received in addition to the connection's own. */
  beside(): Comparisons {
    const own = new Comparisons();
    for (const { deduper } of this.#all) own.with(deduper);
    return own;
  }

  [Symbol.iterator](): Iterator<Comparison> {
    return this.#all[Symbol.iterator]();
  }
}
