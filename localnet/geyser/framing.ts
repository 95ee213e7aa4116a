// The messages of one client stream: bounded in size, decompressed where the client compresses.
import { gunzipSync, inflateSync } from 'node:zlib';
import { FrameReader } from '../../proto/frames';
import { GrpcFailure } from './status';

/** Bytes of one message that a client may send, compressed or not. */
export const MAX_MESSAGE = 4 * 1024 * 1024;

/** Memory of incomplete messages over all calls, in bytes. */
const MAX_PARTIAL = 64 * 1024 * 1024;

/** Memory that all calls together use for incomplete messages. */
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

/** Splits what a client sends into messages. */
export class MessageReader {
  readonly #frames = new FrameReader(checkSize, 0);
  readonly #decompress: Decompress;
  /** This reader's share of `partial`. */
  #counted = 0;

  /** `encoding` is the call's `grpc-encoding`. Throws GrpcFailure for one that is not accepted. */
  constructor(
    encoding: string | undefined,
    private readonly partial: Partial,
  ) {
    const decompress = Object.hasOwn(ENCODINGS, encoding ?? 'identity') ? ENCODINGS[encoding ?? 'identity'] : undefined;
    if (decompress === undefined)
      throw new GrpcFailure('UNIMPLEMENTED', `Messages may be compressed with ${ACCEPTED_ENCODINGS} only`);
    this.#decompress = decompress;
  }

  /** Hands over each message that these bytes complete; it may be kept. Throws GrpcFailure. */
  read(chunk: Buffer, take: (message: Uint8Array) => void): void {
    this.#frames.read(chunk, (bytes, start, end, isCompressed) => {
      const message = bytes.subarray(start, end);
      take(isCompressed ? this.#unpacked(message) : message);
    });
    this.#count(this.#frames.allocated);
    if (this.partial.bytes > MAX_PARTIAL)
      throw new GrpcFailure('RESOURCE_EXHAUSTED', 'Too many large messages are being sent at once');
  }

  /** Forgets an incomplete message; call it when the call is over. */
  clear(): void {
    this.#frames.clear();
    this.#count(0);
  }

  #count(bytes: number): void {
    this.partial.bytes += bytes - this.#counted;
    this.#counted = bytes;
  }

  #unpacked(bytes: Uint8Array): Uint8Array {
    try {
      return this.#decompress(bytes);
    } catch {
      throw new GrpcFailure('INTERNAL', `A message that does not decompress, or to more than ${MAX_MESSAGE} bytes`);
    }
  }
}

function checkSize(size: number): void {
  if (size > MAX_MESSAGE)
    throw new GrpcFailure('RESOURCE_EXHAUSTED', `A message of ${size} bytes; at most ${MAX_MESSAGE} are read`);
}
