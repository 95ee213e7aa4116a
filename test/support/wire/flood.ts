// A gRPC service on loopback that pours updates into each subscription at a pace once it is asked to, and counts what it
// handed over.
import { begin, grpcService, slotUpdate } from './grpcServices';
import type { Hostile } from './hostile';

export interface Flood extends Hostile {
  /** Updates handed to the connections so far. */
  sent(): number;
  /** Milliseconds since it began to pour. */
  lastedMs(): number;
  /** Begins to pour. Until then subscriptions are live and get nothing. */
  pour(): void;
  /** Sends nothing more; gives what was sent. */
  hold(): number;
}

/** Updates that are written at once. */
const BATCH = 1_000;
const TURN_MS = 5;
/** Bytes that may wait in a connection whose other side does not read: what is due is owed meanwhile. */
const MAX_WAITING = 1024 * 1024;

/** `total`: updates after which nothing more comes, a multiple of 1,000. Default: it does not end. */
export async function startFlood(perSecond: number, total = Number.POSITIVE_INFINITY): Promise<Flood> {
  const batch = Buffer.concat(Array.from({ length: BATCH }, (_, at) => slotUpdate(BigInt(312_345_678 + at))));
  let sent = 0;
  let begun: number | undefined;
  let isHeld = false;
  const turns = new Set<NodeJS.Timeout>();
  const service = await grpcService(({ stream }) => {
    begin(stream);
    let at = performance.now();
    let owed = 0;
    const turn = setInterval(() => {
      const now = performance.now();
      if (begun !== undefined) owed += ((now - Math.max(at, begun)) * perSecond) / 1_000;
      at = now;
      if (stream.destroyed) clearInterval(turn);
      const isOpen = (): boolean => !isHeld && !stream.destroyed && sent < total;
      while (owed >= BATCH && isOpen() && stream.writableLength < MAX_WAITING) {
        stream.write(batch);
        owed -= BATCH;
        sent += BATCH;
      }
    }, TURN_MS);
    turns.add(turn);
  });
  return {
    ...service,
    sent: () => sent,
    lastedMs: () => (begun === undefined ? 0 : performance.now() - begun),
    pour: () => (begun ??= performance.now()),
    hold: () => {
      isHeld = true;
      return sent;
    },
    close: async () => {
      for (const turn of turns) clearInterval(turn);
      await service.close();
    },
  };
}
