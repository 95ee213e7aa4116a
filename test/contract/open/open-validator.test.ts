// The service under the name of solana-test-validator: the options that Anchor passes, what it prints, its faucet, and who
// may call a port that is open to every interface.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { describe, test, type TestContext } from 'node:test';
import { Keypair } from '@solana/web3.js';
import { shimText } from '../../../cli/shim';
import { decodeBase58 } from '../../../core/solana/encoding/base58';
import { member, printJson } from '../../../core/solana/json/json';
import { readOptions } from '../../../localnet/options';
import { walletOfTools } from '../../../localnet/open/validator';
import { request, spawnLocalnet } from '../../support/process/localnet';
import { listenersOf } from '../../support/process/processes';
import { freePair } from '../../support/wire/ports';
import { call, startOpen, temporaryFolder, type OpenLocalnet } from './open-harness';

const BODY = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'getHealth' });
const JSON_CONTENT = { 'content-type': 'application/json' };

const SYSTEM = '11111111111111111111111111111111';
const VOTE = 'Vote111111111111111111111111111111111111111';
const STAKE = 'Stake11111111111111111111111111111111111111';

async function started(t: TestContext, args: readonly string[]): Promise<OpenLocalnet> {
  const open = await startOpen(args);
  t.after(() => open.local.stop());
  return open;
}

describe('The command line', () => {
  const optionsOf = (...args: readonly string[]) => {
    const read = readOptions(args);
    assert.ok(read.ok, read.ok ? '' : read.message);
    return read.options;
  };
  test('a validator is open, keeps its ledger in test-ledger and has its faucet on 9900', () => {
    const { open, ledger, faucetPort } = optionsOf('--validator');
    assert.deepEqual([open, ledger, faucetPort], [true, 'test-ledger', 9900]);
    const given = optionsOf('--validator', '--ledger', 'other', '--faucet-port', '9911');
    assert.deepEqual([given.ledger, given.faucetPort], ['other', 9911]);
  });
  test('options that change nothing are taken with a sentence each', () => {
    const { notices, rpcPort } = optionsOf(
      ...['--gossip-host', '127.0.0.1', '--gossip-port', '8001', '--dynamic-port-range', '8000-8020'],
      ...['--limit-ledger-size', '10000', '--account-index', 'program-id', '--log', '--geyser-plugin-config', 'x.json'],
      ...['--faucet-per-time-sol-cap=1', '--rpc-port', '9100'],
    );
    assert.equal(rpcPort, 9100);
    assert.deepEqual(
      notices.map((notice) => notice.split(' ')[0]),
      [
        ...[
          '--gossip-host',
          '--gossip-port',
          '--dynamic-port-range',
          '--limit-ledger-size',
          '--account-index',
          '--log',
        ],
        ...['--geyser-plugin-config', '--faucet-per-time-sol-cap'],
      ],
    );
  });
  test('an option that changes nothing takes no option after it for its value', () => {
    for (const name of ['--faucet-per-time-sol-cap', '--faucet-per-request-sol-cap', '--limit-ledger-size']) {
      const { reset, notices } = optionsOf(name, '--reset');
      assert.deepEqual([reset, notices.length], [true, 1], name);
    }
  });
  test('options that may be given again take several values at once', () => {
    const { clones, notices, accountFolders, accountFiles, reset } = optionsOf(
      ...['--url', 'localhost', '--clone', SYSTEM, VOTE, '--maybe-clone', STAKE, '--account-dir', 'a', 'b'],
      ...['--account', '-', 'a.json', SYSTEM, 'b.json', '--account-index', 'program-id', 'spl-token-mint', '--reset'],
    );
    assert.deepEqual(
      clones.map(({ address, kind }) => [address, kind]),
      [
        [SYSTEM, 'account'],
        [VOTE, 'account'],
        [STAKE, 'maybe'],
      ],
    );
    assert.deepEqual(accountFolders, ['a', 'b']);
    assert.equal(accountFiles.length, 2);
    assert.deepEqual([notices.length, reset], [1, true]);
    assert.equal(readOptions(['--mint', SYSTEM, VOTE]).ok, false);
  });
  test('every option of the program is known', () => {
    const { notices, computeUnitLimit } = optionsOf(
      ...['--max-compute-units', '300000', '--accountsdb-plugin-config', 'x.json'],
      ...['--rpc-pubsub-max-active-subscriptions', '5', '--rpc-pubsub-queue-capacity-items', '5'],
      ...['--rpc-pubsub-queue-capacity-bytes', '5', '--rpc-pubsub-worker-threads', '5'],
      ...['--rpc-pubsub-notification-threads', '5'],
    );
    assert.deepEqual([computeUnitLimit, notices.length], [300_000, 6]);
    const refused = readOptions(['--inflation-fixed', '0.1']);
    assert.match(refused.ok ? '' : refused.message, /^--inflation-fixed is not offered: /);
  });
  test('shorthands may be joined', () => {
    const { reset, quiet } = optionsOf('-rq');
    assert.deepEqual([reset, quiet], [true, true]);
    assert.equal(optionsOf('-V').version, true);
  });
});

test('The executable hands its arguments on as they are', () => {
  const folder = path.join(temporaryFolder(), "it's a folder");
  mkdirSync(folder);
  const shim = path.join(folder, 'solana-test-validator');
  const [service, command] = ['service.js', 'command.js'].map((name) => path.join(folder, name));
  assert.ok(service !== undefined && command !== undefined);
  const program = 'process.stdout.write(JSON.stringify(process.argv.slice(1)));';
  for (const file of [service, command]) writeFileSync(file, program);
  writeFileSync(shim, shimText(process.execPath, { service, command }), { mode: 0o755 });
  const started = (args: readonly string[]): unknown => {
    const { stdout, status } = spawnSync(shim, args, { encoding: 'utf8' });
    return [status, JSON.parse(stdout)];
  };
  const args = ['--mint', 'a b', '$HOME', "it's", '-rq', '--url', 'https://api.devnet.solana.com'];
  assert.deepEqual(started(args), [0, [service, '--validator', ...args]]);
  // The terminal command reads the endpoint where accounts come from one.
  for (const clone of ['--clone', '-c', '--clone-upgradeable-program', '--maybe-clone'])
    assert.deepEqual(started([...args, clone, 'x']), [0, [command, 'localnet', '--validator', ...args, clone, 'x']]);
});

test('The wallet of the Solana tools is the one their configuration names', () => {
  const home = temporaryFolder();
  assert.equal(walletOfTools(undefined, home), undefined);
  const [first, second] = [Keypair.generate(), Keypair.generate()];
  mkdirSync(path.join(home, '.config', 'solana', 'cli'), { recursive: true });
  writeFileSync(path.join(home, '.config', 'solana', 'id.json'), JSON.stringify([...first.secretKey]));
  assert.equal(walletOfTools(undefined, home), first.publicKey.toBase58());
  writeFileSync(path.join(home, 'other.json'), JSON.stringify([...second.secretKey]));
  const config = path.join(home, '.config', 'solana', 'cli', 'config.yml');
  writeFileSync(config, `---\njson_rpc_url: http://localhost:8899\nkeypair_path: ${path.join(home, 'other.json')}\n`);
  assert.equal(walletOfTools(undefined, home), second.publicKey.toBase58());
});

test('It prints what scripts wait for', async (t) => {
  const [port, faucet] = [await freePair(), await freePair()];
  const folder = path.join(temporaryFolder(), 'test-ledger');
  const child = spawnLocalnet(
    ['--validator', '--ledger', folder, '--rpc-port', String(port), '--faucet-port', String(faucet)],
    { ...process.env, HOME: temporaryFolder() },
  );
  t.after(() => child.kill('SIGTERM'));
  let said = '';
  while (!said.includes('Processed Slot')) {
    const [chunk] = (await once(child.stdout ?? process.stdin, 'data')) as [Buffer];
    said += chunk.toString();
  }
  assert.match(said, new RegExp(`^JSON RPC URL: http://127\\.0\\.0\\.1:${port}$`, 'm'));
  assert.match(said, /^Processed Slot: \d+ \| Confirmed Slot: \d+ \| Finalized Slot: \d+$/m);
  const { status, json } = await request(`http://127.0.0.1:${port}`, {
    ...{ method: 'POST', headers: JSON_CONTENT },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'getGenesisHash' }),
  });
  assert.equal(status, 200);
  assert.equal(/^Genesis Hash: (.+)$/m.exec(said)?.[1], member(json, 'result'));
});

describe('What Anchor passes', () => {
  test('is served: any Host for programs, no page of another origin, the rest on 127.0.0.1', async (t) => {
    const mint = Keypair.generate().publicKey.toBase58();
    const open = await started(t, [
      ...['--ledger', path.join(temporaryFolder(), 'test-ledger'), '--mint', mint, '--bind-address', '0.0.0.0'],
      ...['--gossip-port', '8001', '--limit-ledger-size', '10000'],
    ]);
    assert.equal(
      printJson(member(await call(open, 'getBalance', mint, { commitment: 'processed' }), 'value') ?? null),
      '500000000000000000',
    );
    const post = async (headers: Readonly<Record<string, string>>): Promise<number> =>
      (await request(open.rpcUrl, { method: 'POST', headers: { ...JSON_CONTENT, ...headers }, body: BODY })).status;
    assert.equal(await post({ host: 'validator:8899' }), 200);
    assert.equal(await post({ host: 'validator:8899', origin: 'https://example.com' }), 403);
    assert.equal(await post({ host: '127.0.0.1:8899', origin: 'https://example.com' }), 403);
    assert.equal(await post({ host: 'validator:8899', 'sec-fetch-site': 'cross-site' }), 403);
    assert.equal(await post({ origin: 'http://localhost:5173' }), 200);
    const { rpcUrl, grpcUrl, pid } = open.local.ready;
    const everywhere = [open.rpcUrl, open.wsUrl].map((url) => `0.0.0.0:${new URL(url).port}`);
    // Everything that keys protect, gRPC included, is reachable from this machine alone.
    const keyed = [rpcUrl, grpcUrl].map((url) => new URL(url).host);
    assert.deepEqual(new Set(listenersOf(pid)), new Set([...everywhere, ...keyed]));
    const outside = Object.values(os.networkInterfaces())
      .flatMap((all) => all ?? [])
      .find(({ family, internal }) => family === 'IPv4' && !internal)?.address;
    t.diagnostic(`an interface besides the loopback: ${outside ?? 'none'}`);
    // A second address of the loopback is reached as one of the network is: it is not the one that keys are served at.
    for (const host of ['127.0.0.2', ...(outside === undefined ? [] : [outside])]) {
      const reached = async (url: string): Promise<boolean> => {
        const socket = net.connect({ host, port: Number(new URL(url).port) });
        const isOpen = await Promise.race([
          once(socket, 'connect').then(() => true),
          once(socket, 'error').then(() => false),
        ]).catch(() => false);
        socket.destroy();
        return isOpen;
      };
      assert.deepEqual(
        [await reached(open.rpcUrl), await reached(rpcUrl), await reached(grpcUrl)],
        [true, false, false],
      );
    }
  });
});

test('The faucet answers with a transaction that lands', async (t) => {
  const port = await freePair();
  const open = await started(t, ['--faucet-port', String(port)]);
  const to = Keypair.generate().publicKey;
  const latest = member(await call(open, 'getLatestBlockhash', { commitment: 'processed' }), 'value');
  const blockhash = member(latest, 'blockhash');
  assert.ok(typeof blockhash === 'string');
  const ask = (lamports: bigint): Buffer => {
    const head = Buffer.alloc(12);
    head.writeBigUInt64LE(lamports, 4);
    return Buffer.concat([head, to.toBytes(), decodeBase58(blockhash) ?? Buffer.alloc(32)]);
  };
  const answer = async (asked: Buffer): Promise<Buffer> => {
    const socket = net.connect({ host: '127.0.0.1', port });
    t.after(() => socket.destroy());
    socket.write(asked.subarray(0, 30));
    socket.write(asked.subarray(30));
    const [bytes] = (await once(socket, 'data')) as [Buffer];
    return bytes;
  };
  const bytes = await answer(ask(5_000_000_000n));
  assert.equal(bytes.readUInt16LE(0), bytes.length - 2);
  const config = { encoding: 'base64', preflightCommitment: 'processed' };
  await call(open, 'sendTransaction', bytes.subarray(2).toString('base64'), config);
  const balance = await call(open, 'getBalance', to.toBase58(), { commitment: 'processed' });
  assert.equal(member(balance, 'value'), 5_000_000_000);
  assert.deepEqual([...(await answer(ask(0n)))], [0, 0]);
  assert.deepEqual([...(await answer(Buffer.alloc(76, 9)))], [0, 0]);
});
