// Language features of the built server, asked as an editor asks.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startServer, type RunningServer } from '../support/serverProcess';

const FILE = 'file:///requests/edit.jsonrpc';
const FAULTY = '### A\n{ "method": "getBalanec", "params": [] }\n';

interface Diagnostic {
  readonly code: string;
  readonly range: { readonly start: { readonly line: number } };
}

async function open(t: { after(done: () => Promise<void>): void }, text: string): Promise<RunningServer> {
  const server = await startServer();
  t.after(() => server.stop());
  await server.open(FILE, text);
  return server;
}

const codes = async (server: RunningServer): Promise<string[]> => {
  const report = await server.connection.sendRequest<{ items: Diagnostic[] }>('textDocument/diagnostic', {
    textDocument: { uri: FILE },
  });
  return report.items.map(({ code }) => code);
};

test('diagnostics are answered when they are asked for', async (t) => {
  assert.ok((await codes(await open(t, FAULTY))).includes('unknown-method'));
});

test('an incremental edit that mends a file clears its diagnostics', async (t) => {
  const server = await open(t, '### A\n{ "method": "getSlo" }\n');
  assert.deepEqual(await codes(server), ['unknown-method']);
  await server.connection.sendNotification('textDocument/didChange', {
    textDocument: { uri: FILE, version: 2 },
    contentChanges: [{ range: { start: { line: 1, character: 19 }, end: { line: 1, character: 19 } }, text: 't' }],
  });
  assert.deepEqual(await codes(server), []);
});

test('an editor that cannot ask for diagnostics is told them', async (t) => {
  const server = await startServer({ capabilities: {} });
  t.after(() => server.stop());
  const told = new Promise<Diagnostic[]>((resolve) => {
    server.connection.onNotification(
      'textDocument/publishDiagnostics',
      ({ diagnostics }: { readonly diagnostics: Diagnostic[] }) => resolve(diagnostics),
    );
  });
  await server.open(FILE, FAULTY);
  assert.ok((await told).some(({ code, range }) => code === 'unknown-method' && range.start.line === 1));
});

test('completion, hover, symbols, folding and fixes answer over LSP', async (t) => {
  const server = await open(t, `${FAULTY}### B\n# @name b\n{\n  "method": "getSlot"\n}\n`);
  const at = (line: number, character: number) => ({ textDocument: { uri: FILE }, position: { line, character } });
  const ask = <T>(method: string, params: unknown): Promise<T> => server.connection.sendRequest<T>(method, params);
  const labels = (await ask<{ label: string }[]>('textDocument/completion', at(1, 15))).map(({ label }) => label);
  assert.ok(labels.some((label) => label.includes('getBalance')));
  assert.match(JSON.stringify(await ask('textDocument/hover', at(5, 16))), /getSlot|slot/);
  assert.equal((await ask<unknown[]>('textDocument/documentSymbol', at(0, 0))).length, 2);
  assert.ok((await ask<unknown[]>('textDocument/foldingRange', at(0, 0))).length > 0);
  const range = { start: { line: 1, character: 14 }, end: { line: 1, character: 20 } };
  const fixes = await ask<{ title: string }[]>('textDocument/codeAction', {
    textDocument: { uri: FILE },
    range,
    context: { diagnostics: [] },
  });
  assert.ok(fixes.some(({ title }) => title.includes('getBalance')));
});

test('a question about a file that is not open answers empty', async (t) => {
  const server = await open(t, FAULTY);
  const textDocument = { uri: 'file:///requests/other.jsonrpc' };
  assert.deepEqual(await server.connection.sendRequest('textDocument/codeLens', { textDocument }), []);
  assert.equal(
    await server.connection.sendRequest('textDocument/hover', { textDocument, position: { line: 0, character: 0 } }),
    null,
  );
});

test('an editor that resolves items gets the words on a method when it asks for them', async (t) => {
  interface Item {
    readonly label: string;
    readonly documentation?: { readonly value: string };
  }
  const completionItem = { resolveSupport: { properties: ['documentation'] } };
  const server = await startServer({ capabilities: { textDocument: { completion: { completionItem } } } });
  t.after(() => server.stop());
  await server.open(FILE, '### A\n{ "method": "" }\n');
  const items = await server.connection.sendRequest<Item[]>('textDocument/completion', {
    textDocument: { uri: FILE },
    position: { line: 1, character: 13 },
  });
  const item = items.find(({ label }) => label === 'getBalance');
  assert.equal(item?.documentation, undefined);
  const resolved = await server.connection.sendRequest<Item>('completionItem/resolve', item);
  assert.equal(resolved.label, 'getBalance');
  assert.match(resolved.documentation?.value ?? '', /balance/);
});
