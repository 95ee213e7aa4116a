// Files that somebody else may have prepared: what is read, where a response is saved and with which rights, what check says
// of it beforehand, and what a child process inherits.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { filesPort } from '../../../cli/check';
import { createFilePort } from '../../../cli/session/files';
import { childEnvironment, serviceEnvironment } from '../../../process/environment';
import {
  FileRefused,
  readGivenText,
  readRegularText,
  whyUnreadable,
  whyUnwritable,
  writeNamed,
  writeWhole,
} from '../../../process/files';
import { whyRedirected } from '../../../process/places';
import { savePlace } from '../../../process/workspaceFiles';
import { testFolder } from '../../support/folder';

const home = testFolder('files');
const workspace = path.join(home, 'ws');
const elsewhere = path.join(home, 'ws-evil');
for (const folder of [workspace, elsewhere]) mkdirSync(folder);
const inside = (name: string): string => path.join(workspace, name);
const from = inside('a.jsonrpc');

const pipe = inside('pipe');
execFileSync('mkfifo', [pipe]);
writeFileSync(path.join(elsewhere, 'a.txt'), 'theirs');
symlinkSync(path.join(elsewhere, 'a.txt'), inside('link.txt'));
symlinkSync(elsewhere, inside('folder'));

const modeOf = (file: string): number => statSync(file).mode & 0o777;
const isRefused =
  (words: RegExp) =>
  (error: unknown): boolean =>
    error instanceof FileRefused && words.test(error.message);

describe('a file that is written', () => {
  test('is accessible to its owner only, regardless of the umask', async () => {
    const mask = process.umask(0);
    try {
      await writeWhole(inside('own.json'), '{}', { overwrite: false });
      assert.equal(modeOf(inside('own.json')), 0o600);
    } finally {
      process.umask(mask);
    }
  });

  test('is not written through a link, nor into a pipe', async () => {
    await assert.rejects(writeWhole(inside('link.txt'), 'ours', { overwrite: true }), isRefused(/is a link/));
    await assert.rejects(writeWhole(pipe, 'ours', { overwrite: true }), isRefused(/named pipe/));
    assert.equal(readFileSync(path.join(elsewhere, 'a.txt'), 'utf8'), 'theirs');
  });

  test('takes the place of another one only where that was asked for', async () => {
    writeFileSync(inside('old.json'), 'old');
    await assert.rejects(writeWhole(inside('old.json'), 'new', { overwrite: false }), isRefused(/exists already/));
    assert.equal(readFileSync(inside('old.json'), 'utf8'), 'old');
  });

  test('takes no place that somebody took meanwhile, and leaves no draft', async () => {
    const file = inside('raced.json');
    async function* content(): AsyncGenerator<Uint8Array> {
      yield Buffer.from('ours');
      writeFileSync(file, 'theirs');
    }
    await assert.rejects(writeWhole(file, content(), { overwrite: false }), isRefused(/exists already/));
    assert.equal(readFileSync(file, 'utf8'), 'theirs');
    assert.deepEqual(
      readdirSync(workspace).filter((name) => name.endsWith('.part')),
      [],
    );
  });
});

describe('a file that the user names, where a folder on the way is a link', () => {
  const outer = path.join(home, 'repository');
  const at = (name: string): string => path.join(outer, name);
  for (const folder of ['.git', 'real', 'vendor/.git', 'vendor/real']) mkdirSync(at(folder), { recursive: true });
  const LINKS: Readonly<Record<string, string>> = {
    within: 'real',
    out: elsewhere,
    nowhere: path.join(home, 'nothing'),
    'vendor/within': 'real',
    // The outer one contains the inner one in any case.
    'vendor/up': '../real',
    repository: elsewhere,
  };
  for (const [name, target] of Object.entries(LINKS)) symlinkSync(target, at(name));
  mkdirSync(path.join(elsewhere, '.git'));

  for (const name of ['a', 'new/a', 'real/a', 'within/a', 'within/new/a', 'nowhere/a', 'vendor/a', 'vendor/within/a'])
    test(`${name} stays in its repository`, () => assert.equal(whyRedirected(at(name)), undefined));
  for (const [name, link, root] of [
    ['out/a', 'out', ''],
    ['out/new/a', 'out', ''],
    ['real/../out/a', 'out', ''],
    ['vendor/up/a', 'vendor/up', 'vendor'],
    ['repository/a', 'repository', ''],
  ] as const)
    test(`${name} does not`, () =>
      assert.equal(
        whyRedirected(at(name)),
        `is reached through the link ${at(link)}, which leads out of ${path.join(outer, root)}; name the folder it leads to`,
      ));

  test('a link outside of every repository is the user’s', () => {
    symlinkSync(elsewhere, path.join(home, 'own'));
    assert.equal(whyRedirected(path.join(home, 'own', 'a')), undefined);
  });

  test('nothing is written, and no folder is made', async () => {
    for (const makesFolder of [false, true])
      await assert.rejects(
        writeNamed(at('out/new/a'), 'ours', { overwrite: true, makesFolder }),
        isRefused(/is reached through the link/),
      );
    assert.deepEqual(readdirSync(elsewhere).sort(), ['.git', 'a.txt']);
    rmSync(path.join(elsewhere, '.git'), { recursive: true });
  });
});

test('a file below another file cannot be written, which is a reason and not an error of the file system', async () => {
  writeFileSync(inside('file'), '');
  const words = /something on the way to it is not a folder/;
  assert.match(whyUnwritable(inside('file/a'), true)?.message ?? '', words);
  for (const name of ['file/a', 'file/b/a'])
    await assert.rejects(writeNamed(inside(name), '', { overwrite: true, makesFolder: true }), isRefused(words));
  await assert.rejects(
    writeNamed(inside('none/a'), '', { overwrite: true }),
    isRefused(/cannot be written, since its folder is not there/),
  );
});

describe('a file that is read', () => {
  test('is a regular one', async () => {
    assert.match(whyUnreadable(pipe, 100) ?? '', /is a named pipe/);
    assert.match(whyUnreadable(workspace, 100) ?? '', /is a folder/);
    await assert.rejects(readRegularText(pipe, 100), isRefused(/is a named pipe/));
  });

  test('has a size limit, even if the file system does not report its size', async () => {
    writeFileSync(inside('four.txt'), 'four');
    assert.equal(await readRegularText(inside('four.txt'), 4), 'four');
    assert.match(whyUnreadable(inside('four.txt'), 3) ?? '', /is larger than/);
    await assert.rejects(readRegularText('/proc/self/status', 10), isRefused(/is larger than/));
  });

  test('a pipe of the command line that nobody writes to is empty', async () => {
    assert.equal(await readGivenText(pipe, 100), '');
  });
});

describe('a response that is saved', () => {
  const port = createFilePort(workspace);

  test('goes nowhere outside, also through the link of a folder', async () => {
    for (const name of ['../ws-evil/b.json', 'folder/b.json', path.join(elsewhere, 'b.json')]) {
      const written = await port.write(name, from, '{}', true);
      assert.ok(!written.ok && /is outside/.test(written.error.message), name);
    }
    assert.deepEqual(readdirSync(elsewhere), ['a.txt']);
  });

  test('never goes where it would be run or would configure something', async () => {
    for (const name of ['.vscode/settings.json', 'package.json', 'node_modules/x/data.json', 'run.sh']) {
      const written = await port.write(name, from, '{}', true);
      assert.ok(!written.ok && /not saved there/.test(written.error.message), name);
      assert.ok(!existsSync(inside(name)), name);
    }
  });

  test('is judged by the whole path below the outermost folder of the workspace', () => {
    mkdirSync(inside('.git/inner'), { recursive: true });
    for (const roots of [
      [workspace, inside('.git/inner')],
      [inside('.git/inner'), workspace],
    ])
      assert.equal(savePlace(roots, inside('.git/inner/a.json')).kind, 'unsafe');
    assert.equal(savePlace([inside('.git/inner')], inside('.git/inner/a.json')).kind, 'inside');
  });

  test('goes nowhere else when its folder becomes a link meanwhile', async () => {
    mkdirSync(inside('swapped'));
    symlinkSync(elsewhere, inside('prepared'));
    const writing = port.write('swapped/b.json', from, '{}', true);
    // The place was judged; its folder is being made, which may happen in between.
    for (let isSwapped = false; !isSwapped;) {
      rmSync(inside('swapped'), { recursive: true, force: true });
      try {
        renameSync(inside('prepared'), inside('swapped'));
        isSwapped = true;
      } catch {
        isSwapped = false;
      }
    }
    const written = await writing;
    assert.ok(!written.ok && /is outside/.test(written.error.message), JSON.stringify(written));
    assert.deepEqual(readdirSync(elsewhere), ['a.txt']);
  });
});

test('a file that is there is named before anything is sent, unless it may be overwritten', async () => {
  writeFileSync(inside('there.json'), 'old');
  const port = createFilePort(workspace);
  const refused = await port.mayWrite('there.json', from, false);
  assert.ok(!refused.ok && /exists already/.test(refused.error.message));
  assert.ok((await port.mayWrite('there.json', from, true)).ok);
});

describe('check, of the files that a request names', () => {
  const port = filesPort(workspace);

  test('says of each what a run would', () => {
    writeFileSync(inside('a.txt'), 'ours');
    assert.equal(port.whyNotRead?.('a.txt', from), undefined);
    for (const name of ['link.txt', 'folder/a.txt', '../ws-evil/a.txt'])
      assert.match(port.whyNotRead?.(name, from) ?? '', /is outside the working directory/, name);
    assert.equal(port.whyNotSaved?.('b.json', from), undefined);
    for (const name of ['folder/b.json', '../ws-evil/b.json'])
      assert.match(port.whyNotSaved?.(name, from) ?? '', /inside the workspace only/, name);
    assert.match(port.whyNotSaved?.('.vscode/settings.json', from) ?? '', /not saved there/);
    assert.match(port.whyNotSaved?.('link.txt', from) ?? '', /is a link/);
  });

  test('reads the rows of those that a run would read', () => {
    writeFileSync(inside('rows.csv'), 'owner\nabc\n');
    writeFileSync(inside('bad.csv'), 'owner,owner\nabc,1\n');
    assert.deepEqual(port.rows('rows.csv', from), { ok: true, rows: [{ index: 0, value: { owner: 'abc' } }] });
    assert.equal(port.rows('bad.csv', from)?.ok, false);
    for (const name of ['none.csv', 'link.txt', 'folder/a.txt', '../ws-evil/a.txt'])
      assert.equal(port.rows(name, from)?.ok, false, name);
  });
});

test('the local service, which reaches no other host, gets no proxy either', () => {
  const proxies = [
    'HTTP_PROXY',
    'https_proxy',
    'All_Proxy',
    'grpc_proxy',
    'npm_config_proxy',
    'npm_config_https_proxy',
  ];
  const theirs = Object.fromEntries(proxies.map((name) => [name, 'http://me:secret@proxy:1']));
  assert.deepEqual(serviceEnvironment({ ...theirs, SOLANA_RPC_KEY: 'k', PATH: '/bin', PROXY_ROUTES: 'mine' }), {
    PATH: '/bin',
    PROXY_ROUTES: 'mine',
    ELECTRON_RUN_AS_NODE: '1',
  });
  // The language server sends what the user asks it to, through the user's proxy.
  assert.deepEqual(childEnvironment(theirs), { ...theirs, ELECTRON_RUN_AS_NODE: '1' });
});

test('a child process gets no key, nowhere to send one, and no options for its Node', () => {
  const mine = {
    SOLANA_RPC_KEY: 'k',
    SOLANA_GRPC_KEY: 'k',
    solana_swqos_key: 'k',
    SOLANA_RPC_ORIGIN: 'https://h',
    NODE_OPTIONS: '--require /evil',
    NODE_REPL_EXTERNAL_MODULE: '/evil',
    VSCODE_INSPECTOR_OPTIONS: '{}',
  };
  assert.deepEqual(childEnvironment({ ...mine, PATH: '/bin', SOLANA_KEYS: 'other' }), {
    PATH: '/bin',
    SOLANA_KEYS: 'other',
    ELECTRON_RUN_AS_NODE: '1',
  });
});
