// Where a key is stored: for the endpoint, or for the one host that a request went to; and which request a line belongs to.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { placeAsWritten, keyUses, placeFor, readQuery } from '../../../client/keys/keyPlace';
import { parseDocument } from '../../../core/requests/document/document';
import { createLanguageService } from '../../../core/requests/language/service';
import type { EndpointProfile, KeyQuery, PlacedProfile } from '../../../core/service/profiles/profile';

const PROFILE: EndpointProfile = {
  name: 'hosted',
  rpcUrl: 'https://rpc.example/sol',
  wsUrl: 'wss://rpc.example/ws/sol',
  grpcUrl: 'https://grpc.example:10000',
  restUrl: 'https://rpc.example',
};
const USER: PlacedProfile = { profile: PROFILE, source: 'user' };
const QUERY: KeyQuery = { type: 'rpc', profile: 'hosted', origin: 'https://rpc.example', interface: 'rpc' };

describe('the place of a key', () => {
  test('is every interface of the endpoint that its type opens', () => {
    assert.deepEqual(placeFor(USER, QUERY).origins, {
      rpc: 'https://rpc.example',
      ws: 'wss://rpc.example',
      rest: 'https://rpc.example',
    });
  });

  test('of a host that no endpoint has bears the name of that host', () => {
    const query = { ...QUERY, profile: 'other.example', origin: 'https://other.example' };
    assert.deepEqual(placeFor(undefined, query), {
      type: 'rpc',
      profile: 'other.example',
      origins: { rpc: 'https://other.example' },
      ways: {},
    });
  });

  test('of a host that no endpoint has keeps how the file wrote the key, where nothing else says it', () => {
    const query = { ...QUERY, profile: 'other.example', origin: 'https://other.example' };
    const key = '3f7a9c1e5b2d48f6a0c4e8b1d7f3952a';
    const waysIn = (line: string, place = placeFor(undefined, query)): unknown => {
      const start = line.indexOf(key);
      return placeAsWritten(place, line, { start, end: start + key.length }).ways;
    };
    assert.deepEqual(waysIn(`POST https://other.example/v2/${key}/main?region=eu`), {
      rpc: { auth: 'path', url: 'https://other.example/v2/{key}/main?region=eu' },
    });
    assert.deepEqual(waysIn(`POST https://other.example/?region=eu&token=${key}`), { rpc: { auth: 'query:token' } });
    assert.deepEqual(waysIn(`X-Token: ${key}`), { rpc: { auth: 'header:X-Token' } });
    for (const line of [
      `Authorization: Bearer ${key}`,
      `@key = ${key}`,
      `POST {{host}}/v2/${key}`,
      `  "apiKey": "${key}"`,
      `Host: ${key}`,
    ])
      // prettier-ignore
      assert.deepEqual(waysIn(line), {}, line);
    // The user's own profile, and the table of providers, say it better than the file.
    const profile: EndpointProfile = { name: 'hosted', rpcUrl: 'https://rpc.example/sol' };
    assert.deepEqual(waysIn(`POST https://rpc.example/v2/${key}`, placeFor({ profile, source: 'user' }, QUERY)), {});
    const known = placeFor(undefined, { ...query, origin: 'https://mainnet.helius-rpc.com' });
    assert.equal(known.ways.rpc?.auth, 'path');
    assert.deepEqual(waysIn(`X-Token: ${key}`, known), known.ways);
  });

  test('is the one host that was asked where that is not the endpoint’s, and cannot be tried there', () => {
    const place = placeFor(USER, { ...QUERY, origin: 'https://other.example' });
    assert.deepEqual(place, { type: 'rpc', profile: 'hosted', origins: { rpc: 'https://other.example' }, ways: {} });
  });

  test('keeps how the key travels by the user’s profile, and by a project’s only what is known of the provider', () => {
    const profile = { name: 'p', rpcUrl: 'https://h.example/v2/{key}', swqosUrl: 'https://s.example/?c={key}' };
    assert.deepEqual(keyUses({ profile, source: 'user' }, 'rpc').ways, {
      rpc: { auth: 'path', url: 'https://h.example/v2/{key}' },
      swqos: { auth: 'path', url: 'https://s.example/?c={key}' },
    });
    assert.deepEqual(keyUses({ profile, source: 'user' }, 'swqos').origins, { swqos: 'https://s.example' });
    const projects = {
      ...profile,
      auth: { rpc: 'header:x-log' },
      wsUrl: 'wss://mainnet.helius-rpc.com/?log={key}',
    } as const;
    assert.deepEqual(keyUses({ profile: projects, source: 'workspace' }, 'rpc').ways, {
      ws: { auth: 'path', url: 'wss://mainnet.helius-rpc.com/?api-key={key}' },
      swqos: { auth: 'query' },
    });
  });

  test('of a provider with one key for all is its gRPC address as well', () => {
    const profile = {
      name: 'p',
      rpcUrl: 'https://solana-mainnet.g.alchemy.com/v2/{key}',
      grpcUrl: 'https://solana-mainnet.g.alchemy.com',
    };
    const origin = 'https://solana-mainnet.g.alchemy.com';
    assert.deepEqual(keyUses({ profile, source: 'user' }, 'rpc').origins, { rpc: origin, grpc: origin });
    const other = { ...profile, grpcUrl: 'https://grpc.example' };
    assert.deepEqual(keyUses({ profile: other, source: 'user' }, 'rpc').origins, { rpc: origin });
  });

  test('of a project’s endpoint is one host, however many the project names', () => {
    const hostile: PlacedProfile = {
      profile: { ...PROFILE, wsUrl: 'wss://sink.example/ws', restUrl: 'https://sink.example' },
      source: 'workspace',
    };
    assert.deepEqual(keyUses(hostile, 'rpc').origins, { rpc: 'https://rpc.example' });
  });

  test('is read from an argument part by part', () => {
    assert.deepEqual(readQuery({ key: QUERY }), QUERY);
    for (const wrong of [
      undefined,
      'hosted',
      { key: 'rpc' },
      { key: { ...QUERY, type: 'admin' } },
      { key: { ...QUERY, interface: 'disk' } },
      { key: { ...QUERY, origin: 'https://rpc.example/path' } },
      { key: { ...QUERY, origin: 'https://user@rpc.example' } },
      { key: { ...QUERY, origin: 7 } },
    ])
      assert.equal(readQuery(wrong), undefined, JSON.stringify(wrong));
  });
});

describe('the request of a line', () => {
  const service = createLanguageService({ surroundings: () => ({}), log: (message) => assert.fail(message) });
  const at = (text: string, line = 1): KeyQuery | undefined =>
    service.destination(parseDocument('file:///a.jsonrpc', 0, text), line, PROFILE);

  test('goes to the endpoint where it names no address', () => {
    assert.deepEqual(at('### A\n{ "method": "getSlot" }'), QUERY);
    assert.deepEqual(at('### A\n{ "method": "slotSubscribe" }'), {
      ...QUERY,
      origin: 'wss://rpc.example',
      interface: 'ws',
    });
    assert.deepEqual(at('### A\nGRPC geyser.Geyser/GetSlot'), {
      ...QUERY,
      type: 'grpc',
      origin: 'https://grpc.example:10000',
      interface: 'grpc',
    });
  });

  test('goes to the host that its line names, with any key in the address', () => {
    const query = at('### A\nPOST https://other.example/sol?api_key=3f7a9c1e5b2d48f6\n\n{ "method": "getSlot" }');
    assert.deepEqual(query, { ...QUERY, profile: 'other.example', origin: 'https://other.example' });
  });

  test('is undefined where there is no request', () => {
    assert.equal(at('@token = abc\n\n### A\n{ "method": "getSlot" }', 0), undefined);
  });
});
