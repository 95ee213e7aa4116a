// A replay's reads from an endpoint before it runs: whose time the clock gets, the rent, and what can be compared with the
// record.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { failed, ok, type Result } from '../../../core/service/errors';
import type { ReplayCase } from '../../../core/solana/replay/case';
import { caseFiles, readCase } from '../../../core/solana/replay/caseFiles';
import { differencesOf } from '../../../core/solana/replay/compare';
import { withOverride } from '../../../core/solana/replay/overrides';
import { replayLines } from '../../../core/solana/replay/text';
import { isJsonArray, type JsonObject, type JsonValue } from '../../../core/solana/json/json';
import { gatherCase } from '../../../runner/replay/gather';
import { compile, freshKey, signTransaction, toBase64, transfer } from '../../contract/rpc/rpc-harness';
import { addressOf, replayCase } from '../../support/data/replayCase';

const [payer, target] = [freshKey('payer of a replay'), freshKey('target of a replay')];
const WIRE = toBase64(
  signTransaction(compile([transfer(payer.address, target.address, 7n)], [payer], freshKey('hash').address), [payer]),
);
const META: JsonObject = {
  ...{ err: null, fee: 5_000, preBalances: [9_000_000, 0, 1], postBalances: [8_994_993, 7, 1] },
  ...{ preTokenBalances: [], postTokenBalances: [], logMessages: ['Program 1 invoke [1]'], innerInstructions: [] },
};
const SLOT = 470_000_003;
const [OWN, PARENTS] = [1_793_000_010, 1_793_000_009];

const certificate = (slot: number): JsonValue => ({
  block: { blockId: [], slot },
  signature: { bitmap: [1], signature: [] },
});

/** Answers by method; a text is the message of an error of the node. */
const ANSWERS: Readonly<Record<string, JsonValue>> = {
  getTransaction: {
    ...{ slot: SLOT, blockTime: OWN, version: 'legacy', transaction: [WIRE, 'base64'], meta: META },
  },
  getAgGenesisCert: certificate(459_652_999),
  getBlock: { parentSlot: SLOT - 3, blockTime: OWN, blockhash: addressOf(5) },
  getBlockTime: PARENTS,
  getMultipleAccounts: { value: [null, null, null, null] },
};

interface Gathered {
  readonly replay: ReplayCase;
  readonly asked: readonly string[];
}

async function gathered(others: Readonly<Record<string, JsonValue>> = {}): Promise<Gathered> {
  const asked: string[] = [];
  const answers = { ...ANSWERS, ...others };
  const read = async (method: string, params: JsonValue): Promise<Result<JsonValue>> => {
    asked.push(`${method} ${JSON.stringify(isJsonArray(params) ? params.slice(0, 1) : params)}`);
    const answer = answers[method] ?? null;
    return typeof answer === 'string' ? failed({ kind: 'rpc', code: -32009, message: answer }) : ok(answer);
  };
  const result = await gatherCase('1'.repeat(64), { read, onStep: () => undefined });
  assert.ok(result.ok, result.ok ? '' : result.error.message);
  return { replay: result.value, asked };
}

const ofTheClock = (asked: readonly string[]): readonly string[] =>
  asked.filter((one) => /^(?:getBlock|getBlockTime|getAgGenesisCert) /.test(one));

test('on Alpenglow the clock has the time of the parent block, with which its transactions ran', async () => {
  const { replay, asked } = await gathered();
  assert.equal(replay.blockTime, PARENTS);
  assert.equal(replay.clock, `the time of the parent block, slot ${SLOT - 3}`);
  assert.deepEqual(ofTheClock(asked), ['getAgGenesisCert []', `getBlock [${SLOT}]`, `getBlockTime [${SLOT - 3}]`]);
});

for (const [what, answer] of [
  ['whose chain has not migrated', null],
  ['from before the migration', certificate(SLOT)],
] as const)
  test(`a transaction ${what} has the time of its block, and nothing more is asked`, async () => {
    const { replay, asked } = await gathered({ getAgGenesisCert: answer });
    assert.deepEqual([replay.blockTime, replay.clock], [OWN, 'the time of its block, as in TowerBFT']);
    assert.deepEqual(ofTheClock(asked).length, 1);
  });

test('a node that does not know the certificate says nothing of its chain: the time is the parent block’s', async () => {
  const { replay } = await gathered({ getAgGenesisCert: 'Method not found' });
  assert.equal(replay.blockTime, PARENTS);
});

for (const [what, others] of [
  ['that the node does not have', { getBlock: 'Slot 470000003 was skipped, or missing in long-term storage' }],
  ['without a parent', { getBlock: {} }],
  ['whose parent has no time', { getBlockTime: null }],
  ['whose parent’s time is an error', { getBlockTime: 'Block not available' }],
] as const)
  test(`of a block ${what} its own time is taken, and that is said`, async () => {
    const { replay } = await gathered(others);
    assert.equal(replay.blockTime, OWN);
    assert.equal(replay.clock, 'the time of its block; the time of the parent could not be read and may be earlier');
  });

test('whose time the clock has is in the text and in the folder, and not with a clock that was given', async () => {
  const { replay } = await gathered();
  const [said] = replayLines({ replay, differences: [] });
  assert.equal(said, `clock: 2026-10-26T07:33:29Z (1793000009), the time of the parent block, slot ${SLOT - 3}`);
  const kept = readCase(new Map(caseFiles(replay)));
  assert.deepEqual([kept.clock, kept.blockTime], [replay.clock, PARENTS]);
  const given = withOverride({ ...replay, blockTime: 5 }, { kind: 'clock', unixTime: 5 });
  assert.doesNotMatch(replayLines({ replay: given, differences: [] }).join('\n'), /parent block/);
});

test('a folder of an older version says nothing of its clock and is read as before', () => {
  const old = replayCase(10);
  const kept = readCase(new Map(caseFiles(old)));
  assert.deepEqual([kept.clock, kept.blockTime], [undefined, old.blockTime]);
  assert.doesNotMatch(replayLines({ replay: kept, differences: [] }).join('\n'), /clock/);
});

test('logs and token balances that the node did not keep are not compared', async () => {
  const meta = { ...META, logMessages: null, preTokenBalances: null, postTokenBalances: null };
  const transaction = { slot: SLOT, blockTime: OWN, transaction: [WIRE, 'base64'], meta };
  const { replay } = await gathered({ getTransaction: transaction });
  assert.deepEqual(Object.keys(replay.expected).sort(), ['error', 'lamports']);
  const local = { error: null, logs: ['Program 1 invoke [1]'], tokens: [], lamports: replay.expected.lamports ?? [] };
  assert.deepEqual(differencesOf(replay.expected, local), []);
});
