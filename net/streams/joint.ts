// Where two connections of a stream meet: a replay after a break, or an old one beside a new one. Tells of each message
// whether it was told already; keeps no message, only what tells it from others.

import { bankPart, withoutBank } from '../../core/streams/identities';

/** One connection's side of a joint. */
export class Side {
  /** How often the connection told each message since the joint began. */
  readonly told = new Map<string, number>();
  /** Whether its bank ids are those of before, from the same server; undefined while nothing shows it. */
  hasSameBanks: boolean | undefined;
}

/** What is remembered at most; beyond it a message may be told twice. */
const MAX_KNOWN = 200_000;

export class Joint {
  /** Up to this time, as the clock of the stream tells it, what comes is remembered. */
  until = Infinity;
  /** How often each message was handed on. */
  readonly #told = new Map<string, number>();
  /** Of messages that name a bank: what they are without it, and the banks. */
  readonly #bankless = new Set<string>();
  readonly #banks = new Set<string>();

  /**
   * @param known identities of what was handed on before
   * @param isUnique whether two messages of one identity are the same one, as updates of Yellowstone are (solana.md b,
   *   from_slot). Notifications of PubSub name nothing of their own: two that are alike may both have happened, and each
   *   connection tells both. They are handed on as often as the connection tells them that tells them most.
   * @param slot the newest before the joint: what is above it is new for sure
   */
  constructor(
    known: Iterable<string>,
    private readonly isUnique: boolean,
    public slot: number,
  ) {
    for (const identity of known) this.#remember(identity, 1);
  }

  /** Whether the message came already; if not, it has come now. `remembers`: that it came is of use later. */
  isToldAgain(identity: string, side: Side, remembers: boolean): boolean {
    const times = this.#told.get(identity) ?? 0;
    if (this.isUnique) {
      if (this.#hasCome(identity, times > 0, side)) return true;
    } else {
      const here = (side.told.get(identity) ?? 0) + 1;
      if (remembers || here <= times) side.told.set(identity, here);
      if (here <= times) return true;
    }
    if (remembers && this.#told.size < MAX_KNOWN) this.#remember(identity, times + 1);
    return false;
  }

  /**
   * An update is the same in the same bank of the same slot. Bank ids are a server's own: where the connection leads to
   * another server, whose ids say nothing here, the slot alone counts.
   */
  #hasCome(identity: string, isKnown: boolean, side: Side): boolean {
    const bank = bankPart(identity);
    if (bank === '') return isKnown;
    const isSameBut = this.#bankless.has(withoutBank(identity));
    if (this.#banks.has(bank)) side.hasSameBanks ??= true;
    else if (isSameBut) side.hasSameBanks ??= false;
    return isKnown || (side.hasSameBanks === false && isSameBut);
  }

  #remember(identity: string, times: number): void {
    this.#told.set(identity, times);
    const bank = bankPart(identity);
    if (bank === '') return;
    this.#banks.add(bank);
    this.#bankless.add(withoutBank(identity));
  }
}
