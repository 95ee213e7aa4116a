// Requests that the service must turn away, and load that must not bring it down.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import http from 'node:http';
import net from 'node:net';
import { networkInterfaces } from 'node:os';
import { after, test } from 'node:test';
import { openLedger, type Ledger } from '../../../localnet/node/open';
import { boundConnections } from '../../../localnet/guard/connections';
import { HTTP_TIMEOUTS } from '../../../localnet/http/listen';
import { startService, type Service } from '../../../localnet/service';
import { request, testLedger } from '../../support/process/localnet';
import { prepare } from '../../support/shared';

const local = testLedger(['--plan', 'Ultra']);
let ledger: Ledger;
let hasty: Service;
let patient: Service;
prepare(async () => {
  ledger = await openLedger({ paused: true });
  const options = { port: 0, plan: 'Dev', seed: undefined } as const;
  hasty = await startService(ledger, { ...options, timeouts: { headersMs: 200, requestMs: 300, idleMs: 200 } });
  // With a whole request however late it comes: it closes what is idle alone.
  patient = await startService(ledger, { ...options, timeouts: { ...HTTP_TIMEOUTS, idleMs: 200 } });
});
after(async () => {
  await hasty.close();
  await patient.close();
  ledger.close();
});

const port = (): string => new URL(local.ready.rpcUrl).port;
const authorized = () => ({
  authorization: `Bearer ${local.ready.keys.rpc.key}`,
  'content-type': 'application/json',
});
const BODY = '{"jsonrpc":"2.0","id":1,"method":"getSlot"}';
const post = (headers: http.OutgoingHttpHeaders) =>
  request(local.ready.rpcUrl, { method: 'POST', headers: { ...authorized(), ...headers }, body: BODY });

/** Everything a raw connection answers until it is closed. */
async function raw(toPort: number, text: string): Promise<string> {
  const socket = net.connect(toPort, '127.0.0.1');
  let answer = '';
  socket.setEncoding('utf8').on('data', (part: string) => (answer += part));
  socket.on('error', () => undefined);
  socket.write(text);
  await once(socket, 'close');
  return answer;
}

for (const host of [
  'attacker.test',
  'attacker.test:PORT',
  '127.0.0.1',
  '127.0.0.1:1',
  'localhost.attacker.test:PORT',
  '127.0.0.1:PORT.attacker.test',
  'localhost.:PORT',
  '0.0.0.0:PORT',
]) {
  test(`the Host "${host}" is refused`, async () => {
    assert.equal((await post({ host: host.replace('PORT', port()) })).status, 403);
  });
}

test('a request without a Host is refused', async () => {
  assert.match(await raw(Number(port()), 'GET /health HTTP/1.0\r\n\r\n'), /^HTTP\/1\.1 403 /);
});

for (const host of ['127.0.0.1:PORT', 'localhost:PORT', 'LOCALHOST:PORT', '[::1]:PORT']) {
  test(`the Host "${host}" is let in`, async () => {
    assert.equal((await post({ host: host.replace('PORT', port()) })).status, 200);
  });
}

for (const origin of [
  'https://attacker.test',
  'null',
  'http://localhost:1',
  'https://127.0.0.1:PORT',
  'http://127.0.0.1:PORT.attacker.test',
]) {
  test(`the Origin "${origin}" is refused, on every path and verb`, async () => {
    const headers = { origin: origin.replace('PORT', port()) };
    assert.equal((await post(headers)).status, 403);
    for (const path of ['/v1/usage', '/local/keys', '/dashboard', '/health']) {
      assert.equal((await request(local.ready.restUrl + path, { headers })).status, 403);
    }
  });
}

test("the service's own origin is let in", async () => {
  assert.equal((await post({ origin: local.ready.restUrl })).status, 200);
});

test('a preflight gets no CORS header and is refused', async () => {
  const answer = await request(local.ready.rpcUrl, {
    method: 'OPTIONS',
    headers: { origin: 'https://attacker.test', 'access-control-request-method': 'POST' },
  });
  assert.equal(answer.status, 403);
  assert.deepEqual(
    Object.keys(answer.headers).filter((name) => name.startsWith('access-control')),
    [],
  );
});

test('a request that a browser says comes from another site is refused even without an Origin', async () => {
  assert.equal((await post({ 'sec-fetch-site': 'cross-site' })).status, 403);
  const health = await request(`${local.ready.restUrl}/health`, { headers: { 'sec-fetch-site': 'cross-site' } });
  assert.equal(health.status, 403);
});

test('the dashboard can be opened from a link elsewhere', async () => {
  const headers = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' };
  assert.equal((await request(local.ready.dashboardUrl, { headers })).status, 200);
});

test('no other address than loopback is listened on', async () => {
  const others = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(({ internal, family }) => !internal && family === 'IPv4');
  for (const { address } of others) {
    const socket = net.connect(Number(port()), address);
    const [error] = (await once(socket, 'error')) as [NodeJS.ErrnoException];
    assert.equal(error.code, 'ECONNREFUSED');
  }
  await assert.rejects(request(`http://[::1]:${port()}/health`));
});

test('a request target that is not a path is 400', async () => {
  const answer = await raw(
    Number(port()),
    `GET //x/y HTTP/1.1\r\nHost: 127.0.0.1:${port()}\r\nConnection: close\r\n\r\n`,
  );
  assert.match(answer, /^HTTP\/1\.1 400 /);
});

test('two Host headers are 400, over HTTP and before a WebSocket', async () => {
  const hosts = `Host: 127.0.0.1:${port()}\r\nhost: attacker.test\r\nConnection: `;
  assert.match(
    await raw(Number(port()), `GET /health HTTP/1.1\r\n${hosts}close\r\n\r\n`),
    /^HTTP\/1\.1 400 [^]*one Host/,
  );
  const upgrade = `GET /ws/sol HTTP/1.1\r\n${hosts}Upgrade\r\nUpgrade: websocket\r\nAuthorization: Bearer ${local.ready.keys.rpc.key}\r\n`;
  const key = 'Sec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\nSec-WebSocket-Version: 13\r\n\r\n';
  assert.match(await raw(Number(port()), upgrade + key), /^HTTP\/1\.1 400 /);
});

test('headers above the cap are refused', async () => {
  const head = `GET /health HTTP/1.1\r\nHost: 127.0.0.1:${port()}\r\nX-Long: ${'a'.repeat(40_000)}\r\n\r\n`;
  assert.match(await raw(Number(port()), head), /^HTTP\/1\.1 431 /);
});

test('a client that never ends its headers is cut off', async () => {
  const answer = await raw(hasty.port, 'POST /sol HTTP/1.1\r\nHost: ');
  assert.match(answer, /^HTTP\/1\.1 408 /);
});

test('a client that never ends its body is cut off', async () => {
  const head = `POST /sol HTTP/1.1\r\nHost: 127.0.0.1:${hasty.port}\r\nAuthorization: Bearer ${hasty.keys.rpc.key}\r\n`;
  const answer = await raw(hasty.port, `${head}Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{`);
  assert.match(answer, /^HTTP\/1\.1 408 /);
});

test('an idle connection is closed', async () => {
  const answer = await raw(patient.port, `GET /health HTTP/1.1\r\nHost: 127.0.0.1:${patient.port}\r\n\r\n`);
  assert.match(answer, /^HTTP\/1\.1 200 [^]*ok$/);
});

test('a body that never ends is refused with bounded memory, and others are served', async () => {
  const chunk = Buffer.alloc(1024 * 1024, 0x20);
  const outgoing = http.request(local.ready.rpcUrl, { method: 'POST', headers: authorized() });
  const ended = new Promise<void>((resolve) => {
    outgoing.on('response', (response) =>
      response
        .resume()
        .on('end', resolve)
        .on('error', () => resolve()),
    );
    outgoing.on('error', () => resolve());
    outgoing.on('close', () => resolve());
  });
  let stopped = false;
  void ended.then(() => (stopped = true));
  let sent = 0;
  for (; sent < 1024 && !stopped; sent++) {
    if (!outgoing.write(chunk)) await Promise.race([once(outgoing, 'drain').catch(() => undefined), ended]);
  }
  outgoing.destroy();
  assert.ok(sent < 256, `${sent} MB were taken`);
  assert.equal((await local.rpc('getSlot')).status, 200);
});

test('above the bound the oldest idle connection is closed, and a busy one stays', async () => {
  let release: () => void = () => undefined;
  const server = http.createServer((_, response) => {
    release = () => response.end('done');
  });
  boundConnections(server, 3);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address() as net.AddressInfo;
  const working = request(`http://127.0.0.1:${address.port}/`);
  await once(server, 'request');
  const silent: net.Socket[] = [];
  for (let i = 0; i < 2; i++) {
    const socket = net.connect(address.port, '127.0.0.1');
    silent.push(socket);
    await once(server, 'connection');
  }
  const closed = once(silent[0] ?? new net.Socket(), 'close');
  silent.push(net.connect(address.port, '127.0.0.1'));
  await closed;
  assert.equal(silent[1]?.destroyed, false);
  release();
  assert.equal((await working).text, 'done');
  for (const socket of silent) socket.destroy();
  server.close();
});
