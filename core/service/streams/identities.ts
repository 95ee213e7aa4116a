// Identities that recognise replayed updates: a 64-bit hash of the bytes that name an update, as a string of four UTF-16
// units. A collision is less likely than a hardware fault.

/** Scratch buffer for the current identity; reused for each update. */
const MADE = { high: 0, low: 0 };

/** Starts an identity with the kind of update. */
export function beginIdentity(kind: number): void {
  MADE.high = kind;
  MADE.low = ~kind;
}

/** The identity started last. Strings of digits, or of the hashed bytes, take ten times the time and memory. */
export const madeIdentity = (): string =>
  String.fromCharCode(MADE.high >>> 16, MADE.high & 0xffff, MADE.low >>> 16, MADE.low & 0xffff);

/** UTF-16 units of an identity before the part for slot and bank. */
const OWN = 4;

/** An update's identity without its bank: bank ids are local to a server. */
export const withoutBank = (identity: string): string => (identity.length > OWN ? identity.slice(0, OWN) : identity);

/** The part for slot and bank; empty if the update names no bank. */
export const bankPart = (identity: string): string => identity.slice(OWN);

/** Adds bytes and their length, which keeps adjacent parts apart: MurmurHash3's mixing, in two lanes. */
export function addToIdentity(bytes: Uint8Array, start: number, end: number): void {
  let { high, low } = MADE;
  let at = start;
  for (; at + 4 <= end; at += 4) {
    const word =
      (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8) | ((bytes[at + 2] ?? 0) << 16) | ((bytes[at + 3] ?? 0) << 24);
    high = stir(high, word, 0xcc9e2d51, 0x1b873593);
    low = stir(low, word, 0x239b961b, 0xab0e9789);
  }
  let rest = end - start;
  for (; at < end; at++) rest = Math.imul(rest, 257) ^ (bytes[at] ?? 0);
  MADE.high = settled(stir(high, rest, 0x38b34ae5, 0xa1e38b93)) ^ low;
  MADE.low = settled(stir(low, rest, 0x9e3779b1, 0x85ebca77)) ^ MADE.high;
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
