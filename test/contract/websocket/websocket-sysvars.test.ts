// ws://…/ws/sol: subscribers of the sysvars that every slot changes are notified slot by slot, at each commitment.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isJsonArray, member, type JsonValue } from '../../../core/solana/json/json';
import { testLedger } from '../../support/process/localnet';
import { PubSub } from '../../support/wire/pubSub';

const CLOCK = 'SysvarC1ock11111111111111111111111111111111';
const SLOT_HASHES = 'SysvarS1otHashes111111111111111111111111111';
const OWNER = 'Sysvar1111111111111111111111111111111111111';
/** Slots to go until what was just processed is finalized, and some more. */
const UNTIL_FINAL = 40;

const local = testLedger(['--plan', 'Ultra'], { clock: 'slots' });

const slotOf = (notification: JsonValue | undefined): number => Number(member(member(notification, 'context'), 'slot'));
/** The account's bytes; `at`: the account itself, or the member that holds it. */
function bytesOf(account: JsonValue | undefined): Buffer {
  const data = member(account, 'data');
  const [text] = isJsonArray(data) ? data : [];
  assert.ok(typeof text === 'string', JSON.stringify(account));
  return Buffer.from(text, 'base64');
}
const slotIn = (clock: JsonValue | undefined): number => Number(bytesOf(clock).readBigUInt64LE(0));

for (const commitment of ['processed', 'confirmed', 'finalized'] as const)
  test(`the clock is sent at every slot that is ${commitment}, as it was at that slot`, async (t) => {
    const client = await PubSub.open(local);
    t.after(() => client.close());
    const id = await client.subscribe('accountSubscribe', [CLOCK, { commitment, encoding: 'base64' }]);
    await local.slots(UNTIL_FINAL);
    let last = 0;
    for (let count = 0; count < 3; count++) {
      const notification = await client.notified(id);
      const slot = slotOf(notification);
      assert.equal(slotIn(member(notification, 'value')), slot);
      assert.ok(last === 0 || slot === last + 1, `${slot} after ${last}`);
      last = slot;
    }
  });

test('a slot is sent once at each commitment', async (t) => {
  const client = await PubSub.open(local);
  t.after(() => client.close());
  const id = await client.subscribe('accountSubscribe', [CLOCK, { commitment: 'finalized', encoding: 'base64' }]);
  const other = await client.subscribe('slotSubscribe');
  await local.slots(5);
  let last = 0;
  for (let count = 0; count < 5; count++) last = Number(member(await client.notified(other), 'slot'));
  const slots: number[] = [];
  for (let count = 0; count < 5; count++) slots.push(slotOf(await client.notified(id)));
  assert.deepEqual(
    slots,
    slots.map((_, at) => (slots[0] ?? 0) + at),
  );
  assert.ok(last > (slots.at(-1) ?? 0));
});

test('subscribers of the sysvar owner receive the changing ones, through their filters', async (t) => {
  const client = await PubSub.open(local);
  t.after(() => client.close());
  const config = { commitment: 'confirmed', encoding: 'base64' };
  const all = await client.subscribe('programSubscribe', [OWNER, config]);
  const clocks = await client.subscribe('programSubscribe', [OWNER, { ...config, filters: [{ dataSize: 40 }] }]);
  await local.slots(2);
  const pubkeys: unknown[] = [];
  for (let count = 0; count < 2; count++) pubkeys.push(member(member(await client.notified(all), 'value'), 'pubkey'));
  assert.deepEqual(pubkeys.sort(), [CLOCK, SLOT_HASHES]);
  for (let count = 0; count < 2; count++)
    assert.equal(member(member(await client.notified(clocks), 'value'), 'pubkey'), CLOCK);
});

test('the slot hashes begin with the slot before', async (t) => {
  const client = await PubSub.open(local);
  t.after(() => client.close());
  const id = await client.subscribe('accountSubscribe', [SLOT_HASHES, { commitment: 'confirmed', encoding: 'base64' }]);
  await local.slots(2);
  const notification = await client.notified(id);
  assert.equal(Number(bytesOf(member(notification, 'value')).readBigUInt64LE(8)), slotOf(notification) - 1);
});
