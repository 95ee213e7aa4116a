// The one list of names that mean a key, and the texts that look like one.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isKeyVariable, looksLikeKey, namesKey } from '../../../core/service/keys/keyNames';

test('spellings of one name mean the same', () => {
  for (const name of [
    'api_key',
    'api-key',
    'apikey',
    'ApiKey',
    'X-API-Key',
    'x_api_key',
    'rpc-api-key',
    'SOLANA_RPC_API_KEY',
  ])
    for (const place of ['header', 'query', 'argument', 'variable'] as const)
      assert.ok(namesKey(name, place), `${name} ${place}`);
});

test('names that mean other things, too, count where they can only be a key', () => {
  for (const name of ['key', 'token', 'auth', 'x-token', 'access.token'])
    assert.deepEqual([namesKey(name, 'header'), namesKey(name, 'query')], [true, true], name);
  assert.equal(namesKey('token', 'variable'), false);
  assert.deepEqual([namesKey('k', 'query'), namesKey('k', 'argument')], [false, true]);
});

test('other names mean none', () => {
  for (const name of [
    '',
    'x',
    'rpc',
    'keyId',
    'key-id',
    'key-stdin',
    'mint',
    'monkey',
    'content-type',
    '__proto__',
    'constructor',
  ])
    for (const place of ['header', 'query', 'argument', 'variable'] as const)
      assert.equal(namesKey(name, place), false, `${name} ${place}`);
});

test('long words of letters and digits are taken for keys; other words and files are not', () => {
  for (const text of [
    '0123456789abcdef0123456789abcdef',
    '7b1c2d3e-4f5a-6b7c-8d9e-0f1a2b3c4d5e',
    'eyJhbGciOiJI.eyJzdWIiOiIx.c2lnbmF0dXJl',
  ])
    assert.ok(looksLikeKey(text), text);
  for (const text of ['', 'v2', 'sol', 'checks/balances-2024-of-the-week.jsonrpc', 'getting-started-with-requests'])
    assert.equal(looksLikeKey(text), false, text);
});

test('environment variables that contain keys are recognised by name, on any system', () => {
  for (const name of ['SOLANA_RPC_KEY', 'solana_grpc_key', 'SOLANA_2_KEY', 'SOLANA_RPC_ORIGIN'])
    assert.ok(isKeyVariable(name));
  for (const name of ['SOLANA_RPC_URL', 'KEY', 'MY_SOLANA_RPC_KEY_ID']) assert.equal(isKeyVariable(name), false);
});
