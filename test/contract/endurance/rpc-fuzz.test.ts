// Malformed bytes end the engine's process; the checks in front of it must let none through. Hence a process to lose.
import assert from 'node:assert/strict';
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { after, test } from 'node:test';
import type { FuzzReport } from './rpc-fuzz-child';

const child = path.join(import.meta.dirname, 'rpc-fuzz-child.ts');
const running = new Set<ChildProcess>();
after(() => {
  for (const one of running) one.kill('SIGKILL');
});

async function fuzz(seed: number): Promise<FuzzReport> {
  const one = fork(child, [String(seed)], {
    execArgv: ['--import', 'tsx'],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  running.add(one);
  let report: FuzzReport | undefined;
  let errors = '';
  one.on('message', (message) => (report = message as FuzzReport));
  one.stderr?.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  const [code, signal] = (await once(one, 'close')) as [number | null, string | null];
  running.delete(one);
  assert.equal(signal, null, `the process died of ${signal}: ${errors}`);
  assert.equal(code, 0, errors);
  assert.ok(report !== undefined);
  return report;
}

for (const seed of [1, 2, 3])
  test(`mutated transactions, keys and signatures leave the ledger alive (seed ${seed})`, async () => {
    const report = await fuzz(seed);
    assert.ok(report.calls > 4000);
    // The mutations must reach past the decoder as well as fail in it, or they test nothing.
    assert.ok(report.accepted > 200, `only ${report.accepted} accepted`);
    assert.ok((report.codes['-32602'] ?? 0) > 1000);
    assert.deepEqual(
      Object.keys(report.codes).filter((code) => !['-32602', '-32002', '-32003', '-32603'].includes(code)),
      [],
    );
    assert.deepEqual(report.internal, []);
    assert.ok(BigInt(report.balance) > 0n);
  });
