// `@prompt` through the built server: the question names the parameter it fills, and a text is checked before it is sent.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { ExecuteParams, ExecuteResult, PromptParams } from '../../../protocol/lsp';
import { startServer } from '../../support/lsp/serverProcess';
import { grantingBroker, localWindow } from '../../support/lsp/window';
import { startTestLedger, type Localnet } from '../../support/process/localnet';

const FILE = 'file:///requests/prompted.jsonrpc';
const TEXT = '### Balance\n# @prompt owner Whose balance?\n{ "method": "getBalance", "params": ["{{owner}}"] }\n';

let local: Localnet;
before(async () => {
  local = await startTestLedger();
});
after(() => local.stop());

test('a prompt says what it fills, its text is checked, and the answer goes out', async (t) => {
  const broker = grantingBroker(local);
  const server = await startServer({ answer: (request) => broker.answer(request), window: localWindow(local) });
  t.after(() => server.stop());
  await server.open(FILE, TEXT);
  const check = (text: string): Promise<string | null> =>
    server.connection.sendRequest('solanaRpc/checkPrompt', { uri: FILE, name: 'owner', text });
  assert.match((await check('abc')) ?? '', /32 bytes/);
  assert.equal(await check(local.ready.wallet.address), null);
  await assert.rejects(server.connection.sendRequest('solanaRpc/checkPrompt', { uri: FILE, name: 5, text: '' }));
  const asked: PromptParams[] = [];
  server.connection.onRequest('solanaRpc/prompt', (params: PromptParams) => {
    asked.push(params);
    return local.ready.wallet.address;
  });
  const params: ExecuteParams = { uri: FILE, version: 1 };
  const result = await server.connection.sendRequest<ExecuteResult>('solanaRpc/execute', params);
  assert.equal(result.kind === 'done' && result.outcomes[0]?.status, 'passed', JSON.stringify(result));
  assert.equal(result.kind === 'done' && result.outcomes[0]?.unit, 'lamports');
  assert.equal(asked.length, 1);
  const [question] = asked;
  assert.deepEqual(
    { ...question, hint: undefined },
    { uri: FILE, name: 'owner', label: 'Whose balance?', hint: undefined },
  );
  assert.match(question?.hint ?? '', /^pubkey \(public key\)/);
});
