// The state of an endpoint, from the built server: over JSON-RPC, over gRPC alone, with a refused key, and of a node that
// says it is behind; and the usage of a range in parts.
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { MOST_PARTS } from '../../../core/service/profiles/planLimits';
import type { EndpointProfile } from '../../../core/service/profiles/profile';
import type { EndpointStateResult } from '../../../protocol/endpointState';
import type { UsagePartsResult, UsageResult } from '../../../protocol/usage';
import { testLedger } from '../../support/process/localnet';
import { startServerOn } from '../../support/lsp/requestFile';
import { localProfile } from '../../support/lsp/window';
import { httpServer } from '../../support/wire/hostile';

const local = testLedger(['--plan', 'Shared Metal']);

async function start(t: TestContext, profile: EndpointProfile = localProfile(local), trusted = true) {
  const { server } = await startServerOn(t, local, {
    window: { profiles: [{ profile, source: 'user' as const }], trusted },
  });
  const ask = (name = profile.name): Promise<EndpointStateResult> =>
    server.connection.sendRequest<EndpointStateResult>('solanaRpc/endpointState', { profile: name });
  return { server, ask };
}

const answered = (result: EndpointStateResult): Extract<EndpointStateResult, { kind: 'answered' }> => {
  assert.ok(result.kind === 'answered', JSON.stringify(result));
  return result;
};

test('an endpoint says its slot, version and ledger, and how long it took', async (t) => {
  const { ask } = await start(t);
  const { latencyMs, slot, version, genesisHash, unhealthy } = answered(await ask());
  assert.ok(latencyMs > 0 && latencyMs < 60_000);
  assert.match(slot ?? '', /^\d+$/);
  const said = JSON.parse((await local.rpc('getVersion')).text) as { result: { 'solana-core': string } };
  assert.equal(version, said.result['solana-core']);
  const genesis = JSON.parse((await local.rpc('getGenesisHash')).text) as { result: string };
  assert.equal(genesisHash, genesis.result);
  assert.equal(unhealthy, undefined);
});

/** A node that answers this to getAgGenesisCert; `undefined`: it does not know the method. */
const nodeWith = (certificate: string | undefined) =>
  httpServer(({ body }, response) => {
    const { method } = JSON.parse(body) as { readonly method: string };
    const certain =
      certificate === undefined ? '"error":{"code":-32601,"message":"Method not found"}' : `"result":${certificate}`;
    const answer = method === 'getAgGenesisCert' ? certain : '"result":"ok"';
    response.end(`{"jsonrpc":"2.0","id":1,${answer}}`);
  });

test('a node that shows its genesis certificate reports its consensus; an older node does not', async (t) => {
  const certificate = '{"block":{"slot":7,"blockId":[1]},"signature":{"signature":[1],"bitmap":[1]}}';
  const said: unknown[] = [];
  for (const shown of [certificate, 'null', undefined]) {
    const node = await nodeWith(shown);
    t.after(() => node.close());
    const { ask } = await start(t, { name: 'node', rpcUrl: node.origin, auth: { rpc: 'none' } });
    said.push(answered(await ask()).consensus);
  }
  assert.deepEqual(said, ['alpenglow', 'tower', undefined]);
});

test('one with gRPC alone says its slot and the version of the streaming service', async (t) => {
  const { ask } = await start(t, { name: 'streams', grpcUrl: local.ready.grpcUrl });
  const { slot, version, genesisHash } = answered(await ask());
  assert.match(slot ?? '', /^\d+$/);
  assert.ok((version ?? '').length > 0 && !(version ?? '').includes('{'), version);
  assert.equal(genesisHash, undefined);
});

test('a node that is behind says so, and its slot all the same', async (t) => {
  const behind = await httpServer(({ body }, response) => {
    const result = body.includes('getHealth')
      ? '"error":{"code":-32005,"message":"Node is behind by 42 slots"}'
      : body.includes('getSlot')
        ? '"result":18446744073709551615'
        : '"error":{"code":-32601,"message":"Method not found"}';
    response.end(`{"jsonrpc":"2.0","id":1,${result}}`);
  });
  t.after(() => behind.close());
  const { ask } = await start(t, { name: 'behind', rpcUrl: behind.origin, auth: { rpc: 'none' } });
  const { slot, version, unhealthy } = answered(await ask());
  assert.match(unhealthy ?? '', /behind by 42 slots/);
  assert.equal(slot, '18446744073709551615');
  assert.equal(version, undefined);
});

test('a key that is refused, an untrusted window and an endpoint without such an interface are failures', async (t) => {
  const refusing = await httpServer((_request, response) => void response.writeHead(401).end());
  t.after(() => refusing.close());
  const kindOf = async (profile: EndpointProfile, trusted = true): Promise<string> => {
    const result = await (await start(t, profile, trusted)).ask();
    return result.kind === 'failed' ? result.error.kind : result.kind;
  };
  const at: EndpointProfile = { name: 'mine', rpcUrl: refusing.origin, auth: { rpc: 'none' } };
  assert.equal(await kindOf(at), 'keyRejected');
  assert.notEqual(await kindOf(at, false), 'answered');
  assert.equal(await kindOf({ name: 'sender', swqosUrl: refusing.origin }), 'invalidRequest');
  assert.equal(await kindOf({ name: 'other', rpcUrl: 'http://127.0.0.1:9' }), 'noKey');
});

test('the usage of a range comes in parts whose sum is that of the whole', async (t) => {
  const { server } = await start(t);
  await local.rpc('getSlot');
  await local.rpc('getBlockHeight');
  const now = Math.floor(Date.now() / 60_000) * 60;
  const spans = Array.from({ length: MOST_PARTS + 3 }, (_, at) => {
    const from = now + 3_600 - (MOST_PARTS - at) * 3_600;
    return { from, to: from + 3_599 };
  });
  const result = await server.connection.sendRequest<UsagePartsResult>('solanaRpc/usageParts', { spans });
  assert.ok(result.kind === 'loaded', JSON.stringify(result));
  // Parts above the limit are left out.
  assert.equal(result.parts.length, MOST_PARTS);
  const [first] = spans;
  const last = spans[MOST_PARTS - 1];
  const params = { from: first?.from, to: last?.to };
  const whole = await server.connection.sendRequest<UsageResult>('solanaRpc/usage', params);
  const sum = result.parts.reduce((all, { requestCount }) => all + requestCount, 0);
  assert.ok(whole.kind === 'loaded' && sum >= 2);
  assert.equal(sum, whole.requestCount);
});

test('a failure among the parts keeps those that came before', async (t) => {
  const broken = await httpServer((request, response) => {
    const isLater = Number(new URL(request.url ?? '', 'http://x').searchParams.get('from')) >= 200;
    response
      .writeHead(isLater ? 401 : 200)
      .end('{"request_count":1,"methods":[{"method":"getSlot","count":1,"errors":0}]}');
  });
  t.after(() => broken.close());
  const { server } = await start(t, { name: 'local', restUrl: broken.origin, auth: { rest: 'none' } });
  const spans = [0, 100, 200, 300].map((from) => ({ from, to: from + 99 }));
  const result = await server.connection.sendRequest<UsagePartsResult>('solanaRpc/usageParts', { spans });
  assert.ok(result.kind === 'failed');
  assert.equal(result.error.kind, 'keyRejected');
  assert.deepEqual(
    result.parts.map(({ from }) => from),
    [0, 100],
  );
});
