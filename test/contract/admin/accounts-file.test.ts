// --accounts FILE: a ledger that begins with accounts of elsewhere, in each form such a file may have.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { member, type JsonValue } from '../../../core/solana/json/json';
import { readAccountsFile } from '../../../localnet/accountsFile';
import {
  type Localnet,
  readyLineOf,
  spawnLocalnet,
  startTestLedger,
  testLedger,
  walletOf,
} from '../../support/process/localnet';
import { compile, freshKey, MEMO, memo, signTransaction, toBase64 } from '../rpc/rpc-harness';
import { testFolder } from '../../support/folder';
import { prepare } from '../../support/shared';

const folder = testFolder('accounts');

const origin = testLedger(['--plan', 'Shared Metal']);
const [one, two] = [freshKey().address, freshKey().address];
const owner = freshKey().address;
prepare(async () => {
  await origin.cheat('setAccount', { address: one, lamports: 11, owner, data: 'AQID' });
  await origin.cheat('setAccount', { address: two, lamports: 22, owner, rentEpoch: 3 });
});

let files = 0;
function fileOf(text: string): string {
  const file = path.join(folder, `${++files}.json`);
  writeFileSync(file, text);
  return file;
}
const answerOf = async (method: string, ...params: unknown[]): Promise<string> =>
  (await origin.rpc(method, [...params, { encoding: 'base64' }])).text;
const asked = (method: string, params: unknown[], response: string): string =>
  `{"request":${JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })},"response":${response}}`;

/** Address, lamports, owner, data and rent epoch of each account of a file. */
const read = (text: string): unknown[][] =>
  readAccountsFile(fileOf(text))
    .map(([address, account]) => [
      address,
      account.lamports,
      account.owner,
      [...account.data].join(),
      account.rentEpoch,
    ])
    .sort((a, b) => Number(a[1]) - Number(b[1]));
const BOTH = [
  [one, 11n, owner, '1,2,3', 2n ** 64n - 1n],
  [two, 22n, owner, '', 3n],
];

test('an answer of getProgramAccounts, an array of its rows and one row', async () => {
  const text = await answerOf('getProgramAccounts', owner);
  assert.deepEqual(read(text), BOTH);
  const rows = /"result":(\[.*\]),"id"/.exec(text)?.[1] ?? '';
  assert.deepEqual(read(rows), BOTH);
  assert.deepEqual(read(rows.slice(1, rows.indexOf('},{') + 1)).length, 1);
});

test('a getMultipleAccounts response along with its addresses; accounts that do not exist are left out', async () => {
  const addresses = [two, freshKey().address, one];
  const text = await answerOf('getMultipleAccounts', addresses);
  assert.deepEqual(read(`{"addresses":${JSON.stringify(addresses)},${text.slice(1)}`), BOTH);
  assert.throws(
    () => read(`{"addresses":["${one}"],${text.slice(1)}`),
    /"addresses" must name the account of each value/,
  );
});

test('the report of a run that asked for accounts', async () => {
  const rows = [
    asked('getSlot', [], (await origin.rpc('getSlot')).text),
    asked('getAccountInfo', [one, { encoding: 'base64' }], await answerOf('getAccountInfo', one)),
    asked('getMultipleAccounts', [[two]], await answerOf('getMultipleAccounts', [two])),
  ];
  assert.deepEqual(read(`{"ok":true,"requests":[${rows.join()}]}`), BOTH);
  const failed = asked('getAccountInfo', ['x'], (await origin.rpc('getAccountInfo', ['x'])).text);
  assert.throws(() => read(`{"requests":[${failed}]}`), /getAccountInfo was not answered/);
});

for (const [text, sentence] of [
  ['', /cannot be read/],
  ['{}', /holds no accounts: it takes/],
  ['[1]', /holds no accounts/],
  ['[{"pubkey":"x","account":{}}]', /account 1: the address/],
  [`[{"pubkey":"${'1'.repeat(32)}","account":{"lamports":-1}}]`, /"lamports"/],
  [`[{"pubkey":"${'1'.repeat(32)}","account":{"lamports":1,"owner":"x"}}]`, /"owner"/],
  [
    `[{"pubkey":"${'1'.repeat(32)}","account":{"lamports":1,"owner":"${'1'.repeat(32)}","executable":false,"data":{"parsed":1}}}]`,
    /ask for the account with encoding base64/,
  ],
] as const) {
  test(`the file ${text.slice(0, 60)} is refused with ${sentence}`, () => {
    assert.throws(() => read(text), sentence);
  });
}

test('the service begins with the accounts, owns them in its index, and reset goes back to them', async () => {
  const file = fileOf(await answerOf('getProgramAccounts', owner));
  const local = await startTestLedger(['--accounts', file, '--plan', 'Shared Metal']);
  const found = await local.rpc('getProgramAccounts', [owner, { encoding: 'base64', filters: [{ dataSize: 3 }] }]);
  assert.match(found.text, new RegExp(one));
  await local.cheat('setAccount', { address: one, lamports: 0 });
  await local.cheat('reset');
  const balance = member(member((await local.rpc('getBalance', [one])).json, 'result'), 'value');
  assert.equal(balance, 11);
  await local.stop();
});

test('a token account of a file is one: its balance can be asked for', async () => {
  const mint = 'So11111111111111111111111111111111111111112';
  const holder = freshKey().address;
  await origin.cheat('setTokenAccount', { address: holder, mint, owner, amount: 77 });
  const answered = await answerOf('getMultipleAccounts', [holder]);
  const file = fileOf(`{"addresses":["${holder}"],${answered.slice(1)}`);
  const local = await startTestLedger(['--accounts', file]);
  const answer = (await local.rpc('getTokenAccountBalance', [holder])).json;
  assert.equal(member(member(member(answer, 'result'), 'value'), 'amount'), '77');
  await local.stop();
});

/** The log of a simulated call of a copy of the memo program. */
async function logsOf(local: Localnet, program: string): Promise<string> {
  const wallet = walletOf(local.ready);
  const latest = member((await local.rpc('getLatestBlockhash')).json, 'result');
  const hash = member(member(latest, 'value'), 'blockhash') as string;
  const message = compile([{ ...memo('to a copy'), program }], [wallet], hash);
  const wire = toBase64(signTransaction(message, [wallet]));
  return (await local.rpc('simulateTransaction', [wire, { encoding: 'base64' }])).text;
}

test('a program of a file runs, and runs after a restart from the state alone', async () => {
  const program = freshKey().address;
  const account = member(member(JSON.parse(await answerOf('getAccountInfo', MEMO)) as JsonValue, 'result'), 'value');
  const state = path.join(folder, 'program.state');
  const file = fileOf(JSON.stringify([{ pubkey: program, account }]));
  for (const args of [['--accounts', file], []]) {
    const local = await startTestLedger(['--state', state, ...args]);
    const logs = await logsOf(local, program);
    assert.match(logs, new RegExp(`Program ${program} success`));
    assert.match(logs, /to a copy/);
    await local.stop();
  }
});

test('a program that was loaded from outside runs after kill -9, and after a fork', async () => {
  const program = freshKey().address;
  const state = path.join(folder, 'loaded.state');
  const { text } = await origin.rpc('getAccountInfo', [MEMO, { encoding: 'base64' }]);
  const elf = /"data":\["([^"]+)"/.exec(text)?.[1];
  let local = await startTestLedger(['--state', state]);
  await local.cheat('loadProgram', { address: program, elf });
  await local.admin('PUT', '/faults', { faults: [{ scope: 'ws', kind: 'fork', times: 1 }] });
  await local.slots(2);
  for (let run = 0; run < 2; run++) {
    assert.match(await logsOf(local, program), new RegExp(`Program ${program} success`));
    const exit = once(local.process, 'exit');
    local.process.kill('SIGKILL');
    await exit;
    local = await startTestLedger(['--state', state]);
  }
  await local.stop();
});

test('a file that is wrong ends the start with exit code 1 and one sentence', async () => {
  const child = spawnLocalnet(['--json', '--accounts', path.join(folder, 'none.json')]);
  const message = await readyLineOf(child).then(
    () => 'it started',
    (error: Error) => error.message,
  );
  assert.match(message, /ended with 1: .*none\.json cannot be read: [^\n]*\n?$/);
});

test('with a state the accounts it knows win, and the others are added', async () => {
  const state = path.join(folder, 'with.state');
  const first = await startTestLedger([
    '--state',
    state,
    '--accounts',
    fileOf(await answerOf('getProgramAccounts', owner)),
  ]);
  await first.cheat('setAccount', { address: one, lamports: 5 });
  await first.stop();
  const again = await startTestLedger([
    '--state',
    state,
    '--accounts',
    fileOf(await answerOf('getProgramAccounts', owner)),
  ]);
  const value = async (local: Localnet, address: string): Promise<unknown> =>
    member(member((await local.rpc('getBalance', [address])).json, 'result'), 'value');
  assert.deepEqual([await value(again, one), await value(again, two)], [5, 22]);
  await again.stop();
  const without = await startTestLedger(['--state', state]);
  assert.deepEqual([await value(without, one), await value(without, two)], [5, 22]);
  await without.stop();
});
