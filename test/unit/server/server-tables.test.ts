// The table of a response as a CSV file: a disk that takes nothing fails the export alone, at any moment of it.
import assert from 'node:assert/strict';
import { readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { LargeResponses } from '../../../server/responses/largeResponses';
import { Tables } from '../../../server/responses/tables';
import { testFolder } from '../../support/folder';

const folder = testFolder('tables');

test('an export into a folder that is gone is refused, and nothing is left', async () => {
  writeFileSync(
    path.join(folder, 'ab-1.json'),
    JSON.stringify(Array.from({ length: 5_000 }, (_, lamports) => ({ lamports }))),
  );
  const tables = new Tables({
    large: new LargeResponses(folder),
    spillFile: () => path.join(folder, 'gone', 'spill-1'),
    programs: () => Promise.reject(new Error('not asked for')),
    requestOf: () => Promise.resolve(undefined),
  });
  const params = { request: 'ab', run: 1, path: [], columns: [['lamports']], view: {}, decode: false };
  await assert.rejects(
    tables.csv(params, () => false),
    { code: 'ENOENT' },
  );
  assert.deepEqual(readdirSync(folder), ['ab-1.json']);
});
