// Version 1 transactions as core reads them: what the public client writes, every rule of the format broken alone, and
// thousands of damaged ones.
import assert from 'node:assert/strict';
import { generateKeyPairSync, verify } from 'node:crypto';
import { describe, test } from 'node:test';
import { create, toBinary } from '@bufbuild/protobuf';
import { SubscribeUpdateTransactionInfoSchema } from '../../../proto';
import { decodeBase58, encodeBase58 } from '../../../core/solana/encoding/base58';
import {
  transactionFromJson,
  transactionFromWire,
  transactionFromYellowstone,
} from '../../../core/solana/decode/transactions/decode';
import { transactionRows } from '../../../core/solana/decode/transactions/rows';
import { transactionMarkdown } from '../../../core/requests/language/features/transactionText';
import { decodeMessage, decodeTransaction, missingSignatures } from '../../../core/solana/wire/transaction';
import { configLines } from '../../../core/solana/wire/configText';
import { BROKEN, key, kitV1, newSigner, SOUND, transferInstruction, v1Bytes } from '../../support/data/v1Transactions';

const NONE = { idl: () => undefined };
const BLOCKHASH = encodeBase58(key(9));

/** The ed25519 key of an address as Node wants it. */
function publicKey(address: string) {
  const { publicKey: any } = generateKeyPairSync('ed25519');
  const jwk = any.export({ format: 'jwk' });
  const x = Buffer.from(decodeBase58(address) ?? []).toString('base64url');
  return { key: { ...jwk, x }, format: 'jwk' } as const;
}

describe('a transaction made by the public client', () => {
  for (const [name, config] of [
    [
      'with every value',
      { priorityFeeLamports: 5001n, computeUnitLimit: 450, loadedAccountsDataSizeLimit: 65_536, heapSize: 65_536 },
    ],
    ['with a fee alone', { priorityFeeLamports: 2n ** 64n - 1n }],
    ['with a limit alone', { computeUnitLimit: 1_400_000 }],
    ['with no value', {}],
  ] as const)
    test(name, async () => {
      const payer = await newSigner();
      const to = (await newSigner()).address;
      const instructions = [transferInstruction(payer, to, 123n)];
      const wire = await kitV1({ payer, blockhash: BLOCKHASH, instructions, config });
      const decoded = decodeTransaction(wire);
      assert.ok(decoded.ok, decoded.ok ? '' : decoded.reason);
      const { message, messageBytes, signatures, size } = decoded.value;
      assert.equal(message.version, 1);
      assert.deepEqual(message.config, {
        ...('priorityFeeLamports' in config ? { priorityFee: config.priorityFeeLamports } : {}),
        ...('computeUnitLimit' in config ? { computeUnitLimit: config.computeUnitLimit } : {}),
        ...('loadedAccountsDataSizeLimit' in config
          ? { loadedAccountsDataSizeLimit: config.loadedAccountsDataSizeLimit }
          : {}),
        ...('heapSize' in config ? { heapSize: config.heapSize } : {}),
      });
      assert.equal(size, wire.length);
      assert.deepEqual(missingSignatures(decoded.value), []);
      assert.equal(encodeBase58(message.blockhash), BLOCKHASH);
      assert.deepEqual(
        message.accountKeys.map((bytes) => encodeBase58(bytes)),
        [payer.address, to, '11111111111111111111111111111111'],
      );
      assert.ok(verify(null, messageBytes, publicKey(payer.address), signatures[0] ?? new Uint8Array(64)));
      assert.deepEqual(decodeMessage(messageBytes), { ok: true, value: message });
    });

  test('is explained: who pays, what it does, and what its configuration means', async () => {
    const payer = await newSigner();
    const to = (await newSigner()).address;
    const wire = await kitV1({
      payer,
      blockhash: BLOCKHASH,
      instructions: [transferInstruction(payer, to, 1_500_000_000n)],
      config: { priorityFeeLamports: 5001n },
    });
    const explained = transactionFromWire(wire, NONE);
    assert.ok(explained.ok);
    const rows = transactionRows(explained.value).map(({ name, value }) => `${name}: ${value}`);
    assert.ok(rows.includes('version: 1'), rows.join('\n'));
    assert.ok(rows.includes('priorityFee: 5,001 lamports in total (0.000005001 SOL)'), rows.join('\n'));
    assert.ok(rows.includes('computeUnitLimit: not set: 0 compute units, so no program can run'), rows.join('\n'));
    const hover = transactionMarkdown(Buffer.from(wire).toString('base64'));
    assert.match(hover ?? '', /Transaction, version 1, \d+ bytes/);
    assert.match(hover ?? '', /1\.5 SOL/);
    assert.match(hover ?? '', /loadedAccountsDataSizeLimit {2}not set: 0 bytes/);
  });
});

describe('bytes written from the layout', () => {
  test('a sound transaction is read field by field', () => {
    const decoded = decodeTransaction(v1Bytes());
    assert.ok(decoded.ok);
    const { message, signatures, size } = decoded.value;
    assert.equal(size, v1Bytes().length);
    assert.deepEqual(signatures, SOUND.signatures);
    assert.deepEqual(message.config, {
      priorityFee: 1500n,
      computeUnitLimit: 420_000,
      loadedAccountsDataSizeLimit: 67_108_864,
      heapSize: 65_536,
    });
    assert.deepEqual(message.instructions, [
      { program: 2, accounts: Uint8Array.of(0, 1), data: Uint8Array.of(0xaa, 0xbb, 0xcc) },
    ]);
  });

  test('no instructions are allowed', () => {
    assert.ok(decodeTransaction(v1Bytes({ instructionCount: 0, instructionHeaders: [], payload: [] })).ok);
  });

  for (const [name, bytes] of Object.entries(BROKEN))
    test(`${name} is malformed, and says why`, () => {
      const decoded = decodeTransaction(bytes);
      assert.equal(decoded.ok, false);
      assert.match(decoded.ok ? '' : decoded.reason, /^[a-z0-9][^.]+$/);
    });

  test('every cut of it is malformed', () => {
    const whole = v1Bytes();
    for (let length = 0; length < whole.length; length++)
      assert.equal(decodeTransaction(whole.subarray(0, length)).ok, false, String(length));
  });

  test('20,000 damaged ones are read or refused, and never throw', () => {
    const whole = v1Bytes();
    let seed = 7;
    const random = (below: number): number => {
      seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
      return (seed >>> 8) % below;
    };
    for (let turn = 0; turn < 20_000; turn++) {
      const bytes = whole.slice(0, random(4) === 0 ? random(whole.length) : whole.length);
      for (let change = random(4); change >= 0; change--) bytes[random(bytes.length || 1)] = random(256);
      const decoded = decodeTransaction(bytes);
      if (decoded.ok) assert.ok(decoded.value.size <= bytes.length);
    }
  });
});

test("a node's JSON of version 1 says the same as its bytes", () => {
  const json = (config: Record<string, unknown>, version: unknown) => ({
    transaction: {
      signatures: [encodeBase58(new Uint8Array(64).fill(7))],
      message: {
        header: { numRequiredSignatures: 1, numReadonlySignedAccounts: 0, numReadonlyUnsignedAccounts: 1 },
        accountKeys: [key(1), key(2), key(3)].map((bytes) => encodeBase58(bytes)),
        recentBlockhash: BLOCKHASH,
        instructions: [{ programIdIndex: 2, accounts: [0, 1], data: encodeBase58(Uint8Array.of(0xaa, 0xbb, 0xcc)) }],
        transactionConfig: config,
      },
    },
    meta: null,
    ...(version === undefined ? {} : { version }),
  });
  const full = {
    priorityFee: 1500,
    computeUnitLimit: 420_000,
    loadedAccountsDataSizeLimit: 67_108_864,
    heapSize: 65_536,
  };
  const fromWire = transactionFromWire(v1Bytes(), NONE);
  for (const version of [1, undefined]) {
    const read = transactionFromJson(json(full, version) as never, NONE);
    assert.ok(read.ok && fromWire.ok);
    assert.deepEqual(
      { version: read.value.version, config: read.value.config, accounts: read.value.accounts },
      { version: 1, config: fromWire.value.config, accounts: fromWire.value.accounts },
    );
  }
  const unset = transactionFromJson(
    json({ priorityFee: null, computeUnitLimit: null, loadedAccountsDataSizeLimit: null, heapSize: null }, 1) as never,
    NONE,
  );
  assert.ok(unset.ok);
  assert.deepEqual(unset.value.config, {});
  assert.equal(configLines({}).length, 4);
});

test('a Yellowstone message with a configuration is version 1, regardless of `versioned`', () => {
  const info = (config: object | undefined, versioned: boolean) =>
    toBinary(
      SubscribeUpdateTransactionInfoSchema,
      create(SubscribeUpdateTransactionInfoSchema, {
        signature: new Uint8Array(64).fill(7),
        transaction: {
          signatures: [new Uint8Array(64).fill(7)],
          message: {
            header: { numRequiredSignatures: 1, numReadonlySignedAccounts: 0, numReadonlyUnsignedAccounts: 1 },
            accountKeys: [key(1), key(2), key(3)],
            recentBlockhash: key(9),
            instructions: [{ programIdIndex: 2, accounts: Uint8Array.of(0, 1), data: Uint8Array.of(1) }],
            versioned,
            ...(config === undefined ? {} : { config }),
          },
        },
      }),
    );
  const read = (bytes: Uint8Array) => {
    const decoded = transactionFromYellowstone(bytes, NONE);
    assert.ok(decoded.ok);
    return { version: decoded.value.version, config: decoded.value.config };
  };
  assert.deepEqual(read(info({ priorityFee: 2n ** 63n, computeUnitLimit: 0 }, true)), {
    version: 1,
    config: { priorityFee: 2n ** 63n, computeUnitLimit: 0 },
  });
  assert.deepEqual(read(info({}, true)), { version: 1, config: {} });
  assert.deepEqual(read(info(undefined, true)), { version: 0, config: undefined });
  assert.deepEqual(read(info(undefined, false)), { version: 'legacy', config: undefined });
});
