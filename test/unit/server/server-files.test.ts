// Files that a request file names, where the address of the request file cannot be a path.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ok } from '../../../core/service/errors';
import { createFiles } from '../../../server/run/files';
import type { Window } from '../../../server/window';

test('a request file whose address is not a path names no other files, and nothing is thrown', async () => {
  const window = { permit: () => ok(undefined), state: { folders: [] } } as unknown as Window;
  const files = createFiles(window, () => undefined);
  for (const uri of ['file:///w/100%.jsonrpc', 'file:///w/..%2Fevil.jsonrpc', 'file://other.host/%']) {
    const read = await files.read('./a.json', uri, 'value');
    assert.ok(!read.ok && read.error.kind === 'invalidRequest', uri);
    assert.equal((await files.mayWrite('./a.json', uri, true)).ok, false);
  }
});
