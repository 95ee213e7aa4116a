// Writes watched updates as NDJSON: each update as it came, and an object for each gap. A reader that is slower than the
// service makes it wait; nothing is dropped.
import { abandonedJson, type Abandoned } from '../../core/service/streams/banks';
import { gapJson, type Missing } from '../../core/service/streams/gap';
import type { StreamState } from '../../core/service/streams/state';
import { untilDrained, escapeLine, jsonFor } from '../terminal';
import type { WatchedEngine, View } from './followed';

export interface LinesParts {
  readonly engine: WatchedEngine;
  readonly out: NodeJS.WriteStream;
  /** Gets everything that is not an update, such as a lost connection. */
  readonly notes: NodeJS.WritableStream;
  /** The message as one line of JSON, without keys. */
  readonly text: (bytes: Uint8Array, start: number, end: number) => string;
}

export class Lines implements View {
  #isStill = false;
  #isWaiting = false;
  /** Written before the next update, which shows its end. */
  #gap: Missing | undefined;

  constructor(private readonly parts: LinesParts) {}

  onRow(number: number, isSecond: boolean): void {
    const { engine, text } = this.parts;
    const { ring } = engine;
    this.#writeGap();
    this.#gap = ring.gap(number);
    if (this.#gap !== undefined) return;
    if (!this.#write((isSecond ? ring.also(number, text) : undefined) ?? ring.read(number, text))) void this.#hold();
  }

  onAbandoned(bank: Abandoned): void {
    this.#write(JSON.stringify({ abandoned: abandonedJson(bank) }));
  }

  /** Reports the first of several attempts; the gap has the result. */
  onState(state: StreamState): void {
    const { notes } = this.parts;
    if (state.kind === 'reconnecting' && state.attempt === 1)
      notes.write(`reconnecting: ${escapeLine(state.error.message)}\n`);
    if (state.kind === 'lagged') notes.write('reconnecting: the service ended the stream, it was read too slowly\n');
  }

  /** Reports a stall once. */
  look(): void {
    const { words } = this.parts.engine.standstill;
    if (words !== undefined && !this.#isStill) this.parts.notes.write(`${words}, though the connection is open\n`);
    this.#isStill = words !== undefined;
  }

  end(): void {
    this.#writeGap();
  }

  #writeGap(): void {
    if (this.#gap !== undefined) this.#write(JSON.stringify({ gap: gapJson(this.#gap) }));
    this.#gap = undefined;
  }

  /** False: no more for now. */
  #write(text: string): boolean {
    const { out } = this.parts;
    return out.write(`${jsonFor(out, text)}\n`);
  }

  async #hold(): Promise<void> {
    if (this.#isWaiting) return;
    const { engine, out } = this.parts;
    this.#isWaiting = true;
    engine.connection?.pause();
    await untilDrained(out);
    this.#isWaiting = false;
    engine.connection?.resume();
  }
}
