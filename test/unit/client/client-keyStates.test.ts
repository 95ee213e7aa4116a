// The state of a key by the service's answers, as the Endpoints view shows it: every state, in words and with a next step.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { keyItem } from '../../../client/keys/keyItems';
import type { KeyRecord, KeyVerdict } from '../../../client/keys/keyRecord';
import {
  noteState,
  stateAfterError,
  stateAfterRun,
  stateAfterTest,
  stateAfterUsage,
} from '../../../client/keys/keyStates';
import type { ServiceError } from '../../../core/service/errors';
import type { KeyQuery } from '../../../core/service/profiles/profile';
import { OUTCOME } from '../../support/data/outcome';
import { english as t } from '../../support/data/english';

const NOW = Date.UTC(2026, 5, 1, 12);

const KEY: KeyRecord = {
  id: 'a',
  type: 'rpc',
  label: 'main',
  profile: 'hosted',
  origins: { rpc: 'https://rpc.test', ws: 'wss://rpc.test', rest: 'https://api.test' },
  state: { kind: 'active' },
};
const ALONE = { used: true, rivals: false };
const rowOf = (state: KeyVerdict) => keyItem({ ...KEY, state }, ALONE, NOW, t);

describe('a key', () => {
  const STATES: readonly (readonly [state: KeyVerdict, description: RegExp, step: RegExp])[] = [
    [{ kind: 'untested' }, /^untested · main$/, /Test it/],
    [{ kind: 'rejected' }, /^refused by the service \(401\) · main$/, /Rotate it/],
    [{ kind: 'wrongType' }, /^of another type \(403\) · main$/, /add it with that type/],
    [{ kind: 'suspended', until: NOW + 60_000 }, /^suspended until .+ · main$/, /lifts a suspension by itself/],
    [{ kind: 'suspended', until: NOW - 1 }, /^was suspended until .+ · main$/, /by itself/],
    [{ kind: 'suspended' }, /^suspended · main$/, /by itself/],
    [{ kind: 'removed' }, /^removed · main$/, /Add it again, or remove/],
  ];
  for (const [state, description, step] of STATES)
    test(`that is ${JSON.stringify(state)} says so first, and what to do`, () => {
      const row = rowOf(state);
      assert.match(row.description, description);
      assert.match(row.lines.join('\n'), step);
      assert.ok(row.spoken.includes(row.description));
    });

  test('that is active says its label alone, and to a screen reader that it is active', () => {
    const row = rowOf({ kind: 'active' });
    assert.equal(row.description, 'main');
    assert.equal(row.lines[0], '');
    assert.equal(row.spoken, 'RPC key, main, active');
  });

  test('has a distinct icon for each of the states that need one', () => {
    const looks = (['untested', 'active', 'rejected', 'suspended', 'removed'] as const).map(
      (kind) => rowOf({ kind }).icon,
    );
    assert.equal(new Set(looks).size, looks.length);
  });

  test('names every host it may go to once, and when it was used', () => {
    const row = keyItem({ ...KEY, keyId: 'key_1', lastUsed: NOW }, ALONE, NOW, t);
    const text = row.lines.join('\n');
    assert.match(text, /Goes only to rpc\.test, api\.test\./);
    assert.match(text, /Key id: key_1/);
    assert.match(text, /Last used /);
    assert.match(rowOf({ kind: 'active' }).lines.join('\n'), /Not used yet/);
  });

  test('of several says which one is used, and offers to use another', () => {
    const [used, other] = [true, false].map((isUsed) => keyItem(KEY, { used: isUsed, rivals: true }, NOW, t));
    assert.deepEqual([used?.description, used?.context], ['main · used', 'key.used']);
    assert.deepEqual([other?.description, other?.context], ['main', 'key.other']);
    assert.equal(rowOf({ kind: 'removed' }).context, 'keyRemoved');
  });
});

describe('the state after an answer', () => {
  const refusals: readonly (readonly [ServiceError, KeyVerdict | undefined])[] = [
    [{ kind: 'keyRejected', message: '' }, { kind: 'rejected' }],
    [{ kind: 'wrongKeyType', message: '' }, { kind: 'wrongType' }],
    [
      { kind: 'suspended', retryAfterMs: 5_000, message: '' },
      { kind: 'suspended', until: NOW + 5_000 },
    ],
    [{ kind: 'suspended', message: '' }, { kind: 'suspended' }],
    [{ kind: 'rateLimited', message: '' }, undefined],
    [{ kind: 'network', message: '' }, undefined],
  ];
  for (const [error, state] of refusals)
    test(`${error.kind}${'retryAfterMs' in error ? ' with a time' : ''} is ${state?.kind ?? 'nothing about the key'}`, () => {
      assert.deepEqual(stateAfterUsage(error, NOW), state);
      assert.deepEqual(stateAfterTest({ kind: 'refused', error }, NOW), state);
      assert.deepEqual(stateAfterError(error, NOW), state);
    });

  test('that is good is active', () => {
    assert.deepEqual(stateAfterUsage(undefined, NOW), { kind: 'active' });
    assert.deepEqual(stateAfterTest({ kind: 'accepted' }, NOW), { kind: 'active' });
  });

  test('of a run is active even where the request itself was wrong', () => {
    assert.deepEqual(stateAfterRun({ ...OUTCOME, httpStatus: 200 }, NOW), { kind: 'active' });
    const error = { kind: 'rpc', code: -32602, message: 'Invalid params' } as const;
    assert.deepEqual(stateAfterRun({ ...OUTCOME, status: 'failed', httpStatus: 200, error }, NOW), { kind: 'active' });
  });

  test('of a run without an answer says nothing about the key', () => {
    assert.equal(
      stateAfterRun({ ...OUTCOME, status: 'failed', error: { kind: 'network', message: '' } }, NOW),
      undefined,
    );
  });

  test('is written only where it is news', async () => {
    const query: KeyQuery = { type: 'rpc', interface: 'rpc', profile: 'hosted', origin: 'https://rpc.test' };
    const noted: KeyVerdict[] = [];
    const vault = {
      list: () => Promise.resolve([KEY]),
      note: (_id: string, { state }: { readonly state?: KeyVerdict }) => {
        if (state !== undefined) noted.push(state);
        return Promise.resolve();
      },
    };
    await noteState(vault, query, { kind: 'active' });
    await noteState(vault, query, undefined);
    await noteState(vault, { ...query, origin: 'https://other.test' }, { kind: 'rejected' });
    assert.deepEqual(noted, []);
    await noteState(vault, query, { kind: 'rejected' });
    assert.deepEqual(noted, [{ kind: 'rejected' }]);
  });
});
