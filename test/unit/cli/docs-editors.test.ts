// The configurations of docs/editors.md that no editor runs here: their syntax, and the command they name.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';

const text = readFileSync(path.join(__dirname, '..', '..', '..', 'docs', 'editors.md'), 'utf8');

/** The code block of a language under a heading. */
function block(heading: string, language: string): string {
  const section = text.split(/^## /m).find((part) => part.startsWith(`${heading}\n`)) ?? '';
  const found = new RegExp(`^\`\`\`${language}\n([\\s\\S]*?)^\`\`\``, 'm').exec(section)?.[1];
  assert.ok(found, `${heading} has a block of ${language}`);
  return found;
}

/** A line of TOML as the document uses it: tables, arrays of tables, and keys with JSON-like values. */
const TABLE = /^\[[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*\]$/;
const TABLES = /^\[\[[A-Za-z0-9_-]+\]\]$/;
const PAIR = /^([A-Za-z0-9_-]+) = (.+)$/;

function tomlOf(source: string): Map<string, Map<string, unknown>> {
  const tables = new Map<string, Map<string, unknown>>();
  let table = new Map<string, unknown>();
  for (const line of source.split('\n').filter((one) => one.trim() !== '' && !one.startsWith('#'))) {
    if (TABLE.test(line) || TABLES.test(line)) {
      table = new Map();
      tables.set(line.replace(/[[\]]/g, ''), table);
      continue;
    }
    const [, key = '', value = ''] = PAIR.exec(line) ?? [];
    assert.notEqual(key, '', `no TOML: ${line}`);
    assert.ok(!table.has(key), `twice in one table: ${key}`);
    // An inline table is JSON but for its equal signs and bare keys.
    table.set(key, JSON.parse(value.replace(/([{,]\s*)([A-Za-z0-9_-]+) = /g, '$1"$2": ')));
  }
  return tables;
}

test("Helix's configuration is TOML, and its language names the server it defines", () => {
  const tables = tomlOf(block('Helix', 'toml'));
  const server = tables.get('language-server.solana-rpc');
  assert.equal(server?.get('command'), 'solana-rpc');
  assert.deepEqual(server?.get('args'), ['lsp', '--stdio']);
  const language = tables.get('language');
  assert.deepEqual(language?.get('language-servers'), ['solana-rpc']);
  assert.deepEqual(language?.get('file-types'), ['jsonrpc']);
});

test("Zed's configuration is JSON, and its language names the server it defines", () => {
  const settings = JSON.parse(block('Zed', 'json')) as {
    readonly file_types: Readonly<Record<string, readonly string[]>>;
    readonly languages: Readonly<Record<string, { readonly language_servers: readonly string[] }>>;
    readonly lsp: Readonly<
      Record<string, { readonly binary: { readonly path: string; readonly arguments: string[] } }>
    >;
  };
  const [name = ''] = Object.keys(settings.lsp);
  assert.deepEqual(settings.lsp[name]?.binary, { path: 'solana-rpc', arguments: ['lsp', '--stdio'] });
  assert.deepEqual(settings.file_types['JSONC'], ['jsonrpc']);
  assert.deepEqual(settings.languages['JSONC']?.language_servers, [name]);
});

test("the document's example of an answer has the members of the terminal's rows", () => {
  const row = JSON.parse(block('The command', 'json')) as Record<string, unknown>;
  for (const name of ['file', 'line', 'name', 'title', 'method', 'transport', 'endpoint', 'status', 'durationMs'])
    assert.ok(name in row, name);
});
