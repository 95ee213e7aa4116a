// Suspension over the wire, on a clock of the test's own: when it comes, what it answers, that it ends by itself.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { member } from '../../../core/solana/json/json';
import { openLedger, type Ledger } from '../../../localnet/node/open';
import { startService, type Service } from '../../../localnet/service';
import { request, type HttpAnswer } from '../../support/process/localnet';

let ledger: Ledger;
let service: Service;
let now = 1_700_000_000_000;
before(async () => {
  ledger = await openLedger({ paused: true });
  service = await startService(ledger, { port: 0, plan: 'Free', seed: undefined, now: () => now });
});
after(async () => {
  await service.close();
  ledger.close();
});

const call = (): Promise<HttpAnswer> =>
  request(`http://127.0.0.1:${service.port}/sol`, {
    method: 'POST',
    headers: { authorization: `Bearer ${service.keys.rpc.key}`, 'content-type': 'application/json' },
    body: '{"jsonrpc":"2.0","id":"it","method":"getSlot"}',
  });
const stateOf = async (): Promise<unknown> => {
  const answer = await request(`http://127.0.0.1:${service.port}/v1/keys?api_key=${service.keys.grpc.key}`);
  const { keys } = answer.json as unknown as { keys: { key_id: string; state: string }[] };
  return keys.find(({ key_id }) => key_id === service.keys.rpc.keyId)?.state;
};

test('a key that keeps hammering is suspended for 30 seconds, says so, and works again by itself', async () => {
  const seen = new Set<number>();
  for (let ms = 0; ms < 12_000 && !seen.has(403); ms += 40) {
    seen.add((await call()).status);
    now += 40;
  }
  assert.deepEqual([...seen].sort(), [200, 403, 429]);
  const refused = await call();
  assert.equal(refused.status, 403);
  assert.equal(member(refused.json, 'id'), 'it');
  assert.match(refused.text, /temporarily suspended/);
  const seconds = Number(refused.headers['retry-after']);
  assert.ok(seconds >= 29 && seconds <= 30, `${seconds} s`);
  assert.equal(await stateOf(), 'suspended');
  now += seconds * 1000;
  assert.equal((await call()).status, 200);
  assert.equal(await stateOf(), 'active');
});
