// The names closest to a mistyped one, by edits. Pure; looks at no name for longer than it can still win.

/** A longer name is not a typing mistake of any known name. */
const MAX_LENGTH = 64;
/** A beginning of at least this many characters stands for the whole name, as if it were two edits away. */
const MIN_PREFIX = 4;
const PREFIX_EDITS = 2;

/** Names within a third of their length in edits (a change of case counts little), best first, at most `limit`. */
export function nearestNames(name: string, names: Iterable<string>, limit = 3): string[] {
  if (name.length === 0 || name.length > MAX_LENGTH) return [];
  const found: { readonly name: string; readonly edits: number }[] = [];
  for (const candidate of names) {
    const begins = name.length >= MIN_PREFIX && candidate.toLowerCase().startsWith(name.toLowerCase());
    const most = Math.max(1, Math.floor(Math.max(name.length, candidate.length) / 3));
    const near = Math.abs(candidate.length - name.length) <= most;
    const edits = Math.min(begins ? PREFIX_EDITS : Infinity, near ? distance(name, candidate) : Infinity);
    if (edits <= most || begins) found.push({ name: candidate, edits });
  }
  found.sort((a, b) => a.edits - b.edits);
  return found.slice(0, limit).map((one) => one.name);
}

/** Edits between two names: insert, delete, replace, swap of neighbours; a change of case alone is a fifth of one. */
function distance(from: string, to: string): number {
  let before: number[] = [];
  let above = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    for (let column = 1; column <= to.length; column++) {
      const a = from.charAt(row - 1);
      const b = to.charAt(column - 1);
      const replace = a === b ? 0 : a.toLowerCase() === b.toLowerCase() ? 0.2 : 1;
      let edits = Math.min(
        (above[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (above[column - 1] ?? 0) + replace,
      );
      const swapped = row > 1 && column > 1 && a === to.charAt(column - 2) && b === from.charAt(row - 2);
      if (swapped) edits = Math.min(edits, (before[column - 2] ?? 0) + 1);
      current.push(edits);
    }
    before = above;
    above = current;
  }
  return above[to.length] ?? 0;
}
