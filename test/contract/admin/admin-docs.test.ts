// docs/local-service.md: every example works as written, and everything the service offers is there.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { CHEAT_NAMES } from '../../../localnet/admin/cheats';
import { FAULT_KINDS } from '../../../localnet/faults/kinds';
import { helpText } from '../../../localnet/options';
import { PUBSUB } from '../../../localnet/websocket/topics';
import { type HttpAnswer, request, testLedger } from '../../support/process/localnet';

const text = readFileSync(path.join(import.meta.dirname, '..', '..', '..', 'docs', 'local-service.md'), 'utf8');
const examples = [...text.matchAll(/^```json\n(.*)\n```$/gm)].map(([, example = '']) => example);

const local = testLedger();

const send = (method: string, to: string, body: string): Promise<HttpAnswer> =>
  request(local.ready.adminUrl + to, {
    method,
    headers: { authorization: `Bearer ${local.ready.adminToken}`, 'content-type': 'application/json' },
    body,
  });

for (const example of examples) {
  test(`the example works: ${example.slice(0, 100)}`, async () => {
    if (example.startsWith('{"faults"')) {
      const answer = await send('PUT', '/faults', example);
      assert.equal(answer.status, 200, answer.text);
    } else {
      const answer = await send('POST', '/rpc', example);
      assert.match(answer.text, /^\{"jsonrpc":"2\.0","result":(true|"[^"]+"),"id":1\}$/);
    }
  });
}

test('every option, fault, cheat code and subscription is in the text', () => {
  const options = [...helpText().matchAll(/^ {2}(--[a-z-]+)/gm)].map(([, name = '']) => name);
  const faults = Object.keys(FAULT_KINDS).map((kind) => `"kind": "${kind}"`);
  const cheats = CHEAT_NAMES.map((name) => `"method": "${name}"`);
  const subscriptions = [...PUBSUB.keys()].filter((name) => name.endsWith('Subscribe'));
  assert.ok(options.length >= 9 && faults.length >= 9 && cheats.length >= 9 && subscriptions.length >= 7);
  assert.deepEqual(
    [...options, ...faults, ...cheats, ...subscriptions].filter((name) => !text.includes(name)),
    [],
  );
});
