// The private ledger of a replay has the rent of the chain that the transaction ran on, and takes a transaction whose payer
// could not pay for what it is.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { failed, ok, type Result } from '../../../core/service/errors';
import type { ReplayCase } from '../../../core/solana/replay/case';
import { caseFiles, readCase } from '../../../core/solana/replay/caseFiles';
import { differencesOf, type Difference } from '../../../core/solana/replay/compare';
import { localRun, replayRequest } from '../../../core/solana/replay/ledger';
import { isJsonArray, member, type JsonObject, type JsonValue } from '../../../core/solana/json/json';
import { askLocal, type LocalQuestion } from '../../../net/askLocal';
import { createNet } from '../../../net/transports';
import { withReplayLedger } from '../../../process/replayLedger';
import { gatherCase } from '../../../runner/replay/gather';
import {
  compile,
  createAccount,
  freshKey,
  signTransaction,
  SYSTEM,
  toBase64,
  TOKEN,
} from '../../contract/rpc/rpc-harness';
import { layOut } from '../../support/data/layouts';

const RENT = 'SysvarRent111111111111111111111111111111111';
const CLOCK = 'SysvarC1ock11111111111111111111111111111111';
const PAYER_LAMPORTS = 1_000_000_000;
const BYTES = 165;
const [payer, made] = [freshKey('payer of a token account'), freshKey('a token account')];

const rentAccount = (lamportsPerByte: bigint, threshold: number): JsonValue => {
  const data = Buffer.from(layOut([8, lamportsPerByte], [8, 0], [1, 50]));
  data.writeDoubleLE(threshold, 8);
  const owner = 'Sysvar1111111111111111111111111111111111111';
  return { lamports: 1_009_200, owner, executable: false, rentEpoch: 0, data: [data.toString('base64'), 'base64'] };
};

const wireOf = (lamports: number): string => {
  const order = createAccount(payer.address, made.address, { lamports: BigInt(lamports), space: BYTES, owner: TOKEN });
  return toBase64(signTransaction(compile([order], [payer, made], freshKey('hash').address), [payer, made]));
};

interface Chain {
  /** Lamports of the created account. */
  readonly lamports: number;
  readonly rent: JsonValue;
  readonly meta?: JsonObject;
  readonly payerLamports?: number;
}

/** A case as it is read of a chain with this rent. */
async function caseOf({ lamports, rent, meta = {}, payerLamports = PAYER_LAMPORTS }: Chain): Promise<ReplayCase> {
  const [fee, none] = [10_000, [] as readonly JsonValue[]];
  const transaction = {
    ...{ slot: 475_000_001, blockTime: 1_793_000_010, transaction: [wireOf(lamports), 'base64'] },
    meta: {
      ...{ err: null, fee, computeUnitsConsumed: 150, preBalances: [payerLamports, 0, 1] },
      ...{
        postBalances: [payerLamports - fee - lamports, lamports, 1],
        preTokenBalances: none,
        postTokenBalances: none,
      },
      ...{ logMessages: [`Program ${SYSTEM} invoke [1]`, `Program ${SYSTEM} success`], innerInstructions: none },
      ...meta,
    },
  };
  const empty = { data: ['', 'base64'], owner: SYSTEM, executable: false, rentEpoch: 0 };
  const has: Readonly<Record<string, JsonValue>> = {
    ...(payerLamports > 0 && { [payer.address]: { ...empty, lamports: payerLamports } }),
    [SYSTEM]: { ...empty, owner: 'NativeLoader1111111111111111111111111111111', executable: true, lamports: 1 },
    [RENT]: rent,
  };
  const read = async (method: string, params: JsonValue): Promise<Result<JsonValue>> => {
    if (method === 'getTransaction') return ok(transaction);
    const [addresses] = isJsonArray(params) ? params : [];
    return method === 'getMultipleAccounts' && isJsonArray(addresses)
      ? ok({ value: addresses.map((address) => (typeof address === 'string' && has[address]) || null) })
      : failed({ kind: 'rpc', code: -32601, message: 'Method not found' });
  };
  const gathered = await gatherCase('1'.repeat(64), { read, onStep: () => undefined });
  assert.ok(gathered.ok, gathered.ok ? '' : gathered.error.message);
  return gathered.value;
}

/** The results of requests to a case's private ledger. */
async function answersOf(replay: ReplayCase, requests: readonly LocalQuestion[]): Promise<readonly JsonValue[]> {
  const { signal } = new AbortController();
  const options = { program: 'dist/localnet.js', signal };
  const ran = await withReplayLedger(replay, options, ({ rpcUrl, keys }) =>
    Promise.all(requests.map((request) => askLocal(createNet, { rpcUrl, key: keys.rpc.key }, request, signal))),
  );
  assert.ok('used' in ran, JSON.stringify(ran));
  return ran.used.map((answer) => {
    assert.ok(answer.ok, JSON.stringify(answer));
    return answer.value;
  });
}

/** The differences when the case runs on its private ledger. */
async function differences(replay: ReplayCase): Promise<readonly Difference[]> {
  const [answer] = await answersOf(replay, [replayRequest(replay)]);
  const run = localRun(replay, answer);
  assert.ok(typeof run !== 'string');
  return differencesOf(replay.expected, run.outcome);
}

for (const [rate, lamports, rent] of [
  ['5,080', 1_488_440, rentAccount(5_080n, 1)],
  ['6,960 as the sysvar has it since SIMD-0194', 2_039_280, rentAccount(6_960n, 1)],
  ['6,960 as it had it before', 2_039_280, rentAccount(3_480n, 2)],
] as const) {
  test(`an account with exactly the rent of its chain, ${rate} a byte, is made again`, async () => {
    assert.deepEqual(await differences(await caseOf({ lamports, rent })), []);
  });

  test(`one lamport less than at ${rate} a byte fails for its rent, as on the chain`, async () => {
    const meta = {
      ...{ err: { InsufficientFundsForRent: { account_index: 1 } } },
      postBalances: [PAYER_LAMPORTS - 10_000, 0, 1],
    };
    assert.deepEqual(await differences(await caseOf({ lamports: lamports - 1, rent, meta })), []);
  });
}

test('the rent is kept with the folder', async () => {
  const replay = await caseOf({ lamports: 1_488_440, rent: rentAccount(5_080n, 1) });
  const kept = readCase(new Map(caseFiles(replay)));
  assert.deepEqual(kept.accounts.get(RENT)?.data, replay.accounts.get(RENT)?.data);
  assert.deepEqual(await differences(kept), []);
});

for (const [what, isOlder] of [
  ['a case', false],
  ['a folder of an older version, which has no rent', true],
] as const)
  test(`the ledger of ${what} has its slot, time and rent`, async () => {
    const replay = await caseOf({ lamports: 1_488_440, rent: rentAccount(5_080n, 1) });
    const accounts = new Map([...replay.accounts].filter(([address]) => !isOlder || address !== RENT));
    const clock = { method: 'getAccountInfo', params: [CLOCK, { encoding: 'jsonParsed', commitment: 'processed' }] };
    const [answer, rent] = await answersOf({ ...replay, accounts }, [
      clock,
      { method: 'getMinimumBalanceForRentExemption', params: [0] },
    ]);
    const info = member(member(member(member(answer, 'value'), 'data'), 'parsed'), 'info');
    assert.deepEqual([member(info, 'slot'), member(info, 'unixTimestamp')], [replay.slot, replay.blockTime]);
    assert.equal(rent, 128 * (isOlder ? 6_960 : 5_080));
  });

for (const [what, payerLamports, err] of [
  ['does not exist', 0, 'AccountNotFound'],
  ['has less than the fee', 4_000, 'InsufficientFundsForFee'],
] as const)
  test(`a transaction whose payer ${what} did not run, here as there`, async () => {
    const balances = [payerLamports, 0, 1];
    const meta = {
      ...{ err, fee: 0, computeUnitsConsumed: 0, preBalances: balances, postBalances: balances },
      ...{ logMessages: null, innerInstructions: null },
    };
    const replay = await caseOf({ lamports: 1_488_440, rent: rentAccount(5_080n, 1), meta, payerLamports });
    assert.deepEqual(await differences(replay), []);
  });
