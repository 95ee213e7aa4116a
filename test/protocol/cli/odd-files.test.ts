// Irregular or too large files where a file is expected: one sentence reports them, and nothing waits for them. A pipe that
// the user gives on the command line is read.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, truncateSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { resultOf, Workspace, testWorkspace } from '../../support/process/cli';
import { startServer } from '../../support/lsp/serverProcess';

const PROGRAM = path.join(import.meta.dirname, '..', '..', '..', 'dist', 'cli.js');
const SLOT = '### a\n{"method":"getSlot"}\n';
const work = testWorkspace();
const listener = createServer();

before(async () => {
  execFileSync('mkfifo', [path.join(work.root, 'pipe')]);
  mkdirSync(path.join(work.root, 'folder'));
  listener.listen(path.join(work.root, 'socket'));
  await once(listener, 'listening');
  work.write('large', '');
  // Sparse: it takes no room.
  truncateSync(path.join(work.root, 'large'), 40 * 1024 * 1024);
  work.write('slot.jsonrpc', SLOT);
});
after(() => listener.close());

const ODD: Readonly<Record<string, RegExp>> = {
  pipe: /pipe is a named pipe, not a file/,
  folder: /folder is a folder, not a file/,
  socket: /socket is a socket, not a file/,
  large: /large is larger than (?:16|32) MB/,
};
const NAMES = Object.keys(ODD);
const USES: Readonly<Record<string, string>> = {
  $file: NAMES.map((name) => `### a\n{"method":"getSlot","params":["{{$file ${name}}}"]}\n`).join(''),
  '@import': `${NAMES.map((name) => `# @import ${name}\n`).join('')}${SLOT}`,
};

describe('in the terminal', () => {
  for (const [use, text] of Object.entries(USES))
    test(`${use}: run and check say what it is`, async () => {
      work.write('odd.jsonrpc', text);
      const run = await work.run(['run', 'odd.jsonrpc', '--rpc-url', 'http://127.0.0.1:1']);
      const check = await work.run(['check', 'odd.jsonrpc']);
      assert.deepEqual([run.code, check.code], [2, 2]);
      for (const said of Object.values(ODD)) {
        assert.match(run.stderr, said);
        assert.match(check.stdout, said);
      }
    });

  test('a schema: check names it and continues', async () => {
    const project = new Workspace();
    try {
      execFileSync('mkfifo', [path.join(project.root, 'schema.json')]);
      project.write('solana-rpc.json', '{"schemas":["schema.json"]}');
      project.write('slot.jsonrpc', SLOT);
      const { code, stderr } = await project.run(['check', 'slot.jsonrpc']);
      assert.equal(code, 0);
      assert.match(stderr, /^schema\.json: the file: schema\.json is a named pipe, not a file\.\n$/);
    } finally {
      project.dispose();
    }
  });

  for (const [name, said] of Object.entries({ ...ODD, large: /solana-rpc\.json is larger than 1 MB/ }))
    test(`solana-rpc.json, ${name}: run and check end with it`, async () => {
      const project = new Workspace();
      const place = path.join(project.root, 'solana-rpc.json');
      const socket = createServer();
      try {
        if (name === 'pipe') execFileSync('mkfifo', [place]);
        else if (name === 'folder') mkdirSync(place);
        else if (name === 'socket') await once(socket.listen(place), 'listening');
        else truncateSync((project.write('solana-rpc.json', ''), place), 2 * 1024 * 1024);
        project.write('slot.jsonrpc', SLOT);
        for (const verb of ['run', 'check']) {
          const { code, stderr } = await project.run([verb, 'slot.jsonrpc']);
          assert.equal(code, 1);
          assert.match(stderr, new RegExp(said.source.replace(/^\w+ is/, 'solana-rpc\\.json is')));
        }
      } finally {
        socket.close();
        project.dispose();
      }
    });

  test('a pipe on the command line is read to its end', async () => {
    const command = '{ printf "### a\\n"; echo \'{"method":"getSlt"}\'; } | "$@"';
    const child = spawn('sh', ['-c', command, 'sh', process.execPath, PROGRAM, 'check', '/dev/stdin'], {
      cwd: work.root,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const { code, stdout } = await resultOf(child);
    assert.equal(code, 2);
    assert.match(stdout, /stdin:2:11: error unknown-method/);
  });
});

test('the language server answers with a pipe in every place of a file, and exits on request', async (t) => {
  const server = await startServer({
    window: {
      folders: [work.root],
      schemas: [{ path: 'pipe', folder: work.root }],
      idls: [{ path: 'pipe', folder: work.root }],
    },
  });
  t.after(() => server.stop());
  const lines: string[] = [];
  server.connection.onNotification('solanaRpc/log', ({ text }: { readonly text: string }) => void lines.push(text));
  const uri = pathToFileURL(path.join(work.root, 'open.jsonrpc')).href;
  await server.open(uri, `# @import pipe\n${SLOT}`);
  const report = await server.connection.sendRequest<{ items: { code: string; message: string }[] }>(
    'textDocument/diagnostic',
    { textDocument: { uri } },
  );
  assert.deepEqual(
    report.items.map(({ message }) => message),
    ['The file pipe cannot be imported: pipe is a named pipe, not a file.'],
  );
  while (!lines.some((line) => line.includes('pipe is a named pipe')))
    await server.connection.sendRequest('textDocument/diagnostic', { textDocument: { uri } });
  const gone = once(server.child, 'exit');
  await server.connection.sendRequest('shutdown');
  await server.connection.sendNotification('exit');
  assert.deepEqual(await gone, [0, null]);
});
