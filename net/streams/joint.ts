// Where two connections of a stream meet: a replay after a break, or an old one beside a new one. Tells of each message
// whether it was told already; keeps no message, only what tells it from others.

/** How often one connection told each message since the joint began. */
export type Side = Map<string, number>;

/** What is remembered at most; beyond it a message may be told twice. */
const MAX_KNOWN = 200_000;

export class Joint {
  /** Up to this time, as the clock of the stream tells it, what comes is remembered. */
  until = Infinity;
  /** How often each message was handed on. */
  private readonly told = new Map<string, number>();

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
    for (const identity of known) this.told.set(identity, 1);
  }

  /** Whether the message came already; if not, it has come now. `remembers`: that it came is of use later. */
  isToldAgain(identity: string, side: Side, remembers: boolean): boolean {
    const times = this.told.get(identity) ?? 0;
    if (this.isUnique) {
      if (times > 0) return true;
    } else {
      const here = (side.get(identity) ?? 0) + 1;
      if (remembers || here <= times) side.set(identity, here);
      if (here <= times) return true;
    }
    if (remembers && this.told.size < MAX_KNOWN) this.told.set(identity, times + 1);
    return false;
  }
}
