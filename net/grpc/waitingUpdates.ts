// The updates of a gRPC stream as values, one after the other: they wait as bytes, bounded, and are decoded when read.
import type { ServiceError } from '../../core/service/errors';
import type { GrpcCall } from '../../core/solana/json/grpcMessage';
import { jsonOf, type JsonValue } from '../../core/solana/json/json';
import type { RawStream, Subscription, TakeMessage } from '../api';
import { BoundedQueue } from '../websocket/queue';
import { keylessText, unreadable } from './outcome';

export class WaitingUpdates {
  readonly #queue = new BoundedQueue<Buffer>();
  #wake = (): void => undefined;

  readonly take: TakeMessage = (bytes, start, end) => {
    this.#queue.add(Buffer.from(bytes.subarray(start, end)), end - start);
    this.#wake();
  };

  /** The stream that fills this queue, typed for reading. */
  of(stream: RawStream, call: GrpcCall, host: string): Subscription {
    const queue = this.#queue;
    let isOver = false;
    let strange: ServiceError | undefined;
    const end = (): void => {
      isOver = true;
      this.#wake();
    };
    void stream.ended.then(end);
    const next = (): Promise<void> => new Promise((resolve) => (this.#wake = resolve));
    return {
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
            const text = keylessText(call, bytes, stream, host);
            const value = text.ok ? jsonOf(text.value) : undefined;
            if (value === undefined) {
              strange = text.ok ? unreadable(host) : text.error;
              await stream.close();
              return;
            }
            yield value;
          } else if (isOver) return;
          else await next();
        }
      },
      close: () => {
        end();
        return stream.close();
      },
    };
  }
}
