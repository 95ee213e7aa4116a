// The lenses of a file's requests: `Send`, and `Cancel` on those that run. Knows which blocks run; runs nothing.
import type { CodeLens } from 'vscode-languageserver/node';
import type { RequestDocument } from '../core/document/model';

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

export function lensesOf(document: RequestDocument, running: Running): CodeLens[] {
  return requestLines(document).map((line) => {
    const runs = running.has(document.uri, line);
    const command = runs ? 'solanaRpc.cancel' : 'solanaRpc.send';
    return {
      range: { start: { line, character: 0 }, end: { line, character: 0 } },
      command: { title: runs ? 'Cancel' : 'Send', command, arguments: [document.uri, line] },
    };
  });
}

/** The first lines of the blocks that hold a request; of one of them where `line` names a place in it. */
export function requestLines(document: RequestDocument, line?: number): readonly number[] {
  const lines = document.blocks.flatMap((placed) => {
    const { block } = placed;
    const isRequest = block.kind === 'request' && (block.body !== undefined || block.requestLine !== undefined);
    return isRequest ? [placed] : [];
  });
  return lines
    .filter(({ block, line: first }) => line === undefined || (first <= line && line < first + block.lineStarts.length))
    .map((placed) => placed.line);
}
