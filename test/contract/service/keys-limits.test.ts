// Plans over the wire: bursts, batches, sends, and what a 429 says (docs/local-service.md, "Keys"). The service's clock
// moves only when a test moves it, so the counts are exact at any pace of the machine.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { member } from '../../../core/solana/json/json';
import { serviceInProcess, type InProcessService } from '../../support/process/inProcessService';
import type { HttpAnswer } from '../../support/process/localnet';

let local: InProcessService;
before(async () => {
  local = await serviceInProcess('Free');
});
after(() => local.stop());

const bearer = (key: string) => ({ authorization: `Bearer ${key}` });
const call = (method: string): string => JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: [] });
const count = (answers: readonly HttpAnswer[], status: number): number =>
  answers.filter((answer) => answer.status === status).length;

test('a burst of 12 on Free passes 5, and what the second refilled, and refuses the rest', async () => {
  const { key } = await local.newKey({ type: 'rpc', plan: 'Free' });
  const burst = (): Promise<readonly HttpAnswer[]> =>
    Promise.all(Array.from({ length: 12 }, () => local.rpc('getSlot', undefined, key)));
  const answers = await burst();
  assert.deepEqual([count(answers, 200), count(answers, 429)], [5, 7]);
  // Free refills 5 requests/s, one each 200 ms: two just after 400 ms, and not yet three just before 600 ms.
  for (const ms of [401, 595]) {
    local.pass(ms);
    const later = await burst();
    assert.deepEqual([count(later, 200), count(later, 429)], [2, 10], `${ms} ms`);
  }
});

test('a 429 is the contract error in a JSON-RPC envelope, with Retry-After and the rate headers', async () => {
  const { key } = await local.newKey({ type: 'rpc', plan: 'Free' });
  const answers = await Promise.all(Array.from({ length: 20 }, () => local.rpc('getSlot', undefined, key)));
  const refused = answers.find((answer) => answer.status === 429);
  assert.ok(refused !== undefined);
  assert.equal(
    refused.text,
    '{"jsonrpc":"2.0","error":{"code":429,"message":"Too Many Requests: 5 requests/s allowed on plan Free"},"id":1}',
  );
  assert.match(String(refused.headers['retry-after']), /^[1-9]\d*$/);
  assert.equal(refused.headers['x-ratelimit-limit'], '5');
  assert.equal(refused.headers['x-ratelimit-remaining'], '0');
  assert.match(String(refused.headers['x-ratelimit-reset']), /^[1-9]\d*$/);
});

test('a send takes from its own lower limit too', async () => {
  const { key } = await local.newKey({ type: 'rpc', plan: 'Free' });
  const answers = await Promise.all(Array.from({ length: 3 }, () => local.rpc('sendTransaction', ['x'], key)));
  const refused = answers.find((answer) => answer.status === 429);
  assert.ok(refused !== undefined);
  assert.match(refused.text, /1 sendTransaction\/s allowed on plan Free/);
  assert.deepEqual([count(answers, 200), count(answers, 429)], [1, 2]);
});

test('a batch costs as many requests as it holds', async () => {
  const { key } = await local.newKey({ type: 'rpc', plan: 'Free' });
  const batch = (n: number): string => `[${Array.from({ length: n }, () => call('getSlot')).join(',')}]`;
  assert.equal((await local.post(batch(5), bearer(key))).status, 200);
  const refused = await local.post(batch(5), bearer(key));
  assert.equal(refused.status, 429);
  assert.equal(member(refused.json, 'id'), null);
});

test('a batch larger than the plan can never pass and says so', async () => {
  const { key } = await local.newKey({ type: 'rpc', plan: 'Free' });
  const answer = await local.post(`[${Array.from({ length: 6 }, () => call('getSlot')).join(',')}]`, bearer(key));
  assert.equal(answer.status, 429);
  assert.match(answer.text, /a batch of 6 can never pass/);
});

test('each key has its own limit', async () => {
  const [one, other] = [
    await local.newKey({ type: 'rpc', plan: 'Free' }),
    await local.newKey({ type: 'rpc', plan: 'Free' }),
  ];
  await Promise.all(Array.from({ length: 8 }, () => local.rpc('getSlot', undefined, one.key)));
  assert.equal((await local.rpc('getSlot', undefined, other.key)).status, 200);
});

test('a new plan holds from the next request', async () => {
  const { keyId, key } = await local.newKey({ type: 'rpc', plan: 'Free' });
  await local.admin('PATCH', `/keys/${keyId}`, { plan: 'Pro' });
  const answer = await local.rpc('getSlot', undefined, key);
  assert.equal(answer.headers['x-ratelimit-limit'], '200');
});

test('refused requests count as requests with errors', async () => {
  const { keyId, key } = await local.newKey({ type: 'rpc', plan: 'Free' });
  const answers = await Promise.all(Array.from({ length: 10 }, () => local.rpc('getSlot', undefined, key)));
  const usage = await local.rest(`/v1/usage/${keyId}`);
  assert.equal(member(usage.json, 'request_count'), 10);
  const [row] = member(usage.json, 'methods') as readonly HttpAnswer['json'][];
  assert.equal(count(answers, 429), 5);
  assert.equal(member(row, 'errors'), 5);
});
