// How far the shown updates lag behind the service: over gRPC by the time in each update, over a WebSocket by the slots of a
// second subscription on the same connection. Sends no other requests for it.
import { pubSubShape } from '../../core/service/streams/pubsub';
import type { Shape } from '../../core/service/streams/shape';
import type { PreparedRequest } from '../../core/requests/run/model';

const SLOTS: PreparedRequest = {
  transport: 'WS',
  method: 'slotSubscribe',
  body: '{"jsonrpc":"2.0","id":"slots","method":"slotSubscribe"}',
  ids: ['"slots"'],
  isBatch: false,
  headers: [],
  timeoutMs: 15_000,
};

export class Lag {
  /** The subscription next to the stream; undefined if the stream itself reports slots. */
  readonly beside: PreparedRequest | undefined;
  readonly #slots = pubSubShape(SLOTS.method);
  #newest = -1;
  #ms: number | undefined;

  constructor(
    { transport, method, headers }: PreparedRequest,
    private readonly shape: Pick<Shape, 'sentAt'>,
    private readonly unixMs: () => number,
  ) {
    this.beside = transport === 'GRPC' || method === SLOTS.method ? undefined : { ...SLOTS, headers };
  }

  /** An update came. */
  see(bytes: Buffer, start: number, end: number): void {
    const sentAt = this.shape.sentAt(bytes, start, end);
    if (!Number.isNaN(sentAt)) this.#ms = Math.max(0, Math.round(this.unixMs() - sentAt));
  }

  /** Takes a slot from that subscription. */
  seeSlot(bytes: Buffer, start: number, end: number): void {
    const slot = this.#slots.slot(bytes, start, end);
    if (slot >= 0) this.#newest = slot;
  }

  /** `slot`: of the newest update; -1 before the first. */
  words(slot: number): string | undefined {
    if (this.#ms !== undefined) return `lag ${this.#ms} ms`;
    if (this.#newest < 0 || slot < 0) return undefined;
    const behind = Math.max(0, this.#newest - slot);
    return `lag ${behind} ${behind === 1 ? 'slot' : 'slots'}`;
  }
}
