// Where `>>` may save a response: never where it would run or configure something, nor outside, also through links. `check`
// and `run` agree, and a run that is refused sends nothing.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { startSink, type Sink, testWorkspace } from '../../support/process/cli';

const SENT_FIRST = '### first\n{"method":"getHealth"}\n';
const work = testWorkspace();
let sink: Sink;

before(async () => {
  sink = await startSink();
  for (const folder of ['.git/hooks', 'project', 'target'])
    mkdirSync(path.join(work.root, folder), { recursive: true });
  symlinkSync('.git/hooks', path.join(work.root, 'hooks'));
  symlinkSync('.git/new-file', path.join(work.root, 'innocent.json'));
  symlinkSync('target/kept.json', path.join(work.root, 'kept.json'));
  writeFileSync(path.join(work.root, 'target', 'kept.json'), 'kept');
  execFileSync('mkfifo', [path.join(work.root, 'pipe.json')]);
});
after(() => sink.close());

const BAD: readonly (readonly [place: string, said: RegExp])[] = [
  ['.git/hooks/pre-commit', /\.git is a folder of tool settings/],
  ['project/../.GIT/hooks/pre-commit', /\.GIT is a folder of tool settings/],
  ['.vscode/tasks.json', /\.vscode is a folder of tool settings/],
  ['.github/workflows/ci.yml', /\.github is a folder of tool settings/],
  ['.envrc', /\.envrc is a file of tool settings/],
  ['solana-rpc.json', /solana-rpc\.json configures a tool/],
  ['project/package.json', /package\.json configures a tool/],
];
const BAD_ON_DISK: typeof BAD = [
  ['hooks/pre-commit', /\.git is a folder of tool settings/],
  ['hooks/new/deep', /\.git is a folder of tool settings/],
  ['innocent.json', /innocent\.json is a link/],
  ['kept.json', /kept\.json is a link/],
  ['pipe.json', /pipe\.json is a named pipe, not a file/],
  ['project', /project is a folder, not a file/],
  ['../outside.json', /outside the work/],
  ['/tmp/outside.json', /outside the work/],
];

describe('is refused before anything is sent', () => {
  const arrows = ['>>', '>>!'];

  /** Each place is reported on its own line. */
  const assertAll = (places: typeof BAD, output: string): void => {
    for (const [index, [place, said]] of places.entries())
      for (const [at, arrow] of arrows.entries()) {
        const line = 5 + 3 * (2 * index + at);
        const found = output.split('\n').find((text) => text.startsWith(`bad.jsonrpc:${line}:1: error bad-redirect`));
        assert.match(found ?? '', said, `${arrow} ${place}: ${output}`);
      }
  };

  const KINDS: Readonly<Record<string, typeof BAD>> = { 'by its name': BAD, 'for what is there': BAD_ON_DISK };
  for (const [kind, places] of Object.entries(KINDS))
    test(`${kind}, by run and by check`, async () => {
      const blocks = places.flatMap(([place]) =>
        arrows.map((arrow) => `### bad\n{"method":"getSlot"}\n${arrow} ${place}\n`),
      );
      work.write('bad.jsonrpc', `${SENT_FIRST}${blocks.join('')}`);
      const run = await work.run(['run', 'bad.jsonrpc', '--rpc-url', sink.origin]);
      assert.equal(sink.requests.length, 0, 'nothing was sent');
      assert.equal(run.code, 2);
      assertAll(places, run.stderr);
      const check = await work.run(['check', 'bad.jsonrpc']);
      assert.equal(check.code, 2);
      assertAll(places, check.stdout);
    });

  test('nothing was written, and the links are as they were', () => {
    assert.deepEqual(readdirSync(path.join(work.root, '.git')), ['hooks']);
    assert.deepEqual(readdirSync(path.join(work.root, '.git', 'hooks')), []);
    assert.equal(readFileSync(path.join(work.root, 'target', 'kept.json'), 'utf8'), 'kept');
    assert.ok(lstatSync(path.join(work.root, 'innocent.json')).isSymbolicLink());
    for (const name of ['.vscode', '.github', '.envrc', 'solana-rpc.json', 'project/package.json'])
      assert.ok(!existsSync(path.join(work.root, name)), name);
  });
});

describe('a name that a variable gives', () => {
  const text = '### a\n{"method":"getSlot"}\n>> {{dir}}/tasks.json\n';

  test('is judged before anything is sent', async () => {
    work.write('named.jsonrpc', text);
    const before = sink.requests.length;
    const { code } = await work.run(['run', 'named.jsonrpc', '--rpc-url', sink.origin, '--var', 'dir=.vscode']);
    assert.deepEqual([code, sink.requests.length], [2, before]);
  });

  test('out of an earlier answer is judged before its own request is sent', async () => {
    work.write(
      'answered.jsonrpc',
      '### a\n# @name a\n{"method":"getSlot"}\n### b\n{"method":"getHealth"}\n>> .x{{a.result}}/tasks.json\n',
    );
    const before = sink.requests.length;
    const { code, stdout } = await work.run(['run', 'answered.jsonrpc', '--rpc-url', sink.origin]);
    assert.deepEqual([code, sink.requests.length], [3, before + 1]);
    assert.match(stdout, /\.x1 is a folder of tool settings/);
  });
});

test('a response is saved where it may be, readable by its owner alone', async () => {
  work.write('good.jsonrpc', '### a\n{"method":"getSlot"}\n>>! project/new/slot.json\n');
  for (let time = 0; time < 2; time++) {
    const { code, stdout } = await work.run(['run', 'good.jsonrpc', '--rpc-url', sink.origin]);
    assert.equal(code, 0, stdout);
  }
  const place = path.join(work.root, 'project', 'new', 'slot.json');
  assert.equal(statSync(place).mode & 0o777, 0o600);
  assert.deepEqual(readdirSync(path.dirname(place)), ['slot.json']);
});

test('a report of --junit is its owner’s alone where a key was given, and everybody’s else, for build servers', async () => {
  work.write('good.jsonrpc', '### a\n{"method":"getSlot"}\n');
  const modeWith = async (env: Readonly<Record<string, string>>): Promise<number> => {
    await work.run(['run', 'good.jsonrpc', '--rpc-url', sink.origin, '--junit', 'report.xml'], { env });
    return statSync(path.join(work.root, 'report.xml')).mode & 0o777;
  };
  assert.equal(await modeWith({ SOLANA_RPC_KEY: 'a-key-of-the-user' }), 0o600);
  // Less the mask of this process.
  assert.equal(await modeWith({}), 0o666 & ~process.umask());
});

test('--junit does not write through a link', async () => {
  work.write('good.jsonrpc', '### a\n{"method":"getSlot"}\n');
  const { code, stderr } = await work.run(['run', 'good.jsonrpc', '--rpc-url', sink.origin, '--junit', 'kept.json']);
  assert.equal(code, 1);
  assert.match(stderr, /^kept\.json is a link; name the file it leads to\.\n$/);
  assert.equal(readFileSync(path.join(work.root, 'target', 'kept.json'), 'utf8'), 'kept');
});
