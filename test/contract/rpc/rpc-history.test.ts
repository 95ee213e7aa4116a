// getSignaturesForAddress to the last rule, and the statuses of signatures.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { encodeBase58 } from '../../../core/solana/encoding/base58';
import { Bench, freshKey, textOf, transfer, type Loose } from './rpc-harness';

const COUNT = 7;

interface Entry {
  readonly signature: string;
  readonly slot: number;
  readonly memo: string | null;
  readonly err: unknown;
  readonly blockTime: number;
  readonly confirmationStatus: string;
}

describe('getSignaturesForAddress', () => {
  let bench: Bench;
  const target = freshKey().address;
  /** Oldest first; two transactions share a slot. */
  const sent: string[] = [];

  async function list(config: Record<string, string | number | boolean> = {}, own = bench): Promise<Entry[]> {
    return (await own.call('getSignaturesForAddress', target, config)) as never;
  }
  const signatures = (entries: readonly Entry[]): string[] => entries.map(({ signature }) => signature);
  const newestFirst = (): string[] => [...sent].reverse();
  const at = (index: number): string => textOf(sent[index]);

  before(async () => {
    bench = await Bench.open();
    for (let i = 0; i < COUNT; i++) {
      sent.push(await bench.transfer(target, 1_000_000n + BigInt(i), `number ${i}`));
      if (i !== 2) bench.slots(1);
    }
    bench.finalize();
  });
  after(() => bench.close());

  test('orders newest to oldest, within a slot too', async () => {
    assert.deepEqual(signatures(await list()), newestFirst());
  });
  test('each entry holds signature, slot, err, memo, blockTime and confirmationStatus', async () => {
    const [newest] = await list({ limit: 1 });
    assert.equal(newest?.memo, '[8] number 6');
    assert.equal(newest.err, null);
    assert.equal(newest.confirmationStatus, 'finalized');
    assert.equal(typeof newest.slot, 'number');
    assert.equal(typeof newest.blockTime, 'number');
  });
  test('limit cuts the newest ones', async () => {
    assert.deepEqual(signatures(await list({ limit: 3 })), newestFirst().slice(0, 3));
  });
  test('limit 1 and 1000 are the bounds', async () => {
    assert.equal((await list({ limit: 1 })).length, 1);
    assert.equal((await list({ limit: 1000 })).length, COUNT);
    for (const limit of [0, 1001, -1, '5', true])
      assert.equal((await bench.fails('getSignaturesForAddress', target, { limit })).code, -32602, String(limit));
  });
  test('before is exclusive and goes to older ones', async () => {
    assert.deepEqual(signatures(await list({ before: at(4) })), [...sent.slice(0, 4)].reverse());
  });
  test('until is inclusive', async () => {
    assert.deepEqual(signatures(await list({ until: at(4) })), [...sent.slice(4)].reverse());
  });
  test('until is exclusive where the ledger is set to behave as nodes do', async () => {
    const own = await Bench.open({ untilInclusive: false });
    try {
      const first = await own.transfer(target);
      own.slots(1);
      const second = await own.transfer(target, 2_000_000n);
      own.finalize();
      assert.deepEqual(signatures(await list({ until: first }, own)), [second]);
    } finally {
      own.close();
    }
  });
  test('before and until together cut out the middle', async () => {
    assert.deepEqual(signatures(await list({ before: at(5), until: at(2) })), [at(4), at(3), at(2)]);
  });
  test('before and until separate two transactions of one slot', async () => {
    assert.deepEqual(signatures(await list({ before: at(3), until: at(2) })), [at(2)]);
  });
  test('paging by before visits every transaction once', async () => {
    const seen: string[] = [];
    for (let page = await list({ limit: 2 }); page.length > 0 && seen.length <= COUNT;) {
      seen.push(...signatures(page));
      page = await list({ limit: 2, before: textOf(seen.at(-1)) });
    }
    assert.deepEqual(seen, newestFirst());
  });
  test('a before that nobody sent is -32020', async () => {
    const unknown = encodeBase58(new Uint8Array(64).fill(7));
    assert.equal((await bench.fails('getSignaturesForAddress', target, { before: unknown })).code, -32020);
  });
  test('refuses commitment processed', async () => {
    const error = await bench.fails('getSignaturesForAddress', target, { commitment: 'processed' });
    assert.equal(error.message, 'Method does not support commitment below `confirmed`');
  });
  test('an address without history answers an empty list', async () => {
    assert.deepEqual(await bench.call('getSignaturesForAddress', freshKey().address), []);
  });
  test('confirmed shows what finalized does not show yet, with TowerBFT', async () => {
    const own = await Bench.open({ consensus: 'tower' });
    try {
      const address = freshKey().address;
      const signature = await own.transfer(address);
      own.slots(1);
      assert.deepEqual(await own.call('getSignaturesForAddress', address), []);
      const [entry] = (await own.call('getSignaturesForAddress', address, {
        commitment: 'confirmed',
      })) as never as Entry[];
      assert.equal(entry?.signature, signature);
      assert.equal(entry.confirmationStatus, 'confirmed');
    } finally {
      own.close();
    }
  });
  test('a failed transaction is listed with its error', async () => {
    const address = freshKey().address;
    const wire = await bench.signed([transfer(bench.wallet.address, address, 10n ** 15n)]);
    await bench.call('sendTransaction', wire, { encoding: 'base64', skipPreflight: true });
    bench.finalize();
    const [entry] = (await bench.call('getSignaturesForAddress', address)) as never as Entry[];
    assert.deepEqual(entry?.err, { InstructionError: [0, { Custom: 1 }] });
  });
});

describe('memo programs', () => {
  let bench: Bench;
  before(async () => {
    bench = await Bench.open();
  });
  after(() => bench.close());
  for (const program of [
    'Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo',
    'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr',
    'Memo4c2pN8afCj432Lb7RMVKi9PbQnnW7ewFFaV3oAH',
  ])
    test(`a memo by ${program} is in the history and is parsed`, async () => {
      const { value } = await bench.call('getAccountInfo', program, { encoding: 'base64' });
      assert.equal(value?.['executable'], true);
      const signature = await bench.send([{ program, accounts: [], data: Buffer.from('noted') }]);
      bench.finalize();
      const [entry] = (await bench.call('getSignaturesForAddress', program)) as never as Entry[];
      assert.deepEqual([entry?.signature, entry?.memo], [signature, '[5] noted']);
      const record = await bench.call('getTransaction', signature, { encoding: 'jsonParsed' });
      assert.equal(record['transaction']?.['message']?.['instructions']?.[0]?.['parsed'], 'noted');
    });
});

describe('getSignatureStatuses', () => {
  let bench: Bench;
  // TowerBFT, so that the way from confirmed to finalized can be seen.
  before(async () => {
    bench = await Bench.open({ consensus: 'tower' });
  });
  after(() => bench.close());
  const statusOf = async (signature: string, search?: boolean): Promise<Loose | null> => {
    const config = search === undefined ? [] : [{ searchTransactionHistory: search }];
    return (await bench.call('getSignatureStatuses', [signature], ...config))['value']?.[0] ?? null;
  };

  test('is null while the slot is open, then climbs from confirmed to finalized', async () => {
    const signature = await bench.transfer(freshKey().address);
    const seen: unknown[] = [];
    for (let i = 0; i < 6; i++) {
      const status = await statusOf(signature);
      seen.push(status === null ? null : [textOf(status['confirmationStatus']), status['confirmations'] ?? null]);
      bench.slots(1);
    }
    assert.deepEqual(seen, [
      null,
      ['confirmed', 1],
      ['confirmed', 2],
      ['confirmed', 3],
      ['finalized', null],
      ['finalized', null],
    ]);
  });
  test('comes no later than the block and the transaction, and neither of these before it is confirmed', async () => {
    const signature = await bench.transfer(freshKey().address);
    const slot = Number(await bench.call('getSlot', { commitment: 'processed' }));
    const at = { commitment: 'confirmed', maxSupportedTransactionVersion: 1 };
    const shown = async (config: typeof at): Promise<boolean> => {
      const outcome = await bench.ledger.rpc.call('getBlock', [slot, config], { staked: false });
      if (!outcome.ok)
        assert.deepEqual([outcome.error.code, outcome.error.message], [-32004, `Block not available for slot ${slot}`]);
      assert.equal((await bench.call('getTransaction', signature, config)) !== null, outcome.ok);
      return outcome.ok;
    };
    const final = { ...at, commitment: 'finalized' };
    const seen: unknown[] = [];
    for (let i = 0; i < 5; i++) {
      seen.push([(await statusOf(signature)) !== null, await shown(at), await shown(final)]);
      bench.slots(1);
    }
    assert.deepEqual(seen, [
      [false, false, false],
      [true, true, false],
      [true, true, false],
      [true, true, false],
      [true, true, true],
    ]);
  });
  for (const method of ['getTransaction', 'getBlock'])
    test(`${method} refuses processed`, async () => {
      const of = method === 'getBlock' ? 3 : encodeBase58(new Uint8Array(64).fill(3));
      const { code, message } = await bench.fails(method, of, { commitment: 'processed' });
      assert.deepEqual([code, message], [-32602, 'Method does not support commitment below `confirmed`']);
    });
  test('is null for an unknown signature', async () => {
    assert.equal(await statusOf(encodeBase58(new Uint8Array(64).fill(3))), null);
  });
  test('one older than 300 final blocks needs searchTransactionHistory', async () => {
    const signature = await bench.transfer(freshKey().address);
    // The fourth slot makes its block final, the newest of 300.
    bench.slots(4 + 299);
    assert.notEqual(await statusOf(signature), null);
    bench.slots(1);
    assert.equal(await statusOf(signature), null);
    assert.notEqual(await statusOf(signature, true), null);
  });
  test('refuses more than 256 signatures', async () => {
    const many = Array.from({ length: 257 }, () => encodeBase58(new Uint8Array(64)));
    assert.equal((await bench.fails('getSignatureStatuses', many)).message, 'Too many inputs provided; max 256');
  });
});
