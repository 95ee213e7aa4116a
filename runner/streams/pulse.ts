// The beat of live streams: the tick of each stream, at most once a beat, and what a machine that slept does to connections.
import type { StreamState } from '../../core/service/streams/state';
import { SLEPT_MS } from './bounds';

export interface Beating<T> {
  readonly isOver: boolean;
  readonly state: StreamState;
  again(): void;
  changed(): T | undefined;
}

export class Pulse {
  #last: number;

  /** `unixMs`: the wall clock, which keeps running while the machine sleeps. */
  constructor(private readonly unixMs: () => number) {
    this.#last = unixMs();
  }

  beat<T>(streams: Iterable<Beating<T>>, send: (tick: T) => void): void {
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
