// A raw stream as values, one after the other: its messages wait as bytes, bounded, and are parsed when somebody reads them.
import { ok, type Result, type ServiceError } from '../../core/service/errors';
import type { JsonValue } from '../../core/solana/json/json';
import type { RawStream, Subscription, TakeMessage } from '../api';
import { BoundedQueue } from './queue';

/** The value of a message, free of keys; the error of a message that ends its stream. */
export type ReadMessage = (bytes: Buffer, stream: RawStream) => Result<JsonValue>;

/** Opens a stream whose messages wait until they are read. */
export async function readOnDemand(
  open: (take: TakeMessage) => Promise<Result<RawStream>>,
  read: ReadMessage,
): Promise<Result<Subscription>> {
  const queue = new BoundedQueue<Buffer>();
  let wake = (): void => undefined;
  const opened = await open((bytes, start, end) => {
    queue.add(Buffer.from(bytes.subarray(start, end)), end - start);
    wake();
  });
  if (!opened.ok) return opened;
  const { value: stream } = opened;
  let isOver = false;
  let strange: ServiceError | undefined;
  const end = (): void => {
    isOver = true;
    wake();
  };
  void stream.ended.then(end);
  return ok({
    get dropped() {
      return queue.dropped;
    },
    get error() {
      return strange ?? stream.error;
    },
    async *messages(): AsyncGenerator<JsonValue, void, undefined> {
      for (;;) {
        const bytes = queue.take();
        if (bytes !== undefined) {
          const message = read(bytes, stream);
          if (!message.ok) {
            strange = message.error;
            await stream.close();
            return;
          }
          yield message.value;
        } else if (isOver) return;
        else await new Promise<void>((resolve) => (wake = resolve));
      }
    },
    close: () => {
      end();
      return stream.close();
    },
  });
}
