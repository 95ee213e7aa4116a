// The beat of the worker: the tick of each stream, at most once a beat, and what a machine that slept does to connections.
import type { StreamState, StreamTick } from '../../protocol/streams';

/** Ten beats a second: no stream ticks more often, however much arrives. */
export const BEAT_MS = 100;
/** A pause of this length between two beats is a machine that slept: its connections are dead or soon will be. */
const SLEPT_MS = 20_000;

export interface Beating {
  readonly isOver: boolean;
  readonly state: StreamState;
  again(): void;
  changed(): StreamTick | undefined;
}

export class Pulse {
  #last: number;

  /** `unixMs`: the wall clock, which keeps running while the machine sleeps. */
  constructor(private readonly unixMs: () => number) {
    this.#last = unixMs();
  }

  beat(streams: Iterable<Beating>, send: (tick: StreamTick) => void): void {
    const now = this.unixMs();
    const slept = now - this.#last > SLEPT_MS;
    this.#last = now;
    for (const stream of streams) {
      if (slept && !stream.isOver && stream.state.kind !== 'keyRotated') stream.again();
      const tick = stream.changed();
      if (tick !== undefined) send(tick);
    }
  }
}
