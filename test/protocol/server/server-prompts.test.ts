// `@prompt` through the built server: the question names the parameter it fills, and a text is checked before it is sent.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PromptParams } from '../../../protocol/lsp';
import { onlyOutcome, openRequests, REQUEST_FILE } from '../../support/lsp/requestFile';
import { testLedger } from '../../support/process/localnet';

const TEXT = '### Balance\n# @prompt owner Whose balance?\n{ "method": "getBalance", "params": ["{{owner}}"] }\n';

const local = testLedger();

test('a prompt says what it fills, its text is checked, and the answer goes out', async (t) => {
  const { server, send } = await openRequests(t, local, TEXT);
  const check = (text: string): Promise<string | null> =>
    server.connection.sendRequest('solanaRpc/checkPrompt', { uri: REQUEST_FILE, name: 'owner', text });
  assert.match((await check('abc')) ?? '', /32 bytes/);
  assert.equal(await check(local.ready.wallet.address), null);
  await assert.rejects(
    server.connection.sendRequest('solanaRpc/checkPrompt', { uri: REQUEST_FILE, name: 5, text: '' }),
  );
  const asked: PromptParams[] = [];
  server.connection.onRequest('solanaRpc/prompt', (params: PromptParams) => {
    asked.push(params);
    return local.ready.wallet.address;
  });
  const { status, unit } = onlyOutcome(await send());
  assert.deepEqual([status, unit], ['passed', 'lamports']);
  assert.equal(asked.length, 1);
  const [question] = asked;
  assert.deepEqual(
    { ...question, hint: undefined },
    { uri: REQUEST_FILE, name: 'owner', label: 'Whose balance?', hint: undefined },
  );
  assert.match(question?.hint ?? '', /^pubkey \(public key\)/);
});
