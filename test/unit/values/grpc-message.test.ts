// The messages of gRPC calls: every digit there and back, both spellings, base58, and a look at fields that never throws.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { encodeRequest, grpcCall, grpcPaths, messageText, type GrpcCall } from '../../../core/solana/json/grpcMessage';
import { SubscribeRequestSchema, SubscribeUpdateSchema, type SubscribeRequest } from '../../../proto';
import { decodedInput } from '../../../localnet/geyser/unary';
import { topFields } from '../../../proto/fields';

const MAX = 18446744073709551615n;
const subscribe = (): GrpcCall => {
  const call = grpcCall('geyser.Geyser/Subscribe');
  assert.ok(call);
  return call;
};

function sent(body: string): SubscribeRequest {
  const encoded = encodeRequest(subscribe(), body);
  assert.ok(encoded.ok, encoded.ok ? '' : encoded.reason);
  return fromBinary(SubscribeRequestSchema, encoded.bytes);
}

describe('requests', () => {
  for (const body of [`{"fromSlot":${MAX}}`, `{"from_slot":"${MAX}"}`, `{ "fromSlot" : ${MAX} }`])
    test(`${body} keeps every digit`, () => assert.equal(sent(body).fromSlot, MAX));

  test('enums go by name and by number, null is left out', () => {
    assert.deepEqual([sent('{"commitment":"FINALIZED"}').commitment, sent('{"commitment":2}').commitment], [2, 2]);
    assert.equal(sent('{"commitment":null}').commitment, undefined);
  });

  test('bytes are base64', () => {
    const { accounts } = sent('{"accounts":{"a":{"filters":[{"memcmp":{"offset":1,"bytes":"AQI="}}]}}}');
    const filter = accounts['a']?.filters[0]?.filter;
    assert.ok(filter?.case === 'memcmp' && filter.value.data.case === 'bytes');
    assert.deepEqual([...filter.value.data.value], [1, 2]);
  });

  for (const body of [
    '{"fromSlot":18446744073709551616}',
    '{"fromSlot":-1}',
    '{"fromSlot":1.5}',
    '{"fromSlot":9007199254740993.0}',
    '{"fromSlot":1e400}',
    '{"commitment":"SOON"}',
    '{"slots":{"__proto__":{}}}',
    '{"nothing":1}',
    '[]',
    'no json',
  ])
    test(`${body} is refused`, () => assert.equal(encodeRequest(subscribe(), body).ok, false));

  test('names like constructor are filters like any other', () => {
    assert.deepEqual(Object.keys(sent('{"slots":{"constructor":{}}}').slots), ['constructor']);
  });
});

describe('answers', () => {
  const text = (bytes: Uint8Array): string => messageText(SubscribeUpdateSchema, bytes);
  const account = { pubkey: new Uint8Array(32), owner: new Uint8Array(32), data: new Uint8Array(32), lamports: MAX };
  const update = toBinary(
    SubscribeUpdateSchema,
    create(SubscribeUpdateSchema, { updateOneof: { case: 'account', value: { account, slot: 0n } } }),
  );

  test('integers are text with every digit, defaults are there', () => {
    assert.match(text(update), /"lamports":"18446744073709551615"/);
    assert.match(text(update), /"slot":"0","isStartup":false/);
  });

  test('addresses are base58, data of the same length is base64', () => {
    assert.match(text(update), /"pubkey":"11111111111111111111111111111111"/);
    assert.match(text(update), /"data":"A{43}="/);
  });

  test('bytes that are no message throw', () => assert.throws(() => text(Uint8Array.of(0x0a, 0xff, 0xff))));
});

/** A field with a length, below 128, and its content. */
const field = (number: number, content: Uint8Array): Buffer => {
  const length: number[] = [];
  for (let left = content.length; left > 0 || length.length === 0; left = Math.floor(left / 128))
    length.push(left < 128 ? left : (left % 128) + 128);
  return Buffer.concat([Buffer.of(number * 8 + 2, ...length), content]);
};
const repeated = (count: number, ...bytes: number[]): Buffer => Buffer.alloc(count * bytes.length, Buffer.from(bytes));

describe('a message of very many values', () => {
  const text = (bytes: Uint8Array): string => messageText(SubscribeUpdateSchema, bytes);
  /** Of a transaction update: its transaction, its meta. */
  const transaction = (content: Uint8Array): Buffer => field(4, field(1, field(3, content)));
  const meta = (content: Uint8Array): Buffer => field(4, field(1, field(4, content)));

  for (const [what, bytes] of [
    // Two bytes each, which become an object with all its fields.
    ['empty transactions', field(5, repeated(900_000, 0x32, 0))],
    ['names of filters', repeated(5_000_001, 0x0a, 0)],
    ['balances', meta(field(3, repeated(5_000_001, 0)))],
    ['addresses', transaction(field(2, repeated(5_000_001, 0x12, 0)))],
    ['values without a description', repeated(5_000_001, 0x78, 0)],
  ] as const)
    test(`such as ${what} is refused before it is decoded`, () => {
      assert.throws(() => text(bytes), /^TooManyValues: more than 5,000,000 values$/);
    });

  test('such as filters is refused, in a request too', () => {
    const names = repeated(1_200_000, 0x0a, 0);
    assert.throws(() => decodedInput(SubscribeRequestSchema, names), { code: 'RESOURCE_EXHAUSTED' });
    assert.throws(() => decodedInput(SubscribeRequestSchema, field(1, field(2, repeated(1_700_000, 0x22, 0)))), {
      code: 'RESOURCE_EXHAUSTED',
    });
  });

  test('is refused however it is written: by no other type than its own', () => {
    // Transactions under the tag of an integer, which the runtime reads as messages all the same.
    assert.throws(() => text(field(5, repeated(900_000, 0x30, 0))), /wire type/);
    // Text under the tag of an integer: its content would be read as fields.
    assert.throws(
      () => text(field(5, Buffer.concat([Buffer.of(0x0a, 1, 0), repeated(900_000, 0x32, 0)]))),
      /wire type/,
    );
    assert.throws(() => text(Buffer.concat([Buffer.of(0x7b), repeated(900_000, 0x32, 0), Buffer.of(0x7c)])));
  });

  test('is read at any size below the bound', () => {
    const many = text(field(5, repeated(200_000, 0x32, 0)));
    assert.equal(many.split('"isVote":false').length, 200_001);
    const large = text(field(2, field(1, field(6, Buffer.alloc(20_000_000)))));
    assert.ok(large.length > 26_000_000);
  });
});

test('every call of the service is known by its path, and no other', () => {
  for (const path of grpcPaths()) assert.ok(grpcCall(path), path);
  for (const name of ['Subscribe', 'SubscribeDeshred', 'SubscribeGossip'])
    assert.equal(grpcCall(`geyser.Geyser/${name}`)?.isStream, true, name);
  assert.equal(grpcCall('geyser.Geyser/GetSlot')?.isStream, false);
  assert.equal(grpcCall('geyser.Geyser/toString'), undefined);
  assert.equal(grpcCall('other.Service/GetSlot'), undefined);
});

test('fields are seen without being read, in bytes of any kind', () => {
  const ping = toBinary(
    SubscribeUpdateSchema,
    create(SubscribeUpdateSchema, { filters: ['a'], updateOneof: { case: 'ping', value: {} } }),
  );
  assert.deepEqual([...topFields(ping, new Set([6, 9]))], [6]);
  let seed = 1;
  for (let round = 0; round < 2_000; round++) {
    const bytes = Uint8Array.from({ length: round % 40 }, () => (seed = (seed * 48271) % 2147483647) & 255);
    assert.ok(topFields(bytes, new Set([6])).size <= 1);
  }
  assert.equal(topFields(new Uint8Array(64).fill(255), new Set([6])).size, 0);
});
