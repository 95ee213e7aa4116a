// The lenses of a file's requests: `Send`, and `Cancel` on those that run. Knows which blocks run; runs nothing.
import type { CodeLens } from './lsp';

/** The blocks under way, by file and line. */
export class Running {
  readonly #blocks = new Map<string, number>();
  readonly #changed: () => void;

  /** `changed`: the lenses of open files are to be drawn again. */
  constructor(changed: () => void) {
    this.#changed = changed;
  }

  has(uri: string, line: number): boolean {
    return this.#blocks.has(keyOf(uri, line));
  }

  /** Marks blocks as running until the returned function is called. */
  mark(uri: string, lines: readonly number[]): () => void {
    const keys = lines.map((line) => keyOf(uri, line));
    for (const key of keys) this.#blocks.set(key, (this.#blocks.get(key) ?? 0) + 1);
    this.#changed();
    return () => {
      for (const key of keys) {
        const count = (this.#blocks.get(key) ?? 0) - 1;
        if (count > 0) this.#blocks.set(key, count);
        else this.#blocks.delete(key);
      }
      this.#changed();
    };
  }
}

const keyOf = (uri: string, line: number): string => `${line} ${uri}`;

/** The service's `Send` lenses, with `Cancel` in place of those whose block runs. */
export function withCancel(lenses: readonly CodeLens[], uri: string, running: Running): CodeLens[] {
  return lenses.map((lens) =>
    running.has(uri, lens.range.start.line) && lens.command?.command === 'solanaRpc.send'
      ? { ...lens, command: { ...lens.command, title: 'Cancel', command: 'solanaRpc.cancel' } }
      : lens,
  );
}
