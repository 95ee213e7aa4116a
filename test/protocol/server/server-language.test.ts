// Language features of the built server, asked as an editor asks.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startServer, type RunningServer } from '../../support/lsp/serverProcess';

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

test('an editor that cannot pull diagnostics gets them pushed', async (t) => {
  const server = await startServer({ capabilities: {} });
  t.after(() => server.stop());
  const pushed = new Promise<Diagnostic[]>((resolve) => {
    server.connection.onNotification(
      'textDocument/publishDiagnostics',
      ({ diagnostics }: { readonly diagnostics: Diagnostic[] }) => resolve(diagnostics),
    );
  });
  await server.open(FILE, FAULTY);
  assert.ok((await pushed).some(({ code, range }) => code === 'unknown-method' && range.start.line === 1));
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

test('a key in a file is found, and its move to secret storage is offered without a word of it', async (t) => {
  const KEY = '0123456789abcdef';
  const server = await open(t, `### A\nPOST\nAuthorization: Bearer ${KEY}\n\n{ "method": "getSlot" }\n`);
  assert.deepEqual(await codes(server), ['secret-in-file']);
  const range = { start: { line: 2, character: 15 }, end: { line: 2, character: 38 } };
  const actions = await server.connection.sendRequest<{ command: { command: string; arguments: unknown[] } }[]>(
    'textDocument/codeAction',
    { textDocument: { uri: FILE }, range, context: { diagnostics: [] } },
  );
  const line = { start: { line: 2, character: 0 }, end: { line: 3, character: 0 } };
  assert.deepEqual(
    actions.map(({ command }) => [command.command, command.arguments]),
    [['solanaRpc.moveSecret', [FILE, range, [{ range: line, newText: '' }]]]],
  );
  assert.ok(!JSON.stringify(actions).includes(KEY));
});

test('what is safe is mended at once when an editor asks for it, and only then', async (t) => {
  const server = await open(t, '### A\n{ "method": "getSlot", "params": [{},], }\n');
  const range = { start: { line: 0, character: 0 }, end: { line: 9, character: 0 } };
  const offered = async (only?: readonly string[]): Promise<readonly (readonly [kind: string, title: string])[]> => {
    const context = { diagnostics: [], ...(only === undefined ? {} : { only }) };
    const actions = await server.connection.sendRequest<{ kind: string; title: string }[]>('textDocument/codeAction', {
      textDocument: { uri: FILE },
      range,
      context,
    });
    return actions.map(({ kind, title }) => [kind, title]);
  };
  const fixAll = ['source.fixAll', 'Fix all that is safe'];
  const remove = ['quickfix', 'Remove the comma'];
  const silence = ['quickfix', 'Silence This Finding'];
  assert.deepEqual(await offered(['source.fixAll']), [fixAll]);
  assert.deepEqual(await offered(['source']), [fixAll]);
  assert.deepEqual(await offered(), [remove, silence, remove, silence]);
  assert.deepEqual(await offered(['refactor']), []);
});

test('a duplicate name is shown with its first use', async (t) => {
  const block = '# @name x\n{ "method": "getSlot" }\n';
  const server = await open(t, `### A\n${block}### B\n${block}`);
  const report = await server.connection.sendRequest<{ items: { relatedInformation?: unknown }[] }>(
    'textDocument/diagnostic',
    { textDocument: { uri: FILE } },
  );
  const range = { start: { line: 1, character: 8 }, end: { line: 1, character: 9 } };
  assert.deepEqual(report.items[0]?.relatedInformation, [
    { location: { uri: FILE, range }, message: 'The first request of the name.' },
  ]);
});
