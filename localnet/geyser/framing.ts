// The messages of one call: those of the client bounded in size and decompressed, ours compressed where the service was
// started to and the client accepts it.
import * as zlib from 'node:zlib';
import { FrameReader } from '../../proto/frames';
import { GrpcFailure } from './status';

/** Bytes of one message that a client may send, compressed or not. */
export const MAX_CLIENT_MESSAGE = 4 * 1024 * 1024;

/** Memory of incomplete messages over all calls, in bytes. */
const MAX_PARTIAL = 64 * 1024 * 1024;

/** Shared by all calls of a service. */
export interface Framing {
  /** Memory that all calls together use for incomplete messages. */
  readonly partial: { bytes: number };
  /** Compressions used for clients that accept them; names of COMPRESSIONS. */
  readonly compressions: readonly string[];
}

type Convert = (bytes: Uint8Array) => Uint8Array;

const limit = { maxOutputLength: MAX_CLIENT_MESSAGE };
const ENCODINGS: Readonly<Record<string, Convert>> = {
  identity: (bytes) => bytes,
  gzip: (bytes) => zlib.gunzipSync(bytes, limit),
  deflate: (bytes) => zlib.inflateSync(bytes, limit),
};

/** The value of `grpc-accept-encoding`. */
export const ACCEPTED_ENCODINGS = Object.keys(ENCODINGS).join(',');

/** Versions of Node.js that compression came with, by the names of `grpc-encoding`. */
export const NEEDED_NODE: Readonly<Record<string, string>> = { zstd: '22.15' };

const { zstdCompressSync } = zlib as { readonly zstdCompressSync?: Convert };

/** The compressions of a Yellowstone server. Level 1 of gzip: the other side is on this machine. */
const COMPRESSORS: Readonly<Record<string, Convert>> = {
  gzip: (bytes) => zlib.gzipSync(bytes, { level: 1 }),
  ...(zstdCompressSync === undefined ? {} : { zstd: (bytes) => zstdCompressSync(bytes) }),
};

/** Compressions available on this machine, by their names in `grpc-encoding`. */
export const COMPRESSIONS: readonly string[] = Object.keys(COMPRESSORS);

/** Shorter messages are sent as they are: their keys and signatures hardly compress. Bytes. */
const LEAST_COMPRESSED = 1024;

/** How the messages of a response are compressed: the client's first choice among those that are offered. */
export interface ResponseCompression {
  /** As in `grpc-encoding`. */
  readonly encoding: string;
  /** The message compressed; `undefined` where it is sent as it is. */
  readonly pack: (parts: readonly Uint8Array[], size: number) => Uint8Array | undefined;
}

/** `offered`: names of COMPRESSIONS; `accepted`: the call's `grpc-accept-encoding`. */
export function compressionFor(
  offered: readonly string[],
  accepted: string | undefined,
): ResponseCompression | undefined {
  for (const encoding of (accepted ?? '').split(',').map((name) => name.trim())) {
    const compress = offered.includes(encoding) ? COMPRESSORS[encoding] : undefined;
    if (compress === undefined) continue;
    return {
      encoding,
      pack: (parts, size) => {
        if (size < LEAST_COMPRESSED) return undefined;
        const packed = compress(Buffer.concat(parts));
        return packed.length < size ? packed : undefined;
      },
    };
  }
  return undefined;
}

/** Splits what a client sends into messages. */
export class MessageReader {
  readonly #frames = new FrameReader(checkSize, 0);
  readonly #decompress: Convert;
  /** This reader's share of `partial`. */
  #counted = 0;

  /** `encoding` is the call's `grpc-encoding`. Throws GrpcFailure for an encoding that is not accepted. */
  constructor(
    encoding: string | undefined,
    private readonly partial: Framing['partial'],
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
      throw new GrpcFailure(
        'INTERNAL',
        `A message that does not decompress, or to more than ${MAX_CLIENT_MESSAGE} bytes`,
      );
    }
  }
}

function checkSize(size: number): void {
  if (size > MAX_CLIENT_MESSAGE)
    throw new GrpcFailure('RESOURCE_EXHAUSTED', `A message of ${size} bytes; at most ${MAX_CLIENT_MESSAGE} are read`);
}
