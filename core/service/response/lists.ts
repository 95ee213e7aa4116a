// The lists of a response, from its outline, for tables. Reads no values.
import type { Key } from './scanner';
import type { BytePart } from './outline';

/** A list and its path. */
export interface ListPlace {
  readonly path: readonly (string | number)[];
  readonly count: number;
}

/** Most lists reported per response. */
const MAX_LISTS = 50;

/**
 * The lists with at least one item, largest first in bytes. An account's `data`, a pair of text and encoding, does not
 * count. `seen`: bytes received.
 */
export function listsIn(root: BytePart | undefined, seen: number): readonly ListPlace[] {
  const found: (ListPlace & { readonly bytes: number })[] = [];
  const look = (part: BytePart, path: readonly (string | number)[]): void => {
    const count = part.items?.count ?? 0;
    const isPair = part.key === 'data' && count === 2;
    if (count > 0 && !isPair) found.push({ path, count, bytes: Math.max(0, (part.end ?? seen) - part.start) });
    for (const inner of part.members ?? []) if (isNamed(inner.key)) look(inner, [...path, inner.key]);
  };
  if (root !== undefined) look(root, []);
  return found
    .sort((left, right) => right.bytes - left.bytes)
    .slice(0, MAX_LISTS)
    .map(({ path, count }) => ({ path, count }));
}

const isNamed = (key: Key): key is string | number => key !== undefined;
