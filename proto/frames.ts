// Reads and writes gRPC's length-prefixed messages (gRPC over HTTP/2, "Length-Prefixed-Message"): one byte that flags
// compression, four bytes of length, the message. Neither compresses nor decompresses.
import { PartialMessage } from './partialMessage';

/** Bytes before each message. */
export const FRAME_HEADER = 5;

/** The five bytes before a message of `size` bytes, as they are sent. */
export function frameHeader(size: number, isCompressed = false): Buffer {
  const header = Buffer.alloc(FRAME_HEADER);
  header[0] = isCompressed ? 1 : 0;
  header.writeUInt32BE(size, 1);
  return header;
}

/** An uncompressed message with its header. */
export function frame(message: Uint8Array): Buffer {
  const framed = Buffer.allocUnsafe(FRAME_HEADER + message.length);
  framed[0] = 0;
  framed.writeUInt32BE(message.length, 1);
  framed.set(message, FRAME_HEADER);
  return framed;
}

/** Throws if a message with this header must not be read. */
export type CheckFrame = (size: number, isCompressed: boolean) => void;

/** Takes the message at `bytes[start..end)`; the bytes are valid only during the call. */
export type TakeFrame = (bytes: Buffer, start: number, end: number, isCompressed: boolean) => void;

/** Splits a byte stream into messages in one pass; a message that lies whole in one chunk is not copied. */
export class FrameReader {
  readonly #partial: PartialMessage;

  /** `kept` as of PartialMessage. */
  constructor(
    private readonly check: CheckFrame,
    kept?: number,
  ) {
    this.#partial = new PartialMessage(kept);
  }

  /** True between two messages: only there may a call end well. */
  get isEmpty(): boolean {
    return this.#partial.held === 0;
  }

  /** Bytes of memory that an incomplete message takes. */
  get allocated(): number {
    return this.#partial.allocated;
  }

  /** Hands over the messages that this chunk completes, in order. Throws what `check` throws. */
  read(chunk: Buffer, take: TakeFrame): void {
    const partial = this.#partial;
    let at = 0;
    while (partial.held > 0) {
      const needed = partial.held < FRAME_HEADER ? FRAME_HEADER : FRAME_HEADER + this.#sizeAt(partial.bytes, 0);
      if (partial.held < needed) {
        const count = Math.min(needed - partial.held, chunk.length - at);
        if (count === 0) return;
        partial.add(chunk, at, count, needed);
        at += count;
      } else {
        const bytes = partial.take();
        take(bytes, FRAME_HEADER, needed, bytes[0] !== 0);
      }
    }
    while (chunk.length - at >= FRAME_HEADER) {
      const end = at + FRAME_HEADER + this.#sizeAt(chunk, at);
      if (end > chunk.length) break;
      take(chunk, at + FRAME_HEADER, end, chunk[at] !== 0);
      at = end;
    }
    if (at < chunk.length) partial.add(chunk, at, chunk.length - at, FRAME_HEADER);
  }

  /** Forgets an incomplete message. */
  clear(): void {
    this.#partial.clear();
  }

  #sizeAt(bytes: Buffer, at: number): number {
    const size = bytes.readUInt32BE(at + 1);
    this.check(size, bytes[at] !== 0);
    return size;
  }
}
