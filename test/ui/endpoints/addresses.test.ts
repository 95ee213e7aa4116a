// Addresses that need a question, in the real editor: one of no known provider is probed, a sender's goes to an endpoint,
// and a key that lies in the settings is moved. All of it behind a proxy to which the settings name the user.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { openEditor, type Editor } from '../../support/editor/editor';
import { statusSays } from '../../support/editor/statusMessages';
import { ownEndpoint } from '../../support/editor/ownSettings';
import type { Workbench } from '../../support/editor/workbench';
import { assertNoLeak, filesWith } from '../../support/process/leaks';
import { startDoubles, type Doubles, type Form } from '../../support/wire/providers';

const KEY = 'a1b2c3d4-5e6f+7081/probe=92a3b4';
const SENDER_KEY = '0f9e8d7c-6b5a+4938/sender=271605';
const SETTINGS_KEY = '5d4c3b2a-1f0e+9d8c/settings=7b6a59';
const SECRETS = [KEY, SENDER_KEY, SETTINGS_KEY];
const PROXY_USER = 'Bearer the-user-of-the-proxy-8f7e6d';

const UNKNOWN = 'rpc.unknown.test';
const OLD = 'rpc.settled.test';
const SENDER = 'ams1.nozomi.temporal.xyz';
const encoded = encodeURIComponent;
const FORMS: readonly Form[] = [
  { kind: 'http', host: UNKNOWN, path: `/main?token=${encoded(KEY)}` },
  { kind: 'ws', host: UNKNOWN, path: `/main?token=${encoded(KEY)}` },
  { kind: 'grpc', host: UNKNOWN, path: '', headers: { 'x-token': KEY } },
  { kind: 'http', host: SENDER, path: `/?c=${encoded(SENDER_KEY)}` },
  { kind: 'http', host: OLD, path: `/v1?token=${encoded(SETTINGS_KEY)}` },
];

const FILES = {
  'probed.jsonrpc': [
    '# @endpoint probed\n',
    '### Slot\n{ "method": "getSlot" }\n?? result == 1\n',
    '### Slots\n# @until 1 messages or 20s\n{ "method": "slotSubscribe" }\n?? messages[0].slot == 2\n',
    '### Version\nGRPC geyser.Geyser/GetVersion\n?? result.version == "1.2.3"\n',
    '### Send\nSWQOS\n{ "method": "sendTransaction", "params": ["AA==", { "encoding": "base64", "skipPreflight": true, "maxRetries": 0 }] }\n',
  ].join('\n'),
  'old.jsonrpc': '# @endpoint old\n\n### Slot\n{ "method": "getSlot" }\n?? result == 1\n',
};

describe('addresses that need a question', () => {
  let doubles: Doubles;
  let editor: Editor;
  let bench: Workbench;

  before(async () => {
    doubles = await startDoubles([UNKNOWN, SENDER, OLD]);
    doubles.serve(FORMS, { status: 401, body: '{"error":"unauthorized","got":{got}}' });
    const { HTTPS_PROXY = '', NODE_EXTRA_CA_CERTS = '' } = doubles.env;
    editor = await openEditor({
      files: FILES,
      settings: {
        'http.proxy': HTTPS_PROXY,
        'http.proxyAuthorization': PROXY_USER,
        'solanaRpc.trace.server': 'verbose',
        'solanaRpc.endpoints': [
          { name: 'old', rpcUrl: `https://${OLD}/v1?token=${encoded(SETTINGS_KEY)}`, plan: 'Pro', note: 'kept' },
        ],
      },
      env: { NODE_EXTRA_CA_CERTS },
    });
    bench = editor.workbench;
    await bench.openContainer('Solana RPC');
  });
  after(async () => {
    await editor?.close();
    await doubles?.close();
  });

  const paste = async (address: string): Promise<void> => {
    await bench.runCommand('Solana RPC: Add Endpoint');
    await bench.quickInput.title('Add endpoint: where is it?').waitFor();
    await bench.quickInput.answer(address);
  };
  const label = async (stored: RegExp): Promise<void> => {
    await bench.quickInput.title('A label for this key').waitFor();
    await statusSays(bench, stored, () => bench.quickInput.input.press('Enter'));
  };
  const sendAll = async (file: string, kept: number): Promise<void> => {
    await bench.runCommandIn(file, 'Solana RPC: Send All Requests in File');
    await bench.treeItem('History', `Today, ${kept} responses`).waitFor();
    assert.equal(await bench.lens(/^✗ /).count(), 0);
    assert.deepEqual(
      doubles.seen.filter(({ accepted }) => !accepted),
      [],
    );
  };

  /** Files that hold one of the texts, but for what the user wrote: the settings, and VS Code's own history of them. */
  const left = (texts: readonly string[]): readonly string[] =>
    filesWith(editor.profileFolder, texts).filter((file) => {
      if (file.includes('/User/History/')) return texts.includes(KEY);
      return !file.endsWith('settings.json') || !texts.includes(PROXY_USER);
    });

  test('one of no known provider shows what is asked, asks nothing before, and keeps what answered', async () => {
    await paste(`https://${UNKNOWN}/main?token=${encoded(KEY)}`);
    const question = bench.dialog('No provider is known at this address. Probe what it serves?');
    await question.waitFor();
    const words = await question.innerText();
    for (const shown of [
      `HTTPS: https://${UNKNOWN}/main?token={key}`,
      `WebSocket: wss://${UNKNOWN}/main?token={key}`,
      `gRPC: https://${UNKNOWN}`,
    ])
      assert.ok(words.includes(shown), words);
    assertNoLeak(words, SECRETS, 'the question');
    await bench.pictures('probe-question');
    assert.deepEqual(doubles.connected, []);
    await question.getByRole('button', { name: 'Probe', exact: true }).click();
    await bench.quickInput.title('Which interfaces should the endpoint have?').waitFor();
    await bench.quickInput
      .checks(/^(?:HTTPS|WebSocket|gRPC), .*It answers\.$/)
      .nth(2)
      .waitFor();
    await bench.pictures('probe-findings');
    assert.deepEqual(doubles.seen.map(({ kind, accepted }) => `${kind} ${accepted}`).sort(), [
      'grpc true',
      'http true',
      'ws true',
    ]);
    await bench.quickInput.input.press('Enter');
    await bench.quickInput.title('Add endpoint: its name').waitFor();
    await bench.quickInput.answer('probed');
    await label(/RPC key stored for/);
    assert.deepEqual(await ownEndpoint(editor, 'probed'), {
      name: 'probed',
      rpcUrl: `https://${UNKNOWN}/main?token={key}`,
      wsUrl: `wss://${UNKNOWN}/main?token={key}`,
      grpcUrl: `https://${UNKNOWN}`,
      auth: { grpc: 'header:x-token' },
    });
  });

  test('a sender’s goes to the endpoint that the user picks, with its key', async () => {
    await paste(`https://${SENDER}/?c=${encoded(SENDER_KEY)}`);
    await bench.quickInput.title(/^Nozomi .*lands transactions\. Which endpoint sends with it\?$/).waitFor();
    await bench.quickInput.options(/^A separate endpoint for sending transactions$/).waitFor();
    await bench.pictures('sender-choice');
    await bench.quickInput.pick('probed');
    await label(/SWQoS key stored for/);
    const endpoint = await ownEndpoint(editor, 'probed', (one) => one['swqosUrl'] !== undefined);
    assert.equal(endpoint['swqosUrl'], `https://${SENDER}/?c={key}`);
    await sendAll('probed.jsonrpc', 4);
    for (const place of doubles.connected)
      assert.match(place, /^(?:rpc\.unknown\.test|ams1\.nozomi\.temporal\.xyz):443$/);
  });

  test('with a key in the settings is said, and the key is moved; the rest of the entry stays', async () => {
    const warning = await bench.notification(
      'The endpoint “old” has a key in your settings, so nothing is sent to it.',
    );
    await bench.pictures('key-in-settings');
    await warning.getByRole('button', { name: 'Move to Secret Storage', exact: true }).click();
    assert.deepEqual(await ownEndpoint(editor, 'old', (one) => !JSON.stringify(one).includes('settings%3D')), {
      name: 'old',
      rpcUrl: `https://${OLD}/v1?token={key}`,
      plan: 'Pro',
      note: 'kept',
    });
    await bench.notification(/^Keys moved to secret storage: 1\. /);
    await bench.screenshot('key-moved');
    await sendAll('old.jsonrpc', 5);
    assert.ok(doubles.seen.some(({ host, accepted }) => host === OLD && accepted));
  });

  test('the proxy was named the user with each tunnel, and nobody else was', () => {
    assert.ok(doubles.authorizations.length > 4);
    assert.deepEqual(new Set(doubles.authorizations), new Set([PROXY_USER]));
    assert.deepEqual(left([PROXY_USER]), []);
  });

  test('no key is on the screen or on disk', async () => {
    assertNoLeak(await bench.page.content(), SECRETS, 'the window');
    assert.deepEqual(filesWith(editor.workspace, SECRETS), []);
    assert.deepEqual(left([KEY, SENDER_KEY]), []);
    assert.deepEqual(left([SETTINGS_KEY]), []);
  });
});
