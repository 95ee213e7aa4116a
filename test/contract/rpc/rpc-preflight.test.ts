// A preflight that fails says what a simulation of the same transaction says, apart from balances and loaded addresses, which
// a node leaves out of the error.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Bench, bytesOf, freshKey, memo, textOf, transfer, u32, u64, type Loose } from './rpc-harness';
import { plain } from '../v1/v1-bench';

const LOOKUP = 'AddressLookupTab1e1111111111111111111111111';
const AT_PROCESSED = { encoding: 'base64', preflightCommitment: 'processed' } as const;
/** Members of a simulation that the error has as null. */
const LEFT_OUT = {
  loadedAddresses: null,
  postBalances: null,
  postTokenBalances: null,
  preBalances: null,
  preTokenBalances: null,
};
const TOO_MUCH = 10n ** 18n;

let bench: Bench;
before(async () => {
  bench = await Bench.open();
});
after(() => bench.close());

/** The data of the error, and the simulation of the same bytes. */
async function both(wire: string): Promise<{ readonly data: Loose; readonly simulation: Loose }> {
  const error = await bench.fails('sendTransaction', wire, AT_PROCESSED);
  assert.equal(error.code, -32002);
  const { value } = await bench.call('simulateTransaction', wire, {
    encoding: 'base64',
    commitment: 'processed',
    sigVerify: true,
  });
  assert.ok(value);
  return { data: error.data as Loose, simulation: value };
}

test('a program that fails is answered with what a simulation says', async () => {
  const to = freshKey().address;
  const { data, simulation } = await both(
    await bench.signed([memo('too much'), transfer(bench.wallet.address, to, TOO_MUCH)]),
  );
  assert.deepEqual(plain(data), { ...(plain(simulation) as object), ...LEFT_OUT });
  assert.deepEqual(plain(data['err']), { InstructionError: [1, { Custom: 1 }] });
  assert.equal(Number(data['fee']), 5000);
  assert.ok(Number(data['loadedAccountsDataSize']) > 1000);
  assert.ok(Number(data['unitsConsumed']) > 150);
  const [before, after] = [plain(simulation['preBalances']), plain(simulation['postBalances'])] as [number[], number[]];
  assert.equal((before[0] ?? 0) - (after[0] ?? 0), 5000);
});

test('addresses of a table are named in the simulation and count as loaded data', async () => {
  const [table, to] = [freshKey().address, freshKey().address];
  const head = Buffer.concat([
    u32(1),
    u64(2n ** 64n - 1n),
    u64(1n),
    Uint8Array.of(0, 1),
    bytesOf(bench.wallet.address),
  ]);
  const content = Buffer.concat([head, Uint8Array.of(0, 0), bytesOf(to)]);
  bench.ledger.cheats.setAccount(table, { lamports: 10n ** 9n, owner: LOOKUP, data: content });
  const { data, simulation } = await both(
    await bench.versioned([transfer(bench.wallet.address, to, TOO_MUCH)], [{ address: table, addresses: [to] }]),
  );
  assert.deepEqual(plain(data), { ...(plain(simulation) as object), ...LEFT_OUT });
  assert.deepEqual(plain(simulation['loadedAddresses']), { writable: [to], readonly: [] });
  // A table counts 8,248 bytes, regardless of its content.
  assert.ok(Number(data['loadedAccountsDataSize']) > 8_248);
});

test('a transaction that is refused before it runs has the members of a simulation', async () => {
  const wire = bench.signedOn(
    freshKey().address,
    [transfer(bench.wallet.address, freshKey().address, 1n)],
    [bench.wallet],
  );
  const { data, simulation } = await both(wire);
  assert.deepEqual(plain(data), { ...(plain(simulation) as object), ...LEFT_OUT });
  assert.equal(data['err'], 'BlockhashNotFound');
  // It pays nothing and loads nothing.
  assert.equal(data['fee'], null);
  assert.equal(Number(data['loadedAccountsDataSize']), 0);
  assert.deepEqual(plain(data['logs']), []);
});

test('a signature that does not verify is a result', async () => {
  const other = freshKey();
  const forged = { ...bench.wallet, sign: (message: Uint8Array) => other.sign(message) };
  const wire = await bench.signed([transfer(bench.wallet.address, freshKey().address, 1n)], [forged]);
  const { data, simulation } = await both(wire);
  assert.deepEqual(plain(data), { ...(plain(simulation) as object), ...LEFT_OUT });
  assert.deepEqual([data['err'], data['fee']], ['SignatureFailure', null]);
});

describe('a lookup table that cannot be read refuses the transaction before it is sent', () => {
  const table = freshKey().address;
  const to = freshKey().address;
  const sent = (): Promise<string> =>
    bench.versioned([transfer(bench.wallet.address, to, 1_000_000n)], [{ address: table, addresses: [to] }]);
  const text = "invalid transaction: Transaction loads an address table account that doesn't exist";
  for (const [what, method, config] of [
    ['with preflight', 'sendTransaction', AT_PROCESSED],
    ['without preflight', 'sendTransaction', { ...AT_PROCESSED, skipPreflight: true }],
    ['in a simulation', 'simulateTransaction', { encoding: 'base64', commitment: 'processed' }],
  ] as const)
    test(what, async () => {
      const { code, message } = await bench.fails(method, await sent(), config);
      assert.deepEqual([code, message], [-32602, text]);
    });
  test('a table of another program is named as such', async () => {
    bench.ledger.cheats.setAccount(table, { lamports: 10n ** 9n });
    const { message } = await bench.fails('sendTransaction', await sent(), { ...AT_PROCESSED, skipPreflight: true });
    assert.equal(message, 'invalid transaction: Transaction loads an address table account with an invalid owner');
  });
});

describe('programs that cannot run', () => {
  const outcome = async (program: string): Promise<unknown> => {
    const wire = await bench.signed([{ program, accounts: [], data: new Uint8Array() }]);
    const { value } = await bench.call('simulateTransaction', wire, { encoding: 'base64', commitment: 'processed' });
    const sent = await bench.call('sendTransaction', wire, { encoding: 'base64', skipPreflight: true });
    bench.finalize();
    const record = await bench.call('getTransaction', textOf(sent));
    assert.deepEqual(plain(record['meta']?.['err']), plain(value?.['err']), 'the block says what the simulation said');
    assert.equal(Number(record['meta']?.['fee']), 5000);
    return plain(value?.['err']);
  };
  test('an address without an account cannot be the program', async () => {
    assert.equal(await outcome(freshKey().address), 'ProgramAccountNotFound');
  });
  test('a wallet cannot be the program', async () => {
    const wallet = freshKey().address;
    bench.ledger.cheats.fund(wallet, 10n ** 9n);
    assert.equal(await outcome(wallet), 'InvalidProgramForExecution');
  });
  test('the data of a program cannot be the program', async () => {
    assert.equal(await outcome('So11111111111111111111111111111111111111112'), 'InvalidProgramForExecution');
  });
});
