// gRPC's framing of messages: one byte that says whether it is compressed, four bytes of length, the message. Bounded.
import type { TakeMessage } from '../api';
import { Carry } from '../carry';
import { Refusal } from '../failures';

/** Bytes of one message from a service; a block with its transactions and accounts fits. */
export const MAX_MESSAGE = 64 * 1024 * 1024;
const HEAD = 5;

/** A message as it goes out, uncompressed. */
export function frame(message: Uint8Array): Buffer {
  const framed = Buffer.allocUnsafe(HEAD + message.length);
  framed[0] = 0;
  framed.writeUInt32BE(message.length, 1);
  framed.set(message, HEAD);
  return framed;
}

/** Cuts what comes into messages, in one pass and without a copy of those that lie whole in one piece. */
export class FrameReader {
  /** A message cut by the end of a piece. */
  private readonly carry = new Carry();

  constructor(private readonly host: string) {}

  /** Hands the messages that these bytes complete to `take`, in order. Throws Refusal. */
  read(chunk: Buffer, take: TakeMessage): void {
    const { carry } = this;
    let at = 0;
    while (carry.held > 0) {
      const needed = carry.held < HEAD ? HEAD : HEAD + this.sizeAt(carry.bytes, 0);
      if (carry.held < needed) {
        const count = Math.min(needed - carry.held, chunk.length - at);
        if (count === 0) return;
        carry.hold(chunk, at, count, needed);
        at += count;
      } else take(carry.whole(), HEAD, needed);
    }
    while (chunk.length - at >= HEAD) {
      const end = at + HEAD + this.sizeAt(chunk, at);
      if (end > chunk.length) break;
      take(chunk, at + HEAD, end);
      at = end;
    }
    if (at < chunk.length) carry.hold(chunk, at, chunk.length - at, HEAD);
  }

  /** True between two messages: a call may end well only there. */
  get isEmpty(): boolean {
    return this.carry.held === 0;
  }

  private sizeAt(bytes: Buffer, at: number): number {
    const size = bytes.readUInt32BE(at + 1);
    if (bytes[at] === 0 && size <= MAX_MESSAGE) return size;
    const what =
      bytes[at] === 0
        ? `sent a message of ${size} bytes, above the bound of ${MAX_MESSAGE}`
        : 'sent a compressed message that was not asked for';
    throw new Refusal({
      kind: 'protocol',
      message: `${this.host} ${what}.`,
      hint: bytes[at] === 0 ? 'Narrow the request with filters.' : 'Check that grpcUrl is a gRPC service.',
    });
  }
}
