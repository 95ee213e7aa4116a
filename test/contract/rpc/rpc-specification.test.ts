// Additions of the cross-client specification and of newer nodes to the methods of a node: paging by slot, whole
// histories of an address, token accounts by mint, filters that compare numbers.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { parseJson, type JsonValue } from '../../../core/solana/json/json';
import { encodeBase58 } from '../../../core/solana/encoding/base58';
import { Bench, freshKey, signatureIn, textOf, TOKEN, transfer, type Loose } from './rpc-harness';
import { newHolding, newMint } from './rpc-token-kit';

const COUNT = 6;

interface Page {
  readonly data: readonly Loose[];
  readonly paginationToken: string | null;
}

describe('the history of an address', () => {
  let bench: Bench;
  const target = freshKey().address;
  /** Oldest first; the second and the third share a slot, the fourth fails. */
  const sent: string[] = [];

  before(async () => {
    bench = await Bench.open();
    for (let i = 0; i < COUNT; i++) {
      if (i === 3) {
        const wire = await bench.signed([transfer(bench.wallet.address, target, 10n ** 17n)]);
        await bench.call('sendTransaction', wire, { encoding: 'base64', skipPreflight: true });
        sent.push(signatureIn(wire));
      } else sent.push(await bench.transfer(target, 1_000_000n + BigInt(i), `number ${i}`));
      if (i !== 1) bench.slots(1);
    }
    bench.finalize();
  });
  after(() => bench.close());

  async function list(config: Readonly<Record<string, JsonValue>>, method: string): Promise<JsonValue[]> {
    return (await bench.call(method, target, config)) as never;
  }
  const page = async (config: Readonly<Record<string, JsonValue>> = {}): Promise<Page> =>
    (await bench.call('getTransactionsForAddress', target, config)) as never;
  const found = async (config: Readonly<Record<string, JsonValue>> = {}): Promise<string[]> =>
    (await page(config)).data.map((row) => textOf(row['signature']));
  const rows = async (): Promise<readonly Loose[]> => (await page()).data;

  test('is newest first, each with its slot, place and outcome', async () => {
    assert.deepEqual(await found(), [...sent].reverse());
    const [newest] = await rows();
    assert.deepEqual(Object.keys(newest ?? {}).sort(), [
      'blockTime',
      'confirmationStatus',
      'err',
      'memo',
      'signature',
      'slot',
      'transactionIndex',
    ]);
    assert.equal((await page()).paginationToken, null);
  });

  test('is oldest first where asked', async () => {
    assert.deepEqual(await found({ sortOrder: 'asc' }), sent);
  });

  for (const sortOrder of ['asc', 'desc'])
    test(`comes in pages that hold each transaction once, ${sortOrder}`, async () => {
      const all: string[] = [];
      let token: string | null = null;
      do {
        const config: Record<string, JsonValue> = { limit: 2, sortOrder };
        if (token !== null) config['paginationToken'] = token;
        const { data, paginationToken } = await page(config);
        all.push(...data.map((row) => textOf(row['signature'])));
        assert.match(paginationToken ?? '1:0', /^\d+:\d+$/);
        token = paginationToken;
      } while (token !== null);
      assert.deepEqual(all, sortOrder === 'asc' ? sent : [...sent].reverse());
    });

  test('a page begins behind a signature as well', async () => {
    assert.deepEqual(await found({ paginationToken: sent[2] ?? '' }), [sent[1], sent[0]]);
    assert.deepEqual(await found({ paginationToken: sent[3] ?? '', sortOrder: 'asc' }), [sent[4], sent[5]]);
  });

  test('holds whole transactions with their metadata', async () => {
    const { data } = await page({ transactionDetails: 'full', maxSupportedTransactionVersion: 1, limit: 1 });
    const [row] = data;
    assert.deepEqual(Object.keys(row ?? {}).sort(), [
      'blockTime',
      'meta',
      'slot',
      'transaction',
      'transactionIndex',
      'version',
    ]);
    assert.equal(textOf(row?.['transaction']?.['signatures']?.[0]), sent[5]);
  });

  test('is filtered by outcome', async () => {
    assert.deepEqual(await found({ filters: { status: 'failed' } }), [sent[3]]);
    assert.equal((await found({ filters: { status: 'succeeded' } })).length, COUNT - 1);
    for (const status of ['any', 'all']) assert.equal((await found({ filters: { status } })).length, COUNT);
  });

  test('is filtered by slot, time and place in the ledger', async () => {
    const [, , , , second] = await rows();
    const slot = Number(second?.['slot']);
    assert.deepEqual(await found({ filters: { slot: { lte: slot } } }), [sent[2], sent[1], sent[0]]);
    assert.deepEqual(await found({ filters: { slot: { gte: slot, lt: slot + 1 } } }), [sent[2], sent[1]]);
    assert.deepEqual(await found({ beforeSlot: slot }), [sent[0]]);
    assert.deepEqual(await found({ untilSlot: slot }), [sent[5], sent[4], sent[3]]);
    assert.deepEqual(await found({ filters: { signature: { gt: sent[1] ?? '', lte: sent[4] ?? '' } } }), [
      sent[4],
      sent[3],
      sent[2],
    ]);
    const time = Number(second?.['blockTime']);
    const all = await rows();
    const at = all.filter((row) => Number(row['blockTime']) === time).map((row) => textOf(row['signature']));
    assert.deepEqual(await found({ filters: { blockTime: { eq: time } } }), at);
    assert.deepEqual(await found({ filters: { blockTime: { lt: -1 } } }), []);
  });

  test('a limit above the most counts as the most', async () => {
    for (const limit of [1001, 1_000_000, '18446744073709551615'])
      assert.equal((await found({ limit: parseJson(String(limit)) })).length, COUNT);
    const config = { transactionDetails: 'full', maxSupportedTransactionVersion: 1, limit: 5000 } as const;
    assert.equal((await page(config)).data.length, COUNT);
  });

  for (const config of [
    { limit: 0 },
    { sortOrder: 'up' },
    { transactionDetails: 'none' },
    { filters: { status: 'maybe' } },
    { filters: { slot: { gt: '5' } } },
    { filters: 5 },
    { commitment: 'processed' },
    { paginationToken: 'x' },
    { paginationToken: '987654321:0' },
  ] as const)
    test(`refuses ${JSON.stringify(config)}`, async () => {
      assert.equal((await bench.fails('getTransactionsForAddress', target, config as never)).code, -32602);
    });

  test('names a transaction that it does not know', async () => {
    const unknown = encodeBase58(randomBytes(64));
    for (const call of [
      ['getTransactionsForAddress', { paginationToken: unknown }],
      ['getTransactionsForAddress', { filters: { signature: { gt: unknown } } }],
      ['getSignaturesForAddress', { before: unknown }],
      ['getSignaturesForAddress', { until: unknown }],
    ] as const) {
      const error = await bench.fails(call[0], target, call[1]);
      assert.deepEqual(
        { code: error.code, message: error.message },
        { code: -32020, message: `Transaction ${unknown} not found` },
      );
    }
  });

  test('signatures are bounded by slots, which are not on the page', async () => {
    const [, , , , second] = await rows();
    const slot = Number(second?.['slot']);
    const names = async (config: Readonly<Record<string, JsonValue>>): Promise<string[]> =>
      (await list(config, 'getSignaturesForAddress')).map((row) => textOf((row as never as Loose)['signature']));
    assert.deepEqual(await names({ beforeSlot: slot }), [sent[0]]);
    assert.deepEqual(await names({ untilSlot: slot }), [sent[5], sent[4], sent[3]]);
    assert.deepEqual(await names({ before: sent[5] ?? '', untilSlot: slot }), [sent[4], sent[3]]);
    for (const config of [
      { before: sent[5] ?? '', beforeSlot: slot },
      { until: sent[0] ?? '', untilSlot: slot },
    ])
      assert.equal((await bench.fails('getSignaturesForAddress', target, config)).code, -32602);
  });

  test('getTransaction names the place in its block, and answers null for another slot', async () => {
    const [, , , third] = await rows();
    const slot = Number(third?.['slot']);
    const read = async (more: Readonly<Record<string, JsonValue>>): Promise<Loose> =>
      bench.call('getTransaction', sent[2] ?? '', { maxSupportedTransactionVersion: 1, ...more });
    assert.equal((await read({ slot }))['transactionIndex'], third?.['transactionIndex']);
    assert.equal(await read({ slot: slot + 1 }), null);
    const wrapped = await read({ withContext: true });
    assert.equal(wrapped['value']?.['slot'], slot);
    assert.ok(Number(wrapped['context']?.['slot']) >= slot);
  });
});

describe('token accounts', () => {
  let bench: Bench;
  const [mint, other] = [freshKey('mint of many'), freshKey('mint of none')];
  const [owner, stranger] = [freshKey('owner of one'), freshKey('owner of another')];
  const [first, second, third] = [freshKey('held'), freshKey('held as well'), freshKey('of the other mint')];

  before(async () => {
    bench = await Bench.open();
    await newMint(bench, mint, 6);
    await newMint(bench, other, 0);
    await newHolding(bench, first, { mint: mint.address, owner: owner.address, amount: 1_500_000n });
    await newHolding(bench, second, { mint: mint.address, owner: stranger.address, amount: 7n });
    await newHolding(bench, third, { mint: other.address, owner: owner.address, amount: 3n });
    bench.finalize();
  });
  after(() => bench.close());

  const keys = (rows: unknown): string[] => (rows as readonly Loose[]).map((row) => textOf(row['pubkey'])).sort();

  test('are listed by mint for every owner', async () => {
    const answer = await bench.call('getTokenAccountsByMint', mint.address, { encoding: 'jsonParsed' });
    assert.deepEqual(keys(answer['value']), [first.address, second.address].sort());
    assert.equal(typeof answer['context']?.['slot'], 'number');
    const of = await bench.call('getTokenAccountsByMint', other.address, { encoding: 'base64', programId: TOKEN });
    assert.deepEqual(keys(of['value']), [third.address]);
  });

  test('are refused for an address that is not a mint, and for a program that has no tokens', async () => {
    assert.equal(
      (await bench.fails('getTokenAccountsByMint', first.address)).message,
      'Invalid param: not a Token mint',
    );
    const error = await bench.fails('getTokenAccountsByMint', mint.address, { programId: owner.address });
    assert.equal(error.message, 'Invalid param: unrecognized Token program id');
  });

  test('are in the history of their owner where it is asked for', async () => {
    const history = async (tokenAccounts: string): Promise<number> => {
      const answer = await bench.call('getTransactionsForAddress', stranger.address, { filters: { tokenAccounts } });
      return (answer['data'] as never as readonly Loose[]).length;
    };
    const named = await history('none');
    const changed = await history('balanceChanged');
    const all = await history('all');
    assert.equal(named, 0);
    assert.ok(changed >= 1, String(changed));
    assert.ok(all >= changed, String(all));
  });

  const accounts = async (filter: JsonValue): Promise<string[]> =>
    keys(await bench.call('getProgramAccounts', TOKEN, { encoding: 'base64', filters: [{ dataSize: 165 }, filter] }));
  const amount = { Mem: { offset: 64, value_type: 'U64' } };

  for (const [comparator, wanted] of [
    ['Eq', [second]],
    ['Ne', [first, third]],
    ['Gt', [first]],
    ['Ge', [first, second]],
    ['Lt', [third]],
    ['Le', [second, third]],
  ] as const)
    test(`are filtered by an amount, ${comparator}`, async () => {
      const found = await accounts({ valueCmp: { left: amount, comparator, right: { Constant: '7' } } });
      assert.deepEqual(found, wanted.map(({ address }) => address).sort());
    });

  test('are filtered by two numbers of their data, and never by what lies behind it', async () => {
    const state = { Mem: { offset: 108, value_type: 'U8' } };
    assert.equal((await accounts({ valueCmp: { left: amount, comparator: 'Gt', right: state } })).length, 3);
    assert.equal((await accounts({ valueCmp: { left: state, comparator: 'Gt', right: amount } })).length, 0);
    const behind = { Mem: { offset: 158, value_type: 'U64' } };
    assert.deepEqual(await accounts({ valueCmp: { left: behind, comparator: 'Ge', right: { Constant: '0' } } }), []);
  });

  for (const [what, filter] of [
    ['an unknown comparator', { left: amount, comparator: '>=', right: { Constant: '7' } }],
    ['a constant on the left', { left: { Constant: '7' }, comparator: 'Eq', right: amount }],
    ['a constant that is a number', { left: amount, comparator: 'Eq', right: { Constant: 7 } }],
    ['a constant of more than 128 bits', { left: amount, comparator: 'Eq', right: { Constant: '9'.repeat(39) } }],
    ['an unknown width', { left: { Mem: { offset: 0, value_type: 'U24' } }, comparator: 'Eq', right: amount }],
    ['two operands in one', { left: amount, comparator: 'Eq', right: { ...amount, Constant: '7' } }],
    ['no right side', { left: amount, comparator: 'Eq' }],
  ] as const)
    test(`${what} is refused`, async () => {
      const filters = [{ valueCmp: filter }];
      assert.equal((await bench.fails('getProgramAccounts', TOKEN, { filters })).code, -32602);
    });
});
