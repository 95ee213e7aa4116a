// Facts about the chain of an endpoint, from its answers and streams alone.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Chains } from '../../../core/requests/run/chains';
import { parseJson } from '../../../core/solana/json/json';

const ME = 'mine';
const CERTIFICATE = parseJson('{"block":{"blockId":[1],"slot":459652999},"signature":{"bitmap":[1],"signature":[2]}}');

const paceOf = (chains: Chains): number => chains.age(ME).slotMs;

test('an endpoint that nothing is known of counts as Alpenglow at 200 ms', () => {
  const { consensus, slotMs, isShown, isMeasured } = new Chains().age(ME);
  assert.deepEqual([consensus, slotMs, isShown, isMeasured], ['alpenglow', 200, false, false]);
});

test('a certificate is kept, null is the chain before, and an older node says nothing', () => {
  const chains = new Chains();
  assert.equal(chains.read(ME, 'getAgGenesisCert', undefined), false);
  assert.equal(chains.of(ME).consensus, undefined);
  chains.read(ME, 'getAgGenesisCert', null);
  assert.deepEqual([chains.of(ME).consensus, paceOf(chains)], ['tower', 400]);
  chains.read(ME, 'getAgGenesisCert', CERTIFICATE);
  chains.read(ME, 'getAgGenesisCert', undefined);
  chains.read(ME, 'getAgGenesisCert', null);
  assert.deepEqual([chains.of(ME).consensus, chains.of(ME).genesisSlot], ['alpenglow', 459_652_999n]);
  assert.equal(chains.of('other').consensus, undefined);
});

test('something else in place of a certificate says nothing', () => {
  const chains = new Chains();
  for (const text of ['{}', '[]', '"x"', '{"block":null}', '{"block":{"slot":"9"}}', 'true'])
    assert.equal(chains.read(ME, 'getAgGenesisCert', parseJson(text)), false, text);
});

test('performance samples give the pace: the newest twenty, by their own periods', () => {
  const chains = new Chains();
  const sample = (numSlots: number): string => `{"slot":1,"numSlots":${numSlots},"samplePeriodSecs":60}`;
  const samples = (...slots: number[]) => parseJson(`[${slots.map(sample).join()}]`);
  assert.equal(chains.read(ME, 'getRecentPerformanceSamples', samples(270, 330)), true);
  assert.equal(paceOf(chains), 200);
  chains.read(ME, 'getRecentPerformanceSamples', samples(...Array<number>(20).fill(240), 1));
  assert.equal(paceOf(chains), 250);
  for (const nothing of [samples(), samples(0), parseJson('[{"numSlots":"x"}]'), parseJson('[1]'), null])
    assert.equal(chains.read(ME, 'getRecentPerformanceSamples', nothing), false);
  assert.equal(paceOf(chains), 250);
});

test('the pace of slots is measured over 150 of them, and outranks samples', () => {
  const chains = new Chains();
  chains.read(ME, 'getRecentPerformanceSamples', parseJson('[{"numSlots":240,"samplePeriodSecs":60}]'));
  chains.see(ME, 1_000n, 0);
  chains.see(ME, 1_149n, 32_000);
  assert.equal(paceOf(chains), 250);
  chains.see(ME, 1_170n, 37_400);
  assert.equal(paceOf(chains), 220);
  assert.equal(chains.newestSlot(ME, 37_400 + 2_200), 1_180n);
});

test('an answer at a stricter commitment, or of a node that is behind, is not the newest slot', () => {
  const chains = new Chains();
  chains.see(ME, 1_000n, 0);
  chains.see(ME, 1_008n, 2_000);
  assert.equal(chains.newestSlot(ME, 2_000), 1_010n);
  chains.see(ME, 900n, 2_000);
  assert.equal(chains.newestSlot(ME, 2_000), 1_010n);
  // The guess was ahead of a chain that is slower than its table.
  chains.see(ME, 1_100n, 40_000);
  assert.equal(chains.newestSlot(ME, 40_000), 1_100n);
});

test('another ledger at the same endpoint begins with nothing known', () => {
  const chains = new Chains();
  chains.read(ME, 'getAgGenesisCert', CERTIFICATE);
  chains.see(ME, 1_000n, 0);
  chains.see(ME, 1_160n, 35_200);
  chains.see(ME, 5n, 36_000);
  assert.deepEqual([chains.of(ME).consensus, paceOf(chains), chains.newestSlot(ME, 36_000)], [undefined, 200, 5n]);
});

test('the chains of 200 endpoints are remembered', () => {
  const chains = new Chains();
  for (let index = 0; index <= 200; index++) chains.see(`n${index}`, 7n, 0);
  assert.equal(chains.newestSlot('n0', 0), undefined);
  assert.equal(chains.newestSlot('n200', 0), 7n);
});
