// Replays through the built server: a failed transaction of a local service runs again on a private ledger that the server
// starts and ends, passes with other code, and is kept as a folder.
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { member } from '../../../core/values/json/json';
import { explain, type ExplainResult, type TransactionView } from '../../../protocol/explain';
import { replay, replayAgain, saveReplay, type ReplayAgainParams, type ReplayResult } from '../../../protocol/replay';
import { COUNTER_BYTES, counterProgram, discriminator, openCounterProgram } from '../../contract/open/open-counter';
import { compile, freshKey, signTransaction, toBase64, u64 } from '../../contract/rpc/rpc-harness';
import { startServer, type RunningServer } from '../../support/lsp/serverProcess';
import { grantingBroker, localWindow } from '../../support/lsp/window';
import { childrenOf } from '../../support/process/cli';
import { startLocalnet, type Localnet } from '../../support/process/localnet';

const folder = mkdtempSync(path.join(os.tmpdir(), 'server-replay-'));
const [program, counter, stranger] = [freshKey(), freshKey(), freshKey()];
let local: Localnet;
let server: RunningServer;
let signature: string;
let id: string;

before(async () => {
  for (const [name, elf] of [
    ['counter.so', counterProgram()],
    ['open.so', openCounterProgram()],
  ] as const)
    writeFileSync(path.join(folder, name), elf);
  local = await startLocalnet([
    ...['--instant', '--plan', 'Ultra', '--warp-slot', '5000'],
    ...['--bpf-program', program.address, path.join(folder, 'counter.so')],
  ]);
  const data = Buffer.alloc(COUNTER_BYTES);
  discriminator('account:Counter').copy(data, 0);
  await local.cheat('setAccount', {
    ...{ address: counter.address, lamports: 5_000_000, data: data.toString('base64') },
    owner: program.address,
  });
  await local.cheat('fund', { address: stranger.address, lamports: 1_000_000_000 });
  const latest = member((await local.rpc('getLatestBlockhash')).json, 'result');
  const blockhash = member(member(latest, 'value'), 'blockhash');
  assert.ok(typeof blockhash === 'string');
  const increment = {
    program: program.address,
    accounts: [
      { address: counter.address, writable: true },
      { address: stranger.address, signer: true },
    ],
    data: Buffer.concat([discriminator('global:increment'), u64(2n)]),
  };
  const wire = toBase64(signTransaction(compile([increment], [stranger], blockhash), [stranger]));
  const sent = member(
    (await local.rpc('sendTransaction', [wire, { encoding: 'base64', skipPreflight: true }])).json,
    'result',
  );
  assert.ok(typeof sent === 'string');
  signature = sent;
  const broker = grantingBroker(local);
  server = await startServer({ window: localWindow(local), answer: (request) => broker.answer(request) });
  const result = await server.connection.sendRequest(replay, { signature });
  assert.ok(result.kind === 'replayed', JSON.stringify(result));
  ({ id } = result);
});
after(async () => {
  await server.stop();
  await local.stop();
  rmSync(folder, { recursive: true, force: true });
});

const explained = (): Promise<ExplainResult> =>
  server.connection.sendRequest(explain, { source: { kind: 'replay', id } });

async function view(): Promise<TransactionView> {
  const result = await explained();
  assert.ok(result.kind === 'explained', JSON.stringify(result));
  return result.view;
}

const again = (change: Omit<ReplayAgainParams, 'id'>): Promise<ReplayResult> =>
  server.connection.sendRequest(replayAgain, { id, ...change });

test('a replay is the view of a transaction with what is the same as on the chain', async () => {
  const { outcome, replay: compared } = await view();
  assert.equal(outcome.kind, 'failed');
  assert.deepEqual(compared?.same, ['error', 'computeUnits', 'logs', 'lamports', 'tokens']);
  assert.deepEqual(compared.differences, []);
});

test('other code passes, under the same id, and the difference is said', async () => {
  const change = { kind: 'program', program: program.address, file: path.join(folder, 'open.so') } as const;
  assert.deepEqual(await again(change), { kind: 'replayed', id });
  const { outcome, replay: compared } = await view();
  assert.equal(outcome.kind, 'succeeded');
  const [first] = compared?.differences ?? [];
  assert.deepEqual([first?.about, first?.local], ['error', 'success']);
  assert.match(first?.expected ?? '', /2001/);
});

test('it is kept as a folder once, and nothing that is there is written over', async () => {
  const place = path.join(folder, 'kept');
  assert.deepEqual(await server.connection.sendRequest(saveReplay, { id, folder: place }), { kind: 'saved' });
  assert.deepEqual(readdirSync(place).sort(), ['accounts', 'case.json', 'programs']);
  const second = await server.connection.sendRequest(saveReplay, { id, folder: place });
  assert.ok(second.kind === 'failed');
  assert.match(second.error.message, /case\.json: exists already/);
});

test('what cannot be changed or replayed says why', async () => {
  for (const [change, said] of [
    [{ kind: 'program', program: program.address, file: path.join(folder, 'none.so') }, /none\.so: is not there/],
    [{ kind: 'program', program: 'x', file: 'y' }, /no address of a program/],
    [{ kind: 'account', file: path.join(folder, 'open.so') }, /open\.so:1:1: /],
    [{ kind: 'clock', unixTime: -1 }, /must be Unix seconds/],
  ] as const) {
    const result = await again(change);
    assert.ok(result.kind === 'failed');
    assert.match(result.error.message, said);
  }
  const unknown = await server.connection.sendRequest(replay, { signature: '1'.repeat(64) });
  assert.ok(unknown.kind === 'failed');
  assert.match(unknown.error.message, /No confirmed transaction/);
  const gone = await server.connection.sendRequest(explain, { source: { kind: 'replay', id: 'other' } });
  assert.equal(gone.kind, 'gone');
});

test('no private ledger is left', { skip: process.platform !== 'linux' }, () => {
  assert.deepEqual(childrenOf(server.child.pid ?? 0), []);
});
