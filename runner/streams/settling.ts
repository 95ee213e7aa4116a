// Reads from the messages of a stream which slots are confirmed and final. With Alpenglow that is one moment, which two
// messages report one after the other.
import { TOGETHER_MS } from './bounds';
import type { Shape } from '../../core/service/streams/shape';

/** Values of a slot's status, over gRPC and a WebSocket. */
const CONFIRMED = new Set(['confirmed', 'optimisticConfirmation']);
const FINAL = new Set(['finalized', 'root']);

interface Step {
  readonly isFinal: boolean;
  readonly slot: number;
  readonly bank: unknown;
  /** NaN where the message does not say. */
  readonly at: number;
}

export class Settling {
  /** The newest slot shown to be final; -1 before the first, undefined where the stream does not report it. */
  final: number | undefined;
  /** Of the message before. */
  #step: Step | undefined;

  constructor(private readonly shape: Shape) {
    if (shape.settles !== undefined) this.final = -1;
  }

  /** Takes the next message. True: it reports the same moment of the same slot as the one before, which did not yet. */
  take(bytes: Uint8Array, start: number, end: number): boolean {
    const { shape } = this;
    if (shape.settles === undefined) return false;
    const before = this.#step;
    this.#step = undefined;
    const status = shape.value(shape.settles, bytes, start, end);
    if (typeof status === 'number') this.final = status;
    const isFinal = FINAL.has(String(status));
    if (!isFinal && !CONFIRMED.has(String(status))) return false;
    const slot = shape.slot(bytes, start, end);
    if (isFinal) this.final = slot;
    const step = {
      isFinal,
      slot,
      bank: shape.value('bank', bytes, start, end),
      at: shape.sentAt(bytes, start, end),
    };
    if (before !== undefined && isSameMoment(before, step)) return true;
    this.#step = step;
    return false;
  }
}

const isSameMoment = (one: Step, other: Step): boolean =>
  one.isFinal !== other.isFinal &&
  one.slot === other.slot &&
  one.bank === other.bank &&
  !(Math.abs(other.at - one.at) > TOGETHER_MS);
