// How far what is shown is behind the service: over gRPC by the time in each update, over a WebSocket by the slots that the
// same connection tells beside. Nothing is asked for it.
import { pubSubShape } from '../../core/streams/pubsub';
import { createdMs } from '../../core/streams/yellowstone';
import type { PreparedRequest } from '../../core/run/model';

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
  /** What is subscribed to beside the stream; undefined where it tells by itself. */
  readonly beside: PreparedRequest | undefined;
  private readonly isGrpc: boolean;
  private readonly slots = pubSubShape(SLOTS.method);
  private newest = -1;
  private ms: number | undefined;

  constructor(
    { transport, method, headers }: PreparedRequest,
    private readonly unixMs: () => number,
  ) {
    this.isGrpc = transport === 'GRPC';
    this.beside = this.isGrpc || method === SLOTS.method ? undefined : { ...SLOTS, headers };
  }

  /** An update came. */
  see(bytes: Buffer, start: number, end: number): void {
    const created = this.isGrpc ? createdMs(bytes, start, end) : undefined;
    if (created !== undefined) this.ms = Math.max(0, this.unixMs() - created);
  }

  /** A slot was told beside it. */
  seeSlot(bytes: Buffer, start: number, end: number): void {
    const slot = this.slots.slot(bytes, start, end);
    if (slot > this.newest) this.newest = slot;
  }

  /** `slot`: of the newest update; -1 before the first. */
  words(slot: number): string | undefined {
    if (this.ms !== undefined) return `lag ${this.ms} ms`;
    if (this.newest < 0 || slot < 0) return undefined;
    const behind = Math.max(0, this.newest - slot);
    return `lag ${behind} ${behind === 1 ? 'slot' : 'slots'}`;
  }
}
