// `solana-rpc lsp --stdio`: what other editors get, where their keys go, and that VS Code is not offered the command.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { test, type TestContext } from 'node:test';
import { CancellationTokenSource } from 'vscode-jsonrpc/node';
import { startSink, type Workspace, type Sink, testWorkspace } from '../support/process/cli';
import { startEditor, type EditorLike, type EditorOptions } from '../support/lsp/lspProcess';
import { startServer } from '../support/lsp/serverProcess';

const KEY = 'rpc-key-of-the-environment';
const SLOT = '### Slot\n{ "method": "getSlot" }\n';

async function scene(
  t: TestContext,
  { origin = true, result = '1', ...options }: EditorOptions & { origin?: boolean; result?: string } = {},
): Promise<{ workspace: Workspace; sink: Sink; editor: EditorLike }> {
  const workspace = testWorkspace();
  const sink = await startSink(`{"jsonrpc":"2.0","id":1,"result":${result}}`);
  t.after(() => sink.close());
  workspace.write(
    'solana-rpc.json',
    JSON.stringify({
      endpoints: [{ name: 'project', rpcUrl: `${sink.origin}/sol`, variables: { depth: 7 } }],
      environments: { dev: { variables: { chosen: 5 } } },
    }),
  );
  const env = { SOLANA_RPC_KEY: KEY, ...(origin && { SOLANA_RPC_ORIGIN: sink.origin }), ...options.env };
  const editor = await startEditor(workspace, { ...options, env });
  t.after(() => editor.stop());
  return { workspace, sink, editor };
}

test('another editor is offered the command and every feature', async (t) => {
  const { editor } = await scene(t);
  const { capabilities } = editor;
  assert.deepEqual(capabilities['executeCommandProvider'], { commands: ['solanaRpc.run'] });
  const features = ['completionProvider', 'hoverProvider', 'renameProvider', 'documentFormattingProvider'];
  for (const name of [...features, 'signatureHelpProvider', 'inlayHintProvider', 'semanticTokensProvider'])
    assert.ok(capabilities[name], name);
});

test("our own client is not offered the command, and another client cannot call it on our client's server", async (t) => {
  const server = await startServer();
  t.after(() => server.stop());
  assert.equal(server.capabilities['executeCommandProvider'], undefined);
  const call = server.connection.sendRequest('workspace/executeCommand', { command: 'solanaRpc.run', arguments: [] });
  await assert.rejects(call, /Unhandled method/);
});

test('VS Code is not offered the command, however the server was started', async (t) => {
  const params = { clientInfo: { name: 'Visual Studio Code', version: '1.99.0' } };
  const { editor, workspace } = await scene(t, { params });
  assert.equal(editor.capabilities['executeCommandProvider'], undefined);
  workspace.write('a.jsonrpc', SLOT);
  await assert.rejects(editor.run('a.jsonrpc', 0), /Unhandled method/);
});

test('a run takes the unsaved text, the profile of the folder and the key of the environment', async (t) => {
  const { editor, workspace, sink } = await scene(t);
  workspace.write('a.jsonrpc', '### saved before\n{ "method": "getHealth" }\n');
  await editor.open('a.jsonrpc', SLOT);
  const row = await editor.run('a.jsonrpc', 1);
  assert.equal(row.status, 'passed');
  assert.equal(row.endpoint, 'project');
  assert.match(sink.requests[0]?.body ?? '', /getSlot/);
  assert.equal(sink.requests[0]?.headers.authorization, `Bearer ${KEY}`);
  assert.ok(!editor.wire().includes(KEY));
});

test('--env gives its variables to runs and to the checks', async (t) => {
  const { editor, workspace, sink } = await scene(t, { args: ['--env', 'dev'] });
  const text = '### Slot\n{ "method": "getBlockTime", "params": ["{{chosen}}"] }\n';
  workspace.write('a.jsonrpc', text);
  assert.equal((await editor.run('a.jsonrpc', 0)).status, 'passed');
  assert.match(sink.requests[0]?.body ?? '', /"params":\[5\]/);
  await editor.open('a.jsonrpc', text);
  const { items } = await editor.connection.sendRequest<{ readonly items: readonly { readonly code: string }[] }>(
    'textDocument/diagnostic',
    { textDocument: { uri: editor.uri('a.jsonrpc') } },
  );
  assert.deepEqual(
    items.map(({ code }) => code),
    [],
  );
});

test('a file that is not open is run as it is on disk', async (t) => {
  const { editor, workspace, sink } = await scene(t);
  workspace.write('a.jsonrpc', SLOT);
  assert.equal((await editor.run('a.jsonrpc', 0)).status, 'passed');
  assert.equal(sink.requests.length, 1);
});

test('a project cannot have the key sent to an origin that was not named for it', async (t) => {
  const { editor, sink } = await scene(t, { origin: false });
  await editor.open('a.jsonrpc', SLOT);
  const row = await editor.run('a.jsonrpc', 0);
  assert.equal(row.error?.kind, 'noKey');
  assert.equal(sink.requests.length, 0);
});

test('numbers come back digit by digit', async (t) => {
  const { editor } = await scene(t, { result: '18446744073709551615' });
  await editor.open('a.jsonrpc', SLOT);
  await editor.run('a.jsonrpc', 0);
  assert.match(editor.wire(), /"result":18446744073709551615/);
});

test('a request with a note asks in the editor, and is not sent where the answer is no', async (t) => {
  const { editor, sink } = await scene(t);
  const asked: string[] = [];
  let answer: { title: string } | null = null;
  editor.connection.onRequest('window/showMessageRequest', ({ message }: { readonly message: string }) => {
    asked.push(message);
    return answer;
  });
  await editor.open('a.jsonrpc', `### Slot\n# @note really?\n{ "method": "getSlot" }\n`);
  assert.equal((await editor.run('a.jsonrpc', 0)).error?.kind, 'confirmation');
  assert.equal(sink.requests.length, 0);
  answer = { title: 'Send' };
  assert.equal((await editor.run('a.jsonrpc', 0)).status, 'passed');
  assert.equal(asked.length, 2);
  assert.match(asked[0] ?? '', /really\?/);
});

test('an editor that cannot ask has not agreed', async (t) => {
  const { editor, sink } = await scene(t);
  await editor.open('a.jsonrpc', `### Slot\n# @note really?\n{ "method": "getSlot" }\n`);
  assert.equal((await editor.run('a.jsonrpc', 0)).error?.kind, 'confirmation');
  assert.equal(sink.requests.length, 0);
});

test('a request that needs another one gives its own row', async (t) => {
  const { editor } = await scene(t);
  await editor.open(
    'a.jsonrpc',
    `### A\n# @name a\n${SLOT.slice(9)}### B\n# @name b\n{ "method": "getBlockTime", "params": ["{{a.result}}"] }\n`,
  );
  const row = await editor.run('a.jsonrpc', 5);
  assert.equal((row as unknown as { name: string }).name, 'b');
});

test('a faulty request is a failed row and nothing is sent', async (t) => {
  const { editor, sink } = await scene(t);
  await editor.open('a.jsonrpc', '### A\n{ "method": "getBalance", "params": ["{{nobody}}"] }\n');
  assert.equal((await editor.run('a.jsonrpc', 0)).status, 'failed');
  assert.equal(sink.requests.length, 0);
});

test('a place without a request is refused with a sentence', async (t) => {
  const { editor } = await scene(t);
  await editor.open('a.jsonrpc', `# only notes\n\n${SLOT}`);
  await assert.rejects(editor.run('a.jsonrpc', 0), /no request on line 1/);
  await assert.rejects(editor.run('missing.jsonrpc', 0), /cannot be read/);
  await assert.rejects(editor.run('a.jsonrpc', -1), /counts from 0/);
  const call = editor.connection.sendRequest('workspace/executeCommand', { command: 'solanaRpc.send' });
  await assert.rejects(call, /no command solanaRpc.send/);
});

test('lenses and actions of a request carry the command', async (t) => {
  const { editor } = await scene(t);
  await editor.open('a.jsonrpc', SLOT);
  const textDocument = { uri: editor.uri('a.jsonrpc') };
  const start = { line: 1, character: 0 };
  const lenses = await editor.connection.sendRequest<{ command: { command: string } }[]>('textDocument/codeLens', {
    textDocument,
  });
  assert.deepEqual([...new Set(lenses.map(({ command }) => command.command))], ['solanaRpc.run']);
  const actions = await editor.connection.sendRequest<{ command?: { command: string; arguments: unknown[] } }[]>(
    'textDocument/codeAction',
    { textDocument, range: { start, end: start }, context: { diagnostics: [] } },
  );
  assert.deepEqual(actions.at(-1)?.command?.arguments, [textDocument.uri, 0, { show: true }]);
});

test('an answer that is asked for as a document is shown as one, with exact digits', async (t) => {
  const params = { capabilities: { window: { showDocument: { support: true } } } };
  const { editor } = await scene(t, { params, result: '18446744073709551615' });
  const shown = new Promise<string>((resolve) => {
    editor.connection.onRequest('window/showDocument', ({ uri }: { readonly uri: string }) => {
      resolve(uri);
      return { success: true };
    });
  });
  await editor.open('a.jsonrpc', SLOT);
  await editor.run('a.jsonrpc', 0, { show: true });
  assert.match(await readFile(fileURLToPath(await shown), 'utf8'), /"result": 18446744073709551615/);
});

test('cancelling the command cancels the request', async (t) => {
  const { editor } = await scene(t);
  const source = new CancellationTokenSource();
  // Takes the request and never answers it.
  const silent = http.createServer(() => source.cancel());
  t.after(() => silent.closeAllConnections());
  t.after(() => silent.close());
  silent.listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const { port } = silent.address() as AddressInfo;
  await editor.open('a.jsonrpc', `### Never\n# @timeout 10m\nPOST http://127.0.0.1:${port}\n{ "method": "getSlot" }\n`);
  const row = await editor.connection.sendRequest<{ status: string }>(
    'workspace/executeCommand',
    { command: 'solanaRpc.run', arguments: [editor.uri('a.jsonrpc'), 0] },
    source.token,
  );
  assert.notEqual(row.status, 'passed');
});

test('the server ends when the editor closes its end', async (t) => {
  const { editor } = await scene(t);
  const gone = once(editor.child, 'exit');
  editor.child.stdin?.end();
  assert.deepEqual(await gone, [0, null]);
});

for (const form of ['two words', 'one word'])
  test(`the server ends with the process of --clientProcessId, given as ${form}`, async (t) => {
    const client = spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1e6)'], { stdio: 'ignore' });
    t.after(() => client.kill('SIGKILL'));
    const args = form === 'one word' ? [`--clientProcessId=${client.pid}`] : ['--clientProcessId', String(client.pid)];
    const { editor } = await scene(t, { args, params: { processId: null } });
    const gone = once(editor.child, 'exit');
    client.kill('SIGKILL');
    assert.deepEqual(await gone, [1, null]);
  });

test('a workspace folder added later brings its endpoints, and takes them along when removed', async (t) => {
  const { editor, workspace, sink } = await scene(t, {
    params: { capabilities: { workspace: { workspaceFolders: true } } },
  });
  await mkdir(path.join(workspace.root, 'added'));
  workspace.write(
    'added/solana-rpc.json',
    JSON.stringify({ endpoints: [{ name: 'added', rpcUrl: `${sink.origin}/sol` }] }),
  );
  workspace.write('added/a.jsonrpc', SLOT);
  const change = (event: object): Promise<void> =>
    editor.connection.sendNotification('workspace/didChangeWorkspaceFolders', { event });
  const folder = { uri: editor.uri('added'), name: 'added' };
  assert.deepEqual(editor.capabilities['workspace'], {
    workspaceFolders: { supported: true, changeNotifications: true },
  });
  assert.equal((await editor.run('added/a.jsonrpc', 0)).endpoint, 'project');
  await change({ added: [folder], removed: [] });
  assert.equal((await editor.run('added/a.jsonrpc', 0)).endpoint, 'added');
  await change({ added: [], removed: [folder] });
  assert.equal((await editor.run('added/a.jsonrpc', 0)).endpoint, 'project');
});

test('without --stdio, and with a key as an option, the command is refused', async () => {
  const workspace = testWorkspace();
  const bare = await workspace.run(['lsp']);
  assert.equal(bare.code, 1);
  assert.match(bare.stderr, /lsp --stdio/);
  const withKey = await workspace.run(['lsp', '--stdio', '--rpc-url', 'https://host.example/sol?api_key=abc']);
  assert.equal(withKey.code, 1);
  assert.ok(!withKey.stderr.includes('abc'));
});

test('a run in another editor sends no transaction that is only referred to, unless the user says yes', async (t) => {
  const { workspace, sink, editor } = await scene(t, { result: '"5signature"' });
  workspace.write(
    'pay.jsonrpc',
    '### Pay\n# @name pay\n{ "method": "sendTransaction", "params": ["AQ=="] }\n### Status\n{ "method": "getSignatureStatuses", "params": [["{{pay.result}}"]] }\n',
  );
  const methods = (): readonly string[] => sink.requests.map(({ body }) => /"method":\s*"(\w+)"/.exec(body)?.[1] ?? '');
  await assert.rejects(editor.run('pay.jsonrpc', 3), /Send "pay" first/);
  assert.deepEqual(methods(), []);
  await editor.run('pay.jsonrpc', 0);
  await editor.run('pay.jsonrpc', 3);
  await editor.run('pay.jsonrpc', 3);
  assert.deepEqual(methods(), ['sendTransaction', 'getSignatureStatuses', 'getSignatureStatuses']);
});
