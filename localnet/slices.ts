// Long reads in short slices: other calls, slots and sockets get their turn after every few milliseconds.

const SLICE_MS = 4;
const CHECK_EVERY = 64;

/** The work lasts longer than it may. */
export class OutOfTime extends Error {}

/**
 * Gives the turn away when the present slice has lasted long enough: `const turn = pause(); if (turn) await turn;`.
 * Awaiting `undefined` for every item would cost more than the items. Throws OutOfTime at the first look at the clock after `until`, a time of `performance.now`.
 */
export function pacer(until = Infinity): (items?: number) => Promise<void> | undefined {
  let started = performance.now();
  let unchecked = 0;
  return (items = 1) => {
    unchecked += items;
    if (unchecked < CHECK_EVERY) return undefined;
    unchecked = 0;
    const now = performance.now();
    if (now > until) throw new OutOfTime();
    if (now - started < SLICE_MS) return undefined;
    return new Promise((resolve) => {
      setImmediate(() => {
        started = performance.now();
        resolve();
      });
    });
  };
}

/**
 * The values of `map` that are not undefined, in order. `weight`: as how many small items one may count. `until`: see
 * `pacer`.
 */
export async function collectInSlices<T, R>(
  items: Iterable<T>,
  map: (item: T) => R | undefined,
  weight = 1,
  until?: number,
): Promise<R[]> {
  const pause = pacer(until);
  const found: R[] = [];
  for (const item of items) {
    const value = map(item);
    if (value !== undefined) found.push(value);
    const turn = pause(weight);
    if (turn !== undefined) await turn;
  }
  return found;
}

/** Sorts without holding the loop for longer than a slice: short runs first, then merges. */
export async function sortInSlices<T>(
  items: readonly T[],
  compare: (a: T, b: T) => number,
  until?: number,
): Promise<T[]> {
  const RUN = 1024;
  const pause = pacer(until);
  let runs: T[][] = [];
  for (let at = 0; at < items.length; at += RUN) {
    runs.push(items.slice(at, at + RUN).sort(compare));
    const turn = pause(RUN);
    if (turn !== undefined) await turn;
  }
  while (runs.length > 1) {
    const merged: T[][] = [];
    for (let i = 0; i < runs.length; i += 2) {
      const [left, right] = [runs[i] ?? [], runs[i + 1] ?? []];
      const into: T[] = [];
      let l = 0;
      let r = 0;
      while (l < left.length || r < right.length) {
        const a = left[l];
        const b = right[r];
        if (b === undefined || (a !== undefined && compare(a, b) <= 0)) {
          if (a !== undefined) into.push(a);
          l++;
        } else {
          into.push(b);
          r++;
        }
        const turn = pause();
        if (turn !== undefined) await turn;
      }
      merged.push(into);
    }
    runs = merged;
  }
  return runs[0] ?? [];
}

/** The `count` items with the largest size, largest first; of equals, the one that came first. */
export async function topInSlices<T>(items: readonly T[], count: number, size: (item: T) => bigint): Promise<T[]> {
  const pause = pacer();
  const top: T[] = [];
  for (const item of items) {
    const least = top.at(-1);
    if (top.length < count || least === undefined || size(item) > size(least)) {
      const at = top.findIndex((other) => size(other) < size(item));
      top.splice(at === -1 ? top.length : at, 0, item);
      if (top.length > count) top.pop();
    }
    const turn = pause();
    if (turn !== undefined) await turn;
  }
  return top;
}
