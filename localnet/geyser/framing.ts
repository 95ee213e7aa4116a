// gRPC's framing inside a stream: one byte (compressed or not), four bytes of length, the message. Bounded.
import { gunzipSync, inflateSync } from 'node:zlib';
import { GrpcFailure } from './status';

/** Bytes of one message that a client may send, compressed or not. */
export const MAX_MESSAGE = 4 * 1024 * 1024;
const HEADER = 5;

/** Bytes of messages that have not come whole yet, over all calls. */
const MAX_PARTIAL = 64 * 1024 * 1024;
/** What a piece of a message takes in memory beside its bytes. */
const PIECE_BYTES = 128;

/** What all calls together hold of messages that have not come whole yet. */
export interface Partial {
  bytes: number;
}

type Decompress = (bytes: Uint8Array) => Uint8Array;

const limit = { maxOutputLength: MAX_MESSAGE };
const ENCODINGS: Readonly<Record<string, Decompress>> = {
  identity: (bytes) => bytes,
  gzip: (bytes) => gunzipSync(bytes, limit),
  deflate: (bytes) => inflateSync(bytes, limit),
};

/** The value of `grpc-accept-encoding`. */
export const ACCEPTED_ENCODINGS = Object.keys(ENCODINGS).join(',');

/** The header of a message that goes out; messages go out uncompressed. */
export function frameHeader(length: number): Buffer {
  const header = Buffer.alloc(HEADER);
  header.writeUInt32BE(length, 1);
  return header;
}

/** Cuts what a client sends into messages. */
export class MessageReader {
  private waiting: Buffer[] = [];
  private length = 0;
  /** Bytes without which there is nothing to do: pieces of a large message are joined once. */
  private needed = HEADER;
  private readonly decompress: Decompress;

  /** What is counted in `partial` for this reader. */
  private counted = 0;

  /** `encoding` is the call's `grpc-encoding`. Throws GrpcFailure for one that is not accepted. */
  constructor(
    encoding: string | undefined,
    private readonly partial: Partial,
  ) {
    const decompress = Object.hasOwn(ENCODINGS, encoding ?? 'identity') ? ENCODINGS[encoding ?? 'identity'] : undefined;
    if (decompress === undefined)
      throw new GrpcFailure('UNIMPLEMENTED', `Messages may be compressed with ${ACCEPTED_ENCODINGS} only`);
    this.decompress = decompress;
  }

  /** The whole messages that these bytes complete. Throws GrpcFailure. */
  read(chunk: Buffer): Uint8Array[] {
    const messages = this.cut(chunk);
    this.count(this.length + this.waiting.length * PIECE_BYTES);
    if (this.partial.bytes > MAX_PARTIAL)
      throw new GrpcFailure('RESOURCE_EXHAUSTED', 'Too many large messages are being sent at once');
    return messages;
  }

  /** Forgets what has come; to be called when the call is over. */
  clear(): void {
    this.waiting = [];
    this.length = 0;
    this.count(0);
  }

  private count(bytes: number): void {
    this.partial.bytes += bytes - this.counted;
    this.counted = bytes;
  }

  private cut(chunk: Buffer): Uint8Array[] {
    this.waiting.push(chunk);
    this.length += chunk.length;
    const messages: Uint8Array[] = [];
    while (this.length >= this.needed) {
      const bytes = this.joined();
      const size = bytes.readUInt32BE(1);
      if (size > MAX_MESSAGE)
        throw new GrpcFailure('RESOURCE_EXHAUSTED', `A message of ${size} bytes; at most ${MAX_MESSAGE} are read`);
      if (bytes.length < HEADER + size) {
        this.needed = HEADER + size;
        break;
      }
      this.needed = HEADER;
      messages.push(this.unpacked(bytes[0] ?? 0, bytes.subarray(HEADER, HEADER + size)));
      this.waiting = [bytes.subarray(HEADER + size)];
      this.length -= HEADER + size;
    }
    return messages;
  }

  private joined(): Buffer {
    const [first] = this.waiting;
    if (this.waiting.length === 1 && first !== undefined) return first;
    const bytes = Buffer.concat(this.waiting);
    this.waiting = [bytes];
    return bytes;
  }

  private unpacked(flag: number, bytes: Uint8Array): Uint8Array {
    if (flag === 0) return bytes;
    try {
      return this.decompress(bytes);
    } catch {
      throw new GrpcFailure('INTERNAL', `A message that does not decompress, or to more than ${MAX_MESSAGE} bytes`);
    }
  }
}
