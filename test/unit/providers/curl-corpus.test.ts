// curl commands as providers' documentation and dashboards write them: each ends in the provider's profile and in a block
// that says where its key goes, with the key apart.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readCurl } from '../../../core/curl/read';
import { parseDocument } from '../../../core/document/document';
import { diagnose } from '../../../core/language/checks/diagnostics';
import { Secret } from '../../../core/secret';
import { settle } from '../../../net/target/target';

const KEY = '3f7a9c1e5b2d48f6a0c4e8b1d7f3952a';
const WALLET = '83astBRguLMdt2h5U1Tpdq5tjFoJ6noeGwaY3mDLVcri';
const MINT = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';

/** Bodies as documentation has them, one line or several. */
const BODIES: readonly string[] = [
  '{"jsonrpc":"2.0","id":1,"method":"getSlot"}',
  '{"jsonrpc": "2.0","id": 1,"method": "getHealth"}',
  '{"method":"getVersion","params":[],"id":1,"jsonrpc":"2.0"}',
  `{ "jsonrpc": "2.0", "id": 1, "method": "getBalance", "params": ["${WALLET}"] }`,
  `{\n  "jsonrpc": "2.0",\n  "id": 1,\n  "method": "getAccountInfo",\n  "params": [\n    "${WALLET}",\n    { "encoding": "base58" }\n  ]\n}`,
  '{"jsonrpc":"2.0","id":1,"method":"getLatestBlockhash","params":[{"commitment":"processed"}]}',
  '{"jsonrpc":"2.0","id":1,"method":"getEpochInfo"}',
  '{"jsonrpc":"2.0","id":"1","method":"getBlockHeight","params":[]}',
  `{"jsonrpc":"2.0","id":1,"method":"getTokenSupply","params":["${MINT}"]}`,
  `{"id":1,"jsonrpc":"2.0","method":"getTokenAccountsByOwner","params":["${WALLET}",{"mint":"${MINT}"},{"encoding":"jsonParsed"}]}`,
  `{"jsonrpc":"2.0","id":1,"method":"getSignaturesForAddress","params":["${WALLET}",{"limit":1}]}`,
  '{"jsonrpc":"2.0","id":1,"method":"getGenesisHash"}',
  '{"jsonrpc":"2.0","id":1,"method":"getIdentity"}',
  '{"jsonrpc":"2.0","id":1,"method":"getInflationRate"}',
  '{"jsonrpc":"2.0","id":1,"method":"getSupply"}',
  '{"jsonrpc":"2.0","id":1,"method":"getTransactionCount"}',
  '{"jsonrpc":"2.0","id":1,"method":"getMinimumBalanceForRentExemption","params":[50]}',
  '{"jsonrpc":"2.0","id":1,"method":"getBlocks","params":[5,10]}',
  '{"jsonrpc":"2.0","id":1,"method":"getRecentPerformanceSamples","params":[4]}',
  `[{"jsonrpc":"2.0","id":1,"method":"getSlot"},{"jsonrpc":"2.0","id":2,"method":"getBalance","params":["${WALLET}"]}]`,
];

interface Row {
  readonly provider: string;
  /** The profile's rpcUrl. */
  readonly rpcUrl: string;
  /** Commands as they are written there, URL and body left open. */
  readonly styles: readonly string[];
  readonly urls: readonly string[];
}

const QUOTED = `curl -X POST 'URL' -H 'Content-Type: application/json' -d 'BODY'`;
const README = `curl --request POST \\\n     --url 'URL' \\\n     --header 'accept: application/json' \\\n     --header 'content-type: application/json' \\\n     --data 'BODY'`;

const ROWS: readonly Row[] = [
  {
    provider: 'helius',
    rpcUrl: 'https://mainnet.helius-rpc.com/?api-key={key}',
    styles: [
      `curl --request POST \\\n  --url 'URL' \\\n  --header 'Content-Type: application/json' \\\n  --data '\nBODY\n'`,
      `curl URL -X POST -H "Content-Type: application/json" -d 'BODY'`,
      QUOTED,
    ],
    urls: [
      `https://mainnet.helius-rpc.com/?api-key=${KEY}`,
      'https://mainnet.helius-rpc.com/?api-key=<api-key>',
      'https://mainnet.helius-rpc.com/?api-key=YOUR_API_KEY',
      `https://mainnet.helius-rpc.com?api-key=${KEY}`,
      'https://mainnet.helius-rpc.com/?api-key=$HELIUS_API_KEY',
    ],
  },
  {
    provider: 'quicknode',
    rpcUrl: 'https://docs-demo.solana-mainnet.quiknode.pro/{key}/',
    styles: [
      `curl URL \\\n  -X POST \\\n  -H "Content-Type: application/json" \\\n  --data 'BODY'`,
      `curl --location 'URL' \\\n--header 'Content-Type: application/json' \\\n--data 'BODY'`,
      README,
    ],
    urls: [
      `https://docs-demo.solana-mainnet.quiknode.pro/${KEY}/`,
      'https://docs-demo.solana-mainnet.quiknode.pro/',
      `https://docs-demo.solana-mainnet.quiknode.pro/${KEY}`,
    ],
  },
  {
    provider: 'alchemy',
    rpcUrl: 'https://solana-mainnet.g.alchemy.com/v2/{key}',
    styles: [README, `curl -X POST URL \\\n-H "Content-Type: application/json" \\\n-d 'BODY'`, QUOTED],
    urls: [
      `https://solana-mainnet.g.alchemy.com/v2/${KEY}`,
      'https://solana-mainnet.g.alchemy.com/v2/docs-demo',
      'https://solana-mainnet.g.alchemy.com/v2/<YOUR_API_KEY>',
      'https://solana-mainnet.g.alchemy.com/v2/${API_KEY}',
    ],
  },
  {
    provider: 'drpc',
    rpcUrl: 'https://lb.drpc.org/ogrpc?network=solana&dkey={key}',
    styles: [
      `curl --request POST \\\n--url 'URL' \\\n--header 'accept: application/json' \\\n--header 'content-type: application/json' \\\n--data '\nBODY\n'`,
      `curl -H "Content-Type: application/json" -X POST --data 'BODY' 'URL'`,
    ],
    urls: [
      `https://lb.drpc.org/ogrpc?network=solana&dkey=${KEY}`,
      'https://lb.drpc.org/ogrpc?network=solana&dkey=YOUR_DRPC_KEY',
      'https://lb.drpc.org/ogrpc?network=solana&dkey=insert_api_key_here',
    ],
  },
  {
    provider: 'chainstack',
    rpcUrl: 'https://nd-326-444-187.p2pify.com/{key}',
    styles: [README, `curl -X POST \\\n  -H "Content-Type: application/json" \\\n  -d 'BODY' URL`, QUOTED],
    urls: [`https://nd-326-444-187.p2pify.com/${KEY}`, `https://nd-326-444-187.p2pify.com/${KEY}/`],
  },
  {
    provider: 'ankr',
    rpcUrl: 'https://rpc.ankr.com/solana/{key}',
    styles: [
      `curl -X POST URL \\\n-H 'Content-Type: application/json' \\\n-d 'BODY'`,
      `curl --location --request POST 'URL' --header 'Content-Type: application/json' --data-raw 'BODY'`,
    ],
    urls: [
      `https://rpc.ankr.com/solana/${KEY}`,
      'https://rpc.ankr.com/solana/YOUR_ANKR_TOKEN',
      'https://rpc.ankr.com/solana',
      `https://rpc.ankr.com/solana/${KEY}/`,
    ],
  },
  {
    provider: 'getblock',
    rpcUrl: 'https://go.getblock.io/{key}/',
    styles: [
      `curl --location --request POST 'URL' \\\n--header 'Content-Type: application/json' \\\n--data-raw 'BODY'`,
      `curl --location 'URL' --header 'Content-Type: application/json' --data 'BODY'`,
      QUOTED,
    ],
    urls: [`https://go.getblock.io/${KEY}/`, 'https://go.getblock.io/<ACCESS-TOKEN>/', `https://go.getblock.io/${KEY}`],
  },
];

for (const { provider, rpcUrl, styles, urls } of ROWS)
  describe(`commands of ${provider}`, () => {
    for (const [index, body] of BODIES.entries()) {
      const url = urls[index % urls.length] ?? '';
      const command = (styles[index % styles.length] ?? '').replace('URL', () => url).replace('BODY', () => body);
      test(`${index + 1}: ${command.replace(KEY, 'KEY').replaceAll('\n', ' ').slice(0, 90)}`, () => {
        const pasted = readCurl(command);
        assert.equal(pasted.kind, 'block', JSON.stringify(pasted));
        const { text, endpoint, keys } = pasted;
        assert.deepEqual([endpoint.provider?.id, endpoint.profile.rpcUrl], [provider, rpcUrl]);
        const secret = url.includes(KEY) ? KEY : url.includes('docs-demo') && provider === 'alchemy' ? 'docs-demo' : '';
        assert.equal(keys.length, secret === '' ? 0 : 1);
        if (secret !== '') assert.ok(endpoint.key?.secret.equals(new Secret(secret)));
        assert.ok(!text.includes(KEY), text);
        assert.equal(text.split('\n')[1], `POST ${rpcUrl}`);
        const document = parseDocument('a.jsonrpc', 1, text);
        assert.deepEqual(
          diagnose({ document, surroundings: {} }).filter(({ problem }) => problem.severity === 'error'),
          [],
        );
        // The block goes to the endpoint that was made of it, with its key in its place.
        const placed = { profile: { name: 'p', ...endpoint.profile }, source: 'user' } as const;
        const target = settle(placed, { transport: 'POST', method: 'getSlot', url: rpcUrl, headers: [] });
        assert.ok(target.ok && target.value.auth === 'path' && target.value.profile === placed);
      });
    }
  });

describe('a command with its key in a header', () => {
  const URL_ = 'https://rpc.example/main';
  const rows: readonly (readonly [string, object, string])[] = [
    [`-H 'Authorization: Bearer ${KEY}'`, { rpcUrl: URL_ }, KEY],
    [`-H 'x-api-key: ${KEY}'`, { rpcUrl: URL_, auth: { rpc: 'header:x-api-key' } }, KEY],
    [`-H 'x-token: ${KEY}'`, { rpcUrl: URL_, auth: { rpc: 'header:x-token' } }, KEY],
    [`-u me:${KEY}`, { rpcUrl: URL_, auth: { rpc: 'basic' } }, `me:${KEY}`],
    [`-H 'Authorization: Basic ${btoa(`me:${KEY}`)}'`, { rpcUrl: URL_, auth: { rpc: 'basic' } }, `me:${KEY}`],
    [`--oauth2-bearer ${KEY}`, { rpcUrl: URL_ }, KEY],
  ];
  for (const [option, profile, secret] of rows)
    test(option.replace(KEY, 'KEY'), () => {
      const pasted = readCurl(`curl ${URL_} ${option} -d '${BODIES[0] ?? ''}'`);
      assert.equal(pasted.kind, 'block');
      assert.deepEqual(pasted.endpoint.profile, profile);
      assert.ok(pasted.endpoint.key?.secret.equals(new Secret(secret)));
      assert.ok(!pasted.text.includes(KEY));
    });

  test('takes the place of the provider’s parameter', () => {
    const pasted = readCurl(
      `curl -X POST https://svc.blockdaemon.com/solana/mainnet/native -H 'Authorization: Bearer ${KEY}' -d '${BODIES[0] ?? ''}'`,
    );
    assert.equal(pasted.kind, 'block');
    assert.deepEqual(pasted.endpoint.profile, {
      rpcUrl: 'https://svc.blockdaemon.com/solana/mainnet/native',
      auth: { rpc: 'bearer' },
    });
  });
});
