// How the local service and the language server are, in words: every state of theirs, and the next step where one is needed.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { localHealth, serverHealth, type Health } from '../../../client/shared/health';
import { readReadyLine } from '../../../process/readyLine';
import type { LocalFailure, LocalServiceState } from '../../../process/localService';
import { english as t } from '../../support/data/english';

const failed = (why: LocalFailure, reason: string): LocalServiceState => ({ kind: 'failed', why, reason, log: [] });
const step = (health: Health | undefined) => [health?.step?.command, health?.isOver];

describe('local service', () => {
  const ready = readReadyLine(
    JSON.stringify({
      ...{ pid: 1, rpcUrl: 'http://127.0.0.1:1/sol', wsUrl: '', grpcUrl: '', restUrl: '', dashboardUrl: '' },
      ...{ adminUrl: '', adminToken: 't', slotMs: 400, version: '' },
      keys: { rpc: { keyId: 'k', key: 's' }, grpc: { keyId: 'k', key: 's' }, swqos: { keyId: 'k', key: 's' } },
      wallet: { address: '', secretKey: '' },
    }),
  );

  test('stopped and running need no words', () => {
    assert.ok(ready);
    assert.equal(localHealth({ kind: 'stopped' }, t), undefined);
    assert.equal(localHealth({ kind: 'running', ready }, t), undefined);
  });

  test('starting says so, without a step', () => {
    const health = localHealth({ kind: 'starting' }, t);
    assert.match(health?.words ?? '', /starting/);
    assert.deepEqual(step(health), [undefined, false]);
  });

  test('restarting after a crash says why and what is kept', () => {
    const health = localHealth({ kind: 'restarting', reason: 'It ended by itself (signal SIGKILL).' }, t);
    assert.match(health?.words ?? '', /restarting/);
    assert.match(health?.more.join(' ') ?? '', /SIGKILL.*keys and wallet stay.*ledger starts over/);
    assert.deepEqual(step(health), [undefined, false]);
  });

  test('failed after too many crashes stays off, and is restarted manually', () => {
    const health = localHealth(failed('crashes', 'It ended 6 times.'), t);
    assert.match(health?.more.join(' ') ?? '', /6 times.*until you start it.*log/);
    assert.deepEqual(step(health), ['startLocalService', true]);
  });

  test('failed at its start says its own sentence: a port that is taken', () => {
    const health = localHealth(failed('start', 'Port 8899 is in use.'), t);
    assert.match(health?.more.join(' ') ?? '', /Port 8899 is in use.*log/);
    assert.deepEqual(step(health), ['startLocalService', true]);
  });

  test('not on this platform says why and what to do instead, and offers no start that would fail', () => {
    const health = localHealth(failed('platform', 'No build for this machine.'), t);
    assert.match(health?.more.join(' ') ?? '', /No build.*endpoint instead/);
    assert.deepEqual(step(health), ['addEndpoint', true]);
  });
});

describe('server', () => {
  test('starting and ready need no words', () => {
    for (const state of ['stopped', 'starting', 'ready'] as const) assert.equal(serverHealth(state, t), undefined);
  });

  test('restarting says so, without a step', () => {
    assert.deepEqual(step(serverHealth('restarting', t)), [undefined, false]);
  });

  test('gave up says after how many ends, and is restarted by a click', () => {
    const health = serverHealth('gaveUp', t);
    assert.match(health?.more.join(' ') ?? '', /five times in three minutes/);
    assert.deepEqual(step(health), ['restartServer', true]);
  });
});
