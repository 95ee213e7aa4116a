// Index of a response too large for memory: offsets of its members and of every n-th array item, built while the body
// streams. Bounded for any size of response; contains no values.
import type { Key, ValueKind, Visitor } from './scanner';

/** Deepest level indexed: `result.value.accounts` is the third. */
const MAX_DEPTH = 4;
/** Most members indexed in total; later ones are found by scanning. */
const MAX_PARTS = 4_096;
/** Most item offsets kept in total; above that, every second one is dropped of the list with the most. */
const MAX_STARTS = 65_536;

/** A value and its byte range. */
export interface BytePart {
  readonly key: Key;
  readonly kind: ValueKind;
  readonly start: number;
  /** End offset, exclusive; undefined while it is still streaming. */
  end: number | undefined;
  /** Members of an indexed object, in order. */
  readonly members?: BytePart[];
  /** False if members were left out. */
  isWhole: boolean;
  /** For an indexed array. */
  readonly items?: Items;
}

/** Offsets of an array's items 0, stride, 2 * stride, … */
export interface Items {
  count: number;
  stride: number;
  starts: number[];
}

export class Outline implements Visitor {
  #top: BytePart | undefined;
  readonly #open: BytePart[] = [];
  readonly #lists: Items[] = [];
  /** Inside a value that is not indexed. */
  #isPassing = false;
  #parts = 0;
  #starts = 0;

  /** The outermost value; undefined before its first byte. */
  get root(): BytePart | undefined {
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
    const part: BytePart = {
      key,
      kind,
      start: offset,
      end: undefined,
      isWhole: isDescribed,
      ...(isDescribed && kind === 'object' ? { members: [] } : {}),
      ...(isDescribed && kind === 'array' ? { items: { count: 0, stride: 1, starts: [] } } : {}),
    };
    if (part.items !== undefined) this.#lists.push(part.items);
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
      if (this.#starts > MAX_STARTS) this.#thin();
    }
    items.count++;
  }

  #thin(): void {
    const items = this.#lists.reduce((most, list) => (list.starts.length > most.starts.length ? list : most));
    const before = items.starts.length;
    items.starts = items.starts.filter((_, at) => at % 2 === 0);
    items.stride *= 2;
    this.#starts -= before - items.starts.length;
  }
}

/** The indexed array with the most bytes, which a viewer pages through. `seen`: bytes received. */
export function largestArray(root: BytePart | undefined, seen: number): readonly Key[] | undefined {
  let found: { readonly path: readonly Key[]; readonly bytes: number } | undefined;
  const look = (part: BytePart, path: readonly Key[]): void => {
    const bytes = Math.max(0, (part.end ?? seen) - part.start);
    if (part.items !== undefined && bytes > (found?.bytes ?? -1)) found = { path, bytes };
    for (const inner of part.members ?? []) look(inner, [...path, inner.key]);
  };
  if (root !== undefined) look(root, []);
  return found?.path;
}

/** The outline as JSON, stored next to the response. */
export const outlineText = (root: BytePart): string => JSON.stringify({ version: VERSION, root });

const VERSION = 1;

/** Parses the output of `outlineText`; undefined for anything else: the caller rebuilds it from the response. */
export function readOutline(text: string): BytePart | undefined {
  try {
    const { version, root } = JSON.parse(text) as { readonly version: unknown; readonly root: BytePart };
    return version === VERSION ? root : undefined;
  } catch {
    return undefined;
  }
}
