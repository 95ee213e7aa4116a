// Compressed messages that a service sends over the HTTP/2 client: which encodings a request accepts, and a message unpacked
// within the bound of messages. Nothing that we send is compressed.
import * as zlib from 'node:zlib';
import type { GrpcCompression } from '../../core/service/profiles/profile';
import { unzstd } from '../../core/solana/encoding/zstd';
import { RefusedAnswer } from '../failures';
import type { HeaderPairs } from '../target/headers';
import { MAX_GRPC_MESSAGE, tooLargeError, unreadableError } from './bounds';

/** Unpacks one message; `undefined` for damaged bytes and for more than the bound. */
type Unpack = (bytes: Uint8Array) => Uint8Array | undefined;

const WITHIN = { maxOutputLength: MAX_GRPC_MESSAGE };

/** Names as in `grpc-encoding` (gRPC over HTTP/2, "Message-Encoding"). */
const UNPACKERS: Readonly<Record<string, Unpack>> = {
  // Not Node's own, which 22.15 brought: it takes a frame that is cut for a whole one.
  zstd: (bytes) => unzstd(bytes, MAX_GRPC_MESSAGE),
  gzip: (bytes) => zlib.gunzipSync(bytes, WITHIN),
};

const ACCEPTED = 'grpc-accept-encoding';

/** The encodings that a file's headers accept, in their order. */
export const acceptedEncodings = (headers: HeaderPairs): readonly string[] =>
  headers
    .filter(([name]) => name.toLowerCase() === ACCEPTED)
    .flatMap(([, value]) => value.split(',').map((encoding) => encoding.trim().toLowerCase()));

/** The headers of a stream: the file's, plus the endpoint's compression unless they name one. */
export function streamHeaders(headers: HeaderPairs, compression: GrpcCompression = 'none'): HeaderPairs {
  if (compression === 'none' || headers.some(([name]) => name.toLowerCase() === ACCEPTED)) return headers;
  return [...headers, [ACCEPTED, compression]];
}

/** The encodings that the HTTP/2 client offers. */
export const offeredEncodings = (headers: HeaderPairs): readonly string[] => [
  ...acceptedEncodings(headers).filter((encoding) => Object.hasOwn(UNPACKERS, encoding)),
  'identity',
];

/** Decompresses the messages of a response in this encoding; `undefined` if it was not offered. */
export function unpackerOf(encoding: string, offered: readonly string[], host: string): Unpacker | undefined {
  const unpack = offered.includes(encoding) && Object.hasOwn(UNPACKERS, encoding) ? UNPACKERS[encoding] : undefined;
  return unpack === undefined ? undefined : (bytes) => unpacked(bytes, unpack, host);
}

/** Throws RefusedAnswer. */
export type Unpacker = (bytes: Uint8Array) => Buffer;

function unpacked(bytes: Uint8Array, unpack: Unpack, host: string): Buffer {
  let message: Uint8Array | undefined;
  try {
    message = unpack(bytes);
  } catch (error) {
    const isTooLarge = error instanceof Error && (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';
    throw new RefusedAnswer(isTooLarge ? tooLargeError(host) : unreadableError(host));
  }
  if (message === undefined) throw new RefusedAnswer(unreadableError(host));
  return Buffer.from(message.buffer, message.byteOffset, message.byteLength);
}
