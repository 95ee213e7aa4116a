// `solana-rpc localnet --clone`: accounts of another endpoint come through the terminal command; the service itself is
// given neither URL nor key. The source is a second local service.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, describe, test, type TestContext } from 'node:test';
import { Keypair } from '@solana/web3.js';
import { shimText } from '../../../cli/shim';
import { decodeBase58, encodeBase58 } from '../../../core/solana/encoding/base58';
import { member, type JsonValue } from '../../../core/solana/json/json';
import { counterProgram } from '../../contract/open/open-counter';
import { resultOf, testWorkspace } from '../../support/process/cli';
import { request, spawnLocalnet, startTestLedger, type Localnet } from '../../support/process/localnet';
import { freePair } from '../../support/wire/ports';

const LOADER = 'BPFLoaderUpgradeab1e11111111111111111111111';
const TABLES = 'AddressLookupTab1e1111111111111111111111111';

const work = testWorkspace();
const fresh = (): string => Keypair.generate().publicKey.toBase58();
const [plain, program, table, inTable, absent] = [fresh(), fresh(), fresh(), fresh(), fresh()];

/** A lookup table with one address, frozen, last extended in a slot that the other ledger has yet to reach. */
function tableOf(address: string): string {
  const data = Buffer.alloc(56 + 32);
  data.writeUInt32LE(1, 0);
  data.writeBigUInt64LE(2n ** 64n - 1n, 4);
  data.set(bytesOf(address), 56);
  return data.toString('base64');
}
const bytesOf = (address: string): Uint8Array => decodeBase58(address) ?? new Uint8Array();

let source: Localnet;
before(async () => {
  const elf = path.join(work.root, 'counter.so');
  writeFileSync(elf, counterProgram());
  source = await startTestLedger(['--plan', 'Dev', '--bpf-program', program, elf]);
  await source.cheat('setAccount', { address: plain, lamports: 18446744073709, owner: fresh(), data: 'AQID' });
  await source.cheat('setAccount', { address: inTable, lamports: 7 });
  await source.cheat('setAccount', { address: table, lamports: 9, owner: TABLES, data: tableOf(inTable) });
});
after(() => source.stop());

interface Started {
  readonly pid: number;
  /** The value of `getAccountInfo`. */
  account(address: string): Promise<JsonValue>;
}

const keyed = (): Readonly<Record<string, string>> => ({ SOLANA_RPC_KEY: source.ready.keys.rpc.key });

/** Starts the command with these options; its ledger ends with the test. */
async function started(t: TestContext, args: readonly string[]): Promise<Started> {
  const child = work.start(['localnet', '--json', '--url', source.ready.rpcUrl, ...args], { env: keyed() });
  t.after(async () => {
    child.kill('SIGINT');
    await once(child, 'close');
  });
  if (child.stdout === null) throw new Error('The child has no pipe');
  let errors = '';
  child.stderr?.on('data', (part: Buffer) => (errors += part.toString()));
  const ended = once(child, 'close').then(() => assert.fail(errors));
  const [line] = (await Promise.race([once(createInterface({ input: child.stdout }), 'line'), ended])) as [string];
  ended.catch(() => undefined);
  const ready = JSON.parse(line) as { pid: number; rpcUrl: string; keys: { rpc: { key: string } } };
  return {
    pid: ready.pid,
    account: async (address) => {
      const { json } = await request(ready.rpcUrl, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${ready.keys.rpc.key}` },
        body: JSON.stringify({
          ...{ jsonrpc: '2.0', id: 1, method: 'getAccountInfo' },
          params: [address, { encoding: 'base64' }],
        }),
      });
      return member(member(json, 'result'), 'value') ?? null;
    },
  };
}

/** How often each method was called at the source. */
async function readsOf(): Promise<Readonly<Record<string, number>>> {
  const { methods } = JSON.parse((await source.rest('/v1/usage')).text) as {
    methods: readonly { method: string; count: number }[];
  };
  return Object.fromEntries(methods.map(({ method, count }) => [method, count]));
}

describe('Accounts of another endpoint', () => {
  test('are there from the beginning, programs with their code, tables with their accounts, in as few reads', async (t) => {
    const orders = ['--clone', plain, '--clone', program, '--maybe-clone', absent];
    const first = await readsOf();
    const local = await started(t, [...orders, '--deep-clone-address-lookup-table', table]);
    assert.deepEqual(await readsOf(), { ...first, getMultipleAccounts: (first['getMultipleAccounts'] ?? 0) + 3 });
    const cloned = await local.account(plain);
    assert.deepEqual(member(cloned, 'data'), ['AQID', 'base64']);
    assert.equal(member(cloned, 'lamports'), 18446744073709);
    const called = await local.account(program);
    assert.equal(member(called, 'executable'), true);
    const [data] = member(called, 'data') as readonly string[];
    const code = await local.account(encodeBase58(Buffer.from(data ?? '', 'base64').subarray(4, 36)));
    assert.equal(member(code, 'owner'), LOADER);
    assert.equal(member(await local.account(inTable), 'lamports'), 7);
    assert.equal(await local.account(absent), null);
  });

  test('are asked for by the terminal command: the service sees neither the URL nor the key', async (t) => {
    const { pid } = await started(t, ['--clone', plain]);
    const port = new URL(source.ready.rpcUrl).port;
    const given = ['cmdline', 'environ'].map((name) =>
      readFileSync(`/proc/${pid}/${name}`, 'utf8').replaceAll('\0', ' '),
    );
    assert.match(given[0] ?? '', new RegExp(`--url 127\\.0\\.0\\.1:${port} --clone ${plain}`));
    assert.doesNotMatch(given.join(' '), /http|SOLANA_RPC_KEY/);
    assert.ok(!given.join(' ').includes(source.ready.keys.rpc.key));
  });

  for (const [what, args, said] of [
    ['does not exist', ['--clone', absent], `${absent} does not exist at 127.0.0.1:`],
    [
      'is not a program',
      ['--clone-upgradeable-program', plain],
      `${plain} is not a program of the upgradeable loader at `,
    ],
    ['is not a table', ['--deep-clone-address-lookup-table', plain], `${plain} is not an address lookup table at `],
  ] as const)
    test(`that ${what} refuse the start with one sentence`, async () => {
      const { code, stderr } = await work.run(['localnet', '-u', source.ready.rpcUrl, ...args], { env: keyed() });
      assert.equal(code, 1);
      assert.ok(stderr.startsWith(said), stderr);
      assert.equal(stderr.trim().split('\n').length, 1);
    });

  test('without a key that is asked for refuse the start with what the endpoint said', async () => {
    const { code, stderr } = await work.run(['localnet', '-u', source.ready.rpcUrl, '--clone', plain]);
    assert.equal(code, 1);
    assert.match(stderr, /^127\.0\.0\.1:\d+ could not be read: .*key/i);
  });

  test('need an endpoint, and the terminal command', async () => {
    const without = await work.run(['localnet', '--clone', plain]);
    assert.deepEqual([without.code, /^ *--clone needs --url/m.test(without.stderr)], [1, true], without.stderr);
    const alone = await resultOf(spawnLocalnet(['--url', 'm', '--clone', plain]));
    assert.equal(alone.code, 1);
    assert.match(alone.stderr, /start the service with "solana-rpc localnet"/);
  });
});

test('Under the name of solana-test-validator: the lines that scripts wait for, and an end that leaves nothing', async () => {
  const shim = path.join(work.root, 'solana-test-validator');
  const dist = path.join(import.meta.dirname, '..', '..', '..', 'dist');
  const programs = { service: path.join(dist, 'localnet.js'), command: path.join(dist, 'cli.js') };
  writeFileSync(shim, shimText(process.execPath, programs), { mode: 0o755 });
  const [port, faucet] = [await freePair(), await freePair()];
  const ledger = path.join(work.root, 'test-ledger');
  const options = ['--ledger', ledger, '--rpc-port', String(port), '--faucet-port', String(faucet), '--quiet'];
  const { SOLANA_RPC_KEY = '' } = keyed();
  const { status, stderr } = spawnSync(shim, [...options, '--url', source.ready.rpcUrl, '--clone', absent], {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], HOME: work.root, SOLANA_RPC_KEY },
  });
  assert.equal(status, 1);
  assert.match(stderr, new RegExp(`^${absent} does not exist`));
  const child = work.start(
    ['localnet', '--validator', ...options.slice(0, -1), '--url', source.ready.rpcUrl, '--clone', plain],
    { env: keyed() },
  );
  const ended = resultOf(child);
  if (child.stdout === null) throw new Error('The child has no pipe');
  const lines: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    lines.push(line);
    if (line.startsWith('Processed Slot: ')) break;
  }
  assert.ok(lines.includes(`JSON RPC URL: http://127.0.0.1:${port}`), lines.join('\n'));
  child.kill('SIGTERM');
  assert.equal((await ended).code, 0);
});
