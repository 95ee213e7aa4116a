// Keys in the built server: testing one, rotating the local service's, leases and their end, usage, and no key in a trace.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ExecuteResult } from '../../../protocol/lsp';
import type { RotateLocalKeyResult, TestKeyParams, TestKeyResult, UsageResult } from '../../../protocol/usage';
import type { FromServer } from '../../../protocol/secrets';
import { Trace, TraceFormat } from 'vscode-jsonrpc/node';
import { testLedger } from '../../support/process/localnet';
import { startServer } from '../../support/lsp/serverProcess';
import { grantingBroker, localWindow } from '../../support/lsp/window';

const local = testLedger(['--plan', 'Shared Metal']);

const FILE = 'file:///requests/keys.jsonrpc';

async function start(t: { after(done: () => Promise<void>): void }, candidates: Readonly<Record<string, string>> = {}) {
  const broker = grantingBroker(local, candidates);
  const server = await startServer({ answer: (request) => broker.answer(request), window: localWindow(local) });
  t.after(() => server.stop());
  const tryKey = (params: Omit<TestKeyParams, 'profile'>): Promise<TestKeyResult> =>
    server.connection.sendRequest<TestKeyResult>('solanaRpc/testKey', { profile: 'local', ...params });
  return { broker, server, tryKey };
}

test('a candidate that the service knows is accepted, by its one-time handle', async (t) => {
  const { tryKey, broker } = await start(t, { handle: local.ready.keys.rpc.key });
  assert.deepEqual(await tryKey({ type: 'rpc', candidate: 'handle' }), { kind: 'accepted' });
  assert.deepEqual(
    broker.asked.map(({ kind }) => kind),
    ['candidate'],
  );
});

test('a candidate that the service does not know is refused as unknown', async (t) => {
  const { tryKey } = await start(t, { handle: 'not-a-key-of-this-service' });
  const result = await tryKey({ type: 'rpc', candidate: 'handle' });
  assert.equal(result.kind === 'refused' && result.error.kind, 'keyRejected');
});

test('a SWQoS key passes its own test', async (t) => {
  const { tryKey } = await start(t, { handle: local.ready.keys.swqos.key });
  assert.deepEqual(await tryKey({ type: 'swqos', candidate: 'handle' }), { kind: 'accepted' });
});

test('a key of another type is recognised as what it is', async (t) => {
  const { rpc, grpc, swqos } = local.ready.keys;
  const { tryKey } = await start(t, { rpc: rpc.key, grpc: grpc.key, swqos: swqos.key });
  const actual = async (type: TestKeyParams['type'], candidate: string) => {
    const result = await tryKey({ type, candidate });
    return result.kind === 'refused' ? [result.error.kind, result.actual] : result.kind;
  };
  assert.deepEqual(await actual('rpc', 'swqos'), ['wrongKeyType', 'swqos']);
  assert.deepEqual(await actual('rpc', 'grpc'), ['wrongKeyType', 'grpc']);
  assert.deepEqual(await actual('swqos', 'rpc'), ['wrongKeyType', 'rpc']);
});

test('usage comes as rows, most used first', async (t) => {
  await local.rpc('getSlot');
  await local.rpc('getSlot');
  await local.rpc('getBlockHeight');
  const { server } = await start(t);
  const result = await server.connection.sendRequest<UsageResult>('solanaRpc/usage', {});
  assert.equal(result.kind, 'loaded', JSON.stringify(result));
  const methods = result.kind === 'loaded' ? result.methods : [];
  const counts = methods.map(({ count }) => count);
  assert.deepEqual(
    counts,
    [...counts].sort((left, right) => right - left),
  );
  assert.ok(methods.some(({ method, count }) => method === 'getSlot' && count >= 2));
});

test('usage of a key that the service does not know is a failure with its status', async (t) => {
  const { server } = await start(t);
  const result = await server.connection.sendRequest<UsageResult>('solanaRpc/usage', { keyId: 'nobody' });
  assert.equal(result.kind, 'failed');
  assert.equal(result.kind === 'failed' && 'httpStatus' in result.error && result.error.httpStatus, 404);
});

test('a key rotated at the local service comes over the key channel and not over LSP', async (t) => {
  const { keyId } = await local.newKey({ type: 'rpc' });
  const { server } = await start(t);
  const delivered = new Promise<FromServer>((resolve) => {
    server.child.on('message', (message: FromServer) => {
      if (message.kind === 'delivery') resolve(message);
    });
  });
  const params = { adminUrl: local.ready.adminUrl, keyId };
  const result = await server.connection.sendRequest<RotateLocalKeyResult>('solanaRpc/rotateLocalKey', params);
  const delivery = await delivered;
  assert.ok(delivery.kind === 'delivery' && result.kind === 'rotated');
  assert.equal(delivery.handle, result.handle);
  assert.equal((await local.rpc('getSlot', [], delivery.secret)).status, 200);
  assert.doesNotMatch(JSON.stringify(result), new RegExp(delivery.secret));
});

test('one run asks once for a key, the next run asks again', async (t) => {
  const { server, broker } = await start(t);
  await server.open(FILE, '### A\n{ "method": "getSlot" }\n### B\n{ "method": "getSlot" }\n');
  const run = () => server.connection.sendRequest<ExecuteResult>('solanaRpc/execute', { uri: FILE, version: 1 });
  await run();
  assert.equal(broker.asked.length, 1);
  await run();
  assert.equal(broker.asked.length, 2);
});

test('a revoked lease is not used again: the same run requests a new one', async (t) => {
  const { server, broker } = await start(t);
  const text = '### A\n# @retry 3 every 100ms while result >= 0\n{ "method": "getSlot" }\n';
  await server.open(FILE, text);
  const origin = new URL(local.ready.rpcUrl).origin;
  const revoked = new Promise<void>((resolve) => {
    server.connection.onNotification('solanaRpc/progress', ({ state }: { readonly state: string }) => {
      if (state !== 'waiting') return;
      server.push({ kind: 'revoke', origin, type: 'rpc' });
      resolve();
    });
  });
  await server.connection.sendRequest<ExecuteResult>('solanaRpc/execute', { uri: FILE, version: 1, lines: [0] });
  await revoked;
  assert.ok(broker.asked.length >= 2, String(broker.asked.length));
});

test('a verbose trace of everything above holds no key', async (t) => {
  const { rpc, swqos } = local.ready.keys;
  const { server, tryKey } = await start(t, { handle: swqos.key });
  const lines: string[] = [];
  const tracer = { log: (...parts: unknown[]) => void lines.push(parts.map((part) => JSON.stringify(part)).join(' ')) };
  await server.connection.trace(Trace.Verbose, tracer, { sendNotification: true, traceFormat: TraceFormat.Text });
  await server.open(FILE, '### A\n{ "method": "getBalance", "params": ["{{$wallet}}"] }\n');
  await server.connection.sendRequest<ExecuteResult>('solanaRpc/execute', { uri: FILE, version: 1 });
  await tryKey({ type: 'swqos', candidate: 'handle' });
  const trace = `${lines.join('\n')}\n${server.stderr()}`;
  assert.match(trace, /solanaRpc\/execute/);
  assert.match(trace, /getBalance/);
  for (const secret of [rpc.key, swqos.key, local.ready.wallet.secretKey, local.ready.adminToken])
    for (const form of [secret, encodeURIComponent(secret), Buffer.from(secret).toString('base64')])
      assert.ok(!trace.includes(form));
});
