// gRPC's framing of messages: one byte that says whether it is compressed, four bytes of length, the message. Bounded.
import type { TakeMessage } from '../api';
import { Refusal } from '../failures';

/** Bytes of one message from a service; a block with its transactions and accounts fits. */
export const MAX_MESSAGE = 64 * 1024 * 1024;
const HEAD = 5;
/** A message cut by the end of a piece is put together here; one that needs more gets more, for a while. Bytes. */
const USUAL_CARRY = 64 * 1024;

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
  /** The beginning of a message whose rest has not come. */
  private carry: Buffer<ArrayBufferLike> = Buffer.alloc(0);
  private held = 0;

  constructor(private readonly host: string) {}

  /** Hands the messages that these bytes complete to `take`, in order. Throws Refusal. */
  read(chunk: Buffer, take: TakeMessage): void {
    let at = 0;
    while (this.held > 0) {
      const needed = this.held < HEAD ? HEAD : HEAD + this.sizeAt(this.carry, 0);
      if (this.held < needed) {
        const count = Math.min(needed - this.held, chunk.length - at);
        if (count === 0) return;
        this.hold(chunk, at, count, needed);
        at += count;
      } else {
        this.held = 0;
        // Another array each time: its bytes are others.
        take(this.carry.subarray(0, needed), HEAD, needed);
        if (this.carry.length > USUAL_CARRY) this.carry = Buffer.alloc(0);
      }
    }
    while (chunk.length - at >= HEAD) {
      const end = at + HEAD + this.sizeAt(chunk, at);
      if (end > chunk.length) break;
      take(chunk, at + HEAD, end);
      at = end;
    }
    if (at < chunk.length) this.hold(chunk, at, chunk.length - at, HEAD);
  }

  /** True between two messages: a call may end well only there. */
  get isEmpty(): boolean {
    return this.held === 0;
  }

  private hold(chunk: Buffer, from: number, count: number, needed: number): void {
    const held = this.held + count;
    if (held > this.carry.length) {
      // Grown with what came, not with what was announced: a length is quickly said.
      const grown = Buffer.allocUnsafe(Math.max(USUAL_CARRY, Math.min(needed, 2 * held), held));
      this.carry.copy(grown, 0, 0, this.held);
      this.carry = grown;
    }
    chunk.copy(this.carry, this.held, from, from + count);
    this.held = held;
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
