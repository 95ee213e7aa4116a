// Exchanges over the wire during a run, kept by block: requests of two files on one line, and those of no block.
import assert from 'node:assert/strict';
import os from 'node:os';
import { test } from 'node:test';
import type { RequestBlock } from '../../../core/requests/run/model';
import type { PlacedProfile } from '../../../core/service/profiles/profile';
import type { SendTarget } from '../../../net/api';
import { settle } from '../../../net/target/target';
import { Results } from '../../../server/responses/results';
import { Exchanges } from '../../../server/run/exchanges';

const HOME: RequestBlock = { file: 'file:///home.jsonrpc', name: null, title: '', line: 4, method: 'getSlot' };
const IMPORTED: RequestBlock = { ...HOME, file: 'file:///imported.jsonrpc' };
const exchanges = () => new Exchanges(new Results(os.tmpdir(), (text) => text), () => undefined);
const reported = ({ file, line }: RequestBlock) => ({ file, line: line + 1 });

test('requests on the same line of two files keep what each of them brought', () => {
  const kept = exchanges();
  const error = { kind: 'network', message: 'lost' } as const;
  kept.came(IMPORTED, { failure: error });
  assert.deepEqual(kept.of(reported(HOME), true), {});
  assert.deepEqual(kept.of(reported(IMPORTED), false), { failure: error });
  assert.deepEqual(kept.of(reported(IMPORTED), false), {});
});

function targetOf(profile: PlacedProfile['profile']): SendTarget {
  const target = settle({ profile, source: 'user' }, { transport: 'POST', method: 'getLatestBlockhash', headers: [] });
  assert.ok(target.ok);
  return target.value;
}

test('the ledger that the local service had is kept with what it answered', () => {
  const kept = exchanges();
  kept.goes(HOME, targetOf({ name: 'local', rpcUrl: 'http://127.0.0.1:1', ledger: 'first' }), undefined);
  assert.equal(kept.of(reported(HOME), true).ledger, 'first');
});

test('what a run asks by itself belongs to no block', () => {
  const target = targetOf({ name: 'p', rpcUrl: 'http://127.0.0.1:1' });
  const kept = exchanges();
  kept.goes(undefined, target, undefined);
  kept.came(undefined, { failure: { kind: 'network', message: 'lost' } });
  assert.deepEqual(kept.of(reported(HOME), true), {});
  kept.goes(HOME, target, undefined);
  assert.equal(kept.of(reported(HOME), true).origin, 'http://127.0.0.1:1');
});
