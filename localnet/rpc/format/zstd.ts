// Zstandard frames of account data as nodes write them: compressed where Node.js can (22.15 and newer), else in raw blocks.
import * as zlib from 'node:zlib';

/**
 * The frame header of a node, which compresses as a stream: no content size, checksum or dictionary, and the window of the
 * default level, 2 MiB.
 */
const HEADER = Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x58);
const WINDOW_AT = 5;
const ZSTD_BLOCK = 128 * 1024;
/** `ZSTD_c_contentSizeFlag` of the library. */
const CONTENT_SIZE = 200;

/** A Zstandard frame (RFC 8878) of raw blocks: valid for every reader, without a compressor. */
function rawFrame(data: Uint8Array): Uint8Array {
  const parts: Uint8Array[] = [HEADER];
  let at = 0;
  do {
    const block = data.subarray(at, at + ZSTD_BLOCK);
    at += ZSTD_BLOCK;
    const head = (block.length << 3) | (at >= data.length ? 1 : 0);
    parts.push(Uint8Array.of(head & 255, (head >> 8) & 255, head >> 16), block);
  } while (at < data.length);
  return Buffer.concat(parts);
}

type Compress = (data: Uint8Array) => Uint8Array;
type Library = (data: Uint8Array, options: { readonly params: Readonly<Record<number, number>> }) => Uint8Array;

/** `library` is `node:zlib`, whose compressor older versions of Node.js do not have. */
export function zstdWith(library: object): Compress {
  const compress = 'zstdCompressSync' in library ? library.zstdCompressSync : undefined;
  if (typeof compress !== 'function') return rawFrame;
  return (data) => {
    const frame = (compress as Library)(data, { params: { [CONTENT_SIZE]: 0 } });
    // It fits the window to the data; a larger one is valid as well.
    frame.set(HEADER.subarray(WINDOW_AT), WINDOW_AT);
    return frame;
  };
}

export const zstdFrame: Compress = zstdWith(zlib);
