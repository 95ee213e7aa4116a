// The rules of the service contract for its eleven methods, one test per rule, on the real engine.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { encodeBase58 } from '../../../core/solana/encoding/base58';
import { JsonNumber } from '../../../core/solana/json/json';
import { Bench, SYSTEM, bigOf, freshKey, memo, signatureIn, toBase64, transfer, type Loose } from './rpc-harness';

const LEVELS = ['processed', 'confirmed', 'finalized'];

describe('the contract', () => {
  let bench: Bench;
  before(async () => {
    bench = await Bench.open();
  });
  after(() => bench.close());

  describe('getSlot', () => {
    test('takes no parameters and answers a number', async () => {
      assert.equal(typeof (await bench.call('getSlot')), 'number');
    });
    test('accepts a commitment, as nodes do', async () => {
      const processed = Number(await bench.call('getSlot', { commitment: 'processed' }));
      assert.ok(processed > Number(await bench.call('getSlot')));
    });
  });

  describe('getBalance', () => {
    test('answers {context{slot}, value} in lamports', async () => {
      const result = await bench.call('getBalance', bench.wallet.address);
      assert.equal(typeof result['context']?.['slot'], 'number');
      assert.equal(result['value'], 1_000_000_000_000n);
    });
    test('answers 0 for an account that does not exist', async () => {
      assert.equal((await bench.call('getBalance', freshKey().address))['value'], 0n);
    });
    for (const commitment of LEVELS)
      test(`accepts commitment ${commitment}`, async () => {
        await bench.call('getBalance', bench.wallet.address, { commitment });
      });
    test('refuses an unknown commitment with -32602', async () => {
      const error = await bench.fails('getBalance', bench.wallet.address, { commitment: 'max' });
      assert.equal(error.code, -32602);
      assert.match(error.message, /unknown variant `max`/);
    });
    test('refuses a call without the address', async () => {
      assert.deepEqual(await bench.fails('getBalance'), {
        code: -32602,
        message: '`params` should have at least 1 argument(s)',
      });
    });
    test('refuses an address of the wrong length', async () => {
      assert.equal((await bench.fails('getBalance', 'abc')).message, 'Invalid param: WrongSize');
    });
    test('refuses an address outside the base58 alphabet', async () => {
      assert.equal((await bench.fails('getBalance', '0'.repeat(40))).message, 'Invalid param: Invalid');
    });
    test('refuses an address that is not a string', async () => {
      assert.match((await bench.fails('getBalance', 7)).message, /invalid type: integer `7`, expected a string/);
    });
    test('refuses more parameters than there are', async () => {
      assert.equal((await bench.fails('getBalance', bench.wallet.address, {}, 1)).code, -32602);
    });
    test('refuses parameters by name', async () => {
      const outcome = await bench.ledger.rpc.call('getBalance', { pubkey: bench.wallet.address }, { staked: false });
      assert.equal(outcome.ok ? 0 : outcome.error.code, -32602);
    });
    test('ignores unknown config fields', async () => {
      await bench.call('getBalance', bench.wallet.address, { comitment: 'nonsense', constructor: 1 });
    });
    test('takes null for a config left out', async () => {
      await bench.call('getBalance', bench.wallet.address, null);
    });
    test('answers -32016 with the slot while minContextSlot lies ahead', async () => {
      const error = await bench.fails('getBalance', bench.wallet.address, { minContextSlot: 1_000_000 });
      assert.equal(error.code, -32016);
      assert.deepEqual(error.data, { contextSlot: await bench.call('getSlot') });
    });
  });

  describe('getBlockHeight and getEpochInfo', () => {
    test('default to finalized', async () => {
      for (const method of ['getBlockHeight', 'getEpochInfo'])
        assert.deepEqual(await bench.call(method), await bench.call(method, { commitment: 'finalized' }));
      assert.notDeepEqual(
        await bench.call('getBlockHeight'),
        await bench.call('getBlockHeight', { commitment: 'processed' }),
      );
    });
    test('getEpochInfo holds its six fields, with a 0-indexed slotIndex', async () => {
      const info = await bench.call('getEpochInfo', { commitment: 'processed' });
      assert.deepEqual(Object.keys(info).sort(), [
        'absoluteSlot',
        'blockHeight',
        'epoch',
        'slotIndex',
        'slotsInEpoch',
        'transactionCount',
      ]);
      assert.equal(info['absoluteSlot'], await bench.call('getSlot', { commitment: 'processed' }));
      assert.equal(
        Number(info['epoch']) * Number(info['slotsInEpoch']) + Number(info['slotIndex']),
        info['absoluteSlot'],
      );
    });
  });

  describe('getLatestBlockhash', () => {
    test('defaults to finalized', async () => {
      assert.deepEqual(
        await bench.call('getLatestBlockhash'),
        await bench.call('getLatestBlockhash', { commitment: 'finalized' }),
      );
    });
    test('answers a blockhash good for 150 more blocks', async () => {
      const { value } = await bench.call('getLatestBlockhash');
      assert.equal(value?.['lastValidBlockHeight'], Number(await bench.call('getBlockHeight')) + 150);
    });
    test('a transaction on a hash past lastValidBlockHeight is rejected', async () => {
      const own = await Bench.open();
      try {
        const wire = await own.signed([transfer(own.wallet.address, freshKey().address, 1_000_000n)]);
        own.slots(152);
        const error = await own.fails('sendTransaction', wire, {
          encoding: 'base64',
          preflightCommitment: 'processed',
        });
        assert.equal(error.code, -32002);
        assert.equal(error.message, 'Transaction simulation failed: Blockhash not found');
      } finally {
        own.close();
      }
    });
    test('a transaction on a hash exactly at lastValidBlockHeight is accepted', async () => {
      const own = await Bench.open();
      try {
        const { value } = await own.call('getLatestBlockhash', { commitment: 'processed' });
        const wire = await own.signed([transfer(own.wallet.address, freshKey().address, 1_000_000n)]);
        const last = Number(value?.['lastValidBlockHeight']);
        own.slots(last - Number(await own.call('getBlockHeight', { commitment: 'processed' })));
        assert.equal(await own.call('getBlockHeight', { commitment: 'processed' }), last);
        await own.call('sendTransaction', wire, { encoding: 'base64', preflightCommitment: 'processed' });
      } finally {
        own.close();
      }
    });
  });

  describe('getTransaction', () => {
    let signature: string;
    before(async () => {
      signature = await bench.transfer(freshKey().address, 2_000_000n, 'hello');
    });

    test('answers null until the transaction is confirmed', async () => {
      assert.equal(await bench.call('getTransaction', signature, { commitment: 'confirmed' }), null);
      assert.equal(await bench.call('getTransaction', signature), null);
      bench.slots(1);
      assert.notEqual(await bench.call('getTransaction', signature, { commitment: 'confirmed' }), null);
      assert.notEqual(await bench.call('getTransaction', signature), null);
    });
    test('answers null for a signature nobody sent', async () => {
      assert.equal(await bench.call('getTransaction', encodeBase58(new Uint8Array(64).fill(9))), null);
    });
    test('refuses commitment processed', async () => {
      const error = await bench.fails('getTransaction', signature, { commitment: 'processed' });
      assert.equal(error.code, -32602);
      assert.equal(error.message, 'Method does not support commitment below `confirmed`');
    });
    test('defaults to encoding json, balances in the order of accountKeys', async () => {
      const record = await bench.call('getTransaction', signature);
      const { message } = record['transaction'] ?? {};
      assert.equal(message?.['accountKeys']?.[0], bench.wallet.address);
      const { meta } = record;
      assert.equal(meta?.['err'], null);
      assert.equal(meta?.['fee'], 5000n);
      assert.equal(bigOf(meta?.['preBalances']?.[0]) - bigOf(meta?.['postBalances']?.[0]), 2_005_000n);
      for (const field of ['innerInstructions', 'logMessages', 'preTokenBalances', 'postTokenBalances', 'rewards'])
        assert.ok(Array.isArray(meta?.[field]), field);
      assert.equal(typeof record['slot'], 'number');
      assert.equal(typeof record['blockTime'], 'number');
    });
    for (const encoding of ['base58', 'base64'])
      test(`encodes as [data, "${encoding}"]`, async () => {
        const record = await bench.call('getTransaction', signature, { encoding });
        assert.equal(record['transaction']?.[1], encoding);
      });
    test('parses instructions as jsonParsed', async () => {
      const record = await bench.call('getTransaction', signature, { encoding: 'jsonParsed' });
      const [first, second] = record['transaction']?.['message']?.['instructions'] as never as [
        { parsed: { type: string } },
        { parsed: string },
      ];
      assert.equal(first.parsed.type, 'transfer');
      assert.equal(second.parsed, 'hello');
    });
    test('refuses an unknown encoding', async () => {
      assert.equal((await bench.fails('getTransaction', signature, { encoding: 'xml' })).code, -32602);
    });
    test('shows a versioned transaction only when maxSupportedTransactionVersion allows it', async () => {
      const wire = await bench.versioned([memo('v0')], []);
      await bench.call('sendTransaction', wire, { encoding: 'base64', preflightCommitment: 'processed' });
      bench.finalize();
      const error = await bench.fails('getTransaction', signatureIn(wire));
      assert.equal(error.code, -32015);
      assert.match(error.message, /"maxSupportedTransactionVersion": 0/);
      const shown = await bench.call('getTransaction', signatureIn(wire), { maxSupportedTransactionVersion: 0 });
      assert.equal(shown['version'], 0);
    });
    test('refuses a signature of the wrong length', async () => {
      assert.equal((await bench.fails('getTransaction', bench.wallet.address)).message, 'Invalid param: WrongSize');
    });
    test('keeps the error and the fee of a failed transaction', async () => {
      const wire = await bench.signed([transfer(bench.wallet.address, freshKey().address, 10n ** 15n)]);
      await bench.call('sendTransaction', wire, { encoding: 'base64', skipPreflight: true });
      bench.finalize();
      const record = await bench.call('getTransaction', signatureIn(wire));
      assert.deepEqual(record['meta']?.['err'], { InstructionError: [0, { Custom: 1 }] });
      assert.equal(record['meta']?.['fee'], 5000n);
    });
  });

  describe('sendTransaction', () => {
    test('answers the first signature of the transaction', async () => {
      const wire = await bench.signed([memo('signature')]);
      const sent = await bench.call('sendTransaction', wire, { encoding: 'base64', preflightCommitment: 'processed' });
      assert.equal(sent, signatureIn(wire));
    });
    test('reads base58 when no encoding is named', async () => {
      const wire = Buffer.from(await bench.signed([memo('base58')]), 'base64');
      await bench.call('sendTransaction', encodeBase58(wire), { preflightCommitment: 'processed' });
    });
    test('refuses base64 data without encoding base64', async () => {
      const error = await bench.fails('sendTransaction', await bench.signed([memo('mistake')]));
      assert.equal(error.code, -32602);
      assert.match(error.message, /base58/);
    });
    test('refuses another encoding', async () => {
      const error = await bench.fails('sendTransaction', 'abc', { encoding: 'hex' });
      assert.match(error.message, /unsupported encoding: hex. Supported encodings: base58, base64/);
    });
    test('refuses texts above the length of one packet', async () => {
      for (const [encoding, length] of [
        ['base64', 1648],
        ['base58', 1684],
      ] as const)
        assert.match(
          (await bench.fails('sendTransaction', 'A'.repeat(length), { encoding })).message,
          /too large: \d+ bytes \(max: encoded\/raw \d+\/1232\)/,
        );
    });
    test('refuses bytes after the end of the transaction', async () => {
      const wire = Buffer.concat([Buffer.from(await bench.signed([memo('tail')]), 'base64'), Buffer.of(0)]);
      assert.equal((await bench.fails('sendTransaction', toBase64(wire), { encoding: 'base64' })).code, -32602);
    });
    test('simulates at finalized by default: a hash younger than that is not found', async () => {
      const own = await Bench.open({ consensus: 'tower' });
      try {
        const error = await own.fails('sendTransaction', await own.signed([memo('young')]), { encoding: 'base64' });
        assert.equal(error.code, -32002);
        assert.match(error.message, /Blockhash not found/);
      } finally {
        own.close();
      }
    });
    test('simulates at finalized by default, which on Alpenglow knows the newest hash', async () => {
      await bench.call('sendTransaction', await bench.signed([memo('newest')]), { encoding: 'base64' });
    });
    test('simulates at preflightCommitment', async () => {
      await bench.call('sendTransaction', await bench.signed([memo('young enough')]), {
        encoding: 'base64',
        preflightCommitment: 'processed',
      });
    });
    test('a failing simulation is -32002 with the logs, the error and the units', async () => {
      const wire = await bench.signed([transfer(bench.wallet.address, freshKey().address, 10n ** 15n)]);
      const error = await bench.fails('sendTransaction', wire, {
        encoding: 'base64',
        preflightCommitment: 'processed',
      });
      assert.equal(error.code, -32002);
      assert.equal(
        error.message,
        'Transaction simulation failed: Error processing Instruction 0: custom program error: 0x1',
      );
      const data = error.data as { err: unknown; logs: string[]; unitsConsumed: bigint };
      assert.deepEqual(data.err, { InstructionError: [0, { Custom: 1 }] });
      assert.ok(data.logs.some((line) => line.includes('insufficient lamports')));
      assert.ok(data.unitsConsumed > 0n);
    });
    test('skipPreflight accepts what will fail', async () => {
      const wire = await bench.signed([transfer(bench.wallet.address, freshKey().address, 10n ** 15n)]);
      assert.equal(
        await bench.call('sendTransaction', wire, { encoding: 'base64', skipPreflight: true }),
        signatureIn(wire),
      );
    });
    test('a wrong signature fails the preflight by its name, and with skipPreflight never lands', async () => {
      const bytes = Buffer.from(await bench.signed([memo('forged')]), 'base64');
      bytes[10] = (bytes[10] ?? 0) ^ 1;
      const wire = toBase64(bytes);
      const options = { encoding: 'base64', preflightCommitment: 'processed' };
      const { code, data } = await bench.fails('sendTransaction', wire, options);
      assert.equal(code, -32002);
      assert.equal((data as Loose | undefined)?.['err'], 'SignatureFailure');
      await bench.call('sendTransaction', wire, { ...options, skipPreflight: true });
      bench.finalize();
      assert.equal(await bench.call('getTransaction', signatureIn(wire)), null);
    });
    test('the same transaction twice is refused as already processed', async () => {
      const wire = await bench.signed([memo('twice')]);
      const options = { encoding: 'base64', preflightCommitment: 'processed' };
      await bench.call('sendTransaction', wire, options);
      const error = await bench.fails('sendTransaction', wire, options);
      assert.match(error.message, /already been processed/);
    });
    test('maxRetries is a u64', async () => {
      const options = { encoding: 'base64', preflightCommitment: 'processed' };
      await bench.call('sendTransaction', await bench.signed([memo('retries')]), { ...options, maxRetries: 0 });
      for (const maxRetries of [-1, new JsonNumber('1.5'), '3'])
        assert.equal((await bench.fails('sendTransaction', 'abc', { ...options, maxRetries })).code, -32602);
    });
  });

  test('every method of the contract is among the methods', () => {
    for (const method of [
      'getSlot',
      'getBalance',
      'getBlockHeight',
      'getEpochInfo',
      'getLatestBlockhash',
      'getTokenSupply',
      'getProgramAccounts',
      'getTokenAccountsByOwner',
      'getTransaction',
      'getSignaturesForAddress',
      'sendTransaction',
    ])
      assert.ok(bench.ledger.rpc.methods.has(method), method);
  });

  test('an unknown method is -32601, also under a name every object has', async () => {
    for (const method of ['getBalanc', 'constructor', '__proto__', 'toString'])
      assert.equal((await bench.fails(method)).code, -32601);
  });

  test('the System program itself can be read, with the rent epoch nodes show', async () => {
    const { value } = await bench.call('getAccountInfo', SYSTEM, { encoding: 'base64' });
    assert.deepEqual([value?.['executable'], value?.['rentEpoch']], [true, 18446744073709551615n]);
  });
});
