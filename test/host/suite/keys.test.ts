// Keys and usage over a profile of the user's own: the real commands, the real secret storage, the real local service in
// the part of the hosted one.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { LocalService, type LocalServiceReady } from '../../../process/localService';
import { assertNoLeak } from '../../support/process/leaks';
import { request, type HttpAnswer, type IssuedKey } from '../../support/process/localnet';
import { answerDialogs, type DialogAnswer, type Dialogs } from './dialogs';
import { eventually, responseNamed, show } from './steps';

const EXTENSION = 'rpc-workbench.solana-rpc-workbench';

/** Providers that fill the views; the extension registers them when it activates, which is later. */
const providers = new Map<string, vscode.TreeDataProvider<unknown>>();
const { createTreeView, registerTreeDataProvider } = vscode.window;
Object.assign(vscode.window, {
  createTreeView: (id: string, options: vscode.TreeViewOptions<unknown>) => {
    providers.set(id, options.treeDataProvider);
    return createTreeView(id, options);
  },
  registerTreeDataProvider: (id: string, provider: vscode.TreeDataProvider<unknown>) => {
    providers.set(id, provider);
    return registerTreeDataProvider(id, provider);
  },
});

/** Label and description of each row of a view, one a line, down to `depth` levels. */
async function rowsOf(view: string, depth = 1): Promise<string> {
  const provider = providers.get(view);
  assert.ok(provider, `${view} has a provider`);
  const lines: string[] = [];
  const walk = async (parent: unknown, level: number): Promise<void> => {
    for (const item of (await provider.getChildren(parent)) ?? []) {
      const { label = '', description } = await provider.getTreeItem(item);
      const words = [typeof label === 'string' ? label : label.label, String(description)];
      lines.push(words.filter((word) => word !== '').join(' | '));
      if (level < depth) await walk(item, level + 1);
    }
  };
  await walk(undefined, 1);
  return lines.join('\n');
}

const settings = () => vscode.workspace.getConfiguration('solanaRpc');
const extension = () => {
  const found = vscode.extensions.getExtension(EXTENSION);
  assert.ok(found);
  return found;
};

describe('keys of a user’s own endpoint', () => {
  let service: LocalService;
  let ready: LocalServiceReady;
  let key: IssuedKey;

  const admin = (method: string, after: string, body: unknown): Promise<HttpAnswer> =>
    request(ready.adminUrl + after, {
      method,
      headers: { authorization: `Bearer ${ready.adminToken.reveal()}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const fault = (kind: string, more: object = {}) =>
    admin('PUT', '/faults', { faults: [{ scope: 'rest', kind, ...more }] });

  /** Runs a command whose dialogs get these answers. */
  const run = async (command: string, answers: readonly DialogAnswer[], ...args: unknown[]): Promise<Dialogs> => {
    const dialogs = answerDialogs(answers);
    try {
      await vscode.commands.executeCommand(`solanaRpc.${command}`, ...args);
    } finally {
      dialogs.restore();
    }
    return dialogs;
  };

  const rows = () => rowsOf('solanaRpc.usage');
  const loaded = async (): Promise<string> => {
    await vscode.commands.executeCommand('solanaRpc.refreshUsage');
    return rows();
  };

  before(async () => {
    service = new LocalService({ program: path.join(extension().extensionPath, 'dist', 'localnet.js') });
    const state = await service.settled();
    assert.ok(state.kind === 'running', state.kind);
    ({ ready } = state);
    key = JSON.parse((await admin('POST', '/keys', { type: 'rpc' })).text) as IssuedKey;
    const { rpcUrl, wsUrl, restUrl } = ready;
    const profile = { name: 'hosted', rpcUrl, wsUrl, restUrl };
    await settings().update('endpoints', [profile], vscode.ConfigurationTarget.Global);
    await settings().update('endpoint', 'hosted', vscode.ConfigurationTarget.Workspace);
    await extension().activate();
  });
  after(async () => {
    await settings().update('endpoints', undefined, vscode.ConfigurationTarget.Global);
    await settings().update('endpoint', undefined, vscode.ConfigurationTarget.Workspace);
    await service.stop();
  });
  afterEach(() => admin('PUT', '/faults', { faults: [] }));

  let requests = 0;
  /** Sends a request with a unique name, so that no earlier answer is taken for its own. */
  const sent = async (): Promise<string> => {
    const name = `held${++requests}`;
    const document = await show(`### Slot\n# @name ${name}\n{ "method": "getSlot" }\n`);
    await vscode.commands.executeCommand('solanaRpc.send', document.uri.toString(), 0);
    // A request that was not sent has no response: a diagnostic says why.
    const [unsent] = vscode.languages.getDiagnostics(document.uri).filter(({ source }) => source === 'Solana RPC');
    return unsent?.message ?? (await responseNamed(name)).getText();
  };

  it('usage without a key names the host and offers to add one', async () => {
    assert.match(await loaded(), /^No key for 127\.0\.0\.1:\d+\nAdd Key for This Host…$/m);
  });

  it('a key box that is left stores nothing', async () => {
    const { boxes } = await run('addKey', ['RPC key', 'main', undefined]);
    assert.deepEqual(
      boxes.map(({ password }) => password ?? false),
      [false, true],
    );
    assert.match(await sent(), /^No RPC key is stored for 127/);
  });

  it('a key that the service does not know is refused, and leaving the question stores nothing', async () => {
    const { questions } = await run('addKey', ['RPC key', 'main', 'rpc_nobody-knows-this-key', undefined]);
    assert.match(questions.join(), /refused this key as unknown/);
    assert.match(await sent(), /^No RPC key is stored for 127/);
  });

  it('a stored key goes out with the next request, and the usage is there', async () => {
    await run('addKey', ['RPC key', 'main', key.key]);
    assert.match(await sent(), /"result": \d+/);
    assert.match(await loaded(), /^Account \| \d+( · (under )?\d+ % errors)?$/m);
  });

  it('a rotation whose choice of key, or explanation, is left changes nothing', async () => {
    const chosen = await run('rotateKey', [undefined]);
    assert.deepEqual(chosen.questions, []);
    const explained = await run('rotateKey', ['$(key) RPC key', undefined]);
    assert.deepEqual(explained.questions, ['Rotate the RPC key “main” of hosted?']);
    assert.deepEqual(explained.boxes, []);
    assert.match(await sent(), /"result": \d+/);
  });

  it('while the usage loads, the view says so above the numbers of before', async () => {
    await fault('latency', { ms: 300, times: 1 });
    const loading = vscode.commands.executeCommand('solanaRpc.refreshUsage');
    assert.match(await eventually(async () => /^Loading.*/.exec(await rows())?.[0]), /^Loading usage…/);
    assert.match(await rows(), /\nAccount \| /);
    await loading;
    assert.match(await rows(), /^Account \| /);
  });

  it('an empty range offers another one', async () => {
    await fault('status', { status: 200, body: '{"request_count":0,"methods":[],"from":1,"to":2}', times: 1 });
    assert.match(await loaded(), /^Account \| no requests\nNo requests in this range\nChoose Another/);
  });

  const REFUSALS: readonly (readonly [string, object, RegExp])[] = [
    ['401', { status: 401 }, /^The key was refused \(401\)\nRotate or Replace/],
    ['403', { status: 403 }, /^The key is of the wrong type \(403\)\nAdd an RPC Key/],
    ['404', { status: 404 }, /^The service does not know this key id \(404\)\nTry Again/],
    [
      '429',
      { status: 429, headers: { 'retry-after': '60' } },
      /^Too many requests \(429\) \| again in 60 s\nTry Again/,
    ],
  ];
  for (const [name, answer, wanted] of REFUSALS)
    it(`${name} is shown with the next step, above the earlier numbers`, async () => {
      await fault('status', { ...answer, times: 1 });
      const text = await loaded();
      assert.match(text, wanted);
      assert.match(text, /\nAccount \| /);
    });

  it('garbage instead of the summary is reported as such', async () => {
    await fault('garbage', { times: 1 });
    assert.match(await loaded(), /^The answer could not be read\nTry Again/);
  });

  it('a service that never answers is a time-out, and the next load works', async function () {
    this.timeout(90_000);
    await fault('hang', { times: 1 });
    assert.match(await loaded(), /^No answer in time\nTry Again/);
    assert.match(await loaded(), /^Account \| /);
  });

  const SUSPENDED = { status: 403, headers: { 'retry-after': '5' }, body: '{"error":{"message":"suspended"}}' };

  it('a suspension is shown with its duration, above the earlier numbers, and disappears after it', async () => {
    await fault('status', { ...SUSPENDED, times: 1 });
    const text = await loaded();
    assert.match(text, /^The key is suspended \| again in [1-5] s/);
    assert.match(text, /\nAccount \| /);
    await eventually(async () => /^Account \| /.exec(await loaded())?.[0]);
  });

  it('a run that meets a suspended key says in the Endpoints view until when', async () => {
    await admin('PUT', '/faults', { faults: [{ scope: 'http', kind: 'status', ...SUSPENDED, times: 1 }] });
    assert.match(await sent(), /suspended/);
    const view = await eventually(async () => /suspended until .*/.exec(await rowsOf('solanaRpc.keys', 2))?.[0]);
    assert.match(view, /suspended until \d/);
  });

  it('a run that the service answers shows the key as active again', async () => {
    await eventually(async () => /"result": \d+/.exec(await sent())?.[0]);
    await eventually(async () => /RPC key \| main/.exec(await rowsOf('solanaRpc.keys', 2))?.[0]);
  });

  it('the key is on no clipboard, in no setting, in no terminal’s environment', async () => {
    await vscode.env.clipboard.writeText('before');
    for (const command of ['refreshUsage', 'showLog']) await vscode.commands.executeCommand(`solanaRpc.${command}`);
    assert.equal(await vscode.env.clipboard.readText(), 'before');
    assertNoLeak(JSON.stringify(vscode.workspace.getConfiguration()), [key.key], 'the settings');
    const terminal = vscode.window.createTerminal('environment');
    const pid = await terminal.processId;
    const environment = readFileSync(`/proc/${pid}/environ`, 'utf8');
    terminal.dispose();
    assert.match(environment, /PATH=/);
    assertNoLeak(environment, [key.key], 'a terminal');
    assert.doesNotMatch(environment, /SOLANA_/);
  });

  it('gives other extensions nothing: no exports, and no command returns anything', async function () {
    // Every command runs three times; one of them sends the whole sample and waits for its transactions.
    this.timeout(300_000);
    assert.equal(extension().exports, undefined);
    const { contributes } = extension().packageJSON as {
      readonly contributes: { readonly commands: readonly { readonly command: string }[] };
    };
    const opened: string[] = [];
    const { openExternal } = vscode.env;
    (vscode.env as { openExternal: unknown }).openExternal = (uri: vscode.Uri) => {
      opened.push(uri.toString());
      return Promise.resolve(true);
    };
    const dialogs = answerDialogs();
    try {
      assert.ok(contributes.commands.length > 0);
      for (const { command } of contributes.commands)
        for (const args of [[], ['local-rpc'], [{ record: { id: 'local-rpc' } }]])
          assert.equal(await vscode.commands.executeCommand(command, ...args), undefined, command);
    } finally {
      dialogs.restore();
      (vscode.env as { openExternal: unknown }).openExternal = openExternal;
      await vscode.commands.executeCommand('solanaRpc.stopLocalService');
      await run('switchEndpoint', ['$(plug) hosted']);
    }
    assertNoLeak(opened.join('\n'), [key.key], 'an opened address');
    assertNoLeak(dialogs.questions.join('\n'), [key.key], 'a question');
  });

  it('a removed key is gone: the next request goes out with none', async () => {
    const left = await run('removeKey', ['$(key) RPC key', undefined]);
    assert.deepEqual(left.questions, ['Remove the RPC key “main” of hosted?']);
    assert.match(await sent(), /"result": \d+/);
    await run('removeKey', ['$(key) RPC key', 'Remove']);
    assert.match(await sent(), /^No RPC key is stored for 127/);
  });

  const WRITTEN: readonly (readonly [where: string, text: (key: string) => string, fixed: string])[] = [
    ['a header', (key) => `POST\nAuthorization: Bearer ${key}\n`, 'POST\n'],
    // The signs of a key in a URL may be escaped: it is stored as it was issued.
    ['a URL', (key) => `POST ${ready.rpcUrl}?api_key=${key.replace('_', '%5F')}\n`, 'POST URL\n'],
  ];
  for (const [at, [where, text, fixed]] of WRITTEN.entries())
    it(`a key in ${where} moves to secret storage by the quick fix, and goes out from there`, async () => {
      const head = `### Slot\n# @name moved${at}\n`;
      const document = await show(`${head}${text(key.key)}\n{ "method": "getSlot" }\n`);
      const fix = await eventually(async () => {
        const range = new vscode.Range(2, 0, document.lineCount, 0);
        const offered = await vscode.commands.executeCommand<readonly vscode.CodeAction[]>(
          'vscode.executeCodeActionProvider',
          document.uri,
          range,
        );
        return offered.find(({ command }) => command?.command === 'solanaRpc.moveSecret')?.command;
      });
      const args = (fix.arguments ?? []) as readonly unknown[];
      assert.ok(!JSON.stringify(args).includes(key.key));
      const before = document.getText();
      // Left at the label: nothing is stored, and the file is as it was.
      await run('moveSecret', [undefined], ...args);
      assert.equal(document.getText(), before);
      await run('moveSecret', ['from the file'], ...args);
      const after = document
        .getText()
        .replace(ready.rpcUrl, 'URL')
        .replace(/\n\s*\n/g, '\n');
      assert.equal(after, `${head}${fixed}{ "method": "getSlot" }\n`);
      await vscode.commands.executeCommand('solanaRpc.send', document.uri.toString(), 0);
      assert.match((await responseNamed(`moved${at}`)).getText(), /"result": \d+/);
      await run('removeKey', ['$(key) RPC key', 'Remove']);
    });
});
