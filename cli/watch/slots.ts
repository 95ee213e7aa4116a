// The slots of an endpoint next to a stream over a WebSocket, on the same connection: what its lag is measured against. A gRPC
// update carries the service's time itself.
import { pubSubShape } from '../../core/service/streams/pubsub';
import type { PreparedRequest } from '../../core/requests/run/model';
import type { SlotTips } from '../../runner/streams/slotTips';
import type { Beside } from './followed';

const SLOTS: PreparedRequest = {
  transport: 'WS',
  method: 'slotSubscribe',
  body: '{"jsonrpc":"2.0","id":"slots","method":"slotSubscribe"}',
  ids: ['"slots"'],
  isBatch: false,
  headers: [],
  timeoutMs: 15_000,
};

/** The subscription next to the stream; undefined if the stream itself reports slots or times. */
export function slotsBeside({ transport, method, headers }: PreparedRequest, tips: SlotTips): Beside | undefined {
  if (transport === 'GRPC' || method === SLOTS.method) return undefined;
  const shape = pubSubShape(SLOTS.method);
  return {
    request: { ...SLOTS, headers },
    take: (bytes, start, end) => {
      const slot = shape.slot(bytes, start, end);
      if (slot >= 0) tips.see('', 'slots', slot, Date.now());
    },
  };
}
