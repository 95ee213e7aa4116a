// The supervisor of the local service: what it passes on, how it restarts, what it says.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import path from 'node:path';
import { after, describe, test, type TestContext } from 'node:test';
import { inspect } from 'node:util';
import { LocalService, type LocalServiceState } from '../../../process/localService';
import { request } from '../../support/process/localnet';
import { mockTimers } from '../../support/mockTimers';
import { testFolder } from '../../support/folder';

const root = path.join(import.meta.dirname, '..', '..', '..');
const running: LocalService[] = [];
after(() => Promise.all(running.map((service) => service.stop())));

function supervise(
  args: readonly string[],
  environment?: NodeJS.ProcessEnv,
  program = path.join('localnet', 'main.ts'),
) {
  const states: LocalServiceState[] = [];
  let changed: () => void = () => undefined;
  const service = new LocalService({
    program,
    nodeArgs: ['--import', 'tsx'],
    cwd: root,
    args,
    ...(environment === undefined ? {} : { environment }),
    onState: (state) => {
      states.push(state);
      changed();
    },
  });
  running.push(service);
  const until = async <T>(find: () => T | undefined): Promise<T> => {
    for (;;) {
      const found = find();
      if (found !== undefined) return found;
      await new Promise<void>((resolve) => (changed = resolve));
    }
  };
  const runningTimes = (times: number) =>
    until(() => {
      assert.notEqual(service.state.kind, 'failed', inspect(service.state));
      return states.flatMap((state) => (state.kind === 'running' ? [state.ready] : []))[times - 1];
    });
  const failure = () => until(() => (service.state.kind === 'failed' ? service.state : undefined));
  return { service, states, runningTimes, failure };
}

/** The ready line of a service on this port. */
function readyOn(port: number): object {
  const key = { keyId: 'k', key: 's' };
  return {
    ...{ pid: 1, rpcUrl: `http://127.0.0.1:${port}/sol`, wsUrl: '', grpcUrl: '', restUrl: '', dashboardUrl: '' },
    ...{ adminUrl: '', adminToken: 't', keys: { rpc: key, grpc: key, swqos: key } },
    ...{ wallet: { address: '', secretKey: '' }, slotMs: 1, version: '' },
  };
}

test('a crashed service comes back on the same port with the same keys and wallet', async () => {
  const { service, states, runningTimes } = supervise([]);
  const first = await runningTimes(1);
  process.kill(first.pid, 'SIGABRT');
  const second = await runningTimes(2);
  assert.notEqual(second.pid, first.pid);
  assert.equal(second.rpcUrl, first.rpcUrl);
  assert.equal(second.wallet.address, first.wallet.address);
  assert.ok(second.keys.rpc.key.equals(first.keys.rpc.key));
  assert.ok(second.adminToken.equals(first.adminToken));
  assert.deepEqual(
    states.map((state) => state.kind),
    ['starting', 'running', 'restarting', 'running'],
  );
  await service.stop();
  assert.equal(service.state.kind, 'stopped');
});

test('a running service says how far its ledger is, and a stopped one nothing', async () => {
  const { service, runningTimes } = supervise(['--slot-ms', '20']);
  assert.deepEqual(await service.progress(), {});
  const { rpcUrl, keys } = await runningTimes(1);
  const first = await slotOf(service);
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'getSlot', params: [{ commitment: 'processed' }] });
  const headers = { authorization: `Bearer ${keys.rpc.key.reveal()}`, 'content-type': 'application/json' };
  const answer = await request(rpcUrl, { method: 'POST', headers, body });
  const { result } = JSON.parse(answer.text) as { readonly result: number };
  const last = await slotOf(service);
  // The service reports its newest whole block; at `processed` the open one counts.
  assert.ok(first <= result && result <= last + 1, `${first} ${result} ${last}`);
  const asked = service.progress();
  await service.stop();
  await asked;
  assert.deepEqual(await service.progress(), {});
});

/** The slot, once there is a block. */
async function slotOf(service: LocalService): Promise<number> {
  for (;;) {
    const { slot } = await service.progress();
    if (slot !== undefined) return slot;
  }
}

test('the child gets no key of the environment, no key in argv, and no Node options', async () => {
  const environment = {
    ...process.env,
    SOLANA_RPC_KEY: 'outer-key',
    SOLANA_SWQOS_KEY: 'x',
    NODE_OPTIONS: '--no-warnings',
    HTTPS_PROXY: 'http://me:proxy-password@127.0.0.1:1',
  };
  const { service, runningTimes } = supervise([], environment);
  const ready = await runningTimes(1);
  const environ = await readFile(`/proc/${ready.pid}/environ`, 'utf8');
  const cmdline = await readFile(`/proc/${ready.pid}/cmdline`, 'utf8');
  assert.doesNotMatch(environ, /SOLANA_RPC_KEY|SOLANA_SWQOS_KEY|NODE_OPTIONS|outer-key|HTTPS_PROXY|proxy-password/);
  for (const secret of [ready.adminToken, ready.keys.rpc.key, ready.keys.grpc.key, ready.wallet.secretKey]) {
    assert.ok(!environ.includes(secret.reveal()));
    assert.ok(!cmdline.includes(secret.reveal()));
  }
  // The seed determines the keys, so it is passed over stdin.
  const options = cmdline.split('\0').filter((word) => word.startsWith('--'));
  assert.deepEqual(options, ['--import', '--json', '--with-parent', '--seed-stdin']);
  assert.doesNotMatch(`${cmdline}${environ}`, /(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])/);
  await service.stop();
});

test('a printed state shows no secret', async () => {
  const { service, runningTimes } = supervise([]);
  const ready = await runningTimes(1);
  const shown = inspect(service.state, { depth: 10 }) + JSON.stringify(service.state);
  assert.ok(!shown.includes(ready.keys.rpc.key.reveal()));
  assert.ok(!shown.includes(ready.adminToken.reveal()));
  await service.stop();
});

test('a service that cannot start fails with what it wrote', async () => {
  const { service, failure } = supervise(['--plan', 'Gold']);
  const { why, log } = await failure();
  assert.equal(why, 'start');
  assert.match(log.join('\n'), /--plan/);
  assert.equal((await service.settled()).kind, 'failed');
});

test('a stopped service answers no more', async () => {
  const { service, runningTimes } = supervise([]);
  const ready = await runningTimes(1);
  assert.equal((await request(`${ready.restUrl}/health`)).text, 'ok');
  await service.stop();
  await assert.rejects(request(`${ready.restUrl}/health`), /ECONNREFUSED/);
});

test('a service that keeps crashing is given up after five restarts', async (t) => {
  const folder = testFolder('localnet', t);
  const program = path.join(folder, 'crash.cjs');
  await writeFile(program, `console.log(${JSON.stringify(JSON.stringify(readyOn(1)))}); console.error('gone wrong');`);
  const { states, failure } = supervise([], undefined, program);
  const { log } = await failure();
  assert.equal(states.filter((state) => state.kind === 'restarting').length, 5);
  assert.deepEqual(
    log,
    Array.from({ length: 6 }, () => 'gone wrong'),
  );
});

test('a port that another program took meanwhile ends the restarts, and is named', async (t) => {
  const folder = testFolder('localnet', t);
  const taken = createServer();
  await once(taken.listen(0, '127.0.0.1'), 'listening');
  const { port } = taken.address() as AddressInfo;
  const program = path.join(folder, 'once.mts');
  // Its first life ends at once on a port that its second one does not get: that one is the real service.
  await writeFile(
    program,
    `if (process.argv.includes('--port')) await import(${JSON.stringify(path.join(root, 'localnet', 'main.ts'))});
     else console.log(${JSON.stringify(JSON.stringify(readyOn(port)))});`,
  );
  const { states, failure } = supervise([], undefined, program);
  const { why, reason } = await failure();
  assert.equal(why, 'start');
  assert.match(reason, new RegExp(`^Port ${port} is in use`));
  assert.equal(states.filter((state) => state.kind === 'restarting').length, 1);
  taken.close();
});

test('a machine without the engine is distinguished from a failed start', async (t) => {
  const folder = testFolder('localnet', t);
  const program = path.join(folder, 'missing.cjs');
  await writeFile(program, `console.error('No engine for this machine.'); process.exitCode = 69;`);
  const { failure } = supervise([], undefined, program);
  const { why, reason } = await failure();
  assert.deepEqual([why, reason], ['platform', 'No engine for this machine.']);
});

describe('a child that is not ready', () => {
  /** A program that lives until its parent is gone. */
  const LIVES = `process.stdin.on('end', () => process.exit()).resume();`;

  async function failureOf(t: TestContext, text: string, isSilent: boolean) {
    const folder = testFolder('localnet', t);
    const program = path.join(folder, 'waits.cjs');
    await writeFile(program, `${text}\n${LIVES}`);
    const timers = isSilent ? mockTimers(t, 'setTimeout') : undefined;
    const { failure } = supervise([], undefined, program);
    timers?.tick(20_000);
    return failure();
  }

  test('is ended after 20 seconds without a line', async (t) => {
    const { why, reason } = await failureOf(t, '', true);
    assert.deepEqual([why, reason], ['start', 'The local service did not start (signal SIGKILL).']);
  });

  test('is ended as soon as its first line is another one', async (t) => {
    const { why, reason } = await failureOf(t, `console.log('Listening.');`, false);
    assert.deepEqual([why, reason], ['start', 'The local service did not start (signal SIGKILL).']);
  });
});
