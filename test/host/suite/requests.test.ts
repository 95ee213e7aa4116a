// The commands around one request, and the tools of language models, in the real editor with the real local service.
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { answerDialogs, savingTo } from './dialogs';
import { eventually, responseNamed, show } from './steps';

const SLOT = '### Slot\n# @name compared\n{ "method": "getSlot" }\n';
const TRANSFER = '{{$transfer 9B5XszUGdMaxCZ7uSQhPzdks5ZQSmWxrmzCSvtJ6Ns6g 5000}}';
const settings = () => vscode.workspace.getConfiguration('solanaRpc');

const run = (name: string, ...args: unknown[]): Thenable<unknown> =>
  vscode.commands.executeCommand(`solanaRpc.${name}`, ...args);

async function invoke(name: string, input: object): Promise<string> {
  const { content } = await vscode.lm.invokeTool(`solanaRpc_${name}`, { input, toolInvocationToken: undefined });
  // Behind the label.
  return content
    .slice(1)
    .map((part) => (part instanceof vscode.LanguageModelTextPart ? part.value : ''))
    .join('');
}

/** How often the service was asked for each method, by its own count: the usage, loaded and exported. */
async function askedOfService(): Promise<ReadonlyMap<string, number>> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'usage-'));
  try {
    const file = path.join(folder, 'usage.csv');
    await run('refreshUsage');
    await savingTo(vscode.Uri.file(file), () => run('exportUsage'));
    const rows = (await readFile(file, 'utf8')).split('\n').map((line) => line.split(','));
    return new Map(rows.map(([, , method = '', count]) => [method, Number(count)]));
  } finally {
    await rm(folder, { recursive: true });
  }
}

describe('commands around a request', () => {
  before(async () => {
    await run('startLocalService');
  });
  after(async () => {
    await settings().update('endpoints', undefined, vscode.ConfigurationTarget.Global);
    await run('stopLocalService');
  });

  it('a curl command on the clipboard becomes a block, without its key', async () => {
    const document = await show('');
    const key = 'a1b2c3d4e5f6a7b8c9d0';
    await vscode.env.clipboard.writeText(
      `curl https://host.example/sol -H 'Authorization: Bearer ${key}' -d '{"method":"getSlot"}'`,
    );
    const dialogs = answerDialogs([undefined]);
    await run('pasteCurl');
    dialogs.restore();
    assert.match(document.getText(), /^### getSlot\nPOST https:\/\/host\.example\/sol\n/);
    assert.ok(!document.getText().includes(key));
    assert.match(dialogs.questions.join(), /contained a key for host\.example/);
    assert.ok(!dialogs.questions.join().includes(key));
  });

  it('a .http file becomes a request file, with what could not be converted in comments', async () => {
    const content = '### Slot\nPOST https://a.example\n\n{ "method": "getSlot" }\n\n###\nGET https://a.example\n';
    const source = await vscode.workspace.openTextDocument({ language: 'plaintext', content });
    await run('convertHttp', source.uri);
    const document = vscode.window.activeTextEditor?.document;
    assert.equal(document?.languageId, 'jsonrpc');
    assert.match(
      document.getText(),
      /^# Not everything could be converted\.\n# Line 7: A GET request [^]*### Slot\nPOST/,
    );
  });

  it('a clipboard without a request says why', async () => {
    await show('');
    await vscode.env.clipboard.writeText('curl https://host.example');
    const dialogs = answerDialogs([undefined]);
    await run('pasteCurl');
    dialogs.restore();
    assert.match(dialogs.questions.join(), /sends no body/);
  });

  it('a request is copied as a curl command that names the variable of its key', async () => {
    const document = await show(SLOT);
    const dialogs = answerDialogs(['$(terminal) curl']);
    await run('copyAs', document.uri.toString(), 0);
    dialogs.restore();
    const copied = await vscode.env.clipboard.readText();
    assert.match(copied, /^curl .*\n {2}'http:\/\/127\.0\.0\.1:\d+/);
    assert.match(copied, /Bearer \$SOLANA_RPC_KEY/);
    assert.match(copied, /"method":"getSlot"/);
  });

  it('a transaction is simulated and not sent', async () => {
    const before = await askedOfService();
    const document = await show(
      `### Pay\n# @name paid\n{ "method": "sendTransaction", "params": ["${TRANSFER}", { "encoding": "base64" }] }\n`,
    );
    await run('simulate', document.uri.toString(), 0);
    const shown = await responseNamed('Pay (simulated)');
    assert.match(shown.getText(), /"unitsConsumed": \d+/);
    const now = await askedOfService();
    const added = (method: string): number => (now.get(method) ?? 0) - (before.get(method) ?? 0);
    assert.equal(added('simulateTransaction'), 1);
    assert.equal(added('sendTransaction'), 0);
  });

  it('the same request at two endpoints is shown as a difference', async () => {
    const document = await show(SLOT);
    const copying = answerDialogs(['$(terminal) curl']);
    await run('copyAs', document.uri.toString(), 0);
    copying.restore();
    const url = /'(http:\S+)'/.exec(await vscode.env.clipboard.readText())?.[1] ?? '';
    const other = { name: 'other', rpcUrl: url, auth: { rpc: 'none' } };
    await settings().update('endpoints', [other], vscode.ConfigurationTarget.Global);
    const dialogs = answerDialogs(['local', 'other']);
    await run('compareEndpoints', document.uri.toString(), 0);
    dialogs.restore();
    const tab = await eventually(() =>
      vscode.window.tabGroups.all
        .flatMap(({ tabs }) => tabs)
        .map(({ input }) => input)
        .find((input) => input instanceof vscode.TabInputTextDiff),
    );
    assert.match(tab.original.path, /compared \(local\)\.json$/);
    assert.match(tab.modified.path, /compared \(other\)\.json$/);
  });

  it('a tool lists methods', async () => {
    assert.match(await invoke('listMethods', { query: 'balance' }), /getBalance\(pubkey/);
  });

  it('a tool finds what is wrong with a text', async () => {
    assert.match(await invoke('validate', { text: '### A\n{ "method": "getBalanec" }\n' }), /unknown-method/);
  });

  it('a tool runs a request on the local service without a question', async () => {
    assert.match(await invoke('run', { method: 'getSlot' }), /"result": \d+/);
  });

  it('a tool takes no variables and no endpoint that is not there', async () => {
    await assert.rejects(invoke('run', { method: 'getBalance', params: ['{{$wallet}}'] }));
    await assert.rejects(invoke('run', { method: 'getSlot', endpoint: 'nowhere' }));
  });
});
