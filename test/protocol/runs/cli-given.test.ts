// The files that a command line names: folders, patterns and standard input, as the built command reads them.
import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { startSink, type Sink, testWorkspace } from '../../support/process/cli';

const SLOT = '### Slot\n{"method":"getSlot"}\n';

const work = testWorkspace();
let sink: Sink;

before(async () => {
  sink = await startSink();
  for (const folder of ['all/deep/er', 'all/.hidden', 'all/node_modules', 'empty', 'outside', 'star*'])
    mkdirSync(path.join(work.root, folder), { recursive: true });
  for (const name of [
    ...['all/b.jsonrpc', 'all/a.jsonrpc', 'all/deep/er/c.jsonrpc', 'all/a(1)+.jsonrpc'],
    ...['all/.hidden/no.jsonrpc', 'all/node_modules/no.jsonrpc', 'outside/no.jsonrpc', 'star*/x.jsonrpc'],
  ])
    work.write(name, SLOT);
  work.write('all/notes.md', 'no request');
  symlinkSync(path.join(work.root, 'outside'), path.join(work.root, 'all', 'link'));
  symlinkSync(path.join(work.root, 'outside', 'no.jsonrpc'), path.join(work.root, 'all', 'link.jsonrpc'));
});
after(() => sink.close());

async function checked(...words: readonly string[]): Promise<readonly string[]> {
  const { code, stdout, stderr } = await work.run(['check', '--json', ...words]);
  assert.equal(code, 0, stderr);
  const { files } = JSON.parse(stdout) as { readonly files: readonly { readonly file: string }[] };
  return files.map(({ file }) => file.replaceAll('\\', '/'));
}

describe('names', () => {
  const ALL = ['all/a(1)+.jsonrpc', 'all/a.jsonrpc', 'all/b.jsonrpc', 'all/deep/er/c.jsonrpc'];
  const ROWS: readonly (readonly [what: string, words: readonly string[], files: readonly string[]])[] = [
    ['a folder: every request file below it, no hidden one and none behind a link', ['all'], ALL],
    ['a folder with a slash', ['all/'], ALL],
    ['a pattern within one folder', ['all/*.jsonrpc'], ALL.slice(0, 3)],
    ['a pattern through folders', ['all/**/*.jsonrpc'], ALL],
    ['one character', ['all/?.jsonrpc'], ['all/a.jsonrpc', 'all/b.jsonrpc']],
    ['a pattern in the middle', ['all/*/er/c.jsonrpc'], ['all/deep/er/c.jsonrpc']],
    ['signs that mean something elsewhere', ['all/a(1)+.*'], ['all/a(1)+.jsonrpc']],
    [
      'each file once',
      ['all/b.jsonrpc', 'all', './all/a.jsonrpc'],
      ['all/b.jsonrpc', ...ALL.filter((n) => !n.endsWith('/b.jsonrpc'))],
    ],
    ['a folder whose name looks like a pattern', ['star*'], ['star*/x.jsonrpc']],
  ];
  for (const [what, words, files] of ROWS) test(what, async () => assert.deepEqual(await checked(...words), files));

  test('nothing: a folder without request files, or a pattern without a match, is wrong usage', async () => {
    for (const [word, said] of [
      ['empty', /^empty holds no \.jsonrpc file\.\n$/],
      ['all/*.http', /^No file matches all\/\*\.http\.\n$/],
    ] as const) {
      const { code, stderr } = await work.run(['check', word]);
      assert.equal(code, 1);
      assert.match(stderr, said);
    }
  });
});

describe('standard input', () => {
  test('is run as a file is, with what it imports', async () => {
    work.write('shared.jsonrpc', '@commitment = finalized\n');
    const text =
      '# @import shared.jsonrpc\n\n### Slot\n{"method":"getSlot","params":[{"commitment":"{{commitment}}"}]}\n?? result == 1\n';
    const { code, stdout, stderr } = await work.run(['run', '-', '--rpc-url', sink.origin], {
      input: text,
      env: { SOLANA_RPC_KEY: 'k'.repeat(32) },
    });
    assert.equal(code, 0, stdout + stderr);
    assert.match(stdout, /1 passed/);
    assert.match(JSON.stringify(sink.requests.at(-1)), /finalized/);
  });

  test('is checked, with the place of what is wrong', async () => {
    const { code, stdout } = await work.run(['check', '-'], { input: '### Slot\n{"method":"getSlto"}\n' });
    assert.equal(code, 2);
    assert.match(stdout, /^-:2:\d+/m);
  });

  test('cannot hold the keys as well', async () => {
    const before = sink.requests.length;
    const { code, stderr } = await work.run(['run', '-', '--key-stdin', '--rpc-url', sink.origin], { input: SLOT });
    assert.deepEqual([code, sink.requests.length], [1, before]);
    assert.match(stderr, /^Standard input holds either the file \(-\) or the keys \(--key-stdin\), not both\.\n$/);
  });
});
