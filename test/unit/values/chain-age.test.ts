// How long things take on a chain, by what its endpoint showed.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseJson } from '../../../core/solana/json/json';
import { chainAge, shownBy } from '../../../core/solana/chain/chain';
import { Chains } from '../../../core/requests/run/chains';

const samples = (numSlots: string, samplePeriodSecs: string) =>
  parseJson(`[{"slot":1,"numSlots":${numSlots},"samplePeriodSecs":${samplePeriodSecs}}]`);

for (const [title, numSlots, seconds] of [
  ['shorter than any slot', '9'.repeat(300), '60'],
  ['longer than any slot', '1', '99999999'],
] as const)
  test(`a pace that is ${title} is not taken: nothing is asked at that pace, and ages are not computed from it`, () => {
    const shown = shownBy('getRecentPerformanceSamples', samples(numSlots, seconds));
    const { slotMs, isMeasured } = chainAge(shown);
    assert.deepEqual([slotMs, isMeasured], [200, false]);
    const chains = new Chains();
    chains.read('its', 'getRecentPerformanceSamples', samples(numSlots, seconds));
    chains.see('its', 100n, 0);
    assert.equal(chains.newestSlot('its', 1_000), 105n);
  });

test('the pace of a local ledger with the shortest or longest slots is taken', () => {
  for (const slotMs of [1, 60_000]) assert.deepEqual(chainAge({ slotMs }).slotMs, slotMs);
});
