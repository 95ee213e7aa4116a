// The lenses of a file's requests: `Send`, `Cancel` on those that run, and which answers a request reads. Knows which
// blocks run; runs nothing.
import type { UsedAnswers } from '../run/reuse';
import type { CodeLens } from 'vscode-languageserver/node';

/** The blocks of one run. */
interface MarkedBlocks {
  /** One of them has ended, the others are still running. */
  ended(uri: string, line: number): void;
  /** The run is over. */
  end(): void;
}

/** The blocks under way, by file and line. */
export class Running {
  readonly #blocks = new Map<string, number>();

  /** `changed`: the lenses of open files are to be drawn again. */
  constructor(private readonly changed: () => void) {}

  has(uri: string, line: number): boolean {
    return this.#blocks.has(keyOf(uri, line));
  }

  /** Marks blocks as running. */
  mark(uri: string, lines: readonly number[]): MarkedBlocks {
    const keys = new Set(lines.map((line) => keyOf(uri, line)));
    for (const key of keys) this.#blocks.set(key, (this.#blocks.get(key) ?? 0) + 1);
    this.changed();
    const release = (ended: Iterable<string>): void => {
      for (const key of ended) {
        if (!keys.delete(key)) continue;
        const count = (this.#blocks.get(key) ?? 0) - 1;
        if (count > 0) this.#blocks.set(key, count);
        else this.#blocks.delete(key);
      }
      this.changed();
    };
    return { ended: (file, line) => release([keyOf(file, line)]), end: () => release([...keys]) };
  }
}

/** The lenses about the answers that a request reads, and the command to request them again. */
export function usedLenses(uri: string, used: readonly UsedAnswers[], running: Running, now: Date): CodeLens[] {
  return used
    .filter(({ line }) => !running.has(uri, line))
    .flatMap(({ line, answers }) => {
      const start = { line, character: 0 };
      const range = { start, end: start };
      const title = `Uses ${answers.map(({ name, at }) => `${name} from ${timeOf(new Date(at), now)}`).join(', ')}`;
      return [
        { range, command: { title, command: '' } },
        { range, command: { title: 'Run Again', command: 'solanaRpc.send', arguments: [uri, line, { again: true }] } },
      ];
    });
}

/** The time, with the date if it was another day. */
function timeOf(at: Date, now: Date): string {
  const two = (number: number): string => String(number).padStart(2, '0');
  const time = [at.getHours(), at.getMinutes(), at.getSeconds()].map(two).join(':');
  if (at.toDateString() === now.toDateString()) return time;
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())} ${time}`;
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
