// The service in the place of solana-test-validator: its two ports, the files it takes and writes, and how it refuses.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test, type TestContext } from 'node:test';
import { Keypair, PublicKey, Transaction, TransactionInstruction, sendAndConfirmTransaction } from '@solana/web3.js';
import { member, printJson, type JsonValue } from '../../../core/solana/json/json';
import { request } from '../../support/process/localnet';
import { PubSub } from '../../support/wire/pubSub';
import { call, connectionTo, failedStart, post, startOpen, temporaryFolder, type OpenLocalnet } from './open-harness';
import { closed, freePair, listening } from '../../support/wire/ports';
import { MEMO } from '../rpc/rpc-harness';
import { disconnect } from '../clients/web3-harness';

const LOADER = new PublicKey('BPFLoaderUpgradeab1e11111111111111111111111');

async function started(t: TestContext, args: readonly string[] = []): Promise<OpenLocalnet> {
  const open = await startOpen(args);
  t.after(() => open.local.stop());
  return open;
}

function file(name: string, content: string | Uint8Array): string {
  const at = path.join(temporaryFolder(), name);
  writeFileSync(at, content);
  return at;
}

/** Lamports with every digit. */
async function balance(open: OpenLocalnet, address: string): Promise<string> {
  return printJson(member(await call(open, 'getBalance', address), 'value') ?? null);
}

/** The memo program as the service has it: an honest .so file. */
async function memoProgram(open: OpenLocalnet): Promise<Buffer> {
  const answer = await call(open, 'getAccountInfo', MEMO, { encoding: 'base64' });
  const [text] = member(member(answer, 'value'), 'data') as readonly string[];
  return Buffer.from(text ?? '', 'base64');
}

describe('The two ports', () => {
  test('Calls at the root path need no key and are not limited', async (t) => {
    const open = await started(t);
    const answers = await Promise.all(
      Array.from({ length: 300 }, () => post(open, { jsonrpc: '2.0', id: 1, method: 'getHealth' })),
    );
    assert.deepEqual(
      new Set(answers.map(({ status, text }) => `${status} ${text}`)),
      new Set(['200 {"jsonrpc":"2.0","result":"ok","id":1}']),
    );
    assert.equal(answers[0]?.headers['x-ratelimit-limit'], undefined);
  });
  test('The WebSocket is on the next port, at the root path', async (t) => {
    const open = await started(t);
    const socket = await PubSub.open(open.local, 'none', open.wsUrl);
    t.after(() => socket.socket.terminate());
    assert.equal(member(await socket.call('slotSubscribe'), 'result'), 0);
    const notification = await socket.next((message) => member(message, 'method') === 'slotNotification');
    assert.equal(typeof member(member(member(notification, 'params'), 'result'), 'slot'), 'number');
  });
  test('The ready line names both, and the service with keys keeps running alongside', async (t) => {
    const open = await started(t);
    const { open: urls } = open.local.ready as { readonly open?: unknown };
    assert.deepEqual(urls, { rpcUrl: open.rpcUrl, wsUrl: open.wsUrl });
    assert.equal((await open.local.rpc('getHealth')).status, 200);
    assert.equal((await open.local.rpc('getHealth', [], 'wrong')).status, 401);
    const usage = await open.local.rest('/v1/usage');
    await call(open, 'getSlot');
    assert.equal(
      member(usage.json, 'request_count'),
      member((await open.local.rest('/v1/usage')).json, 'request_count'),
    );
  });
  test('The ledger begins with slot 0', async (t) => {
    const open = await started(t);
    assert.equal(await call(open, 'getFirstAvailableBlock'), 0);
    assert.equal(await call(open, 'minimumLedgerSlot'), 0);
  });
  test('A web page of this machine may call it, another may not', async (t) => {
    const open = await started(t);
    const body = { jsonrpc: '2.0', id: 1, method: 'getHealth' };
    const local = await post(open, body, { origin: 'http://localhost:5173' });
    assert.equal(local.status, 200);
    assert.equal(local.headers['access-control-allow-origin'], 'http://localhost:5173');
    const foreign = await post(open, body, { origin: 'https://example.com' });
    assert.equal(foreign.status, 403);
    assert.equal(foreign.headers['access-control-allow-origin'], undefined);
    const preflight = await request(open.rpcUrl, { method: 'OPTIONS', headers: { origin: 'http://localhost:5173' } });
    assert.equal(preflight.status, 204);
    assert.equal(preflight.headers['access-control-allow-headers'], '*');
  });
  test('A name that is not of this machine is refused', async (t) => {
    const open = await started(t);
    const answer = await post(open, { jsonrpc: '2.0', id: 1, method: 'getHealth' }, { host: 'rebound.example:8899' });
    assert.equal(answer.status, 403);
  });
  test('GET is answered at /health only; the root, other paths and the WebSocket port refuse it', async (t) => {
    const open = await started(t);
    const get = (at: string) => request(open.rpcUrl + at);
    assert.equal((await get('/health')).text, 'ok');
    assert.equal((await get('/')).status, 405);
    assert.equal((await get('/sol')).status, 404);
    assert.equal((await request(open.wsUrl.replace('ws:', 'http:'))).status, 426);
  });
  for (const [which, offset] of [
    ['HTTP', 0],
    ['WebSocket', 1],
  ] as const)
    test(`A taken port for ${which} is reported in one sentence`, async () => {
      const port = await freePair();
      const taken = await listening(port + offset);
      const { code, stdout, stderr } = await failedStart(['--rpc-port', String(port)]);
      await closed(taken);
      assert.equal(code, 1);
      assert.equal(stdout, '');
      assert.equal(
        stderr,
        `Port ${port + offset} is in use, and --open needs ${port} and ${port + 1}. Choose another pair with --rpc-port.\n`,
      );
    });
});

describe('The folder of --ledger', () => {
  test('Its keypairs are those of the accounts of the ledger', async (t) => {
    const folder = path.join(temporaryFolder(), 'ledger');
    const open = await started(t, ['--ledger', folder]);
    const keypair = (name: string): string => {
      const bytes = JSON.parse(readFileSync(path.join(folder, name), 'utf8')) as number[];
      assert.equal(statSync(path.join(folder, name)).mode & 0o777, 0o600);
      return Keypair.fromSecretKey(Uint8Array.from(bytes)).publicKey.toBase58();
    };
    const owner = async (address: string): Promise<JsonValue | undefined> =>
      member(member(await call(open, 'getAccountInfo', address, { encoding: 'base64' }), 'value'), 'owner');
    assert.equal(member(await call(open, 'getIdentity'), 'identity'), keypair('validator-keypair.json'));
    assert.equal(await owner(keypair('vote-account-keypair.json')), 'Vote111111111111111111111111111111111111111');
    assert.equal(await owner(keypair('stake-account-keypair.json')), 'Stake11111111111111111111111111111111111111');
    assert.equal(await balance(open, keypair('faucet-keypair.json')), '500000000000000000');
  });
  test('Its log names each transaction with what its programs said', async (t) => {
    const folder = temporaryFolder();
    const open = await started(t, ['--ledger', folder]);
    const signature = await connectionTo(open).requestAirdrop(open.wallet.publicKey, 1);
    const log = readFileSync(path.join(folder, 'validator.log'), 'utf8');
    assert.match(log, new RegExp(`slot \\d+ transaction ${signature} ok\\n`));
    assert.match(log, /Program 11111111111111111111111111111111 success/);
  });
  test('Its log begins with the lines that suites read of a validator', async (t) => {
    const folder = temporaryFolder();
    const open = await started(t, ['--ledger', folder]);
    const log = readFileSync(path.join(folder, 'validator.log'), 'utf8');
    const of = (pattern: RegExp): string | undefined => pattern.exec(log)?.[1];
    const [node] = (await call(open, 'getClusterNodes')) as JsonValue[];
    const text = (name: string): string => printJson(member(node, name) ?? null).replaceAll('"', '');
    assert.equal(of(/agave-validator ([\d.]+)/), text('version'));
    assert.equal(parseInt(of(/feat:([0-9a-f]+)/) ?? '', 16), Number(text('featureSet')));
    assert.equal(of(/genesis hash: (\w{32,})/), await call(open, 'getGenesisHash'));
    assert.equal(of(/identity pubkey: (\w{32,})/), text('pubkey'));
    assert.equal(of(/shred_version: (\d+)/), text('shredVersion'));
    assert.equal(of(/local gossip address: ([\d.]+:\d+)/), text('gossip'));
    assert.equal(of(/rpc bound to ([\d.]+:\d+)/), new URL(open.rpcUrl).host);
    for (const name of ['serveRepair', 'tpuForwardsQuic', 'tpuQuic', 'tpuVote', 'tvu'])
      assert.match(text(name), /^127\.0\.0\.1:\d+$/, name);
  });
  test('A ledger continues where it ended, and starts over with --reset', async (t) => {
    const folder = temporaryFolder();
    const address = Keypair.generate().publicKey.toBase58();
    const run = async (...args: readonly string[]): Promise<{ balance: unknown; identity: unknown }> => {
      const open = await startOpen(['--ledger', folder, ...args]);
      const balance = member(await call(open, 'getBalance', address, { commitment: 'processed' }), 'value');
      const identity = member(await call(open, 'getIdentity'), 'identity');
      await call(open, 'requestAirdrop', address, 5_000_000);
      await open.local.stop();
      return { balance, identity };
    };
    const first = await run();
    const second = await run();
    const third = await run('--reset');
    assert.deepEqual([first.balance, second.balance, third.balance], [0, 5_000_000, 0]);
    assert.equal(second.identity, first.identity);
    assert.notEqual(third.identity, first.identity);
    t.diagnostic(readdirSync(folder).join(' '));
  });
  test('A faucet that is there is taken', async (t) => {
    const folder = temporaryFolder();
    const faucet = Keypair.generate();
    writeFileSync(path.join(folder, 'faucet-keypair.json'), JSON.stringify([...faucet.secretKey]));
    const open = await started(t, ['--ledger', folder, '--faucet-sol', '1000000.5']);
    const balance = await call(open, 'getBalance', faucet.publicKey.toBase58());
    assert.equal(member(balance, 'value'), 1_000_000_500_000_000);
  });
  test("Another validator's ledger is left alone", async () => {
    const folder = temporaryFolder();
    writeFileSync(path.join(folder, 'genesis.bin'), 'x');
    const { code, stderr } = await failedStart(['--ledger', folder, '--reset']);
    assert.equal(code, 1);
    assert.equal(stderr, `${folder} holds a ledger of another validator (genesis.bin); give another folder.\n`);
    assert.deepEqual(readdirSync(folder), ['genesis.bin']);
  });
});

describe('Accounts and programs from files', () => {
  const account = (pubkey: string, lamports: number): string =>
    JSON.stringify({
      pubkey,
      account: {
        lamports,
        data: ['AQID', 'base64'],
        owner: '11111111111111111111111111111111',
        executable: false,
        rentEpoch: 18446744073709552000,
        space: 3,
      },
    });

  test('--account and --account-dir load files as the Solana tools write them', async (t) => {
    const [one, two, three] = [1, 2, 3].map(() => Keypair.generate().publicKey.toBase58()) as [string, string, string];
    const folder = temporaryFolder();
    writeFileSync(path.join(folder, 'three.json'), account(three, 7_000_003));
    writeFileSync(path.join(folder, 'readme.txt'), 'not an account');
    const open = await started(t, [
      ...['--account', one, file('a.json', account(two, 7_000_001))],
      ...['--account', '-', file('b.json', account(two, 7_000_002))],
      ...['--account-dir', folder],
    ]);
    const { value } = await connectionTo(open).getMultipleAccountsInfoAndContext(
      [one, two, three].map((address) => new PublicKey(address)),
    );
    assert.deepEqual(
      value.map((found) => [found?.lamports, found?.data.toString('hex')]),
      [1, 2, 3].map((last) => [7_000_000 + last, '010203']),
    );
  });

  test('--bpf-program and --upgradeable-program load programs that run', async (t) => {
    const elf = file('memo.so', await memoProgram(await started(t)));
    const [plain, named, authority] = [Keypair.generate(), Keypair.generate(), Keypair.generate()];
    const open = await started(t, [
      ...['--bpf-program', plain.publicKey.toBase58(), elf],
      '--upgradeable-program',
      file('named.json', JSON.stringify([...named.secretKey])),
      ...[elf, authority.publicKey.toBase58()],
    ]);
    const connection = connectionTo(open);
    t.after(() => disconnect(connection));
    for (const [{ publicKey }, upgrader] of [
      [plain, new PublicKey(0).toBase58()],
      [named, authority.publicKey.toBase58()],
    ] as const) {
      const signature = await sendAndConfirmTransaction(
        connection,
        new Transaction().add(new TransactionInstruction({ programId: publicKey, keys: [], data: Buffer.from('hi') })),
        [open.wallet],
      );
      const landed = await connection.getTransaction(signature, { maxSupportedTransactionVersion: 0 });
      assert.ok(landed?.meta?.logMessages?.some((line) => line === `Program ${publicKey.toBase58()} success`));
      const [code] = PublicKey.findProgramAddressSync([publicKey.toBuffer()], LOADER);
      const held = await connection.getAccountInfo(code);
      assert.equal(held?.owner.toBase58(), LOADER.toBase58());
      assert.equal(new PublicKey(held.data.subarray(13, 45)).toBase58(), upgrader);
      assert.equal((await connection.getAccountInfo(publicKey))?.executable, true);
    }
  });

  test('--mint gives an address what a validator for tests gives', async (t) => {
    const mint = Keypair.generate().publicKey.toBase58();
    const open = await started(t, ['--mint', mint]);
    assert.equal(await balance(open, mint), '500000000000000000');
  });

  const someone = Keypair.generate().publicKey.toBase58();
  const wrong: readonly (readonly [name: string, args: () => readonly string[], said: RegExp])[] = [
    [
      'an account file that is not there',
      () => ['--account', someone, '/no/such.json'],
      /^\/no\/such\.json cannot be read: /,
    ],
    ['an account file that is not JSON', () => ['--account', someone, file('x.json', '{')], /x\.json cannot be read: /],
    [
      'an account file of another form',
      () => ['--account', someone, file('y.json', '{"pubkey":"x"}')],
      /y\.json is not an account as "solana account ADDRESS --output json" writes it: /,
    ],
    [
      'an account file without an address',
      () => ['--account', '-', file('z.json', account('x', 1))],
      /z\.json is not an account .*: the address is not one of 32 bytes\./,
    ],
    ['a folder that is not there', () => ['--account-dir', '/no/such'], /^\/no\/such cannot be read: /],
    [
      'a program file that is not an ELF file',
      () => ['--bpf-program', someone, file('p.so', 'x')],
      /p\.so is not a program: /,
    ],
    [
      'a program that the engine refuses',
      () => ['--bpf-program', someone, file('q.so', '\x7fELF and no more')],
      /^The engine refuses the program .*q\.so: /,
    ],
    [
      'a program with an invalid address',
      () => ['--bpf-program', file('k.json', '[1,2]'), file('p.so', 'x')],
      /k\.json is neither an address nor a keypair file of 64 bytes\.|p\.so is not a program/,
    ],
  ];
  for (const [name, args, said] of wrong)
    test(`The start is refused for ${name}`, async () => {
      const port = await freePair();
      const folder = path.join(temporaryFolder(), 'ledger');
      const { code, stdout, stderr } = await failedStart(['--rpc-port', String(port), '--ledger', folder, ...args()]);
      assert.equal(code, 1);
      assert.equal(stdout, '');
      assert.match(stderr, said);
      assert.equal(stderr.split('\n').length, 2, stderr);
    });
});

describe('Slots and epochs', () => {
  test('--warp-slot begins with that slot finalized, --slots-per-epoch sets the epochs', async (t) => {
    const open = await started(t, ['--warp-slot', '1000', '--slots-per-epoch', '64']);
    const info = await connectionTo(open).getEpochInfo('finalized');
    assert.ok(info.absoluteSlot >= 1000 && info.absoluteSlot < 1200);
    assert.equal(info.slotsInEpoch, 64);
    assert.equal(info.epoch, Math.floor(info.absoluteSlot / 64));
  });
  test('--ticks-per-slot sets the time of a slot', async (t) => {
    const port = await freePair();
    assert.ok(port > 0);
    const open = await started(t, ['--ticks-per-slot', '8']);
    assert.equal(open.local.ready.slotMs, 50);
  });
});
