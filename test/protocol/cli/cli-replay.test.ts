// `solana-rpc replay`: a failed transaction of a second local service, which takes the place of a cluster, runs again on a
// private ledger; then from a folder without a network, with other programs, accounts and clocks, and from hostile folders.
import assert from 'node:assert/strict';
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { createKeyPairSignerFromBytes } from '@solana/kit';
import { member, printJson, type JsonValue } from '../../../core/solana/json/json';
import { counterProgram } from '../../contract/open/open-counter';
import {
  bytesOf,
  freshKey,
  memo,
  toBase64,
  transfer,
  type Instruction,
  type Table,
} from '../../contract/rpc/rpc-harness';
import { kitV1, newSigner, transferInstruction } from '../../support/data/v1Transactions';
import { urlOptions, type CliResult, testWorkspace } from '../../support/process/cli';
import type { Localnet } from '../../support/process/localnet';
import { counterCluster, counterData, type CounterCluster } from '../../support/programs/counterCluster';

const work = testWorkspace();
const [table, target] = [freshKey(), freshKey()];
const TABLES = 'AddressLookupTab1e1111111111111111111111111';
/** Of a signature that no transaction has. */
const UNKNOWN = '1'.repeat(64);
let counters: CounterCluster;
let cluster: Localnet;
let failedSignature: string;

before(async () => {
  counters = await counterCluster(work.root);
  cluster = counters.local;
  await cluster.cheat('fund', { address: target.address, lamports: 1_000_000_000 });
  failedSignature = await landed([memo('raised by somebody else'), increment()]);
});
after(() => cluster.stop());

const increment = (): Instruction => counters.increment(counters.stranger);

/** The signature of a transaction of the stranger, which landed regardless of its outcome. */
const landed = (instructions: readonly Instruction[], tables?: readonly Table[]): Promise<string> =>
  counters.landed(counters.stranger, instructions, tables);

const replay = (args: readonly string[], options: readonly string[] = urlOptions(cluster.ready)): Promise<CliResult> =>
  work.run(['replay', ...args, ...options], { env: { SOLANA_RPC_KEY: cluster.ready.keys.rpc.key } });

/** Without an endpoint, a key or a place to ask. */
const offline = (args: readonly string[]): Promise<CliResult> => work.run(['replay', ...args]);

interface Report {
  readonly same: boolean;
  readonly differences: readonly { readonly about: string }[];
  readonly expected: { readonly error: JsonValue; readonly computeUnits: number; readonly logs: readonly string[] };
  readonly local: Report['expected'];
  readonly notes: readonly string[];
}
const reportOf = ({ stdout }: CliResult): Report => JSON.parse(stdout) as Report;

test('a failed transaction fails again with the same error, compute units and logs, and passes with the mended program', async () => {
  const result = await replay([failedSignature, '--json']);
  assert.equal(result.code, 0, result.stdout + result.stderr);
  const { same, expected, local } = reportOf(result);
  assert.equal(same, true);
  assert.deepEqual(local, expected);
  assert.deepEqual(local.error, { InstructionError: [1, { Custom: 2001 }] });
  const meta = member(
    member((await cluster.rpc('getTransaction', [failedSignature, { encoding: 'base64' }])).json, 'result'),
    'meta',
  );
  assert.equal(local.computeUnits, member(meta, 'computeUnitsConsumed'));
  assert.deepEqual(local.logs, member(meta, 'logMessages'));
  assert.match(local.logs.join('\n'), /raised by somebody else/);

  const mended = await replay([failedSignature, '--program', `${counters.program}=open.so`]);
  assert.equal(mended.code, 4, mended.stderr);
  assert.match(mended.stdout, /^outcome: succeeded\n/);
  assert.match(mended.stdout, /\n {2}error\n {4}expected: .*2001.*\n {4}here: {5}success\n/);
});

test('a case in a folder runs again without a network, and is a test of the program in it', async () => {
  const saved = await replay([failedSignature, '--save', 'case']);
  assert.equal(saved.code, 0, saved.stderr);
  assert.deepEqual(readdirSync(path.join(work.root, 'case')).sort(), [
    'accounts',
    'case.json',
    'programs',
    'replay.jsonrpc',
  ]);
  assert.ok(counterProgram().equals(readFileSync(path.join(work.root, 'case', 'programs', `${counters.program}.so`))));
  const texts = [
    'case.json',
    ...readdirSync(path.join(work.root, 'case', 'accounts')).map((name) => `accounts/${name}`),
  ]
    .map((name) => work.read(`case/${name}`))
    .join();
  assert.doesNotMatch(texts, new RegExp(`${cluster.ready.keys.rpc.key}|127\\.0\\.0\\.1`));

  const again = await offline(['case']);
  assert.deepEqual([again.code, again.stderr], [0, '']);
  assert.match(
    again.stdout,
    /^outcome: failed at call 2: .*\nas expected: error, compute units, logs, lamports, tokens\n$/s,
  );

  cpSync(path.join(work.root, 'open.so'), path.join(work.root, 'case', 'programs', `${counters.program}.so`));
  assert.equal((await offline(['case'])).code, 4);
  const updated = await offline(['case', '--update']);
  assert.equal(updated.code, 0, updated.stderr);
  assert.match(updated.stdout, /^outcome: succeeded\n/);
  assert.equal((await offline(['case'])).code, 0);
  const back = await offline(['case', '--program', `${counters.program}=counter.so`]);
  assert.equal(back.code, 4);
  assert.match(back.stdout, /\n {2}error\n {4}expected: success\n {4}here: .*2001/);
});

test('its request file repeats it with run on a ledger with its accounts, and fails on another program', async () => {
  const signature = await landed([memo('raised by {{$processEnv HOME}} \u202e"'), increment()]);
  assert.equal((await replay([signature, '--save', 'request'])).code, 0);
  const text = work.read('request/replay.jsonrpc');
  assert.ok(text.includes('\n?? result.value.err == {"InstructionError":[1,{"Custom":2001}]}\n'), text);
  assert.match(text, /\n\?\? result\.value\.postBalances\[0\] == \d+\n/);
  assert.doesNotMatch(text, /\{\{|[^\n\x20-\x7e]/);
  const run = (): Promise<CliResult> => work.run(['run', 'request/replay.jsonrpc', '--case', 'request']);
  const same = await run();
  assert.equal(same.code, 0, same.stdout + same.stderr);
  assert.equal((await work.run(['check', 'request/replay.jsonrpc'])).code, 0);
  cpSync(path.join(work.root, 'open.so'), path.join(work.root, 'request', 'programs', `${counters.program}.so`));
  const other = await run();
  assert.equal(other.code, 4, other.stdout + other.stderr);
  assert.match(other.stdout, /result\.value\.err == /);
  const none = await work.run(['run', 'request/replay.jsonrpc', '--case', 'nowhere']);
  assert.equal(none.code, 1);
  assert.match(none.stderr, /case\.json: is not there/);
});

test('a case is not written over another one, nor among other files', async () => {
  await replay([failedSignature, '--save', 'kept']);
  const refused = await replay([failedSignature, '--save', 'kept']);
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /kept\/case\.json: exists already/);
  assert.equal((await replay([failedSignature, '--save', 'kept', '--force'])).code, 0);
  await work.folder('mine/accounts');
  work.write('mine/accounts/mine.json', '{}');
  const mine = await replay([failedSignature, '--save', 'mine', '--force']);
  assert.equal(mine.code, 1);
  assert.match(mine.stderr, /mine\/accounts\/mine\.json: is not part of a case/);
  assert.equal(work.read('mine/accounts/mine.json'), '{}');
  await work.folder('own');
  work.write('own/replay.jsonrpc', '{ "method": "getSlot" }');
  const own = await replay([failedSignature, '--save', 'own', '--force']);
  assert.equal(own.code, 1);
  assert.match(own.stderr, /own\/replay\.jsonrpc: is not part of a case/);
});

test('accounts and the clock can be others', async () => {
  const data = counterData(counters.stranger.address, 0n);
  const account = { lamports: 5_000_000, data: [data.toString('base64'), 'base64'], owner: counters.program };
  work.write('mine.json', printJson({ pubkey: counters.counter, account: { ...account, executable: false } }));
  const mine = await replay([failedSignature, '--account', 'mine.json']);
  assert.match(mine.stdout, /^outcome: succeeded\n/, mine.stderr);
  const later = await replay([failedSignature, '--slot', '9000', '--unix-time', '1767614400', '--json']);
  assert.equal(later.code, 0, later.stderr);
  assert.match(later.stdout, /"slot": 9000,\s+"blockTime": 1767614400/);
});

test('what moved lamports runs from what there was before, and says what was written since', async () => {
  const signature = await landed([transfer(counters.stranger.address, target.address, 700_000_000n)]);
  const drained = await landed([increment(), memo('later')]);
  assert.notEqual(drained, signature);
  const moved = await replay([signature, '--json']);
  assert.equal(moved.code, 0, moved.stdout + moved.stderr);
  assert.match(moved.stdout, /"change": 700000000/);
  const first = await replay([failedSignature, '--json']);
  assert.ok(reportOf(first).notes.some((note) => note.startsWith(`${counters.counter} was named by a transaction at`)));
});

test('a version 1 transaction runs with the limits of its message', async () => {
  const payer = await createKeyPairSignerFromBytes(bytesOf(cluster.ready.wallet.secretKey));
  const blockhash = await counters.blockhash();
  const config = { priorityFeeLamports: 700n, computeUnitLimit: 10_000, loadedAccountsDataSizeLimit: 131_072 };
  const instructions = [transferInstruction(payer, (await newSigner()).address, 10n ** 18n)];
  const wire = toBase64(await kitV1({ payer, blockhash, instructions, config }));
  const signature = await counters.sent(wire);
  const result = await replay([signature, '--json']);
  assert.equal(result.code, 0, result.stdout + result.stderr);
  assert.deepEqual(reportOf(result).local.error, { InstructionError: [0, { Custom: 1 }] });
  assert.match(result.stdout, /"change": -5700\b/);
});

test('addresses of a lookup table that was closed since come from the transaction itself', async () => {
  const data = Buffer.alloc(56 + 64);
  data.writeUInt32LE(1, 0);
  data.writeBigUInt64LE(2n ** 64n - 1n, 4);
  data.set(bytesOf(freshKey().address), 56);
  data.set(bytesOf(target.address), 88);
  const account = { address: table.address, lamports: 5_000_000, owner: TABLES, data: data.toString('base64') };
  await cluster.cheat('setAccount', account);
  const tables = [{ address: table.address, addresses: [freshKey().address, target.address] }];
  const signature = await landed([transfer(counters.stranger.address, target.address, 5n)], tables);
  await cluster.cheat('setAccount', { address: table.address, lamports: 0 });
  const result = await replay([signature, '--json']);
  assert.equal(result.code, 0, result.stdout + result.stderr);
  assert.equal(reportOf(result).local.error, null);
});

/** Damage to a copy of a case, and the expected message. */
const HOSTILE: readonly (readonly [what: string, spoil: (folder: string) => void, said: RegExp])[] = [
  ['no case.json', (folder) => mkdirSync(path.join(folder, 'none')), /case\.json: is not there/],
  [
    'broken JSON',
    (folder) => writeFileSync(path.join(folder, 'case.json'), '{\n  "replay": 1,\n  oops'),
    /case\.json:3:3: /,
  ],
  [
    'a newer format',
    (folder) => edit(folder, (text) => text.replace('"replay": 1', '"replay": 7')),
    /a format of a newer version/,
  ],
  [
    'a misspelt expectation',
    (folder) => edit(folder, (text) => text.replace('"computeUnits"', '"units"')),
    /"expected" has "units"/,
  ],
  [
    'an invalid transaction',
    (folder) => edit(folder, (text) => text.replace(/"transaction": \[\s+"/, '$&AA')),
    /case\.json: "transaction"/,
  ],
  [
    'a link out of the folder',
    (folder) => symlinkSync('/etc/passwd', path.join(folder, 'accounts', 'a.json')),
    /accounts\/a\.json: is a link that leads out/,
  ],
  [
    'a program of another name',
    (folder) => writeFileSync(path.join(folder, 'programs', 'x.so'), '\x7fELF'),
    /programs\/x\.so: its name must be the address/,
  ],
  [
    'an invalid program',
    (folder) => writeFileSync(path.join(folder, 'programs', `${counters.program}.so`), 'no'),
    /\.so: it does not begin like an ELF file/,
  ],
  [
    'a program that cannot run',
    (folder) => writeFileSync(path.join(folder, 'programs', `${counters.program}.so`), '\x7fELF and more'),
    /refuses the account/,
  ],
  [
    'an account without lamports',
    (folder) => writeFileSync(path.join(folder, 'accounts', 'b.json'), `{"pubkey":"${TABLES}","account":{}}`),
    /accounts\/b\.json: "lamports" must be/,
  ],
  [
    'too many files',
    (folder) => {
      for (let at = 0; at < 601; at++) writeFileSync(path.join(folder, 'accounts', `n${at}.json`), '');
    },
    /more than 600 files/,
  ],
];

function edit(folder: string, change: (text: string) => string): void {
  const file = path.join(folder, 'case.json');
  writeFileSync(file, change(readFileSync(file, 'utf8')));
}

for (const [at, [what, spoil, said]] of HOSTILE.entries())
  test(`a folder with ${what} is refused with file and reason`, async () => {
    const folder = path.join(work.root, `hostile-${at}`);
    if (what !== 'no case.json') cpSync(path.join(work.root, 'kept'), folder, { recursive: true });
    else mkdirSync(folder);
    spoil(folder);
    const { code, stdout, stderr } = await offline([`hostile-${at}`]);
    assert.deepEqual([code, stdout], [what === 'a program that cannot run' ? 1 : 2, '']);
    assert.match(stderr, said);
    assert.doesNotMatch(stderr, /Something went wrong inside|root:/);
  });

test('what cannot be replayed says why', async () => {
  assert.match((await replay([])).stderr, /What is to be replayed\?/);
  assert.match((await offline([failedSignature])).stderr, /Which endpoint has the transaction\?/);
  assert.match((await offline(['missing'])).stderr, /case\.json: is not there/);
  assert.match((await replay([failedSignature, '--update'])).stderr, /give --save DIR as well/);
  assert.match((await offline(['kept', '--program', 'x'])).stderr, /ADDRESS=FILE\.so/);
  const unknown = await replay([UNKNOWN]);
  assert.equal(unknown.code, 3);
  assert.match(unknown.stderr, /No confirmed transaction has the signature/);
  const dead = await replay([failedSignature], ['--rpc-url', 'http://127.0.0.1:1/']);
  assert.equal(dead.code, 3);
});
