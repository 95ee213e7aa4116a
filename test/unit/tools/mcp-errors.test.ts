// -32020 to -32022 mean something else in the Model Context Protocol than at a Solana node.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

test('nothing that speaks the protocol of tools looks an error up in the table of Solana', () => {
  const files = ['cli/mcp', 'core/requests/tools', 'client/window'].flatMap((folder) =>
    readdirSync(folder).map((name) => `${folder}/${name}`),
  );
  assert.ok(files.includes('cli/mcp/mcp.ts') && files.includes('client/window/tools.ts'));
  const sources = files.filter((file) => file.endsWith('.ts'));
  assert.deepEqual(
    sources.filter((file) => /\/rpcErrors'/.test(readFileSync(file, 'utf8'))),
    [],
  );
});
