// Version 1 as the editor reads and checks it, row by row: what each limit admits, each encoding and first byte, what each
// setting of maxSupportedTransactionVersion means, and what is said of its configuration.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { checkCall } from '../../../core/requests/methods/check';
import { METHODS, STANDARD_METHODS } from '../../../core/requests/methods/index';
import { nextStep } from '../../../core/service/rpcErrors';
import { transactionMarkdown } from '../../../core/requests/language/features/transactionText';
import { nonceOf } from '../../../core/solana/wire/transactionText';
import { decodeBase58, encodeBase58 } from '../../../core/solana/encoding/base58';
import { encodeBase64 } from '../../../core/solana/encoding/base64';
import { printJson, type JsonValue } from '../../../core/solana/json/json';
import { transactionFromJson, transactionFromWire } from '../../../core/solana/decode/transactions/decode';
import { transactionRows } from '../../../core/solana/decode/transactions/rows';
import { configLines } from '../../../core/solana/wire/configText';
import { decodeMessage, decodeTransaction } from '../../../core/solana/wire/transaction';
import { AT_LIMIT, BROKEN_V1, sizeByFormula, v1OfSize } from '../../support/data/v1Limits';
import { BROKEN, key, v1Bytes, type V1Layout } from '../../support/data/v1Transactions';

const NONE = { idl: () => undefined };
const COMPUTE_BUDGET = decodeBase58('ComputeBudget111111111111111111111111111111') ?? key(0);

function found(method: string, ...params: JsonValue[]): string[] {
  const record = STANDARD_METHODS.named(method);
  assert.ok(record, method);
  return checkCall(record, params).map(({ code }) => code);
}

describe('layout and limits', () => {
  for (const [name, changed] of Object.entries(AT_LIMIT))
    test(`${name} is read, has the size of the formula, and is not a problem`, () => {
      const bytes = v1Bytes(changed);
      const decoded = decodeTransaction(bytes);
      assert.ok(decoded.ok, decoded.ok ? '' : decoded.reason);
      const { message, messageBytes, signatures, size } = decoded.value;
      assert.deepEqual([size, size], [bytes.length, sizeByFormula(changed)]);
      assert.deepEqual(messageBytes, bytes.subarray(0, size - 64 * signatures.length));
      assert.deepEqual(decodeMessage(messageBytes), { ok: true, value: message });
      assert.deepEqual(message.blockhash, bytes.subarray(8, 40));
      assert.deepEqual(message.accountKeys[0], bytes.subarray(42, 74));
      assert.deepEqual(found('sendTransaction', encodeBase64(bytes), { encoding: 'base64' }), []);
    });

  for (const [name, bytes] of BROKEN_V1)
    test(`${name} is a problem in base58, too`, () => {
      const given = encodeBase58(bytes);
      assert.deepEqual(found('simulateTransaction', given), [
        bytes.length > 1232 ? 'transaction-too-large' : 'transaction-malformed',
      ]);
    });

  test('another first byte from 0x80 on is a problem, with any bytes after it', () => {
    for (const first of [0x80, 0x82, 0x90, 0xff])
      for (const bytes of [v1Bytes({ version: first }), new Uint8Array(300).fill(first)]) {
        assert.deepEqual(found('sendTransaction', encodeBase64(bytes), { encoding: 'base64' }), [
          'transaction-malformed',
        ]);
        assert.deepEqual(found('sendTransaction', encodeBase58(bytes)), ['transaction-malformed']);
      }
    assert.equal(decodeTransaction(BROKEN['version 0 in place of a count of signatures'] ?? key(0)).ok, false);
  });

  test('a base64 text of version 1 begins with g and Q to f, and is judged by 4,096 bytes', () => {
    for (let second = 0; second < 256; second++) {
      const bytes = new Uint8Array(4096);
      bytes.set([0x81, second]);
      const text = encodeBase64(bytes);
      assert.match(text, /^g[Q-Za-f]/);
      assert.deepEqual(
        found('sendTransaction', text, { encoding: 'base64' }),
        ['transaction-malformed'],
        text.slice(0, 4),
      );
    }
  });
});

/** Sizes in bytes by encoding: allowed or too large. */
describe('sizes', () => {
  for (const [size, encoding, expected] of [
    [1232, 'base58', []],
    [1233, 'base58', ['transaction-too-large']],
    [1233, 'base64', []],
    [4096, 'base64', []],
    [4097, 'base64', ['transaction-too-large']],
  ] as const)
    test(`${size} bytes in ${encoding}`, () => {
      const encode = encoding === 'base58' ? encodeBase58 : encodeBase64;
      for (const method of ['sendTransaction', 'simulateTransaction'])
        assert.deepEqual(found(method, encode(v1OfSize(size)), { encoding }), expected);
    });

  test('the longest texts are those that nodes take: 5,464 and 1,683 characters', () => {
    assert.equal(encodeBase64(v1OfSize(4096)).length, 5464);
    assert.equal(encodeBase58(new Uint8Array(1232).fill(255)).length, 1683);
  });
});

const SIGNATURE = encodeBase58(new Uint8Array(64).fill(7));

describe('maxSupportedTransactionVersion', () => {
  const CALLS = [
    ['getTransaction', SIGNATURE],
    ['getBlock', 430],
    ['blockSubscribe', 'all'],
  ] as const;
  for (const [given, expected] of [
    [undefined, ['legacy-only']],
    [null, ['legacy-only']],
    [0, ['legacy-only']],
    [1, []],
    [255, []],
    [256, ['out-of-range']],
    ['1', ['wrong-type']],
  ] as const)
    test(`${given === undefined ? 'left out' : JSON.stringify(given)}: ${expected.join() || 'no problem'}`, () => {
      const config = given === undefined ? {} : { maxSupportedTransactionVersion: given };
      for (const [method, first] of CALLS) assert.deepEqual(found(method, first, config), expected, method);
    });

  test('details without transactions need none, and `accounts` do', () => {
    for (const [details, expected] of [
      ['none', []],
      ['signatures', []],
      ['accounts', ['legacy-only']],
      ['full', ['legacy-only']],
    ] as const)
      for (const [method, first] of CALLS.slice(1))
        assert.deepEqual(found(method, first, { transactionDetails: details }), expected, details);
    assert.deepEqual(found('getSignaturesForAddress', encodeBase58(key(5))), []);
  });

  test('every example that names it admits version 1, and the fix and the next step say 1', () => {
    for (const { name, example } of METHODS)
      assert.doesNotMatch(printJson(example ?? null), /maxSupportedTransactionVersion":(?!1[,}])/, name);
    const record = STANDARD_METHODS.named('getBlock');
    assert.ok(record);
    assert.deepEqual(checkCall(record, [430])[0]?.fixes, [
      { kind: 'set', path: [1], members: { maxSupportedTransactionVersion: 1 } },
    ]);
    assert.match(nextStep(-32015, undefined) ?? '', /"maxSupportedTransactionVersion": 1/);
  });
});

describe('JSON of a node', () => {
  const keys = [key(1), key(2), key(3)].map(encodeBase58);
  const raw = {
    accountKeys: keys,
    recentBlockhash: encodeBase58(key(9)),
    header: { numRequiredSignatures: 1, numReadonlySignedAccounts: 0, numReadonlyUnsignedAccounts: 1 },
    instructions: [
      { programIdIndex: 2, accounts: [0, 1], data: encodeBase58(Uint8Array.of(0xaa, 0xbb, 0xcc)), stackHeight: 1 },
    ],
    transactionConfig: {
      priorityFee: 1500,
      computeUnitLimit: 420_000,
      loadedAccountsDataSizeLimit: 67_108_864,
      heapSize: 65_536,
    },
  };
  const parsedKeys = keys.map((pubkey, at) => ({
    pubkey,
    signer: at === 0,
    writable: at < 2,
    source: 'transaction',
  }));
  const parsed = {
    accountKeys: parsedKeys,
    recentBlockhash: raw.recentBlockhash,
    instructions: [{ programId: keys[2], accounts: keys.slice(0, 2), data: raw.instructions[0]?.data, stackHeight: 1 }],
    transactionConfig: raw.transactionConfig,
  };
  const signatures = [SIGNATURE];
  const wire = v1Bytes();
  const FORMS: Readonly<Record<string, JsonValue>> = {
    json: { signatures, message: raw },
    jsonParsed: { signatures, message: parsed } as unknown as JsonValue,
    base64: [encodeBase64(wire), 'base64'],
    base58: [encodeBase58(wire), 'base58'],
    'bare base58': encodeBase58(wire),
  };
  const expected = transactionFromWire(wire, NONE);
  for (const [name, transaction] of Object.entries(FORMS))
    test(`${name} is read as its bytes are`, () => {
      const read = transactionFromJson({ version: 1, meta: null, transaction }, NONE);
      assert.ok(read.ok && expected.ok, name);
      const facts = ({ version, config, accounts, blockhash, instructions }: typeof read.value) => ({
        version,
        config,
        blockhash,
        accounts: accounts.map(({ address, isSigner, isWritable }) => [address, isSigner, isWritable]),
        data: instructions.map(({ data, program }) => [program, [...(data ?? [])]]),
      });
      assert.deepEqual(facts(read.value), facts(expected.value));
    });

  test('details `accounts` have a version and no configuration', () => {
    const read = transactionFromJson(
      { version: 1, meta: null, transaction: { signatures, accountKeys: parsedKeys } },
      NONE,
    );
    assert.ok(read.ok);
    assert.deepEqual([read.value.version, read.value.config], [1, undefined]);
  });
});

describe('a durable nonce', () => {
  const SYSTEM = new Uint8Array(32);
  const NONCE = { account: encodeBase58(key(2)), nonce: encodeBase58(key(9)) };
  const v1 = (changed: Partial<V1Layout> = {}): Uint8Array =>
    v1Bytes({
      addresses: [key(1), key(2), SYSTEM],
      instructionHeaders: [[2, 3, 4]],
      payload: [1, 0, 0, 4, 0, 0, 0],
      ...changed,
    });
  const legacy = Uint8Array.from([
    ...[1, ...new Uint8Array(64).fill(7), 1, 0, 1, 3, ...key(1), ...key(2), ...SYSTEM, ...key(9)],
    ...[1, 2, 3, 1, 0, 0, 4, 4, 0, 0, 0],
  ]);
  for (const [name, bytes] of [
    ['version 1', v1()],
    ['legacy', legacy],
  ] as const)
    test(`${name}: it is in the place of a blockhash, and valid until its account is advanced`, () => {
      const text = encodeBase64(bytes);
      assert.deepEqual(nonceOf(text), NONCE);
      assert.match(
        transactionMarkdown(text) ?? '',
        new RegExp(`Nonce {7}${NONCE.nonce}, durable: valid until ${NONCE.account} is advanced`),
      );
      assert.deepEqual(found('sendTransaction', text, { encoding: 'base64' }), []);
    });

  for (const [name, bytes] of [
    ['another instruction of the System Program', v1({ payload: [1, 0, 0, 2, 0, 0, 0] })],
    ['another program', v1({ addresses: [key(1), key(2), key(3)] })],
    ['no account', v1({ instructionHeaders: [[2, 0, 4]], payload: [4, 0, 0, 0] })],
    ['data that is cut', v1({ instructionHeaders: [[2, 3, 3]], payload: [1, 0, 0, 4, 0, 0] })],
    [
      'an advance that is not the first instruction',
      v1({
        instructionCount: 2,
        instructionHeaders: [
          [2, 0, 4],
          [2, 3, 4],
        ],
        payload: [9, 0, 0, 0, 1, 0, 0, 4, 0, 0, 0],
      }),
    ],
  ] as const)
    test(`${name}: it is a blockhash`, () => {
      assert.equal(nonceOf(encodeBase64(bytes)), undefined);
      assert.match(transactionMarkdown(encodeBase64(bytes)) ?? '', /Blockhash {3}/);
    });
});

describe('what is said of it', () => {
  test('values that are not set are named with what they mean', () => {
    assert.deepEqual(
      configLines({}).map(({ name, value }) => `${name}: ${value}`),
      [
        'priorityFee: not set: none is paid',
        'computeUnitLimit: not set: 0 compute units, so no program can run',
        'loadedAccountsDataSizeLimit: not set: 0 bytes, so no account can be loaded',
        'heapSize: not set: 32,768 bytes',
      ],
    );
  });

  test('a compute unit limit above what any transaction has counts as that', () => {
    assert.equal(
      configLines({ computeUnitLimit: 2_000_000 })[1]?.value,
      '2,000,000 compute units, of which 1,400,000 count',
    );
    assert.equal(configLines({ computeUnitLimit: 1_400_000 })[1]?.value, '1,400,000 compute units');
  });

  test('its Compute Budget instructions have no effect, and those of other versions do', () => {
    const v1 = v1Bytes({ addresses: [key(1), key(2), COMPUTE_BUDGET], payload: [0, 1, 2, 1, 0] });
    const legacy = Uint8Array.from([
      ...[
        1,
        ...new Uint8Array(64).fill(7),
        1,
        0,
        1,
        2,
        ...key(1),
        ...COMPUTE_BUDGET,
        ...key(9),
        1,
        1,
        0,
        5,
        2,
        1,
        0,
        0,
        0,
      ],
    ]);
    for (const [bytes, says] of [
      [v1, true],
      [legacy, false],
    ] as const) {
      const read = transactionFromWire(bytes, NONE);
      assert.ok(read.ok, read.ok ? '' : read.reason);
      const rows = transactionRows(read.value).map(({ value }) => value);
      assert.equal(
        rows.some((value) => value.includes('(no effect in version 1)')),
        says,
        rows.join('\n'),
      );
      const hover = transactionMarkdown(encodeBase64(bytes)) ?? '';
      assert.match(hover, /Compute Budget Program/);
      assert.equal(hover.includes('(no effect in version 1)'), says);
    }
  });
});
