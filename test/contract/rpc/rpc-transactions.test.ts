// Lookup tables, durable nonces, simulation, fees and the faucet: what transaction libraries do every day.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import {
  Bench,
  MEMO,
  SYSTEM,
  TOKEN,
  bigOf,
  bytesOf,
  createAccount,
  freshKey,
  memo,
  signatureIn,
  toBase64,
  textOf,
  transfer,
  u32,
  u64,
  type Instruction,
  type Loose,
} from './rpc-harness';
import { plain } from '../v1/v1-bench';
import { initializeMint, newMint } from './rpc-token-kit';

const LOOKUP = 'AddressLookupTab1e1111111111111111111111111';
const BUDGET = 'ComputeBudget111111111111111111111111111111';
const RECENT_BLOCKHASHES = 'SysvarRecentB1ockHashes11111111111111111111';
const RENT = 'SysvarRent111111111111111111111111111111111';
const AT_PROCESSED = { encoding: 'base64', preflightCommitment: 'processed' } as const;

describe('transactions', () => {
  let bench: Bench;
  before(async () => {
    bench = await Bench.open();
  });
  after(() => bench.close());

  describe('lookup tables', () => {
    const addresses = Array.from({ length: 10 }, (_, i) => freshKey(`looked up ${i}`).address);
    const table = { address: freshKey('table').address, addresses };
    /** An account laid out as a table: type, deactivation, last extended slot and index, authority, addresses. */
    const tableData = (): Uint8Array =>
      Buffer.concat([
        u32(1),
        u64(18446744073709551615n),
        u64(1n),
        Uint8Array.of(0, 1),
        bytesOf(bench.wallet.address),
        Uint8Array.of(0, 0),
        ...addresses.map(bytesOf),
      ]);
    before(() =>
      bench.ledger.cheats.setAccount(table.address, { lamports: 10n ** 9n, owner: LOOKUP, data: tableData() }),
    );

    test('a version 0 transaction pays ten accounts out of a table', async () => {
      const list = addresses.map((address, i) => transfer(bench.wallet.address, address, 1_000_000n + BigInt(i)));
      const wire = await bench.versioned(list, [table]);
      await bench.call('sendTransaction', wire, AT_PROCESSED);
      bench.finalize();
      const record = await bench.call('getTransaction', signatureIn(wire), { maxSupportedTransactionVersion: 0 });
      assert.equal(record['version'], 0);
      assert.deepEqual(record['meta']?.['loadedAddresses'], { readonly: [], writable: addresses });
      const keys = record['transaction']?.['message']?.['accountKeys'] as never as string[];
      assert.deepEqual(keys, [bench.wallet.address, SYSTEM]);
      const post = record['meta']?.['postBalances'] as never as bigint[];
      assert.deepEqual(
        post.slice(keys.length),
        addresses.map((_, i) => 1_000_000n + BigInt(i)),
      );
      assert.deepEqual(record['transaction']?.['message']?.['addressTableLookups'], [
        { accountKey: table.address, readonlyIndexes: [], writableIndexes: addresses.map((_, i) => i) },
      ]);
    });
    test('a loaded address has the transaction in its history', async () => {
      const list = (await bench.call('getSignaturesForAddress', textOf(addresses[4]))) as never as unknown[];
      assert.equal(list.length, 1);
    });
    test('jsonParsed lists loaded accounts with their source', async () => {
      const [{ signature }] = (await bench.call('getSignaturesForAddress', textOf(addresses[4]))) as never as [
        { signature: string },
      ];
      const record = await bench.call('getTransaction', signature, {
        encoding: 'jsonParsed',
        maxSupportedTransactionVersion: 0,
      });
      const keys = record['transaction']?.['message']?.['accountKeys'] as never as Loose[];
      assert.deepEqual(keys.at(-1), {
        pubkey: addresses[9],
        signer: false,
        source: 'lookupTable',
        writable: true,
      });
    });
    test('a table that does not exist refuses the transaction', async () => {
      const wire = await bench.versioned(
        [transfer(bench.wallet.address, textOf(addresses[0]), 1n)],
        [{ address: freshKey().address, addresses }],
      );
      const error = await bench.fails('sendTransaction', wire, AT_PROCESSED);
      assert.equal(error.code, -32602);
      assert.equal(error.message, "invalid transaction: Transaction loads an address table account that doesn't exist");
    });
    test('a table is parsed', async () => {
      const { value } = await bench.call('getAccountInfo', table.address, { encoding: 'jsonParsed' });
      assert.equal(value?.['data']?.['program'], 'address-lookup-table');
      assert.deepEqual(value['data']['parsed']?.['info']?.['addresses'], addresses);
    });
  });

  describe('durable nonces', () => {
    const nonce = freshKey('nonce');
    const initialize = (): Instruction => ({
      program: SYSTEM,
      accounts: [{ address: nonce.address, writable: true }, { address: RECENT_BLOCKHASHES }, { address: RENT }],
      data: Buffer.concat([u32(6), bytesOf(bench.wallet.address)]),
    });
    const advance = (): Instruction => ({
      program: SYSTEM,
      accounts: [
        { address: nonce.address, writable: true },
        { address: RECENT_BLOCKHASHES },
        { address: bench.wallet.address, signer: true },
      ],
      data: u32(4),
    });
    const stored = async (): Promise<string> => {
      const { value } = await bench.call('getAccountInfo', nonce.address, {
        commitment: 'processed',
        encoding: 'jsonParsed',
      });
      return textOf(value?.['data']?.['parsed']?.['info']?.['blockhash']);
    };
    before(async () => {
      await bench.send(
        [
          createAccount(bench.wallet.address, nonce.address, { lamports: 1_500_000n, space: 80, owner: SYSTEM }),
          initialize(),
        ],
        [bench.wallet, nonce],
      );
      bench.slots(1);
    });

    test('a transaction on a nonce lands long after every blockhash of its time ran out', async () => {
      const wire = bench.signedOn(await stored(), [advance(), memo('late')], [bench.wallet]);
      bench.slots(400);
      await bench.call('sendTransaction', wire, AT_PROCESSED);
      bench.finalize();
      assert.equal((await bench.call('getTransaction', signatureIn(wire)))['meta']?.['err'], null);
    });
    test('it advances the nonce, so that it cannot run twice', async () => {
      const before = await stored();
      const wire = bench.signedOn(before, [advance(), memo('once')], [bench.wallet]);
      await bench.call('sendTransaction', wire, AT_PROCESSED);
      assert.notEqual(await stored(), before);
      assert.match((await bench.fails('sendTransaction', wire, AT_PROCESSED)).message, /Blockhash not found/);
    });
    test('a transaction on the blockhash the nonce was made on advances it, once the slot has passed', async () => {
      bench.slots(1);
      const before = await stored();
      const hash = await bench.blockhash();
      await bench.call('sendTransaction', bench.signedOn(hash, [advance()], [bench.wallet]), AT_PROCESSED);
      const after = await stored();
      assert.notEqual(after, before);
      const again = bench.signedOn(hash, [advance(), memo('again')], [bench.wallet]);
      assert.match((await bench.fails('sendTransaction', again, AT_PROCESSED)).message, /custom program error: 0x7/);
      bench.slots(1);
      await bench.call('sendTransaction', again, AT_PROCESSED);
      assert.notEqual(await stored(), after);
    });
    test('a forged signature on a nonce is found out', async () => {
      const wire = Buffer.from(bench.signedOn(await bench.blockhash(), [advance()], [bench.wallet]), 'base64');
      wire[20] = (wire[20] ?? 0) ^ 1;
      bench.slots(1);
      const { code, data } = await bench.fails('sendTransaction', toBase64(wire), AT_PROCESSED);
      assert.equal(code, -32002);
      assert.equal((data as Loose | undefined)?.['err'], 'SignatureFailure');
    });
    test('a failed one pays its fee and uses the nonce up as well', async () => {
      const before = await stored();
      const list = [advance(), transfer(bench.wallet.address, freshKey().address, 10n ** 15n)];
      const wire = bench.signedOn(before, list, [bench.wallet]);
      await bench.call('sendTransaction', wire, { encoding: 'base64', skipPreflight: true });
      bench.finalize();
      const { meta } = await bench.call('getTransaction', signatureIn(wire));
      assert.deepEqual([meta?.['err'], meta?.['fee']], [{ InstructionError: [1, { Custom: 1 }] }, 5000n]);
      assert.notEqual(await stored(), before);
      const next = bench.signedOn(await stored(), [advance(), memo('after')], [bench.wallet]);
      await bench.call('sendTransaction', next, AT_PROCESSED);
    });
  });

  describe('simulateTransaction', () => {
    const simulate = async (wire: string, config: Record<string, unknown> = {}): Promise<Loose> => {
      const options = { encoding: 'base64', commitment: 'processed', ...config };
      return (await bench.call('simulateTransaction', wire, options))['value'] as Loose;
    };
    test('answers err, logs and units, and changes nothing', async () => {
      const to = freshKey().address;
      const value = await simulate(await bench.signed([transfer(bench.wallet.address, to, 1_000_000n)]));
      assert.equal(value['err'], null);
      assert.equal(value['unitsConsumed'], 150n);
      assert.ok(Array.isArray(value['logs']));
      assert.equal((await bench.call('getBalance', to, { commitment: 'processed' }))['value'], 0n);
    });
    test('a failing transaction is a result with err, not an error', async () => {
      const value = await simulate(
        await bench.signed([transfer(bench.wallet.address, freshKey().address, 10n ** 15n)]),
      );
      assert.deepEqual(value['err'], { InstructionError: [0, { Custom: 1 }] });
    });
    test('shows wanted accounts as they would be', async () => {
      const to = freshKey().address;
      const wire = await bench.signed([transfer(bench.wallet.address, to, 1_234_567n)]);
      const value = await simulate(wire, { accounts: { addresses: [to], encoding: 'base64' } });
      assert.equal(value['accounts']?.[0]?.['lamports'], 1_234_567n);
    });
    test('refuses more wanted accounts than the transaction has, and base58', async () => {
      const wire = await bench.signed([memo('few')]);
      const key = bench.wallet.address;
      for (const accounts of [{ addresses: [key, key, key] }, { addresses: [key], encoding: 'base58' }])
        assert.equal((await bench.fails('simulateTransaction', wire, { encoding: 'base64', accounts })).code, -32602);
    });
    test('replaceRecentBlockhash runs a transaction on an unknown hash and returns the new one', async () => {
      const wire = bench.signedOn(freshKey().address, [memo('any hash')], [bench.wallet]);
      assert.equal((await simulate(wire))['err'], 'BlockhashNotFound');
      const value = await simulate(wire, { replaceRecentBlockhash: true });
      assert.equal(value['err'], null);
      assert.equal(textOf(value['replacementBlockhash']?.['blockhash']), await bench.blockhash());
    });
    test('does not ask for good signatures unless sigVerify does', async () => {
      const bytes = Buffer.from(await bench.signed([memo('unsigned')]), 'base64').fill(0, 1, 65);
      const wire = bytes.toString('base64');
      assert.equal((await simulate(wire))['err'], null);
      const checked = await bench.call('simulateTransaction', wire, {
        encoding: 'base64',
        commitment: 'processed',
        sigVerify: true,
      });
      assert.equal(checked['value']?.['err'], 'SignatureFailure');
      assert.deepEqual(checked['value']?.['logs'], []);
    });
    test('refuses sigVerify together with replaceRecentBlockhash', async () => {
      const error = await bench.fails('simulateTransaction', 'abc', { sigVerify: true, replaceRecentBlockhash: true });
      assert.equal(error.message, 'sigVerify may not be used with replaceRecentBlockhash');
    });
    test('returns what the program returned', async () => {
      const mint = freshKey();
      await newMint(bench, mint, 2);
      const toText: Instruction = {
        program: TOKEN,
        accounts: [{ address: mint.address }],
        data: Buffer.concat([Uint8Array.of(23), u64(1234n)]),
      };
      const value = await simulate(await bench.signed([toText]));
      assert.equal(value['returnData']?.['programId'], TOKEN);
      assert.equal(Buffer.from(textOf(value['returnData']['data']?.[0]), 'base64').toString(), '12.34');
    });
  });

  describe('fees', () => {
    test('getFeeForMessage is what the transaction then pays', async () => {
      const units = { program: BUDGET, accounts: [], data: Buffer.concat([Uint8Array.of(2), u32(50_000)]) };
      const price = { program: BUDGET, accounts: [], data: Buffer.concat([Uint8Array.of(3), u64(100_001n)]) };
      for (const list of [[memo('plain')], [units, price, memo('both')], [price, memo('price alone')]]) {
        const wire = await bench.signed(list);
        const message = Buffer.from(wire, 'base64').subarray(65).toString('base64');
        const fee = bigOf((await bench.call('getFeeForMessage', message, { commitment: 'processed' }))['value']);
        await bench.call('sendTransaction', wire, AT_PROCESSED);
        bench.finalize();
        assert.equal((await bench.call('getTransaction', signatureIn(wire)))['meta']?.['fee'], fee);
      }
    });
    test('the payer loses exactly the fee that the record shows, also where nothing ran', async () => {
      const payer = freshKey();
      bench.ledger.cheats.fund(payer.address, 10n ** 9n);
      const limit = { program: BUDGET, accounts: [], data: Buffer.concat([Uint8Array.of(2), u32(50_000)]) };
      const price = { program: BUDGET, accounts: [], data: Buffer.concat([Uint8Array.of(3), u64(100_001n)]) };
      const absent = { program: freshKey().address, accounts: [], data: new Uint8Array() };
      const lists: readonly (readonly [unknown, readonly Instruction[], bigint])[] = [
        [null, [memo('plain')], 5000n],
        [null, [limit, price, memo('priced')], 10_001n],
        [
          { InstructionError: [2, { Custom: 1 }] },
          [limit, price, transfer(payer.address, freshKey().address, 10n ** 15n)],
          10_001n,
        ],
        ['ProgramAccountNotFound', [absent], 5000n],
      ];
      const balance = async () =>
        bigOf((await bench.call('getBalance', payer.address, { commitment: 'processed' }))['value']);
      let before = await balance();
      for (const [err, list, fee] of lists) {
        const wire = bench.signedOn(await bench.blockhash(), list, [payer]);
        const { value } = await bench.call('simulateTransaction', wire, {
          encoding: 'base64',
          commitment: 'processed',
        });
        assert.equal(value?.['fee'], fee);
        await bench.call('sendTransaction', wire, { encoding: 'base64', skipPreflight: true });
        bench.finalize();
        const { meta } = await bench.call('getTransaction', signatureIn(wire));
        assert.deepEqual([meta?.['err'], meta?.['fee']], [err, fee]);
        const after = await balance();
        assert.equal(before - after, fee);
        before = after;
      }
    });
    test('a compute budget that cannot be read is refused before any block', async () => {
      const wire = await bench.signed([{ program: BUDGET, accounts: [], data: Uint8Array.of(9, 9) }]);
      const { value } = await bench.call('simulateTransaction', wire, { encoding: 'base64', commitment: 'processed' });
      assert.deepEqual(
        [value?.['err'], Number(value?.['fee'])],
        [{ InstructionError: [0, 'InvalidInstructionData'] }, 0],
      );
      await bench.call('sendTransaction', wire, { encoding: 'base64', skipPreflight: true });
      bench.finalize();
      assert.equal(await bench.call('getTransaction', signatureIn(wire)), null);
    });
    test('getFeeForMessage is null for a hash that ran out', async () => {
      const wire = bench.signedOn(freshKey().address, [memo('old')], [bench.wallet]);
      const message = Buffer.from(wire, 'base64').subarray(65).toString('base64');
      assert.equal((await bench.call('getFeeForMessage', message))['value'], null);
    });
    test('getFeeForMessage refuses a text that is not a message', async () => {
      for (const text of ['AAAA', '****', '']) assert.equal((await bench.fails('getFeeForMessage', text)).code, -32602);
    });
    test('a payer without the fee is refused before any block', async () => {
      const error = await bench.fails(
        'sendTransaction',
        await bench.signed([memo('poor')], [freshKey()]),
        AT_PROCESSED,
      );
      assert.match(error.message, /no record of a prior credit/);
    });
    test('getMinimumBalanceForRentExemption is what an account needs', async () => {
      const least = 1_066_800n;
      assert.equal(await bench.call('getMinimumBalanceForRentExemption', 82), least);
      assert.equal((await bench.fails('getMinimumBalanceForRentExemption', 10 * 1024 * 1024 + 1)).code, -32600);
      const mint = freshKey();
      const poor = [
        createAccount(bench.wallet.address, mint.address, { lamports: least - 1n, space: 82, owner: TOKEN }),
        initializeMint(mint.address, 0, bench.wallet.address),
      ];
      const error = await bench.fails('sendTransaction', await bench.signed(poor, [bench.wallet, mint]), AT_PROCESSED);
      assert.equal(error.code, -32002);
    });
  });

  describe('requestAirdrop', () => {
    test('is a real transaction, and two equal ones are two', async () => {
      const to = freshKey().address;
      const [a, b] = [
        await bench.call('requestAirdrop', to, 1_000_000_000),
        await bench.call('requestAirdrop', to, 1_000_000_000),
      ];
      assert.notEqual(a, b);
      bench.finalize();
      assert.equal((await bench.call('getBalance', to))['value'], 2_000_000_000n);
      assert.equal(((await bench.call('getSignaturesForAddress', to)) as never as unknown[]).length, 2);
    });
    test('is one transfer and nothing else, unless it would repeat another', async () => {
      const to = freshKey().address;
      const recentBlockhash = await bench.blockhash();
      const given: string[] = [];
      for (const amount of [1_000_000, 2_000_000, 1_000_000])
        given.push(textOf(await bench.call('requestAirdrop', to, amount, { recentBlockhash })));
      bench.finalize();
      const programs = async (signature: string): Promise<unknown> => {
        const record = await bench.call('getTransaction', signature, { encoding: 'jsonParsed' });
        const { instructions } = plain(record['transaction']?.['message']) as { instructions: Loose[] };
        return instructions.map((one) => one['programId']);
      };
      assert.deepEqual(await Promise.all(given.map(programs)), [[SYSTEM], [SYSTEM], [SYSTEM, MEMO]]);
    });
    test('that fails on the ledger has a signature, whose status says why', async () => {
      for (const [to, amount, why] of [
        [SYSTEM, 2, { InstructionError: [0, 'ReadonlyLamportChange'] }],
        [freshKey().address, 1, { InsufficientFundsForRent: { account_index: 1 } }],
      ] as const) {
        const signature = await bench.call('requestAirdrop', to, amount);
        bench.slots(1);
        const { value } = await bench.call('getSignatureStatuses', [textOf(signature)]);
        assert.deepEqual(plain(value?.[0]?.['err']), why, to);
      }
    });
    test('on a blockhash that nobody made reaches no ledger, and says so', async () => {
      const config = { recentBlockhash: freshKey().address };
      const { code, message } = await bench.fails('requestAirdrop', freshKey().address, 1_000_000, config);
      assert.deepEqual([code, message], [-32603, 'airdrop request failed: Blockhash not found']);
    });
    test('refuses no lamports, a fraction and a text', async () => {
      for (const amount of [0, -1, '5', null])
        assert.equal((await bench.fails('requestAirdrop', bench.wallet.address, amount)).code, -32602);
    });
  });
});
