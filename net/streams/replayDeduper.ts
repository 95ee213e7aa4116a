// Recognises messages that two connections of a stream both bring: a replay after a break, or an old connection beside a
// new one. Keeps no message, only its identity.

import { bankPart, withoutBank } from '../../core/streams/identities';

/** What one connection has brought since the comparison began. */
export class ConnectionHistory {
  /** How often it brought each message, by identity. */
  readonly counts = new Map<string, number>();
  /** Whether its bank ids are those of before, from the same server; undefined while nothing shows it. */
  hasSameBanks: boolean | undefined;
}

/** Most identities that are kept; beyond it a message may appear twice. */
const MAX_KNOWN = 200_000;

export class ReplayDeduper {
  /** Until when new messages are remembered, by the stream's clock. ms */
  until = Infinity;
  /** How often each message was handed on. */
  readonly #counts = new Map<string, number>();
  /** Of messages that name a bank: what they are without it, and the banks. */
  readonly #bankless = new Set<string>();
  readonly #banks = new Set<string>();

  /**
   * @param known identities of what was handed on before
   * @param isUnique whether two messages of one identity are the same one, as updates of Yellowstone are (yellowstone-grpc,
   *   from_slot). Notifications of PubSub name nothing of their own: two that are alike may both have happened, and each
   *   connection brings both. They are handed on as often as the connection brings them that brings them most.
   * @param slot the newest before the comparison began: what is above it is new for sure
   */
  constructor(
    known: Iterable<string>,
    private readonly isUnique: boolean,
    public slot: number,
  ) {
    for (const identity of known) this.#remember(identity, 1);
  }

  /** Whether the message came already; records it if not. `remembers`: it may come again. */
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
   * An update is the same in the same bank of the same slot. Bank ids are a server's own: where the connection leads to
   * another server, whose ids say nothing here, the slot alone counts.
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
 * What the messages of one connection are compared with: what was handed on before it, as long as it replays that, and
 * what the connection brings that takes its place. Both at once where a stream moves again before the replay is over.
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

  end(deduper: ReplayDeduper): void {
    this.#all = this.#all.filter((one) => one.deduper !== deduper);
  }

  /** For messages that come beside those of the connection. */
  beside(): Comparisons {
    const own = new Comparisons();
    for (const { deduper } of this.#all) own.with(deduper);
    return own;
  }

  [Symbol.iterator](): Iterator<Comparison> {
    return this.#all[Symbol.iterator]();
  }
}
