// The cheat codes together: snapshots, time, forks and a state that outlives the process.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, before, beforeEach, test } from 'node:test';
import { isJsonArray, member, type JsonValue } from '../../../core/solana/json/json';
import { startTestLedger, type Localnet } from '../../support/process/localnet';
import { PubSub } from '../../support/wire/pubSub';
import { freshKey } from '../rpc/rpc-harness';

const folder = mkdtempSync(path.join(os.tmpdir(), 'cheats-'));
const ARGS = ['--plan', 'Shared Metal', '--state', path.join(folder, 'one.state')];
let local: Localnet;
before(async () => {
  local = await startTestLedger(ARGS, { clock: 'slots' });
});
after(async () => {
  await local.stop();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(() => fault());

const fault = async (...faults: object[]): Promise<void> => {
  assert.equal((await local.admin('PUT', '/faults', { faults })).status, 200);
};
const LOST = { scope: 'ws', kind: 'fork', times: 1 };
const result = async (method: string, params: unknown[] = []): Promise<JsonValue | undefined> =>
  member((await local.rpc(method, params)).json, 'result');
const PROCESSED = { commitment: 'processed' };
const balance = async (address: string, commitment = 'processed'): Promise<unknown> =>
  member(await result('getBalance', [address, { commitment }]), 'value');
const slotNow = async (): Promise<number> => Number(await result('getSlot', [PROCESSED]));
const airdrop = async (address: string, lamports = 1_000_000): Promise<unknown> =>
  result('requestAirdrop', [address, lamports]);
const snapshot = async (): Promise<unknown> =>
  member((await local.admin('POST', '/rpc', { jsonrpc: '2.0', id: 1, method: 'snapshot' })).json, 'result');

test('a snapshot taken in a slot that is lost holds what was seen when it was taken', async () => {
  const address = freshKey().address;
  await airdrop(address);
  const name = await snapshot();
  await fault(LOST);
  await local.slots(1);
  await local.cheat('setAccount', { address, lamports: 5 });
  await local.cheat('restore', { name });
  assert.equal(await balance(address), 1_000_000);
  assert.equal(await balance(address, 'finalized'), 1_000_000);
});

test('an account set from outside in a slot that is lost stays set', async () => {
  const [set, both] = [freshKey().address, freshKey().address];
  await airdrop(both);
  await local.cheat('setAccount', { address: set, lamports: 5 });
  await local.cheat('setAccount', { address: both, lamports: 6 });
  await fault(LOST);
  await local.slots(1);
  assert.equal(await balance(set), 5);
  // The airdrop of the lost slot lands again on top of what was set.
  assert.equal(await balance(both), 1_000_006);
});

test('restore and reset in a slot that is lost are not undone by the fork', async () => {
  const address = freshKey().address;
  const name = await snapshot();
  await airdrop(address);
  await local.slots(2);
  await local.cheat('restore', { name });
  await fault(LOST);
  await local.slots(1);
  assert.equal(await balance(address), 0);
  await local.cheat('fund', { address, lamports: 9 });
  await local.cheat('reset');
  await fault(LOST);
  await local.slots(1);
  assert.equal(await balance(address), 0);
  assert.equal(await balance(local.ready.wallet.address), 1_000_000_000_000);
});

test('consecutive forks lose one slot each, and time moves on', async () => {
  await local.slots(2);
  const slot = await slotNow();
  const height = Number(await result('getBlockHeight', [PROCESSED]));
  await fault({ ...LOST, times: 4 });
  const signature = await airdrop(freshKey().address);
  await local.slots(6);
  assert.equal(await slotNow(), slot + 6);
  assert.equal(await result('getBlockHeight', [PROCESSED]), height + 2);
  const statuses = member(await result('getSignatureStatuses', [[signature]]), 'value');
  assert.ok(isJsonArray(statuses));
  assert.equal(member(statuses[0], 'slot'), slot + 4);
  const found = await result('getBlocks', [slot - 1, slot + 5, { commitment: 'confirmed' }]);
  assert.deepEqual(found, [slot - 1, slot + 4, slot + 5]);
});

test('time travel does not count as the end of a slot: a fork waits for the next slot that ends', async () => {
  await fault(LOST);
  const slot = await slotNow();
  await local.cheat('timeTravel', { slot: slot + 500 });
  assert.equal(await slotNow(), slot + 500);
  assert.equal((await local.admin('GET', '/faults')).text.includes('fork'), true);
  await local.slots(1);
  assert.equal((await local.admin('GET', '/faults')).text.includes('fork'), false);
});

test('time travel into another epoch and a fork at its border keep epoch and clock in step', async () => {
  const { json } = await local.rpc('getEpochInfo', [PROCESSED]);
  const epoch = Number(member(member(json, 'result'), 'epoch'));
  const perEpoch = Number(member(member(json, 'result'), 'slotsInEpoch'));
  await local.cheat('timeTravel', { slot: (epoch + 1) * perEpoch - 1 });
  await fault(LOST);
  await local.slots(1);
  const info = await result('getEpochInfo', [PROCESSED]);
  assert.deepEqual([member(info, 'epoch'), member(info, 'slotIndex')], [epoch + 1, 0]);
  const clock = await result('getAccountInfo', [
    'SysvarC1ock11111111111111111111111111111111',
    { ...PROCESSED, encoding: 'jsonParsed' },
  ]);
  const shown = member(member(member(member(member(clock, 'value'), 'data'), 'parsed'), 'info'), 'epoch');
  assert.equal(shown, epoch + 1);
});

test('the clock can be stopped and started in a stall, and slots advanced manually', async () => {
  await fault({ scope: 'ws', kind: 'stall', ms: 600_000 });
  await local.cheat('resumeClock');
  const slot = await slotNow();
  await local.slots(2);
  assert.equal(await slotNow(), slot + 2);
  await local.cheat('pauseClock');
  await fault();
  assert.equal(await slotNow(), slot + 2);
  const client = await PubSub.open(local);
  const slots = await client.subscribe('slotSubscribe');
  await local.cheat('resumeClock');
  assert.equal(member(await client.notified(slots), 'slot'), slot + 3);
  await local.cheat('pauseClock');
  client.close();
});

test('traffic flows on after a reset and across a fork', async () => {
  const client = await PubSub.open(local);
  const logs = await client.subscribe('logsSubscribe', ['all', PROCESSED]);
  await local.cheat('traffic', { perSecond: 200 });
  await client.notified(logs);
  await local.cheat('reset');
  await fault(LOST);
  await local.slots(1);
  client.seen.length = 0;
  for (let i = 0; i < 20; i++) await client.notified(logs);
  await local.cheat('traffic', { perSecond: 0 });
  client.close();
});

test('time that was travelled is kept over a kill, and so is a reset', async () => {
  const address = freshKey().address;
  await local.cheat('fund', { address, lamports: 7 });
  const there = Math.floor(Date.now() / 1000) + 400_000_000;
  await local.cheat('timeTravel', { timestamp: there });
  await local.slots(1);
  await local.cheat('reset');
  const slot = await slotNow();
  const exit = once(local.process, 'exit');
  local.process.kill('SIGKILL');
  await exit;
  local = await startTestLedger(ARGS, { clock: 'slots' });
  assert.equal(await balance(address), 0);
  assert.ok((await slotNow()) >= slot);
  await local.slots(3);
  const time = await result('getBlockTime', [await result('getSlot', [{ commitment: 'confirmed' }])]);
  assert.ok(Number(time) >= there);
});
