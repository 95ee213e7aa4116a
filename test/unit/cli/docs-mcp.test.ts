// docs/mcp.md: its tools are those of the table, and every configuration in it is JSON that starts the command as it is.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { readArguments } from '../../../cli/options';
import { terminalInput, TOOLS } from '../../../core/requests/tools/table';

const root = path.join(__dirname, '..', '..', '..');
const text = readFileSync(path.join(root, 'docs', 'mcp.md'), 'utf8');

interface Server {
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

const blocks = [...text.matchAll(/^### (.+)$[\s\S]*?^```json\n([\s\S]*?)^```/gm)].map(([, name = '', json = '']) => {
  const { mcpServers, servers, context_servers } = JSON.parse(json) as Readonly<
    Record<string, Readonly<Record<string, Server>>>
  >;
  return { name, server: (mcpServers ?? servers ?? context_servers)?.['solana-rpc'] };
});

test('each assistant has a configuration that is JSON and starts the server', () => {
  assert.deepEqual(
    blocks.map(({ name }) => name),
    ['Claude Code', 'Cursor', 'VS Code', 'Claude Desktop', 'Zed', 'Windsurf'],
  );
  for (const { name, server } of blocks) {
    assert.equal(server?.command, 'solana-rpc', name);
    const [verb, ...args] = server.args;
    assert.equal(verb, 'mcp', name);
    const given = readArguments('mcp', args);
    assert.deepEqual(given.words, [], name);
    for (const value of Object.values(server.env ?? {})) assert.match(value, /^\$\{.*\}$/, `${name} holds no key`);
  }
});

test('the table has every tool with its arguments', () => {
  for (const tool of TOOLS) {
    const row = text.split('\n').find((line) => line.startsWith(`| \`${tool.name}\` |`));
    assert.ok(row !== undefined, tool.name);
    for (const name of Object.keys(terminalInput(tool).properties))
      assert.ok(row.includes(`\`${name}\``), `${tool.name}: ${name}`);
  }
});
