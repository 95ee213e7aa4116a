// Writes watched updates as NDJSON: each update as it came, and an object for each gap. A reader that is slower than the
// service makes it wait; nothing is dropped.
import { abandonedJson, type Abandoned } from '../../core/service/streams/banks';
import { gapJson, type Missing } from '../../core/service/streams/gap';
import type { StreamState } from '../../core/service/streams/state';
import { drained, escapeLine, jsonFor } from '../terminal';
import type { View } from './followed';

export class Lines implements View {
  #isStill = false;

  constructor(
    private readonly out: NodeJS.WriteStream,
    /** Gets everything that is not an update, such as a lost connection. */
    private readonly notes: NodeJS.WritableStream,
    /** The message as one line of JSON, without keys. */
    private readonly text: (bytes: Buffer, start: number, end: number) => string,
  ) {}

  update(bytes: Buffer, start: number, end: number): boolean {
    return this.out.write(`${jsonFor(this.out, this.text(bytes, start, end))}\n`);
  }

  gap(gap: Missing): void {
    this.out.write(`${jsonFor(this.out, JSON.stringify({ gap: gapJson(gap) }))}\n`);
  }

  abandoned(bank: Abandoned): void {
    this.out.write(`${jsonFor(this.out, JSON.stringify({ abandoned: abandonedJson(bank) }))}\n`);
  }

  /** Reports the first of several attempts; the gap has the result. */
  state(state: StreamState): void {
    if (state.kind === 'reconnecting' && state.attempt === 1)
      this.notes.write(`reconnecting: ${escapeLine(state.error.message)}\n`);
    if (state.kind === 'lagged')
      this.notes.write('reconnecting: the service ended the stream, it was read too slowly\n');
  }

  /** Once per stall. */
  still(words: string | undefined): void {
    if (words !== undefined && !this.#isStill) this.notes.write(`${words}, though the connection is open\n`);
    this.#isStill = words !== undefined;
  }

  flows(): Promise<void> {
    return drained(this.out);
  }
}
