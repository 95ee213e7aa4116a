// The messages of gRPC calls: every digit there and back, both spellings, base58, and a look at fields that never throws.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { encodeRequest, grpcCall, grpcPaths, messageText, type GrpcCall } from '../../../core/values/json/grpcMessage';
import { SubscribeRequestSchema, SubscribeUpdateSchema, type SubscribeRequest } from '../../../proto';
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
