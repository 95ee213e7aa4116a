// A kept answer is used again only on the ledger that it comes from.
import assert from 'node:assert/strict';
import os from 'node:os';
import { test } from 'node:test';
import { Results } from '../../../server/responses/results';
import { Reuse } from '../../../server/run/reuse';
import { UNKNOWN_WINDOW, Window } from '../../../server/window';

const redact = (text: string): string => text;

test('an answer of the local service is one of its ledger, by its endpoint and by its URL alike', () => {
  const window = new Window();
  const results = new Results(os.tmpdir(), redact);
  const reuse = new Reuse({ window, results, redact, confirm: () => Promise.resolve(false) });
  const places = (ledger: string): readonly string[] => {
    const local = { name: 'local', rpcUrl: 'http://127.0.0.1:8899/sol', wsUrl: 'ws://127.0.0.1:8899/ws/sol', ledger };
    const other = { name: 'other', rpcUrl: 'http://127.0.0.1:9999' };
    const profiles = [
      { profile: other, source: 'user' },
      { profile: local, source: 'local' },
    ] as const;
    window.update({ ...UNKNOWN_WINDOW, profiles });
    const { describeEndpoint } = reuse.references({});
    const urls = ['http://127.0.0.1:8899/sol', 'ws://127.0.0.1:8899/ws/sol', 'http://127.0.0.1:9999', ''];
    return [describeEndpoint('local', undefined), ...urls.map((own) => describeEndpoint('other', own))];
  };
  const before = places('first');
  const changed = places('second').map((place, at) => place !== before[at]);
  assert.deepEqual(changed, [true, true, true, false, false]);
});
