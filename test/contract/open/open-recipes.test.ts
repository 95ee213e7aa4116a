// docs/test-validator.md: its programs and its shell steps run against the service on free ports, and what it starts takes
// the options that it gives.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { readOptions } from '../../../localnet/options';
import { codeBlocksOf } from '../../support/data/markdown';
import { freePair } from '../../support/wire/ports';
import { startOpen, temporaryFolder, type OpenLocalnet } from './open-harness';

const root = path.join(__dirname, '..', '..', '..');
const blocks = codeBlocksOf(readFileSync(path.join(root, 'docs', 'test-validator.md'), 'utf8'));
const run = promisify(execFile);

let node: OpenLocalnet;
before(async () => {
  node = await startOpen();
});
after(() => node.local.stop());

function block(heading: string, language: string): string {
  const found = blocks.findLast((one) => one.heading === heading && one.language === language);
  assert.ok(found !== undefined, `${heading} has a block of ${language}`);
  return found.text;
}

for (const heading of ['@solana/kit', '@solana/web3.js'])
  test(`${heading}: the program prints what was given to its new account`, async () => {
    const text = block(heading, 'js').replace(/(?:http|ws):\/\/127\.0\.0\.1:(?:8899|8900)/g, (url) =>
      url.startsWith('http') ? node.rpcUrl : node.wsUrl,
    );
    // It ends by itself where nothing keeps a socket open; a suite's runner ends it.
    const { stdout } = await run(process.execPath, ['--input-type=module', '-e', `${text}\nprocess.exit(0);`], {
      cwd: path.join(root, 'test'),
    });
    assert.equal(stdout.trim().replace('n', ''), '1000000000');
  });

test('On a build server: the steps wait for the service, give the suite its ports, and end with its exit code', async () => {
  const tools = temporaryFolder();
  const port = await freePair();
  const programs = {
    'solana-rpc': `exec "${process.execPath}" "${path.join(root, 'dist', 'cli.js')}" "$@" --rpc-port ${port}`,
    npm: `curl --silent --fail http://127.0.0.1:${port}/health && exit 7`,
  };
  for (const [name, text] of Object.entries(programs))
    writeFileSync(path.join(tools, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  const steps = block('On a build server', 'sh').replace('8899', String(port));
  const ended = await run('sh', ['-c', steps], {
    env: { PATH: `${tools}:${process.env['PATH'] ?? ''}`, HOME: tools },
  }).then(
    () => assert.fail('the suite failed, and so do the steps'),
    (error: { readonly code: number; readonly stdout: string }) => error,
  );
  assert.equal(ended.code, 7);
  assert.match(ended.stdout, /ok/);
});

test('every start of the page has options that the service takes', () => {
  const shell = blocks.flatMap(({ text }) => [...text.matchAll(/solana-rpc localnet ([^\n&)"]*)/g)]);
  const image = JSON.parse(/^CMD (.*)$/m.exec(block('Docker', 'dockerfile'))?.[1] ?? '[]') as readonly string[];
  const starts = [
    image.slice(2),
    ...shell.map(([, words = '']) => words.trim().split(/\s+/)).filter(([first]) => first !== '--shim'),
  ];
  assert.ok(starts.length >= 3);
  for (const args of starts) {
    const given = args.map((word) => (word === 'PROGRAM_ID' ? node.wallet.publicKey.toBase58() : word));
    const read = readOptions(given);
    assert.ok(read.ok, read.ok ? '' : read.message);
  }
});
