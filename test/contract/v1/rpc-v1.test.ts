// Version 1 transactions on the engine: made by the public client, they land, are simulated, priced and shown in every
// encoding; bytes that would abort or mislead the engine are refused before they reach it.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createKeyPairSignerFromBytes, type KeyPairSigner } from '@solana/kit';
import { encodeBase58 } from '../../../core/solana/encoding/base58';
import { decodeStrictly } from '../../../localnet/ledger/transaction/wire';
import {
  BROKEN,
  kitV1,
  newSigner,
  transferInstruction,
  v1Bytes,
  type KitConfig,
} from '../../support/data/v1Transactions';
import { Bench, type Loose } from '../rpc/rpc-harness';

const FULL: KitConfig = {
  priorityFeeLamports: 5001n,
  computeUnitLimit: 1000,
  loadedAccountsDataSizeLimit: 131_072,
  heapSize: 65_536,
};
const BASE64 = { encoding: 'base64' } as const;

let bench: Bench;
let payer: KeyPairSigner;
let to: string;

before(async () => {
  bench = await Bench.open();
  payer = await createKeyPairSignerFromBytes(bench.ledger.wallet.secretKey);
  to = (await newSigner()).address;
  await bench.call('requestAirdrop', to, 1_000_000_000);
  bench.slots(2);
});
after(() => bench.close());

async function made(config: KitConfig, lamports = 1000n): Promise<Uint8Array> {
  const { value } = await bench.call('getLatestBlockhash', { commitment: 'confirmed' });
  const blockhash = value?.['blockhash'] as unknown as string;
  return kitV1({ payer, blockhash, instructions: [transferInstruction(payer, to, lamports)], config });
}

const text = (wire: Uint8Array): string => Buffer.from(wire).toString('base64');
const signatureOf = (wire: Uint8Array): string => encodeBase58(wire.subarray(-64));

async function landed(wire: Uint8Array): Promise<string> {
  const signature = await bench.call('sendTransaction', text(wire), {
    ...BASE64,
    skipPreflight: true,
    preflightCommitment: 'confirmed',
  });
  assert.equal(signature, signatureOf(wire));
  bench.slots(6);
  return signatureOf(wire);
}

const shown = (signature: string, config: Record<string, string | number>) =>
  bench.call('getTransaction', signature, { commitment: 'confirmed', maxSupportedTransactionVersion: 1, ...config });

describe('the outcome of a version 1 transaction', () => {
  test('with its configuration it lands, and pays signatures and the whole priority fee', async () => {
    const record = await shown(await landed(await made(FULL, 1001n)), {});
    assert.equal(record['version'], 1);
    assert.equal(record['meta']?.['err'], null);
    assert.equal(Number(record['meta']?.['fee']), 10_001);
    assert.equal(Number(record['meta']?.['computeUnitsConsumed']), 150);
  });

  test('without a limit for loaded data it fails, and pays', async () => {
    const record = await shown(await landed(await made({ computeUnitLimit: 1000 }, 1002n)), {});
    assert.equal(record['meta']?.['err'], 'MaxLoadedAccountsDataSizeExceeded');
    assert.equal(Number(record['meta']?.['fee']), 5000);
  });

  test('without compute units it fails in its first instruction', async () => {
    const record = await shown(await landed(await made({ loadedAccountsDataSizeLimit: 131_072 }, 1003n)), {});
    assert.deepEqual(record['meta']?.['err'], { InstructionError: [0, 'ComputationalBudgetExceeded'] });
  });

  test('a signature that does not fit is refused', async () => {
    const wire = await made(FULL, 1004n);
    wire[wire.length - 1] = (wire[wire.length - 1] ?? 0) ^ 1;
    const { code, data } = await bench.fails('sendTransaction', text(wire), {
      ...BASE64,
      preflightCommitment: 'confirmed',
    });
    assert.equal(code, -32002);
    assert.equal((data as Loose | undefined)?.['err'], 'SignatureFailure');
  });

  test('the fee of its message counts the priority fee once', async () => {
    const wire = await made(FULL, 1005n);
    const { messageEnd } = decodeStrictly(wire);
    const answer = await bench.call('getFeeForMessage', text(wire.subarray(0, messageEnd)), {
      commitment: 'confirmed',
    });
    assert.equal(Number(answer['value']), 10_001);
  });

  test('it is simulated, also on another blockhash', async () => {
    const wire = await made(FULL, 1006n);
    for (const config of [{ sigVerify: true }, { replaceRecentBlockhash: true }]) {
      const { value } = await bench.call('simulateTransaction', text(wire), {
        ...BASE64,
        commitment: 'confirmed',
        ...config,
      });
      assert.equal(value?.['err'], null);
      assert.equal(Number(value?.['fee']), 10_001);
      assert.equal(Number(value?.['unitsConsumed']), 150);
    }
  });
});

describe('how it is shown', () => {
  let signature: string;
  let unset: string;
  before(async () => {
    signature = await landed(await made(FULL, 1010n));
    unset = await landed(await made({ priorityFeeLamports: 7n }, 1011n));
  });

  test('json has all four values of its configuration, and no lookup tables', async () => {
    const message = (await shown(signature, { encoding: 'json' }))['transaction']?.['message'];
    assert.deepEqual(
      JSON.parse(
        JSON.stringify(message?.['transactionConfig'], (_, v: unknown) => (typeof v === 'bigint' ? Number(v) : v)),
      ),
      {
        computeUnitLimit: 1000,
        heapSize: 65_536,
        loadedAccountsDataSizeLimit: 131_072,
        priorityFee: 5001,
      },
    );
    assert.equal(message?.['addressTableLookups'], undefined);
    assert.equal((message?.['accountKeys'] as unknown as string[])[0], payer.address);
  });

  test('a value that is not set is null', async () => {
    const message = (await shown(unset, { encoding: 'json' }))['transaction']?.['message'];
    const config = message?.['transactionConfig'];
    assert.equal(Number(config?.['priorityFee']), 7);
    for (const name of ['computeUnitLimit', 'heapSize', 'loadedAccountsDataSizeLimit'])
      assert.equal(config?.[name], null, name);
  });

  test('jsonParsed has it, too, and every account comes from the transaction', async () => {
    const message = (await shown(signature, { encoding: 'jsonParsed' }))['transaction']?.['message'];
    assert.equal(Number(message?.['transactionConfig']?.['computeUnitLimit']), 1000);
    assert.equal(message?.['header'], undefined);
    const keys = message?.['accountKeys'] as unknown as { source: string }[];
    assert.deepEqual(new Set(keys.map(({ source }) => source)), new Set(['transaction']));
  });

  test('base64 has the signatures at the end', async () => {
    const [bytes] = (await shown(signature, { encoding: 'base64' }))['transaction'] as unknown as [string];
    assert.equal(encodeBase58(Buffer.from(bytes, 'base64').subarray(-64)), signature);
  });

  for (const [name, config, said] of [
    ['without maxSupportedTransactionVersion', {}, 1],
    ['at maxSupportedTransactionVersion 0', { maxSupportedTransactionVersion: 0 }, 1],
  ] as const)
    test(`${name} the answer is -32015, for the transaction and for its whole block`, async () => {
      const slot = Number((await shown(signature, {}))['slot']);
      for (const error of [
        await bench.fails('getTransaction', signature, { commitment: 'confirmed', ...config }),
        await bench.fails('getBlock', slot, { commitment: 'confirmed', ...config }),
      ]) {
        assert.equal(error.code, -32015);
        assert.equal(
          error.message,
          `Transaction version (${said}) is not supported by the requesting client. Please try the request again with the following configuration parameter: "maxSupportedTransactionVersion": ${said}`,
        );
      }
      const block = await bench.call('getBlock', slot, {
        commitment: 'confirmed',
        transactionDetails: 'signatures',
        ...config,
      });
      assert.ok((block['signatures'] as unknown as string[]).includes(signature));
    });
});

describe('what never reaches the engine', () => {
  for (const [name, bytes] of Object.entries(BROKEN))
    test(`${name} is -32602, and the ledger keeps running`, async () => {
      for (const method of ['sendTransaction', 'simulateTransaction']) {
        const error = await bench.fails(method, text(bytes), { ...BASE64, skipPreflight: true });
        assert.equal(error.code, -32602);
        assert.match(error.message, /^failed to deserialize solana_transaction::versioned::VersionedTransaction: ./);
      }
      assert.ok(Number(await bench.call('getSlot', { commitment: 'processed' })) > 0);
    });

  /** A sound one of this many bytes. */
  const sized = (size: number): Uint8Array => {
    const more = size - v1Bytes().length;
    return v1Bytes({ instructionHeaders: [[2, 2, 3 + more]], payload: [0, 1, ...new Array<number>(3 + more).fill(9)] });
  };
  const tooLarge = async (given: string, encoding: string) =>
    (await bench.fails('sendTransaction', given, { encoding, skipPreflight: true })).message;
  const TYPE = 'solana_transaction::versioned::VersionedTransaction';

  test('4,096 bytes pass the size check, and 4,097 do not', async () => {
    await bench.call('simulateTransaction', text(sized(4096)), { ...BASE64, replaceRecentBlockhash: true });
    assert.equal(
      await tooLarge(text(sized(4097)), 'base64'),
      `decoded ${TYPE} too large: 4097 bytes (max: 4096 bytes)`,
    );
    assert.equal(
      await tooLarge(text(sized(4164)), 'base64'),
      `base64 encoded ${TYPE} too large: 5552 bytes (max: encoded/raw 5464/4096)`,
    );
  });

  test('base58 carries a packet of it', async () => {
    assert.match(await tooLarge(encodeBase58(sized(1240)), 'base58'), /too large: \d+ bytes \(max: (1232|encoded)/);
  });
});
