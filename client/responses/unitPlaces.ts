// The numbers of a response that have a unit, by the names that nodes give them. Pure; reads pretty-printed JSON line by
// line and holds no tree, so that a large answer costs no more than its text.
import { unitOf, type Unit } from '../../core/solana/chain/units';

export interface UnitPlace {
  readonly unit: Unit;
  readonly value: bigint;
  /** UTF-16 units; the number's digits. */
  readonly start: number;
  readonly end: number;
}

/** Text that is searched, and places that are found. */
const MAX_TEXT = 2_000_000;
const MAX_PLACES = 5_000;

/** A member with an integer, a member that opens a list, an integer in a list, or the end of one. */
const LINE = /^[ \t]*(?:"([\w-]{1,64})": (?:(-?\d{1,20})|\[)|(-?\d{1,20})|(\]))(?=,?$)/gm;

/** `bare`: the unit of a value that is a method's whole result, or the only value apart from the context. */
export function unitPlaces(text: string, bare: Unit | undefined): readonly UnitPlace[] {
  const places: UnitPlace[] = [];
  let list: Unit | undefined;
  for (const match of text.slice(0, MAX_TEXT).matchAll(LINE)) {
    if (places.length >= MAX_PLACES) break;
    const [whole, name, member, item, close] = match;
    const named = name === undefined ? list : name === 'result' || name === 'value' ? bare : unitOf(name);
    const digits = member ?? item;
    if (name !== undefined && member === undefined) list = named;
    else if (close !== undefined) list = undefined;
    if (digits === undefined || named === undefined) continue;
    const end = match.index + whole.length;
    places.push({ unit: named, value: BigInt(digits), start: end - digits.length, end });
  }
  return places;
}
