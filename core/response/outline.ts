// The index of a response that is too large to hold: where its members stand, and where every so many items of its arrays
// do, made while the bytes stream by. Bounded, however large the response; holds no values.
import type { Key, ValueKind, Visitor } from './scanner';

/** Objects and arrays are described down to here: `result.value.accounts` is the third level. */
const MAX_DEPTH = 4;
/** Members described over all; those beyond are found by reading on. */
const MAX_PARTS = 4_096;
/** Places kept of an array's items, over all arrays; beyond, every second one goes. */
const MAX_STARTS = 65_536;

/** A value and the bytes where it stands. */
export interface Part {
  readonly key: Key;
  readonly kind: ValueKind;
  readonly start: number;
  /** Behind its last byte; undefined while it is still streaming. */
  end: number | undefined;
  /** Of an object that is described: its members, in order. */
  readonly members?: Part[];
  /** False where members were left out. */
  isWhole: boolean;
  /** Of an array that is described. */
  readonly items?: Items;
}

/** The places of an array's items: of the items 0, stride, 2 * stride, … */
export interface Items {
  count: number;
  stride: number;
  starts: number[];
}

export class Outline implements Visitor {
  #top: Part | undefined;
  readonly #open: Part[] = [];
  /** A value that is not described is going on. */
  #isPassing = false;
  #parts = 0;
  #starts = 0;

  /** The outermost value; undefined before its first byte came. */
  get root(): Part | undefined {
    return this.#top;
  }

  begin(key: Key, kind: ValueKind, offset: number): boolean {
    const parent = this.#open.at(-1);
    if (parent?.items !== undefined) {
      this.#addItem(parent.items, offset);
      this.#isPassing = true;
      return false;
    }
    if (this.#parts >= MAX_PARTS) {
      if (parent !== undefined) parent.isWhole = false;
      this.#isPassing = true;
      return false;
    }
    this.#parts++;
    const isDescribed = this.#open.length < MAX_DEPTH;
    const part: Part = {
      key,
      kind,
      start: offset,
      end: undefined,
      isWhole: isDescribed,
      ...(isDescribed && kind === 'object' ? { members: [] } : {}),
      ...(isDescribed && kind === 'array' ? { items: { count: 0, stride: 1, starts: [] } } : {}),
    };
    if (parent === undefined) this.#top = part;
    else parent.members?.push(part);
    this.#open.push(part);
    return part.members !== undefined || part.items !== undefined;
  }

  end(offset: number): boolean {
    if (this.#isPassing) {
      this.#isPassing = false;
      return true;
    }
    const part = this.#open.pop();
    if (part !== undefined) part.end = offset;
    return true;
  }

  #addItem(items: Items, offset: number): void {
    if (items.count % items.stride === 0) {
      items.starts.push(offset);
      this.#starts++;
      if (this.#starts > MAX_STARTS) this.#thin(items);
    }
    items.count++;
  }

  /** Of the array that is streaming now, and of none of the others: they are smaller. */
  #thin(items: Items): void {
    if (items.starts.length < 2) return;
    const before = items.starts.length;
    items.starts = items.starts.filter((_, at) => at % 2 === 0);
    items.stride *= 2;
    this.#starts -= before - items.starts.length;
  }
}

/** The described array that takes up most of the text: what a viewer pages through. `seen`: bytes that have come. */
export function largestArray(root: Part | undefined, seen: number): readonly Key[] | undefined {
  let found: { readonly path: readonly Key[]; readonly bytes: number } | undefined;
  const look = (part: Part, path: readonly Key[]): void => {
    const bytes = Math.max(0, (part.end ?? seen) - part.start);
    if (part.items !== undefined && bytes > (found?.bytes ?? -1)) found = { path, bytes };
    for (const inner of part.members ?? []) look(inner, [...path, inner.key]);
  };
  if (root !== undefined) look(root, []);
  return found?.path;
}

/** The outline as JSON text, to be kept beside the response. */
export const outlineText = (root: Part): string => JSON.stringify({ version: VERSION, root });

const VERSION = 1;

/** What `outlineText` wrote; undefined for anything else, which is then made anew from the response. */
export function readOutline(text: string): Part | undefined {
  try {
    const { version, root } = JSON.parse(text) as { readonly version: unknown; readonly root: Part };
    return version === VERSION ? root : undefined;
  } catch {
    return undefined;
  }
}
