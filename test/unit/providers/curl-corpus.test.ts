// curl commands as providers' documentation, dashboards and shells write them (test/fixtures/curl, 20 per provider): each
// ends in the provider's profile and in a block that says where its key goes, with the key apart.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { looksLikeCurl, readCurl, type PastedRequest } from '../../../core/requests/curl/read';
import { parseDocument } from '../../../core/requests/document/document';
import { diagnose } from '../../../core/requests/checks/diagnostics';
import type { AuthForm } from '../../../core/service/keys/authForm';
import type { EndpointProfile } from '../../../core/service/profiles/profile';
import { Secret } from '../../../core/service/keys/secret';
import { settle } from '../../../net/target/target';

type Profile = Omit<EndpointProfile, 'name'>;

const both = (address: string, ws = address): Profile => ({ rpcUrl: `https://${address}`, wsUrl: `wss://${ws}` });
const withGrpc = (pair: Profile, host: string, grpc: AuthForm = 'header:x-token'): Profile => ({
  ...pair,
  grpcUrl: `https://${host}`,
  auth: { grpc },
});
const travelling = (profile: Profile, form: AuthForm): Profile => ({
  ...profile,
  auth: { rpc: form, ws: form, ...profile.auth },
});

const quicknode = (host: string): Profile => withGrpc(both(`${host}/{key}/`), `${host}:10000`);
const alchemy = (host: string, place = '/v2/{key}'): Profile => withGrpc(both(host + place), host, 'header:X-Token');
const chainstack = (host: string, place = '/{key}'): Profile => withGrpc(both(host + place), `yellowstone-${host}`);
const HELIUS_MAINNET = withGrpc(
  both('mainnet.helius-rpc.com/?api-key={key}'),
  'laserstream-mainnet-ewr.helius-rpc.com',
);

/** By the provider's id, and what a fixture calls the form of its address. */
const PROFILES: Readonly<Record<string, Readonly<Record<string, Profile>>>> = {
  helius: {
    mainnet: {
      ...HELIUS_MAINNET,
      swqosUrl: 'https://sender.helius-rpc.com/fast',
      auth: { ...HELIUS_MAINNET.auth, swqos: 'none' },
    },
    devnet: withGrpc(both('devnet.helius-rpc.com/?api-key={key}'), 'laserstream-devnet-ewr.helius-rpc.com'),
  },
  quicknode: {
    mainnet: quicknode('docs-demo.solana-mainnet.quiknode.pro'),
    devnet: quicknode('docs-demo.solana-devnet.quiknode.pro'),
    testnet: quicknode('docs-demo.solana-testnet.quiknode.pro'),
    'mainnet, older host': both('blue-moon.quiknode.pro/{key}/'),
  },
  alchemy: {
    mainnet: alchemy('solana-mainnet.g.alchemy.com'),
    devnet: alchemy('solana-devnet.g.alchemy.com'),
    'mainnet, Bearer': travelling(alchemy('solana-mainnet.g.alchemy.com', '/v2'), 'bearer'),
  },
  drpc: {
    mainnet: both('lb.drpc.live/solana/{key}'),
    devnet: both('lb.drpc.live/solana-devnet/{key}'),
    'mainnet, older host': both('lb.drpc.org/solana/{key}'),
    'mainnet, header': travelling(both('lb.drpc.live/solana'), 'header:Drpc-Key'),
    'mainnet, dkey': both('lb.drpc.org/ogrpc?network=solana&dkey={key}', 'lb.drpc.org/ogws?network=solana&dkey={key}'),
    'devnet, dkey': both(
      'lb.drpc.org/ogrpc?network=solana-devnet&dkey={key}',
      'lb.drpc.org/ogws?network=solana-devnet&dkey={key}',
    ),
  },
  chainstack: {
    mainnet: chainstack('solana-mainnet.core.chainstack.com'),
    devnet: chainstack('solana-devnet.core.chainstack.com'),
    'mainnet, user and password': travelling(chainstack('solana-mainnet.core.chainstack.com', ''), 'basic'),
    'mainnet, node': both('nd-326-444-187.p2pify.com/{key}', 'ws-nd-326-444-187.p2pify.com/{key}'),
  },
  ankr: {
    mainnet: both('rpc.ankr.com/solana/{key}', 'rpc.ankr.com/solana/ws/{key}'),
    devnet: both('rpc.ankr.com/solana_devnet/{key}', 'rpc.ankr.com/solana_devnet/ws/{key}'),
  },
  getblock: { mainnet: { rpcUrl: 'https://go.getblock.io/{key}/' } },
};

interface Case {
  readonly title: string;
  readonly command: string;
  readonly form: string;
  readonly key: string | undefined;
  readonly block: string;
}

/** `=== TITLE`, the command, `--- FORM; key KEY` or `--- FORM; no key`, the block. */
function casesOf(provider: string): readonly Case[] {
  const file = path.join(__dirname, '..', '..', 'fixtures', 'curl', `${provider}.txt`);
  const parts = readFileSync(file, 'utf8').split(/^=== /m).slice(1);
  return parts.map((part) => {
    const [, title = '', command = '', form = '', key, block = ''] =
      /^(.*)\n([^]*)\n--- (.*); (?:key (.*)|no key)\n([^]*)$/.exec(part) ?? [];
    return { title, command, form, key, block };
  });
}

function read(command: string): PastedRequest {
  assert.ok(looksLikeCurl(command));
  const pasted = readCurl(command);
  assert.equal(pasted.kind, 'block', JSON.stringify(pasted));
  return pasted;
}

for (const [provider, profiles] of Object.entries(PROFILES))
  describe(`commands of ${provider}`, () => {
    const cases = casesOf(provider);
    test('are twenty, in every form', () => {
      assert.equal(cases.length, 20);
      assert.deepEqual(new Set(cases.map(({ form }) => form)), new Set(Object.keys(profiles)));
    });

    for (const { title, command, form, key, block } of cases)
      test(title, () => {
        const { text, endpoint, keys } = read(command);
        assert.equal(endpoint.provider?.id, provider);
        assert.deepEqual(endpoint.profile, profiles[form]);
        assert.equal(keys.length, key === undefined ? 0 : 1);
        if (key !== undefined) {
          assert.ok(endpoint.key?.secret.equals(new Secret(key)));
          assert.ok(keys[0]?.equals(new Secret(key)));
          assert.ok(!text.includes(key));
        }
        assert.equal(text, block);
        const document = parseDocument('a.jsonrpc', 1, text);
        const faults = diagnose({ document, surroundings: {} });
        assert.deepEqual(
          faults.filter(({ problem }) => problem.severity === 'error'),
          [],
        );
        // The block goes to the endpoint that was made of it, with its key in its place.
        const placed = { profile: { name: 'p', ...endpoint.profile }, source: 'user' } as const;
        const url = endpoint.profile.rpcUrl ?? '';
        const target = settle(placed, { transport: 'POST', method: 'getSlot', url, headers: [] });
        assert.ok(target.ok && target.value.profile === placed);
        assert.equal(target.value.auth, endpoint.profile.auth?.rpc ?? 'path');
        assert.equal(read(command.replaceAll('\n', '\r\n')).text, block);
      });
  });

const KEY = '3f7a9c1e5b2d48f6a0c4e8b1d7f3952a';
const SLOT = '{"jsonrpc":"2.0","id":1,"method":"getSlot"}';

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
      const pasted = readCurl(`curl ${URL_} ${option} -d '${SLOT}'`);
      assert.equal(pasted.kind, 'block');
      assert.deepEqual(pasted.endpoint.profile, profile);
      assert.ok(pasted.endpoint.key?.secret.equals(new Secret(secret)));
      assert.ok(!pasted.text.includes(KEY));
    });

  const OTHER = 'd1c2b3a49e8f7a6b5c4d3e2f1a0b9c8d';
  const both = (url: string, ...headers: readonly string[]): PastedRequest =>
    read(`curl ${url} ${headers.map((header) => `-H '${header}'`).join(' ')} -d '${SLOT}'`);

  test('and another one in its URL: one is kept for the endpoint, and the place of the other is reported', () => {
    const unknown = both(`https://rpc.example/main?token=${OTHER}`, `Authorization: Bearer ${KEY}`);
    assert.deepEqual(unknown.endpoint.profile, { rpcUrl: 'https://rpc.example/main' });
    assert.ok(unknown.endpoint.key?.secret.equals(new Secret(KEY)));
    assert.deepEqual([unknown.keys.length, unknown.dropped], [2, ['URL']]);

    const known = both(`https://blue-moon.solana-mainnet.quiknode.pro/${OTHER}/`, `Authorization: Bearer ${KEY}`);
    assert.deepEqual(known.endpoint.profile, quicknode('blue-moon.solana-mainnet.quiknode.pro'));
    assert.ok(known.endpoint.key?.secret.equals(new Secret(OTHER)));
    assert.deepEqual([known.keys.length, known.dropped], [2, ['Authorization']]);

    const headers = both('https://rpc.example/main', `x-token: ${KEY}`, `x-api-key: ${OTHER}`);
    assert.deepEqual(headers.endpoint.profile.auth, { rpc: 'header:x-token' });
    assert.deepEqual(headers.dropped, ['x-api-key']);
    for (const { text } of [unknown, known, headers]) assert.ok(!text.includes(KEY) && !text.includes(OTHER), text);
  });

  test('and the same one, or a variable of the shell, in its URL drops nothing', () => {
    const same = both(`https://rpc.example/main?token=${KEY}`, `Authorization: Bearer ${KEY}`);
    assert.deepEqual(same.dropped, []);
    const variable = both(`https://rpc.example/main?token=${KEY}`, 'Authorization: Bearer $TOKEN');
    assert.deepEqual(variable.endpoint.profile, { rpcUrl: 'https://rpc.example/main?token={key}' });
    assert.ok(variable.endpoint.key?.secret.equals(new Secret(KEY)));
    assert.deepEqual(variable.dropped, []);
  });

  test('takes the place of the provider’s parameter', () => {
    const pasted = readCurl(
      `curl -X POST https://svc.blockdaemon.com/solana/mainnet/native -H 'Authorization: Bearer ${KEY}' -d '${SLOT}'`,
    );
    assert.equal(pasted.kind, 'block');
    assert.deepEqual(pasted.endpoint.profile, {
      rpcUrl: 'https://svc.blockdaemon.com/solana/mainnet/native',
      auth: { rpc: 'bearer' },
    });
  });
});
