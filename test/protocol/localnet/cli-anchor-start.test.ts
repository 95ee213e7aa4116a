// The executable of --shim, started as `anchor test` starts solana-test-validator: its arguments in its order, its folder,
// its log file, its way to find out that the validator is ready, and its way to end it.
import assert from 'node:assert/strict';
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { after, before, describe, test, type TestContext } from 'node:test';
import { Keypair } from '@solana/web3.js';
import { member, printJson, type JsonValue } from '../../../core/solana/json/json';
import { counterProgram } from '../../contract/open/open-counter';
import { startOpen, type OpenLocalnet } from '../../contract/open/open-harness';
import { testWorkspace } from '../../support/process/cli';
import { request } from '../../support/process/localnet';
import { freePair } from '../../support/wire/ports';

const LEDGER = '.anchor/test-ledger';

const work = testWorkspace();
const shims = path.join(work.root, '.shim');
const fresh = (): string => Keypair.generate().publicKey.toBase58();
const [wallet, program, given, cloned] = [fresh(), fresh(), fresh(), fresh()];
const elf = path.join(work.root, 'counter.so');
const elsewhere = fresh();

let source: OpenLocalnet;
before(async () => {
  assert.equal((await work.run(['localnet', '--shim', '.shim'])).stdout.trim(), shims);
  writeFileSync(elf, counterProgram());
  source = await startOpen(['--warp-slot', '5000', '--bpf-program', elsewhere, elf]);
  await source.local.cheat('setAccount', { address: cloned, lamports: 33, data: 'AQID' });
});
after(() => source.local.stop());

test('the executable is written whole, and never through a link in its place', async () => {
  const folder = path.join(work.root, 'linked');
  mkdirSync(folder);
  const own = path.join(work.root, work.write('own.sh', 'mine'));
  symlinkSync(own, path.join(folder, 'solana-test-validator'));
  const { code, stderr } = await work.run(['localnet', '--shim', 'linked']);
  assert.equal(code, 1);
  assert.match(stderr, /solana-test-validator is a link; name the file it leads to\.\n$/);
  assert.equal(readFileSync(own, 'utf8'), 'mine');
  assert.deepEqual(readdirSync(shims), ['solana-test-validator']);
  assert.equal(statSync(path.join(shims, 'solana-test-validator')).mode & 0o100, 0o100);
});

interface Answer {
  readonly status: number;
  readonly json: JsonValue;
}

interface Validator {
  readonly process: ChildProcess;
  call(method: string, ...params: readonly unknown[]): Promise<JsonValue>;
}

const asked = async (port: number, method: string, params: readonly unknown[]): Promise<Answer> =>
  request(`http://127.0.0.1:${port}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });

/** Starts the validator and waits as Anchor does: it asks for a blockhash until there is one. */
async function started(t: TestContext, args: readonly string[], port: number, shimFolder = shims): Promise<Validator> {
  const ledger = path.join(work.root, LEDGER);
  rmSync(ledger, { recursive: true, force: true });
  mkdirSync(ledger, { recursive: true });
  const log = openSync(path.join(ledger, 'test-ledger-log.txt'), 'w');
  const child = spawn('solana-test-validator', ['--ledger', LEDGER, '--mint', wallet, ...args], {
    cwd: work.root,
    env: { PATH: `${shimFolder}:${process.env['PATH'] ?? ''}`, HOME: work.root },
    stdio: ['inherit', log, log],
  });
  closeSync(log);
  t.after(() => child.kill('SIGKILL'));
  const refused: string[] = [];
  for (;;) {
    assert.equal(child.exitCode, null, readFileSync(path.join(ledger, 'test-ledger-log.txt'), 'utf8'));
    const answer = await asked(port, 'getLatestBlockhash', [{ commitment: 'confirmed' }]).catch((error: Error) => {
      refused.push(error.message);
    });
    if (answer === undefined) continue;
    // The first answer of an open port is one of a validator that is ready.
    assert.equal(answer.status, 200);
    assert.match(printJson(answer.json), /"blockhash"/);
    break;
  }
  t.diagnostic(`refused connections before it was ready: ${refused.length}`);
  return {
    process: child,
    call: async (method, ...params) => {
      const { json } = await asked(port, method, params);
      assert.equal(member(json, 'error'), undefined, printJson(json));
      return member(json, 'result') ?? null;
    },
  };
}

const valueOf = async (validator: Validator, address: string): Promise<JsonValue> =>
  member(await validator.call('getAccountInfo', address, { encoding: 'base64', commitment: 'processed' }), 'value') ??
  null;

/** Anchor kills its validator; nothing of it may stay. */
async function killed(validator: Validator, port: number): Promise<void> {
  validator.process.kill('SIGKILL');
  await once(validator.process, 'close');
  while (
    await asked(port, 'getHealth', []).then(
      () => true,
      () => false,
    )
  );
}

describe('anchor test', () => {
  test('without [test.validator]: a program, the wallet, the ports that everybody has', async (t) => {
    // Ports of this machine may be in use: they alone come from a second executable that adds them.
    const [port, faucet] = [await freePair(), await freePair()];
    const folder = await work.folder('ports');
    const file = path.join(folder, 'solana-test-validator');
    writeFileSync(
      file,
      `#!/bin/sh\nexec '${shims}/solana-test-validator' "$@" --rpc-port ${port} --faucet-port ${faucet}\n`,
    );
    chmodSync(file, 0o755);
    for (const flags of [
      ['--bpf-program', program, elf],
      ['--upgradeable-program', program, elf, wallet],
    ]) {
      const validator = await started(t, flags, port, folder);
      assert.equal(member(await valueOf(validator, program), 'executable'), true);
      assert.equal(printJson(member(await valueOf(validator, wallet), 'lamports') ?? null), '500000000000000000');
      await killed(validator, port);
    }
  });

  test('with [test.validator]: every member of it as a flag, accounts and programs from a cluster', async (t) => {
    const [port, faucet] = [await freePair(), await freePair()];
    const accounts = await work.folder('accounts');
    const account = { lamports: 44, owner: fresh(), data: ['BAUG', 'base64'], executable: false, rentEpoch: 0 };
    const inFolder = fresh();
    writeFileSync(path.join(accounts, 'one.json'), JSON.stringify({ pubkey: inFolder, account }));
    const file = work.write('given.json', JSON.stringify({ pubkey: given, account }));
    const validator = await started(
      t,
      [
        ...['--bpf-program', program, elf, '--account', given, file, '--account-dir', 'accounts'],
        ...['--bind-address', '0.0.0.0', '--clone', cloned, '--clone-upgradeable-program', elsewhere],
        ...['--dynamic-port-range', '8000-8020', '--faucet-port', String(faucet), '--faucet-sol', '1000'],
        ...['--gossip-host', '127.0.0.1', '--gossip-port', '8001', '--limit-ledger-size', '10000'],
        ...['--rpc-port', String(port), '--slots-per-epoch', '64', '--ticks-per-slot', '16'],
        ...['--url', source.rpcUrl, '--warp-slot', '1000'],
      ],
      port,
    );
    for (const address of [program, elsewhere])
      assert.equal(member(await valueOf(validator, address), 'executable'), true);
    assert.deepEqual(
      await Promise.all(
        [given, inFolder, cloned].map(async (one) => member(await valueOf(validator, one), 'lamports')),
      ),
      [44, 44, 33],
    );
    assert.ok(Number(await validator.call('getSlot')) >= 1000);
    await killed(validator, port);
    assert.match(readFileSync(path.join(work.root, LEDGER, 'test-ledger-log.txt'), 'utf8'), /^JSON RPC URL: /m);
  });
});

test('--warp-slot without a slot begins at the newest of the cluster', async (t) => {
  const [port, faucet] = [await freePair(), await freePair()];
  const ports = ['--rpc-port', String(port), '--faucet-port', String(faucet)];
  const validator = await started(t, [...ports, '--url', source.rpcUrl, '--warp-slot'], port);
  assert.ok(Number(await validator.call('getSlot', { commitment: 'finalized' })) >= 5000);
  await killed(validator, port);
  const { status, stderr } = spawnSync(path.join(shims, 'solana-test-validator'), [...ports, '--warp-slot', '-q'], {
    encoding: 'utf8',
  });
  assert.equal(status, 1);
  assert.match(stderr, /--warp-slot without a slot needs --url/);
});
