// Every provider in the terminal, under its own host name: each interface in exactly its form, a rotated key, a refused
// one; and nowhere else a request, nowhere a key in what is written. The forms are the providers' own, not our table's.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { readAddress } from '../../core/service/providers/address';
import { PROVIDERS } from '../../core/service/providers/table';
import { testWorkspace } from '../support/process/cli';
import { assertNoLeak, filesBelow, filesWith } from '../support/process/leaks';
import { startDoubles, type Doubles, type Form, type Refusal } from '../support/wire/providers';

/** Characters that a URL has to encode and a header has not. */
const KEY = '3f7a9c1e-5b2d+48f6/a0c4=e8b1';
const ROTATED = 'd1c2b3a4-9e8f+7a6b/5c4d=3e2f';
const WRONG = 'ffff0000-1111+2222/3333=4444';

interface Row {
  readonly name: string;
  readonly options: readonly string[];
  /** The forms with a key. */
  readonly forms: (key: string) => readonly Form[];
  /** The blocks that are run; where none of them sends a transaction, one more does, to the RPC address. */
  readonly blocks: readonly (keyof typeof BLOCKS)[];
  /** Variables that hold the key. */
  readonly variables: readonly string[];
  readonly refusal: Refusal;
}

const BLOCKS = {
  http: '### rpc\n{ "method": "getSlot" }\n?? result == 1\n',
  ws: '### ws\n# @until 1 messages or 20s\n{ "method": "slotSubscribe" }\n?? messages[0].slot == 2\n',
  grpc: '### grpc\nGRPC geyser.Geyser/GetVersion\n?? result.version == "1.2.3"\n',
  post: '### send\n{ "method": "sendTransaction", "params": ["AA==", { "encoding": "base64", "skipPreflight": true, "maxRetries": 0 }] }\n',
  send: '### send\nSWQOS\n{ "method": "sendTransaction", "params": ["AA==", { "encoding": "base64", "skipPreflight": true, "maxRetries": 0 }] }\n',
} as const;

const encoded = encodeURIComponent;
const http = (host: string, path: string, headers: Form['headers'] = {}): Form => ({
  kind: 'http',
  host,
  path,
  headers,
});
const pair = (host: string, path: string, headers: Form['headers'] = {}, wsPath = path): readonly Form[] => [
  http(host, path, headers),
  { kind: 'ws', host, path: wsPath, headers },
];
const grpc = (host: string, headers: Form['headers'] = {}): Form => ({ kind: 'grpc', host, path: '', headers });
const rpcError = (code: number, message: string): string =>
  `{"jsonrpc":"2.0","error":{"code":${code},"message":"${message}","data":{got}},"id":1}`;

const RPC_KEY = ['SOLANA_RPC_KEY'];
const ALL = ['http', 'ws', 'grpc'] as const;

const ROWS: readonly Row[] = [
  {
    name: 'the hosted service',
    options: [
      ...['--rpc-url', 'https://rpc.service.test/sol', '--ws-url', 'wss://rpc.service.test/ws/sol'],
      ...['--grpc-url', 'https://grpc.service.test'],
    ],
    forms: (key) => [
      ...pair('rpc.service.test', '/sol', { authorization: `Bearer ${key}` }, '/ws/sol'),
      http('rpc.service.test', `/sol?api_key=${encoded(key)}`, { authorization: `Bearer ${key}` }),
      grpc('grpc.service.test', { authorization: `Bearer ${key}` }),
    ],
    blocks: [...ALL, 'send'],
    variables: ['SOLANA_RPC_KEY', 'SOLANA_GRPC_KEY', 'SOLANA_SWQOS_KEY'],
    refusal: { status: 401, body: '{"error":{"code":401,"message":"invalid key","got":{got}}}' },
  },
  {
    name: 'Helius',
    options: ['--provider', 'helius'],
    forms: (key) => [
      ...pair('mainnet.helius-rpc.com', `/?api-key=${encoded(key)}`),
      grpc('laserstream-mainnet-ewr.helius-rpc.com', { 'x-token': key }),
      http('sender.helius-rpc.com', '/fast'),
    ],
    blocks: [...ALL, 'send'],
    variables: RPC_KEY,
    refusal: { status: 401, body: rpcError(-32401, 'Unauthorized: missing api key') },
  },
  {
    name: 'Helius devnet',
    options: ['--provider', 'helius:devnet'],
    forms: (key) => [
      ...pair('devnet.helius-rpc.com', `/?api-key=${encoded(key)}`),
      grpc('laserstream-devnet-ewr.helius-rpc.com', { 'x-token': key }),
    ],
    blocks: ALL,
    variables: RPC_KEY,
    refusal: { status: 401, body: rpcError(-32401, 'Unauthorized: missing api key') },
  },
  {
    name: 'QuickNode',
    options: ['--provider', 'quicknode', '--rpc-url', 'https://blue-moon.solana-mainnet.quiknode.pro/{key}/'],
    forms: (key) => [
      ...pair('blue-moon.solana-mainnet.quiknode.pro', `/${encoded(key)}/`),
      grpc('blue-moon.solana-mainnet.quiknode.pro:10000', { 'x-token': key }),
    ],
    blocks: ALL,
    variables: RPC_KEY,
    refusal: { status: 401, body: rpcError(-32009, 'Invalid token in the path') },
  },
  {
    name: 'Alchemy',
    options: ['--provider', 'alchemy'],
    forms: (key) => [
      ...pair('solana-mainnet.g.alchemy.com', `/v2/${encoded(key)}`),
      grpc('solana-mainnet.g.alchemy.com', { 'x-token': key }),
    ],
    blocks: ALL,
    variables: RPC_KEY,
    refusal: { status: 401, body: rpcError(-32600, 'Must be authenticated!') },
  },
  {
    name: 'Chainstack',
    options: ['--provider', 'chainstack'],
    forms: (key) => [
      ...pair('solana-mainnet.core.chainstack.com', `/${encoded(key)}`),
      grpc('yellowstone-solana-mainnet.core.chainstack.com', { 'x-token': key }),
    ],
    blocks: ALL,
    variables: ['SOLANA_RPC_KEY', 'SOLANA_GRPC_KEY'],
    refusal: { status: 403, body: '<html><h1>403 Forbidden</h1>{got}</html>' },
  },
  {
    name: 'Chainstack with user and password',
    options: [
      ...['--rpc-url', 'https://solana-mainnet.core.chainstack.com', '--auth', 'rpc=basic'],
      ...['--ws-url', 'wss://solana-mainnet.core.chainstack.com', '--auth', 'ws=basic'],
    ],
    forms: (key) =>
      pair('solana-mainnet.core.chainstack.com', '/', {
        authorization: `Basic ${Buffer.from(`me:${key}`).toString('base64')}`,
      }),
    blocks: ['http', 'ws'],
    variables: ['BASIC'],
    refusal: { status: 401, body: 'Unauthorized {got}' },
  },
  {
    name: 'Triton One',
    options: ['--provider', 'triton', '--rpc-url', 'https://team.mainnet.rpcpool.com/{key}'],
    forms: (key) => [
      ...pair('team.mainnet.rpcpool.com', `/${encoded(key)}`),
      grpc('team.mainnet.rpcpool.com', { 'x-token': key }),
    ],
    blocks: ALL,
    variables: RPC_KEY,
    refusal: { status: 403, body: '{"error":"Access forbidden","got":{got}}' },
  },
  {
    name: 'Ankr',
    options: ['--provider', 'ankr'],
    forms: (key) => pair('rpc.ankr.com', `/solana/${encoded(key)}`, {}, `/solana/ws/${encoded(key)}`),
    blocks: ['http', 'ws'],
    variables: RPC_KEY,
    refusal: { status: 403, body: '{"error":"token is not allowed","got":{got}}' },
  },
  {
    name: 'dRPC',
    options: ['--provider', 'drpc'],
    forms: (key) => pair('lb.drpc.live', `/solana/${encoded(key)}`),
    blocks: ['http', 'ws'],
    variables: RPC_KEY,
    refusal: { status: 403, body: '{"message":"token is invalid","code":4,"got":{got}}' },
  },
  {
    name: 'dRPC with dkey',
    options: ['--provider', 'drpc', '--rpc-url', 'https://lb.drpc.org/ogrpc?network=solana&dkey={key}'],
    forms: (key) =>
      pair(
        'lb.drpc.org',
        `/ogrpc?network=solana&dkey=${encoded(key)}`,
        {},
        `/ogws?network=solana&dkey=${encoded(key)}`,
      ),
    blocks: ['http', 'ws'],
    variables: RPC_KEY,
    refusal: { status: 403, body: '{"message":"token is invalid","code":4,"got":{got}}' },
  },
  {
    name: 'PublicNode',
    options: ['--provider', 'publicnode'],
    forms: () => [...pair('solana-rpc.publicnode.com', '/'), grpc('solana-yellowstone-grpc.publicnode.com')],
    blocks: ALL,
    variables: [],
    refusal: { status: 403, body: 'Forbidden {got}' },
  },
  {
    name: 'PublicNode with a token for gRPC',
    options: ['--provider', 'publicnode', '--auth', 'grpc=header:x-token'],
    forms: (key) => [
      ...pair('solana-rpc.publicnode.com', '/'),
      grpc('solana-yellowstone-grpc.publicnode.com', { 'x-token': key }),
    ],
    blocks: ALL,
    variables: ['SOLANA_GRPC_KEY'],
    refusal: { status: 403, body: 'Forbidden {got}' },
  },
  {
    name: 'Shyft',
    options: ['--provider', 'shyft'],
    forms: (key) => [
      ...pair('rpc.shyft.to', `/?api_key=${encoded(key)}`),
      grpc('grpc.ams.shyft.to', { 'x-token': key }),
    ],
    blocks: ALL,
    variables: ['SOLANA_RPC_KEY', 'SOLANA_GRPC_KEY'],
    refusal: { status: 401, body: '{"success":false,"message":"Authentication failed","got":{got}}' },
  },
  {
    name: 'ERPC',
    options: ['--provider', 'erpc'],
    forms: (key) => pair('edge.erpc.global', `/?api-key=${encoded(key)}`),
    blocks: ['http', 'ws'],
    variables: RPC_KEY,
    refusal: { status: 401, body: '{"error":"Invalid API key","got":{got}}' },
  },
  {
    name: 'GetBlock',
    options: ['--provider', 'getblock'],
    forms: (key) => [http('go.getblock.io', `/${encoded(key)}/`)],
    blocks: ['http'],
    variables: RPC_KEY,
    refusal: { status: 403, body: '{"error":"Access denied","got":{got}}' },
  },
  {
    name: 'Syndica',
    options: ['--provider', 'syndica'],
    forms: (key) => pair('solana-mainnet.api.syndica.io', `/api-key/${encoded(key)}`),
    blocks: ['http', 'ws'],
    variables: RPC_KEY,
    refusal: { status: 401, body: '{"error":"invalid API key","got":{got}}' },
  },
  {
    name: 'Blockdaemon',
    options: ['--provider', 'blockdaemon:testnet'],
    forms: (key) => [http('svc.blockdaemon.com', `/solana/testnet/native?apiKey=${encoded(key)}`)],
    blocks: ['http'],
    variables: RPC_KEY,
    refusal: { status: 401, body: '{"type":"unauthorized","detail":{got}}' },
  },
  {
    name: 'Blockdaemon by header',
    options: ['--rpc-url', 'https://svc.blockdaemon.com/solana/mainnet/native', '--auth', 'rpc=bearer'],
    forms: (key) => [http('svc.blockdaemon.com', '/solana/mainnet/native', { authorization: `Bearer ${key}` })],
    blocks: ['http'],
    variables: RPC_KEY,
    refusal: { status: 401, body: '{"type":"unauthorized","detail":{got}}' },
  },
  {
    name: 'a public cluster',
    options: ['--provider', 'public:devnet'],
    forms: () => pair('api.devnet.solana.com', '/'),
    blocks: ['http', 'ws'],
    variables: [],
    refusal: { status: 403, body: 'Forbidden {got}' },
  },
  {
    name: 'a private validator',
    options: ['--provider', 'validator', '--rpc-url', 'https://node.lan.test:8899/'],
    forms: () => [http('node.lan.test:8899', '/'), { kind: 'ws', host: 'node.lan.test:8900', path: '/' }],
    blocks: ['http', 'ws'],
    variables: [],
    refusal: { status: 403, body: 'Forbidden {got}' },
  },
  {
    name: 'an unknown provider',
    options: [
      ...['--rpc-url', 'https://rpc.other.test/main?region=eu&id={key}', '--grpc-url', 'https://grpc.other.test'],
      ...['--auth', 'grpc=header:x-api-key'],
    ],
    forms: (key) => [
      http('rpc.other.test', `/main?region=eu&id=${encoded(key)}`),
      grpc('grpc.other.test', { 'x-api-key': key }),
    ],
    blocks: ['http', 'grpc'],
    variables: ['SOLANA_RPC_KEY', 'SOLANA_GRPC_KEY'],
    refusal: { status: 401, body: '{got}' },
  },
  ...(
    [
      [
        'Jito',
        'https://mainnet.block-engine.jito.wtf/api/v1/transactions',
        () => '/api/v1/transactions',
        ['swqos=none'],
      ],
      [
        'Jito with a uuid',
        'https://ny.mainnet.block-engine.jito.wtf/api/v1/transactions?uuid={key}',
        (key) => `/api/v1/transactions?uuid=${encoded(key)}`,
        [],
      ],
      [
        'Jito with its header',
        'https://mainnet.block-engine.jito.wtf/api/v1/transactions',
        () => '/api/v1/transactions',
        ['swqos=header:x-jito-auth'],
      ],
      ['Nozomi', 'https://ams1.nozomi.temporal.xyz/?c={key}', (key) => `/?c=${encoded(key)}`, []],
      ['Astralane', 'https://fr.gateway.astralane.io/iris?api-key={key}', (key) => `/iris?api-key=${encoded(key)}`, []],
    ] as readonly (readonly [string, string, (key: string) => string, readonly string[]])[]
  ).map(([name, url, path, auth]): Row => {
    const header = auth.some((form) => form.includes('header'));
    const isKeyed = header || url.includes('{key}');
    return {
      name,
      options: ['--provider', 'helius', '--swqos-url', url, ...auth.flatMap((form) => ['--auth', form])],
      forms: (key) => [
        ...pair('mainnet.helius-rpc.com', `/?api-key=${encoded(key)}`),
        http(new URL(url).host, path(key), header ? { 'x-jito-auth': key } : {}),
      ],
      blocks: ['send'],
      variables: isKeyed ? ['SOLANA_RPC_KEY', 'SOLANA_SWQOS_KEY'] : RPC_KEY,
      refusal: { status: 401, body: rpcError(-32602, 'Invalid auth key') },
    };
  }),
];

const blocksOf = ({ blocks }: Row): Row['blocks'] => (blocks.includes('send') ? blocks : [...blocks, 'post']);

test('every provider of the table has a suite', () => {
  const addresses = ROWS.flatMap(({ forms }) => forms(KEY)).filter(({ kind }) => kind !== 'grpc');
  const found = addresses.map(
    ({ kind, host, path }) => readAddress(`${kind === 'ws' ? 'wss' : 'https'}://${host}${path}`)?.provider?.id,
  );
  for (const { id } of PROVIDERS) assert.ok(found.includes(id), id);
});

const work = testWorkspace();
let doubles: Doubles;

before(async () => {
  const hosts = ROWS.flatMap(({ forms }) => forms(KEY).map(({ host }) => host));
  doubles = await startDoubles([...new Set(hosts)]);
});
after(() => doubles.close());

const environment = ({ variables }: Row, key: string): Record<string, string> => ({
  ...doubles.env,
  ...Object.fromEntries(variables.map((name) => (name === 'BASIC' ? ['SOLANA_RPC_KEY', `me:${key}`] : [name, key]))),
});

async function run(row: Row, key: string): Promise<{ code: number | null; text: string }> {
  const blocks = blocksOf(row).map((block) => `${BLOCKS[block]}>>! ${block}.saved\n`);
  work.write('all.jsonrpc', blocks.join('\n'));
  const temporary = await work.folder('temporary');
  const { code, stdout, stderr } = await work.run(
    ['run', 'all.jsonrpc', ...row.options, '--json', '--timeout', '20s', '--junit', 'report.xml'],
    { env: { ...environment(row, key), TMPDIR: temporary } },
  );
  const text = stdout + stderr;
  assertNoLeak(text, [key, `me:${key}`], 'the output');
  assert.match(work.read('report.xml'), /<testsuite /);
  if (code === 0) for (const block of blocksOf(row)) assert.notEqual(work.read(`${block}.saved`), '', block);
  // Home, configuration, working directory and temporary files: all of it is below this folder.
  assert.deepEqual(filesWith(work.root, [key, `me:${key}`]), []);
  assert.deepEqual([...filesBelow(temporary)], []);
  return { code, text };
}

/** Some interface that is used takes a key. */
const isRefusing = ({ blocks, variables }: Row): boolean =>
  variables.length > (blocks.length === 1 && blocks[0] === 'send' ? 1 : 0);

for (const row of ROWS)
  describe(row.name, () => {
    test('gets each request in its own form, and a rotated key from the next run on', async () => {
      for (const key of [KEY, ROTATED]) {
        doubles.serve(row.forms(key), row.refusal);
        const { code, text } = await run(row, key);
        assert.equal(code, 0, `${text}\n${JSON.stringify(doubles.seen)}`);
        assert.deepEqual(
          doubles.seen.filter(({ accepted }) => !accepted),
          [],
        );
        const kinds = new Set(
          doubles.seen.map(({ kind, body }) => (body.includes('"sendTransaction"') ? 'send' : kind)),
        );
        for (const block of blocksOf(row)) assert.ok(kinds.has(block === 'post' ? 'send' : block), block);
        const hosts = new Set(row.forms(key).map(({ host }) => (host.includes(':') ? host : `${host}:443`)));
        for (const place of doubles.connected) assert.ok(hosts.has(place), place);
      }
    });

    if (isRefusing(row))
      test('refuses another key, which shows nowhere though the refusal repeats it', async () => {
        doubles.serve(row.forms(KEY), row.refusal);
        const { code, text } = await run(row, WRONG);
        assert.equal(code, 3, text);
        assert.match(text, /keyRejected|wrongKeyType|forbidden|network|"rpc"/i);
        const sends = doubles.seen.filter(({ body }) => body.includes('"sendTransaction"'));
        assert.ok(sends.length <= 1, 'a send is never repeated');
      });
  });
