// The strict decoder in front of the engine: what it reads, and everything it refuses.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { encodeBase58 } from '../../../core/solana/encoding/base58';
import { decodeMessageStrictly, decodeStrictly, isWritable } from '../../../localnet/ledger/transaction/wire';
import { WireError } from '../../../localnet/ledger/transaction/wireReader';

const key = (fill: number): Uint8Array => new Uint8Array(32).fill(fill);

interface Shape {
  readonly prefix?: readonly number[];
  readonly header?: readonly number[];
  readonly keyCount?: readonly number[];
  readonly keys?: readonly Uint8Array[];
  readonly instructions?: readonly number[];
  readonly lookups?: readonly number[];
}

/** Payer, a writable account, a program; one instruction. Every part can be replaced by raw bytes. */
function message(shape: Shape = {}): Uint8Array {
  const keys = shape.keys ?? [key(1), key(2), key(3)];
  return Buffer.concat([
    Uint8Array.from(shape.prefix ?? []),
    Uint8Array.from(shape.header ?? [1, 0, 1]),
    Uint8Array.from(shape.keyCount ?? [keys.length]),
    ...keys,
    key(9),
    Uint8Array.from(shape.instructions ?? [1, 2, 2, 0, 1, 1, 42]),
    Uint8Array.from(shape.lookups ?? []),
  ]);
}

const transaction = (body: Uint8Array, count: readonly number[] = [1], signatures = 1): Uint8Array =>
  Buffer.concat([Uint8Array.from(count), new Uint8Array(64 * signatures).fill(5), body]);

const refused = (bytes: Uint8Array, reason: RegExp): void =>
  assert.throws(
    () => decodeStrictly(bytes),
    (error) => error instanceof WireError && reason.test(error.message),
    reason.source,
  );

describe('a legacy transaction', () => {
  test('is read with its parts', () => {
    const { signatures, message: read, messageOffset } = decodeStrictly(transaction(message()));
    assert.equal(signatures.length, 1);
    assert.equal(messageOffset, 65);
    assert.equal(read.version, 'legacy');
    assert.deepEqual(
      read.staticKeys,
      [1, 2, 3].map((fill) => encodeBase58(key(fill))),
    );
    assert.equal(read.blockhash, encodeBase58(key(9)));
    const [instruction] = read.instructions;
    assert.deepEqual(
      [instruction?.programIdIndex, [...(instruction?.accounts ?? [])], [...(instruction?.data ?? [])]],
      [2, [0, 1], [42]],
    );
  });
  test('distinguishes writable from readonly accounts by the header', () => {
    const read = decodeMessageStrictly(message({ header: [2, 1, 1] }));
    assert.deepEqual(
      [0, 1, 2].map((index) => isWritable(read, index)),
      [true, false, false],
    );
  });
  test('of 1232 bytes passes, of 1233 does not', () => {
    const filled = (length: number): Uint8Array =>
      transaction(
        message({ instructions: [1, 2, 0, (length & 0x7f) | 0x80, length >> 7, ...new Array<number>(length).fill(0)] }),
      );
    const room = 1232 - filled(200).length + 200;
    assert.equal(filled(room).length, 1232);
    decodeStrictly(filled(room));
    refused(filled(room + 1), /more than 1232 bytes/);
  });
});

describe('a version 0 transaction', () => {
  const table = [...key(7)];
  test('is read with its lookups, loaded accounts after the static ones', () => {
    const lookups = [1, ...table, 2, 4, 5, 1, 6];
    const { message: read } = decodeStrictly(
      transaction(message({ prefix: [0x80], lookups, instructions: [1, 2, 3, 3, 4, 5, 0] })),
    );
    assert.equal(read.version, 0);
    assert.deepEqual([...(read.lookups[0]?.writableIndexes ?? [])], [4, 5]);
    assert.deepEqual(
      [3, 4, 5].map((index) => isWritable(read, index)),
      [true, true, false],
    );
  });
  test('without lookups needs their count all the same', () => {
    decodeStrictly(transaction(message({ prefix: [0x80], lookups: [0] })));
    refused(transaction(message({ prefix: [0x80] })), /lookup table count/);
  });
  test('with a table that loads nothing is refused', () => {
    refused(transaction(message({ prefix: [0x80], lookups: [1, ...table, 0, 0] })), /nothing is loaded/);
  });
  test('cannot take its program from a table', () => {
    const lookups = [1, ...table, 1, 0, 0];
    refused(transaction(message({ prefix: [0x80], lookups, instructions: [1, 3, 0, 0] })), /program index/);
  });
  test('of another version is refused', () => {
    refused(transaction(message({ prefix: [0x81], lookups: [0] })), /version 1 is not supported/);
    refused(transaction(message({ prefix: [0x89] })), /version 9 is not supported/);
  });
});

describe('the decoder refuses', () => {
  test('every cut of a good transaction', () => {
    const whole = transaction(message());
    for (let length = 0; length < whole.length; length++) refused(whole.subarray(0, length), /./);
  });
  test('bytes after the end', () => {
    refused(Buffer.concat([transaction(message()), Buffer.of(0)]), /1 bytes after the end/);
  });
  test('a length that is not in its shortest form', () => {
    // A first byte of 0x80 is a count that continues; 0x81 would begin version 1.
    refused(transaction(message(), [0x80, 0]), /shortest form/);
    refused(transaction(message({ keyCount: [0x83, 0x80, 0] })), /shortest form/);
  });
  test('a length above 65535 or of four bytes', () => {
    refused(transaction(message({ keyCount: [0xff, 0xff, 0x04] })), /above 65535/);
    refused(transaction(message({ keyCount: [0xff, 0xff, 0xff] })), /longer than three bytes/);
  });
  test('another number of signatures than the header asks for', () => {
    refused(transaction(message(), [2], 2), /2 signatures, but the header asks for 1/);
    refused(transaction(message({ header: [2, 0, 1] })), /1 signatures, but the header asks for 2/);
  });
  test('a header without a paying signer', () => {
    refused(transaction(message({ header: [0, 0, 1] }), [0], 0), /no fee payer/);
    refused(transaction(message({ header: [1, 1, 1] })), /no fee payer/);
  });
  test('a header that counts more accounts than there are', () => {
    refused(transaction(message({ header: [1, 0, 3] })), /more accounts than there are keys/);
    refused(transaction(message({ keys: [] })), /more accounts than there are keys/);
  });
  test('indexes outside the message', () => {
    refused(transaction(message({ instructions: [1, 3, 0, 0] })), /program index/);
    refused(transaction(message({ instructions: [1, 2, 1, 3, 0] })), /account index/);
    refused(transaction(message({ instructions: [1, 0, 0, 0] })), /fee payer cannot be a program/);
  });
  test('a duplicate key', () => {
    refused(transaction(message({ keys: [key(1), key(1), key(3)] })), /occurs twice/);
  });
});
