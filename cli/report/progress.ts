// Shows the progress of a run: a line for each request as it ends, in the order of the files, and on a terminal one moving line
// below them with the requests in progress and how much of a long response has arrived.
import { escapeLine, type Painter } from '../terminal';
import { RowLines } from './text';
import type { RequestReport } from '../../core/requests/run/model';
import type { RunProgress } from '../../runner/ports';

export interface ProgressParts {
  readonly out: NodeJS.WritableStream;
  readonly paint: Painter;
  /** Rows are printed as they come; false where one document is printed at the end. */
  readonly printsRows: boolean;
  /** Only rows that failed. */
  readonly isQuiet: boolean;
  /** Where the moving line is; undefined: nowhere. */
  readonly moving: { readonly out: NodeJS.WritableStream; readonly columns: () => number } | undefined;
  /** ms */
  readonly now: () => number;
}

const CLEAR_LINE = '\r\u001b[2K';
/** The moving line changes at most this often. ms */
const PACE_MS = 100;
/** Cells of the bar. */
const BAR = 20;

export class Progress {
  readonly #lines: RowLines;
  /** Rows that ended before one above them did. */
  readonly #early = new Map<number, RequestReport>();
  /** The status that each row had when it was printed. */
  readonly #printed: RequestReport['status'][] = [];
  #ended = 0;
  readonly #underWay = new Map<string, string>();
  #body: { readonly bytes: number; readonly total?: number } | undefined;
  #drawnAt = -Infinity;
  #isDrawn = false;
  /** Questions that are open: nothing moves over them. */
  #questions = 0;

  constructor(private readonly parts: ProgressParts) {
    this.#lines = new RowLines(parts.paint, parts.isQuiet);
  }

  /** Whether rows were printed: the report at the end is then its sum alone. */
  get hasPrinted(): boolean {
    return this.parts.printsRows && this.#printed.length > 0;
  }

  take(event: RunProgress): void {
    switch (event.kind) {
      case 'sending':
        this.#underWay.delete(String(event.line));
        this.#underWay.set(`${event.line} ${event.file}`, `line ${event.line + 1}: ${escapeLine(event.method, 60)}`);
        this.#draw(true);
        return;
      case 'waiting':
        if (event.reason !== 'retry')
          this.#underWay.set(String(event.line), `line ${event.line + 1}: waiting (${event.reason})`);
        this.#draw(true);
        return;
      case 'receiving': {
        // The first is shown at once: the rest may be long in coming.
        const isFirst = this.#body === undefined;
        this.#body = event;
        this.#draw(isFirst);
        return;
      }
      case 'landing':
        return;
      case 'done':
        for (const key of [`${event.report.line - 1} ${event.report.file}`, String(event.report.line - 1)])
          this.#underWay.delete(key);
        this.#body = undefined;
        this.#ended++;
        this.#early.set(event.index, event.report);
        this.#print();
    }
  }

  /** The lines of rows that ended otherwise than they were printed: snapshots are written once all rows have passed. */
  corrections(rows: readonly RequestReport[]): string {
    const changed = rows.filter(({ status }, index) => (this.#printed[index] ?? status) !== status);
    return changed.flatMap((row) => this.#lines.of(row).map((line) => `${line}\n`)).join('');
  }

  /** Asks without anything moving over the question. */
  async asking<T>(ask: () => Promise<T>): Promise<T> {
    this.clear();
    this.#questions++;
    try {
      return await ask();
    } finally {
      this.#questions--;
    }
  }

  /** Takes the moving line away, before anything else is written. */
  clear(): void {
    if (this.#isDrawn) this.parts.moving?.out.write(CLEAR_LINE);
    this.#isDrawn = false;
  }

  #print(): void {
    const lines: string[] = [];
    for (;;) {
      const row = this.#early.get(this.#printed.length);
      if (row === undefined) break;
      this.#early.delete(this.#printed.length);
      this.#printed.push(row.status);
      lines.push(...this.#lines.of(row));
    }
    if (this.parts.printsRows && lines.length > 0) {
      this.clear();
      this.parts.out.write(lines.map((line) => `${line}\n`).join(''));
    }
    this.#draw(true);
  }

  #draw(isNow: boolean): void {
    const { moving, paint, now } = this.parts;
    if (moving === undefined || this.#questions > 0) return;
    if (!isNow && now() - this.#drawnAt < PACE_MS) return;
    this.#drawnAt = now();
    const [first, ...more] = this.#underWay.values();
    if (first === undefined) {
      this.clear();
      return;
    }
    const others = more.length === 0 ? '' : ` and ${more.length} more`;
    const body = this.#body === undefined ? '' : ` · ${bodyText(this.#body)}`;
    const text = `… ${first}${others} · ${this.#ended} done${body}`;
    moving.out.write(`${CLEAR_LINE}${paint.dim(text.slice(0, Math.max(1, moving.columns() - 1)))}`);
    this.#isDrawn = true;
  }
}

/** `[######··············] 3.1 of 10.4 MB`, or without a total `3.1 MB`. */
export function bodyText({ bytes, total }: { readonly bytes: number; readonly total?: number }): string {
  const mb = (count: number): string => (count / 1_000_000).toFixed(1);
  if (total === undefined) return `${mb(bytes)} MB`;
  const full = Math.min(BAR, Math.floor((bytes / total) * BAR));
  return `[${'#'.repeat(full)}${'·'.repeat(BAR - full)}] ${mb(bytes)} of ${mb(total)} MB`;
}
