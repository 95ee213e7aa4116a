// Writes rows of a stream into a file: what is kept, whole or not at all, or what comes from now on. A disk that is slower
// than the service makes the service wait.
import { once } from 'node:events';
import { closeSync, createWriteStream, openSync, readSync, statSync, type WriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { finished } from 'node:stream/promises';
import { csvLine } from '../../core/solana/common/csv';
import { abandonedJson, type Abandoned } from '../../core/service/streams/banks';
import type { Missing } from '../../core/service/streams/gap';
import type { Passes } from '../../core/service/streams/filter';
import type { ShapeColumn } from '../../core/service/streams/shape';
import { fileRefused, whyUnwritable } from '../../process/files';
import type { ExportState } from '../../protocol/streams';
import type { PlannedExport } from './messages';
import type { Ring } from '../../runner/streams/ring';

export interface ExportSource {
  readonly ring: Ring;
  readonly columns: readonly ShapeColumn[];
  /** Of a row that has two messages, the first or the second. */
  readonly cells: (number: number, isSecond: boolean) => readonly string[];
  readonly text: (number: number, isSecond: boolean) => string;
  readonly gap: (gap: Missing) => string;
  /** Whether the bank of the row was given up by now. */
  readonly isAbandoned: (number: number) => boolean;
  readonly pause: () => void;
  readonly resume: () => void;
}

/** Rows written before other work gets its turn. */
const TURN = 500;

export class Export {
  state: ExportState;
  #rows = 0;
  #bytes = 0;
  readonly #out: WriteStream;
  readonly #place: string;
  #isPaused = false;
  #isFinishing = false;
  readonly #done: Promise<void>;

  constructor(
    private readonly params: PlannedExport,
    private readonly passes: Passes | undefined,
    private readonly source: ExportSource,
  ) {
    const { file, what, draft } = params;
    const isKept = what === 'kept';
    const size = isKept ? 0 : (statSync(file, { throwIfNoEntry: false })?.size ?? 0);
    const isFresh = size === 0;
    this.#place = isKept ? draft : file;
    this.#out = createWriteStream(this.#place, { flags: isKept ? 'wx' : 'a', mode: 0o600 });
    this.state = { kind: 'writing', file, rows: 0, bytes: 0 };
    this.#done = finished(this.#out).then(
      () => this.#keep(),
      (error: unknown) => this.#fail(error),
    );
    if (isFresh && params.format === 'csv')
      this.#out.write(csvLine(['Time', ...source.columns.map(({ title }) => title)]));
    // A writer that was killed left half a line, which the first row would become a part of.
    if (!isFresh && !endsWithLine(file, size)) this.#out.write('\n');
    if (isKept) void this.#writeKept();
  }

  get isGoing(): boolean {
    return this.state.kind === 'writing';
  }

  /** A row that has just come, or its second message; nothing to do where what was kept is written. */
  add(number: number): void {
    if (this.params.what !== 'fromNow' || !this.isGoing || this.#isFinishing) return;
    if (this.#write(number, this.source.ring.isTwofold(number)) || this.#isPaused) return;
    this.#isPaused = true;
    this.source.pause();
    this.#out.once('drain', () => this.#go());
  }

  /** A line about rows that were written before; a table has no place for it, nor has what is written at once. */
  abandoned(bank: Abandoned): void {
    const { what, format } = this.params;
    if (what === 'fromNow' && format === 'ndjson' && this.isGoing && !this.#isFinishing)
      this.#out.write(`${JSON.stringify({ abandoned: abandonedJson(bank) })}\n`);
  }

  /** Writes no more; resolves when the file is whole. */
  finish(): Promise<void> {
    this.#isFinishing = true;
    if (this.isGoing && this.params.what === 'fromNow') this.#out.end();
    return this.params.what === 'fromNow' ? this.#done : Promise.resolve();
  }

  /** Pauses the stream: new rows would evict rows that are still to be written. */
  async #writeKept(): Promise<void> {
    const { ring, pause } = this.source;
    this.#isPaused = true;
    pause();
    const end = ring.next;
    for (let number = ring.first; number < end && this.isGoing; number++) {
      const isFlowing = !ring.holds(number) || this.#writeRow(number);
      if (!isFlowing && !this.#out.destroyed) await once(this.#out, 'drain').catch(() => undefined);
      else if (number % TURN === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    this.#out.end();
    this.#go();
  }

  #go(): void {
    if (!this.#isPaused) return;
    this.#isPaused = false;
    this.source.resume();
  }

  /** False where the disk is behind. */
  #writeRow(number: number): boolean {
    const isFlowing = this.#write(number, false);
    return this.source.ring.isTwofold(number) ? this.#write(number, true) : isFlowing;
  }

  /** Writes one message of a row. */
  #write(number: number, isSecond: boolean): boolean {
    const { ring, text, cells, isAbandoned } = this.source;
    const gap = ring.gap(number);
    const isCsv = this.params.format === 'csv';
    // A table has no place for what is missing.
    if (gap !== undefined) return isCsv || this.#put(`${this.source.gap(gap)}\n`);
    const passes = this.passes ?? (() => true);
    if (!(isSecond ? ring.also(number, passes) : ring.read(number, passes))) return true;
    if (isCsv) return this.#put(csvLine([new Date(ring.time(number)).toISOString(), ...cells(number, isSecond)]));
    const json = text(number, isSecond);
    return this.#put(`${isAbandoned(number) ? json.replace(/^\{/, '{"abandoned":true,') : json}\n`);
  }

  #put(line: string): boolean {
    const written = Buffer.from(line);
    this.#rows++;
    this.#bytes += written.length;
    this.state = { kind: 'writing', file: this.params.file, rows: this.#rows, bytes: this.#bytes };
    return this.#out.write(written);
  }

  async #keep(): Promise<void> {
    const { file } = this.params;
    try {
      if (this.#place !== file) await rename(this.#place, file);
      this.state = { kind: 'written', file, rows: this.#rows, bytes: this.#bytes };
    } catch (error) {
      await this.#fail(error);
    }
  }

  async #fail(error: unknown): Promise<void> {
    const { file } = this.params;
    if (this.#place !== file) await rm(this.#place, { force: true }).catch(() => undefined);
    this.state = { kind: 'failed', file, message: `The file ${fileRefused(error, 'written').message}.` };
    this.#go();
  }
}

/**
 * Why the export cannot begin, as a sentence; undefined where it can. Rows from now on are appended in place: a link
 * would lead them into another file, and a pipe without a reader would never open.
 */
export function exportObstacle({ what, file }: PlannedExport, current: Export | undefined): string | undefined {
  if (current?.isGoing === true) return 'This stream is being exported already.';
  const obstacle = what === 'fromNow' ? whyUnwritable(file, true) : undefined;
  return obstacle && `The file ${obstacle.message}.`;
}

/** True also for a file that cannot be read. */
function endsWithLine(file: string, size: number): boolean {
  try {
    const handle = openSync(file, 'r');
    const last = Buffer.alloc(1);
    try {
      return readSync(handle, last, 0, 1, size - 1) === 0 || last.toString() === '\n';
    } finally {
      closeSync(handle);
    }
  } catch {
    return true;
  }
}
