// Costs of transactions in their block on the local service, by the cost model of a node; a full block leaves
// the rest to the next.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Instruction } from '@solana/kit';
import { encodeBase58 } from '../../../core/solana/encoding/base58';
import { key, type KitConfig } from '../../support/data/v1Transactions';
import { ATA, MEMO, SYSTEM, TOKEN, textOf, transfer, type Loose } from './rpc-harness';
import { FULL, plain, text, V1Bench } from '../v1/v1-bench';

const SECP256K1 = 'KeccakSecp256k11111111111111111111111111111';
const SIGNATURE = 720;
const WRITE_LOCK = 300;
const PAGE = 8;
/** Instruction data of a transfer, 12 bytes, four to a unit. */
const TRANSFER_DATA = 3;
/** The cost of a transfer, besides its programs and pages. */
const TRANSFER = SIGNATURE + 2 * WRITE_LOCK + TRANSFER_DATA;

let v1: V1Bench;
before(async () => {
  v1 = await V1Bench.open({ consensus: 'tower' });
});
after(() => v1.bench.close());

const costOf = (record: Loose | null): unknown => plain(record?.['meta']?.['costUnits']);

describe('version 1', () => {
  const CASES: Readonly<Record<string, readonly [KitConfig, number]>> = {
    'that runs': [FULL, TRANSFER + 150 + PAGE],
    'with a larger limit than it needs': [{ ...FULL, computeUnitLimit: 1_000_000 }, TRANSFER + 150 + PAGE],
    'whose data may not be loaded, which counts as a page': [{}, TRANSFER + PAGE],
    'that has no compute units': [{ loadedAccountsDataSizeLimit: 131_072 }, TRANSFER + PAGE],
    'that runs out of compute units': [{ ...FULL, computeUnitLimit: 149 }, TRANSFER + 149 + PAGE],
  };
  for (const [name, [config, expected]] of Object.entries(CASES))
    test(`a transfer ${name} has the cost of its parts`, async () => {
      assert.equal(costOf(await v1.landed(await v1.made({ config }))), expected);
    });

  test('without instructions it costs a signature, the lock of its payer and a page', async () => {
    const record = await v1.landed(await v1.made({ config: { loadedAccountsDataSizeLimit: 64 }, instructions: [] }));
    assert.equal(costOf(record), SIGNATURE + WRITE_LOCK + PAGE);
  });

  test('each 32 KiB of loaded data is a page more', async () => {
    const { bench } = v1;
    const address = encodeBase58(key(200));
    for (const [bytes, pages] of [
      [32 * 1024 - 500, 1],
      [32 * 1024, 2],
      [5 * 32 * 1024, 6],
    ] as const) {
      bench.ledger.cheats.setAccount(address, { lamports: 10n ** 10n, owner: SYSTEM, data: new Uint8Array(bytes) });
      const wire = await v1.made({
        config: { ...FULL, loadedAccountsDataSizeLimit: 64 * 1024 * 1024 },
        instructions: [v1.transfer(address)],
      });
      assert.equal(costOf(await v1.landed(wire)), TRANSFER + 150 + pages * PAGE, `${bytes} bytes`);
    }
  });
});

test('the limit for loaded data counts the code of a program, wherever it is', async () => {
  const config = { computeUnitLimit: 200_000, loadedAccountsDataSizeLimit: 64 * 1024 * 1024 };
  for (const program of [MEMO, TOKEN, ATA]) {
    const instructions = [{ programAddress: program as Instruction['programAddress'], data: Uint8Array.of(65) }];
    const { loadedAccountsDataSize } = await v1.simulated(await v1.made({ config, instructions }));
    const size = Number(loadedAccountsDataSize);
    assert.ok(size > 1_000, `${program}: ${size}`);
    const outcome = async (limit: number): Promise<unknown> =>
      plain(
        (
          await v1.simulated(await v1.made({ config: { ...config, loadedAccountsDataSizeLimit: limit }, instructions }))
        )['err'],
      );
    assert.notEqual(await outcome(size), 'MaxLoadedAccountsDataSizeExceeded', `${program}: ${size}`);
    assert.equal(await outcome(size - 1), 'MaxLoadedAccountsDataSizeExceeded', `${program}: ${size - 1}`);
  }
});

describe('other versions', () => {
  for (const [name, made] of [
    ['legacy', () => v1.bench.signed([transfer(v1.bench.wallet.address, v1.to, 1_234n)])],
    ['version 0', () => v1.bench.versioned([transfer(v1.bench.wallet.address, v1.to, 1_235n)], [])],
  ] as const)
    test(`a transfer of ${name} has the cost of its parts`, async () => {
      const record = await v1.landed(Buffer.from(await made(), 'base64'));
      assert.equal(costOf(record), TRANSFER + 150 + PAGE);
    });
});

/** One whose instruction names so many signatures; that they are missing is found out when it runs. */
const verifying = (signatures: number): Promise<Uint8Array> =>
  v1.made({
    instructions: [
      { programAddress: SECP256K1 as Instruction['programAddress'], data: Uint8Array.of(signatures) },
      v1.transfer(),
    ],
  });

test('signatures that a program verifies cost more than those of the transaction', async () => {
  const record = await v1.landed(await verifying(3));
  const consumed = Number(record?.['meta']?.['computeUnitsConsumed']);
  // Thirteen bytes of data.
  assert.equal(costOf(record), TRANSFER + 3 * 6_690 + consumed + PAGE);
});

describe('a full block of the chain before Alpenglow', () => {
  const LIMIT = 60_000_000;
  const sent = async (wire: Uint8Array): Promise<string> =>
    textOf(await v1.bench.call('sendTransaction', text(wire), { encoding: 'base64', skipPreflight: true }));
  const slotOf = async (signature: string): Promise<number | null> => {
    const { value } = await v1.bench.call('getSignatureStatuses', [signature]);
    const status = value?.[0] as Loose | null;
    return status === null ? null : Number(status['slot']);
  };

  test('leaves what does not fit to the next slot, and takes what does', async () => {
    v1.bench.slots(1);
    const slot = Number(await v1.bench.call('getSlot', { commitment: 'processed' }));
    const signatures: string[] = [];
    // Each costs 255 signatures of the program.
    for (let cost = 0; cost + 255 * 6_690 + 5_000 < LIMIT; cost += 255 * 6_690)
      signatures.push(await sent(await verifying(255)));
    const late = await sent(await verifying(255));
    const small = await sent(await v1.made());
    v1.bench.slots(1);
    assert.equal(await slotOf(late), null);
    assert.equal(await slotOf(small), slot);
    for (const one of signatures) assert.equal(await slotOf(one), slot);
    v1.bench.slots(1);
    assert.equal(await slotOf(late), slot + 1);
    const block = await v1.bench.call('getBlock', slot, { commitment: 'confirmed', maxSupportedTransactionVersion: 1 });
    const costs = (block['transactions'] as unknown as Loose[]).map(({ meta }) => Number(meta?.['costUnits']));
    const total = costs.reduce((sum, cost) => sum + cost, 0);
    assert.ok(total <= LIMIT && total > LIMIT - 2_000_000, `${total}`);
  });

  test('a transaction that no block can hold is forgotten with its blockhash', async () => {
    const instruction = { programAddress: SECP256K1 as Instruction['programAddress'], data: Uint8Array.of(255) };
    const signature = await sent(await v1.made({ instructions: Array.from({ length: 40 }, () => instruction) }));
    v1.bench.slots(160);
    assert.equal(await slotOf(signature), null);
    assert.equal((await v1.landed(await v1.made()))?.['meta']?.['err'], null);
  });
});
