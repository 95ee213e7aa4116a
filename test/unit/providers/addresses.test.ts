// Any address of a known provider becomes an endpoint with every interface it implies, its key apart; an unknown address
// stays as it was pasted.
import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import { describe, test } from 'node:test';
import { readAddress, withSender, type AddressReading } from '../../../core/service/providers/address';
import { probesOf, profileOfProbes } from '../../../core/service/providers/probes';
import { PROVIDERS } from '../../../core/service/providers/table';
import { exactly, readProfiles } from '../../../core/service/profiles/profileReader';
import { Secret } from '../../../core/service/keys/secret';

const KEY = '3f7a9c1e5b2d48f6a0c4e8b1d7f3952a';
const UUID = '7b1c2d3e-4f5a-6b7c-8d9e-0f1a2b3c4d5e';

function read(text: string): AddressReading {
  const reading = readAddress(text);
  assert.ok(reading !== undefined, text);
  return reading;
}

const HOSTED: AddressReading['profile'] = {
  rpcUrl: 'https://rpc.example/sol',
  wsUrl: 'wss://rpc.example/ws/sol',
  grpcUrl: 'https://rpc.example',
  restUrl: 'https://rpc.example',
};
const HELIUS: AddressReading['profile'] = {
  rpcUrl: 'https://mainnet.helius-rpc.com/?api-key={key}',
  wsUrl: 'wss://mainnet.helius-rpc.com/?api-key={key}',
  grpcUrl: 'https://laserstream-mainnet-ewr.helius-rpc.com',
  swqosUrl: 'https://sender.helius-rpc.com/fast',
  auth: { grpc: 'header:x-token', swqos: 'none' },
};
const ALCHEMY: AddressReading['profile'] = {
  rpcUrl: 'https://solana-mainnet.g.alchemy.com/v2/{key}',
  wsUrl: 'wss://solana-mainnet.g.alchemy.com/v2/{key}',
  grpcUrl: 'https://solana-mainnet.g.alchemy.com',
  auth: { grpc: 'header:X-Token' },
};
const QUICKNODE: AddressReading['profile'] = {
  rpcUrl: 'https://blue-moon.solana-mainnet.quiknode.pro/{key}/',
  wsUrl: 'wss://blue-moon.solana-mainnet.quiknode.pro/{key}/',
  grpcUrl: 'https://blue-moon.solana-mainnet.quiknode.pro:10000',
  auth: { grpc: 'header:x-token' },
};
const CHAINSTACK: AddressReading['profile'] = {
  rpcUrl: 'https://solana-mainnet.core.chainstack.com/{key}',
  wsUrl: 'wss://solana-mainnet.core.chainstack.com/{key}',
  grpcUrl: 'https://yellowstone-solana-mainnet.core.chainstack.com',
  auth: { grpc: 'header:x-token' },
};
const TRITON: AddressReading['profile'] = {
  rpcUrl: 'https://team.mainnet.rpcpool.com/{key}',
  wsUrl: 'wss://team.mainnet.rpcpool.com/{key}',
  grpcUrl: 'https://team.mainnet.rpcpool.com',
  auth: { grpc: 'header:x-token' },
};
const SHYFT: AddressReading['profile'] = {
  rpcUrl: 'https://rpc.shyft.to/?api_key={key}',
  wsUrl: 'wss://rpc.shyft.to/?api_key={key}',
  grpcUrl: 'https://grpc.ams.shyft.to',
  auth: { grpc: 'header:x-token' },
};

/** Pasted, with KEY or UUID in it; the provider; the profile. */
const ROWS: readonly (readonly [string, string, AddressReading['profile']])[] = [
  ['https://rpc.example/sol', 'hosted', HOSTED],
  ['wss://rpc.example/ws/sol', 'hosted', HOSTED],
  [`https://rpc.example/sol?api_key=${KEY}`, 'hosted', HOSTED],
  [`wss://rpc.example/ws/sol?api_key=${KEY}`, 'hosted', HOSTED],
  [`https://mainnet.helius-rpc.com/?api-key=${UUID}`, 'helius', HELIUS],
  [`https://mainnet.helius-rpc.com?api-key=${UUID}`, 'helius', HELIUS],
  [`wss://mainnet.helius-rpc.com/?api-key=${UUID}`, 'helius', HELIUS],
  [`mainnet.helius-rpc.com/?api-key=${UUID}`, 'helius', HELIUS],
  ['https://mainnet.helius-rpc.com', 'helius', HELIUS],
  ['https://mainnet.helius-rpc.com/?api-key=<api-key>', 'helius', HELIUS],
  [
    'https://laserstream-mainnet-fra.helius-rpc.com',
    'helius',
    { ...HELIUS, grpcUrl: 'https://laserstream-mainnet-fra.helius-rpc.com' },
  ],
  [
    'laserstream-mainnet-fra.helius-rpc.com:443',
    'helius',
    { ...HELIUS, grpcUrl: 'https://laserstream-mainnet-fra.helius-rpc.com' },
  ],
  [
    `https://devnet.helius-rpc.com/?api-key=${UUID}`,
    'helius',
    {
      rpcUrl: 'https://devnet.helius-rpc.com/?api-key={key}',
      wsUrl: 'wss://devnet.helius-rpc.com/?api-key={key}',
      grpcUrl: 'https://laserstream-devnet-ewr.helius-rpc.com',
      auth: { grpc: 'header:x-token' },
    },
  ],
  [
    `https://beta.helius-rpc.com/?api-key=${UUID}`,
    'helius',
    { ...HELIUS, rpcUrl: 'https://beta.helius-rpc.com/?api-key={key}' },
  ],
  [`https://blue-moon.solana-mainnet.quiknode.pro/${KEY}/`, 'quicknode', QUICKNODE],
  [`https://blue-moon.solana-mainnet.quiknode.pro/${KEY}`, 'quicknode', QUICKNODE],
  [`wss://blue-moon.solana-mainnet.quiknode.pro/${KEY}/`, 'quicknode', QUICKNODE],
  ['https://blue-moon.solana-mainnet.quiknode.pro:10000', 'quicknode', QUICKNODE],
  [`https://blue-moon.solana-mainnet.quiknode.pro:10000/${KEY}`, 'quicknode', QUICKNODE],
  [
    `https://blue-moon.quiknode.pro/${KEY}/`,
    'quicknode',
    { rpcUrl: 'https://blue-moon.quiknode.pro/{key}/', wsUrl: 'wss://blue-moon.quiknode.pro/{key}/' },
  ],
  [`https://solana-mainnet.g.alchemy.com/v2/${KEY}`, 'alchemy', ALCHEMY],
  ['https://solana-mainnet.g.alchemy.com/v2/docs-demo', 'alchemy', ALCHEMY],
  [`wss://solana-mainnet.g.alchemy.com/v2/${KEY}`, 'alchemy', ALCHEMY],
  ['https://solana-mainnet.g.alchemy.com/v2/', 'alchemy', ALCHEMY],
  ['https://solana-mainnet.g.alchemy.com', 'alchemy', ALCHEMY],
  [`https://solana-mainnet.core.chainstack.com/${KEY}`, 'chainstack', CHAINSTACK],
  ['https://yellowstone-solana-mainnet.core.chainstack.com:443', 'chainstack', CHAINSTACK],
  [
    `https://team:${KEY}@solana-mainnet.core.chainstack.com`,
    'chainstack',
    {
      rpcUrl: 'https://solana-mainnet.core.chainstack.com',
      wsUrl: 'wss://solana-mainnet.core.chainstack.com',
      grpcUrl: 'https://yellowstone-solana-mainnet.core.chainstack.com',
      auth: { rpc: 'basic', ws: 'basic', grpc: 'header:x-token' },
    },
  ],
  [
    `https://nd-123-456-789.p2pify.com/${KEY}`,
    'chainstack',
    { rpcUrl: 'https://nd-123-456-789.p2pify.com/{key}', wsUrl: 'wss://ws-nd-123-456-789.p2pify.com/{key}' },
  ],
  [`https://team.mainnet.rpcpool.com/${UUID}`, 'triton', TRITON],
  [`grpcs://team.mainnet.rpcpool.com/${UUID}`, 'triton', TRITON],
  [
    `https://rpc.ankr.com/solana/${KEY}`,
    'ankr',
    { rpcUrl: 'https://rpc.ankr.com/solana/{key}', wsUrl: 'wss://rpc.ankr.com/solana/ws/{key}' },
  ],
  [
    `wss://rpc.ankr.com/solana_devnet/ws/${KEY}`,
    'ankr',
    { rpcUrl: 'https://rpc.ankr.com/solana_devnet/{key}', wsUrl: 'wss://rpc.ankr.com/solana_devnet/ws/{key}' },
  ],
  [
    `https://lb.drpc.live/solana/${KEY}`,
    'drpc',
    { rpcUrl: 'https://lb.drpc.live/solana/{key}', wsUrl: 'wss://lb.drpc.live/solana/{key}' },
  ],
  [
    `https://lb.drpc.org/ogrpc?network=solana&dkey=${KEY}`,
    'drpc',
    {
      rpcUrl: 'https://lb.drpc.org/ogrpc?network=solana&dkey={key}',
      wsUrl: 'wss://lb.drpc.org/ogws?network=solana&dkey={key}',
    },
  ],
  [
    'https://solana-rpc.publicnode.com',
    'publicnode',
    {
      rpcUrl: 'https://solana-rpc.publicnode.com/',
      wsUrl: 'wss://solana-rpc.publicnode.com/',
      grpcUrl: 'https://solana-yellowstone-grpc.publicnode.com',
      auth: { rpc: 'none', ws: 'none', grpc: 'none' },
    },
  ],
  [`https://rpc.shyft.to?api_key=${KEY}`, 'shyft', SHYFT],
  ['https://grpc.fra.shyft.to', 'shyft', { ...SHYFT, grpcUrl: 'https://grpc.fra.shyft.to' }],
  [
    `https://edge.erpc.global?api-key=${UUID}`,
    'erpc',
    { rpcUrl: 'https://edge.erpc.global/?api-key={key}', wsUrl: 'wss://edge.erpc.global/?api-key={key}' },
  ],
  ['https://grpc-fra.erpc.global', 'erpc', { grpcUrl: 'https://grpc-fra.erpc.global', auth: { grpc: 'none' } }],
  [`https://go.getblock.io/${KEY}/`, 'getblock', { rpcUrl: 'https://go.getblock.io/{key}/' }],
  [`https://go.getblock.us/${KEY}`, 'getblock', { rpcUrl: 'https://go.getblock.us/{key}/' }],
  [
    `https://solana-mainnet.api.syndica.io/api-key/${KEY}`,
    'syndica',
    {
      rpcUrl: 'https://solana-mainnet.api.syndica.io/api-key/{key}',
      wsUrl: 'wss://solana-mainnet.api.syndica.io/api-key/{key}',
    },
  ],
  [
    `https://svc.blockdaemon.com/solana/mainnet/native?apiKey=${KEY}`,
    'blockdaemon',
    { rpcUrl: 'https://svc.blockdaemon.com/solana/mainnet/native?apiKey={key}' },
  ],
  [
    'https://api.devnet.solana.com',
    'public',
    {
      rpcUrl: 'https://api.devnet.solana.com/',
      wsUrl: 'wss://api.devnet.solana.com/',
      auth: { rpc: 'none', ws: 'none' },
    },
  ],
  [
    'localhost:8899',
    'validator',
    { rpcUrl: 'http://localhost:8899/', wsUrl: 'ws://localhost:8900/', auth: { rpc: 'none', ws: 'none' } },
  ],
  [
    'https://sender.helius-rpc.com/fast?swqos_only=true',
    'helius-sender',
    { swqosUrl: 'https://sender.helius-rpc.com/fast?swqos_only=true', auth: { swqos: 'none' } },
  ],
  [
    'https://frankfurt.mainnet.block-engine.jito.wtf/api/v1/transactions?bundleOnly=true',
    'jito',
    {
      swqosUrl: 'https://frankfurt.mainnet.block-engine.jito.wtf/api/v1/transactions?bundleOnly=true',
      auth: { swqos: 'none' },
    },
  ],
  [
    `https://mainnet.block-engine.jito.wtf/api/v1/transactions?uuid=${UUID}`,
    'jito',
    { swqosUrl: 'https://mainnet.block-engine.jito.wtf/api/v1/transactions?uuid={key}' },
  ],
  [`https://ams1.nozomi.temporal.xyz/?c=${UUID}`, 'nozomi', { swqosUrl: 'https://ams1.nozomi.temporal.xyz/?c={key}' }],
  [
    `https://fr.gateway.astralane.io/iris?api-key=${KEY}&method=sendTransaction`,
    'astralane',
    { swqosUrl: 'https://fr.gateway.astralane.io/iris?api-key={key}&method=sendTransaction' },
  ],
];

describe('an address of a provider', () => {
  for (const [text, provider, profile] of ROWS) {
    const secret = text.includes(KEY) ? KEY : text.includes(UUID) ? UUID : undefined;
    test(text.replace(KEY, 'KEY').replace(UUID, 'UUID'), () => {
      const { key, ...rest } = read(text);
      assert.deepEqual([rest.provider?.id, rest.profile], [provider, profile]);
      const wanted = text.includes('team:') ? `team:${KEY}` : secret;
      if (wanted !== undefined) assert.ok(key?.secret.equals(new Secret(wanted)));
      else if (!text.includes('docs-demo')) assert.equal(key, undefined);
      if (secret !== undefined) assert.ok(!inspect(read(text), { depth: 9 }).includes(secret));
      assert.deepEqual(readProfiles(exactly([{ name: 'p', ...profile }])), [{ profile: { name: 'p', ...profile } }]);
    });
  }

  test('of every provider in the table is among these', () => {
    const read_ = new Set(ROWS.map(([, id]) => id));
    assert.deepEqual(
      PROVIDERS.map(({ id }) => id).filter((id) => !read_.has(id)),
      [],
    );
  });

  test('is for one key where the provider has one for all interfaces', () => {
    assert.equal(read(`grpcs://team.mainnet.rpcpool.com/${UUID}`).key?.type, 'rpc');
    assert.equal(read(`https://ams1.nozomi.temporal.xyz/?c=${UUID}`).key?.type, 'swqos');
  });
});

describe('an unknown address', () => {
  const UNKNOWN: readonly (readonly [string, AddressReading['profile'], string?])[] = [
    ['https://rpc.example', { rpcUrl: 'https://rpc.example' }],
    ['rpc.example', { rpcUrl: 'https://rpc.example' }],
    ['https://rpc.example/', { rpcUrl: 'https://rpc.example/' }],
    ['wss://rpc.example', { wsUrl: 'wss://rpc.example' }],
    ['https://other.example/rpc/main?region=eu', { rpcUrl: 'https://other.example/rpc/main?region=eu' }],
    ['https://other.example/solana-mainnet-archive-2', { rpcUrl: 'https://other.example/solana-mainnet-archive-2' }],
    [`https://rpc.example/?api-key=${KEY}`, { rpcUrl: 'https://rpc.example/?api-key={key}' }, KEY],
    [`https://rpc.example/v2/${KEY}`, { rpcUrl: 'https://rpc.example/v2/{key}' }, KEY],
    ['https://rpc.example/v2/YOUR_API_KEY', { rpcUrl: 'https://rpc.example/v2/{key}' }],
    ['https://rpc.example/v2/{key}', { rpcUrl: 'https://rpc.example/v2/{key}' }],
    [`https://rpc.example/${KEY}/`, { rpcUrl: 'https://rpc.example/{key}/' }, KEY],
    ['https://me:pa%40ss@rpc.example/x', { rpcUrl: 'https://rpc.example/x', auth: { rpc: 'basic' } }, 'me:pa@ss'],
    ['https://me@rpc.example/x', { rpcUrl: 'https://rpc.example/x', auth: { rpc: 'basic' } }, 'me:'],
    [
      `grpcs://streams.example:10000?api_key=${KEY}`,
      { grpcUrl: 'https://streams.example:10000', auth: { grpc: 'query' } },
      KEY,
    ],
    [
      `https://grpc.rpc.example:10000/?x-token=${KEY}`,
      { grpcUrl: 'https://grpc.rpc.example:10000', auth: { grpc: 'header:x-token' } },
      KEY,
    ],
    ['https://grpc.rpc.example', { grpcUrl: 'https://grpc.rpc.example' }],
  ];
  for (const [text, profile, secret] of UNKNOWN)
    test(text.replace(KEY, 'KEY'), () => {
      const { key, ...rest } = read(text);
      assert.deepEqual([rest.provider, rest.profile], [undefined, profile]);
      assert.ok(secret === undefined ? key === undefined : key?.secret.equals(new Secret(secret)) === true);
      if (secret === KEY) assert.ok(!inspect(read(text), { depth: 9 }).includes(secret));
    });

  test('that is invalid is not read', () => {
    for (const text of ['', 'two words', 'ftp://rpc.test', 'https://', 'javascript:alert(1)', 'https://a b'])
      assert.equal(readAddress(text), undefined, text);
  });
});

test('an unknown address is probed at its own host: HTTPS, WebSocket and gRPC, with the key in the place it was pasted in', () => {
  const of = (text: string) => {
    const read = readAddress(text);
    assert.ok(read !== undefined);
    return probesOf(read).map(({ interface: face, url, auth }) => [face, url, ...(auth === undefined ? [] : [auth])]);
  };
  assert.deepEqual(of('wss://node.other.test:8443/main?token=k3y-0123456789abcdef'), [
    ['rpc', 'https://node.other.test:8443/main?token={key}'],
    ['ws', 'wss://node.other.test:8443/main?token={key}'],
    ['grpc', 'https://node.other.test:8443', 'header:x-token'],
  ]);
  assert.deepEqual(of('http://node.other.test/main'), [
    ['rpc', 'http://node.other.test/main'],
    ['ws', 'ws://node.other.test/main'],
    ['grpc', 'http://node.other.test'],
  ]);
  assert.deepEqual(of('grpcs://node.other.test'), [
    ['rpc', 'https://node.other.test/'],
    ['ws', 'wss://node.other.test/'],
    ['grpc', 'https://node.other.test'],
  ]);
});

test('of the probed interfaces those that are kept make the endpoint', () => {
  const read = readAddress('https://node.other.test/main?token=k3y-0123456789abcdef');
  assert.ok(read !== undefined);
  const kept = probesOf(read).filter((address) => address.interface !== 'ws');
  assert.deepEqual(profileOfProbes(kept), {
    rpcUrl: 'https://node.other.test/main?token={key}',
    grpcUrl: 'https://node.other.test',
    auth: { grpc: 'header:x-token' },
  });
});

test('a sender’s address joins an endpoint for its priority sends, and nothing else of the endpoint changes', () => {
  const endpoint = { name: 'mine', rpcUrl: 'https://mine.test/', auth: { rpc: 'none', swqos: 'bearer' } } as const;
  const keyless = readAddress('https://mainnet.block-engine.jito.wtf/api/v1/transactions');
  const keyed = readAddress('https://ams1.nozomi.temporal.xyz/?c=0123-4567-89ab');
  assert.ok(keyless !== undefined && keyed !== undefined);
  assert.deepEqual(withSender(endpoint, keyless), {
    name: 'mine',
    rpcUrl: 'https://mine.test/',
    swqosUrl: 'https://mainnet.block-engine.jito.wtf/api/v1/transactions',
    auth: { rpc: 'none', swqos: 'none' },
  });
  assert.deepEqual(withSender(endpoint, keyed), {
    name: 'mine',
    rpcUrl: 'https://mine.test/',
    swqosUrl: 'https://ams1.nozomi.temporal.xyz/?c={key}',
    auth: { rpc: 'none' },
  });
});
