// Fields of updates and notifications read out of their bytes, and the filter over them. The generated codec and JSON.parse
// are the oracles.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { create, toBinary, type MessageInitShape } from '@bufbuild/protobuf';
import { readFilter } from '../../../core/service/streams/filter';
import { pubSubShape } from '../../../core/service/streams/pubsub';
import { cellsOf, type Shape } from '../../../core/service/streams/shape';
import { yellowstoneShape } from '../../../core/service/streams/yellowstone';
import { encodeBase58 } from '../../../core/solana/encoding/base58';
import { SubscribeUpdateSchema } from '../../../proto';

const U64 = 18446744073709551615n;
const KEY = new Uint8Array(32).fill(7);
const OWNER = new Uint8Array(32).fill(9);
const SIGNATURE = new Uint8Array(64).fill(3);

const bytesOf = (message: MessageInitShape<typeof SubscribeUpdateSchema>): Uint8Array =>
  toBinary(SubscribeUpdateSchema, create(SubscribeUpdateSchema, message));

const account = (lamports: bigint, slot = 5n): Uint8Array =>
  bytesOf({
    filters: ['mine', 'all'],
    updateOneof: {
      case: 'account',
      value: {
        slot,
        account: {
          pubkey: KEY,
          owner: OWNER,
          lamports,
          data: new Uint8Array(300),
          writeVersion: 12n,
          txnSignature: SIGNATURE,
          rentEpoch: U64,
        },
      },
    },
    createdAt: { seconds: 1n, nanos: 1 },
  });

const updates = yellowstoneShape('geyser.Geyser/Subscribe', { accounts: { a: { account: [] } } });
const all = (shape: Shape, bytes: Uint8Array, ...fields: readonly string[]) =>
  fields.map((field) => shape.value(field, bytes, 0, bytes.length));

describe('Yellowstone updates', () => {
  test('every field of an account is what the codec wrote, 64 bits of a number included', () => {
    const bytes = account(U64);
    assert.deepEqual(
      all(
        updates,
        bytes,
        'kind',
        'slot',
        'pubkey',
        'owner',
        'lamports',
        'size',
        'writeVersion',
        'signature',
        'executable',
      ),
      ['account', 5, encodeBase58(KEY), encodeBase58(OWNER), U64, 300, 12, encodeBase58(SIGNATURE), false],
    );
    assert.equal(updates.value('filters', bytes, 0, bytes.length), 'mine, all');
    assert.equal(updates.slot(bytes, 0, bytes.length), 5);
  });

  test('a message in the midst of others is read between its own bounds', () => {
    const bytes = account(77n);
    const inside = new Uint8Array(bytes.length + 20).fill(0xff);
    inside.set(bytes, 10);
    assert.equal(updates.value('lamports', inside, 10, 10 + bytes.length), 77);
  });

  test('a number that is 0 is 0, and a missing optional number is undefined', () => {
    const slot = bytesOf({ filters: ['s'], updateOneof: { case: 'slot', value: { slot: 9n } } });
    assert.deepEqual(all(updates, slot, 'slot', 'status', 'parent', 'lamports'), [
      9,
      'processed',
      undefined,
      undefined,
    ]);
    assert.deepEqual(all(updates, account(0n), 'lamports'), [0]);
  });

  test('a transaction that failed says so', () => {
    const of = (err: Uint8Array | undefined): Uint8Array =>
      bytesOf({
        filters: ['t'],
        updateOneof: {
          case: 'transaction',
          value: {
            slot: 4n,
            transaction: {
              signature: SIGNATURE,
              meta: { fee: 5_000n, ...(err === undefined ? {} : { err: { err } }) },
            },
          },
        },
      });
    assert.deepEqual(all(updates, of(undefined), 'failed', 'fee'), [false, 5_000]);
    assert.deepEqual(all(updates, of(new Uint8Array([1])), 'failed', 'signature'), [true, encodeBase58(SIGNATURE)]);
  });

  test('the identity of an update is more than its slot', () => {
    const identity = (bytes: Uint8Array): string => updates.identity(bytes, 0, bytes.length);
    assert.equal(identity(account(1n)), identity(account(1n)));
    assert.notEqual(identity(account(1n)), identity(account(1n, 6n)));
  });

  test('cut off anywhere, or with any byte changed, nothing is thrown', () => {
    const bytes = account(U64);
    for (let at = 0; at < bytes.length; at++) {
      cellsOf(updates, bytes, 0, at);
      for (const value of [0, 0x7f, 0xff]) {
        const changed = Uint8Array.from(bytes);
        changed[at] = value;
        cellsOf(updates, changed, 0, changed.length);
        updates.identity(changed, 0, changed.length);
      }
    }
  });
});

describe('notifications', () => {
  const notification = (method: string, result: string): Uint8Array =>
    Buffer.from(`{"jsonrpc":"2.0","method":"${method}","params":{"result":${result},"subscription":7}}`);

  test('an account is read with every digit, its data counted in bytes', () => {
    const shape = pubSubShape('accountSubscribe');
    const data = Buffer.alloc(166, 1).toString('base64');
    const bytes = notification(
      'accountNotification',
      `{"context":{"slot":42},"value":{"lamports":18446744073709551615,"data":["${data}","base64"],"owner":"Abc","executable":false}}`,
    );
    assert.deepEqual(all(shape, bytes, 'slot', 'lamports', 'size', 'owner', 'executable'), [
      42,
      U64,
      166,
      'Abc',
      false,
    ]);
    assert.equal(shape.slot(bytes, 0, bytes.length), 42);
  });

  test('what was learned of one message is not believed of another that only begins alike', () => {
    const shape = pubSubShape('slotSubscribe');
    const read = (result: string): number => {
      const bytes = notification('slotNotification', result);
      return shape.slot(bytes, 0, bytes.length);
    };
    assert.deepEqual(
      [
        read('{"slot":1,"parent":0}'),
        read('{"slot":22}'),
        read('{"parent":7,"slot":8}'),
        read('{"root":"\\"slot\\":9"}'),
      ],
      [1, 22, 8, NaN],
    );
  });

  test('texts with escapes, brackets and quotes are passed by', () => {
    const shape = pubSubShape('logsSubscribe');
    const bytes = notification(
      'logsNotification',
      '{"context":{"slot":3},"value":{"err":{"InstructionError":[0,{"Custom":1}]},"logs":["a\\"}]{\\\\","b"],"signature":"S\\u0041"}}',
    );
    assert.deepEqual(all(shape, bytes, 'failed', 'logs', 'signature'), [true, 2, 'SA']);
  });

  test('cut off anywhere nothing is thrown', () => {
    const shape = pubSubShape('programSubscribe');
    const bytes = notification(
      'programNotification',
      '{"context":{"slot":3},"value":{"pubkey":"K","account":{"lamports":1,"data":["","base64"]}}}',
    );
    for (let end = 0; end <= bytes.length; end++) cellsOf(shape, bytes, 0, end);
  });
});

describe('filter', () => {
  const bytes = account(9007199254740993n);
  const passes = (text: string): boolean => {
    const filter = readFilter(text, updates);
    assert.equal(filter.kind, 'filter', `${text}: ${JSON.stringify(filter)}`);
    return filter.passes(bytes, 0, bytes.length);
  };

  for (const [text, expected] of [
    ['lamports == 9007199254740993', true],
    ['lamports == 9007199254740992', false],
    ['lamports > 9007199254740992', true],
    ['lamports < 18_446_744_073_709_551_615', true],
    ['slot >= 5 && slot <= 5', true],
    ['slot != 5 || lamports > 1', true],
    ['!(slot == 5)', false],
    ['!slot == 6', true],
    [`owner == ${encodeBase58(OWNER)}`, true],
    [`pubkey == "${encodeBase58(OWNER)}"`, false],
    ['executable == false && (slot == 1 || slot == 5)', true],
    ['owner ~ ' + encodeBase58(OWNER).slice(3, 9).toUpperCase(), true],
    [encodeBase58(KEY), true],
    [encodeBase58(KEY).slice(0, 6), true],
    ['nothing of it', false],
    ['"mine" && slot == 5', true],
    ['status == processed', false],
    ['status != processed', false],
  ] as const)
    test(`${text} is ${expected}`, () => assert.equal(passes(text), expected));

  for (const [text, start, end, said] of [
    ['lamport > 5', 0, 7, /no field lamport/],
    ['lamports > many', 11, 15, /whole number/],
    ['executable == 1', 14, 15, /true or false/],
    ['slot ==', 7, 7, /missing/],
    ['slot == 5 slot == 6', 10, 14, /&& or \|\|/],
    ['(slot == 5', 10, 10, /Expected \)/],
  ] as const)
    test(`${text} is reported with the position of the error`, () => {
      const filter = readFilter(text, updates);
      assert.ok(filter.kind === 'bad');
      assert.deepEqual([filter.start, filter.end], [start, end]);
      assert.match(filter.message, said);
    });

  test('an empty filter passes everything, and a very long or deep one is refused', () => {
    assert.equal(readFilter('  ', updates).kind, 'all');
    assert.equal(readFilter('('.repeat(2_001), updates).kind, 'bad');
    assert.equal(readFilter('!'.repeat(1_999), updates).kind, 'bad');
  });
});
