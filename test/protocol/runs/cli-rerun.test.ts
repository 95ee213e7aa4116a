// `--watch` of `run` and `check`: which changes run the files again, how a transaction waits for a key, and the end.
import assert from 'node:assert/strict';
import { mkdirSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs';
import path from 'node:path';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { startSink, Workspace, type Sink } from '../../support/process/cli';

const RIGHT = '### Slot\n{ "method": "getSlot" }\n';
const WRONG = '### Slot\n{ "method": "getSlto" }\n';

let work: Workspace;
let sink: Sink;
before(async () => {
  sink = await startSink();
});
after(() => sink.close());
beforeEach(() => {
  work = new Workspace();
});
afterEach(() => work.dispose());

/** The output of a command; waits for more. The two outputs are two pipes: which comes first is not known. */
class Said {
  stdout = '';
  stderr = '';
  readonly #ended: Promise<boolean>;
  readonly #read = { stdout: 0, stderr: 0 };

  constructor(readonly child: ChildProcess) {
    for (const name of ['stdout', 'stderr'] as const)
      child[name]?.on('data', (part: Buffer) => {
        this[name] += part.toString();
        child.emit('said');
      });
    this.#ended = once(child, 'close').then(() => true);
  }

  /** Waits until it is on standard output, behind what was waited for before. */
  out(text: string): Promise<void> {
    return this.#has('stdout', text);
  }

  err(text: string): Promise<void> {
    return this.#has('stderr', text);
  }

  async #has(name: 'stdout' | 'stderr', text: string): Promise<void> {
    for (;;) {
      const at = this[name].indexOf(text, this.#read[name]);
      if (at >= 0) {
        this.#read[name] = at + text.length;
        return;
      }
      if (await Promise.race([once(this.child, 'said').then(() => false), this.#ended]))
        throw new Error(`"${text}" was not written: ${this.stdout}${this.stderr}`);
    }
  }

  async interrupted(): Promise<void> {
    const closed = once(this.child, 'close');
    this.child.kill('SIGINT');
    assert.deepEqual(await closed, [130, null], this.stderr);
  }
}

const start = (args: readonly string[]): Said => new Said(work.start(args, { env: { SOLANA_RPC_KEY: 'key' } }));

describe('check --watch', () => {
  test('checks again what changed, was replaced, was imported or configured, and ends with Ctrl+C', async () => {
    work.write('a.jsonrpc', '# @import b.jsonrpc\n\n### Slot\n{ "method": "getSlot", "params": ["{{b}}"] }\n');
    work.write('b.jsonrpc', '@b = {}\n');
    const said = start(['check', 'a.jsonrpc', '--watch']);
    await said.err('Ctrl+C ends.');
    assert.match(said.stderr, /Watching 4 files\. Ctrl\+C ends\.\n/);
    work.write('b.jsonrpc', '@c = {}\n');
    await said.err('b.jsonrpc changed.\n');
    await said.out('unresolved-variable');
    await said.err('Ctrl+C ends.');
    work.write('new', RIGHT);
    renameSync(path.join(work.root, 'new'), path.join(work.root, 'a.jsonrpc'));
    await said.err('a.jsonrpc changed.\n');
    await said.out('0 errors');
    await said.err('Ctrl+C ends.');
    work.write('solana-rpc.json', '{ "packs": [] }');
    await said.err('solana-rpc.json changed.\n');
    await said.out('0 errors');
    await said.err('Ctrl+C ends.');
    await said.interrupted();
    assert.ok(!said.stdout.includes('\u001b'), 'nothing is cleared in a pipe');
  });

  test('keeps watching while a file is away or cannot be read as requests', async () => {
    work.write('a.jsonrpc', RIGHT);
    const said = start(['check', 'a.jsonrpc', '--watch']);
    await said.err('Ctrl+C ends.');
    renameSync(path.join(work.root, 'a.jsonrpc'), path.join(work.root, 'away'));
    await said.err('a.jsonrpc');
    await said.err('Ctrl+C ends.');
    work.write('a.jsonrpc', WRONG);
    await said.out('1 errors');
    await said.err('Ctrl+C ends.');
    await said.interrupted();
  });

  test('of a folder sees a file that is new', async () => {
    work.write('a.jsonrpc', RIGHT);
    const said = start(['check', '.', '--watch']);
    await said.err('Ctrl+C ends.');
    work.write('z.jsonrpc', WRONG);
    await said.out('2 files: 1 errors');
    await said.err('Ctrl+C ends.');
    await said.interrupted();
  });

  test('checks again what could not be read, once it is there', async () => {
    work.write('a.jsonrpc', '### Slot\n# @foreach row in ./rows/all.csv\n{ "method": "getSlot" }\n');
    const said = start(['check', 'a.jsonrpc', '--watch']);
    await said.out('rows/all.csv is not there');
    await said.err('Ctrl+C ends.');
    mkdirSync(path.join(work.root, 'rows'));
    work.write('rows/all.csv', 'name\none\n');
    await said.err('all.csv changed.\n');
    await said.out('0 errors');
    await said.err('Ctrl+C ends.');
    await said.interrupted();
  });

  test('does not run in circles over a file from the future', async () => {
    work.write('a.jsonrpc', RIGHT);
    utimesSync(path.join(work.root, 'a.jsonrpc'), new Date(), new Date(Date.now() + 3_600_000));
    const said = start(['check', 'a.jsonrpc', '--watch']);
    await said.err('Ctrl+C ends.');
    work.write('a.jsonrpc', WRONG);
    await said.out('1 errors');
    assert.equal(said.stdout.split('0 errors').length, 2);
    await said.interrupted();
  });
});

describe('run --watch', () => {
  const url = (): string[] => ['--rpc-url', `${sink.origin}/sol`];

  test('runs again; a file that a response is saved to does not count as a change', async () => {
    work.write('a.jsonrpc', `${RIGHT}>>! saved.json\n`);
    const said = start(['run', 'a.jsonrpc', '--watch', ...url()]);
    await said.out('1 passed');
    await said.err('Ctrl+C ends.');
    assert.ok(statSync(path.join(work.root, 'saved.json')).size > 0);
    work.write('a.jsonrpc', `${RIGHT}?? result == 7\n`);
    await said.out('1 failed');
    await said.err('Ctrl+C ends.');
    assert.equal(said.stderr.split('Ctrl+C ends.').length, 3);
    await said.interrupted();
  });

  test('runs again after a file was removed while the request was sent', async () => {
    work.write('a.jsonrpc', '### Slot\n{ "method": "getSlot", "params": [{{$file ./value.json}}] }\n');
    const value = path.join(work.root, work.write('value.json', '{}'));
    const removing = await startSink(undefined, () => rmSync(value));
    try {
      const said = start(['run', 'a.jsonrpc', '--watch', '--rpc-url', `${removing.origin}/sol`]);
      await said.out('1 passed');
      await said.err('value.json changed.\n');
      await said.err('value.json is not there');
      await said.err('Ctrl+C ends.');
      await said.interrupted();
    } finally {
      await removing.close();
    }
  });

  test('does not run in circles over a file that it reads and saves a response to', async () => {
    const text = '### Slot\n{ "method": "getSlot", "params": [{{$file ./value.json}}] }\n>>! ./value.json\n';
    work.write('a.jsonrpc', text);
    work.write('value.json', '{}');
    const said = start(['run', 'a.jsonrpc', '--watch', ...url()]);
    await said.out('1 passed');
    await said.err('Ctrl+C ends.');
    work.write('a.jsonrpc', `${text}?? result == 7\n`);
    await said.out('1 failed');
    await said.err('Ctrl+C ends.');
    assert.deepEqual(said.stderr.match(/.* changed\./g), ['a.jsonrpc changed.']);
    await said.interrupted();
  });

  test('sends no transaction again by itself, on a pipe never', async () => {
    const text = '### Send\n{ "method": "sendTransaction", "params": ["AQ=="] }\n';
    work.write('a.jsonrpc', text);
    const count = (): number => sink.requests.filter(({ body }) => body.includes('sendTransaction')).length;
    const before = count();
    const said = start(['run', 'a.jsonrpc', '--watch', ...url()]);
    await said.err('Ctrl+C ends.');
    assert.equal(count(), before + 1);
    work.write('a.jsonrpc', `${text}?? result == 1\n`);
    await said.err('It sends a transaction, which is not repeated by itself.\n');
    assert.equal(count(), before + 1);
    await said.interrupted();
  });

  test('sends it when r is pressed in a terminal; Ctrl+C ends that too', async () => {
    const text = '### Send\n{ "method": "sendTransaction", "params": ["AQ=="] }\n';
    work.write('a.jsonrpc', text);
    const count = (): number => sink.requests.filter(({ body }) => body.includes('sendTransaction')).length;
    const before = count();
    const terminal = work.terminal(['run', 'a.jsonrpc', '--watch', ...url()], { env: { SOLANA_RPC_KEY: 'key' } });
    let at = await terminal.shows('r runs them again. Ctrl+C ends.');
    work.write('a.jsonrpc', `${text}?? result == 1\n`);
    at = await terminal.shows('press r to run it.', at);
    assert.equal(count(), before + 1);
    terminal.type('r');
    at = await terminal.shows('1 passed', at);
    await terminal.shows('Ctrl+C ends.', at);
    assert.equal(count(), before + 2);
    terminal.type('\x03');
    assert.equal(await terminal.ended(), 130);
  });

  test('needs files, and keys that can be read again', async () => {
    work.write('a.jsonrpc', RIGHT);
    for (const [args, reason] of [
      [['run', '-', '--watch'], /--watch needs files, not standard input/],
      [['check', '-', '--watch'], /--watch needs files, not standard input/],
      [['run', 'a.jsonrpc', '--watch', '--key-stdin'], /not with --key-stdin/],
      [['check', 'none.jsonrpc', '--watch'], /none\.jsonrpc/],
    ] as const) {
      const { code, stderr } = await work.run(args, { input: RIGHT });
      assert.equal(code, 1, args.join(' '));
      assert.match(stderr, reason);
    }
  });
});
