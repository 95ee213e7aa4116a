// Any address of a service becomes an endpoint: its interfaces guessed, its key taken out and in no text of it.
import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import { test } from 'node:test';
import { readPasted, type PastedEndpoint } from '../../../client/endpoints/pastedEndpoint';
import { exactly, readProfiles } from '../../../core/profileReader';
import { Secret } from '../../../core/secret';
import { settleInterface } from '../../../net/target/target';

const KEY = '3f7a9c1e5b2d48f6a0c4e8b1d7f3952a';
const HOSTED = {
  rpcUrl: 'https://rpc.example/sol',
  wsUrl: 'wss://rpc.example/ws/sol',
  grpcUrl: 'https://rpc.example',
  restUrl: 'https://rpc.example',
};

function read(text: string): PastedEndpoint {
  const pasted = readPasted(text);
  assert.ok(pasted !== undefined, text);
  return pasted;
}

for (const address of [
  'rpc.example',
  ' https://rpc.example ',
  'https://rpc.example/',
  'https://rpc.example/sol',
  'wss://rpc.example/ws/sol',
  'wss://rpc.example',
  `https://rpc.example/sol?api_key=${KEY}`,
  `wss://rpc.example/ws/sol?api_key=${KEY}`,
])
  test(`${address.replace(KEY, 'KEY')} is the hosted service with all its interfaces`, () => {
    assert.deepEqual(read(address).profile, HOSTED);
  });

for (const address of [
  `https://rpc.example/sol?api_key=${KEY}`,
  `wss://rpc.example/ws/sol?api_key=${KEY}`,
  `https://rpc.example/?api-key=${KEY}`,
  `https://rpc.example/v2/${KEY}`,
  `https://rpc.example/${KEY}/`,
  `https://grpc.rpc.example:10000/?x-token=${KEY}`,
])
  test(`the key of ${address.replace(KEY, 'KEY')} is taken out, and stands in no text of the endpoint`, () => {
    const { key, ...rest } = read(address);
    assert.ok(key?.secret.equals(new Secret(KEY)));
    assert.ok(!JSON.stringify(rest).includes(KEY));
    assert.ok(!inspect(read(address), { depth: 9 }).includes(KEY));
  });

test('a key that the service takes in the address alone keeps its place there, and can be sent from there', () => {
  const inQuery = read(`https://rpc.example/?api-key=${KEY}`).profile;
  assert.equal(inQuery.rpcUrl, 'https://rpc.example/sol?api-key={key}');
  assert.deepEqual(inQuery.auth, { rpc: 'path', ws: 'path' });
  const inPath = read(`https://rpc.example/v2/${KEY}`).profile;
  assert.equal(inPath.rpcUrl, 'https://rpc.example/v2/{key}');
  assert.equal(inPath.wsUrl, 'wss://rpc.example/v2/{key}');
  for (const profile of [inQuery, inPath])
    for (const face of ['rpc', 'ws'] as const)
      assert.ok(settleInterface({ profile: { name: 'p', ...profile }, source: 'user' }, face).ok);
});

test('another service has the path of its address and no interfaces that nobody spoke of', () => {
  assert.deepEqual(read('https://other.example/rpc/main').profile, {
    rpcUrl: 'https://other.example/rpc/main',
    wsUrl: 'wss://other.example/rpc/main',
  });
});

test('a validator on this machine needs no key, and its socket is at the next port', () => {
  for (const address of ['http://127.0.0.1:8899', 'localhost:8899'])
    assert.deepEqual(read(address).profile.auth, { rpc: 'none', ws: 'none' });
  assert.equal(read('http://127.0.0.1:8899').profile.wsUrl, 'ws://127.0.0.1:8900/');
});

test('an address of streams alone is one with streams alone, and its key is for them', () => {
  const { profile, key } = read(`grpcs://streams.example:10000?api_key=${KEY}`);
  assert.deepEqual(profile, { grpcUrl: 'https://streams.example:10000' });
  assert.equal(key?.type, 'grpc');
});

test('what comes out is a profile as the settings take it', () => {
  for (const address of ['rpc.example', `https://rpc.example/v2/${KEY}`, 'localhost:8899', 'grpc://streams.example']) {
    const profile = { name: 'p', ...read(address).profile };
    assert.deepEqual(readProfiles(exactly([profile])), [{ profile }]);
  }
});

test('what is no address, or holds a user name, is none', () => {
  for (const address of [
    '',
    'two words',
    'ftp://rpc.test',
    'https://',
    'https://me:pw@rpc.test',
    'javascript:alert(1)',
  ])
    assert.equal(readPasted(address), undefined, address);
});
