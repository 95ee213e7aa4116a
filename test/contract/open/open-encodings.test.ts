// Every encoding of accounts and transactions on the service without keys, and every error of a call: its code, its
// text and its data.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Keypair, SystemProgram, Transaction } from '@solana/web3.js';
import { decodeBase58 } from '../../../core/solana/encoding/base58';
import { member, type JsonValue } from '../../../core/solana/json/json';
import { openFixture, PRICE, type Fixture } from './open-fixture';
import { call, refusal } from './open-harness';
import { NO_SIGNATURE, TOKEN_PROGRAM, UNKNOWN } from '../../corpus/values';
import {
  address,
  anything,
  assertShape,
  list,
  literal,
  nothing,
  object,
  signature,
  text,
  tokenAmount,
  u64,
} from '../../corpus/shapes';

let fixture: Fixture;
before(async () => {
  fixture = await openFixture();
});
after(() => fixture.stop());

const dataOf = async (where: string, encoding?: string): Promise<JsonValue | undefined> => {
  const config = encoding === undefined ? [] : [{ encoding }];
  return member(member(await call(fixture.open, 'getAccountInfo', where, ...config), 'value'), 'data');
};
const bytesOf = (data: JsonValue | undefined): Buffer => {
  const [encoded] = data as readonly string[];
  return Buffer.from(encoded ?? '', 'base64');
};

describe('Accounts', () => {
  test('base58 and no encoding at all give what base64 gives, up to 128 bytes', async () => {
    const mint = fixture.mint.toBase58();
    const whole = bytesOf(await dataOf(mint, 'base64'));
    assert.equal(whole.length, 82);
    const [short, name] = (await dataOf(mint, 'base58')) as readonly string[];
    assert.equal(name, 'base58');
    assert.deepEqual(Buffer.from(decodeBase58(short ?? '') ?? []), whole);
    assert.equal(await dataOf(mint), short);
  });
  test('base64+zstd is a frame around the same bytes', async () => {
    const data = await dataOf(fixture.mint.toBase58(), 'base64+zstd');
    assert.equal((data as readonly string[])[1], 'base64+zstd');
    assert.ok(bytesOf(data).includes(bytesOf(await dataOf(fixture.mint.toBase58(), 'base64'))));
  });
  test('jsonParsed parses the data of an account, and falls back to base64 for an unknown program', async () => {
    const parsed = await dataOf(fixture.tokens.toBase58(), 'jsonParsed');
    assertShape(
      parsed,
      object({
        parsed: object({
          info: object({
            delegate: address,
            delegatedAmount: object(tokenAmount),
            isNative: literal(false),
            mint: address,
            owner: address,
            state: literal('initialized'),
            tokenAmount: object(tokenAmount),
          }),
          type: literal('account'),
        }),
        program: literal('spl-token'),
        space: u64,
      }),
      'data',
    );
    assert.deepEqual(await dataOf(fixture.receiver.toBase58(), 'jsonParsed'), ['', 'base64']);
  });
  test('lists of accounts without an encoding are bare base58 up to 128 bytes, as a node has them', async () => {
    const config = { filters: [{ dataSize: 82 }] };
    const mints = (await call(fixture.open, 'getProgramAccounts', TOKEN_PROGRAM, config)) as readonly JsonValue[];
    const found = mints.find((row) => member(row, 'pubkey') === fixture.mint.toBase58());
    assert.equal(member(member(found, 'account'), 'data'), await dataOf(fixture.mint.toBase58()));
    const owned = [fixture.wallet.publicKey.toBase58(), { mint: fixture.mint.toBase58() }] as const;
    const delegated = [fixture.delegate.toBase58(), { mint: fixture.mint.toBase58() }] as const;
    for (const [method, params] of [
      ['getTokenAccountsByOwner', owned],
      ['getTokenAccountsByDelegate', delegated],
    ] as const) {
      const sliced = await call(fixture.open, method, ...params, { dataSlice: { offset: 0, length: 32 } });
      const [row] = member(sliced, 'value') as readonly JsonValue[];
      assert.equal(member(member(row, 'account'), 'data'), fixture.mint.toBase58());
      assert.equal(member(await refusal(fixture.open, method, ...params), 'code'), -32600);
    }
    assert.equal(member(await refusal(fixture.open, 'getProgramAccounts', TOKEN_PROGRAM), 'code'), -32600);
  });
  test('dataSlice cuts the data that is returned, not the space', async () => {
    const config = { encoding: 'base64', dataSlice: { offset: 36, length: 8 } };
    const account = member(await call(fixture.open, 'getAccountInfo', fixture.mint.toBase58(), config), 'value');
    assert.equal(bytesOf(member(account, 'data')).readBigUInt64LE(), 12_500_000n);
    assert.equal(member(account, 'space'), 82);
  });
});

describe('Transactions', () => {
  const shown = (encoding: string): Promise<JsonValue> =>
    call(fixture.open, 'getTransaction', fixture.legacy, { encoding, maxSupportedTransactionVersion: 0 });
  test('base64 and base58 are the same bytes', async () => {
    const long = bytesOf(member(await shown('base64'), 'transaction'));
    const [short, name] = member(await shown('base58'), 'transaction') as readonly string[];
    assert.equal(name, 'base58');
    assert.deepEqual(Buffer.from(decodeBase58(short ?? '') ?? []), long);
    assert.equal(Transaction.from(long).instructions.length, 3);
  });
  test('jsonParsed parses each instruction', async () => {
    const message = member(member(await shown('jsonParsed'), 'transaction'), 'message');
    const transfer = (member(message, 'instructions') as readonly JsonValue[])[1];
    assert.deepEqual(member(transfer, 'parsed'), {
      info: {
        destination: fixture.receiver.toBase58(),
        lamports: 3_000_000,
        source: fixture.wallet.publicKey.toBase58(),
      },
      type: 'transfer',
    });
  });
  for (const [details, shape] of [
    ['full', { transactions: list(anything, 1) }],
    ['accounts', { transactions: list(object({ meta: anything, transaction: anything, version: anything }), 1) }],
    ['signatures', { signatures: list(signature, 1) }],
    ['none', {}],
  ] as const)
    test(`getBlock answers with ${details}`, async () => {
      const config = { transactionDetails: details, maxSupportedTransactionVersion: 0, rewards: false };
      const block = await call(fixture.open, 'getBlock', fixture.slot, config);
      const { transactions, signatures } = block as Readonly<Record<string, JsonValue>>;
      const contents = { ...(transactions && { transactions }), ...(signatures && { signatures }) };
      assertShape(contents, object(shape), details);
    });
});

describe('What was paid', () => {
  const feesFor = async (
    ...accounts: readonly string[]
  ): Promise<ReadonlyMap<JsonValue | undefined, JsonValue | undefined>> => {
    const rows = (await call(fixture.open, 'getRecentPrioritizationFees', accounts)) as readonly JsonValue[];
    return new Map(rows.map((row) => [member(row, 'slot'), member(row, 'prioritizationFee')]));
  };
  test('the price is reported for the block that it was paid in, and zero for the others', async () => {
    const fees = await feesFor();
    assert.equal(fees.get(fixture.slot), PRICE);
    assert.equal([...fees.values()].filter((fee) => fee === PRICE).length, 1);
    assert.equal(fees.size <= 150, true);
  });
  test('an account that nobody wrote adds nothing', async () => {
    assert.equal((await feesFor(UNKNOWN, fixture.receiver.toBase58())).get(fixture.slot), PRICE);
  });
});

describe('Errors', () => {
  const INVALID = -32602;
  const errors: readonly (readonly [
    name: string,
    ask: () => readonly [method: string, ...params: unknown[]],
    code: number,
    message: RegExp,
  ])[] = [
    ['a method nobody knows', () => ['getNothing'], -32601, /^Method not found$/],
    ['a method that nodes dropped', () => ['getConfirmedBlock', 1], -32601, /^Method not found: .* getBlock\.$/],
    ['an invalid address', () => ['getBalance', 'x'], INVALID, /^Invalid param: (?:Invalid|WrongSize)$/],
    [
      'a base58 answer above 128 bytes',
      () => ['getAccountInfo', fixture.tokens.toBase58()],
      -32600,
      /please use Base64 encoding/,
    ],
    ['an unknown encoding', () => ['getAccountInfo', UNKNOWN, { encoding: 'hex' }], INVALID, /unknown variant `hex`/],
    [
      'too many accounts',
      () => ['getMultipleAccounts', Array(101).fill(UNKNOWN)],
      INVALID,
      /^Too many inputs provided; max 100$/,
    ],
    [
      'too many filters',
      () => ['getProgramAccounts', TOKEN_PROGRAM, { filters: Array(5).fill({ dataSize: 1 }) }],
      INVALID,
      /^Too many filters provided; max 4$/,
    ],
    ['a slot that is not there yet', () => ['getBlock', 10 ** 9], -32004, /^Block not available for slot 1000000000$/],
    [
      'rewards of an epoch that runs',
      () => ['getInflationReward', [UNKNOWN]],
      -32004,
      /^Block not available for slot 432000$/,
    ],
    [
      'a version that was not allowed for',
      () => ['getTransaction', fixture.versioned],
      -32015,
      /\(0\) is not supported/,
    ],
    [
      'a boundary that is not known',
      () => ['getSignaturesForAddress', UNKNOWN, { before: NO_SIGNATURE }],
      -32020,
      /not found/,
    ],
    [
      'a limit above the most',
      () => ['getSignaturesForAddress', UNKNOWN, { limit: 1001 }],
      INVALID,
      /^Invalid limit; max 1000$/,
    ],
    ['a range above the most', () => ['getBlocks', 0, 500_001], INVALID, /^Slot range too large; max 500000$/],
    [
      'leaders of an epoch to come',
      () => ['getSlotLeaders', 864_000, 1],
      INVALID,
      /^Invalid slot range: leader schedule for epoch 2 is unavailable$/,
    ],
    ['too many leaders', () => ['getSlotLeaders', 0, 5001], INVALID, /^Invalid limit; max 5000$/],
    [
      'production of slots to come',
      () => ['getBlockProduction', { range: { firstSlot: 10 ** 9 } }],
      INVALID,
      /is too large; max \d+$|cannot be less/,
    ],
    [
      'an account that is not a mint',
      () => ['getTokenSupply', fixture.wallet.publicKey.toBase58()],
      INVALID,
      /^Invalid param: not a Token mint$/,
    ],
    [
      'a token account that is not there',
      () => ['getTokenAccountBalance', UNKNOWN],
      INVALID,
      /^Invalid param: could not find account$/,
    ],
    [
      'an unknown token program',
      () => ['getTokenAccountsByOwner', UNKNOWN, { programId: UNKNOWN }],
      INVALID,
      /^Invalid param: unrecognized Token program id$/,
    ],
    [
      'params where none are taken',
      () => ['getHealth', 1],
      INVALID,
      /^Invalid parameters: No parameters were expected$/,
    ],
    ['params by name', () => ['getRecentPrioritizationFees', {}], INVALID, /^Invalid params: /],
    [
      'too large a transaction',
      () => ['sendTransaction', 'A'.repeat(1648), { encoding: 'base64' }],
      INVALID,
      /too large: 1648 bytes \(max: encoded\/raw 1644\/1232\)$/,
    ],
    [
      'bytes that are no transaction',
      () => ['sendTransaction', 'AAAA', { encoding: 'base64' }],
      INVALID,
      /^failed to deserialize/,
    ],
  ];
  for (const [name, ask, code, message] of errors)
    test(name, async () => {
      const error = await refusal(fixture.open, ...ask());
      assert.equal(member(error, 'code'), code);
      const said = member(error, 'message');
      assert.ok(typeof said === 'string');
      assert.match(said, message);
    });

  test('a transaction that would fail is -32002 with what its simulation said', async () => {
    const { blockhash } = await fixture.connection.getLatestBlockhash('finalized');
    const { wallet, receiver } = fixture;
    const transaction = new Transaction({ feePayer: wallet.publicKey, recentBlockhash: blockhash }).add(
      SystemProgram.transfer({ fromPubkey: wallet.publicKey, toPubkey: receiver, lamports: 9_000_000_000_000_000 }),
    );
    transaction.sign(wallet);
    const wire = transaction.serialize().toString('base64');
    const error = await refusal(fixture.open, 'sendTransaction', wire, { encoding: 'base64' });
    assert.equal(member(error, 'code'), -32002);
    assert.equal(
      member(error, 'message'),
      'Transaction simulation failed: Error processing Instruction 0: custom program error: 0x1',
    );
    const data = member(error, 'data');
    assert.deepEqual(member(data, 'err'), { InstructionError: [0, { Custom: 1 }] });
    assertShape(member(data, 'logs'), list(text, 2), 'logs');
    assertShape(member(data, 'unitsConsumed'), u64, 'unitsConsumed');
    assertShape(member(data, 'returnData'), nothing, 'returnData');
  });
  test('a signature that does not fit is -32002 with its name', async () => {
    const bytes = Buffer.from(await fixture.transfer(), 'base64');
    bytes[5] = (bytes[5] ?? 0) ^ 1;
    const error = await refusal(fixture.open, 'sendTransaction', bytes.toString('base64'), { encoding: 'base64' });
    assert.equal(member(error, 'code'), -32002);
    assert.equal(member(member(error, 'data'), 'err'), 'SignatureFailure');
  });
  test('a blockhash that nobody made is -32002 with BlockhashNotFound', async () => {
    const { wallet, receiver } = fixture;
    const recentBlockhash = Keypair.generate().publicKey.toBase58();
    const transaction = new Transaction({ feePayer: wallet.publicKey, recentBlockhash }).add(
      SystemProgram.transfer({ fromPubkey: wallet.publicKey, toPubkey: receiver, lamports: 1 }),
    );
    transaction.sign(wallet);
    const wire = transaction.serialize().toString('base64');
    const error = await refusal(fixture.open, 'sendTransaction', wire, { encoding: 'base64' });
    assert.equal(member(error, 'code'), -32002);
    assert.equal(member(member(error, 'data'), 'err'), 'BlockhashNotFound');
  });
});
