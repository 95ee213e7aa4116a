// What tells updates apart when they are told again: 64 bits made of the bytes that name an update, and sets of them. Half
// a million are 8 to 16 MB; two that are taken for one are less likely than a fault of the machine.

/** Used anew for each update: nothing is made for one. Both halves are unsigned. */
export interface Identity {
  high: number;
  low: number;
}

export const newIdentity = (): Identity => ({ high: 0, low: 0 });

/** Begins an identity with what kind of thing it names. */
export function beginIdentity(into: Identity, kind: number): void {
  into.high = kind >>> 0;
  into.low = ~kind >>> 0;
}

/** Adds bytes and how many they are, so that neighbours do not run into each other. Two rounds of MurmurHash3's mixing. */
export function addToIdentity(into: Identity, bytes: Uint8Array, start: number, end: number): void {
  let { high, low } = into;
  let at = start;
  for (; at + 4 <= end; at += 4) {
    const word =
      (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8) | ((bytes[at + 2] ?? 0) << 16) | ((bytes[at + 3] ?? 0) << 24);
    high = stir(high, word, 0xcc9e2d51, 0x1b873593);
    low = stir(low, word, 0x239b961b, 0xab0e9789);
  }
  let rest = end - start;
  for (; at < end; at++) rest = Math.imul(rest, 257) ^ (bytes[at] ?? 0);
  into.high = settled(stir(high, rest, 0x38b34ae5, 0xa1e38b93)) ^ low;
  into.low = settled(stir(low, rest, 0x9e3779b1, 0x85ebca77)) ^ into.high;
  into.high >>>= 0;
  into.low >>>= 0;
}

function stir(state: number, word: number, first: number, second: number): number {
  let mixed = Math.imul(word, first);
  mixed = Math.imul((mixed << 15) | (mixed >>> 17), second) ^ state;
  return (Math.imul((mixed << 13) | (mixed >>> 19), 5) + 0xe6546b64) | 0;
}

function settled(state: number): number {
  let mixed = Math.imul(state ^ (state >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}

const FIRST_PLACES = 1024;

/** A set of identities; grows by itself, forgets nothing. */
export class Identities {
  size = 0;
  /** Two numbers a place, the high half first; both 0: free. */
  private places = new Uint32Array(2 * FIRST_PLACES);
  private mask = FIRST_PLACES - 1;

  has({ high, low }: Identity): boolean {
    const at = this.place(high, named(high, low));
    return (this.places[at] ?? 0) !== 0 || (this.places[at + 1] ?? 0) !== 0;
  }

  add({ high, low }: Identity): void {
    if (2 * this.size > this.mask) this.grow();
    this.put(high, named(high, low));
  }

  addAll(others: Identities): void {
    const { places } = others;
    for (let at = 0; at < places.length; at += 2) {
      const [high, low] = [places[at] ?? 0, places[at + 1] ?? 0];
      if (high !== 0 || low !== 0) this.add({ high, low });
    }
  }

  private put(high: number, low: number): void {
    const { places } = this;
    const at = this.place(high, low);
    if (places[at] === high && places[at + 1] === low) return;
    places[at] = high;
    places[at + 1] = low;
    this.size++;
  }

  /** Where it stands, or would. */
  private place(high: number, low: number): number {
    const { places, mask } = this;
    for (let place = low & mask; ; place = (place + 1) & mask) {
      const at = 2 * place;
      if (places[at] === high && places[at + 1] === low) return at;
      if (places[at] === 0 && places[at + 1] === 0) return at;
    }
  }

  private grow(): void {
    const { places } = this;
    this.mask = 2 * this.mask + 1;
    this.places = new Uint32Array(2 * (this.mask + 1));
    this.size = 0;
    for (let at = 0; at < places.length; at += 2) {
      const [high = 0, low = 0] = [places[at], places[at + 1]];
      if (high !== 0 || low !== 0) this.put(high, low);
    }
  }
}

/** Never that of a free place. */
const named = (high: number, low: number): number => (high === 0 && low === 0 ? 1 : low);
