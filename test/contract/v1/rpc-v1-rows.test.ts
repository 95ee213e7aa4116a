// Version 1 on the local service, row by row: what each limit admits, what a node says of what lies beyond, and how each
// version setting shows it.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { decodeBase58, encodeBase58 } from '../../../core/solana/encoding/base58';
import type { JsonValue } from '../../../core/solana/json/json';
import { decodeMessageStrictly, decodeStrictly } from '../../../localnet/ledger/transaction/wire';
import { AT_LIMIT, NODE_TEXTS, sizeByFormula, v1OfSize } from '../../support/data/v1Limits';
import { BROKEN, v1Bytes } from '../../support/data/v1Transactions';
import type { Loose } from '../rpc/rpc-harness';
import { plain, text, V1Bench } from './v1-bench';

const TRANSACTION = 'solana_transaction::versioned::VersionedTransaction';
const MESSAGE = 'solana_message::versions::VersionedMessage';

let v1: V1Bench;
before(async () => {
  v1 = await V1Bench.open();
});
after(() => v1.bench.close());

describe('layout and limits', () => {
  for (const [name, changed] of Object.entries(AT_LIMIT))
    test(`${name} is read, has the size of the formula, and reaches the engine`, async () => {
      const bytes = v1Bytes(changed);
      const { message, messageOffset, messageEnd, signatures } = decodeStrictly(bytes);
      assert.equal(bytes.length, sizeByFormula(changed));
      assert.deepEqual([messageOffset, bytes.length - messageEnd], [0, 64 * signatures.length]);
      assert.deepEqual(decodeMessageStrictly(bytes.subarray(0, messageEnd)), message);
      assert.equal(message.blockhash, encodeBase58(bytes.subarray(8, 40)));
      assert.equal(message.staticKeys[0], encodeBase58(bytes.subarray(42, 74)));
      const { err } = await v1.simulated(bytes, { replaceRecentBlockhash: true });
      assert.notEqual(err, 'SanitizeFailure');
    });

  for (const [name, said] of Object.entries(NODE_TEXTS))
    test(`${name}: the answer has the node's text`, async () => {
      const given = text(BROKEN[name] ?? new Uint8Array());
      const { code, message } = await v1.bench.fails('sendTransaction', given, { encoding: 'base64' });
      assert.deepEqual([code, message], [-32602, `failed to deserialize ${TRANSACTION}: ${said}`]);
    });

  test('a message with bytes after its end, or none of its instructions, has no fee', async () => {
    const message = v1Bytes({ signatures: [] });
    for (const [bytes, said] of [
      [Uint8Array.of(...message, 0), 'unexpected trailing data'],
      [message.subarray(0, -1), 'buffer too small'],
    ] as const) {
      const error = await v1.bench.fails('getFeeForMessage', text(bytes));
      assert.deepEqual([error.code, error.message], [-32602, `failed to deserialize ${MESSAGE}: ${said}`]);
    }
  });
});

/** Texts of -32602 by method, encoding and what is sent; `n` bytes of text or of what it encodes. */
const SIZES = [
  ['sendTransaction', 'base64', text(v1OfSize(4097)), `decoded ${TRANSACTION} too large: 4097 bytes (max: 4096 bytes)`],
  [
    'sendTransaction',
    'base64',
    text(v1OfSize(4100)),
    `base64 encoded ${TRANSACTION} too large: 5468 bytes (max: encoded/raw 5464/4096)`,
  ],
  [
    'simulateTransaction',
    'base64',
    text(v1OfSize(4100)),
    `base64 encoded ${TRANSACTION} too large: 5468 bytes (max: encoded/raw 5464/4096)`,
  ],
  [
    'sendTransaction',
    'base64',
    text(new Uint8Array(1233).fill(1)),
    `decoded ${TRANSACTION} too large: 1233 bytes (max: 1232 bytes)`,
  ],
  [
    'sendTransaction',
    'base64',
    text(new Uint8Array(1236).fill(1)),
    `base64 encoded ${TRANSACTION} too large: 1648 bytes (max: encoded/raw 1644/1232)`,
  ],
  [
    'sendTransaction',
    'base58',
    encodeBase58(new Uint8Array(1233).fill(1)),
    `decoded ${TRANSACTION} too large: 1233 bytes (max: 1232 bytes)`,
  ],
  [
    'sendTransaction',
    'base58',
    '2'.repeat(1684),
    `base58 encoded ${TRANSACTION} too large: 1684 bytes (max: encoded/raw 1683/1232)`,
  ],
  ['sendTransaction', 'base64', 'gQ!=', 'invalid base64 encoding: InvalidByte(2, 33)'],
  ['sendTransaction', 'base64', 'gQAAA', 'invalid base64 encoding: InvalidLength(5)'],
  ['sendTransaction', 'base64', 'gQ', 'invalid base64 encoding: InvalidPadding'],
  ['sendTransaction', 'base64', 'gR==', 'invalid base64 encoding: InvalidLastSymbol(1, 82)'],
  ['sendTransaction', 'base58', 'gQ0', "invalid base58 encoding: InvalidCharacter { character: '0', index: 2 }"],
  ['getFeeForMessage', '', text(v1OfSize(4097)), `decoded ${MESSAGE} too large: 4097 bytes (max: 4096 bytes)`],
  [
    'getFeeForMessage',
    '',
    text(v1OfSize(4100)),
    `base64 encoded ${MESSAGE} too large: 5468 bytes (max: encoded/raw 5464/4096)`,
  ],
  [
    'getFeeForMessage',
    '',
    text(new Uint8Array(1236).fill(1)),
    `base64 encoded ${MESSAGE} too large: 1648 bytes (max: encoded/raw 1644/1232)`,
  ],
  ['getFeeForMessage', '', 'gQ!=', 'invalid base64 encoding: InvalidByte(2, 33)'],
] as const;

describe('sizes and encodings', () => {
  for (const [method, encoding, given, said] of SIZES)
    test(`${method} ${encoding}: ${said.slice(0, 90)}`, async () => {
      const { code, message } = await v1.bench.fails(method, given, ...(encoding === '' ? [] : [{ encoding }]));
      assert.deepEqual([code, message], [-32602, said]);
    });

  test('base64 of every second byte after 0x81 begins as version 1; 0x80 and 0x82 do not', async () => {
    for (const [first, most] of [
      [0x81, '5464/4096'],
      [0x80, '1644/1232'],
      [0x82, '1644/1232'],
      [0x01, '1644/1232'],
    ] as const)
      for (let second = 0; second < 256; second += 5) {
        const bytes = new Uint8Array(4100);
        bytes.set([first, second]);
        const { message } = await v1.bench.fails('sendTransaction', text(bytes), { encoding: 'base64' });
        assert.ok(message.endsWith(`(max: encoded/raw ${most})`), `${first} ${second}: ${message}`);
      }
  });

  test('1,232 bytes as base58 and 4,096 as base64 are taken', async () => {
    const options = { replaceRecentBlockhash: true };
    await v1.bench.call('simulateTransaction', encodeBase58(v1OfSize(1232)), options);
    await v1.bench.call('simulateTransaction', text(v1OfSize(4096)), { ...options, encoding: 'base64' });
  });
});

describe('how each setting shows it', () => {
  let signature: string;
  let slot: number;
  before(async () => {
    const record = await v1.landed(await v1.made());
    signature = (record?.['transaction']?.['signatures'] as unknown as string[])[0] ?? '';
    slot = Number(record?.['slot']);
  });
  const block = (config: Record<string, JsonValue>) =>
    v1.bench.call('getBlock', slot, { commitment: 'confirmed', ...config });
  const entry = (config: Record<string, JsonValue>) =>
    v1.bench.call('getTransaction', signature, { commitment: 'confirmed', ...config });

  /** maxSupportedTransactionVersion: null for the answer, else the code of its error. */
  for (const [given, code] of [
    [undefined, -32015],
    [null, -32015],
    [0, -32015],
    [1, null],
    [2, null],
    [255, null],
    [256, -32602],
    [-1, -32602],
    ['1', -32602],
    [1.5, -32602],
  ] as const)
    test(`maxSupportedTransactionVersion ${String(given)}: ${code ?? 'an answer'}`, async () => {
      const config = given === undefined ? {} : { maxSupportedTransactionVersion: given };
      for (const [method, what] of [
        ['getTransaction', signature],
        ['getBlock', slot],
      ] as const)
        if (code === null) await v1.bench.call(method, what, { commitment: 'confirmed', ...config });
        else assert.equal((await v1.bench.fails(method, what, { commitment: 'confirmed', ...config })).code, code);
    });

  test('details without transactions, and lists of signatures, are the same at every setting', async () => {
    assert.ok((await block({ transactionDetails: 'none' }))['blockhash']);
    const { signatures } = await block({ transactionDetails: 'signatures', maxSupportedTransactionVersion: 0 });
    assert.ok((signatures as unknown as string[]).includes(signature));
    const listed = (await v1.bench.call('getSignaturesForAddress', v1.to, {
      commitment: 'confirmed',
    })) as unknown as Loose[];
    assert.ok(listed.some((one) => one['signature'] === signature));
  });

  test('details `accounts` have signatures and keys, and no configuration', async () => {
    const { transactions } = await block({ transactionDetails: 'accounts', maxSupportedTransactionVersion: 1 });
    const mine = (transactions as unknown as Loose[]).find(
      ({ transaction }) => (transaction?.['signatures'] as unknown as string[])[0] === signature,
    );
    assert.equal(mine?.['version'], 1);
    assert.deepEqual(Object.keys(mine['transaction'] ?? {}).sort(), ['accountKeys', 'signatures']);
    const keys = mine['transaction']?.['accountKeys'] as unknown as Loose[];
    assert.deepEqual([...new Set(keys.map(({ source }) => source))], ['transaction']);
  });

  for (const encoding of ['json', 'jsonParsed', 'base64'] as const)
    test(`getBlock and getTransaction show the same in ${encoding}`, async () => {
      const config = { encoding, maxSupportedTransactionVersion: 1 };
      const { transactions } = await block(config);
      const one = await entry(config);
      const mine = (transactions as unknown as Loose[]).find(
        ({ transaction }) => JSON.stringify(plain(transaction)) === JSON.stringify(plain(one['transaction'])),
      );
      assert.equal(mine?.['version'], 1);
      const message = one['transaction']?.['message'];
      if (message === undefined) return;
      assert.deepEqual(Object.keys(message['transactionConfig'] ?? {}).sort(), [
        'computeUnitLimit',
        'heapSize',
        'loadedAccountsDataSizeLimit',
        'priorityFee',
      ]);
      assert.equal('addressTableLookups' in message, false);
      const [first] = message['instructions'] as unknown as Loose[];
      assert.equal(Number(first?.['stackHeight']), 1);
    });

  test('base64 is the bytes that were sent', async () => {
    const wire = await v1.made();
    const record = await v1.landed(wire);
    signature = (record?.['transaction']?.['signatures'] as unknown as string[])[0] ?? '';
    const config = { encoding: 'base64', maxSupportedTransactionVersion: 1 };
    const [given, said] = (await entry(config))['transaction'] as unknown as [string, string];
    assert.equal(said, 'base64');
    assert.deepEqual(new Uint8Array(Buffer.from(given, 'base64')), new Uint8Array(wire));
  });
});

test('Agave 4.2 has version 1 in base58 as well', async () => {
  const older = await V1Bench.open({ consensus: 'tower' });
  const wire = await older.made();
  const record = await older.landed(wire);
  const signature = (record?.['transaction']?.['signatures'] as unknown as string[])[0] ?? '';
  const config = { commitment: 'confirmed', encoding: 'base58', maxSupportedTransactionVersion: 1 };
  const found = await older.bench.call('getTransaction', signature, config);
  const [given = '', said] = found['transaction'] as unknown as [string, string];
  assert.equal(said, 'base58');
  assert.deepEqual(decodeBase58(given), new Uint8Array(wire));
  older.bench.close();
});
