// Account data in Zstandard frames: by Node's compressor where it has one, else in raw blocks that every reader takes.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { zstdWith } from '../../../localnet/rpc/format/zstd';

const DATA = new Uint8Array(300_000).fill(7);

describe('Zstandard', () => {
  test('Node that has a compressor is asked to compress', () => {
    const compressed = Uint8Array.of(1, 2, 3);
    const given: Uint8Array[] = [];
    const compress = zstdWith({
      zstdCompressSync: (data: Uint8Array) => {
        given.push(data);
        return compressed;
      },
    });
    assert.equal(compress(DATA), compressed);
    assert.deepEqual(given, [DATA]);
  });
  test('without one, the frame holds the data in raw blocks of at most 128 KiB', () => {
    const frame = Buffer.from(zstdWith({})(DATA));
    assert.equal(frame.readUInt32LE(0), 0xfd2fb528);
    assert.equal(frame.readUInt32LE(5), DATA.length);
    const blocks: number[] = [];
    let at = 9;
    for (let isLast = false; !isLast;) {
      const head = frame.readUIntLE(at, 3);
      isLast = (head & 1) === 1;
      assert.equal((head >> 1) & 3, 0, 'a raw block');
      blocks.push(head >> 3);
      at += 3 + (head >> 3);
    }
    assert.deepEqual(blocks, [131_072, 131_072, 37_856]);
    assert.equal(at, frame.length);
  });
});
