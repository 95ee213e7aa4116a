// The server's refusals while its window is not trusted, and which files are inside a workspace.
import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { createFilePort } from '../../../cli/session/files';
import { failed } from '../../../core/service/errors';
import type { PlacedProfile } from '../../../core/service/profiles/profile';
import { NO_PROGRAMS } from '../../../core/solana/decode/decoded';
import { systemClock } from '../../../net/clock';
import { Suspensions } from '../../../net/auth/suspensions';
import { Keys } from '../../../server/keys/keys';
import { rotateOnLocalService } from '../../../server/keys/localAdmin';
import { readableEnvironment, sharedEnvironment } from '../../../server/run/environment';
import { createFiles } from '../../../server/run/files';
import { Transports } from '../../../server/run/transports';
import { createWallet } from '../../../server/run/wallet';
import { WayOut } from '../../../server/run/wayOut';
import { Streams } from '../../../server/streams/streams';
import { UNKNOWN_WINDOW, Window } from '../../../server/window';
import { testFolder } from '../../support/folder';

const home = testFolder('server-guards');

const workspace = path.join(home, 'ws');
for (const folder of ['ws', 'ws-evil', 'elsewhere']) {
  mkdirSync(path.join(home, folder));
  writeFileSync(path.join(home, folder, 'a.txt'), folder);
}
symlinkSync(path.join(home, 'elsewhere', 'a.txt'), path.join(workspace, 'link.txt'));
symlinkSync(path.join(home, 'elsewhere'), path.join(workspace, 'folder'));

function windowOf(trusted: boolean): Window {
  const window = new Window();
  window.update({ ...UNKNOWN_WINDOW, trusted, folders: [workspace] });
  return window;
}

const OUTSIDE = [
  '../ws-evil/a.txt',
  'link.txt',
  'folder/a.txt',
  '../elsewhere/a.txt',
  path.join(home, 'ws-evil', 'a.txt'),
];

describe('files of a run', () => {
  const from = path.join(workspace, 'a.jsonrpc');
  const rooms = {
    'in the editor': { files: createFiles(windowOf(true), () => undefined), from: pathToFileURL(from).href },
    'in the terminal': { files: createFilePort(workspace), from },
  };
  for (const [room, { files, from: origin }] of Object.entries(rooms)) {
    test(`${room}: a file of the workspace is read`, async () => {
      const read = await files.read('a.txt', origin, 'value');
      assert.deepEqual(read, { ok: true, value: 'ws' });
    });
    for (const name of OUTSIDE)
      test(`${room}: ${name.replace(home, '')} is outside and is not used`, async () => {
        const read = await files.read(name, origin, 'value');
        assert.ok(!read.ok && /outside/.test(read.error.message), JSON.stringify(read));
        // A link that is itself the target is replaced, or refused: nothing is written through it.
        if (name !== 'link.txt') assert.equal((await files.mayWrite(name, origin, true)).ok, false);
      });
  }
});

test('a document that is not a file on disk cannot name files', async () => {
  const files = createFiles(windowOf(true), () => undefined);
  const read = await files.read('a.txt', 'untitled:Untitled-1', 'value');
  assert.ok(!read.ok && /Only a file on disk/.test(read.error.message));
});

/** Keys whose questions are recorded and never answered. */
function keysAsking(asked: unknown[]): Keys {
  return new Keys({ send: (message) => void asked.push(message), onMessage: () => undefined });
}

const soon = (): AbortSignal => AbortSignal.timeout(5_000);

describe('a window that is not trusted', () => {
  test('reads and writes no file that a request names', async () => {
    const files = createFiles(windowOf(false), () => 'text of an open editor');
    const from = pathToFileURL(path.join(workspace, 'a.jsonrpc')).href;
    const read = await files.read('a.txt', from, 'value');
    assert.ok(!read.ok && /not trusted/.test(read.error.message));
    assert.equal((await files.mayWrite('new.txt', from, true)).ok, false);
  });

  test('asks for no admin token and rotates nothing', async () => {
    const asked: unknown[] = [];
    const local = { adminUrl: 'http://127.0.0.1:1/local', keyId: 'k1', handle: 'h' };
    const result = await rotateOnLocalService(windowOf(false), keysAsking(asked), local, soon());
    assert.ok(result.kind === 'refused' && /not trusted/.test(result.error.message));
    assert.deepEqual(asked, []);
  });

  test('loads no transports: nothing is sent, with the stored keys or with a new one', async () => {
    const keys = keysAsking([]);
    const transports = new Transports(windowOf(false), keys, () => undefined, new Suspensions(systemClock));
    const send = () => Promise.reject(new Error('It was sent.'));
    for (const result of [await transports.use(send), await transports.once(keys, send)])
      assert.ok(!result.ok && /not trusted/.test(result.error.message));
    await transports.close();
  });

  test('opens no stream, and reopens none', async () => {
    const window = windowOf(false);
    const asked: unknown[] = [];
    const keys = keysAsking(asked);
    const streams = new Streams({
      window,
      keys,
      wayOut: new WayOut(window, keys),
      suspensions: new Suspensions(systemClock),
      prepare: async () => {
        asked.push('prepare');
        return failed({ kind: 'invalidRequest', message: 'It was prepared.' });
      },
      idls: async () => ({ workspace: [], published: [] }),
      onTick: () => undefined,
      onSlot: () => undefined,
    });
    const source = { kind: 'block', uri: 'file:///a.jsonrpc', version: 1, line: 0 } as const;
    const opened = await streams.answer('openStream', { source }, soon());
    for (const result of [opened, await streams.answer('reopenStream', { id: 'one' }, soon())])
      assert.ok(result.kind === 'refused' && /not trusted/.test(result.error.message), JSON.stringify(result));
    assert.deepEqual(asked, []);
  });

  test('reads no variable of the environment, nor does a language model in any window', () => {
    const said = (trusted: boolean, isFromModel: boolean) =>
      readableEnvironment(windowOf(trusted), isFromModel).refusal('HOME');
    assert.match(said(false, false) ?? '', /not trusted/);
    assert.match(said(true, true) ?? '', /language model/);
    assert.equal(said(true, false), undefined);
    assert.match(readableEnvironment(windowOf(true)).refusal('SOLANA_RPC_KEY') ?? '', /for a key/);
  });
});

describe('a wallet signs', () => {
  const far = { name: 'far', rpcUrl: 'https://127.0.0.1.example.com/sol' };
  const refusals: readonly (readonly [what: string, PlacedProfile, name: string | undefined, said: RegExp])[] = [
    ['for the local service on this machine alone', { profile: far, source: 'local' }, undefined, /no wallet/],
    ['for no endpoint of the project, named or not', { profile: far, source: 'workspace' }, undefined, /no wallet/],
    ['for no endpoint of the project that names one', { profile: far, source: 'workspace' }, 'payer', /project/],
    ['by no name that the settings do not have', { profile: far, source: 'user' }, 'other', /other/],
  ];
  for (const [what, placed, name, said] of refusals)
    test(what, async () => {
      const window = windowOf(true);
      window.update({ ...window.state, profiles: [placed], endpoint: 'far', wallets: ['payer'] });
      const asked: unknown[] = [];
      const deps = {
        window,
        keys: keysAsking(asked),
        programs: () => Promise.resolve(NO_PROGRAMS),
        askSignature: () => Promise.resolve(true),
      };
      const wallet = createWallet(deps, soon());
      for (const result of [await wallet.address('far', name), await wallet.sign('far', new Uint8Array([1]), [name])])
        assert.match(result.ok ? 'it signs' : result.error.message, said);
      assert.deepEqual(asked, []);
    });
});

test('A person is asked once for each variable and place, in words that say what happens there', async () => {
  const questions: string[] = [];
  const { ask } = sharedEnvironment(async (question) => questions.push(question) !== 2);
  const { signal } = new AbortController();
  const host = { kind: 'host', host: 'example.org' } as const;
  const file = { kind: 'file', file: './cache.txt' } as const;
  const agreed: boolean[] = [];
  for (const place of [host, host, file, file, file]) agreed.push(await ask('MY_TOKEN', place, signal));
  assert.deepEqual(agreed, [true, true, false, true, true]);
  const [sends, saves] = questions;
  assert.match(sends ?? '', /^It sends the value of the environment variable MY_TOKEN to example\.org\. /);
  assert.match(
    saves ?? '',
    /^It saves an answer that may repeat .* MY_TOKEN to \.\/cache\.txt, which any request may send/,
  );
  assert.equal(questions.length, 3);
});
