// Meaning of a 403: at the hosted service and at unknown hosts a key of another type; at a known provider, which
// has no key types, an unknown key.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ServiceError } from '../../../core/service/errors';
import { Secret } from '../../../core/service/keys/secret';
import type { AttachedKey, SendTarget } from '../../../net/api';
import { explained } from '../../../net/auth/auth';
import { settle } from '../../../net/target/target';

const KEY: AttachedKey = { lease: { secret: new Secret('k'), label: 'x' }, auth: 'path' };
const FORBIDDEN: ServiceError = { kind: 'wrongKeyType', httpStatus: 403, message: 'no', hint: 'none' };

function targetAt(rpcUrl: string): SendTarget {
  const placed = { profile: { name: 'p', rpcUrl }, source: 'user' } as const;
  const target = settle(placed, { transport: 'POST', method: 'getSlot', headers: [] });
  assert.ok(target.ok);
  return target.value;
}

const ROWS: readonly (readonly [string, ServiceError['kind']])[] = [
  ['https://team.mainnet.rpcpool.com/{key}', 'keyRejected'],
  ['https://rpc.ankr.com/solana/{key}', 'keyRejected'],
  ['https://lb.drpc.org/ogrpc?network=solana&dkey={key}', 'keyRejected'],
  ['https://solana-mainnet.core.chainstack.com/{key}', 'keyRejected'],
  ['https://rpc.service.test/sol', 'wrongKeyType'],
  ['https://rpc.unknown.test/{key}', 'wrongKeyType'],
];
for (const [url, kind] of ROWS)
  test(`403 of ${new URL(url).host} is ${kind}`, () => {
    const found = explained(targetAt(url), [KEY], FORBIDDEN);
    assert.equal(found.kind, kind);
    assert.ok(!found.message.includes('type of key') || kind === 'wrongKeyType');
  });

test('a wrong type that was found before anything was sent stays one', () => {
  const unsent: ServiceError = { kind: 'wrongKeyType', message: 'no' };
  assert.deepEqual(explained(targetAt('https://rpc.ankr.com/solana/{key}'), [KEY], unsent), unsent);
});
