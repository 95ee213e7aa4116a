// The endpoint of a command line: URLs, forms and providers; bad values list the good ones and are not repeated.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { UsageError } from '../../../cli/exit';
import { readArguments } from '../../../cli/options';
import { resolveEndpoints } from '../../../cli/session/endpoints';
import { AUTH_FORMS } from '../../../core/service/keys/authForm';
import { PROVIDERS } from '../../../core/service/providers/table';
import { Secret } from '../../../core/service/keys/secret';
import { connectSettings } from '../../../net/connect/environment';
import { settleInterface } from '../../../net/target/target';

const KEYS = new Map([['rpc', new Secret('k')]] as const);
const endpoints = (...options: string[]) =>
  resolveEndpoints(
    readArguments('run', ['a.jsonrpc', ...options]),
    { XDG_CONFIG_HOME: '/nonexistent' },
    '/nonexistent',
    KEYS,
  );

async function refusal(...options: string[]): Promise<string> {
  try {
    await endpoints(...options);
  } catch (error) {
    assert.ok(error instanceof UsageError);
    return error.message;
  }
  return assert.fail(`taken: ${options.join(' ')}`);
}

describe('how a key travels', () => {
  const rows: readonly (readonly [readonly string[], string, string])[] = [
    [['--rpc-url', 'https://h.test/?api-key={key}'], 'path', 'https://h.test/?api-key={key}'],
    [['--rpc-url', 'https://h.test/v2/{key}'], 'path', 'https://h.test/v2/{key}'],
    [['--rpc-url', 'https://h.test/'], 'bearer', 'https://h.test/'],
    [['--rpc-url', 'https://h.test/', '--auth', 'rpc=query:id'], 'query:id', 'https://h.test/'],
    [['--rpc-url', 'https://h.test/', '--auth', 'rpc=header:x-token'], 'header:x-token', 'https://h.test/'],
    [['--rpc-url', 'https://h.test/', '--auth=rpc=none'], 'none', 'https://h.test/'],
    [['--rpc-url', 'https://mainnet.helius-rpc.com'], 'path', 'https://mainnet.helius-rpc.com/?api-key={key}'],
    [['--rpc-url', 'https://solana-mainnet.g.alchemy.com/v2'], 'path', 'https://solana-mainnet.g.alchemy.com/v2/{key}'],
    [['--provider', 'syndica'], 'path', 'https://solana-mainnet.api.syndica.io/api-key/{key}'],
    [['--provider', 'HELIUS:devnet'], 'path', 'https://devnet.helius-rpc.com/?api-key={key}'],
  ];
  for (const [options, auth, url] of rows)
    test(options.join(' '), async () => {
      const { active, keyOrigins } = await endpoints(...options);
      assert.ok(active !== undefined);
      const target = settleInterface(active, 'rpc');
      assert.ok(target.ok);
      assert.equal(target.value.auth, auth);
      assert.equal(decodeURIComponent(target.value.url.href), url);
      assert.ok(keyOrigins.has(target.value.origin));
    });

  test('a provider’s origins are all named by its name', async () => {
    const { keyOrigins } = await endpoints('--provider', 'helius');
    assert.deepEqual([...keyOrigins].sort(), [
      'https://laserstream-mainnet-ewr.helius-rpc.com',
      'https://mainnet.helius-rpc.com',
      'https://sender.helius-rpc.com',
      'wss://mainnet.helius-rpc.com',
    ]);
  });

  test('a sender has its own address, and the RPC address stays', async () => {
    const { active } = await endpoints('--rpc-url', 'https://h.test/', '--swqos-url', 'https://s.test/?c={key}');
    assert.ok(active !== undefined);
    const target = settleInterface(active, 'swqos');
    assert.ok(target.ok);
    assert.deepEqual(
      [target.value.origin, target.value.auth, target.value.interface, target.value.beside],
      ['https://s.test', 'path', 'swqos', undefined],
    );
  });
});

describe('a bad value', () => {
  test('of --auth lists interfaces and forms', async () => {
    for (const bad of ['bearer', 'http=bearer', '=bearer', 'rpc'])
      assert.match(await refusal('--rpc-url', 'https://h.test/', '--auth', bad), /rpc, ws, grpc, rest, swqos/);
    for (const bad of ['rpc=Bearer', 'rpc=header:', 'rpc=', 'rpc=token'])
      assert.ok((await refusal('--rpc-url', 'https://h.test/', '--auth', bad)).includes(AUTH_FORMS));
    assert.match(await refusal('--rpc-url', 'https://h.test/', '--auth', 'grpc=bearer'), /--grpc-url/);
    assert.match(await refusal('--rpc-url', 'https://h.test/', '--auth', 'rpc=none', '--auth', 'rpc=query'), /twice/);
    assert.match(await refusal('--auth', 'rpc=none'), /--rpc-url/);
  });

  test('of --auth that may be a key is not repeated', async () => {
    const key = '3f7a9c1e5b2d48f6a0c4e8b1d7f3952a';
    for (const bad of [key, `rpc=${key}`])
      assert.ok(!(await refusal('--rpc-url', 'https://h.test/', '--auth', bad)).includes(key), bad);
  });

  test('of --provider lists the providers, their clusters, or the address that is needed', async () => {
    const message = await refusal('--provider', 'nobody');
    for (const { id } of PROVIDERS) assert.ok(message.includes(id), id);
    assert.match(await refusal('--provider', 'helius:testnet'), /helius:mainnet, helius:devnet/);
    assert.match(await refusal('--provider', 'quicknode'), /--rpc-url 'https:\/\/\{name\}\.solana-mainnet/);
    assert.match(await refusal('--provider', 'hosted'), /--rpc-url 'https:\/\/\{host\}\/sol'/);
  });

  test('of a URL option says what it takes', async () =>
    assert.match(await refusal('--swqos-url', 'h.test'), /--swqos-url takes a complete URL/));
});

describe('the proxy of the environment', () => {
  const proxyOf = (environment: Record<string, string>) => {
    const settings = connectSettings(environment);
    assert.ok(settings.ok);
    return settings.value.proxy;
  };
  test('is HTTPS_PROXY, else ALL_PROXY, in small letters first', () => {
    assert.equal(proxyOf({}), undefined);
    assert.equal(proxyOf({ ALL_PROXY: 'http://a:1' })?.url, 'http://a:1');
    assert.equal(
      proxyOf({ ALL_PROXY: 'http://a:1', HTTPS_PROXY: 'b:2', https_proxy: 'https://c:3' })?.url,
      'https://c:3',
    );
    assert.equal(proxyOf({ HTTP_PROXY: 'http://a:1' }), undefined);
  });
  test('keeps its user and password apart, and knows hosts that need none', () => {
    const proxy = proxyOf({ HTTPS_PROXY: 'http://me:p%40ss@a:1', NO_PROXY: 'x.test, .y.test' });
    assert.equal(proxy?.url, 'http://a:1');
    assert.ok(proxy.credentials?.equals(new Secret('me:p@ss')));
    assert.deepEqual(proxy.noProxy, ['x.test', '.y.test']);
  });
  test('takes a user and password with "%" as they are given', () => {
    for (const [written, given] of [
      ['me:50%', 'me:50%'],
      ['me:a%zz%41', 'me:a%zzA'],
      ['me:%ff', 'me:%ff'],
      ['m%:ü%', 'm%:ü%'],
      ['me:100%25', 'me:100%'],
      ['me', 'me:'],
    ] as const) {
      const proxy = proxyOf({ HTTPS_PROXY: `http://${written}@a:1` });
      assert.equal(proxy?.url, 'http://a:1');
      assert.ok(proxy.credentials?.equals(new Secret(given)), written);
    }
  });
  test('with an invalid address is refused', () => {
    for (const bad of ['socks5://a:1', 'http://', 'ftp://a'])
      assert.equal(connectSettings({ HTTPS_PROXY: bad }).ok, false);
  });
});
