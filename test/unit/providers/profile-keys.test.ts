// Keys in endpoint profiles: found wherever a run would refuse them, taken out of their URLs with the way they travel, and
// nothing else of the profile changed.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { EndpointProfile } from '../../../core/service/profiles/profile';
import { holdsKeys, takenOut } from '../../../core/service/providers/profileKeys';
import { Secret } from '../../../core/service/keys/secret';
import { settleInterface } from '../../../net/target/target';

const KEY = '3f7a9c1e5b2d48f6a0c4e8b1d7f3952a';
const OTHER = 'd1c2b3a49e8f7a6b5c4d3e2f1a0b9c8d';
type Members = Omit<EndpointProfile, 'name'>;

const ROWS: readonly (readonly [what: string, given: Members, wanted: Members, keys: readonly string[]])[] = [
  [
    'a query, in two siblings',
    {
      rpcUrl: `https://mainnet.helius-rpc.com/?api-key=${KEY}`,
      wsUrl: `wss://mainnet.helius-rpc.com/?api-key=${KEY}`,
      swqosUrl: 'https://sender.helius-rpc.com/fast',
      auth: { swqos: 'none' },
    },
    {
      rpcUrl: 'https://mainnet.helius-rpc.com/?api-key={key}',
      wsUrl: 'wss://mainnet.helius-rpc.com/?api-key={key}',
      auth: { swqos: 'none' },
    },
    ['rpc rpc,ws'],
  ],
  [
    'a path, where the profile said that none goes',
    { rpcUrl: `https://blue.solana-mainnet.quiknode.pro/${KEY}/`, auth: { rpc: 'none' } },
    { rpcUrl: 'https://blue.solana-mainnet.quiknode.pro/{key}/', auth: {} },
    ['rpc rpc'],
  ],
  [
    'user and password',
    { rpcUrl: `https://me:${KEY}@solana-mainnet.core.chainstack.com/` },
    { rpcUrl: 'https://solana-mainnet.core.chainstack.com/', auth: { rpc: 'basic' } },
    ['rpc rpc'],
  ],
  [
    'a token behind a gRPC address',
    { grpcUrl: `https://grpc.other.test/${KEY}` },
    { grpcUrl: 'https://grpc.other.test', auth: { grpc: 'header:x-token' } },
    ['grpc grpc'],
  ],
  [
    'a token behind a gRPC address whose metadata is known',
    { grpcUrl: `https://grpc.other.test/${KEY}`, auth: { grpc: 'header:x-api-key' } },
    { grpcUrl: 'https://grpc.other.test', auth: { grpc: 'header:x-api-key' } },
    ['grpc grpc'],
  ],
  [
    'a parameter of a gRPC address',
    { grpcUrl: `https://grpc.other.test?token=${KEY}` },
    { grpcUrl: 'https://grpc.other.test', auth: { grpc: 'query:token' } },
    ['grpc grpc'],
  ],
  [
    'a sender’s key along with the RPC key',
    { rpcUrl: `https://rpc.other.test/?token=${KEY}`, swqosUrl: `https://ams1.nozomi.temporal.xyz/?c=${OTHER}` },
    { rpcUrl: 'https://rpc.other.test/?token={key}', swqosUrl: 'https://ams1.nozomi.temporal.xyz/?c={key}' },
    ['rpc rpc', 'swqos swqos'],
  ],
  [
    'two keys of a type',
    { rpcUrl: `https://rpc.other.test/?token=${KEY}`, wsUrl: `wss://ws.other.test/?token=${OTHER}` },
    { rpcUrl: 'https://rpc.other.test/?token={key}', wsUrl: 'wss://ws.other.test/?token={key}' },
    ['rpc rpc', 'rpc ws'],
  ],
];

for (const [what, given, wanted, keys] of ROWS)
  test(`${what} goes out of the settings, and then something can be sent`, () => {
    const profile = { name: 'mine', ...given };
    assert.equal(holdsKeys(profile), true);
    const { changes, keys: found, left } = takenOut(profile);
    assert.deepEqual(changes, wanted);
    assert.deepEqual(left, []);
    assert.deepEqual(
      found.map(({ type, faces }) => `${type} ${faces.join()}`),
      keys,
    );
    for (const { secret } of found) assert.ok([KEY, OTHER, `me:${KEY}`].some((key) => secret.equals(new Secret(key))));
    const next = { ...profile, ...changes };
    assert.equal(holdsKeys(next), false);
    for (const { faces } of found)
      for (const face of faces) {
        assert.equal(settleInterface({ profile, source: 'user' }, face).ok, false);
        const settled = settleInterface({ profile: next, source: 'user' }, face);
        assert.ok(settled.ok && settled.value.auth !== 'none', JSON.stringify(settled));
      }
  });

test('a URL with two keys stays, and is named', () => {
  const rpcUrl = `https://me:${KEY}@rpc.other.test/?token=${OTHER}`;
  assert.deepEqual(takenOut({ name: 'mine', rpcUrl }), { changes: {}, keys: [], left: ['rpc'] });
});

test('a profile without a key is left alone', () => {
  const profile: EndpointProfile = {
    name: 'mine',
    rpcUrl: 'https://mainnet.helius-rpc.com/?api-key={key}',
    grpcUrl: 'https://grpc.other.test',
    auth: { grpc: 'header:x-token' },
  };
  assert.equal(holdsKeys(profile), false);
  assert.deepEqual(takenOut(profile), { changes: { auth: { grpc: 'header:x-token' } }, keys: [], left: [] });
});
