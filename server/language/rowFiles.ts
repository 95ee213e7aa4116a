// The rows of files that `@foreach` names, for the checks, which look them up at once: read ahead for each question, by
// the rules of a run. Reads nothing in a window that is not trusted.
import { blocksIn, perDefiningChunk } from '../../core/requests/document/chunk';
import type { RequestDocument } from '../../core/requests/document/model';
import { rowsOfFile, type RowsReading } from '../../core/requests/document/variables/rows';
import type { FilesPort } from '../../core/requests/checks/analysis';
import type { FilePort } from '../../runner/ports';

/** Files that are read for one request file; rows of further ones are not checked before they are sent. */
const MAX_FILES = 20;
/** Rows of a longer text are not checked before they are sent: the editor waits for the answer. UTF-16 units */
const MAX_TEXT = 256 * 1024;
/** Files whose rows are kept. */
const MAX_KEPT = 2 * MAX_FILES;

interface Kept {
  readonly text: string;
  readonly reading: RowsReading | undefined;
}

export class RowFiles implements FilesPort {
  /** By `keyOf`; the oldest first. */
  readonly #kept = new Map<string, Kept>();

  constructor(
    private readonly files: FilePort,
    private readonly isTrusted: () => boolean,
  ) {}

  /** Reads the files of rows that a request file names. */
  async load(document: RequestDocument): Promise<void> {
    if (!this.isTrusted()) return;
    const names = new Set(document.chunks.flatMap((chunk) => rowFilesIn(chunk)));
    await Promise.all([...names].slice(0, MAX_FILES).map((name) => this.#load(name, document.uri)));
    for (const key of this.#kept.keys()) {
      if (this.#kept.size <= MAX_KEPT) break;
      this.#kept.delete(key);
    }
  }

  rows(name: string, from: string): RowsReading | undefined {
    return this.isTrusted() ? this.#kept.get(keyOf(name, from))?.reading : undefined;
  }

  async #load(name: string, from: string): Promise<void> {
    const read = await this.files.read(name, from, 'rows');
    const key = keyOf(name, from);
    const before = this.#kept.get(key);
    this.#kept.delete(key);
    if (!read.ok) this.#kept.set(key, { text: '', reading: { ok: false, reason: read.error.message } });
    else if (read.value.length > MAX_TEXT) this.#kept.set(key, { text: '', reading: undefined });
    else if (before?.text === read.value && before.reading !== undefined && before.text !== '')
      this.#kept.set(key, before);
    else this.#kept.set(key, { text: read.value, reading: await readingOf(name, read.value) });
  }
}

/** Curves are loaded with the first rows. */
async function readingOf(name: string, text: string): Promise<RowsReading> {
  const { isWalletKey, keypairRefusal } = await import('../../core/requests/tools/wallet');
  return isWalletKey(text.trim()) ? { ok: false, reason: keypairRefusal(name) } : rowsOfFile(name, text);
}

const keyOf = (name: string, from: string): string => `${from}\0${name}`;

/** The names of the files of rows in a chunk. */
const rowFilesIn = perDefiningChunk<readonly string[]>([], (chunk) => {
  const blocks = blocksIn(chunk, 'foreach', ({ settings }) => settings.foreach !== undefined);
  return blocks.flatMap(({ block: { settings } }) =>
    settings.foreach?.source.kind === 'file' ? [settings.foreach.source.token.text] : [],
  );
});
