// Probing an address of no known provider through the built server: what answers, what is silent, refuses, wants a key or
// speaks something else; and that a key goes only to the origin its handle is for.
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { readAddress } from '../../../core/service/providers/address';
import { probesOf } from '../../../core/service/providers/probes';
import { originOf } from '../../../core/service/profiles/origin';
import type { ProbedAddress, ProbeFinding, ProbeParams, ProbeResult } from '../../../protocol/probing';
import { testLedger } from '../../support/process/localnet';
import { startServer } from '../../support/lsp/serverProcess';
import { httpServer, rawAnswer, sink, tcpServer } from '../../support/wire/hostile';
import { freePair } from '../../support/wire/ports';

const KEY = 'key-of-the-probe-0123456789abcdef';

const local = testLedger(['--plan', 'Ultra']);

async function open(t: TestContext, secrets: Readonly<Record<string, string>> = {}, trusted = true) {
  const asked: string[] = [];
  const server = await startServer({
    window: { trusted },
    answer: (request) => {
      if (request.kind !== 'candidate') return { kind: 'denied', id: request.id, reason: 'none' };
      asked.push(`${request.handle} ${request.origin}`);
      const secret = secrets[request.handle];
      return secret === undefined || !request.handle.endsWith(request.origin)
        ? { kind: 'denied', id: request.id, reason: 'originMismatch' }
        : { kind: 'granted', id: request.id, secret, label: 'candidate' };
    },
  });
  t.after(() => server.stop());
  const send = (addresses: readonly ProbedAddress[]): Promise<ProbeResult> =>
    server.connection.sendRequest<ProbeResult>('solanaRpc/probe', { addresses } satisfies ProbeParams);
  const probe = async (addresses: readonly ProbedAddress[]): Promise<readonly ProbeFinding[]> => {
    const result = await send(addresses);
    assert.ok(result.kind === 'probed', JSON.stringify(result));
    assert.ok(!JSON.stringify(result).includes(KEY));
    return result.findings;
  };
  return { send, probe, asked };
}

/** The addresses of a pasted one, each with a handle for its own origin if there is a key. */
function pasted(text: string): readonly ProbedAddress[] {
  const read = readAddress(text);
  assert.ok(read !== undefined);
  return probesOf(read).map((address) =>
    read.key === undefined ? address : { ...address, candidate: `handle ${originOf(address.url)}` },
  );
}
const handles = (...origins: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(origins.map((origin) => [`handle ${origin}`, KEY]));

const outcomes = (findings: readonly ProbeFinding[]): readonly string[] =>
  findings.map((finding) => `${finding.interface} ${finding.outcome}`);

test('A service that takes the key answers on every interface, each with its own protocol', async (t) => {
  const { rpcUrl, wsUrl, grpcUrl, keys } = local.ready;
  const addresses = [
    { interface: 'rpc', url: `${rpcUrl}?api_key={key}` },
    { interface: 'ws', url: `${wsUrl}?api_key={key}` },
    { interface: 'grpc', url: grpcUrl, auth: 'header:x-token' },
  ] as const;
  const secrets = Object.fromEntries(
    addresses.map(({ interface: face, url }) => [
      `${face} ${originOf(url)}`,
      face === 'grpc' ? keys.grpc.key : keys.rpc.key,
    ]),
  );
  const { probe } = await open(t, secrets);
  const named = addresses.map((address) => ({
    ...address,
    candidate: `${address.interface} ${originOf(address.url)}`,
  }));
  const found = await probe(named);
  assert.deepEqual(outcomes(found), ['rpc answers', 'ws answers', 'grpc answers'], JSON.stringify(found));
});

test('A service that refuses what comes without a key wants one', async (t) => {
  const { rpcUrl, wsUrl, grpcUrl } = local.ready;
  const { probe, asked } = await open(t);
  const found = await probe([
    { interface: 'rpc', url: rpcUrl },
    { interface: 'ws', url: wsUrl },
    { interface: 'grpc', url: grpcUrl },
  ]);
  assert.deepEqual(outcomes(found), ['rpc wantsKey', 'ws wantsKey', 'grpc wantsKey'], JSON.stringify(found));
  assert.deepEqual(asked, []);
});

test('A web page, a service of raw bytes and a closed port are nothing, and say why', async (t) => {
  const page = await httpServer((_, response) => void response.end('<html>Welcome</html>'));
  const bytes = await tcpServer((socket) => void socket.end('220 mail ready\r\n'));
  t.after(() => Promise.all([page.close(), bytes.close()]));
  const { probe } = await open(t);
  for (const origin of [page.origin, bytes.origin, `http://127.0.0.1:${await freePair()}`]) {
    const found = await probe(pasted(`${origin}/node`));
    assert.deepEqual(outcomes(found), ['rpc nothing', 'ws nothing', 'grpc nothing'], origin);
    for (const { error } of found) assert.notEqual(error?.message ?? '', '');
  }
});

test('A service that never answers is given up in bounded time', async (t) => {
  const silent = await tcpServer(() => undefined);
  t.after(() => silent.close());
  const { probe } = await open(t);
  // A probe without a time would end with the time of this test alone.
  const found = await probe(pasted(`${silent.origin}/node`));
  assert.deepEqual(outcomes(found), ['rpc nothing', 'ws nothing', 'grpc nothing']);
});

test('A service that answers with a JSON-RPC error speaks JSON-RPC; a busy one is asked once', async (t) => {
  let asked = 0;
  const node = await httpServer(({ url, method }, response) => {
    if (url === '/busy') {
      if (method === 'POST') asked++;
      response.writeHead(429, { 'retry-after': '1' }).end();
    } else response.end('{"jsonrpc":"2.0","id":1,"error":{"code":-32005,"message":"Node is behind"}}');
  });
  t.after(() => node.close());
  const { probe } = await open(t);
  const [unhealthy] = await probe(pasted(`${node.origin}/node`));
  assert.deepEqual([unhealthy?.outcome, unhealthy?.error?.kind], ['answers', 'rpc']);
  const [busy] = await probe(pasted(`${node.origin}/busy`));
  assert.deepEqual([busy?.outcome, asked], ['busy', 1]);
});

test('The pasted key goes to the pasted host alone, and nowhere by a handle of another origin', async (t) => {
  const own = await sink();
  const other = await sink();
  t.after(() => Promise.all([own.close(), other.close()]));
  const wsOrigin = own.origin.replace('http', 'ws');
  const { probe, asked } = await open(t, handles(own.origin, wsOrigin));
  await probe(pasted(`${own.origin}/main?token=${KEY}`));
  assert.ok(
    own.received.some((request) => request.startsWith(`POST /main?token=${KEY}`)),
    own.received.join('\n'),
  );
  assert.deepEqual([...new Set(asked)].sort(), [
    `handle ${own.origin} ${own.origin}`,
    `handle ${wsOrigin} ${wsOrigin}`,
  ]);
  const elsewhere = await probe([
    { interface: 'rpc', url: `${other.origin}/?token={key}`, candidate: `handle ${own.origin}` },
  ]);
  assert.deepEqual(outcomes(elsewhere), ['rpc nothing']);
  assert.deepEqual(other.received, []);
});

test('A redirect is not followed', async (t) => {
  const elsewhere = await sink();
  const node = await tcpServer((socket) => {
    socket.on('data', () => socket.end(rawAnswer('307 Elsewhere', [`location: ${elsewhere.origin}`], '')));
  });
  t.after(() => Promise.all([node.close(), elsewhere.close()]));
  const { probe } = await open(t, handles(node.origin));
  const [rpc] = await probe(pasted(`${node.origin}/main?token=${KEY}`));
  assert.equal(rpc?.outcome, 'nothing');
  assert.equal(elsewhere.connections(), 0);
});

test('Nothing leaves a window that is not trusted', async (t) => {
  const own = await sink();
  t.after(() => own.close());
  const { send } = await open(t, {}, false);
  const result = await send(pasted(`${own.origin}/node`));
  assert.equal(result.kind, 'refused');
  assert.equal(own.connections(), 0);
});
