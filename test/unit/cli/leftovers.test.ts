// Drafts and temporary folders of a process that was killed go with the next one; those of living processes stay, and so
// does everything else.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { writeWhole } from '../../../process/files';
import { draftOf, temporaryFolder } from '../../../process/leftovers';

const home = mkdtempSync(path.join(os.tmpdir(), 'leftovers-'));
after(() => rmSync(home, { recursive: true, force: true }));

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
