// Ctrl+C during `solana-rpc replay`: at each read of the endpoint and while the private ledger starts it ends at once, says
// that it was cancelled, keeps nothing of the case, and leaves no process. While the folder is written it keeps all or nothing.
import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { memo } from '../../contract/rpc/rpc-harness';
import { isAlive, resultOf, serviceOf, type CliResult, testWorkspace } from '../../support/process/cli';
import { counterCluster, type CounterCluster } from '../../support/programs/counterCluster';
import { awayFrom, type Away } from '../../support/wire/away';

const work = testWorkspace();
let cluster: CounterCluster;
let front: Away;
let signature: string;
let temporary: string;

before(async () => {
  temporary = await work.folder('temporary');
  cluster = await counterCluster(work.root);
  front = await awayFrom(cluster.local);
  const { stranger } = cluster;
  signature = await cluster.landed(stranger, [memo('raised by somebody else'), cluster.increment(stranger)]);
});
after(async () => {
  await front.close();
  await cluster.local.stop();
});

const start = (args: readonly string[]): ChildProcess =>
  work.start(['replay', ...args], { env: { TMPDIR: temporary } });

/** No matter what it was doing: nothing was printed as an outcome, and nothing is kept. */
function assertCancelled({ code, stdout, stderr }: CliResult, before: readonly string[]): void {
  assert.deepEqual([code, stdout], [3, ''], stderr);
  assert.match(stderr, /(?:^|\n)cancelled: The replay was cancelled\.\n$/);
  assert.deepEqual(readdirSync(work.root), before);
  assert.deepEqual(readdirSync(temporary), []);
}

for (const method of ['getTransaction', 'getMultipleAccounts', 'getSignaturesForAddress'])
  test(`while ${method} waits for its answer`, async () => {
    const before = readdirSync(work.root);
    const asked = front.hold(method);
    const child = start([signature, '--save', 'kept', '--rpc-url', front.localUrl]);
    const ended = resultOf(child);
    await asked;
    child.kill('SIGINT');
    assertCancelled(await ended, before);
  });

for (const from of ['the endpoint', 'a folder'])
  test(`while the private ledger of a case from ${from} starts`, { skip: process.platform !== 'linux' }, async () => {
    const saved = await resultOf(start([signature, '--save', `from ${from}`, '--rpc-url', front.localUrl]));
    assert.equal(saved.code, 0, saved.stderr);
    const before = readdirSync(work.root);
    const kept = readdirSync(path.join(work.root, `from ${from}`));
    const what =
      from === 'a folder' ? [`from ${from}`, '--update'] : [signature, '--save', 'kept', '--rpc-url', front.localUrl];
    const child = start(what);
    const ended = resultOf(child);
    const ledger = await serviceOf(child);
    child.kill('SIGINT');
    assertCancelled(await ended, before);
    assert.ok(!isAlive(ledger));
    assert.deepEqual(readdirSync(path.join(work.root, `from ${from}`)), kept);
  });

test('twice while the folder is written', async () => {
  const before = readdirSync(work.root);
  const child = start([signature, '--save', 'kept', '--rpc-url', front.localUrl]);
  const ended = resultOf(child);
  while (readdirSync(work.root).length === before.length) await new Promise(setImmediate);
  // Two of the same kind at once may arrive as one.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) child.kill(signal);
  await ended;
  const kept = readdirSync(work.root).filter((name) => !before.includes(name));
  assert.ok(
    kept.every((name) => name === 'kept'),
    kept.join(', '),
  );
  for (const folder of kept) assert.equal((await resultOf(start([folder]))).code, 0);
});
