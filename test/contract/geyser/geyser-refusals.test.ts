// Subscribe requests that do not build: each ends its stream INVALID_ARGUMENT and says why. What else a gRPC call may not be.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import http2 from 'node:http2';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import type { MessageInitShape } from '@bufbuild/protobuf';
import { status } from '@grpc/grpc-js';
import { CompressedAccountFilterSet } from '@triton-one/yellowstone-grpc';
import type { CommitmentLevel, SubscribeRequestSchema, TokenAccountExpansionControlFlag } from '../../../proto';
import { cuckooOf, geyserClient, testGeyser } from './geyser-client';
import { freshKey, SYSTEM } from '../rpc/rpc-harness';

type Request = MessageInitShape<typeof SubscribeRequestSchema>;

const { local, client } = testGeyser(['--plan', 'Shared Metal']);

/** The text that a request is refused with; the stream ends INVALID_ARGUMENT. */
async function refusalOf(request: Request): Promise<string> {
  const stream = client.subscribe();
  stream.send(request);
  const { code, details } = await stream.ended;
  assert.equal(code, status.INVALID_ARGUMENT);
  assert.match(details, /^failed to create filter: /);
  return details.slice('failed to create filter: '.length);
}

const address = (): string => freshKey().address;
const memcmpOf = (value: object): Request => ({
  accounts: { a: { filters: [{ filter: { case: 'memcmp', value: value as never } }] } },
});
const filtersOf = (...filters: object[]): Request => ({
  accounts: { a: { filters: filters.map((filter) => ({ filter: filter as never })) } },
});
const size = { case: 'datasize', value: 1n };
const many = (count: number): string[] => Array.from({ length: count }, address);
const slices = (...pairs: [bigint, bigint][]): Request => ({
  accountsDataSlice: pairs.map(([offset, length]) => ({ offset, length })),
});
const named = (name: string): Request => ({ slots: { [name]: {} } });
const cuckoo = (change: object): Request => ({
  accounts: { a: { cuckooAccountsFilter: { ...cuckooOf(new CompressedAccountFilterSet(10)), ...change } } },
});

for (const [what, request, expected] of [
  ['a bad address', { accounts: { a: { account: ['abc'] } } }, /Invalid pubkey: "abc"/],
  ['a bad owner', { accounts: { a: { owner: [''] } } }, /Invalid pubkey/],
  ['a bad signature', { transactions: { t: { signature: SYSTEM } } }, /Invalid signature/],
  ['a bad address in blocks', { blocks: { b: { accountInclude: ['0'] } } }, /Invalid pubkey/],
  ['more than four account filters', filtersOf(...Array.from({ length: 5 }, () => size)), /max 4/],
  ['datasize twice', filtersOf(size, size), /datasize used more than once/],
  ['token_account_state false', filtersOf({ case: 'tokenAccountState', value: false }), /only allowed to be true/],
  ['an account filter without a kind', filtersOf({ case: undefined }), /filter should be defined/],
  ['lamports without a comparison', filtersOf({ case: 'lamports', value: {} }), /cmp for lamports/],
  ['memcmp without data', memcmpOf({ offset: 0n }), /data for memcmp should be defined/],
  ['memcmp of 129 bytes', memcmpOf({ data: { case: 'bytes', value: Buffer.alloc(129) } }), /data too large/],
  ['memcmp of 176 base58 digits', memcmpOf({ data: { case: 'base58', value: '1'.repeat(176) } }), /data too large/],
  ['memcmp of 176 base64 digits', memcmpOf({ data: { case: 'base64', value: 'A'.repeat(176) } }), /data too large/],
  ['memcmp that is not base58', memcmpOf({ data: { case: 'base58', value: '0' } }), /invalid base58/],
  ['memcmp that is not base64', memcmpOf({ data: { case: 'base64', value: 'A' } }), /invalid base64/],
  ['data slices out of order', slices([4n, 1n], [0n, 1n]), /out of order/],
  ['data slices that overlap', slices([0n, 2n], [1n, 2n]), /overlap/],
  ['too many data slices', slices(...many(65).map((_, at): [bigint, bigint] => [BigInt(at), 1n])), /only 64 allowed/],
  ['a name of 129 bytes', named('é'.repeat(64) + 'x'), /filter name size is 128 bytes/],
  [
    'too many filters of one kind',
    { entry: Object.fromEntries(many(65).map((name) => [name, {}])) },
    /only 64 allowed/,
  ],
  ['too many addresses', { transactions: { t: { accountInclude: many(1001) } } }, /only 1000 allowed/],
  ['a commitment that does not exist', { commitment: 3 as CommitmentLevel }, /no commitment 3/],
  [
    'token_accounts that do not exist',
    { transactions: { t: { tokenAccounts: 2 as TokenAccountExpansionControlFlag } } },
    /no token_accounts 2/,
  ],
  ['a compressed set with other fingerprints', cuckoo({ fingerprintBits: 8 }), /16 bits/],
  ['a compressed set with an odd number of buckets', cuckoo({ bucketCount: 3 }), /power of two/],
  ['a compressed set that is cut short', cuckoo({ data: Buffer.alloc(2) }), /not as long/],
] as readonly (readonly [string, Request, RegExp])[]) {
  test(`${what} ends the stream INVALID_ARGUMENT`, async () => {
    assert.match(await refusalOf(request), expected);
  });
}

/** The service's answer to a call with these bytes, as its headers. */
async function answered(headers: http2.OutgoingHttpHeaders, body: Uint8Array): Promise<http2.IncomingHttpHeaders> {
  const session = http2.connect(local.ready.grpcUrl);
  try {
    const call = {
      ':method': 'POST',
      ':path': '/geyser.Geyser/GetSlot',
      'content-type': 'application/grpc',
      te: 'trailers',
      'x-token': local.ready.keys.grpc.key,
      ...headers,
    };
    // A GET would end by itself.
    const stream = session.request(call, { endStream: false });
    const [first, trailers] = [once(stream, 'response'), once(stream, 'trailers').catch(() => [{}])];
    stream.resume().end(body);
    const [head] = (await first) as [http2.IncomingHttpHeaders];
    if (head['grpc-status'] !== undefined || Number(head[':status']) !== 200) return head;
    return ((await trailers) as [http2.IncomingHttpHeaders])[0];
  } finally {
    session.close();
  }
}

const framed = (message: Uint8Array, isCompressed = false): Buffer => {
  const head = Buffer.from([Number(isCompressed), 0, 0, 0, 0]);
  head.writeUInt32BE(message.length, 1);
  return Buffer.concat([head, message]);
};
const EMPTY = framed(new Uint8Array());

test('a request that is not a gRPC call gets the matching HTTP status', async () => {
  assert.equal((await answered({ 'content-type': 'application/json' }, EMPTY))[':status'], 415);
  assert.equal((await answered({ ':method': 'GET' }, new Uint8Array()))[':status'], 405);
  assert.equal((await answered({}, EMPTY))['grpc-status'], '0');
});

test('a unary call takes one message, within its bound also once it is unpacked', async () => {
  assert.equal((await answered({}, Buffer.concat([EMPTY, EMPTY])))['grpc-status'], '3');
  assert.equal((await answered({}, new Uint8Array()))['grpc-status'], '3');
  const bomb = framed(gzipSync(Buffer.alloc(64 * 1024 * 1024)), true);
  const refused = await answered({ 'grpc-encoding': 'gzip' }, bomb);
  assert.equal(refused['grpc-status'], '13');
  assert.match(String(refused['grpc-message']), /4194304/);
});

test('a hundred and twenty-eight streams are held and one more is refused', async () => {
  const clients = Array.from({ length: 2 }, () => geyserClient(local));
  const streams = Array.from({ length: 128 }, (_, at) => clients[at % 2]?.subscribe());
  for (const stream of streams) await stream?.settled();
  const { code, details } = (await clients[0]?.subscribe().ended) ?? {};
  assert.deepEqual([code, details], [8, 'max subscription limit exceeded']);
  for (const stream of streams) stream?.cancel();
  for (const one of clients) one.close();
});

test('the longest name and the most addresses that are allowed build', async () => {
  const stream = client.subscribe();
  stream.send({ slots: { ['x'.repeat(128)]: {} }, transactions: { t: { accountInclude: many(1000) } } });
  await stream.settled();
  stream.cancel();
});
