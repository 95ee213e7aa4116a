// `check` flags a key in a URL exactly where `run` refuses it, and its fix leaves a request that holds none.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parseDocument } from '../../../core/requests/document/document';
import { diagnose } from '../../../core/requests/checks/diagnostics';
import { Scope } from '../../../core/requests/document/variables/variables';
import { copyOffers } from '../../../core/requests/language/features/copyAs';
import { createLanguageService } from '../../../core/requests/language/service';
import { secretEdits } from '../../../core/requests/checks/fixes/secretFix';
import { PROVIDERS } from '../../../core/service/providers/table';
import { settle } from '../../../net/target/target';

const KEY = '3f7a9c1e5b2d48f6a0c4e8b1d7f3952a';
const MINT = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';

const HELD: readonly string[] = [
  ...['api_key', 'api-key', 'apikey', 'API_KEY', 'x-token', 'token', 'access_token', 'api%5Fkey', 'key'].map(
    (name) => `https://rpc.example/?${name}=${KEY}`,
  ),
  'https://rpc.example/?api-key=short',
  `https://rpc.example/sol?region=eu&api_key=${KEY}`,
  `https://rpc.example/v2/${KEY}`,
  'https://rpc.example/7b1c2d3e-4f5a-6b7c-8d9e-0f1a2b3c4d5e/',
  `https://me:${KEY}@rpc.example/sol`,
  'https://me@rpc.example/sol',
  `https://lb.drpc.org/ogrpc?network=solana&dkey=${KEY}`,
  'https://ams1.nozomi.temporal.xyz/?c=abc',
  'https://mainnet.block-engine.jito.wtf/api/v1/bundles?uuid=abc',
  'https://solana-mainnet.g.alchemy.com/v2/docs-demo',
  'https://rpc.ankr.com/solana/abc',
  ...PROVIDERS.flatMap(({ forms }) =>
    forms.flatMap(({ addresses, values }) =>
      [addresses.rpc, addresses.swqos].flatMap((address) =>
        address?.url.includes('{key}') === true
          ? [
              address.url
                .replace('{key}', KEY)
                .replace(/\{(\w+)\}/g, (_, name: string) => values?.[name]?.[0] ?? 'blue'),
            ]
          : [],
      ),
    ),
  ),
];

const CLEAN: readonly string[] = [
  'https://rpc.example/sol',
  'https://rpc.example/?api-key={key}',
  'https://solana-mainnet.g.alchemy.com/v2/{key}',
  'https://solana-mainnet.g.alchemy.com/v2/',
  `https://rpc.example/accounts/${MINT}`,
  'https://rpc.example/solana-mainnet-archive-2024/main',
  'https://rpc.example/?c=5&uuid=abc&region=eu',
  'https://mainnet.helius-rpc.com/',
  `http://127.0.0.1:8899/${KEY}`,
  'https://rpc.example/?api_key=',
];

const textOf = (url: string): string => `### A\nPOST ${url}\n\n{ "method": "getSlot" }\n`;

/** The block without the key that `check` finds in it; undefined where it finds none. */
function fixed(url: string): string | undefined {
  const document = parseDocument('a.jsonrpc', 1, textOf(url));
  const found = diagnose({ document, surroundings: {} }).find(({ problem }) => problem.code === 'secret-in-file');
  if (found === undefined) return undefined;
  let { text } = found.placed.block;
  for (const { span, text: other } of secretEdits(found.placed.block, found.problem.span))
    text = text.slice(0, span.start) + other + text.slice(span.end);
  return text;
}

/** The refusal for a key that is written out, and no other one. */
function refused(url: string): boolean {
  const target = settle(undefined, { transport: 'POST', method: 'getSlot', url, headers: [] });
  return !target.ok && /holds a (?:key|user name)/.test(target.error.message);
}

describe('a key in a URL', () => {
  for (const url of HELD)
    test(`${url.replace(KEY, 'KEY')} is refused by run, flagged by check, and fixed`, () => {
      assert.ok(refused(url));
      const text = fixed(url);
      assert.ok(text !== undefined);
      const after = /POST (\S+)/.exec(text)?.[1] ?? '';
      assert.ok(!text.includes(KEY), text);
      assert.ok(!refused(after), after);
      assert.equal(fixed(after), undefined);
    });
});

describe('no key in a URL', () => {
  for (const url of CLEAN)
    test(url.replace(KEY, 'KEY'), () => {
      assert.equal(refused(url), false);
      assert.equal(fixed(url), undefined);
    });
});

describe('a key in the URL of a variable', () => {
  const USE = '### A\nPOST {{url}}\n\n{ "method": "getSlot" }\n';
  const HOLDING: readonly (readonly [url: string, fixes: readonly string[]])[] = [
    [`https://rpc.example/?api-key=${KEY}`, ['Change to {key}']],
    [`"https://rpc.example/?a=1&api-key=${KEY}"`, ['Change to {key}']],
    [`https://solana-mainnet.g.alchemy.com/v2/${KEY}`, ['Change to {key}']],
    [`https://${KEY}@rpc.example/sol`, []],
  ];
  const IN_FILES: readonly (readonly [what: string, after: string])[] = [
    ['that is used', USE],
    ['that another variable is made of', `@other = {{url}}\n${USE.replace('url', 'other')}`],
    ['that no request uses', '### A\n{ "method": "getSlot" }\n'],
    ['of a file that others import', ''],
  ];
  for (const [what, after] of IN_FILES)
    for (const [url, fixes] of HOLDING)
      test(`${what}, ${url.replace(KEY, 'KEY')}, is reported once, at the definition`, () => {
        const text = `@url = ${url}\n${after}`;
        const service = createLanguageService({ surroundings: () => ({}), log: (message) => assert.fail(message) });
        const found = service
          .findings(parseDocument('a.jsonrpc', 1, text))
          .filter(({ diagnostic }) => diagnostic.code === 'secret-in-file')
          .map(({ diagnostic: { range }, fixes: offered }) => [
            range.start.line,
            text.slice(range.start.character, range.end.character),
            offered,
          ]);
        assert.deepEqual(found, [[0, KEY, fixes]]);
      });

  for (const [what, after] of IN_FILES)
    test(`that another variable is, ${what}, is reported where both are defined`, () => {
      const text = `@key = ${KEY}\n@url = https://rpc.example/?api-key={{key}}\n${after}`;
      const document = parseDocument('a.jsonrpc', 1, text);
      const found = diagnose({ document, surroundings: {} })
        .filter(({ problem }) => problem.code === 'secret-in-file')
        .map(({ placed, problem: { span } }) => placed.block.text.slice(span.start, span.end));
      assert.deepEqual(found.toSorted(), [KEY, '{{key}}']);
    });

  test('from the environment is reported at the definition, since run refuses it too', () => {
    const text = '@url = https://rpc.example/?api-key={{$processEnv RPC_KEY}}\n### A\n{ "method": "getSlot" }\n';
    const found = diagnose({ document: parseDocument('a.jsonrpc', 1, text), surroundings: {} });
    assert.equal(found.filter(({ problem }) => problem.code === 'secret-in-file').length, 1);
  });

  test('a request that uses it is not copied', () => {
    const document = parseDocument('a.jsonrpc', 1, `@url = https://rpc.example/?api-key=${KEY}\n${USE}`);
    const [, placed = assert.fail()] = document.blocks;
    assert.equal(copyOffers(new Scope(document, {}), placed, undefined).kind, 'refused');
  });

  test('addresses of other things are not taken for keys', () => {
    for (const url of [
      'https://arweave.net/Zz9aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5bC7d',
      'https://rpc.example/?api-key={key}',
      'see ?api-key=1',
    ]) {
      const document = parseDocument('a.jsonrpc', 1, `@uri = ${url}\n### A\n{ "method": "getSlot" }\n`);
      assert.deepEqual(
        diagnose({ document, surroundings: {} }).filter(({ problem }) => problem.code === 'secret-in-file'),
        [],
      );
    }
  });
});

describe('a key in a URL out of a variable', () => {
  /** The fixes of what `check` finds in the line; `filled` is what `run` makes of it. */
  function judged(line: string, filled: string): readonly (readonly string[])[] {
    assert.ok(refused(filled), filled);
    const service = createLanguageService({ surroundings: () => ({}), log: (message) => assert.fail(message) });
    const text = `@key = {{$processEnv RPC_KEY}}\n@host = https://rpc.example\n### A\n${line}\n\n{ "method": "getSlot" }\n`;
    const document = parseDocument('a.jsonrpc', 1, text);
    return service
      .findings(document)
      .filter(({ diagnostic }) => diagnostic.code === 'secret-in-file')
      .map(({ fixes }) => fixes);
  }

  test('in a query, a path, a user name or a whole URL is flagged as run refuses it', () => {
    const toPlace = [['Change to {key}']];
    assert.deepEqual(judged('POST {{host}}/?api-key={{key}}', `https://rpc.example/?api-key=${KEY}`), toPlace);
    assert.deepEqual(
      judged('POST https://solana-mainnet.g.alchemy.com/v2/{{key}}', `https://solana-mainnet.g.alchemy.com/v2/${KEY}`),
      toPlace,
    );
    assert.deepEqual(judged('POST https://{{key}}@rpc.example/sol', `https://${KEY}@rpc.example/sol`), [[]]);
  });
});
