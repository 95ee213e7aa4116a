// The service as a process: its options, its ready line, and when it ends.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import {
  PROGRAM,
  readyLineOf,
  request,
  spawnLocalnet,
  startTestLedger,
  type ReadyLine,
} from '../../support/process/localnet';

/** Runs to the end; what came out. */
async function output(args: readonly string[]): Promise<{ code: number | null; out: string; err: string }> {
  const child = spawnLocalnet(args);
  let [out, err] = ['', ''];
  child.stdout?.on('data', (part: Buffer) => (out += part.toString()));
  child.stderr?.on('data', (part: Buffer) => (err += part.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, out, err };
}

for (const args of [
  ['--colour'],
  ['--port', 'x'],
  ['--port', '70000'],
  ['--plan', 'Gold'],
  ['--slot-ms', '0'],
  ['--finality-lag', '1'],
  ['--port'],
  ['--json=1'],
  ['extra'],
]) {
  test(`the options ${args.join(' ')} are refused in one clear sentence`, async () => {
    const { code, out, err } = await output(args);
    assert.equal(code, 1);
    assert.equal(out, '');
    assert.match(err, /^[^\n]*(--\w|extra)[^\n]*\nSee --help\.\n$/);
  });
}

test('--help names every option', async () => {
  const { code, out } = await output(['--help']);
  assert.equal(code, 0);
  for (const name of [
    '--port',
    '--grpc-port',
    '--plan',
    '--slot-ms',
    '--finality-lag',
    '--seed',
    '--json',
    '--traffic',
  ])
    assert.ok(out.includes(name));
});

test('the ready line has every field, and its URLs work', async () => {
  const local = await startTestLedger(['--slot-ms', '250']);
  const { ready } = local;
  assert.equal(ready.pid, local.process.pid);
  assert.match(ready.rpcUrl, /^http:\/\/127\.0\.0\.1:\d+\/sol$/);
  assert.equal(ready.adminUrl, `${ready.restUrl}/local`);
  assert.equal(ready.slotMs, 250);
  assert.equal((await request(ready.dashboardUrl)).status, 200);
  assert.equal((await local.rest('/v1/usage')).status, 200);
  assert.equal((await local.admin('GET', '/keys')).status, 200);
  await local.stop();
});

test('a port that is taken is a clear error', async () => {
  const local = await startTestLedger();
  const { port } = new URL(local.ready.rpcUrl);
  const { code, err } = await output(['--json', '--port', port]);
  assert.equal(code, 1);
  assert.match(err, new RegExp(`^Port ${port} is in use`));
  await local.stop();
});

test('the same seed gives the same keys, wallet and token; without one they differ', async () => {
  const secrets = async (args: readonly string[]): Promise<string> => {
    const local = await startTestLedger(args);
    const { keys, wallet, adminToken } = local.ready;
    await local.stop();
    return JSON.stringify({ keys, wallet, adminToken });
  };
  const [one, same, other, random] = await Promise.all([
    secrets(['--seed', 'a']),
    secrets(['--seed', 'a']),
    secrets(['--seed', 'b']),
    secrets([]),
  ]);
  assert.equal(one, same);
  assert.equal(new Set([one, other, random]).size, 3);
});

test('without --json it says where it is in one sentence that holds no secret', async () => {
  const child = spawnLocalnet(['--seed', 'text']);
  const sentence = await readyLineOf(child);
  child.kill('SIGTERM');
  await once(child, 'close');
  assert.match(sentence, /^Ready at http:\/\/127\.0\.0\.1:\d+\/sol; --json prints the keys\.$/);
});

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  test(`${signal} ends it with exit code 0`, async () => {
    const child = spawnLocalnet(['--json']);
    await readyLineOf(child);
    child.kill(signal);
    assert.deepEqual(await once(child, 'exit'), [0, null]);
  });
}

test('started to live with its parent, it ends when stdin ends', async () => {
  const child = spawnLocalnet(['--json', '--with-parent']);
  await readyLineOf(child);
  child.stdin?.end();
  assert.deepEqual(await once(child, 'exit'), [0, null]);
});

test('started manually, it outlives its stdin', async () => {
  const child = spawnLocalnet(['--json']);
  const ready = JSON.parse(await readyLineOf(child)) as ReadyLine;
  child.stdin?.end();
  await once(child.stdin ?? child, 'close');
  assert.equal((await request(`${ready.restUrl}/health`)).text, 'ok');
  child.kill('SIGTERM');
  await once(child, 'exit');
});

test('it ends when its parent is killed, though another process holds its stdin open', async () => {
  const root = path.join(import.meta.dirname, '..', '..', '..');
  const holder = spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1e6)'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const service = JSON.stringify([...PROGRAM, '--json', '--with-parent']);
  const script = `require('node:child_process').spawn(process.execPath, ${service}, { stdio: 'inherit' })`;
  const parent = spawn(process.execPath, ['-e', script], { cwd: root, stdio: [holder.stdout, 'pipe', 'inherit'] });
  try {
    const lines = createInterface({ input: parent.stdout });
    const [line] = (await once(lines, 'line')) as [string];
    const { restUrl } = JSON.parse(line) as ReadyLine;
    assert.equal((await request(`${restUrl}/health`)).text, 'ok');
    const closed = once(parent, 'close');
    parent.kill('SIGKILL');
    // 'close' comes when the last holder of the stdout pipe, the service, has ended.
    await closed;
    await assert.rejects(request(`${restUrl}/health`), /ECONNREFUSED/);
    assert.equal(holder.exitCode, null);
  } finally {
    holder.kill('SIGKILL');
  }
});
