// The built server behind the user's proxy, under the providers' own host names: by the environment and by the editor's
// setting, on every transport and for streams; its password on the key channel alone.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test, type TestContext } from 'node:test';
import type { PlacedProfile } from '../../../core/service/profiles/profile';
import { encodeBase58 } from '../../../core/solana/encoding/base58';
import { attachSignature, transferMessage } from '../../../core/solana/wire/message';
import type { ExecuteResult, ProxySetting } from '../../../protocol/lsp';
import type * as live from '../../../protocol/streams';
import { startServer, WINDOW, type RunningServer } from '../../support/lsp/serverProcess';
import { startDoubles, type Doubles } from '../../support/wire/providers';
import { proxyServer } from '../../support/wire/proxies';

const FILE = 'file:///requests/proxy.jsonrpc';
const HOSTS = ['rpc.provider.test', 'grpc.provider.test', 'sender.provider.test'] as const;
/** A sender that wants a tip. */
const TIPPED = 'ams1.nozomi.temporal.xyz';
const KEYED = '/v2/the-key-of-the-test';
const PROFILE: PlacedProfile = {
  source: 'user',
  profile: {
    name: 'provider',
    rpcUrl: 'https://rpc.provider.test/v2/{key}',
    wsUrl: 'wss://rpc.provider.test/v2/{key}',
    grpcUrl: 'https://grpc.provider.test',
    swqosUrl: 'https://sender.provider.test/fast',
    auth: { grpc: 'header:x-token', swqos: 'none' },
  },
};
const ALL = [
  '### rpc\n{ "method": "getSlot" }\n?? result == 1\n',
  '### ws\n# @until 1 messages or 20s\nWS\n{ "method": "slotSubscribe" }\n?? messages[0].slot == 2\n',
  '### grpc\nGRPC geyser.Geyser/GetVersion\n?? result.version == "1.2.3"\n',
  '### send\nSWQOS\n{ "method": "sendTransaction", "params": ["AA==", { "encoding": "base64" }] }\n',
].join('\n');

let doubles: Doubles;
before(async () => {
  doubles = await startDoubles([...HOSTS, TIPPED]);
  doubles.serve(
    [
      { kind: 'http', host: HOSTS[0], path: KEYED },
      { kind: 'ws', host: HOSTS[0], path: KEYED },
      { kind: 'grpc', host: HOSTS[1], path: '', headers: { 'x-token': 'the-key-of-the-test' } },
      { kind: 'http', host: HOSTS[2], path: '/fast' },
      { kind: 'http', host: TIPPED, path: '/' },
    ],
    { status: 401, body: '{got}' },
  );
});
after(() => doubles.close());

async function start(
  t: TestContext,
  { proxy, env = {}, placed = PROFILE }: { proxy?: ProxySetting; env?: NodeJS.ProcessEnv; placed?: PlacedProfile },
  credentials?: string,
): Promise<RunningServer> {
  const server = await startServer({
    env: { ...process.env, ...env },
    window: windowWith(proxy, placed),
    answer: (request) => {
      if (request.kind === 'key')
        return { kind: 'granted', id: request.id, secret: 'the-key-of-the-test', label: 'test' };
      if (request.kind === 'proxy' && credentials !== undefined)
        return { kind: 'granted', id: request.id, secret: credentials, label: 'proxy' };
      return { kind: 'denied', id: request.id, reason: 'none' };
    },
  });
  t.after(() => server.stop());
  return server;
}

const windowWith = (proxy: ProxySetting | undefined, placed = PROFILE) => ({
  ...WINDOW,
  profiles: [placed],
  endpoint: placed.profile.name,
  ...(proxy !== undefined && { proxy }),
});

async function run(server: RunningServer, text: string): Promise<ExecuteResult> {
  await server.open(FILE, text);
  return runAgain(server);
}

function runAgain(server: RunningServer): Promise<ExecuteResult> {
  return server.connection.sendRequest<ExecuteResult>('solanaRpc/execute', { uri: FILE, version: 1 });
}

function assertAllPassed(result: ExecuteResult): asserts result is Extract<ExecuteResult, { readonly kind: 'done' }> {
  assert.ok(result.kind === 'done', JSON.stringify(result));
  for (const { status, error, title } of result.outcomes)
    assert.equal(status, 'passed', `${title}: ${JSON.stringify(error)}`);
}

const certificates = (): NodeJS.ProcessEnv => ({ NODE_EXTRA_CA_CERTS: doubles.env['NODE_EXTRA_CA_CERTS'] });
const asSet = (
  url: string | undefined,
  noProxy: readonly string[] = [],
  credentials: 'none' | 'user' | 'header' = 'none',
): ProxySetting => ({ kind: 'proxy', ...(url !== undefined && { url }), noProxy, credentials });

test('The environment’s proxy leads every transport, with the user’s certificates', async (t) => {
  const server = await start(t, { env: doubles.env });
  assertAllPassed(await run(server, ALL));
  for (const host of HOSTS) assert.ok(doubles.connected.includes(`${host}:443`), host);
});

test('A transaction without the tip that the profile’s sender wants is sent with a note', async (t) => {
  const profile = { name: 'tipped', swqosUrl: `https://${TIPPED}/`, auth: { swqos: 'none' } } as const;
  const server = await start(t, { env: doubles.env, placed: { source: 'user', profile } });
  const [from, to, blockhash] = [1, 7, 9].map((byte) => encodeBase58(new Uint8Array(32).fill(byte)));
  const built = transferMessage({ from: from ?? '', to: to ?? '', lamports: 1n, blockhash: blockhash ?? '' });
  assert.ok(built.ok);
  const transaction = Buffer.from(attachSignature(built.message, new Uint8Array(64).fill(3))).toString('base64');
  const params = `["${transaction}", { "encoding": "base64" }]`;
  const result = await run(server, `### send\nSWQOS\n{ "method": "sendTransaction", "params": ${params} }\n`);
  assertAllPassed(result);
  assert.match(result.outcomes[0]?.notes?.join() ?? '', /Nozomi .*wants a tip/);
});

test('The setting of the editor applies to every transport, regardless of the environment', async (t) => {
  const env = { ...certificates(), HTTPS_PROXY: 'http://127.0.0.1:9' };
  const server = await start(t, { env, proxy: asSet(doubles.env['HTTPS_PROXY']) });
  doubles.connected.length = 0;
  assertAllPassed(await run(server, ALL));
  for (const host of HOSTS) assert.ok(doubles.connected.includes(`${host}:443`), host);
});

test('A live stream goes through the proxy as well', async (t) => {
  const server = await start(t, { env: certificates(), proxy: asSet(doubles.env['HTTPS_PROXY']) });
  await server.open(FILE, '### ws\nWS\n{ "method": "slotSubscribe" }\n');
  const ticked = new Promise<live.StreamTick>((resolve) => {
    server.connection.onNotification('solanaRpc/streamTick', (tick: live.StreamTick) => {
      if (tick.total > 0) resolve(tick);
    });
  });
  doubles.connected.length = 0;
  const opened = await server.connection.sendRequest<live.OpenStreamResult>('solanaRpc/openStream', {
    source: { kind: 'block', uri: FILE, version: 1, line: 0 },
  });
  assert.equal(opened.kind, 'opened', JSON.stringify(opened));
  assert.equal((await ticked).state.kind, 'live');
  assert.deepEqual(doubles.connected, ['rpc.provider.test:443']);
});

/** A node on this machine by an address that proxies are used for: only loopback's own names are direct. */
async function plainNode(t: TestContext): Promise<PlacedProfile> {
  const node = http.createServer((_, response) => {
    // Each request then has a separate connection.
    response.setHeader('connection', 'close').end('{"jsonrpc":"2.0","id":1,"result":1}');
  });
  node.listen(0, '127.0.0.1');
  await once(node, 'listening');
  t.after(() => {
    node.closeAllConnections();
    node.close();
  });
  const { port } = node.address() as AddressInfo;
  const rpcUrl = `http://[::ffff:7f00:1]:${port}/`;
  return { source: 'user', profile: { name: 'node', rpcUrl, auth: { rpc: 'none' } } };
}
const SLOT = '### rpc\n{ "method": "getSlot" }\n?? result == 1\n';

test('Hosts of NO_PROXY, of http.noProxy, and all of them with proxies turned off, are reached directly', async (t) => {
  const placed = await plainNode(t);
  const proxy = await proxyServer();
  t.after(() => proxy.close());
  const HTTPS_PROXY = proxy.origin;
  const through = await start(t, { placed, env: { HTTPS_PROXY } });
  assertAllPassed(await run(through, SLOT));
  assert.equal(proxy.seen.length, 1);
  const ways = [
    { env: { HTTPS_PROXY, NO_PROXY: '::ffff:7f00:1' } },
    { proxy: asSet(HTTPS_PROXY, ['::ffff:7f00:1']) },
    // An empty http.noProxy leaves NO_PROXY as it is, and one without http.proxy counts for the environment's proxy.
    { env: { NO_PROXY: '::ffff:7f00:1' }, proxy: asSet(HTTPS_PROXY) },
    { env: { HTTPS_PROXY }, proxy: asSet(undefined, ['::ffff:7f00:1']) },
    { env: { HTTPS_PROXY }, proxy: { kind: 'direct' } as const },
  ];
  for (const way of ways) assertAllPassed(await run(await start(t, { placed, ...way }), SLOT));
  assert.equal(proxy.seen.length, 1);
  const other = { env: { NO_PROXY: '::ffff:7f00:1' }, proxy: asSet(HTTPS_PROXY, ['other.test']) };
  assertAllPassed(await run(await start(t, { placed, ...other }), SLOT));
  assert.equal(proxy.seen.length, 2, 'http.noProxy counts in place of NO_PROXY');
});

test('The password of the setting comes over the key channel, and a changed setting counts from the next connection', async (t) => {
  const placed = await plainNode(t);
  const proxy = await proxyServer();
  t.after(() => proxy.close());
  const server = await start(t, { placed, proxy: { kind: 'direct' } }, 'me:the-password');
  const window = windowWith(asSet(proxy.origin, [], 'user'), placed);
  await server.connection.sendNotification('solanaRpc/windowChanged', window);
  assertAllPassed(await run(server, SLOT));
  const basic = `Basic ${Buffer.from('me:the-password').toString('base64')}`;
  assert.ok(proxy.seen[0]?.includes(basic), proxy.seen[0]);
});

test('http.proxyAuthorization is sent as it is, to the proxy of the setting and of the environment, on every transport', async (t) => {
  const authorization = 'Negotiate the-token-of-the-proxy==';
  const ways = [
    { env: certificates(), proxy: asSet(doubles.env['HTTPS_PROXY'], [], 'header') },
    { env: doubles.env, proxy: asSet(undefined, [], 'header') },
  ];
  for (const way of ways) {
    const server = await start(t, way, authorization);
    doubles.authorizations.length = 0;
    assertAllPassed(await run(server, ALL));
    assert.ok(doubles.authorizations.length >= 3, String(doubles.authorizations.length));
    assert.deepEqual(new Set(doubles.authorizations), new Set([authorization]));
  }
});

test('A proxy’s password that was changed counts from the next run on, though the setting looks as before', async (t) => {
  const placed = await plainNode(t);
  const proxy = await proxyServer();
  t.after(() => proxy.close());
  const secrets = ['Bearer first', 'Bearer second'];
  const server = await startServer({
    window: windowWith(asSet(proxy.origin, [], 'header'), placed),
    answer: ({ kind, id }) =>
      kind === 'proxy'
        ? { kind: 'granted', id, secret: secrets.shift() ?? 'none', label: 'proxy' }
        : { kind: 'denied', id, reason: 'none' },
  });
  t.after(() => server.stop());
  assertAllPassed(await run(server, SLOT));
  assertAllPassed(await runAgain(server));
  assert.deepEqual(
    proxy.seen.map((seen) => /Bearer \w+/.exec(seen)?.[0]),
    ['Bearer first', 'Bearer second'],
  );
});

test('A value of http.proxyAuthorization that is not a header blocks every request, and is not repeated', async (t) => {
  const placed = await plainNode(t);
  const proxy = await proxyServer();
  t.after(() => proxy.close());
  const server = await start(t, { placed, proxy: asSet(proxy.origin, [], 'header') }, 'Basic of-the-user\r\nHost: b');
  const result = await run(server, SLOT);
  assert.ok(result.kind === 'done', JSON.stringify(result));
  assert.match(result.outcomes[0]?.error?.message ?? '', /http\.proxyAuthorization is not a valid header value/);
  assert.ok(!JSON.stringify(result).includes('of-the-user'));
  assert.deepEqual(proxy.seen, []);
});

test('A setting that names no HTTP proxy refuses what would leave, and says which', async (t) => {
  const placed = await plainNode(t);
  const server = await start(t, { placed, proxy: asSet('socks5://127.0.0.1:1') });
  const result = await run(server, SLOT);
  assert.ok(result.kind === 'done', JSON.stringify(result));
  assert.match(result.outcomes[0]?.error?.message ?? '', /http\.proxy names no HTTP proxy/);
});
