// Where a request goes and which form a key may travel in, before anything is sent.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { EndpointProfile, PlacedProfile, ProfileSource } from '../../core/service/profiles/profile';
import type { SendTarget } from '../../net/api';
import { isLoopback, originOf, sameOrigin } from '../../core/service/profiles/origin';
import { profileFor, settle, settleInterface } from '../../net/target/target';
import { request } from '../support/wire/wire';

const HOME = 'https://rpc.example.com';

/** Written by a hostile hand to look like HOME; none is. */
const LOOK_ALIKES = [
  'http://rpc.example.com',
  'http://rpc.example.com:443',
  'ws://rpc.example.com',
  'wss://rpc.example.com',
  'ftp://rpc.example.com',
  'https://rpc.example.com:8443',
  'https://rpc.example.com:80',
  'https://rpc.example.com:4430',
  'https://rpc.example.com.',
  'https://rpc.example.com..',
  'https://rpc.example.com.attacker.test',
  'https://attacker.test/rpc.example.com',
  'https://attacker.test?rpc.example.com',
  'https://attacker.test#rpc.example.com',
  'https://attacker.test#@rpc.example.com',
  'https://attacker.test/@rpc.example.com',
  'https://rpc.example.com@attacker.test',
  'https://rpc.example.com:443@attacker.test',
  'https://rpc.example.com%40attacker.test',
  'https://rpc.example.com%2eattacker.test',
  'https://attacker.test\\@rpc.example.com',
  'https://attacker.test\\.rpc.example.com',
  'https://xrpc.example.com',
  'https://rpc-example.com',
  'https://rpcexample.com',
  'https://example.com',
  'https://sub.rpc.example.com',
  'https://rpc.example.com-attacker.test',
  'https://rpc.example.comattacker.test',
  'https://rpc.example.co',
  'https://rpc.example.org',
  'https://rpc.examp1e.com',
  'https://rpс.example.com', // Cyrillic "es"
  'https://rpc.еxample.com', // Cyrillic "ie"
  'https://rpc.exаmple.com', // Cyrillic "a"
  'https://xn--rp-8lc.example.com',
  'https://rpc.example.com\u200d.test',
  'https://rpc。example.com.attacker.test', // ideographic full stop
  'https://[::ffff:93.184.216.34]',
  'https://[::ffff:7f00:1]',
  'https://93.184.216.34',
  'https:rpc.example.com.attacker.test',
  '//rpc.example.com',
  'rpc.example.com',
  'file:///rpc.example.com',
  'javascript://rpc.example.com',
  'data:text/plain,https://rpc.example.com',
  'blob:https://rpc.example.com/id',
  'https://',
  '',
  'null',
];

/** The same place, written in other ways. */
const SAME = [
  'https://rpc.example.com/',
  'https://rpc.example.com:443',
  'https://rpc.example.com:0443/sol',
  'HTTPS://RPC.Example.COM/sol?x=1',
  'https://rpc.example.com/../../sol',
  'https://rpc%2Eexample.com/sol',
  'https://rpc.example。com', // the URL standard maps the ideographic full stop to "."
];

const LOOPBACK_LOOK_ALIKES = [
  ['http://127.0.0.1:80', 'http://127.0.0.1:8080'],
  ['http://127.0.0.1', 'http://localhost'],
  ['http://127.0.0.1', 'http://[::1]'],
  ['http://127.0.0.1', 'http://[::ffff:127.0.0.1]'],
  ['http://[::1]', 'http://[::ffff:0:1]'],
  ['http://localhost', 'http://localhost.'],
  ['http://localhost', 'http://localhost.attacker.test'],
] as const;

describe('origins', () => {
  for (const url of LOOK_ALIKES)
    test(`${JSON.stringify(url)} is not ${HOME}`, () => assert.equal(sameOrigin(HOME, url), false));
  for (const url of SAME) test(`${JSON.stringify(url)} is ${HOME}`, () => assert.equal(sameOrigin(HOME, url), true));
  for (const [left, right] of LOOPBACK_LOOK_ALIKES)
    test(`${left} is not ${right}`, () => assert.equal(sameOrigin(left, right), false));
  test('an origin is written as URL writes it', () =>
    assert.equal(originOf('HTTPS://Rpc.Example.com:443/sol?x'), 'https://rpc.example.com'));
});

function settled(
  profile: Partial<EndpointProfile>,
  change: Parameters<typeof request>[0] = {},
  source: ProfileSource = 'user',
): SendTarget {
  const result = settle({ profile: { name: 'p', ...profile }, source }, request(change));
  assert.ok(result.ok, result.ok ? '' : result.error.message);
  return result.value;
}

function refused(
  profile: Partial<EndpointProfile>,
  change: Parameters<typeof request>[0] = {},
  source: ProfileSource = 'user',
): string {
  const result = settle({ profile: { name: 'p', ...profile }, source }, request(change));
  assert.equal(result.ok, false);
  if (result.ok) return '';
  assert.equal(result.error.kind, 'invalidRequest');
  assert.ok(result.error.hint !== undefined);
  return result.error.message;
}

const RPC = 'https://rpc.example.com/sol';
const PLACED = { profile: { name: 'p', rpcUrl: RPC }, source: 'user' } as const;

describe('settling a target', () => {
  test('a request goes to the profile by default, its key as Bearer', () => {
    const target = settled({ rpcUrl: RPC });
    assert.equal(target.url.href, RPC);
    assert.deepEqual([target.origin, target.auth, target.keyType, target.interface], [HOME, 'bearer', 'rpc', 'rpc']);
  });

  test('a URL on the request line replaces the profile’s, and its origin is what a key must be stored for', () => {
    const target = settled({ rpcUrl: RPC }, { url: 'https://other.example.com/x' });
    assert.equal(target.origin, 'https://other.example.com');
  });

  test('each transport has its interface and key type', () => {
    const profile = { rpcUrl: RPC, wsUrl: 'wss://rpc.example.com/ws/sol', grpcUrl: 'https://grpc.example.com' };
    const facts = (['POST', 'WS', 'GRPC', 'SWQOS'] as const).map((transport) => {
      const target = settled(profile, { transport, method: 'sendTransaction' });
      return [target.interface, target.keyType, target.url.protocol];
    });
    assert.deepEqual(facts, [
      ['rpc', 'rpc', 'https:'],
      ['ws', 'rpc', 'wss:'],
      ['grpc', 'grpc', 'https:'],
      ['rpc', 'swqos', 'https:'],
    ]);
  });

  test('the usage interface is settled from restUrl', () => {
    const result = settleInterface({ profile: { name: 'p', restUrl: HOME }, source: 'user' }, 'rest');
    assert.ok(result.ok && result.value.interface === 'rest' && result.value.keyType === 'rpc');
  });

  test('without an endpoint and a URL nothing is sent', () => {
    const result = settle(undefined, request());
    assert.ok(!result.ok && result.error.kind === 'noEndpoint');
  });

  test('a profile without the URL of an interface says which one is missing', () =>
    assert.match(refused({ rpcUrl: RPC }, { transport: 'WS' }), /wsUrl/));

  for (const url of ['nonsense', 'ftp://h/', 'wss://h/', '/sol', 'https://', 'file:///etc/passwd'])
    test(`the URL ${JSON.stringify(url)} is refused`, () => void refused({ rpcUrl: url }));

  for (const name of ['api_key', 'api-key', 'apikey', 'API_KEY', 'x-token', 'token', 'access_token', 'api%5Fkey'])
    test(`a key in the query as ${name} is refused and not repeated`, () => {
      const message = refused({ rpcUrl: RPC }, { url: `https://rpc.example.com/sol?${name}=s3cr3tvalue` });
      assert.doesNotMatch(message, /s3cr3t/);
      assert.match(message, /rpc\.example\.com/);
    });

  test('a key in the query of a profile is refused', () => void refused({ rpcUrl: `${RPC}?api_key=s3cr3tvalue` }));

  test('a parameter in the place of the key is refused: the key would be sent next to it', () =>
    assert.match(
      refused({ rpcUrl: `${RPC}?slot=mine`, auth: { rpc: 'query:slot' } }),
      /already has the parameter slot/,
    ));

  test('a profile that could not be read as it is written is used for nothing, a URL of the file goes out', () => {
    const faulty = { ...PLACED, fault: { message: 'its "auth" is wrong.', hint: 'Correct it.' } } as const;
    const result = settle(faulty, request());
    assert.ok(!result.ok && /cannot be used: its "auth" is wrong/.test(result.error.message));
    assert.ok(settle(faulty, request({ url: 'https://other.example/' })).ok);
  });

  test('a user name or password in the URL is refused', () => {
    const message = refused({ rpcUrl: 'https://me:s3cr3tvalue@rpc.example.com/sol' });
    assert.doesNotMatch(message, /s3cr3t/);
  });
});

describe('a URL of the file', () => {
  const OTHER = 'https://other.example.com/x';
  const away = (profile: Partial<EndpointProfile>, url = OTHER): SendTarget => settled(profile, { url });

  test('is asked without a key where none is stored, one of the profile is not', () => {
    assert.equal(away({ rpcUrl: RPC }).isKeyOptional, true);
    assert.equal(away({ rpcUrl: RPC }, RPC).isKeyOptional, true);
    assert.equal(settled({ rpcUrl: RPC }).isKeyOptional, undefined);
  });

  test('of another host has its keys under the name of that host, and none of the profile’s forms', () => {
    const target = away({ rpcUrl: RPC, auth: { rpc: 'header:X-Mine' } });
    assert.deepEqual([target.profile.profile.name, target.profile.source], ['other.example.com', 'workspace']);
    assert.equal(target.auth, 'bearer');
  });

  test('of the profile’s own host goes as the profile says', () => {
    const target = away({ rpcUrl: RPC, auth: { rpc: 'query' } }, `${HOME}/other`);
    assert.deepEqual([target.profile.profile.name, target.auth], ['p', 'query']);
  });

  test('does not move the place of a key', () => {
    const profile = { rpcUrl: `${HOME}/v2/{key}`, auth: { rpc: 'path' } } as const;
    assert.equal(away(profile, `${HOME}/v3`).auth, 'none');
    refused(profile, { url: `${HOME}/log/{key}` });
    assert.equal(away(profile, `${HOME}/v2/{key}`).auth, 'path');
  });

  test('belongs to the profile that names its origin: the named one, then the user’s, then the workspace’s', () => {
    const place = (name: string, rpcUrl: string, source: ProfileSource) => ({ profile: { name, rpcUrl }, source });
    const known = [place('w', OTHER, 'workspace'), place('u', OTHER, 'user'), place('n', RPC, 'user')];
    const asked = { transport: 'POST', url: OTHER } as const;
    assert.equal(profileFor(known[2], asked, known)?.profile.name, 'u');
    assert.equal(profileFor(known[0], asked, known)?.profile.name, 'w');
    assert.equal(profileFor(known[2], asked, known.slice(2)), undefined);
    assert.equal(profileFor(known[2], { transport: 'POST' }, known)?.profile.name, 'n');
  });

  test('over plaintext goes keyless to a host that a profile of the user names', () => {
    const lan = 'http://10.0.0.7:8899/';
    assert.equal(away({ rpcUrl: lan }, `${lan}x`).auth, 'none');
    assert.match(refused({ rpcUrl: RPC }, { url: lan }), /unencrypted/);
  });
});

describe('how a key travels', () => {
  test('the user’s profile decides the form', () =>
    assert.equal(settled({ rpcUrl: RPC, auth: { rpc: 'query' } }).auth, 'query'));

  test('a workspace profile cannot move a stored key into the query', () =>
    assert.equal(settled({ rpcUrl: RPC, auth: { rpc: 'query' } }, {}, 'workspace').auth, 'bearer'));

  test('a workspace profile cannot name the header of a stored key', () =>
    assert.equal(settled({ rpcUrl: RPC, auth: { rpc: 'header:x-log-me' } }, {}, 'workspace').auth, 'bearer'));

  test('a workspace profile may say that no key goes', () =>
    assert.equal(settled({ rpcUrl: RPC, auth: { rpc: 'none' } }, {}, 'workspace').auth, 'none'));

  test('a workspace profile cannot place a stored key in the path', () =>
    assert.deepEqual(
      [`${HOME}/{key}`, `${HOME}/?log={key}`].map((rpcUrl) => {
        const { auth, url, needsPlace } = settled({ rpcUrl, auth: { rpc: 'path' } }, {}, 'workspace');
        return [auth, decodeURIComponent(url.href).includes('{key}'), needsPlace];
      }),
      [
        ['bearer', false, true],
        ['bearer', false, true],
      ],
    ));

  test('the form path needs {key} once', () => {
    assert.equal(settled({ rpcUrl: `${HOME}/v2/{key}`, auth: { rpc: 'path' } }).auth, 'path');
    assert.equal(settled({ rpcUrl: `${HOME}/?api-key={key}`, auth: { rpc: 'path' } }).auth, 'path');
    refused({ rpcUrl: HOME, auth: { rpc: 'path' } });
    refused({ rpcUrl: `${HOME}/{key}/{key}`, auth: { rpc: 'path' } });
  });

  for (const name of ['host', 'Content-Length', 'a b', 'x\ny', ''])
    test(`the form header:${JSON.stringify(name)} is refused`, () =>
      void refused({ rpcUrl: RPC, auth: { rpc: `header:${name}` } }));

  for (const name of ['Authorization', 'authorization', 'x-token', 'X-API-Key', 'api_key'])
    test(`the file’s own ${name} replaces the stored key`, () =>
      assert.equal(settled({ rpcUrl: RPC }, { headers: [[name, 'mine']] }).auth, 'none'));

  test('the file’s own header replaces a key that travels in that header', () => {
    const target = settled({ rpcUrl: RPC, auth: { rpc: 'header:X-Mine' } }, { headers: [['x-mine', 'v']] });
    assert.equal(target.auth, 'none');
  });

  test('a file’s own credential drops both keys of a SWQoS send', () => {
    const target = settled(
      { rpcUrl: RPC },
      { transport: 'SWQOS', method: 'sendTransaction', headers: [['Authorization', 'Bearer mine']] },
    );
    assert.deepEqual([target.auth, target.beside], ['none', undefined]);
  });
});

describe('the two keys of a SWQoS send', () => {
  const both = (auth: EndpointProfile['auth']): unknown => {
    const profile = { rpcUrl: RPC, ...(auth === undefined ? {} : { auth }) };
    const target = settled(profile, { transport: 'SWQOS', method: 'sendTransaction' });
    return [target.auth, target.beside?.auth];
  };
  test('by default the SWQoS key is in the query and the RPC key is Bearer', () =>
    assert.deepEqual(both(undefined), ['query', 'bearer']));
  test('with the RPC key in the query the SWQoS key is Bearer', () =>
    assert.deepEqual(both({ rpc: 'query' }), ['bearer', 'query']));
  test('the reverse can be chosen', () =>
    assert.deepEqual(both({ rpc: 'query', swqos: 'bearer' }), ['bearer', 'query']));
  test('the same form for both sends the SWQoS key alone', () =>
    assert.deepEqual(both({ rpc: 'query', swqos: 'query' }), ['query', undefined]));
  test('no RPC key sends the SWQoS key alone', () =>
    assert.deepEqual(both({ rpc: 'none', swqos: 'bearer' }), ['bearer', undefined]));
  test('any other method is the wrong key type', () => {
    const result = settle({ profile: { name: 'p', rpcUrl: RPC }, source: 'user' }, request({ transport: 'SWQOS' }));
    assert.ok(!result.ok && result.error.kind === 'wrongKeyType' && result.error.needs === 'rpc');
  });
});

describe('loopback', () => {
  for (const host of ['127.0.0.1', '127.8.9.10', 'localhost', '[::1]', '127.1', '2130706433', 'LOCALHOST'])
    test(`${host} is this machine`, () => assert.ok(isLoopback(new URL(`http://${host}:8899/x`))));
  for (const host of [
    '127.0.0.1.evil.test',
    '127.evil.test',
    '127.0.0.1@evil.test',
    '127.0.0.1:x@evil.test',
    'x127.0.0.1.test',
    'localhost.evil.test',
    'evil.localhost.test',
    '128.0.0.1',
    '0.0.0.0',
    '[::]',
    '[::ffff:127.0.0.1]',
  ])
    test(`${host} is not known to be this machine`, () => assert.equal(isLoopback(new URL(`http://${host}/x`)), false));
});

describe('plaintext', () => {
  const LAN = 'http://10.0.0.7:8899';
  for (const url of ['http://127.0.0.1:8899', 'http://localhost:8899', 'http://[::1]:8899', 'http://127.8.9.10'])
    test(`a key may go to ${url}`, () => assert.equal(settled({ rpcUrl: url }).auth, 'bearer'));

  for (const url of [
    LAN,
    'http://rpc.example.com',
    'http://[::ffff:127.0.0.1]',
    'http://localhost.attacker.test',
    'http://0.0.0.0:1',
    'http://127.0.0.1.evil.test',
    'http://127.evil.test',
  ])
    test(`a key never goes to ${url}`, () => assert.match(refused({ rpcUrl: url }), /never sent/));

  test('a key never goes over ws', () => void refused({ wsUrl: 'ws://10.0.0.7' }, { transport: 'WS' }));
  test('a user’s profile without a key may be plaintext', () =>
    assert.equal(settled({ rpcUrl: LAN, auth: { rpc: 'none' } }).auth, 'none'));
  test('a workspace’s profile may not', () => void refused({ rpcUrl: LAN, auth: { rpc: 'none' } }, {}, 'workspace'));
  test('nor may a request line along with the user’s profile', () =>
    void refused({ rpcUrl: LAN, auth: { rpc: 'none' } }, { url: 'http://10.0.0.8:8899' }));
  test('a file’s own credential does not go there either', () =>
    void refused({ rpcUrl: LAN, auth: { rpc: 'none' } }, { headers: [['authorization', 'Bearer mine']] }));
});

describe('headers of a file', () => {
  for (const name of [
    'Host',
    'content-length',
    'Transfer-Encoding',
    'Connection',
    'Proxy-Authorization',
    'Accept-Encoding',
  ])
    test(`${name} is refused`, () =>
      assert.match(refused({ rpcUrl: RPC }, { headers: [[name, 'x']] }), new RegExp(name)));
  for (const [name, value] of [
    ['x-a', 'b\r\nhost: evil'],
    ['x a', 'b'],
    ['x-a', 'ü'],
    ['x-a', 'b\0'],
  ] as const)
    test(`${JSON.stringify(`${name}: ${value}`)} is refused`, () =>
      void refused({ rpcUrl: RPC }, { headers: [[name, value]] }));
});

test('a question about what was sent goes to the profile that has the sender, else to the named one', () => {
  const placed = (name: string, swqosUrl?: string): PlacedProfile => ({
    source: 'user',
    profile: { name, rpcUrl: `https://${name}.test/`, ...(swqosUrl !== undefined && { swqosUrl }) },
  });
  const [active, sender] = [placed('active'), placed('sender', 'https://sender.test/fast')];
  const of = (sentTo: string) => profileFor(active, { transport: 'POST', sentTo }, [active, sender])?.profile.name;
  assert.equal(of('https://sender.test/fast'), 'sender');
  assert.equal(of('https://other.test/fast'), 'active');
});
