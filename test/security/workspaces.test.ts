// Limits on a workspace in the real editor: it decides neither where keys, requests and certificates go nor the wallet. Its
// settings are read in Restricted Mode and once it is trusted, from each place that VS Code reads them; everything they
// could send somewhere is recorded.
import assert from 'node:assert/strict';
import { mkdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { idIn } from '../support/data/accounts';
import { newKeypair } from '../support/data/keypairs';
import { openEditor, type Editor } from '../support/editor/editor';
import type { Workbench } from '../support/editor/workbench';
import { testWorkspace } from '../support/process/cli';
import { assertNoLeak } from '../support/process/leaks';
import { selfSigned } from '../support/wire/certificates';
import {
  httpServer,
  httpsServer,
  sink as startSink,
  type Hostile,
  type Received,
  type Sink,
} from '../support/wire/hostile';
import { startDoubles, type Doubles } from '../support/wire/providers';

const KEY = 'sk+live/7Qw9=zzzABCDEF012345';
const PROVIDER = 'rpc.provider.test';
const PLANTED = 'the-value-of-a-variable-4711';
const RESTRICTED = 'Nothing is sent in Restricted Mode. Trust this workspace to send requests from it.';

const SLOT = '### Slot\n# @name slot\n{ "method": "getSlot" }\n?? result > 0\n';
const FAULTY = '{ "method": "getBalanec", "params": [] }\n';

const block = (title: string, head: string, body = '{ "method": "getSlot" }'): string =>
  `### ${title}\n${head === '' ? '' : `${head}\n`}${body}\n`;
const balance = (wallet: string): string => `{ "method": "getBalance", "params": ["${wallet}"] }`;

describe('settings of a workspace', () => {
  const keys = testWorkspace();
  const own = newKeypair();
  const planted = newKeypair();
  /** Requests to the user's own endpoint, whose key is stored. */
  const asked: Received[] = [];
  /** Requests to a host whose certificate nobody vouches for. */
  const unsafeAsked: Received[] = [];
  let service: Hostile;
  let unsafe: Hostile;
  let sink: Sink;
  let doubles: Doubles;
  let editor: Editor;

  /** The settings by which a repository would lead requests, keys and signatures elsewhere. */
  const attack = (): Readonly<Record<string, unknown>> => ({
    'solanaRpc.endpoints': [
      { name: 'mine', rpcUrl: `${sink.origin}/mine`, auth: { rpc: 'bearer' } },
      { name: 'evil', rpcUrl: `${sink.origin}/evil`, auth: { rpc: 'none' } },
    ],
    'solanaRpc.wallets': {
      mine: path.join(keys.root, 'planted.json'),
      own: path.join(keys.root, 'planted.json'),
      planted: path.join(keys.root, 'planted.json'),
    },
    'solanaRpc.allowedEnvironment': ['PLANTED'],
    'http.proxy': sink.origin,
    'http.proxyAuthorization': 'Basic planted',
    'http.proxyStrictSSL': false,
    'http.noProxy': [PROVIDER],
    'http.proxySupport': 'off',
  });

  /** The same with the names as members of objects, and for one language. */
  const nested = (): Readonly<Record<string, unknown>> => {
    const flat = attack();
    const members = (prefix: string) =>
      Object.fromEntries(
        Object.entries(flat).flatMap(([name, value]) =>
          name.startsWith(`${prefix}.`) ? [[name.slice(prefix.length + 1), value]] : [],
        ),
      );
    return { solanaRpc: members('solanaRpc'), http: members('http'), '[jsonrpc]': flat };
  };

  /** A project's files: requests, and its own file of endpoints. */
  const project = (): Readonly<Record<string, string>> => ({
    'slot.jsonrpc': SLOT,
    'evil.jsonrpc': block('Evil', '# @endpoint evil'),
    'variable.jsonrpc': block(
      'Variable',
      '# @endpoint provider',
      '{ "method": "getBlock", "params": ["{{$processEnv PLANTED}}"] }',
    ),
    'all.jsonrpc': [
      block('Mine', ''),
      block('Project', '# @endpoint project'),
      block('Line', `POST ${sink.origin}/line`),
      block('Provider', '# @endpoint provider'),
      block('Unsafe', '# @endpoint unsafe'),
      block('Own wallet', '', balance('{{$wallet own}}')),
      block('Planted wallet', '', balance('{{$wallet planted}}')),
      block('Wallet of the endpoint', '', balance('{{$wallet}}')),
    ].join('\n'),
    'solana-rpc.json': JSON.stringify({
      endpoints: [{ name: 'project', rpcUrl: `${sink.origin}/project`, auth: { rpc: 'query' } }],
    }),
  });

  const write = (folder: string, files: Readonly<Record<string, string>>): string => {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
      writeFileSync(path.join(folder, name), text);
    }
    return folder;
  };
  const inFolder = (settings: object) => ({ '.vscode/settings.json': JSON.stringify(settings) });

  /** A file system notes when a file is read whose last read was before its last change. */
  const forgetReads = (): void => {
    for (const name of ['own.json', 'planted.json']) utimesSync(path.join(keys.root, name), 1e9, 1e9);
  };
  const wasRead = (name: string): boolean => statSync(path.join(keys.root, name)).atimeMs > 1e12;

  before(async () => {
    service = await httpServer((request, response) => {
      asked.push(request);
      response.setHeader('content-type', 'application/json');
      response.end(`{"jsonrpc":"2.0","id":${idIn(request.body)},"result":4711}`);
    });
    unsafe = await httpsServer(selfSigned('IP:127.0.0.1'), (request, response) => {
      unsafeAsked.push(request);
      response.end('{}');
    });
    sink = await startSink();
    doubles = await startDoubles([PROVIDER]);
    doubles.serve([{ kind: 'http', host: PROVIDER, path: '/v2' }], { status: 401, body: '' });
    keys.write('own.json', own.file);
    keys.write('planted.json', planted.file);
    editor = await openEditor({
      files: { ...project(), 'faulty.jsonrpc': FAULTY, ...inFolder(attack()) },
      trusted: false,
      theme: 'highContrast',
      size: { width: 800, height: 600 },
      settings: {
        'solanaRpc.endpoints': [
          { name: 'mine', rpcUrl: `${service.origin}/sol` },
          { name: 'provider', rpcUrl: `https://${PROVIDER}/v2`, auth: { rpc: 'none' } },
          { name: 'unsafe', rpcUrl: `${unsafe.origin}/sol`, auth: { rpc: 'none' } },
        ],
        'solanaRpc.endpoint': 'mine',
        'solanaRpc.wallets': { own: path.join(keys.root, 'own.json') },
      },
      // The user's way to the network: a proxy and an authority of the environment.
      env: { ...doubles.env, PLANTED },
    });
    forgetReads();
  });
  after(async () => {
    await editor?.close();
    for (const one of [service, unsafe, sink, doubles]) await one?.close();
  });

  /** The user's own endpoint was asked, with the key. */
  const assertKeyAtHome = (): void =>
    assert.deepEqual(
      [...new Set(asked.map(({ url, headers }) => `${url} ${headers.authorization}`))],
      [`/sol Bearer ${KEY}`],
    );

  /** All requests that reached any server. */
  const reached = (): readonly unknown[] => [...asked, ...unsafeAsked, ...sink.received, ...doubles.seen];

  describe('in Restricted Mode, in a narrow window in high contrast', () => {
    test('a request file opens', async () => {
      const { workbench } = editor;
      await workbench.openFile('slot.jsonrpc');
      await workbench.waitForText('slot.jsonrpc', '"getSlot"');
      await workbench.statusItem(/^Restricted Mode/).waitFor();
      await workbench.screenshot('request-file-high-contrast');
    });

    test('faults are shown as everywhere', async () => {
      const { workbench } = editor;
      await workbench.openFile('faulty.jsonrpc');
      await workbench.statusItem(/^Errors: 1/).waitFor();
      await workbench.screenshot('restricted-diagnostics');
    });

    test('the lens sends nothing, and says why and what to do', async () => {
      const { workbench } = editor;
      await workbench.openFile('slot.jsonrpc');
      await workbench.lensAction('Send').click();
      const hint = await workbench.notification(RESTRICTED);
      await hint.getByRole('button', { name: 'Manage Workspace Trust', exact: true }).waitFor();
      await workbench.openContainer('Solana RPC');
      await workbench.button('Manage Workspace Trust').waitFor();
      await workbench.screenshot('restricted-send');
    });

    test('the key binding sends nothing, and says so', async () => {
      const { workbench } = editor;
      await workbench.runCommand('Notifications: Clear All Notifications');
      await pressSend(workbench);
      await workbench.notification(RESTRICTED);
    });

    for (const command of ['Send Request', 'Send All Requests in File'])
      test(`“${command}” of the palette sends nothing, and says so`, async () => {
        const { workbench } = editor;
        await workbench.runCommand('Notifications: Clear All Notifications');
        await workbench.runCommandIn('slot.jsonrpc', `Solana RPC: ${command}`);
        await workbench.notification(RESTRICTED);
      });

    test('what connects without a request file is not on offer', async () => {
      const { quickInput, page } = editor.workbench;
      await page.keyboard.press('F1');
      const harmless = quickInput.options(/^Solana RPC: Show Log/);
      for (const command of ['Watch Account', 'Start Local Service', 'Refresh Usage', 'Check Endpoint']) {
        await quickInput.fill('>Solana RPC: Show Log');
        await harmless.waitFor();
        await quickInput.fill(`>Solana RPC: ${command}`);
        await harmless.waitFor({ state: 'detached' });
        assert.equal(await quickInput.options(new RegExp(`^Solana RPC: ${command}`)).count(), 0, command);
      }
      await quickInput.cancel();
    });

    test('a run of the Test Explorer asks for trust, and without it runs nothing', async () => {
      const { workbench } = editor;
      await workbench.runCommand('Test: Run All Tests');
      const question = workbench.dialog('Do you trust the authors of the files in this folder?');
      await question.waitFor();
      await question.getByRole('button', { name: 'Cancel', exact: true }).click();
      await question.waitFor({ state: 'detached' });
      await workbench.openContainer('Testing');
      await workbench.treeItem(/^Test Explorer/, /^slot\.jsonrpc/).waitFor();
      assert.equal(await workbench.treeItem(/^Test Explorer/, /^.*(?:Passed|Failed)/).count(), 0);
    });

    test('nobody was connected to, and no keypair was read', () => {
      assert.deepEqual(reached(), []);
      assert.equal(sink.connections(), 0);
      assert.deepEqual(['own.json', 'planted.json'].filter(wasRead), []);
    });
  });

  /** Sends the request at the cursor as the keyboard does. */
  async function pressSend(workbench: Workbench): Promise<void> {
    await workbench.openFile('slot.jsonrpc');
    await workbench.editor('slot.jsonrpc').locator('.view-line').first().click();
    await workbench.page.keyboard.press('Control+Alt+R');
  }

  test('once it is trusted the file is still open, and the same key sends, without a reload', async () => {
    const { workbench } = editor;
    await workbench.trustWorkspace();
    await workbench.page.setViewportSize({ width: 1280, height: 800 });
    await workbench.openFile('slot.jsonrpc');
    await workbench.waitForText('slot.jsonrpc', '"getSlot"');
    await pressSend(workbench);
    const offer = await workbench.notification(/^No RPC key for 127\.0\.0\.1/);
    assert.deepEqual(reached(), []);
    await offer.getByRole('button', { name: /^Add Key for/ }).click();
    await workbench.quickInput.title('A label for this key').waitFor();
    await workbench.quickInput.answer('main');
    await workbench.quickInput.input.and(workbench.page.locator('[type=password]')).waitFor();
    await workbench.quickInput.answer(KEY);
    await workbench.waitForText('slot.json', /"result": 4711/);
    // A new key is tried before it is stored.
    assert.ok(asked.length <= 2, `${asked.length} requests`);
    assertKeyAtHome();
    await workbench.closeEditors();
  });

  /** Creates the opened workspace, from which VS Code reads settings, below a separate folder. */
  const PLACES: readonly {
    readonly name: string;
    readonly open: (folder: string) => Promise<Workbench>;
    /** The window that is open already, and trusted. */
    readonly isFirst?: true;
  }[] = [
    { name: '.vscode/settings.json', open: () => Promise.resolve(editor.workbench), isFirst: true },
    {
      name: '.vscode/settings.json with nested objects',
      open: (folder) => editor.openWindow({ folder: write(folder, { ...project(), ...inFolder(nested()) }) }),
    },
    {
      name: 'a .code-workspace file',
      open(folder) {
        write(path.join(folder, 'one'), project());
        write(folder, { 'the.code-workspace': JSON.stringify({ folders: [{ path: 'one' }], settings: attack() }) });
        return editor.openWindow({ workspaceFile: path.join(folder, 'the.code-workspace') });
      },
    },
    {
      name: 'the folders of a multi-root workspace',
      open(folder) {
        write(path.join(folder, 'one'), { ...project(), ...inFolder(attack()) });
        write(path.join(folder, 'two'), inFolder(nested()));
        const folders = [{ path: 'one' }, { path: 'two' }];
        write(folder, { 'the.code-workspace': JSON.stringify({ folders }) });
        return editor.openWindow({ workspaceFile: path.join(folder, 'the.code-workspace') });
      },
    },
  ];

  for (const [at, { name, open, isFirst }] of PLACES.entries())
    describe(`from ${name}`, () => {
      let workbench: Workbench;
      before(async () => {
        workbench = await open(path.join(path.dirname(editor.workspace), `place${at}`));
        asked.length = unsafeAsked.length = sink.received.length = doubles.seen.length = 0;
        forgetReads();
      });
      after(async () => {
        if (isFirst !== true) await workbench?.page.close();
      });

      if (isFirst !== true)
        test('nothing leaves in Restricted Mode', async () => {
          await workbench.statusItem(/^Restricted Mode/).waitFor();
          await workbench.runCommandIn('all.jsonrpc', 'Solana RPC: Send All Requests in File');
          await workbench.notification(RESTRICTED);
          assert.deepEqual(reached(), []);
          assert.deepEqual(['own.json', 'planted.json'].filter(wasRead), []);
          await workbench.trustWorkspace();
        });

      test('no key, variable or signature goes elsewhere, and each refusal says why', async () => {
        const { host } = new URL(sink.origin);
        await workbench.runCommandIn('all.jsonrpc', 'Solana RPC: Send All Requests in File');
        const report = workbench.webview();
        await report.getByText(/^\d passed · .* · mine · /).waitFor();
        const rows: readonly (readonly [title: string, said: RegExp])[] = [
          ['Mine', /passed/],
          ['Project', new RegExp(`No RPC key is stored for ${host.replaceAll('.', '\\.')}`)],
          ['Line', /failed/],
          ['Provider', /passed/],
          ['Unsafe', /certificate/i],
          ['Own wallet', /passed/],
          ['Planted wallet', /There is no wallet "planted"/],
          ['Wallet of the endpoint', /This endpoint has no wallet/],
        ];
        for (const [title, said] of rows)
          assert.match(
            await report
              .getByRole('row')
              .filter({ has: workbench.page.getByRole('button', { name: title, exact: true }) })
              .first()
              .innerText(),
            said,
            title,
          );
        await workbench.screenshot(`workspace-settings-${at}`);
      });

      test('a variable that the settings allow is asked for all the same', async () => {
        await workbench.runCommandIn('variable.jsonrpc', 'Solana RPC: Send Request');
        const question = workbench.dialog(
          /^It sends the value of the environment variable PLANTED to rpc\.provider\.test\. /,
        );
        await question.waitFor();
        await question.getByRole('button', { name: 'Cancel', exact: true }).click();
        await question.waitFor({ state: 'detached' });
      });

      test('an endpoint of the settings is not there', async () => {
        await workbench.runCommandIn('evil.jsonrpc', 'Solana RPC: Send Request');
        const question = workbench.dialog('The endpoint “evil” does not exist.');
        await question.waitFor();
        await question.getByRole('button', { name: 'Cancel', exact: true }).click();
        await question.waitFor({ state: 'detached' });
      });

      test('the key was at its own host alone, the proxy and the authority are the user’s, one keypair was read', () => {
        assertKeyAtHome();
        assert.deepEqual(
          asked.filter(({ body }) => body.includes('getBalance')).map(({ body }) => body.includes(own.address)),
          [true],
        );
        assert.equal(sink.received.length, 1);
        assert.match(sink.received[0] ?? '', /^POST \/line /);
        assertNoLeak(sink.received.join('\n'), [KEY, PLANTED], 'the sink');
        assert.deepEqual(unsafeAsked, []);
        assert.deepEqual(
          doubles.seen.map(({ accepted, body }) => [accepted, body.includes(PLANTED)]),
          [[true, false]],
        );
        assert.ok(doubles.connected.includes(`${PROVIDER}:443`));
        assert.deepEqual(new Set(doubles.authorizations), new Set(['']));
        assert.deepEqual([wasRead('own.json'), wasRead('planted.json')], [true, false]);
      });
    });

  test('nothing left this machine', () => assert.deepEqual(editor.strayRequests, []));
});
