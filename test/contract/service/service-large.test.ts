// The contract's row on getProgramAccounts with a very large result set, by plain fetch.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { encodeBase58 } from '../../../core/solana/encoding/base58';
import { startTestLedger, type Localnet } from '../../support/process/localnet';

import { at, call, listAt, post } from './service-harness';

/** How long this service has for an answer, which it looks at every few dozen accounts: never for a few. ms */
const SCAN_MS = 1;
/** The answer for so many takes hundreds of times as long. */
const MANY = 50_000;
const FEW = 3;
const anyAddress = (): string => encodeBase58(randomBytes(32));
const folder = mkdtempSync(path.join(tmpdir(), 'service-large-'));
const [large, small] = [anyAddress(), anyAddress()];

let local: Localnet;
before(async () => {
  const file = path.join(folder, 'accounts.json');
  const account = (owner: string): object => ({
    pubkey: anyAddress(),
    account: { lamports: 1_000_000, owner, executable: false, rentEpoch: 0, data: ['AQIDBAUGBwg=', 'base64'] },
  });
  const owners = [...Array.from({ length: MANY }, () => large), ...Array.from({ length: FEW }, () => small)];
  writeFileSync(file, JSON.stringify(owners.map(account)));
  local = await startTestLedger(['--plan', 'Shared Metal', '--scan-ms', String(SCAN_MS), '--accounts', file]);
});
after(async () => {
  await local.stop();
  rmSync(folder, { recursive: true });
});

describe('service: getProgramAccounts with a very large result set', () => {
  test('the request times out', async () => {
    const { status, body } = await post(local, 'getProgramAccounts', [large]);
    assert.equal(status, 504);
    assert.equal(at(body, 'error.code'), 504);
    assert.match(String(at(body, 'error.message')), new RegExp(`timed out after ${SCAN_MS} ms`));
    assert.equal(at(body, 'id'), 7);
  });
  test('in a batch it is an error among the answers', async () => {
    const calls = [['getProgramAccounts', [large]] as const, ['getSlot', []] as const].map(([method, params], id) => ({
      jsonrpc: '2.0',
      id,
      method,
      params,
    }));
    const { status, text } = await local.post(JSON.stringify(calls));
    assert.equal(status, 200);
    const [first, second] = JSON.parse(text) as unknown[];
    assert.equal(at(first, 'error.code'), 504);
    assert.equal(typeof at(second, 'result'), 'number');
  });
  test('a small set of the same service is answered', async () => {
    assert.equal(listAt({ all: await call(local, 'getProgramAccounts', small) }, 'all').length, FEW);
  });
  test('usage counts it among the errors', async () => {
    const issued = await local.newKey({ type: 'rpc', plan: 'Pro' });
    await post(local, 'getProgramAccounts', [large], issued.key);
    const { json } = await local.rest(`/v1/usage/${issued.keyId}`);
    assert.deepEqual(at(JSON.parse(JSON.stringify(json)), 'methods'), [
      { method: 'getProgramAccounts', count: 1, errors: 1 },
    ]);
  });
});
