// Mistakes of users, or of their shells: each is reported in one sentence, with the documented exit code.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { startSink, type Sink, testWorkspace } from '../../support/process/cli';

const PROGRAM = path.join(import.meta.dirname, '..', '..', '..', 'dist', 'cli.js');
const SLOT = '### Slot\n# @tag small\n{"method":"getSlot"}\n';
const ESCAPE = '\u001b[';

const work = testWorkspace();
let sink: Sink;

before(async () => {
  sink = await startSink();
  work.write('slot.jsonrpc', SLOT);
  work.write('titled.jsonrpc', `### The slot\n${SLOT.slice(9)}### Health\n# @name health\n{"method":"getHealth"}\n`);
  mkdirSync(path.join(work.root, 'folder'));
});
after(() => sink.close());

describe('is reported in one sentence, and nothing is sent:', () => {
  const MISTAKES: readonly (readonly [what: string, args: readonly string[], said: RegExp])[] = [
    ['a tag that no request has', ['slot.jsonrpc', '--tag', 'smal'], /^No request has the tag smal\.\n$/],
    ['one of several tags', ['slot.jsonrpc', '--tag', 'small', '--tag', 'big'], /^No request has the tag big\.\n$/],
    ['a name that no request has', ['slot.jsonrpc', '--name', 'epoch'], /^No request is named epoch\.\n$/],
    [
      'a title in place of a name',
      ['titled.jsonrpc', '--name', 'the slot'],
      /^No request is named the slot\. the slot is a title; a name is written beneath it: # @name the-slot\n$/,
    ],
    [
      'a title of a request with a name, and a name that is near',
      ['titled.jsonrpc', '--name', 'Health', '--name', 'helth'],
      /^No request is named Health, helth\. The request with this title is named health\. Did you mean health\?\n$/,
    ],
    ['a file that is not there', ['slot.jsonrpc', 'none.jsonrpc'], /^none\.jsonrpc is not there\.\n$/],
    ['a folder without request files', ['folder'], /^folder holds no \.jsonrpc file\.\n$/],
    ['a file without a name', [''], /^A file without a name is not there\.\n$/],
    [
      'variables that are not there',
      ['slot.jsonrpc', '--var-file', 'no.env'],
      /^The file of variables no\.env is not there/,
    ],
  ];
  for (const [what, args, said] of MISTAKES)
    test(what, async () => {
      const before = sink.requests.length;
      const { code, stdout, stderr } = await work.run(['run', ...args, '--rpc-url', sink.origin]);
      assert.deepEqual([code, stdout, sink.requests.length], [1, '', before]);
      assert.match(stderr, said);
    });
});

test('a file without requests is not a failure, but is reported', async () => {
  const { code, stdout, stderr } = await work.run(['run', work.write('empty.jsonrpc', '# later\n')]);
  assert.deepEqual([code, stderr], [0, 'empty.jsonrpc holds no request.\n']);
  assert.match(stdout, /0 passed, 0 failed/);
});

test('a run without an endpoint names the options that give one', async () => {
  const wallet = work.write('wallet.jsonrpc', '### w\n{"method":"getBalance","params":["{{$wallet}}"]}\n');
  for (const file of ['slot.jsonrpc', wallet]) {
    const { code, stdout } = await work.run(['run', file]);
    assert.equal(code, 3);
    assert.match(stdout, /No endpoint is chosen\.\n +next: Give --rpc-url URL, --endpoint NAME or --local/);
  }
});

test('a reader of both outputs that goes away changes no exit code', async () => {
  const faulty = '### a\n{"method":"getSlot","params":["{{no}}"]}\n'.repeat(4_000);
  work.write('faulty.jsonrpc', faulty);
  const command = '{ "$@"; echo $? > code.txt; } 2>&1 | head -c 1';
  const child = spawn('sh', ['-c', command, 'sh', process.execPath, PROGRAM, 'run', 'faulty.jsonrpc'], {
    cwd: work.root,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  await once(child, 'close');
  assert.equal(work.read('code.txt'), '2\n');
});

test('a file of variables gives values and no keys, and starts no code', async () => {
  work.write('code.cjs', 'process.stdout.write("started");');
  work.write('values.env', 'NODE_OPTIONS="--require ./code.cjs"\nSOLANA_RPC_KEY=from-the-file\nSLOT=17\n');
  work.write('given.jsonrpc', '### a\n{"method":"getBlockTime","params":[{{SLOT}}]}\n');
  const before = sink.requests.length;
  const { code, stdout } = await work.run([
    'run',
    'given.jsonrpc',
    '--var-file',
    'values.env',
    '--rpc-url',
    sink.origin,
  ]);
  assert.equal(code, 0, stdout);
  assert.doesNotMatch(stdout, /started/);
  const [sent] = sink.requests.slice(before);
  assert.match(sent?.body ?? '', /"params":\[17\]/);
  assert.equal(sent?.headers.authorization, undefined);
});

describe('on a terminal', () => {
  const shown = async (env: Readonly<Record<string, string>>, columns = 80): Promise<string> => {
    const terminal = work.terminal(['run', 'slot.jsonrpc', '--rpc-url', sink.origin], { env, columns });
    assert.equal(await terminal.ended(), 0);
    return terminal.screen;
  };

  test('the report has colours, and none with NO_COLOR or a dumb terminal', async () => {
    assert.ok((await shown({})).includes(ESCAPE));
    assert.ok(!(await shown({ NO_COLOR: '1' })).includes(ESCAPE));
    assert.ok(!(await shown({ TERM: 'dumb' })).includes(ESCAPE));
  });

  test('a narrow one loses no word', async () => {
    assert.match(await shown({ NO_COLOR: '1' }, 20), /ok {3}Slot {2}getSlot · 200 · \d+ ms\r\n\r\n1 passed, 0 failed/);
  });

  test('Ctrl+C cancels the request that waits and prints the report', async () => {
    const net = await import('node:net');
    const silent = net.createServer(() => undefined).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as { port: number };
    const terminal = work.terminal(['run', 'slot.jsonrpc', '--rpc-url', `http://127.0.0.1:${port}`]);
    await terminal.shows('… line 1: getSlot');
    terminal.type('\x03');
    assert.equal(await terminal.ended(), 3);
    silent.close();
    assert.match(terminal.screen, /cancelled: The run was cancelled\./);
    assert.match(terminal.screen, /0 passed, 1 failed, 0 skipped/);
  });
});
