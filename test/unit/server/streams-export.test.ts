// Rows of a stream that go into a file which an earlier writer left in the middle of a line.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { Export, type ExportSource } from '../../../server/streams/export';
import { Ring } from '../../../server/streams/ring';

const folder = mkdtempSync(path.join(os.tmpdir(), 'export-'));
after(() => rmSync(folder, { recursive: true, force: true }));

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

async function appendedTo(before: string): Promise<readonly string[]> {
  const file = path.join(folder, 'rows.ndjson');
  writeFileSync(file, before);
  const params = { id: 'one', file, draft: '', filter: '', format: 'ndjson', what: 'fromNow' } as const;
  const exported = new Export(params, undefined, source);
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
