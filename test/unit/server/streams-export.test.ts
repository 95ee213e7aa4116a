// Appends a stream's rows to a file: after half a line, and never through a link or into a pipe.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { Export, exportObstacle, type ExportSource } from '../../../server/streams/export';
import { Ring } from '../../../runner/streams/ring';
import { testFolder } from '../../support/folder';

const folder = testFolder('export');

const source: ExportSource = {
  ring: new Ring(),
  columns: [],
  cells: () => [],
  text: () => '',
  gap: () => '',
  isAbandoned: () => false,
  pause: () => undefined,
  resume: () => undefined,
};

const appending = (file: string) =>
  ({ id: 'one', file, draft: '', filter: '', format: 'ndjson', what: 'fromNow' }) as const;

async function appendedTo(before: string): Promise<readonly string[]> {
  const file = path.join(folder, 'rows.ndjson');
  writeFileSync(file, before);
  const params = appending(file);
  assert.equal(exportObstacle(params, undefined), undefined);
  const exported = new Export(params, undefined, source);
  assert.equal(exportObstacle(params, exported), 'This stream is being exported already.');
  exported.abandoned({ slot: 7, updates: 0 });
  await exported.finish();
  assert.equal(exported.state.kind, 'written', JSON.stringify(exported.state));
  return readFileSync(file, 'utf8').split('\n');
}

test('half a line stays half a line: the first row begins its own', async () => {
  const lines = await appendedTo('{"slot":5}\n{"slo');
  assert.deepEqual(lines.slice(0, 2), ['{"slot":5}', '{"slo']);
  assert.ok(lines[2]?.startsWith('{"abandoned":'), lines[2]);
  assert.deepEqual([lines[3], lines.length], ['', 4]);
});

test('a whole line is followed by the first row', async () => {
  const lines = await appendedTo('{"slot":5}\n');
  assert.equal(lines[0], '{"slot":5}');
  assert.ok(lines[1]?.startsWith('{"abandoned":'), lines[1]);
});

test('rows are not appended through a link', () => {
  const link = path.join(folder, 'link.ndjson');
  symlinkSync(path.join(folder, 'elsewhere'), link);
  assert.equal(exportObstacle(appending(link), undefined), 'The file is a link; name the file it leads to.');
});

test('nor to a named pipe, which nobody may ever read', () => {
  const pipe = path.join(folder, 'pipe.ndjson');
  execFileSync('mkfifo', [pipe]);
  assert.equal(exportObstacle(appending(pipe), undefined), 'The file is a named pipe, not a file.');
});
