// A process that ends removes its drafts, no matter what it was doing. The next process removes drafts and temporary folders of
// a killed process; those of living processes stay, and so does everything else.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { build } from 'esbuild';
import { writeWhole } from '../../../process/files';
import { draftOf, temporaryFolder } from '../../../process/leftovers';

const home = mkdtempSync(path.join(os.tmpdir(), 'leftovers-'));
const writers = mkdtempSync(path.join(os.tmpdir(), 'leftovers-'));
after(() => {
  for (const folder of [home, writers]) rmSync(folder, { recursive: true, force: true });
});

/** The id of a process that has ended. */
const { pid: ended } = spawnSync(process.execPath, ['--version']);
const ofEnded = (place: string): string => place.replace(`-${process.pid}-`, `-${ended}-`);

test('the first write to a folder removes drafts of killed processes, and nothing else', async () => {
  const place = path.join(home, 'answer.json');
  // Asked for in another folder: this one is looked at by the write.
  const draft = path.join(home, path.basename(draftOf(path.join(home, 'none', 'other.json'))));
  writeFileSync(ofEnded(draft), '{"half":');
  writeFileSync(draft, 'of this process');
  const others = ['.answer.json.part', '.answer.json.0000-1-0.part', 'mine.part'];
  for (const name of others) writeFileSync(path.join(home, name), 'of somebody else');
  await writeWhole(place, 'whole', { overwrite: false });
  assert.deepEqual(readdirSync(home).sort(), ['answer.json', path.basename(draft), ...others].sort());
});

test('a temporary folder is its owner’s alone, and takes the place of those whose process was killed', () => {
  const folder = temporaryFolder('bodies');
  const [killed, other] = [ofEnded(folder), path.join(os.tmpdir(), `solana-rpc-bodies-${ended}`)];
  for (const place of [killed, other]) {
    mkdirSync(place);
    writeFileSync(path.join(place, 'body'), 'large');
  }
  const next = temporaryFolder('answers');
  try {
    assert.equal(statSync(next).mode & 0o777, 0o700);
    assert.deepEqual([killed, folder, other].map(existsSync), [false, true, true]);
  } finally {
    for (const place of [folder, next, other]) rmSync(place, { recursive: true });
  }
});

test('a draft and a temporary folder of another user stay', (t) => {
  const folder = mkdtempSync(path.join(writers, 'theirs-'));
  const draft = ofEnded(draftOf(path.join(folder, 'none', 'a')));
  writeFileSync(path.join(folder, path.basename(draft)), 'theirs');
  const temporary = ofEnded(temporaryFolder('bodies'));
  mkdirSync(temporary);
  const { getuid } = process;
  process.getuid = () => Number(getuid?.()) + 1;
  t.after(() => Object.assign(process, { getuid }));
  draftOf(path.join(folder, 'b'));
  const next = temporaryFolder('bodies');
  try {
    assert.deepEqual([readdirSync(folder), existsSync(temporary)], [[path.basename(draft)], true]);
  } finally {
    for (const place of [temporary, next]) rmSync(place, { recursive: true });
  }
});

/** Writes, and ends its process at the step of the file system that is named, as a second Ctrl+C does. */
const WRITER = `
  import { createHook } from 'node:async_hooks';
  import { pbkdf2 } from 'node:crypto';
  import { existsSync, open } from 'node:fs';
  import path from 'node:path';
  import { writeCaseFolder } from './process/caseFolder';
  import { writeWhole } from './process/files';
  import { replayCase } from './test/support/data/replayCase';

  const [, , what, folder, last, marker] = process.argv;
  const place = path.join(folder, what);
  let steps = 0;
  createHook({ init: (_id, type) => void (type.startsWith('FSREQ') && steps++ === Number(last) && end()) }).enable();

  /** There is one thread for files: what was asked for last waits for the sum, and the marker for both. */
  function end() {
    pbkdf2('', '', 50_000, 64, 'sha512', () => {});
    queueMicrotask(() => {
      open(marker, 'w', () => {});
      process.once('exit', () => {
        while (!existsSync(marker));
      });
      process.exit(130);
    });
  }

  if (what === 'case') void writeCaseFolder(place, replayCase(10, 11, 12), { overwrite: true });
  else void writeWhole(place, 'whole', { overwrite: existsSync(place) });
`;

const WRITES: readonly (readonly [string, string, (place: string) => void])[] = [
  ['a new case', 'case', () => undefined],
  ['a case over an empty folder', 'case', (place) => mkdirSync(place)],
  ['a new file', 'file', () => undefined],
  ['a file over another', 'file', (place) => writeFileSync(place, 'old')],
];

let writer: string;
before(async () => {
  writer = path.join(writers, 'writer.cjs');
  const project = path.join(import.meta.dirname, '..', '..', '..');
  await build({
    stdin: { contents: WRITER, resolveDir: project, loader: 'ts' },
    outfile: writer,
    bundle: true,
    platform: 'node',
    logLevel: 'error',
  });
});

for (const [title, what, prepare] of WRITES)
  test(`a process that ends at any step of writing ${title} leaves what was there before, or all of it`, () => {
    const marker = path.join(writers, 'marker');
    const seen: string[][] = [];
    for (let last = 0, status: number | null = 130; status !== 0; last++) {
      const folder = mkdtempSync(path.join(writers, 'folder-'));
      prepare(path.join(folder, what));
      const names = (): string[] => readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
      if (last === 0) seen.push(names());
      const ended = spawnSync(process.execPath, [writer, what, folder, String(last), marker], {
        encoding: 'utf8',
        env: { ...process.env, UV_THREADPOOL_SIZE: '1' },
      });
      ({ status } = ended);
      assert.ok(status === 0 ? last > 1 : status === 130, ended.stderr);
      seen.push(names());
      rmSync(folder, { recursive: true });
      rmSync(marker, { force: true });
    }
    const [before, whole] = [seen[0], seen.at(-1)];
    seen.forEach((names, step) =>
      assert.deepEqual(names, names.length === whole?.length ? whole : before, `step ${step}`),
    );
  });
