// A case is written whole or not at all: after an interruption at any moment there is the case that was there
// before or the new one, and nothing else.
import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import type { ReplayCase } from '../../../core/solana/replay/case';
import { caseFiles } from '../../../core/solana/replay/caseFiles';
import { readCaseFolder, writeCaseFolder } from '../../../process/caseFolder';
import { addressOf, replayCase } from '../../support/data/replayCase';
import { testFolder } from '../../support/folder';

const root = testFolder('case-folder');

let folders = 0;
function newFolder(): string {
  const folder = path.join(root, String(++folders));
  mkdirSync(folder);
  return folder;
}

const OLD = replayCase(10, 11, 12);
const NEW: ReplayCase = { ...replayCase(11, 12, 13, 14), slot: 10 };

/** Content of the files below a folder, by name, without drafts. */
function contentOf(folder: string): Readonly<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const place = path.join(entry.parentPath, entry.name);
    const name = path.relative(folder, place);
    if (!/\.part(?:\/|$)/.test(name) && entry.isFile()) found[name] = readFileSync(place, 'utf8');
  }
  return found;
}

const filesOf = (replay: ReplayCase, below = ''): Readonly<Record<string, string>> =>
  Object.fromEntries(
    caseFiles(replay).map(([name, content]) => [path.join(below, name), Buffer.from(content).toString()]),
  );

/** Every content that a signal could have met while `work` ran, each once. */
async function seenDuring(folder: string, work: () => Promise<unknown>): Promise<readonly unknown[]> {
  const seen = new Map<string, unknown>();
  const look = (): void => {
    const content = contentOf(folder);
    seen.set(JSON.stringify(Object.entries(content).sort()), content);
  };
  let isDone = false;
  const working = work().finally(() => (isDone = true));
  while (!isDone) {
    look();
    await new Promise(setImmediate);
  }
  look();
  await working;
  return [...seen.values()];
}

test('a new folder appears whole, those above it too, and nothing is left next to it', async () => {
  const folder = newFolder();
  const seen = await seenDuring(folder, () =>
    writeCaseFolder(path.join(folder, 'cases', 'one'), OLD, { overwrite: false }),
  );
  assert.deepEqual(seen, [{}, filesOf(OLD, 'cases/one')]);
  assert.deepEqual(readdirSync(folder), ['cases']);
});

test('a case replaces another one at once, and leaves files that belong to neither', async () => {
  const folder = newFolder();
  await writeCaseFolder(folder, OLD, { overwrite: false });
  writeFileSync(path.join(folder, 'accounts', 'mine.json'), '{}');
  writeFileSync(path.join(folder, 'notes.md'), 'mine');
  const mine = { 'accounts/mine.json': '{}', 'notes.md': 'mine' };
  const seen = await seenDuring(folder, () => writeCaseFolder(folder, NEW, { overwrite: true }));
  assert.deepEqual(seen, [
    { ...filesOf(OLD), ...mine },
    { ...filesOf(NEW), ...mine },
  ]);
  assert.deepEqual(readdirSync(folder).sort(), ['accounts', 'case.json', 'notes.md', 'programs', 'replay.jsonrpc']);
});

for (const place of ['a new folder', 'over another case'] as const)
  test(`interrupted while it is written, ${place}, the case is not kept`, async () => {
    const folder = newFolder();
    const target = path.join(folder, 'case');
    if (place === 'over another case') await writeCaseFolder(target, OLD, { overwrite: false });
    const before = [contentOf(folder), readdirSync(folder, { recursive: true })];
    const interruption = new AbortController();
    const written = writeCaseFolder(target, NEW, { overwrite: true, signal: interruption.signal });
    while (readdirSync(folder, { recursive: true }).length === before[1]?.length) await new Promise(setImmediate);
    interruption.abort();
    await assert.rejects(written, (error) => error === interruption.signal.reason);
    assert.deepEqual([contentOf(folder), readdirSync(folder, { recursive: true })], before);
  });

test('a file that cannot be replaced leaves the case as it was, and is named', async () => {
  const folder = newFolder();
  await writeCaseFolder(folder, OLD, { overwrite: false });
  const before = contentOf(folder);
  const [name = ''] = caseFiles(NEW)
    .map(([file]) => file)
    .filter((file) => file.startsWith('accounts/'))
    .slice(-1);
  mkdirSync(path.join(folder, name));
  await assert.rejects(writeCaseFolder(folder, NEW, { overwrite: true }), {
    message: `${path.join(folder, name)}: is a folder, not a file.`,
  });
  assert.deepEqual(contentOf(folder), before);
});

test('a folder of accounts that leads elsewhere is refused, and nothing is written there', async () => {
  const [folder, elsewhere] = [newFolder(), newFolder()];
  symlinkSync(elsewhere, path.join(folder, 'accounts'));
  await assert.rejects(writeCaseFolder(folder, NEW, { overwrite: true }), {
    message: `${path.join(folder, 'accounts')}: is a link that leads out of the folder.`,
  });
  assert.deepEqual([readdirSync(folder), readdirSync(elsewhere)], [['accounts'], []]);
});

for (const name of ['accounts/a.json', 'programs/a.so', 'replay.jsonrpc'])
  test(`a folder with ${name} and without a case.json is somebody else's, and stays as it is`, async () => {
    const folder = newFolder();
    mkdirSync(path.join(folder, path.dirname(name)), { recursive: true });
    writeFileSync(path.join(folder, name), 'mine');
    await assert.rejects(writeCaseFolder(folder, NEW, { overwrite: true }), {
      message: `${path.join(folder, name)}: is not part of a case, since there is no case.json; name another folder.`,
    });
    assert.deepEqual(contentOf(folder), { [name]: 'mine' });
  });

test('a folder is read up to 128 MiB, also if each of its files may be larger', async () => {
  const folder = newFolder();
  await writeCaseFolder(folder, OLD, { overwrite: false });
  for (let at = 1; at <= 13; at++) {
    const file = path.join(folder, 'programs', `${addressOf(at)}.so`);
    writeFileSync(file, '');
    // Sparse: it takes no room.
    truncateSync(file, 10 * 1024 * 1024);
  }
  await assert.rejects(readCaseFolder(folder), {
    message: `${folder}: its files are larger than 128 MiB together.`,
  });
});

test('a place where no folder can be is named', async () => {
  const folder = newFolder();
  const file = path.join(folder, 'file');
  writeFileSync(file, 'mine');
  symlinkSync('nowhere', path.join(folder, 'link'));
  for (const place of [file, path.join(file, 'case'), path.join(folder, 'link', 'case')])
    await assert.rejects(writeCaseFolder(place, NEW, { overwrite: true }), {
      name: 'CaseError',
      message: /: cannot be written, since (?:its folder is not there|something on the way to it is not a folder)\.$/,
    });
  assert.deepEqual(readdirSync(folder).sort(), ['file', 'link']);
});
