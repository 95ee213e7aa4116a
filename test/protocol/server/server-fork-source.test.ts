// Reads of the built server for a local service that is a fork: a closed list, with the endpoint's key, and
// nothing in a window that is not trusted.
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import type { EndpointProfile } from '../../../core/service/profiles/profile';
import { member, parseJson } from '../../../core/solana/json/json';
import type { ReadSourceResult } from '../../../protocol/source';
import { startServerOn } from '../../support/lsp/requestFile';
import { localProfile } from '../../support/lsp/window';
import { testLedger } from '../../support/process/localnet';

const local = testLedger(['--plan', 'Shared Metal']);

async function start(t: TestContext, profile: EndpointProfile = localProfile(local), trusted = true) {
  const { server } = await startServerOn(t, local, {
    window: { profiles: [{ profile, source: 'user' as const }], trusted },
  });
  return (question: object, name = profile.name): Promise<ReadSourceResult> =>
    server.connection.sendRequest<ReadSourceResult>('solanaRpc/readSource', { profile: name, question });
}

const sentenceOf = (answer: ReadSourceResult): string => {
  assert.ok(!answer.ok, JSON.stringify(answer));
  return answer.message;
};

/** How often each method was called. */
async function callsOf(): Promise<Readonly<Record<string, number>>> {
  const { methods } = JSON.parse((await local.rest('/v1/usage')).text) as {
    methods: readonly { method: string; count: number }[];
  };
  return Object.fromEntries(methods.map(({ method, count }) => [method, count]));
}

test('Accounts are read with the key of the endpoint, as text that keeps every digit', async (t) => {
  const read = await start(t);
  const { address } = local.ready.wallet;
  await local.cheat('setAccount', { address, lamports: 18446744073709 });
  const slot = await read({ ask: 'slot' });
  assert.ok(slot.ok && /^\d+$/.test(slot.result), JSON.stringify(slot));
  const accounts = await read({ ask: 'accounts', addresses: [address], minSlot: Number(slot.result) });
  assert.ok(accounts.ok, JSON.stringify(accounts));
  assert.match(accounts.result, /"lamports":18446744073709\b/);
  assert.ok(Number(member(member(parseJson(accounts.result), 'context'), 'slot')) >= Number(slot.result));
  assert.deepEqual(await callsOf(), { getMultipleAccounts: 1, getSlot: 1 });
});

test('Any other read is refused before anything is sent', async (t) => {
  const read = await start(t);
  const before = await callsOf();
  for (const question of [{}, { ask: 'sendTransaction' }, { ask: 'accounts' }, { ask: 'accounts', addresses: [1] }])
    assert.equal(sentenceOf(await read(question)), 'A fork does not need this read.');
  assert.equal(sentenceOf(await read({ ask: 'slot' }, 'gone')), 'There is no endpoint named “gone” any more.');
  assert.deepEqual(await callsOf(), before);
});

test('A window that is not trusted reads nothing', async (t) => {
  const before = await callsOf();
  const read = await start(t, localProfile(local), false);
  assert.match(sentenceOf(await read({ ask: 'slot' })), /trust/i);
  assert.deepEqual(await callsOf(), before);
});
