// Two explanations side by side, as a difference of their lines: what only one of them says is marked. Lines that differ in
// numbers alone are taken for the same line, so that a call is compared with the same call.
import type { Explanation } from './explanation';
import { explanationLines } from './text';

export interface ComparedLine {
  /** `-` only the first says it, `+` only the second. */
  readonly mark: ' ' | '-' | '+';
  readonly text: string;
}

/** Cells of the table that finds the longest common lines; larger differences are taken as a whole. */
const MAX_CELLS = 4_000_000;

export const comparedExplanations = (first: Explanation, second: Explanation): readonly ComparedLine[] =>
  comparedLines(explanationLines(first), explanationLines(second));

/** Lines of both in their order. */
export function comparedLines(first: readonly string[], second: readonly string[]): readonly ComparedLine[] {
  const [a, b] = [first.map(keyOf), second.map(keyOf)];
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let [endA, endB] = [a.length, b.length];
  while (endA > start && endB > start && a[endA - 1] === b[endB - 1]) {
    endA--;
    endB--;
  }
  const pairs: Pair[] = [
    ...Array.from({ length: start }, (_, at): Pair => [at, at]),
    ...commonPairs(a.slice(start, endA), b.slice(start, endB)).map(([x, y]): Pair => [x + start, y + start]),
    ...Array.from({ length: a.length - endA }, (_, at): Pair => [endA + at, endB + at]),
    [a.length, b.length],
  ];
  const lines: ComparedLine[] = [];
  let [x, y] = [0, 0];
  for (const [atA, atB] of pairs) {
    while (x < atA) lines.push({ mark: '-', text: first[x++] ?? '' });
    while (y < atB) lines.push({ mark: '+', text: second[y++] ?? '' });
    const [before, after] = [first[x++], second[y++]];
    if (before === undefined || after === undefined) continue;
    if (before === after) lines.push({ mark: ' ', text: before });
    else lines.push({ mark: '-', text: before }, { mark: '+', text: after });
  }
  return lines;
}

type Pair = readonly [first: number, second: number];

/** A line without its numbers; its indent and its place in the tree stay. */
const keyOf = (line: string): string => line.replace(/(?<=[ (+-])[\d,.]+(?= |\)|$)/g, '#');

/** Places of the longest common sequence of lines. */
function commonPairs(a: readonly string[], b: readonly string[]): readonly Pair[] {
  const width = b.length + 1;
  if (a.length === 0 || b.length === 0 || (a.length + 1) * width > MAX_CELLS) return [];
  const lengths = new Uint32Array((a.length + 1) * width);
  const at = (x: number, y: number): number => lengths[x * width + y] ?? 0;
  for (let x = a.length - 1; x >= 0; x--)
    for (let y = b.length - 1; y >= 0; y--)
      lengths[x * width + y] = a[x] === b[y] ? at(x + 1, y + 1) + 1 : Math.max(at(x + 1, y), at(x, y + 1));
  const pairs: Pair[] = [];
  let [x, y] = [0, 0];
  while (x < a.length && y < b.length) {
    if (a[x] === b[y]) pairs.push([x++, y++]);
    else if (at(x + 1, y) >= at(x, y + 1)) x++;
    else y++;
  }
  return pairs;
}
