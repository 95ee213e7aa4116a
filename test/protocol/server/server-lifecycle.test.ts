// The built server's life: it answers, and it never outlives its parent.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test, type TestContext } from 'node:test';
import type { OpenStreamResult, StreamTick } from '../../../protocol/streams';
import { startBusyService } from '../../contract/endurance/kills/busyService';
import { startServer, WINDOW, type RunningServer } from '../../support/lsp/serverProcess';
import { waitFor } from '../../support/wire/wire';
import { testFolder } from '../../support/folder';

test('The server answers initialize with incremental synchronisation', async (t) => {
  const server = await startServer();
  t.after(() => server.stop());
  assert.deepEqual(server.capabilities['textDocumentSync'], { openClose: true, change: 2 });
});

test('The server ends when the channel to its parent closes', async (t) => {
  const server = await startServer();
  t.after(() => server.stop());
  const gone = once(server.child, 'exit');
  server.child.disconnect();
  assert.deepEqual(await gone, [0, null]);
});

test('The server ends after shutdown and exit', async (t) => {
  const server = await startServer();
  t.after(() => server.stop());
  const gone = once(server.child, 'exit');
  await server.connection.sendRequest('shutdown');
  await server.connection.sendNotification('exit');
  assert.deepEqual(await gone, [0, null]);
});

/**
 * Loaded into the server: a disk on which a file is never moved to its place, and is removed late. `sign` appears when a
 * file should be moved, and stays.
 */
const slowDisk = (sign: string): string => `
const { isMainThread } = require('node:worker_threads');
const disk = require('node:fs/promises');
const { writeFileSync } = require('node:fs');
const { rm } = disk;
if (isMainThread) disk.rm = (...given) => new Promise((resolve) => setTimeout(resolve, 500)).then(() => rm(...given));
else disk.rename = () => {
  writeFileSync(${JSON.stringify(sign)}, '');
  return new Promise(() => undefined);
};
`;

const uri = 'file:///project/slots.jsonrpc';

/** A server that requires `code` before its own, with a file of slots open that a busy service sends. */
async function busyServer(t: TestContext, code: string): Promise<RunningServer> {
  const hook = path.join(testFolder('required', t), 'hook.cjs');
  writeFileSync(hook, code);
  const service = await startBusyService();
  const { rpcUrl, wsUrl } = service;
  const profile = { name: 'busy', rpcUrl, wsUrl, auth: { rpc: 'none', ws: 'none' } } as const;
  const server = await startServer({
    window: { ...WINDOW, profiles: [{ profile, source: 'user' }], endpoint: 'busy' },
    env: { ...process.env, NODE_OPTIONS: `--require ${hook}` },
  });
  t.after(async () => {
    await server.stop();
    await service.close();
  });
  await server.open(uri, '### Slots\nWS\n{ "method": "slotSubscribe" }\n');
  return server;
}

test('The server that is ended during an export has removed half a file before it is gone', async (t) => {
  const folder = testFolder('exported', t);
  const sign = path.join(folder, 'whole');
  const server = await busyServer(t, slowDisk(sign));
  const { connection } = server;
  const writing = new Promise<void>((resolve) => {
    connection.onNotification('solanaRpc/streamTick', ({ export: last }: StreamTick) => {
      if (last?.kind === 'writing' && last.rows > 0) resolve();
    });
  });
  const source = { kind: 'block', uri, version: 1, line: 0 };
  const opened = await connection.sendRequest<OpenStreamResult>('solanaRpc/openStream', { source });
  assert.ok(opened.kind === 'opened', JSON.stringify(opened));
  const { id } = opened.stream;
  for (let rows = 0; rows === 0;) {
    const page = await connection.sendRequest<{ readonly next: number }>('solanaRpc/streamRows', { id, from: 0, count: 1, filter: '' }); // oxfmt-ignore
    rows = page.next;
  }
  const file = path.join(folder, 'kept.ndjson');
  await connection.sendRequest('solanaRpc/exportStream', { id, file, format: 'ndjson', filter: '', what: 'kept' });
  await writing;
  const drafts = (): readonly string[] => readdirSync(folder).filter((name) => name.endsWith('.part'));
  // Its rows are counted before the system has made it; the sign that it is whole stays, as it does itself.
  await waitFor(() => existsSync(sign));
  assert.equal(drafts().length, 1);
  const gone = once(server.child, 'exit');
  await connection.sendRequest('shutdown');
  await connection.sendNotification('exit');
  await gone;
  assert.deepEqual(drafts(), []);
});

/** Loaded into the server: the thread of the streams breaks when it is to end. */
const BROKEN_END = `
const { isMainThread, parentPort } = require('node:worker_threads');
if (!isMainThread) parentPort.close = () => { throw new Error('broken'); };
`;

test('The server answers shutdown though the thread of its streams breaks at its end', async (t) => {
  const server = await busyServer(t, BROKEN_END);
  const source = { kind: 'block', uri, version: 1, line: 0 };
  const opened = await server.connection.sendRequest<OpenStreamResult>('solanaRpc/openStream', { source });
  assert.ok(opened.kind === 'opened', JSON.stringify(opened));
  const gone = once(server.child, 'exit');
  await server.connection.sendRequest('shutdown');
  await server.connection.sendNotification('exit');
  assert.deepEqual(await gone, [0, null]);
});
