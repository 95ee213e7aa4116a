// Account data in Zstandard frames with the header of a node's: by Node's compressor where it has one, else in raw blocks that
// every reader takes.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { unzstd } from '../../../core/solana/encoding/zstd';
import { zstdFrame, zstdWith } from '../../../localnet/rpc/format/zstd';

const DATA = new Uint8Array(300_000).fill(7);
/** Magic number, then neither content size nor checksum nor dictionary, and a window of 2 MiB. */
const HEADER = '28b52ffd0058';

describe('Zstandard', () => {
  test('Node that has a compressor is asked to compress, without the content size', () => {
    const given: unknown[] = [];
    const compress = zstdWith({
      zstdCompressSync: (...args: unknown[]) => {
        given.push(...args);
        return Buffer.from(`${HEADER.slice(0, -2)}10aabb`, 'hex');
      },
    });
    assert.equal(Buffer.from(compress(DATA)).toString('hex'), `${HEADER}aabb`);
    assert.deepEqual(given, [DATA, { params: { 200: 0 } }]);
  });
  for (const [name, compress] of [
    ['of this Node', zstdFrame],
    ['of one without a compressor', zstdWith({})],
  ] as const) {
    test(`the frame ${name} is that of a node for data too short to gain`, () => {
      assert.equal(Buffer.from(compress(Buffer.from('test data'))).toString('base64'), 'KLUv/QBYSQAAdGVzdCBkYXRh');
    });
    for (const data of [new Uint8Array(), Uint8Array.of(1), DATA, Buffer.from('abcdefgh'.repeat(100_000))])
      test(`the frame ${name} holds ${data.length} bytes`, () => {
        const frame = Buffer.from(compress(data));
        assert.equal(frame.toString('hex', 0, 6), HEADER);
        assert.deepEqual(Buffer.from(unzstd(frame, data.length) ?? []), Buffer.from(data));
      });
  }
  test('without one, the frame holds the data in raw blocks of at most 128 KiB', () => {
    const frame = Buffer.from(zstdWith({})(DATA));
    const blocks: number[] = [];
    let at = 6;
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
