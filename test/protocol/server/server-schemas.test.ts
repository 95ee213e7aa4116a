// OpenRPC documents of the workspace in the built server and in `solana-rpc check`: read, reported, kept inside.
import assert from 'node:assert/strict';
import { symlinkSync } from 'node:fs';
import path from 'node:path';
import { test, type TestContext } from 'node:test';
import { testWorkspace, type Workspace } from '../../support/process/cli';
import { startServer, type RunningServer } from '../../support/lsp/serverProcess';

const DOCUMENT = JSON.stringify({
  openrpc: '1.0.0',
  methods: [{ name: 'getThing', params: [{ name: 'id', required: true, schema: { type: 'string' } }] }],
});
const GOOD = '### A\n{ "method": "getThing", "params": ["x"] }\n';
const FILE = 'file:///requests/a.jsonrpc';

function workspace(): Workspace {
  const made = testWorkspace();
  return made;
}

/** A server that knows the documents, and the lines of its log. */
async function start(t: TestContext, folder: string, names: readonly string[], trusted = true) {
  const server = await startServer({
    window: { trusted, folders: [folder], schemas: names.map((name) => ({ path: name, folder })) },
  });
  t.after(() => server.stop());
  const lines: string[] = [];
  server.connection.onNotification('solanaRpc/log', ({ text }: { readonly text: string }) => void lines.push(text));
  await server.open(FILE, GOOD);
  return { server, lines };
}

const codes = async (server: RunningServer): Promise<string[]> => {
  const report = await server.connection.sendRequest<{ items: { code: string }[] }>('textDocument/diagnostic', {
    textDocument: { uri: FILE },
  });
  return report.items.map(({ code }) => code);
};

/** Asks until the answer is the wanted one: documents are read in the background. */
async function comeTo(server: RunningServer, wanted: readonly string[]): Promise<void> {
  for (let found = await codes(server); found.join() !== wanted.join(); found = await codes(server))
    await new Promise((resolve) => setImmediate(resolve));
}

test('a document of the workspace makes its methods known, and a changed one is read again', async (t) => {
  const folder = workspace();
  folder.write('das.json', DOCUMENT);
  const { server } = await start(t, folder.root, ['das.json']);
  await comeTo(server, []);
  folder.write('das.json', DOCUMENT.replace('"type":"string"', '"type":"integer"'));
  await server.connection.sendNotification('workspace/didChangeWatchedFiles', { changes: [] });
  await comeTo(server, ['wrong-type']);
});

test('a faulty document is one line of the log with its place, and nothing else is lost', async (t) => {
  const folder = workspace();
  folder.write('bad.json', '{ nope');
  folder.write('das.json', DOCUMENT);
  const { server, lines } = await start(t, folder.root, ['bad.json', 'missing.json', 'das.json']);
  await comeTo(server, []);
  assert.equal(lines.filter((line) => line.includes('bad.json: line 1, column 3')).length, 1, lines.join('\n'));
  assert.equal(lines.filter((line) => line.includes('missing.json')).length, 1);
});

test('no document is read in a window that is not trusted', async (t) => {
  const folder = workspace();
  folder.write('das.json', DOCUMENT);
  const { server } = await start(t, folder.root, ['das.json'], false);
  await server.connection.sendNotification('workspace/didChangeWatchedFiles', { changes: [] });
  assert.deepEqual(await codes(server), ['unknown-method']);
});

test('a document outside the workspace is not read, not even through a link', async (t) => {
  const folder = workspace();
  const outside = workspace();
  outside.write('das.json', DOCUMENT);
  symlinkSync(path.join(outside.root, 'das.json'), path.join(folder.root, 'link.json'));
  const names = ['link.json', path.join('..', path.basename(outside.root), 'das.json')];
  const { server, lines } = await start(t, folder.root, names);
  while (lines.filter((line) => line.includes('outside the workspace')).length < 2) await codes(server);
  assert.deepEqual(await codes(server), ['unknown-method']);
});

test('check knows the documents that the project names, and reports a faulty one on stderr', async () => {
  const folder = workspace();
  folder.write('a.jsonrpc', GOOD);
  assert.equal((await folder.run(['check', 'a.jsonrpc'])).code, 2);
  folder.write('das.json', DOCUMENT);
  folder.write('solana-rpc.json', JSON.stringify({ schemas: ['das.json', 'bad.json'] }));
  folder.write('bad.json', '[]');
  const { code, stdout, stderr } = await folder.run(['check', 'a.jsonrpc', '--json']);
  assert.equal(code, 0, stdout);
  assert.match(stderr, /^bad\.json: the file: an OpenRPC document/);
  folder.write('a.jsonrpc', GOOD.replace('"x"', '5'));
  assert.match((await folder.run(['check', 'a.jsonrpc', '--json'])).stdout, /"wrong-type"/);
});

test('a method pack that nobody asked for is a hint, which leaves the exit code of check as it is', async () => {
  const folder = workspace();
  folder.write('a.jsonrpc', '### A\n{ "method": "getTipAccounts" }\n');
  const { code, stdout } = await folder.run(['check', 'a.jsonrpc', '--json']);
  assert.equal(code, 0, stdout);
  assert.match(stdout, /"method-pack"[^]*"hint"[^]*"Add # @pack jito"/);
  folder.write('solana-rpc.json', JSON.stringify({ packs: ['jito'] }));
  assert.doesNotMatch((await folder.run(['check', 'a.jsonrpc', '--json'])).stdout, /method-pack/);
  const endpoint = { name: 'jito', rpcUrl: 'https://mainnet.block-engine.jito.wtf', packs: ['jito'] };
  folder.write('solana-rpc.json', JSON.stringify({ endpoints: [endpoint], endpoint: 'jito' }));
  assert.doesNotMatch((await folder.run(['check', 'a.jsonrpc', '--json'])).stdout, /method-pack/);
  folder.write('solana-rpc.json', JSON.stringify({ endpoints: [endpoint] }));
  assert.match((await folder.run(['check', 'a.jsonrpc', '--json'])).stdout, /method-pack/);
  folder.write('a.jsonrpc', '# @endpoint jito\n### A\n{ "method": "getTipAccounts" }\n');
  assert.doesNotMatch((await folder.run(['check', 'a.jsonrpc', '--json'])).stdout, /method-pack/);
  folder.write('solana-rpc.json', JSON.stringify({ packs: 'jito' }));
  assert.match((await folder.run(['check', 'a.jsonrpc'])).stderr, /"packs" is not a list of method packs/);
});

test('the server knows the packs of the settings and of the active endpoint', async (t) => {
  const folder = workspace();
  const text = '### A\n{ "method": "getIndexerSlot" }\n';
  const profile = { name: 'main', rpcUrl: 'https://mainnet.helius-rpc.com' };
  for (const [window, wanted] of [
    [{}, ['method-pack']],
    [{ packs: ['photon', 'unheard-of'] }, []],
    [{ profiles: [{ profile: { ...profile, packs: ['photon'] }, source: 'user' as const }], endpoint: 'main' }, []],
    [{ profiles: [{ profile: { ...profile, packs: ['photon'] }, source: 'user' as const }] }, ['method-pack']],
    [
      { profiles: [{ profile: { ...profile, packs: [] }, source: 'user' as const }], endpoint: 'main' },
      ['method-pack'],
    ],
    [{ profiles: [{ profile, source: 'user' as const }], endpoint: 'main' }, []],
  ] as const) {
    const server = await startServer({ window: { folders: [folder.root], ...window } });
    t.after(() => server.stop());
    await server.open(FILE, text);
    assert.deepEqual(await codes(server), wanted);
  }
});
