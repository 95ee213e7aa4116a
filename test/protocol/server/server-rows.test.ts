// Rows of `@foreach` files in the built server's diagnostics: columns that no row has, read by the rules of a run.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { rmSync, symlinkSync, truncateSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { test, type TestContext } from 'node:test';
import { Workspace, testWorkspace } from '../../support/process/cli';
import { startServer, type RunningServer } from '../../support/lsp/serverProcess';

const work = testWorkspace();
const URI = pathToFileURL(path.join(work.root, 'a.jsonrpc')).href;

const each = (name: string, reference = 'row.owner'): string =>
  `### Each\n# @foreach row in ${name}\n{ "method": "getBalance", "params": ["{{${reference}}}"] }\n`;

async function start(t: TestContext, trusted = true): Promise<RunningServer> {
  const server = await startServer({ window: { trusted, folders: [work.root] } });
  t.after(() => server.stop());
  return server;
}

async function messages(server: RunningServer, uri = URI): Promise<readonly string[]> {
  const report = await server.connection.sendRequest<{ items: { message: string }[] }>('textDocument/diagnostic', {
    textDocument: { uri },
  });
  return report.items.map(({ message }) => message);
}

async function said(server: RunningServer, text: string): Promise<readonly string[]> {
  await server.open(URI, text);
  return messages(server);
}

test('a column that no row of a file has, with the near name; a changed file is read again', async (t) => {
  const server = await start(t);
  const missing = ['No row of @foreach has "ownr". Did you mean owner?'];
  work.write('w.csv', 'owner,least\n9B5XszUGdMaxCZ7uSQhPzdks5ZQSmWxrmzCSvtJ6Ns6g,1\n');
  work.write('w.json', '[{ "owner": "9B5XszUGdMaxCZ7uSQhPzdks5ZQSmWxrmzCSvtJ6Ns6g" }]');
  for (const name of ['./w.csv', './w.json']) {
    assert.deepEqual(await said(server, each(name)), [], name);
    assert.deepEqual(await said(server, each(name, 'row.ownr')), missing, name);
  }
  assert.deepEqual(await said(server, each('./w.csv', 'row.ownr')), missing);
  work.write('w.csv', 'ownr\n9B5XszUGdMaxCZ7uSQhPzdks5ZQSmWxrmzCSvtJ6Ns6g\n');
  assert.deepEqual(await messages(server), []);
  work.write('w.csv', 'owner,owner\n1,2\n');
  assert.deepEqual(await messages(server), ['Two columns are named "owner".']);
  rmSync(path.join(work.root, 'w.csv'));
  assert.deepEqual(await messages(server), ['./w.csv is not there.']);
});

test('files that a run would not read are not read', async (t) => {
  const server = await start(t);
  const outside = new Workspace();
  t.after(() => outside.dispose());
  outside.write('secret.csv', 'secret\nx\n');
  symlinkSync(path.join(outside.root, 'secret.csv'), path.join(work.root, 'link.csv'));
  for (const name of ['./link.csv', path.join(outside.root, 'secret.csv')]) {
    const [message = '', ...more] = await said(server, each(name));
    assert.match(message, /is outside the workspace/, name);
    assert.deepEqual(more, []);
  }
  work.write('large.csv', '');
  truncateSync(path.join(work.root, 'large.csv'), 17 * 1024 * 1024);
  assert.deepEqual(await said(server, each('./large.csv')), ['./large.csv is larger than 16 MB.']);
  // Faults that only a run can find are not reported here.
  work.write('long.csv', `owner\n${'x'.repeat(3 * 1024 * 1024)}\n`);
  assert.deepEqual(await said(server, each('./long.csv', 'row.ownr')), []);
  const keypair = await import('@noble/curves/ed25519.js');
  const secret = new Uint8Array(32).fill(7);
  const bytes = [...secret, ...keypair.ed25519.getPublicKey(secret)];
  work.write('id.json', JSON.stringify(bytes));
  assert.match((await said(server, each('./id.json'))).join(), /^\.\/id\.json is the keypair of a wallet/);
  execFileSync('mkfifo', [path.join(work.root, 'pipe.csv')]);
  assert.deepEqual(await said(server, each('./pipe.csv')), ['./pipe.csv is a named pipe, not a file.']);
});

test('a window that is not trusted reads none, and says nothing of them', async (t) => {
  const server = await start(t, false);
  work.write('u.csv', 'owner\nx\n');
  for (const name of ['./u.csv', './none.csv']) assert.deepEqual(await said(server, each(name, 'row.ownr')), [], name);
});

test('very many files of rows in one request file are not all read', async (t) => {
  const server = await start(t);
  const blocks = Array.from({ length: 60 }, (_, at) => each(`./none${at}.csv`)).join('\n');
  assert.equal((await said(server, blocks)).length, 20);
});
