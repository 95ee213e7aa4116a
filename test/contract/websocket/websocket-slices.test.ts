// ws://…/ws/sol: a subscription's dataSlice cuts the data that it sends on Agave 4.4; older nodes read it and send everything.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isJsonArray, member, type JsonValue } from '../../../core/solana/json/json';
import { serviceInProcess } from '../../support/process/inProcessService';
import { PubSub } from '../../support/wire/pubSub';

const ADDRESS = 'Vote111111111111111111111111111111111111119';
const OWNER = 'Vote111111111111111111111111111111111111118';
const CONFIG = { commitment: 'processed', encoding: 'base64', dataSlice: { offset: 2, length: 3 } };

function dataOf(account: JsonValue | undefined): readonly number[] {
  const data = member(account, 'data');
  const [text] = isJsonArray(data) ? data : [];
  assert.ok(typeof text === 'string');
  return [...Buffer.from(text, 'base64')];
}

for (const [agave, expected] of [
  ['4.4', [3, 4, 5]],
  ['4.2', [1, 2, 3, 4, 5, 6]],
  ['3.1', [1, 2, 3, 4, 5, 6]],
] as const)
  test(`Agave ${agave} sends ${expected.length} of six bytes to a subscription that wants three`, async (t) => {
    const local = await serviceInProcess('Dev', { agave });
    t.after(() => local.stop());
    const client = await PubSub.open(local);
    t.after(() => client.close());
    const one = await client.subscribe('accountSubscribe', [ADDRESS, CONFIG]);
    const all = await client.subscribe('programSubscribe', [OWNER, CONFIG]);
    const data = Uint8Array.of(1, 2, 3, 4, 5, 6);
    local.ledger.cheats.setAccount(ADDRESS, { lamports: 10n ** 9n, owner: OWNER, data });
    assert.deepEqual(dataOf(member(await client.notified(one), 'value')), expected);
    assert.deepEqual(dataOf(member(member(await client.notified(all), 'value'), 'account')), expected);
  });
