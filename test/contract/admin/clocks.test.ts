// The clocks of a test's ledger: what ends its slots, and that real time does not.
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { isJsonArray, member, type JsonValue } from '../../../core/solana/json/json';
import { startTestLedger, type Localnet, type TestClock } from '../../support/process/localnet';
import { freshKey } from '../rpc/rpc-harness';

/** With slots that would be over between two questions, if real time ended them. */
async function ledger(t: TestContext, clock?: TestClock): Promise<Localnet> {
  const local = await startTestLedger(['--plan', 'Ultra', '--slot-ms', '1'], clock === undefined ? {} : { clock });
  t.after(() => local.stop());
  return local;
}

const slotNow = async (local: Localnet): Promise<number> =>
  Number(member((await local.rpc('getSlot', [{ commitment: 'processed' }])).json, 'result'));
/** How far an airdrop is when its signature is answered; null before its slot has ended. */
async function levelOfAirdrop(local: Localnet): Promise<JsonValue | undefined> {
  const signature = member((await local.rpc('requestAirdrop', [freshKey().address, 1_000_000])).json, 'result');
  const value = member(member((await local.rpc('getSignatureStatuses', [[signature]])).json, 'result'), 'value');
  const [status = null] = isJsonArray(value) ? value : [];
  return status === null ? null : member(status, 'confirmationStatus');
}

for (const clock of [undefined, 'transactions', 'slots'] as const)
  test(`${clock ?? 'no clock'}: no slot ends by itself, and slots(n) ends that many`, async (t) => {
    const local = await ledger(t, clock);
    const first = await slotNow(local);
    for (let asked = 0; asked < 50; asked++) assert.equal(await slotNow(local), first);
    await local.slots(7);
    assert.equal(await slotNow(local), first + 7);
  });

test('a transaction ends its slot, unless slots alone do', async (t) => {
  assert.equal(await levelOfAirdrop(await ledger(t)), 'finalized');
  assert.equal(await levelOfAirdrop(await ledger(t, 'slots')), null);
});

test('slotsUntil ends slots until the work has settled, however it settles', async (t) => {
  const local = await ledger(t);
  const goal = (await slotNow(local)) + 3;
  const reached = async (): Promise<string> => {
    while ((await slotNow(local)) < goal);
    return 'there';
  };
  assert.equal(await local.slotsUntil(reached()), 'there');
  await assert.rejects(local.slotsUntil(Promise.reject(new Error('no'))), /^Error: no$/);
  const over = await slotNow(local);
  assert.equal(await slotNow(local), over);
});
