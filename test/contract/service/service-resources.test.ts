// The resources of the service and their fields, one test per row of the contract, by plain fetch.
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { testLedger } from '../../support/process/localnet';
import { freshKey, TOKEN } from '../rpc/rpc-harness';
import {
  at,
  call,
  either,
  get,
  isAddress,
  isArray,
  isArrayOf,
  isBoolean,
  isNull,
  isNumber,
  isObject,
  isOneOf,
  isSignature,
  isString,
  isWhole,
  listAt,
  post,
  rows,
  story,
  type Story,
} from './service-harness';
import { prepare } from '../../support/shared';

const local = testLedger(['--plan', 'Shared Metal']);
let ledger: Story;
prepare(async () => {
  ledger = await story(local);
});

describe('service: resources, context', () => {
  for (const [method, params] of [
    ['getBalance', () => [ledger.wallet]],
    ['getLatestBlockhash', () => []],
    ['getTokenSupply', () => [ledger.mint]],
    ['getTokenAccountsByOwner', () => [ledger.wallet, { mint: ledger.mint }]],
  ] as const)
    test(`${method} has a context.slot`, async () => {
      const slot = at(await call(local, method, ...params()), 'context.slot');
      assert.ok(isWhole(slot));
      assert.ok(Number(slot) <= Number(await call(local, 'getSlot')));
    });
});

describe('service: resources, usage', () => {
  let summary: unknown;
  let byKey: unknown;
  let keyId: string;
  before(async () => {
    const issued = await local.newKey({ type: 'rpc', plan: 'Pro' });
    ({ keyId } = issued);
    await post(local, 'getSlot', [], issued.key);
    await post(local, 'getBalance', ['nonsense'], issued.key);
    summary = await get(local, '/v1/usage');
    byKey = await get(local, `/v1/usage/${keyId}`);
  });
  describe('summary', () => {
    rows(() => summary, {
      request_count: isWhole,
      methods: isArrayOf(isObject),
      from: isWhole,
      to: isWhole,
    });
  });
  describe('method entry', () => {
    rows(() => listAt(byKey, 'methods').find((one) => at(one, 'method') === 'getBalance'), {
      method: isString,
      count: isOneOf(1),
      errors: isOneOf(1),
    });
  });
  describe('by key', () => {
    rows(() => byKey, { request_count: isOneOf(2), methods: isArray, from: isWhole, to: isWhole });
    test('key_id is the one that was asked for', () => assert.equal(at(byKey, 'key_id'), keyId));
  });
});

describe('service: resources, account', () => {
  let account: unknown;
  before(async () => {
    const filters = [{ dataSize: 165 }, { memcmp: { offset: 0, bytes: ledger.mint } }];
    account = at(await call(local, 'getProgramAccounts', TOKEN, { filters }), '0');
  });
  rows(() => account, {
    pubkey: isAddress,
    'account.lamports': isWhole,
    'account.owner': isOneOf(TOKEN),
    'account.executable': isBoolean,
    'account.data': (data) => isArrayOf(isString)(data) && at(data, '1') === 'base64' && at(data, '2') === undefined,
    'account.space': isOneOf(165),
    'account.rentEpoch': isNumber,
  });
});

describe('service: resources, token account', () => {
  let accounts: readonly unknown[];
  before(async () => {
    const options = { encoding: 'jsonParsed' };
    const found = await call(local, 'getTokenAccountsByOwner', ledger.wallet, { mint: ledger.mint }, options);
    accounts = listAt(found, 'value');
  });
  const of = (address: string): unknown => accounts.find((one) => at(one, 'pubkey') === address);
  rows(() => of(ledger.holding), {
    pubkey: isAddress,
    'account.lamports': isWhole,
    'account.owner': isOneOf(TOKEN),
    'account.executable': isOneOf(false),
    'account.rentEpoch': isNumber,
    'account.data.program': isOneOf('spl-token'),
    'account.data.parsed.type': isOneOf('account'),
    'account.data.parsed.info.mint': (mint) => mint === ledger.mint,
    'account.data.parsed.info.owner': (owner) => owner === ledger.wallet,
    'account.data.parsed.info.state': isOneOf('initialized'),
    'account.data.parsed.info.tokenAmount': isObject,
  });
  test('account.data.parsed.info.state of a frozen one is frozen', () => {
    assert.equal(at(of(ledger.frozen), 'account.data.parsed.info.state'), 'frozen');
  });
  test('account.data.parsed.info.state of an uninitialized one is uninitialized', async () => {
    const [owner, address] = [freshKey().address, freshKey().address];
    await local.cheat('setTokenAccount', { address, mint: ledger.mint, owner, amount: 0, state: 'uninitialized' });
    const options = { encoding: 'jsonParsed' };
    const found = await call(local, 'getTokenAccountsByOwner', owner, { mint: ledger.mint }, options);
    assert.equal(at(found, 'value.0.pubkey'), address);
    assert.equal(at(found, 'value.0.account.data.parsed.info.state'), 'uninitialized');
  });
});

describe('service: resources, token amount', () => {
  let amount: unknown;
  before(async () => {
    amount = at(await call(local, 'getTokenSupply', ledger.mint), 'value');
  });
  rows(() => amount, {
    amount: isOneOf('3000000'),
    decimals: isOneOf(6),
    uiAmount: either(isOneOf(3), isNull),
    uiAmountString: isOneOf('3'),
  });
});

describe('service: resources, transaction record', () => {
  let record: unknown;
  let failed: unknown;
  let minted: unknown;
  before(async () => {
    record = await call(local, 'getTransaction', ledger.paid);
    failed = await call(local, 'getTransaction', ledger.failed);
    minted = await call(local, 'getTransaction', ledger.minted);
  });
  rows(() => record, {
    slot: isWhole,
    blockTime: either(isWhole, isNull),
    transaction: isObject,
    'meta.err': isNull,
    'meta.fee': isOneOf(5000),
    'meta.preBalances': isArrayOf(isWhole),
    'meta.postBalances': isArrayOf(isWhole),
    'meta.logMessages': isArrayOf(isString),
    'meta.innerInstructions': isArray,
    'meta.preTokenBalances': isArray,
    'meta.postTokenBalances': isArray,
    'meta.rewards': either(isArray, isNull),
  });
  test('meta.err of a failed one is its error', () =>
    assert.deepEqual(at(failed, 'meta.err'), { InstructionError: [0, { Custom: 1 }] }));
  test('meta.preBalances and meta.postBalances are in the order of accountKeys', () => {
    const accountKeys = listAt(record, 'transaction.message.accountKeys');
    const [before, after] = [listAt(record, 'meta.preBalances'), listAt(record, 'meta.postBalances')];
    assert.equal(accountKeys[0], ledger.wallet);
    assert.deepEqual([before.length, after.length], [accountKeys.length, accountKeys.length]);
    assert.equal(Number(before[0]) - Number(after[0]), 2_005_000);
  });
  test('meta.postTokenBalances has the accounts of a token transaction', () => {
    const balance = at(minted, 'meta.postTokenBalances.0');
    const key = at(minted, `transaction.message.accountKeys.${String(at(balance, 'accountIndex'))}`);
    assert.equal(key, ledger.holding);
    assert.deepEqual(
      ['mint', 'owner', 'uiTokenAmount.amount'].map((path) => at(balance, path)),
      [ledger.mint, ledger.wallet, '1500000'],
    );
  });
});

describe('service: resources, signature info', () => {
  let list: unknown;
  before(async () => {
    list = await call(local, 'getSignaturesForAddress', ledger.wallet);
  });
  const of = (signature: string): unknown =>
    Object.values(list as object).find((one) => at(one, 'signature') === signature);
  rows(() => of(ledger.paid), {
    signature: isSignature,
    slot: isWhole,
    err: isNull,
    memo: isOneOf('[5] a row'),
    blockTime: either(isWhole, isNull),
    confirmationStatus: isOneOf('finalized'),
  });
  test('err of a failed one is an object', () => assert.ok(isObject(at(of(ledger.failed), 'err'))));
  test('memo of one without is null', () => assert.equal(at(of(ledger.minted), 'memo'), null));
});

describe('service: resources, latest blockhash', () => {
  let value: unknown;
  before(async () => {
    value = at(await call(local, 'getLatestBlockhash'), 'value');
  });
  rows(() => value, { blockhash: isAddress, lastValidBlockHeight: isWhole });
});

describe('service: resources, epoch info', () => {
  let info: unknown;
  before(async () => {
    info = await call(local, 'getEpochInfo');
  });
  rows(() => info, {
    epoch: isWhole,
    slotIndex: isWhole,
    slotsInEpoch: isWhole,
    absoluteSlot: isWhole,
    blockHeight: isWhole,
    transactionCount: either(isWhole, isNull),
  });
  test('slotIndex is counted from 0 inside the epoch', () => {
    const [epoch, slotIndex, slots] = ['epoch', 'slotIndex', 'slotsInEpoch'].map((field) => Number(at(info, field)));
    assert.equal(Number(epoch) * Number(slots) + Number(slotIndex), at(info, 'absoluteSlot'));
    assert.ok(Number(slotIndex) < Number(slots));
  });
});

describe('service: resources, commitment level', () => {
  for (const commitment of ['processed', 'confirmed', 'finalized'])
    test(`${commitment} is accepted`, async () =>
      assert.ok(isWhole(await call(local, 'getBlockHeight', { commitment }))));
  test('no other commitment is accepted', async () => {
    const { body } = await post(local, 'getBlockHeight', [{ commitment: 'rooted' }]);
    assert.equal(at(body, 'error.code'), -32602);
  });
});
