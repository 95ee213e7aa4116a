// Zstandard frames of account data: compressed where Node can (22.15 and newer), else in raw blocks.
import * as zlib from 'node:zlib';

const ZSTD_MAGIC = [0x28, 0xb5, 0x2f, 0xfd];
/** Frame header: content size of four bytes, one segment, no checksum, no dictionary. */
const ZSTD_DESCRIPTOR = 0xa0;
const ZSTD_BLOCK = 128 * 1024;

/** A Zstandard frame (RFC 8878) of raw blocks: valid for every reader, without a compressor. */
function rawFrame(data: Uint8Array): Uint8Array {
  const size = Buffer.alloc(4);
  size.writeUInt32LE(data.length);
  const parts: Uint8Array[] = [Uint8Array.of(...ZSTD_MAGIC, ZSTD_DESCRIPTOR), size];
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

/** `library` is `node:zlib`, whose compressor older versions of Node do not have. */
export function zstdWith(library: object): Compress {
  const compress = 'zstdCompressSync' in library ? library.zstdCompressSync : undefined;
  return typeof compress === 'function' ? (data) => (compress as Compress)(data) : rawFrame;
}

export const zstdFrame: Compress = zstdWith(zlib);
