// The built server's life: it answers, and it never outlives its parent.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { startServer } from '../../support/lsp/serverProcess';

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
