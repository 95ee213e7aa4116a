// Where a request with `@auth none` goes: to the same place without any stored key, or nowhere.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { EndpointProfile, ProfileSource } from '../../../core/service/profiles/profile';
import type { SendTarget } from '../../../net/api';
import { settle } from '../../../net/target/target';
import { request, targetOf } from '../../support/wire/wire';

const HOME = 'https://rpc.example.com';
const RPC = `${HOME}/sol`;

type Change = Parameters<typeof request>[0];

const settled = (profile: Partial<EndpointProfile>, change: Change, source?: ProfileSource): SendTarget =>
  targetOf(RPC, request(change), profile, source);

function refused(profile: Partial<EndpointProfile>, change: Change, source: ProfileSource = 'user'): string {
  const result = settle({ profile: { name: 'p', ...profile }, source }, request(change));
  assert.ok(!result.ok);
  return result.error.message;
}

describe('a request that is asked without a key', () => {
  const KEYLESS = { isKeyless: true } as const;

  for (const source of ['user', 'workspace', 'local'] as const)
    test(`gets none at a profile of the ${source}, and none is missing`, () => {
      const target = settled({ rpcUrl: RPC, auth: { rpc: 'query' } }, KEYLESS, source);
      assert.deepEqual([target.auth, target.isKeyOptional, target.isKeyless], ['none', undefined, true]);
    });

  test('gets none at a URL on its line', () => {
    const target = settled({ rpcUrl: RPC }, { ...KEYLESS, url: 'https://other.example.com/x' });
    assert.deepEqual([target.auth, target.isKeyOptional], ['none', undefined]);
  });

  test('gets neither of the two keys of a SWQoS send', () => {
    const target = settled({ rpcUrl: RPC }, { ...KEYLESS, transport: 'SWQOS', method: 'sendTransaction' });
    assert.deepEqual([target.auth, target.beside], ['none', undefined]);
  });

  test('is asked without the query parameter of the key, in a place of the user or of the workspace', () => {
    for (const source of ['user', 'workspace'] as const)
      assert.equal(settled({ rpcUrl: `${HOME}/a?api-key={key}&slot=1` }, KEYLESS, source).url.href, `${HOME}/a?slot=1`);
    assert.equal(settled({ rpcUrl: RPC }, { ...KEYLESS, url: `${HOME}/?token={key}` }).url.href, `${HOME}/`);
  });

  test('is refused where the path has the key, and says so', () => {
    for (const source of ['user', 'workspace'] as const) {
      const message = refused({ rpcUrl: `${HOME}/v2/{key}` }, KEYLESS, source);
      assert.match(message, /rpc\.example\.com has its key in the path and cannot be asked without it/);
    }
  });

  test('goes to the address as it was written where the table of providers places the key in the path', () => {
    const rpcUrl = 'https://solana-mainnet.g.alchemy.com/v2';
    assert.equal(settled({ rpcUrl }, KEYLESS).url.href, rpcUrl);
  });

  test('keeps the credential that it brings', () => {
    const target = settled({ rpcUrl: RPC }, { ...KEYLESS, headers: [['Authorization', 'Bearer mine']] });
    assert.deepEqual([target.auth, target.isKeyless], ['none', undefined]);
  });

  test('may go to a profile of the user over plaintext, to nobody else', () => {
    const lan = { rpcUrl: 'http://10.0.0.7:8899/' };
    assert.equal(settled(lan, KEYLESS).auth, 'none');
    assert.match(refused(lan, KEYLESS, 'workspace'), /unencrypted/);
  });
});
