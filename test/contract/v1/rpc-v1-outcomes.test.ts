// Effects of the configuration of a version 1 transaction on the local service: fees, compute units, loaded data, Compute
// Budget instructions, durable nonces.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Instruction } from '@solana/kit';
import { decodeBase58, encodeBase58 } from '../../../core/solana/encoding/base58';
import type { JsonValue } from '../../../core/solana/json/json';
import { decodeStrictly } from '../../../localnet/ledger/transaction/wire';
import { key, newSigner, v1Bytes, type KitConfig } from '../../support/data/v1Transactions';
import { createAccount, freshKey, SYSTEM, u32, u64, type Loose } from '../rpc/rpc-harness';
import { FULL, plain, text, V1Bench } from './v1-bench';

const COMPUTE_BUDGET = 'ComputeBudget111111111111111111111111111111';
const RECENT_BLOCKHASHES = 'SysvarRecentB1ockHashes11111111111111111111';

let v1: V1Bench;
before(async () => {
  v1 = await V1Bench.open();
});
after(() => v1.bench.close());

const budget = (...data: number[]): Instruction => ({
  programAddress: COMPUTE_BUDGET as Instruction['programAddress'],
  data: Uint8Array.from(data),
});

/** The outcome of each configuration: error, fee in lamports, compute units. */
const OUTCOMES: Readonly<Record<string, readonly [KitConfig, JsonValue, number, number]>> = {
  'every value': [{ ...FULL, heapSize: 65_536 }, null, 10_001, 150],
  'no value': [{}, 'MaxLoadedAccountsDataSizeExceeded', 5000, 0],
  'the fee alone': [{ priorityFeeLamports: 7n }, 'MaxLoadedAccountsDataSizeExceeded', 5007, 0],
  'a compute unit limit alone': [{ computeUnitLimit: 1000 }, 'MaxLoadedAccountsDataSizeExceeded', 5000, 0],
  'a limit for loaded data alone': [
    { loadedAccountsDataSizeLimit: 131_072 },
    { InstructionError: [0, 'ComputationalBudgetExceeded'] },
    5000,
    0,
  ],
  'a compute unit too few': [
    { ...FULL, computeUnitLimit: 149 },
    { InstructionError: [0, 'ComputationalBudgetExceeded'] },
    10_001,
    149,
  ],
  'just enough compute units': [{ ...FULL, computeUnitLimit: 150 }, null, 10_001, 150],
  'no heap': [FULL, null, 10_001, 150],
};

describe('the outcome of a configuration', () => {
  for (const [name, [config, err, fee, units]] of Object.entries(OUTCOMES))
    test(`${name}: simulated, landed and priced alike`, async () => {
      const wire = await v1.made({ config });
      const simulation = await v1.simulated(wire);
      const { messageEnd } = decodeStrictly(wire);
      const priced = await v1.bench.call('getFeeForMessage', text(wire.subarray(0, messageEnd)), {
        commitment: 'confirmed',
      });
      const record = await v1.landed(wire);
      const meta = record?.['meta'];
      assert.deepEqual(plain([meta?.['err'], meta?.['fee'], meta?.['computeUnitsConsumed']]), [err, fee, units]);
      assert.deepEqual(plain([simulation['err'], simulation['fee'], simulation['unitsConsumed']]), [err, fee, units]);
      assert.equal(Number(priced['value']), fee);
    });

  test('a compute unit limit above 1,400,000 is taken for that', async () => {
    const wire = v1Bytes({
      mask: 0b1100,
      config: [...u32(2_000_000), ...u32(1_000_000)],
      addresses: [decodeBase58(v1.payer.address) ?? key(1), key(77), decodeBase58(SYSTEM) ?? key(0)],
      payload: [0, 1, ...u32(2), ...u64(1_000_000n)],
      instructionHeaders: [[2, 2, 12]],
    });
    const { err, unitsConsumed } = await v1.simulated(wire, { replaceRecentBlockhash: true });
    assert.deepEqual(plain([err, unitsConsumed]), [null, 150]);
  });

  test('a fee above the balance is refused, and nothing is charged', async () => {
    const wire = await v1.made({ config: { ...FULL, priorityFeeLamports: 10n ** 18n } });
    const error = await v1.bench.fails('sendTransaction', text(wire), {
      encoding: 'base64',
      preflightCommitment: 'confirmed',
    });
    assert.deepEqual([error.code, (error.data as Loose)['err']], [-32002, 'InsufficientFundsForFee']);
    assert.equal(await v1.landed(wire), null);
  });

  test('no instruction: it runs, and pays its signature', async () => {
    const record = await v1.landed(await v1.made({ config: { loadedAccountsDataSizeLimit: 64 }, instructions: [] }));
    assert.deepEqual(plain([record?.['meta']?.['err'], record?.['meta']?.['fee']]), [null, 5000]);
  });

  test('the size that a simulation found, and no byte less, is enough as its limit', async () => {
    const most = {
      priorityFeeLamports: 1n,
      computeUnitLimit: 1_400_000,
      loadedAccountsDataSizeLimit: 64 * 1024 * 1024,
    };
    const fresh = (await newSigner()).address;
    for (const receiver of [v1.to, fresh]) {
      const instructions = (): readonly Instruction[] => [v1.transfer(receiver, 1_000_000n)];
      const size = Number(
        (await v1.simulated(await v1.made({ config: most, instructions: instructions() })))['loadedAccountsDataSize'],
      );
      const outcome = async (limit: number) =>
        (
          await v1.simulated(
            await v1.made({ config: { ...most, loadedAccountsDataSizeLimit: limit }, instructions: instructions() }),
          )
        )['err'];
      assert.equal(await outcome(size), null, `${size} bytes`);
      assert.equal(await outcome(size - 1), 'MaxLoadedAccountsDataSizeExceeded', `${size - 1} bytes`);
    }
  });
});

describe('Compute Budget instructions', () => {
  const PRICE = budget(3, 0xff, 0xff, 0xff, 0xff, 0xff, 0, 0, 0);
  for (const [name, instruction] of [
    ['a price', PRICE],
    ['a limit of one compute unit', budget(2, 1, 0, 0, 0)],
    ['malformed data', budget(9, 9)],
    ['no data', budget()],
  ] as const)
    test(`${name} costs 150 compute units and changes nothing`, async () => {
      const wire = await v1.made({ instructions: [instruction, v1.transfer()] });
      const meta = (await v1.landed(wire))?.['meta'];
      assert.deepEqual(plain([meta?.['err'], meta?.['fee'], meta?.['computeUnitsConsumed']]), [null, 10_001, 300]);
    });

  test('a transaction with no compute units left fails and pays, like any other', async () => {
    const wire = await v1.made({ config: { ...FULL, computeUnitLimit: 100 }, instructions: [PRICE] });
    const meta = (await v1.landed(wire))?.['meta'];
    assert.deepEqual(plain([meta?.['err'], meta?.['fee']]), [
      { InstructionError: [0, 'ComputationalBudgetExceeded'] },
      10_001,
    ]);
  });
});

test('a durable nonce works, and is used up', async () => {
  const nonce = freshKey();
  await v1.bench.send(
    [
      createAccount(v1.payer.address, nonce.address, { lamports: 10_000_000n, space: 80, owner: SYSTEM }),
      {
        program: SYSTEM,
        accounts: [
          { address: nonce.address, writable: true },
          { address: RECENT_BLOCKHASHES },
          { address: 'SysvarRent111111111111111111111111111111111' },
        ],
        data: Buffer.concat([u32(6), decodeBase58(v1.payer.address) ?? key(0)]),
      },
    ],
    [v1.bench.wallet, nonce],
  );
  v1.bench.slots(3);
  const stored = async (): Promise<string> => {
    const { value } = await v1.bench.call('getAccountInfo', nonce.address, {
      encoding: 'base64',
      commitment: 'confirmed',
    });
    const [data] = value?.['data'] as unknown as [string];
    return encodeBase58(Buffer.from(data, 'base64').subarray(40, 72));
  };
  const blockhash = await stored();
  const advance = {
    programAddress: SYSTEM as Instruction['programAddress'],
    accounts: [
      { address: nonce.address as Instruction['programAddress'], role: 1 },
      { address: RECENT_BLOCKHASHES as Instruction['programAddress'], role: 0 },
      { address: v1.payer.address, role: 3, signer: v1.payer } as never,
    ],
    data: u32(4),
  };
  v1.bench.slots(200);
  const wire = await v1.made({ blockhash, instructions: [advance, v1.transfer()] });
  const record = await v1.landed(wire);
  assert.equal(record?.['meta']?.['err'], null);
  assert.equal(record['transaction']?.['message']?.['recentBlockhash'], blockhash);
  assert.notEqual(await stored(), blockhash);
});
