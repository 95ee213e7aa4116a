// Shows watched updates on a terminal: a line for each, redrawn ten times a second, and below them the state of the stream. If
// more arrive between two redraws than fit on the screen, the newest are shown and the others counted.
import { abandonedText, type Abandoned } from '../../core/service/streams/banks';
import type { Missing } from '../../core/service/streams/gap';
import { Rate } from '../../core/service/streams/rate';
import type { StreamState } from '../../core/service/streams/state';
import { groupDigits } from '../../core/solana/chain/lamports';
import { escapeLine, type Painter } from '../terminal';
import type { Counts, View } from './followed';
import type { Lag } from './lag';

const LOOK_MS = 100;
const FEWEST_LINES = 5;
const CLEAR_LINE = '\r\u001b[2K';

export interface LiveParts {
  readonly out: NodeJS.WriteStream;
  readonly paint: Painter;
  /** Milliseconds, steady. */
  readonly now: () => number;
  /** A message as a line for people, with the second of its moment, when it came. Made again for those that are shown, in order. */
  readonly line: (bytes: Buffer, time: Date, second?: Buffer) => string;
  readonly counts: () => Counts;
  readonly lag: Lag;
  /** Whether the cursor may be moved: the status line is drawn over and over. */
  readonly isSmart: boolean;
}

type Waiting =
  | { readonly bytes: Buffer; readonly time: Date; second?: Buffer }
  | { readonly gap: Missing }
  | { readonly abandoned: Abandoned };

export class Live implements View {
  readonly #waiting: Waiting[] = [];
  readonly #rate = new Rate();
  readonly #timer: NodeJS.Timeout;
  #words: StreamState = { kind: 'connecting' };
  #still: string | undefined;
  #hidden = 0;
  #hiddenNow = 0;
  #status = '';

  constructor(private readonly parts: LiveParts) {
    this.#timer = setInterval(() => this.#look(), LOOK_MS);
  }

  update(bytes: Buffer, start: number, end: number, isSecond: boolean): boolean {
    this.parts.lag.see(bytes, start, end);
    const copy = Buffer.from(bytes.subarray(start, end));
    const before = this.#waiting.at(-1);
    if (isSecond && before !== undefined && 'bytes' in before) {
      before.second = copy;
      return true;
    }
    this.#waiting.push({ bytes: copy, time: new Date() });
    if (this.#waiting.length > this.#room) {
      // Drops the oldest update; gaps stay, because they are few and more important.
      const oldest = this.#waiting.findIndex((one) => 'bytes' in one);
      this.#waiting.splice(oldest, 1);
      this.#hidden++;
      this.#hiddenNow++;
    }
    return true;
  }

  gap(gap: Missing): void {
    this.#waiting.push({ gap });
  }

  abandoned(bank: Abandoned): void {
    this.#waiting.push({ abandoned: bank });
  }

  state(state: StreamState): void {
    this.#words = state;
  }

  still(words: string | undefined): void {
    this.#still = words;
  }

  flows(): Promise<void> {
    return Promise.resolve();
  }

  /** Shows what is left; the status stays as the last line. */
  end(): void {
    clearInterval(this.#timer);
    this.#look();
    this.parts.out.write(this.parts.isSmart ? '\n' : `${this.#status}\n`);
  }

  get #room(): number {
    return Math.max(FEWEST_LINES, this.parts.out.rows - 2);
  }

  #look(): void {
    const { out, paint, counts, isSmart, now } = this.parts;
    this.#rate.look(now(), counts().total);
    const lines: string[] = [];
    if (this.#hiddenNow > 0) lines.push(paint.dim(`… ${groupDigits(String(this.#hiddenNow))} more, not shown`));
    this.#hiddenNow = 0;
    for (const one of this.#waiting.splice(0))
      lines.push(
        'gap' in one
          ? paint.bad(gapText(one.gap))
          : 'abandoned' in one
            ? paint.bad(`── ${abandonedText(one.abandoned)}`)
            : this.parts.line(one.bytes, one.time, one.second),
      );
    const status = this.#statusText();
    if (lines.length === 0 && status === this.#status) return;
    this.#status = status;
    const below = isSmart ? `${paint.strong(status.slice(0, Math.max(1, out.columns - 1)))}` : '';
    out.write(`${isSmart ? CLEAR_LINE : ''}${lines.map((line) => `${line}\n`).join('')}${below}`);
  }

  #statusText(): string {
    const { total, slot, reconnects } = this.parts.counts();
    const lag = this.parts.lag.words(slot);
    const count = (n: number, one: string, many: string): string => `${groupDigits(String(n))} ${n === 1 ? one : many}`;
    return [
      this.#still === undefined ? stateText(this.#words) : `◔ live, ${this.#still}`,
      count(total, 'update', 'updates'),
      `${groupDigits(String(this.#rate.perSecond))}/s`,
      ...(slot < 0 ? [] : [`slot ${slot}`]),
      ...(lag === undefined ? [] : [lag]),
      `${groupDigits(String(this.#hidden))} not shown`,
      ...(reconnects === 0 ? [] : [count(reconnects, 'reconnect', 'reconnects')]),
    ].join(' · ');
  }
}

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
