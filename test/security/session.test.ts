// A working day in the real editor with keys in its secret storage: added, used, kept over a reload, rotated, lost with a
// killed server and found again. Then every place a key could have been left in is searched.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { mkdtemp, mkdir, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { openEditor, type Editor } from '../support/editor/editor';
import { tooltipOf } from '../support/editor/tooltip';
import { sink as startSink, type Sink } from '../support/wire/hostile';
import { assertNoLeak, filesBelow, filesWith } from '../support/process/leaks';
import { startTestLedger, type IssuedKey, type Localnet } from '../support/process/localnet';
import { connectionsOf, descendantsOf, type Seen } from '../support/process/processes';
import { statusSays } from '../support/editor/statusMessages';
import { DUMP_STORAGE } from '../support/editor/storage';
import type { Workbench } from '../support/editor/workbench';

const SLOT = '### Slot\n# @name slot\n{ "method": "getSlot" }\n';
const EDITED = '### Edited\n{ "method": "getBlockHeight" }\n';

/** Set in the environment that starts the editor; none of them is ever sent or passed on. */
const ENVIRONMENT = {
  SOLANA_RPC_KEY: 'env-rpc+key/4711=abcdefghij',
  SOLANA_GRPC_KEY: 'env-grpc+key/4712=abcdefghij',
  SOLANA_SWQOS_KEY: 'env-swqos+key/4713=abcdefghij',
} as const;

const RESPONSE = 'slot.json';

describe('a day with keys in the editor', () => {
  let local: Localnet;
  let sink: Sink;
  let editor: Editor;
  let temporary: string;
  let first: IssuedKey;
  let second: IssuedKey;
  let secrets: readonly string[];
  let bench: Workbench;

  before(async () => {
    local = await startTestLedger(['--plan', 'Shared Metal']);
    sink = await startSink();
    first = await local.newKey({ type: 'rpc', label: 'first' });
    second = await local.newKey({ type: 'rpc', label: 'second' });
    secrets = [first.key, second.key, ...Object.values(ENVIRONMENT)];
    temporary = await mkdtemp(path.join(os.tmpdir(), 'workbench-session-'));
    await mkdir(path.join(temporary, 'tmp'));
    const { rpcUrl, wsUrl, restUrl } = local.ready;
    editor = await openEditor({
      tooltips: true,
      files: { 'slot.jsonrpc': SLOT, 'edited.jsonrpc': EDITED },
      settings: {
        'solanaRpc.endpoints': [
          { name: 'mine', rpcUrl, wsUrl, restUrl },
          { name: 'theirs', rpcUrl: `${sink.origin}/sol` },
        ],
        'solanaRpc.endpoint': 'mine',
        'solanaRpc.trace.server': 'verbose',
      },
      env: { ...ENVIRONMENT, SOLANA_RPC_ORIGIN: sink.origin, TMPDIR: path.join(temporary, 'tmp') },
    });
    bench = editor.workbench;
  });
  after(async () => {
    await editor?.close();
    await sink?.close();
    await local?.stop();
    await rm(temporary, { recursive: true, force: true });
  });

  const servers = (): readonly Seen[] =>
    descendantsOf(process.pid).filter(({ cmdline }) => cmdline.endsWith(path.join('dist', 'server.js')));
  const theServer = (): Promise<Seen> =>
    bench.until('one language server runs', async () => (servers().length === 1 ? servers()[0] : undefined));

  /** Sends the request of slot.jsonrpc by its command: a lens of before a reload is drawn, but not alive at once. */
  const startSend = (): Promise<void> => bench.runCommandIn('slot.jsonrpc', 'Solana RPC: Send Request');
  const send = async (wanted: RegExp): Promise<string> => {
    await startSend();
    return bench.waitForText(RESPONSE, wanted);
  };
  const ANSWERED = /"result": \d+/;

  /** Answers sent on so far, by the service's own count. */
  const counted = async (): Promise<number> => {
    const { json } = await local.rest('/v1/usage');
    return Number(String((json as { readonly request_count: unknown }).request_count));
  };

  const chooseKeyType = async (): Promise<void> => {
    await bench.runCommand('Solana RPC: Add Key');
    await bench.quickInput.pick('RPC key');
    await bench.quickInput.answer('main');
    await bench.page.getByText(/^It is kept in the editor’s secret storage/).waitFor();
  };

  test('activation, editing and idling open no connection', async () => {
    await bench.openFile('edited.jsonrpc');
    await bench.lens('Send').first().waitFor();
    await bench.editor('edited.jsonrpc').click();
    await bench.page.keyboard.press('ControlOrMeta+End');
    await bench.page.keyboard.type('### More\n{ "method": "getSl');
    await bench.waitForText('edited.jsonrpc', 'getSl');
    await bench.page.keyboard.press('Escape');
    const { pid } = await theServer();
    assert.deepEqual(connectionsOf(pid), []);
    const ports = new Set([sink.port, Number(new URL(local.ready.rpcUrl).port)]);
    for (const { pid: child } of descendantsOf(process.pid).filter(({ pid: id }) => id !== local.process.pid))
      assert.deepEqual(
        connectionsOf(child).filter(({ remotePort }) => ports.has(remotePort)),
        [],
      );
    assert.equal(sink.connections(), 0);
  });

  test('a new key is typed into a password box; Escape stores nothing', async () => {
    await chooseKeyType();
    assert.equal(await bench.quickInput.isPassword(), true);
    await bench.quickInput.fill(first.key);
    await bench.quickInput.cancel();
    await startSend();
    await bench.notification(/^No RPC key for 127\.0\.0\.1/);
  });

  test('an added key is used by the next Send', async () => {
    await chooseKeyType();
    await statusSays(bench, /RPC key stored for/, () => bench.quickInput.answer(first.key));
    await send(ANSWERED);
  });

  test('the key is there after the window was loaded again', async () => {
    await bench.reload();
    await sendAndCount();
  });

  const startRotation = async (): Promise<void> => {
    await bench.runCommand('Solana RPC: Rotate Key');
    await bench.quickInput
      .options(/^key RPC key, main · mine$/)
      .first()
      .click();
    await bench
      .dialog(/^Rotate the RPC key “main” of mine\?/)
      .getByRole('button', { name: 'Continue', exact: true })
      .click();
    await bench.page.getByText(/^It is kept in the editor’s secret storage/).waitFor();
    assert.equal(await bench.quickInput.isPassword(), true);
  };

  /** Sends, and waits until the service has answered it. */
  const sendAndCount = async (): Promise<void> => {
    const before = await counted();
    await send(ANSWERED);
    await bench.until('the service answered', async () => ((await counted()) > before ? true : undefined));
  };

  test('the whole traffic with the server is traced from here on', async () => {
    await bench.runCommand('Developer: Set Log Level...');
    await bench.quickInput.pick('Solana RPC');
    await bench.quickInput.pick('Trace');
    await sendAndCount();
    await bench.until('the trace is on disk', async () => (traced().includes('solanaRpc/execute') ? true : undefined));
  });

  test('a rotation that is left keeps the old key', async () => {
    await startRotation();
    await bench.quickInput.fill(second.key);
    await bench.quickInput.cancel();
    await sendAndCount();
  });

  test('a rotated key is used at once; the old one may die', async () => {
    await startRotation();
    await statusSays(bench, /^Rotated\.$/, () => bench.quickInput.answer(second.key));
    assert.equal((await local.admin('DELETE', `/keys/${first.keyId}`)).status, 204);
    await sendAndCount();
  });

  test('the usage view shows the numbers of the key, after a reload those of last time', async () => {
    await bench.openContainer('Solana RPC');
    await bench.runCommand('Solana RPC: Refresh Usage');
    await bench.treeItem('Usage', /^Account/).waitFor();
    // The editor writes an extension's state a moment later; a reload before that would lose it anyway.
    await bench.until('the numbers are kept', async () =>
      (await bench.page.evaluate<string>(DUMP_STORAGE)).includes('requestCount') ? true : undefined,
    );
    await local.admin('PUT', '/faults', { faults: [{ scope: 'rest', kind: 'hang' }] });
    await bench.reload();
    await bench.openContainer('Solana RPC');
    await bench.treeItem('Usage', /^Account/).waitFor();
    await local.admin('PUT', '/faults', { faults: [] });
  });

  test('a server killed during a run restarts: the run is shown as interrupted, the next one has its key', async () => {
    const { pid } = await theServer();
    await local.admin('PUT', '/faults', { faults: [{ scope: 'http', kind: 'hang', times: 1 }] });
    await startSend();
    await bench.until('the request hangs', async () =>
      (await local.admin('GET', '/faults')).text === '{"faults":[]}' ? true : undefined,
    );
    process.kill(pid, 'SIGKILL');
    await bench.runCommand('Problems: Focus on Problems View');
    await bench.page
      .getByText(/^Interrupted: the language server ended during this run\./)
      .first()
      .waitFor();
    await bench.until('another server runs', async () => (servers().some((one) => one.pid !== pid) ? true : undefined));
    await sendAndCount();
    assert.equal(servers().length, 1);
    assert.notEqual((await theServer()).pid, pid);
  });

  test('the service may repeat the key: what is shown and copied has a mark in its place', async () => {
    const body = `{"jsonrpc":"2.0","id":1,"result":"you sent ${second.key} and ${encodeURIComponent(second.key)}"}`;
    await local.admin('PUT', '/faults', { faults: [{ scope: 'http', kind: 'status', status: 200, body, times: 1 }] });
    await send(/you sent \[redacted\] and \[redacted\]/);
    await bench.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await bench.tab(/^slot\.json,/).click();
    await bench.editor(RESPONSE).click();
    await bench.page.keyboard.press('ControlOrMeta+A');
    await bench.page.keyboard.press('ControlOrMeta+C');
    const copied = await bench.until('the answer is copied', async () => {
      const text = await bench.page.evaluate<string>('navigator.clipboard.readText()');
      return text.includes('you sent') ? text : undefined;
    });
    assert.match(copied, /you sent \[redacted\]/);
    assertNoLeak(copied, secrets, 'the clipboard');
  });

  test('no key is visible on the screen: document, tree, tooltip, notification', async () => {
    await bench.openContainer('Solana RPC');
    await tooltipOf(bench, bench.treeItem('Endpoints', /^RPC key, main/), /Goes only to 127\.0\.0\.1/);
    const shown = await bench.page.content();
    assert.match(shown, /Goes only to/);
    assertNoLeak(shown, secrets, 'the window');
  });

  test('no child of the extension host got a key in its arguments or environment', async () => {
    await bench.runCommand('Solana RPC: Start Local Service');
    const service = await bench.until('the local service runs', async () =>
      children().find(({ cmdline }) => cmdline.includes('localnet.js')),
    );
    // The check is worth something only where the parent has what the children must not get.
    const host = descendantsOf(process.pid).filter(({ cmdline }) => cmdline.includes('--type=extensionHost'));
    assert.ok(host.some(({ environ }) => environ.includes(`SOLANA_RPC_KEY=${ENVIRONMENT.SOLANA_RPC_KEY}`)));
    for (const { cmdline, environ } of [service, await theServer()]) {
      assert.ok(
        environ.some((entry) => entry.startsWith('PATH=')),
        'an environment was read',
      );
      assert.deepEqual(
        environ.filter((entry) => entry.startsWith('SOLANA_')),
        [],
      );
      assertNoLeak(environ.join('\n'), secrets, 'an environment');
      assertNoLeak(cmdline, secrets, 'arguments');
    }
    for (const { cmdline } of descendantsOf(process.pid)) assertNoLeak(cmdline, secrets, 'arguments');
  });

  test('nothing on disk holds a key: workspace, settings, storage, responses, logs, traces', () => {
    assert.match(traced(), /Params: \{/);
    const folders = [editor.workspace, editor.profileFolder, path.join(temporary, 'tmp')];
    const files = folders.flatMap((folder) => [...filesBelow(folder)]);
    for (const wanted of [/settings\.json$/, /responses\/[0-9a-f]+-\d+\.json$/, /\.meta\.json$/, /Solana RPC\.log$/])
      assert.ok(
        files.some((file) => wanted.test(file)),
        String(wanted),
      );
    assert.deepEqual(
      folders.flatMap((folder) => filesWith(folder, secrets)),
      [],
    );
  });

  test('the window’s own storage holds keys only sealed', async () => {
    const stored = await bench.page.evaluate<string>(DUMP_STORAGE);
    assert.match(stored, /solanaRpc/);
    assertNoLeak(stored, secrets, 'the window’s storage');
  });

  /** Everything the extension's log channels wrote. */
  const traced = (): string =>
    [...filesBelow(editor.profileFolder)]
      .filter((file) => file.endsWith('Solana RPC.log'))
      .map((file) => readFileSync(file, 'utf8'))
      .join('\n');

  const children = (): readonly Seen[] => descendantsOf(process.pid).filter(({ pid }) => pid !== local.process.pid);
});
