// Gives the waits of a test words: a test that reaches its time limit fails with those that are still open.

/** Read by scripts/test/limits.cjs. */
const WAITS = Symbol.for('workbench.waits');

const waits: Set<string> = ((globalThis as { [WAITS]?: Set<string> })[WAITS] ??= new Set());

/** Waits, and is named by a test that hangs meanwhile. `what`: for example "a row of the usage tree". */
export async function waiting<T>(what: string, wait: () => Promise<T>): Promise<T> {
  // Two waits of the same words are two entries.
  const words = waits.has(what) ? `${what} (again)` : what;
  waits.add(words);
  try {
    return await wait();
  } finally {
    waits.delete(words);
  }
}
