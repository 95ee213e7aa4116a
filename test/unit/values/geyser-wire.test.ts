// The byte forms of the gRPC side: errors as bincode, checked by the public client's own decoder, and its hash function.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { txErrDecode } from '@triton-one/yellowstone-grpc';
import { GrpcFailure, statusHeaders } from '../../../localnet/geyser/status';
import { MAX_CLIENT_MESSAGE, MessageReader } from '../../../localnet/geyser/framing';
import { frameHeader } from '../../../proto/frames';
import { sipHash24 } from '../../../localnet/geyser/filters/sipHash';
import { encodeTransactionError } from '../../../localnet/geyser/transactionError';
import { instructionErrorNames, transactionErrorNames } from '../../../localnet/ledger/errorTable';
import type { TransactionError } from '../../../localnet/ledger/types';

/** Those whose bytes have more than the number. */
const WITH_PAYLOAD: Readonly<Record<string, TransactionError>> = {
  InstructionError: { InstructionError: [2, 'InvalidAccountData'] },
  DuplicateInstruction: { DuplicateInstruction: 3 },
  InsufficientFundsForRent: { InsufficientFundsForRent: { account_index: 4 } },
  ProgramExecutionTemporarilyRestricted: { ProgramExecutionTemporarilyRestricted: { account_index: 5 } },
};

const decoded = (error: TransactionError): unknown =>
  JSON.parse(JSON.stringify(txErrDecode.decode(encodeTransactionError(error))));

for (const name of transactionErrorNames) {
  test(`the public client decodes ${name}`, () => {
    const error = WITH_PAYLOAD[name] ?? name;
    assert.deepEqual(decoded(error), error);
  });
}

for (const name of instructionErrorNames) {
  test(`the public client decodes the instruction error ${name}`, () => {
    const inner = name === 'Custom' ? { Custom: 4_294_967_295 } : name;
    const error: TransactionError = { InstructionError: [255, inner] };
    assert.deepEqual(decoded(error), error);
  });
}

test('an error with a name that the wire does not have is a mistake', () => {
  assert.throws(() => encodeTransactionError('NoSuchError'), /NoSuchError/);
});

test('SipHash-2-4 gives the value of its published test vector', () => {
  const bytes = (count: number): Uint8Array => Uint8Array.from({ length: count }, (_, at) => at);
  assert.equal(sipHash24(0x0706050403020100n, 0x0f0e0d0c0b0a0908n, bytes(15)), 0xa129ca6149be45e5n);
  assert.equal(sipHash24(0x0706050403020100n, 0x0f0e0d0c0b0a0908n, bytes(0)), 0x726fdb47dd0e0e31n);
});

const unread = (): never => assert.fail('No message was expected.');

test('messages come whole however the bytes are cut', () => {
  const messages = [Buffer.from('one'), Buffer.alloc(0), Buffer.from('three')];
  const bytes = Buffer.concat(messages.flatMap((message) => [frameHeader(message.length), message]));
  for (let size = 1; size <= bytes.length; size++) {
    const reader = new MessageReader(undefined, { bytes: 0 });
    const read: string[] = [];
    for (let at = 0; at < bytes.length; at += size)
      reader.read(bytes.subarray(at, at + size), (message) => void read.push(Buffer.from(message).toString()));
    assert.deepEqual(read, ['one', '', 'three'], `pieces of ${size}`);
  }
});

test('a message above the limit is refused by its header alone', () => {
  assert.throws(
    () => new MessageReader(undefined, { bytes: 0 }).read(frameHeader(MAX_CLIENT_MESSAGE + 1), unread),
    (error) => error instanceof GrpcFailure && error.code === 'RESOURCE_EXHAUSTED',
  );
});

test('messages that have not come whole share a bound, which a call that is over no longer counts in', () => {
  const partial = { bytes: 0 };
  const begun = (): MessageReader => {
    const reader = new MessageReader(undefined, partial);
    reader.read(Buffer.concat([frameHeader(MAX_CLIENT_MESSAGE), Buffer.alloc(MAX_CLIENT_MESSAGE - 1)]), unread);
    return reader;
  };
  const [first] = Array.from({ length: 15 }, begun);
  const full = (error: unknown): boolean => error instanceof GrpcFailure && error.code === 'RESOURCE_EXHAUSTED';
  const refused = new MessageReader(undefined, partial);
  assert.throws(
    () =>
      refused.read(
        Buffer.concat([frameHeader(MAX_CLIENT_MESSAGE), Buffer.alloc(MAX_CLIENT_MESSAGE)]).subarray(0, -1),
        unread,
      ),
    full,
  );
  for (const reader of [refused, first]) reader?.clear();
  begun();
  assert.throws(begun, full);
});

test('an encoding that is not accepted is UNIMPLEMENTED', () => {
  for (const encoding of ['zstd', '__proto__']) {
    assert.throws(
      () => new MessageReader(encoding, { bytes: 0 }),
      (error) => error instanceof GrpcFailure && error.code === 'UNIMPLEMENTED',
    );
  }
});

test('bytes that do not decompress are INTERNAL', () => {
  const message = Buffer.from('not gzip');
  const header = frameHeader(message.length);
  header[0] = 1;
  assert.throws(
    () => new MessageReader('gzip', { bytes: 0 }).read(Buffer.concat([header, message]), unread),
    (error) => error instanceof GrpcFailure && error.code === 'INTERNAL',
  );
});

test('a status message leaves in printable ASCII', () => {
  assert.deepEqual(statusHeaders({ code: 'INTERNAL', message: '100 % é\n', retryAfterSeconds: 3 }), {
    'grpc-status': '13',
    'grpc-message': '100 %25 %C3%A9%0A',
    'retry-after': '3',
  });
});
