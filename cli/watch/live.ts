// Shows watched updates on a terminal: a line for each, redrawn ten times a second, and below them the state of the stream. If
// more arrive between two redraws than fit on the screen, the newest are shown and the others counted.
import { abandonedText, type Abandoned } from '../../core/service/streams/banks';
import type { Missing } from '../../core/service/streams/gap';
import type { StreamState } from '../../core/service/streams/state';
import { groupDigits } from '../../core/solana/chain/lamports';
import { escapeLine, type Painter } from '../terminal';
import type { WatchedEngine, View } from './followed';

const FEWEST_LINES = 5;
const CLEAR_LINE = '\r\u001b[2K';

export interface LiveParts {
  readonly engine: WatchedEngine;
  readonly out: NodeJS.WriteStream;
  readonly paint: Painter;
  /** A message as a line for people, with the second of its moment, when it came. Called in the order of the messages. */
  readonly line: (bytes: Buffer, time: Date, second?: Buffer) => string;
  /** Whether the cursor may be moved: the status line is drawn over and over. */
  readonly isSmart: boolean;
}

const bytesOf = (bytes: Buffer, start: number, end: number): Buffer => bytes.subarray(start, end);

export class Live implements View {
  /** The first row that was not shown yet. */
  #next = 0;
  /** Lines between rows: each comes before the row of its number. */
  readonly #between: { readonly before: number; readonly line: () => string }[] = [];
  #words: StreamState = { kind: 'connecting' };
  #hidden = 0;
  #status = '';

  constructor(private readonly parts: LiveParts) {}

  onRow(number: number, isSecond: boolean): void {
    const { ring } = this.parts.engine;
    if (!isSecond || number >= this.#next) return;
    // Its row was shown before, so it gets a line to itself.
    const bytes = ring.also(number, (...place) => Buffer.from(bytesOf(...place))) ?? Buffer.alloc(0);
    const time = new Date();
    this.#between.push({ before: ring.next, line: () => this.parts.line(bytes, time) });
  }

  onAbandoned(bank: Abandoned): void {
    const { engine, paint } = this.parts;
    this.#between.push({ before: engine.ring.next, line: () => paint.bad(`── ${abandonedText(bank)}`) });
  }

  onState(state: StreamState): void {
    this.#words = state;
  }

  look(): void {
    const { ring } = this.parts.engine;
    // The update behind a gap shows its end.
    this.#draw(ring.gap(ring.next - 1) === undefined ? ring.next : ring.next - 1);
  }

  /** Shows what is left; the status stays as the last line. */
  end(): void {
    this.#draw(this.parts.engine.ring.next);
    this.parts.out.write(this.parts.isSmart ? '\n' : `${this.#status}\n`);
  }

  #draw(end: number): void {
    const { out, paint, isSmart } = this.parts;
    const lines = this.#lines(end);
    const status = this.#statusText();
    if (lines.length === 0 && status === this.#status) return;
    this.#status = status;
    const below = isSmart ? `${paint.strong(status.slice(0, Math.max(1, out.columns - 1)))}` : '';
    out.write(`${isSmart ? CLEAR_LINE : ''}${lines.map((line) => `${line}\n`).join('')}${below}`);
  }

  /** Every gap, and as many of the newest updates as fit on the screen. */
  #lines(end: number): readonly string[] {
    const { engine, out, paint } = this.parts;
    const { ring } = engine;
    const first = Math.max(this.#next, ring.first);
    let hidden = first - this.#next;
    let left = Math.max(FEWEST_LINES, out.rows - 2);
    const shown: number[] = [];
    for (let number = end - 1; number >= first; number--)
      if (ring.gap(number) !== undefined || left-- > 0) shown.unshift(number);
      else hidden++;
    this.#next = Math.max(this.#next, end);
    this.#hidden += hidden;
    const lines = hidden > 0 ? [paint.dim(`… ${groupDigits(String(hidden))} more, not shown`)] : [];
    for (const number of [...shown, Infinity]) {
      while (this.#between[0] !== undefined && this.#between[0].before <= number)
        lines.push(this.#between.shift()?.line() ?? '');
      if (ring.holds(number)) lines.push(this.#line(number));
    }
    return lines;
  }

  #line(number: number): string {
    const { engine, paint, line } = this.parts;
    const { ring } = engine;
    const gap = ring.gap(number);
    if (gap !== undefined) return paint.bad(gapText(gap));
    return line(ring.read(number, bytesOf), new Date(ring.time(number)), ring.also(number, bytesOf));
  }

  #statusText(): string {
    const { total, slot, connection, rate, lag, standstill } = this.parts.engine;
    const reconnects = connection?.reconnects ?? 0;
    const behind =
      lag.ms === undefined
        ? lag.slots !== undefined && counted(lag.slots, 'slot', 'slots')
        : `${Math.round(lag.ms)} ms`;
    return [
      standstill.words === undefined ? stateText(this.#words) : `◔ live, ${standstill.words}`,
      counted(total, 'update', 'updates'),
      `${groupDigits(String(rate.perSecond))}/s`,
      ...(slot < 0 ? [] : [`slot ${slot}`]),
      ...(behind === false ? [] : [`lag ${behind}`]),
      `${groupDigits(String(this.#hidden))} not shown`,
      ...(reconnects === 0 ? [] : [counted(reconnects, 'reconnect', 'reconnects')]),
    ].join(' · ');
  }
}

const counted = (n: number, one: string, many: string): string => `${groupDigits(String(n))} ${n === 1 ? one : many}`;

/** A gap in one line for people. */
function gapText({ fromSlot, toSlot, isFilled, reason }: Missing): string {
  const slots =
    fromSlot === undefined ? '' : ` after slot ${fromSlot}${toSlot === undefined ? '' : `, on at ${toSlot}`}`;
  const filled = isFilled ? 'replayed, nothing is missing' : 'what came in between is not known';
  return `── away${slots}: ${filled}. ${escapeLine(reason, 200)}`;
}

function stateText(state: StreamState): string {
  switch (state.kind) {
    case 'connecting':
      return '◌ connecting';
    case 'live':
      return '● live';
    case 'catchingUp':
      return `◐ catching up from slot ${state.fromSlot}`;
    case 'reconnecting':
      return `↻ reconnecting, attempt ${state.attempt}`;
    case 'keyRotated':
      return '◆ the key was rotated';
    case 'refused':
      return '✕ refused';
    case 'lagged':
      return '▲ lagged, opened again';
    case 'ended':
      return '■ ended';
  }
}
