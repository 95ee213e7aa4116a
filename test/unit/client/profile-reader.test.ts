// The one reader of endpoint profiles: every form of auth, what is a fault and what it says, digits of variables, and
// that editor and terminal read the same text alike.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { AUTH_FORMS, isAuthForm, sharePlace } from '../../../core/service/keys/authForm';
import {
  GRPC_COMPRESSIONS,
  variablesOf,
  type EndpointProfile,
  type ProfileFault,
} from '../../../core/service/profiles/profile';
import { readProfileFile } from '../../../core/service/profiles/profileFile';
import { exactly, mergeProfiles, readProfiles } from '../../../core/service/profiles/profileReader';
import { isJsonArray, JsonNumber, member, parseJson, printJson } from '../../../core/solana/json/json';

const URL_TEXT = 'https://a.test/sol';
const U64 = '18446744073709551615';

function faultOf(entry: unknown): ProfileFault {
  const [read] = readProfiles(exactly([entry]));
  assert.ok(read?.fault !== undefined, JSON.stringify(read));
  return read.fault;
}

const fileOf = (text: string): EndpointProfile | undefined => {
  const read = readProfileFile(text);
  assert.equal(read.kind, 'file');
  return read.file.endpoints[0]?.profile;
};

test('variables nested too deep are a fault', () => {
  let deep: unknown = 1;
  for (let level = 0; level < 600; level++) deep = [deep];
  assert.match(faultOf({ name: 'a', variables: { deep } }).message, /nested deeper than 512 levels/);
});

describe('the forms of auth', () => {
  for (const form of ['none', 'bearer', 'basic', 'query', 'query:api-key', 'header:X-Token', 'path'])
    test(`${form} is read for every interface`, () => {
      const auth = { rpc: form, ws: form, grpc: form, rest: form, swqos: form };
      assert.deepEqual(readProfiles(exactly([{ name: 'a', auth }])), [{ profile: { name: 'a', auth } }]);
    });

  for (const form of [
    'Bearer',
    'digest',
    '',
    'query:',
    'query:a b',
    'query:a&b',
    'header:',
    'header:Host',
    'header:a b',
    'path:x',
  ])
    test(`${JSON.stringify(form)} is a fault that lists the forms and names the member`, () => {
      assert.equal(isAuthForm(form), false);
      const { message, hint } = faultOf({ name: 'a', rpcUrl: URL_TEXT, auth: { ws: form } });
      assert.match(message, /^auth\.ws /);
      assert.ok(hint.includes(AUTH_FORMS));
    });

  for (const form of [null, 5, {}, ['bearer']])
    test(`${JSON.stringify(form)} is a fault, too`, () => void faultOf({ name: 'a', auth: { rpc: form } }));

  test('an unknown interface is a fault', () =>
    assert.match(faultOf({ name: 'a', auth: { http: 'none' } }).hint, /swqos/));

  test('a key in the place of a form is not repeated', () => {
    const { message, hint } = faultOf({ name: 'a', auth: { rpc: 'bearer s3cr3tvalue' } });
    assert.doesNotMatch(message + hint, /s3cr3t/);
  });

  test('two keys in one header or parameter overwrite each other', () => {
    const rows = [
      ['bearer', 'basic', true],
      ['bearer', 'header:authorization', true],
      ['query', 'query:api_key', true],
      ['path', 'path', true],
      ['query', 'query:token', false],
      ['bearer', 'query', false],
      ['none', 'none', false],
    ] as const;
    for (const [left, right, shared] of rows) assert.equal(sharePlace(left, right), shared, `${left} ${right}`);
  });
});

test('every compression of streams is read, and the settings offer just those', () => {
  for (const grpcCompression of GRPC_COMPRESSIONS)
    assert.deepEqual(readProfiles(exactly([{ name: 'a', grpcCompression }])), [
      { profile: { name: 'a', grpcCompression } },
    ]);
  const manifest = readFileSync(path.join(import.meta.dirname, '..', '..', '..', 'package.json'), 'utf8');
  const members = parseJson(manifest);
  const settings = member(member(members, 'contributes'), 'configuration');
  const offered = isJsonArray(settings) ? settings : [settings ?? null];
  const endpoints = offered
    .map((section) => member(member(section, 'properties'), 'solanaRpc.endpoints'))
    .find((one) => one !== undefined);
  const profile = member(member(member(endpoints, 'items'), 'properties'), 'grpcCompression');
  assert.deepEqual(member(profile, 'enum'), [...GRPC_COMPRESSIONS]);
});

describe('a profile', () => {
  test('has its known members only', () => {
    const entry = { name: ' main ', rpcUrl: URL_TEXT, key: 'SECRET', plan: 'Free', auth: { rpc: 'query' } };
    const profile = { name: 'main', rpcUrl: URL_TEXT, plan: 'Free', auth: { rpc: 'query' } };
    assert.deepEqual(readProfiles(exactly([entry])), [{ profile }]);
  });

  const FAULTS: readonly (readonly [string, unknown, RegExp])[] = [
    ['a URL without a scheme', { name: 'a', rpcUrl: 'a.test' }, /^rpcUrl is not a complete URL/],
    ['a URL that is not text', { name: 'a', wsUrl: 5 }, /^wsUrl/],
    ['an unknown compression', { name: 'a', grpcCompression: 'snappy' }, /^grpcCompression is unknown/],
    ['a list of compressions', { name: 'a', grpcCompression: ['gzip'] }, /^grpcCompression/],
    ['an unknown plan', { name: 'a', plan: 'Gold' }, /^plan is unknown/],
    ['variables that are a list', { name: 'a', variables: [1] }, /^variables/],
    ['auth that is a text', { name: 'a', auth: 'bearer' }, /^auth/],
    ['no name', { rpcUrl: URL_TEXT }, /no "name"/],
    ['a number', 1, /not an object/],
    ['null', null, /not an object/],
  ];
  for (const [what, entry, message] of FAULTS)
    test(`with ${what} is a fault with a next step`, () => {
      const fault = faultOf(entry);
      assert.match(fault.message, message);
      assert.notEqual(fault.hint, '');
    });

  test('keeps its sound members despite a fault, and its neighbours are sound', () => {
    const reads = readProfiles(exactly([{ name: 'a', rpcUrl: URL_TEXT, plan: 'Gold' }, { name: 'b' }, 7]));
    assert.deepEqual(
      reads.map(({ profile, fault }) => [profile, fault !== undefined]),
      [
        [{ name: 'a', rpcUrl: URL_TEXT }, true],
        [{ name: 'b' }, false],
        [{ name: 'endpoint 3' }, true],
      ],
    );
  });

  test('whose name another one has is a fault, under a distinct name', () => {
    const reads = readProfiles(exactly([{ name: 'a' }, { name: 'a' }, { name: 'a' }]));
    assert.deepEqual(
      reads.map(({ profile, fault }) => [profile.name, fault !== undefined]),
      [
        ['a', false],
        ['a (2)', true],
        ['a (3)', true],
      ],
    );
  });

  test('of each of several folders has a distinct name', () => {
    const one = { profile: { name: 'dev' } };
    const names = mergeProfiles([one], undefined, [one, one]).map(({ profile }) => profile.name);
    assert.deepEqual(names, ['dev', 'dev (workspace)', 'dev (workspace 2)']);
  });

  test('a value that is not a list is a fault', () => {
    const [read] = readProfiles(exactly({ name: 'x' }));
    assert.match(read?.fault?.message ?? '', /not a list/);
  });
});

describe('numbers in variables', () => {
  test('of a file keep every digit', () => {
    const profile = fileOf(`{"endpoints":[{"name":"a","variables":{"max":${U64},"fee":0.10,"deep":[{"n":-0}]}}]}`);
    assert.equal(profile?.variables, `{"max":${U64},"fee":0.10,"deep":[{"n":-0}]}`);
    const variables = variablesOf({ profile: profile ?? { name: '' } });
    assert.ok(variables.get('max') instanceof JsonNumber);
    assert.equal(printJson(variables.get('max') ?? null), U64);
  });

  for (const value of [Number(U64), 2 ** 53, -(2 ** 53), 1e300, 0.1 + 0.2, Infinity])
    test(`${value} of settings may have lost digits: a fault that says where they are kept`, () => {
      for (const held of [value, [value], { deep: value }]) {
        const fault = faultOf({ name: 'a', rpcUrl: URL_TEXT, variables: { max: held } });
        assert.match(fault.message, /max/);
        assert.match(fault.hint, /as a string/);
        assert.equal(fault.isRounded, true);
      }
    });

  test('of settings that a double keeps are read', () => {
    const [read] = readProfiles(
      exactly([{ name: 'a', variables: { n: 2 ** 53 - 1, fee: 0.25, text: U64, off: null } }]),
    );
    assert.deepEqual(read, {
      profile: { name: 'a', variables: `{"n":9007199254740991,"fee":0.25,"text":"${U64}","off":null}` },
    });
  });

  test('__proto__ and constructor are names like any other', () => {
    const profile = fileOf('{"endpoints":[{"name":"a","variables":{"__proto__":1,"constructor":2}}]}');
    assert.deepEqual(
      [...variablesOf({ profile: profile ?? { name: '' } })],
      [
        ['__proto__', 1],
        ['constructor', 2],
      ],
    );
  });
});

describe('a file', () => {
  const FAULTS: readonly (readonly [string, RegExp])[] = [
    ['{', /not JSON/],
    ['[]', /not an object/],
    ['{"endpoint":5}', /"endpoint"/],
    ['{"schemas":[5]}', /"schemas"/],
    ['{"origins":"x"}', /"origins"/],
    ['{"wallets":{"a":5}}', /"wallets"/],
    ['{"environments":[]}', /"environments"/],
    ['{"environments":{"dev":5}}', /"environments"/],
    ['{"environments":{"dev":{"endpoint":5}}}', /"environments"/],
    ['{"environments":{"dev":{"variables":[]}}}', /"environments"/],
  ];
  for (const [text, message] of FAULTS)
    test(`${text} is a fault`, () => {
      const read = readProfileFile(text);
      assert.equal(read.kind, 'faulty');
      assert.match(read.fault.message, message);
    });

  test('names environments, whose numbers keep their digits', () => {
    const text = '{"environments":{"dev":{"endpoint":"local","variables":{"n":18446744073709551615}},"empty":{}}}';
    const read = readProfileFile(text);
    assert.equal(read.kind, 'file');
    assert.deepEqual(read.file.environments, [
      { name: 'dev', endpoint: 'local', variables: '{"n":18446744073709551615}' },
      { name: 'empty', variables: '{}' },
    ]);
  });

  test('may begin with a byte order mark', () => assert.equal(fileOf('\ufeff{"endpoints":[{"name":"a"}]}')?.name, 'a'));

  test('reads as the same list does in the settings', () => {
    const list = [
      { name: 'a', rpcUrl: URL_TEXT, auth: { rpc: 'query:k' }, variables: { n: 5 } },
      { name: 'b', plan: 'x' },
      {},
    ];
    const text = JSON.stringify(list);
    assert.deepEqual(readProfiles(parseJson(text)), readProfiles(exactly(JSON.parse(text))));
  });
});
