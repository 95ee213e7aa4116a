// The options of `solana-rpc localnet` that its own process carries out, and those that are refused with the reason.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { ChildProcess } from 'node:child_process';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { describe, test } from 'node:test';
import { member, printJson } from '../../../core/solana/json/json';
import { newKeypair } from '../../support/data/keypairs';
import { request } from '../../support/process/localnet';
import { testWorkspace } from '../../support/process/cli';
import { waiting } from '../../support/waiting';

const work = testWorkspace();

interface Ready {
  readonly adminToken: string;
  readonly rpcUrl: string;
  readonly keys: { readonly rpc: { readonly key: string } };
  readonly wallet: unknown;
}

/** The first line of a service that is ready. */
async function readyOf(child: ChildProcess): Promise<Ready> {
  assert.ok(child.stdout !== null);
  const lines = createInterface({ input: child.stdout });
  const [line] = (await waiting('the ready line', () => once(lines, 'line'))) as [string];
  return JSON.parse(line) as Ready;
}

/** Secrets of a service that was started with these options; it is ended. */
async function secretsWith(args: readonly string[], line?: string): Promise<unknown> {
  const child = work.start(['localnet', '--json', ...args], { holdsInput: true });
  if (line !== undefined) child.stdin?.write(`${line}\n`);
  const { adminToken, keys, wallet } = await readyOf(child);
  child.kill('SIGTERM');
  assert.deepEqual(await waiting('its end', () => once(child, 'close')), [0, null]);
  return { adminToken, keys, wallet };
}

describe('a seed', () => {
  test('gives the same keys, wallet and admin token, from the command line and from standard input', async () => {
    const named = await secretsWith(['--seed', ' one']);
    assert.deepEqual(await secretsWith(['--seed-stdin'], ' one'), named);
    assert.deepEqual(await secretsWith(['--seed= one']), named);
    assert.notDeepEqual(await secretsWith(['--seed-stdin'], 'two'), named);
  });
});

describe('--with-parent', () => {
  test('ends the command and its service when standard input ends', async () => {
    const child = work.start(['localnet', '--json', '--seed-stdin', '--with-parent'], { holdsInput: true });
    child.stdin?.write('one\n');
    await readyOf(child);
    const ended = once(child, 'close');
    child.stdin?.end();
    assert.deepEqual(await waiting('its end', () => ended), [0, null]);
  });

  test('leaves a signal its effect while standard input is open', async () => {
    await secretsWith(['--with-parent']);
  });

  test('without it, the end of standard input ends nothing', async () => {
    const child = work.start(['localnet', '--json'], { input: '' });
    await readyOf(child);
    child.kill('SIGTERM');
    assert.deepEqual(await waiting('its end', () => once(child, 'close')), [0, null]);
  });
});

describe('lines of the service', () => {
  test('a notice is shown, with --quiet too, and nothing else', async () => {
    const child = work.start(['localnet', '-q', '--gossip-port', '9', '--slot-ms', '50']);
    const shown = { stdout: '', stderr: '' };
    child.stdout?.on('data', (part: Buffer) => (shown.stdout += part.toString()));
    assert.ok(child.stderr !== null);
    const lines = createInterface({ input: child.stderr });
    const [line] = (await waiting('a notice', () => once(lines, 'line'))) as [string];
    assert.match(line, /^--gossip-port changes nothing: /);
    child.kill('SIGTERM');
    assert.deepEqual(await waiting('its end', () => once(child, 'close')), [0, null]);
    assert.equal(shown.stdout, '');
  });

  test('--version prints the release that the service answers for', async () => {
    for (const option of ['--version', '-V'])
      assert.match((await work.run(['localnet', option])).stdout, /^solana-test-validator 4\.\d+\.\d+ /);
  });
});

describe('--config', () => {
  test('names the wallet that the ledger begins with, without the name of the validator too', async () => {
    const { address, file } = newKeypair();
    const wallet = path.join(work.root, work.write('id.json', file));
    work.write('config.yml', `keypair_path: ${wallet}\n`);
    const child = work.start(['localnet', '--json', '--config', 'config.yml']);
    const { rpcUrl, keys } = await readyOf(child);
    const { json } = await request(rpcUrl, {
      method: 'POST',
      headers: { authorization: `Bearer ${keys.rpc.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'getBalance', params: [address] }),
    });
    assert.equal(printJson(member(member(json, 'result'), 'value') ?? null), '500000000000000000');
    child.kill('SIGTERM');
    assert.deepEqual(await waiting('its end', () => once(child, 'close')), [0, null]);
  });
});

describe('refused with the reason', () => {
  const CASES: readonly (readonly [args: readonly string[], reason: RegExp, input?: string])[] = [
    [['--seed', 'one', '--seed-stdin'], /--seed and --seed-stdin .*Give one of them/],
    [['--seed', ''], /--seed: not allowed/],
    [['--seed', 'one\ntwo'], /--seed .*one line/],
    [['--seed'], /--seed needs a value/],
    [['--seed-stdin'], /first line of standard input is empty/, '\n'],
    [['--key-stdin'], /--key-stdin .*--url or --fork/],
    [['--key-stdin', '--url', 'd', '--seed-stdin'], /--key-stdin and --seed-stdin both read standard input/],
    [['--key-stdin', '--url', 'd', '--with-parent'], /--key-stdin and --with-parent both read standard input/],
    [['--config', 'none.yml'], /none\.yml of --config does not exist/],
    [['--grpc-compression', 'lz4'], /--grpc-compression: not allowed: lz4; .*gzip/],
    [['--plan', 'Gold'], /--plan: not allowed: Gold; .*Free/],
    [['--finality-lag', '1'], /--finality-lag: not allowed: 1; it takes a whole number from 2 to 150/],
    [['--finality-lag', '5'], /--finality-lag belongs to TowerBFT: .* Add --consensus tower/],
    [['--open', '--votes'], /--votes belongs to TowerBFT: .* Add --consensus tower/],
    [['--alpenglow', '--agave', '3.1'], /Agave 4\.2 and 3\.1 do not know Alpenglow/],
    [['--port', '70000'], /--port: not allowed: 70000; it takes a whole number from 0 to 65535/],
  ];
  for (const [args, reason, input] of CASES)
    test(args.join(' ').replace('\n', '⏎'), async () => {
      const { code, stderr, stdout } = await work.run(['localnet', ...args], input === undefined ? {} : { input });
      assert.deepEqual([code, stdout], [1, '']);
      assert.match(stderr, reason);
    });
});
