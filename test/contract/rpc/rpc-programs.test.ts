// getProgramAccounts to the last rule; account encodings; exact integers.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { encodeBase58 } from '../../../core/solana/encoding/base58';
import { wireText } from '../../../localnet/wireJson';
import { unzstd } from '../../../core/solana/encoding/zstd';
import { Bench, bytesOf, freshKey, textOf, type Loose } from './rpc-harness';

const U64_MAX = 18446744073709551615n;

describe('getProgramAccounts', () => {
  let bench: Bench;
  const program = freshKey('program').address;
  const keys = Array.from({ length: 6 }, (_, i) => freshKey(`account ${i}`).address);
  /** Sizes 4, 8, 12, ...; byte 0 is the number, the rest 0xab. */
  const dataOf = (i: number): Uint8Array => new Uint8Array(4 * (i + 1)).fill(0xab).fill(i, 0, 1);

  before(async () => {
    bench = await Bench.open();
    keys.forEach((address, i) =>
      bench.ledger.cheats.setAccount(address, { lamports: BigInt(i + 1), owner: program, data: dataOf(i) }),
    );
  });
  after(() => bench.close());
  const found = async (config: Record<string, unknown> = {}): Promise<Loose[]> =>
    (await bench.call('getProgramAccounts', program, config as never)) as never;
  const filtered = async (...filters: unknown[]): Promise<number[]> =>
    (await found({ filters })).map(({ account }) => Number(account?.['lamports']) - 1).sort();
  const refused = async (...filters: unknown[]): Promise<string> => {
    const error = await bench.fails('getProgramAccounts', program, { filters } as never);
    assert.equal(error.code, -32602);
    return error.message;
  };

  test('answers a bare array of {pubkey, account}', async () => {
    const list = await found();
    assert.equal(list.length, keys.length);
    assert.deepEqual(Object.keys(list[0] ?? {}).sort(), ['account', 'pubkey']);
  });
  test('each account has lamports, owner, executable, data, space and an exact rentEpoch', async () => {
    const one = (await found()).find(({ pubkey }) => textOf(pubkey) === keys[2]);
    assert.deepEqual(one?.['account'], {
      data: [Buffer.from(dataOf(2)).toString('base64'), 'base64'],
      executable: false,
      lamports: 3n,
      owner: program,
      rentEpoch: U64_MAX,
      space: 12,
    });
  });
  test('the default encoding is base64', async () => {
    assert.deepEqual(await found(), await found({ encoding: 'base64' }));
  });
  for (const encoding of ['base58', 'base64+zstd'])
    test(`encodes as [data, "${encoding}"]`, async () => {
      for (const { account } of await found({ encoding })) assert.equal(account?.['data']?.[1], encoding);
    });
  test('jsonParsed falls back to base64 for a program nobody knows', async () => {
    assert.deepEqual(await found({ encoding: 'jsonParsed' }), await found({ encoding: 'base64' }));
  });
  test('an unknown encoding is -32602', async () => {
    assert.equal((await bench.fails('getProgramAccounts', program, { encoding: 'hex' })).code, -32602);
  });
  test('dataSize keeps accounts of exactly that length', async () => {
    assert.deepEqual(await filtered({ dataSize: 12 }), [2]);
    assert.deepEqual(await filtered({ dataSize: 13 }), []);
  });
  test('memcmp keeps accounts whose bytes match, base58 by default', async () => {
    assert.deepEqual(await filtered({ memcmp: { offset: 0, bytes: encodeBase58(Uint8Array.of(4)) } }), [4]);
    assert.deepEqual(
      await filtered({ memcmp: { offset: 1, bytes: encodeBase58(Uint8Array.of(0xab)) } }),
      [0, 1, 2, 3, 4, 5],
    );
  });
  test('memcmp takes base64 with `encoding`, and an array of bytes', async () => {
    const bytes = Buffer.of(3, 0xab).toString('base64');
    assert.deepEqual(await filtered({ memcmp: { offset: 0, bytes, encoding: 'base64' } }), [3]);
    assert.deepEqual(await filtered({ memcmp: { offset: 0, bytes: [5, 0xab] } }), [5]);
  });
  test('memcmp past the end of the data keeps nothing', async () => {
    assert.deepEqual(await filtered({ memcmp: { offset: 22, bytes: [0xab, 0xab] } }), [5]);
    assert.deepEqual(await filtered({ memcmp: { offset: 23, bytes: [0xab, 0xab] } }), []);
    assert.deepEqual(await filtered({ memcmp: { offset: 2 ** 40, bytes: [0xab] } }), []);
  });
  test('an account must pass every filter', async () => {
    assert.deepEqual(await filtered({ dataSize: 8 }, { memcmp: { offset: 0, bytes: [1] } }), [1]);
    assert.deepEqual(await filtered({ dataSize: 8 }, { memcmp: { offset: 0, bytes: [2] } }), []);
  });
  test('tokenAccountState keeps initialized token accounts only', async () => {
    assert.deepEqual(await filtered('tokenAccountState'), []);
  });
  test('a fifth filter is refused', async () => {
    assert.deepEqual(await filtered(...Array.from({ length: 4 }, () => ({ dataSize: 8 }))), [1]);
    assert.equal(
      await refused(...Array.from({ length: 5 }, () => ({ dataSize: 8 }))),
      'Too many filters provided; max 4',
    );
  });
  test('memcmp bytes are at most 128 long', async () => {
    await filtered({ memcmp: { offset: 0, bytes: Array.from({ length: 128 }, () => 1) } });
    assert.match(await refused({ memcmp: { offset: 0, bytes: Array.from({ length: 129 }, () => 1) } }), /max 128/);
    assert.match(await refused({ memcmp: { offset: 0, bytes: '1'.repeat(176) } }), /too large/);
  });
  test('an invalid filter is refused', async () => {
    for (const filter of [
      {},
      { datasize: 3 },
      { dataSize: 3, memcmp: { offset: 0, bytes: '1' } },
      { dataSize: '3' },
      { dataSize: -3 },
      { memcmp: { offset: 0 } },
      { memcmp: { bytes: '1' } },
      { memcmp: { offset: 0, bytes: '0OIl' } },
      { memcmp: { offset: 0, bytes: 'x', encoding: 'hex' } },
      { memcmp: { offset: 0, bytes: '*', encoding: 'base64' } },
      { memcmp: { offset: 0, bytes: [256] } },
      'dataSize',
      7,
      null,
    ])
      await refused(filter);
  });
  test('dataSlice cuts the data and leaves space as it is', async () => {
    const [one] = await found({ dataSlice: { offset: 1, length: 2 }, filters: [{ dataSize: 12 }] });
    assert.deepEqual(one?.['account']?.['data'], [Buffer.of(0xab, 0xab).toString('base64'), 'base64']);
    assert.equal(one['account']?.['space'], 12);
    const [none] = await found({ dataSlice: { offset: 100, length: 2 }, filters: [{ dataSize: 12 }] });
    assert.deepEqual(none?.['account']?.['data'], ['', 'base64']);
  });
  test('withContext wraps the array', async () => {
    const result = await bench.call('getProgramAccounts', program, { withContext: true });
    assert.equal(typeof result['context']?.['slot'], 'number');
    assert.equal((result['value'] as never as unknown[]).length, keys.length);
  });
  test('accounts come in the order of their bytes', async () => {
    const list = (await found()).map(({ pubkey }) => textOf(pubkey));
    const hex = (key: string): string => Buffer.from(bytesOf(key)).toString('hex');
    assert.deepEqual(
      list,
      [...list].sort((a, b) => (hex(a) < hex(b) ? -1 : 1)),
    );
  });
  test('a program without accounts answers an empty array', async () => {
    assert.deepEqual(await bench.call('getProgramAccounts', freshKey().address), []);
  });
  test('a large result gives other calls their turn', async () => {
    const owner = freshKey().address;
    for (let i = 0; i < 30_000; i++)
      bench.ledger.cheats.setAccount(anyAddress(i), { lamports: 1n, owner, data: new Uint8Array(64) });
    let turns = 0;
    const count = setInterval(() => turns++, 0);
    const answer = await bench.call('getProgramAccounts', owner);
    clearInterval(count);
    const list = JSON.parse(wireText(answer)) as readonly { readonly pubkey: string }[];
    assert.deepEqual(
      new Set(list.map(({ pubkey }) => pubkey)),
      new Set(Array.from({ length: 30_000 }, (_, i) => anyAddress(i))),
    );
    assert.ok(turns >= 5, `only ${turns} turns`);
  });
});

describe('getAccountInfo and getMultipleAccounts', () => {
  let bench: Bench;
  const [small, large] = [freshKey().address, freshKey().address];
  before(async () => {
    bench = await Bench.open();
    bench.ledger.cheats.setAccount(small, { lamports: 1n, data: new Uint8Array(128).fill(7) });
    bench.ledger.cheats.setAccount(large, { lamports: U64_MAX, data: new Uint8Array(300_000).map((_, i) => i % 251) });
  });
  after(() => bench.close());
  const data = async (address: string, config = {}): Promise<Loose | undefined> =>
    (await bench.call('getAccountInfo', address, config))['value']?.['data'];

  test('without an encoding the data is a bare base58 string', async () => {
    assert.equal(await data(small), encodeBase58(new Uint8Array(128).fill(7)));
  });
  test('base58 of more than 128 bytes is -32600', async () => {
    for (const config of [{}, { encoding: 'base58' }])
      assert.equal((await bench.fails('getAccountInfo', large, config)).code, -32600);
    await data(large, { encoding: 'base58', dataSlice: { offset: 0, length: 128 } });
  });
  test('base64+zstd is a frame that holds the very bytes', async () => {
    const frame = Buffer.from(textOf((await data(large, { encoding: 'base64+zstd' }))?.[0]), 'base64');
    assert.equal(frame.toString('hex', 0, 6), '28b52ffd0058');
    assert.deepEqual(
      unzstd(frame, 300_000),
      new Uint8Array(300_000).map((_, i) => i % 251),
    );
  });
  test('lamports and rentEpoch are exact up to the largest u64', async () => {
    const { value } = await bench.call('getAccountInfo', large, { encoding: 'base64' });
    assert.equal(value?.['lamports'], U64_MAX);
    assert.equal(value['rentEpoch'], U64_MAX);
  });
  test('an account that does not exist is null', async () => {
    assert.equal((await bench.call('getAccountInfo', freshKey().address))['value'], null);
  });
  test('getMultipleAccounts keeps the order and takes at most 100', async () => {
    const { value } = await bench.call('getMultipleAccounts', [small, freshKey().address, small]);
    assert.equal(value?.[0]?.['lamports'], 1n);
    assert.equal(value[1], null);
    assert.equal(value[2]?.['space'], 128);
    const many = Array.from({ length: 101 }, () => small);
    assert.equal((await bench.fails('getMultipleAccounts', many)).message, 'Too many inputs provided; max 100');
  });
});

/** A valid address that nobody holds the key of; far cheaper than a keypair. */
function anyAddress(i: number): string {
  return encodeBase58(createHash('sha256').update(String(i)).digest());
}
