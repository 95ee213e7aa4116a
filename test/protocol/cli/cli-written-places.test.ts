// Every command that writes, where somebody has prepared the place: a link leads nothing out of the repository, an entry
// that is not a file stays, and a disk that takes no more leaves no half of a file and no draft. Each ends with a sentence.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { writeCaseFolder } from '../../../process/caseFolder';
import { replayCase } from '../../support/data/replayCase';
import { PASSED_ON, resultOf, startSink, Workspace, type CliResult, type Sink } from '../../support/process/cli';

const PROGRAM = path.join(import.meta.dirname, '..', '..', '..', 'dist', 'cli.js');
let sink: Sink;
/** A folder outside of every repository, with a case that can be replayed. */
const outside = mkdtempSync(path.join(os.tmpdir(), 'written-places-'));
const kept = path.join(outside, 'case');
before(async () => {
  sink = await startSink();
  await writeCaseFolder(kept, replayCase(7, 9), { overwrite: false });
});
after(async () => {
  await sink.close();
  rmSync(outside, { recursive: true });
});

interface Verb {
  readonly args: () => readonly string[];
  /** The file that is written, below the repository. */
  readonly place: string;
  /** How the command ends if it cannot be written. */
  readonly code: number;
  /** The expected report on standard output nevertheless. */
  readonly reports?: RegExp;
  /** Blocks of 512 bytes that the disk takes of each file: less than what is written. */
  readonly room?: number;
  /** Runs until it is interrupted. */
  readonly serves?: true;
}

const SLOT = '### a\n{"method":"getSlot"}\n';
const run = (file: string): readonly string[] => ['run', file, '--rpc-url', sink.origin];
const REQUESTS: Readonly<Record<string, string>> = {
  'slot.jsonrpc': SLOT,
  'saving.jsonrpc': `${SLOT}>>! out/slot.json\n`,
  'snap.jsonrpc': `${SLOT}?? result matchesSnapshot\n`,
  'slot.http': 'POST https://localhost\n\n{"jsonrpc":"2.0","id":1,"method":"getSlot"}\n',
};

const VERBS: Readonly<Record<string, Verb>> = {
  'run --junit': {
    args: () => [...run('slot.jsonrpc'), '--junit', 'out/a.xml'],
    place: 'out/a.xml',
    code: 1,
    reports: /1 passed/,
  },
  'run, with >>!': { args: () => run('saving.jsonrpc'), place: 'out/slot.json', code: 2 },
  'run --update-snapshots': {
    args: () => [...run('snap.jsonrpc'), '--update-snapshots'],
    place: '__snapshots__/snap.jsonrpc.json',
    code: 3,
    reports: /0 passed, 1 failed/,
  },
  'check --sarif': {
    args: () => ['check', 'slot.jsonrpc', '--sarif', 'out/a.sarif'],
    place: 'out/a.sarif',
    code: 1,
    reports: /0 errors/,
  },
  'convert --out': {
    args: () => ['convert', 'slot.http', '--out', 'out/a.jsonrpc', '--force'],
    place: 'out/a.jsonrpc',
    code: 1,
  },
  'replay --save': {
    args: () => ['replay', kept, '--save', 'out', '--force'],
    place: 'out/case.json',
    code: 1,
    reports: /^outcome: failed/,
  },
  'localnet --shim': { args: () => ['localnet', '--shim', 'out'], place: 'out/solana-test-validator', code: 1 },
  'localnet --state': {
    args: () => ['localnet', '--state', 'out/a.state'],
    place: 'out/a.state',
    code: 1,
    serves: true,
    room: 1,
  },
  'localnet --ledger': {
    args: () => ['localnet', '--ledger', 'out'],
    place: 'out/validator.log',
    code: 1,
    serves: true,
    room: 1,
  },
};

/** Prepares the place, given a file of the user's. Returns the expected message. */
const PREPARED: Readonly<Record<string, (place: string, victim: string) => RegExp>> = {
  'a link in its place': (place, victim) => {
    mkdirSync(path.dirname(place));
    symlinkSync(victim, place);
    return /is a link/;
  },
  'a link to nothing in its place': (place, victim) => {
    mkdirSync(path.dirname(place));
    symlinkSync(`${victim}-new`, place);
    return /is a link/;
  },
  'a link in place of its folder': (place, victim) => {
    symlinkSync(path.dirname(victim), path.dirname(place));
    return /is reached through the link .+; name the folder it leads to|out is a link, which is not followed|outside the work/;
  },
  'a folder in its place': (place) => {
    mkdirSync(place, { recursive: true });
    return /is a folder, not a file|is not a file; remove it/;
  },
  'a named pipe in its place': (place) => {
    mkdirSync(path.dirname(place));
    execFileSync('mkfifo', [place]);
    return /is a named pipe, not a file|is not a file; remove it/;
  },
  'a file in place of its folder': (place) => {
    writeFileSync(path.dirname(place), '');
    return /something on the way to it is not a folder|out is not a folder|ENOTDIR: not a directory/;
  },
};

/** Ends a service that started although its files cannot be written. */
function started(work: Workspace, { args, serves }: Verb): Promise<CliResult> {
  const child = work.start(args());
  if (serves) child.stdout?.once('data', () => child.kill('SIGINT'));
  return resultOf(child);
}

function repository(): Workspace {
  const work = new Workspace();
  mkdirSync(path.join(work.root, '.git'));
  for (const [name, text] of Object.entries(REQUESTS)) work.write(name, text);
  return work;
}

/** Everything below a folder, by name. */
const below = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => !name.startsWith('.local'))
    .sort();

function assertRefused({ code, stdout, stderr }: CliResult, verb: Verb, said: RegExp): void {
  assert.deepEqual([code, said.test(stdout + stderr)], [verb.code, true], stdout + stderr);
  assert.doesNotMatch(stdout + stderr, /^ {4}at |went wrong inside/m);
}

for (const [title, verb] of Object.entries(VERBS))
  describe(title, () => {
    for (const [what, prepare] of Object.entries(PREPARED))
      test(`${what} is refused, and everything stays as it was`, async (t) => {
        const work = repository();
        const home = mkdtempSync(path.join(outside, 'home-'));
        t.after(() => work.dispose());
        const victim = path.join(home, 'mine');
        writeFileSync(victim, 'mine');
        const said = prepare(path.join(work.root, verb.place), victim);
        const names = below(work.root);
        const result = await started(work, verb);
        assertRefused(result, verb, said);
        assert.match(result.stdout, verb.reports ?? /^/);
        assert.equal(readFileSync(victim, 'utf8'), 'mine');
        assert.deepEqual([below(work.root), below(home)], [names, ['mine']]);
      });
  });

/** Runs the command where no file may have more than some blocks, as on a full disk. */
function inLittleRoom(work: Workspace, { args, room = 0 }: Verb): Promise<CliResult> {
  const words = [`ulimit -f ${room}; exec "$0" "$@"`, process.execPath, PROGRAM, ...args()];
  return resultOf(spawn('sh', ['-c', ...words], { cwd: work.root, env: { ...PASSED_ON, HOME: work.root } }));
}

describe('a disk that takes no more leaves nothing:', () => {
  for (const [title, verb] of Object.entries(VERBS))
    test(title, async (t) => {
      const work = repository();
      t.after(() => work.dispose());
      mkdirSync(path.join(work.root, path.dirname(verb.place)));
      const names = below(work.root);
      // It is judged as the place is for >>!, but here only once there is an answer.
      const code = title === 'run, with >>!' ? 3 : verb.code;
      assertRefused(await inLittleRoom(work, verb), { ...verb, code }, /is larger than a file may be here|EFBIG/);
      assert.deepEqual(below(work.root), names);
    });
});

test('without a folder for temporary files a replay says so', async (t) => {
  const work = repository();
  t.after(() => work.dispose());
  const { code, stderr } = await work.run(['replay', kept], { env: { TMPDIR: path.join(outside, 'none') } });
  assert.equal(code, 1);
  assert.match(stderr, /^a temporary file in .+none: cannot be written, since its folder is not there\.\n$/);
});

const SHIM = 'solana-test-validator';

describe('the executable of --shim', () => {
  test('replaces another one of this tool, and no other program', async (t) => {
    const work = repository();
    t.after(() => work.dispose());
    const shim = (folder: string): Promise<CliResult> => work.run(['localnet', '--shim', folder]);
    await shim('own');
    const text = work.read(`own/${SHIM}`);
    // As an earlier version in another place wrote it.
    work.write(`own/${SHIM}`, text.replaceAll(process.execPath, '/earlier/node'));
    assert.equal((await shim('own')).code, 0);
    assert.equal(work.read(`own/${SHIM}`), text);
    for (const real of ['\u007fELF', '#!/bin/sh\nexec agave-validator "$@"\n']) {
      work.write(`own/${SHIM}`, real);
      const { code, stderr } = await shim('own');
      assert.equal(code, 1);
      assert.match(stderr, /solana-test-validator was not written by --shim; remove it, or name another folder\.\n$/);
      assert.equal(work.read(`own/${SHIM}`), real);
    }
  });
});

describe('links that are the user’s', () => {
  test('a link inside the repository and one outside of every repository are followed', async (t) => {
    const work = repository();
    const home = mkdtempSync(path.join(outside, 'home-'));
    t.after(() => work.dispose());
    mkdirSync(path.join(work.root, 'real'));
    symlinkSync('real', path.join(work.root, 'out'));
    mkdirSync(path.join(home, 'real'));
    symlinkSync('real', path.join(home, 'out'));
    for (const folder of [work.root, home]) {
      const sarif = path.join(folder, 'out', 'a.sarif');
      assert.equal((await work.run(['check', 'slot.jsonrpc', '--sarif', sarif])).code, 0);
      assert.deepEqual(readdirSync(path.join(folder, 'real')), ['a.sarif']);
    }
  });

  test('without a repository the working directory is one', async (t) => {
    const work = new Workspace();
    const home = mkdtempSync(path.join(outside, 'home-'));
    t.after(() => work.dispose());
    symlinkSync(home, path.join(work.root, 'out'));
    const { code, stderr } = await work.run(['localnet', '--shim', 'out']);
    assert.deepEqual([code, readdirSync(home)], [1, []]);
    assert.match(stderr, /is reached through the link/);
  });
});

test('a case that is read through a link out of the repository is not written through it', async (t) => {
  const work = repository();
  t.after(() => work.dispose());
  symlinkSync(kept, path.join(work.root, 'case'));
  const before = below(kept).map((name) => [name, statSync(path.join(kept, name)).ino]);
  const { code, stdout, stderr } = await work.run(['replay', 'case', '--update']);
  assert.equal(code, 1);
  assert.match(stdout, /^outcome: failed/);
  assert.match(stderr, /is reached through the link/);
  assert.deepEqual(
    below(kept).map((name) => [name, statSync(path.join(kept, name)).ino]),
    before,
  );
});
