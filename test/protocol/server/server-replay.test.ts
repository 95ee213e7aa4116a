// Replays through the built server: a failed transaction of a local service runs again on a private ledger that the server
// starts and ends, passes with other code, and is kept as a folder.
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { CancellationTokenSource } from 'vscode-jsonrpc/node';
import { LSPErrorCodes } from 'vscode-languageserver-protocol';
import { explain, type ExplainResult, type TransactionView, transactionLog } from '../../../protocol/explain';
import {
  replay,
  replayAgain,
  replayFolder,
  saveReplay,
  type ReplayAgainParams,
  type ReplayResult,
} from '../../../protocol/replay';
import type { ReplayStep } from '../../../core/solana/replay/case';
import { readCaseFolder } from '../../../process/caseFolder';
import { withReplayLedger } from '../../../process/replayLedger';
import { startServer, type RunningServer } from '../../support/lsp/serverProcess';
import { grantingBroker, localWindow } from '../../support/lsp/window';
import { childrenOf } from '../../support/process/cli';
import { counterCluster, counterData, type CounterCluster } from '../../support/programs/counterCluster';

const folder = mkdtempSync(path.join(os.tmpdir(), 'server-replay-'));
let cluster: CounterCluster;
let server: RunningServer;
let signature: string;
let id: string;

before(async () => {
  cluster = await counterCluster(folder);
  const { local, stranger } = cluster;
  signature = await cluster.landed(stranger, [cluster.increment(stranger)]);
  const broker = grantingBroker(local);
  server = await startServer({ window: localWindow(local), answer: (request) => broker.answer(request) });
  const result = await server.connection.sendRequest(replay, { signature });
  assert.ok(result.kind === 'replayed', JSON.stringify(result));
  ({ id } = result);
});
after(async () => {
  await server.stop();
  await cluster.local.stop();
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
  assert.deepEqual([compared.differences, compared.overrides], [[], []]);
});

test('other code passes, under the same id, and the difference is said', async () => {
  const change = { kind: 'program', program: cluster.program, file: path.join(folder, 'open.so') } as const;
  assert.deepEqual(await again(change), { kind: 'replayed', id });
  const { outcome, replay: compared } = await view();
  assert.equal(outcome.kind, 'succeeded');
  const [first] = compared?.differences ?? [];
  assert.deepEqual([first?.about, first?.local], ['error', 'success']);
  assert.match(first?.expected ?? '', /2001/);
  assert.deepEqual(compared?.overrides, [`code of ${cluster.program}: open.so`]);
});

test('its log is given whole, as a text', async () => {
  const log = await server.connection.sendRequest(transactionLog, { source: { kind: 'replay', id } });
  const lines = (log ?? '').split('\n');
  assert.deepEqual(
    [lines[0], lines.at(-2)],
    [`Program ${cluster.program} invoke [1]`, `Program ${cluster.program} success`],
  );
});

test('it is kept as a folder once, and nothing that is there is written over', async () => {
  const place = path.join(folder, 'kept');
  assert.deepEqual(await server.connection.sendRequest(saveReplay, { id, folder: place }), { kind: 'saved' });
  assert.deepEqual(readdirSync(place).sort(), ['accounts', 'case.json', 'programs', 'replay.jsonrpc']);
  const second = await server.connection.sendRequest(saveReplay, { id, folder: place });
  assert.ok(second.kind === 'failed');
  assert.match(second.error.message, /case\.json: exists already/);
});

test('a folder that was kept runs again, without an endpoint, and another one is refused', async () => {
  const result = await server.connection.sendRequest(replayFolder, { folder: path.join(folder, 'kept') });
  assert.ok(result.kind === 'replayed', JSON.stringify(result));
  const shown = await server.connection.sendRequest(explain, { source: { kind: 'replay', id: result.id } });
  assert.ok(shown.kind === 'explained');
  assert.equal(shown.view.outcome.kind, 'succeeded');
  assert.match(shown.view.replay?.differences[0]?.expected ?? '', /2001/);
  assert.deepEqual(shown.view.replay?.overrides, [`code of ${cluster.program}: open.so`]);
  for (const [place, said] of [
    [path.join(folder, 'none'), /case\.json: is not there/],
    ['kept', /must be an absolute path/],
  ] as const) {
    const refused = await server.connection.sendRequest(replayFolder, { folder: place });
    assert.ok(refused.kind === 'failed');
    assert.match(refused.error.message, said);
  }
});

test('what cannot be changed or replayed says why', async () => {
  for (const [change, said] of [
    [{ kind: 'program', program: cluster.program, file: path.join(folder, 'none.so') }, /none\.so: is not there/],
    [{ kind: 'program', program: 'x', file: 'y' }, /not the address of a program/],
    [{ kind: 'account', file: path.join(folder, 'open.so') }, /open\.so:1:1: /],
    [{ kind: 'clock', unixTime: -1 }, /must be Unix seconds/],
    [{ kind: 'field', address: cluster.counter, field: 'lamports', value: 'x' }, /whole number/],
    [{ kind: 'field', address: cluster.counter, value: '1' }, /lamports, owner, data/],
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

test('a field of an account is changed, and a replay that is no longer kept begins again under its id', async () => {
  const data = counterData(cluster.stranger.address, 40n).toString('base64');
  const change = { kind: 'field', address: cluster.counter, field: 'data', value: data } as const;
  const renewed = { id: 'of an earlier window' };
  const steps: string[] = [];
  const listening = server.connection.onNotification('solanaRpc/replayStep', ({ kind }: ReplayStep) => {
    steps.push(kind);
  });
  assert.deepEqual(await server.connection.sendRequest(replay, { signature, ...renewed }), {
    kind: 'replayed',
    ...renewed,
  });
  listening.dispose();
  assert.deepEqual([steps[0], steps[1], steps.at(-1)], ['transaction', 'accounts', 'ledger']);
  const viewOfRenewed = async (): Promise<TransactionView> => {
    const result = await server.connection.sendRequest(explain, { source: { kind: 'replay', ...renewed } });
    assert.ok(result.kind === 'explained');
    return result.view;
  };
  const before = await viewOfRenewed();
  assert.deepEqual([before.outcome.kind, before.replay?.overrides], ['failed', []]);
  await server.connection.sendRequest(replayAgain, { ...renewed, ...change });
  const after = await viewOfRenewed();
  assert.deepEqual([after.outcome.kind, after.replay?.overrides.length], ['succeeded', 1]);
});

for (const step of ['transaction', 'accounts', 'ledger'] as const)
  test(`a replay that is cancelled at the step ${step} ends there, and nothing of it is kept`, async () => {
    const cancelling = new CancellationTokenSource();
    const steps: string[] = [];
    const listening = server.connection.onNotification('solanaRpc/replayStep', ({ kind }: ReplayStep) => {
      steps.push(kind);
      if (kind === step) cancelling.cancel();
    });
    const cancelled = { signature, id: `cancelled at ${step}` };
    await assert.rejects(server.connection.sendRequest(replay, cancelled, cancelling.token), {
      code: LSPErrorCodes.RequestCancelled,
    });
    listening.dispose();
    // A step may have begun before the server read the cancellation.
    assert.ok(step === 'ledger' || !steps.includes('ledger'), steps.join(' '));
    const result = await server.connection.sendRequest(explain, { source: { kind: 'replay', id: cancelled.id } });
    assert.deepEqual(result, { kind: 'gone' });
  });

test('an interruption while the private ledger answers is not a result, no matter what came back', async () => {
  const cancelling = new AbortController();
  const options = { program: 'dist/localnet.js', signal: cancelling.signal };
  const interrupted = withReplayLedger(await readCaseFolder(path.join(folder, 'kept')), options, async () => {
    cancelling.abort();
    return 'an answer';
  });
  await assert.rejects(interrupted, { name: 'AbortError' });
});

test('no private ledger is left', { skip: process.platform !== 'linux' }, () => {
  assert.deepEqual(childrenOf(server.child.pid ?? 0), []);
});
