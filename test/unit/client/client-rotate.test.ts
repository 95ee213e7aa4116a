// Rotating a key: every row of what can go wrong, and what is stored then.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  enterKey,
  problemOf,
  rotate,
  untested,
  type Decision,
  type RotationQuestion,
  type RotatePorts,
} from '../../../client/keys/rotation';
import { failed, ok, type ServiceError } from '../../../core/service/errors';
import { Secret } from '../../../core/service/keys/secret';
import type { MoveStreamsResult } from '../../../protocol/streams';
import type { TestKeyResult } from '../../../protocol/usage';
import { english as t } from '../../support/data/english';

const OLD = new Secret('old-key-000');
const NEW = new Secret('new-key-111');

const refusedWith = (error: ServiceError, actual?: 'grpc'): TestKeyResult => ({
  kind: 'refused',
  error,
  ...(actual !== undefined && { actual }),
});
const UNKNOWN = refusedWith({ kind: 'keyRejected', message: 'refused' });
const TIMEOUT = refusedWith({ kind: 'timeout', afterMs: 10, message: 'no answer' });
const NONE: MoveStreamsResult = { moved: 0, unsure: 0, stayed: [], failed: [] };
const ACCEPTED: TestKeyResult = { kind: 'accepted' };

/** Ports that answer from the lists given and write down what was stored and asked. */
function fake(given: {
  readonly entries?: readonly (Secret | undefined)[];
  readonly tests?: readonly TestKeyResult[];
  readonly decisions?: readonly Decision[];
  readonly saves?: readonly boolean[];
  readonly streams?: MoveStreamsResult;
  readonly over?: Partial<RotatePorts>;
}) {
  const entries = [...(given.entries ?? [NEW])];
  const tests = [...(given.tests ?? [ACCEPTED])];
  const decisions = [...(given.decisions ?? [])];
  const saves = [...(given.saves ?? [])];
  const stored: { readonly secret: Secret; readonly type: string; readonly tested: boolean }[] = [];
  const questions: RotationQuestion['kind'][] = [];
  const next = <T>(list: T[], what: string): T => {
    assert.ok(list.length > 0, `an unexpected ${what}`);
    return list.shift() as T;
  };
  const ports: RotatePorts = {
    explain: () => Promise.resolve(true),
    openDashboard: () => Promise.resolve({ opened: true, url: 'https://dashboard.test/' }),
    rotateItself: undefined,
    reopen: () => {
      assert.ok(stored.length > 0 || given.over?.rotateItself !== undefined, 'streams are reopened after the swap');
      return Promise.resolve(given.streams ?? NONE);
    },
    ask: () => Promise.resolve(next(entries, 'entry')),
    test: () => Promise.resolve(next(tests, 'test')),
    decide: (question) => {
      questions.push(question.kind);
      return Promise.resolve(next(decisions, `question: ${question.kind}`));
    },
    save: (secret, type, tested) => {
      if (saves.shift() === false)
        return Promise.resolve(failed({ kind: 'invalidRequest', message: 'the keyring is locked' }));
      stored.push({ secret, type, tested });
      return Promise.resolve(ok(undefined));
    },
    ...given.over,
  };
  return { ports, stored, questions };
}

test('a key that the service accepts replaces the old one in one write', async () => {
  const { ports, stored } = fake({});
  assert.deepEqual(await rotate('rpc', OLD, ports), { kind: 'rotated', tested: true, streams: NONE });
  assert.deepEqual(stored, [{ secret: NEW, type: 'rpc', tested: true }]);
});

test('leaving at the explanation keeps the old key and opens nothing', async () => {
  const { ports, stored } = fake({
    over: {
      explain: () => Promise.resolve(false),
      openDashboard: () => assert.fail('the dashboard was opened'),
    },
  });
  assert.deepEqual(await rotate('rpc', OLD, ports), { kind: 'kept' });
  assert.deepEqual(stored, []);
});

test('a dashboard that cannot open is named, and cancelling there keeps the old key', async () => {
  const closed = { openDashboard: () => Promise.resolve({ opened: false, url: 'https://dashboard.test/' }) };
  const { ports, stored, questions } = fake({ decisions: ['keep'], over: closed });
  assert.deepEqual(await rotate('rpc', OLD, ports), { kind: 'kept' });
  assert.deepEqual(questions, ['dashboardClosed']);
  assert.deepEqual(stored, []);
});

test('rotation can continue to the new key if the dashboard cannot open', async () => {
  const closed = { openDashboard: () => Promise.resolve({ opened: false, url: 'https://dashboard.test/' }) };
  const { ports } = fake({ decisions: ['continue'], over: closed });
  assert.equal((await rotate('rpc', OLD, ports)).kind, 'rotated');
});

test('leaving the password box keeps the old key', async () => {
  const { ports, stored } = fake({ entries: [undefined] });
  assert.deepEqual(await rotate('rpc', OLD, ports), { kind: 'kept' });
  assert.deepEqual(stored, []);
});

test('what is typed is checked: empty, with spaces, the stored key, a key of another type', () => {
  assert.equal(problemOf('  ', 'rpc', OLD), 'empty');
  assert.equal(problemOf('two words', 'rpc', OLD), 'spaces');
  assert.equal(problemOf(' old-key-000 ', 'rpc', OLD), 'same');
  assert.equal(problemOf('grpc_abcdef', 'rpc', OLD), 'otherType');
  assert.equal(problemOf('rpc_abcdef', 'rpc', OLD), undefined);
  assert.equal(problemOf('abcdef', 'swqos', undefined), undefined);
});

test('the password box gets the check of the key that is being rotated', async () => {
  const found: (string | undefined)[] = [];
  const { ports } = fake({
    over: {
      ask: (check) => {
        found.push(check('old-key-000'), check('new-key-111'));
        return Promise.resolve(undefined);
      },
    },
  });
  await rotate('rpc', OLD, ports);
  assert.deepEqual(found, ['same', undefined]);
});

test('a refused candidate can be entered again', async () => {
  const { ports, stored, questions } = fake({
    entries: [new Secret('mistyped'), NEW],
    tests: [UNKNOWN, ACCEPTED],
    decisions: ['again'],
  });
  assert.equal((await rotate('rpc', OLD, ports)).kind, 'rotated');
  assert.deepEqual(questions, ['refused']);
  assert.deepEqual(
    stored.map(({ secret }) => secret),
    [NEW],
  );
});

test('a refused candidate can be given up: the old key stays', async () => {
  const { ports, stored } = fake({ tests: [UNKNOWN], decisions: ['keep'] });
  assert.deepEqual(await rotate('rpc', OLD, ports), { kind: 'kept' });
  assert.deepEqual(stored, []);
});

test('a refused candidate is never stored, whichever decision follows', async () => {
  for (const decision of ['storeUntested', 'storeThere', 'continue'] as const) {
    const { ports, stored } = fake({ tests: [UNKNOWN], decisions: [decision] });
    assert.deepEqual(await rotate('rpc', OLD, ports), { kind: 'kept' }, decision);
    assert.deepEqual(stored, []);
  }
});

test('a key of another type is offered a place as what it is, and the old one is untouched', async () => {
  const wrong = refusedWith({ kind: 'wrongKeyType', message: 'another type' }, 'grpc');
  const { ports, stored, questions } = fake({ tests: [wrong], decisions: ['storeThere'] });
  assert.deepEqual(await rotate('rpc', OLD, ports), { kind: 'storedAs', type: 'grpc' });
  assert.deepEqual(questions, ['wrongType']);
  assert.deepEqual(stored, [{ secret: NEW, type: 'grpc', tested: false }]);
});

test('a key of an unknown other type is stored nowhere', async () => {
  const wrong = refusedWith({ kind: 'wrongKeyType', message: 'another type' });
  const { ports, stored } = fake({ tests: [wrong], decisions: ['storeThere'] });
  assert.deepEqual(await rotate('rpc', OLD, ports), { kind: 'kept' });
  assert.deepEqual(stored, []);
});

for (const error of [
  { kind: 'network', message: 'unreachable' },
  { kind: 'timeout', afterMs: 10, message: 'no answer' },
  { kind: 'rateLimited', message: 'too many requests' },
  { kind: 'protocol', httpStatus: 502, message: 'bad gateway' },
] as const satisfies readonly ServiceError[]) {
  test(`a test that ends in ${error.kind} can be followed by storing the key untested`, async () => {
    const { ports, stored, questions } = fake({ tests: [refusedWith(error)], decisions: ['storeUntested'] });
    assert.deepEqual(await rotate('rpc', OLD, ports), { kind: 'rotated', tested: false, streams: NONE });
    assert.deepEqual(questions, ['unreachable']);
    assert.deepEqual(stored, [{ secret: NEW, type: 'rpc', tested: false }]);
  });
}

test('a test without an answer can be tried again with the same key', async () => {
  const { ports } = fake({ tests: [TIMEOUT, TIMEOUT, ACCEPTED], decisions: ['retry', 'retry'] });
  assert.deepEqual(await rotate('rpc', OLD, ports), { kind: 'rotated', tested: true, streams: NONE });
});

test('a test without an answer can be given up: the old key stays', async () => {
  const { ports, stored } = fake({ tests: [TIMEOUT], decisions: ['keep'] });
  assert.deepEqual(await rotate('rpc', OLD, ports), { kind: 'kept' });
  assert.deepEqual(stored, []);
});

test('a storage that fails says why and lets the key be entered again', async () => {
  const { ports, stored, questions } = fake({
    entries: [NEW, NEW],
    tests: [ACCEPTED, ACCEPTED],
    saves: [false, true],
    decisions: ['again'],
  });
  assert.equal((await rotate('rpc', OLD, ports)).kind, 'rotated');
  assert.deepEqual(questions, ['notSaved']);
  assert.equal(stored.length, 1);
});

test('a storage that fails for good keeps the old key and says so', async () => {
  const { ports, stored } = fake({ saves: [false], decisions: ['keep'] });
  const outcome = await rotate('rpc', OLD, ports);
  assert.equal(outcome.kind, 'kept');
  assert.match(outcome.kind === 'kept' ? (outcome.error?.message ?? '') : '', /keyring/);
  assert.deepEqual(stored, []);
});

test('the local service rotates by itself: nothing is typed and no dashboard opens', async () => {
  const { ports } = fake({
    over: {
      rotateItself: () => Promise.resolve(ok(undefined)),
      openDashboard: () => assert.fail('the dashboard was opened'),
      ask: () => assert.fail('a key was asked for'),
    },
  });
  assert.deepEqual(await rotate('rpc', OLD, ports), { kind: 'rotated', tested: true, streams: NONE });
});

test('a local service that does not rotate leaves the old key, with its reason', async () => {
  const error: ServiceError = { kind: 'network', message: 'not running' };
  const { ports } = fake({ over: { rotateItself: () => Promise.resolve(failed(error)) } });
  assert.deepEqual(await rotate('rpc', OLD, ports), { kind: 'kept', error });
});

test('adding a key goes the same way, without one to keep', async () => {
  const { ports, stored } = fake({});
  assert.deepEqual(await enterKey('swqos', undefined, ports), { kind: 'stored', tested: true });
  assert.deepEqual(stored, [{ secret: NEW, type: 'swqos', tested: true }]);
});

test('streams continue with the new key, and their outcome is reported', async () => {
  const error: ServiceError = { kind: 'network', message: 'unreachable' };
  const streams: MoveStreamsResult = { moved: 2, unsure: 0, stayed: [], failed: [{ id: '1', title: 'slots', error }] };
  const { ports, stored } = fake({ streams });
  assert.deepEqual(await rotate('rpc', OLD, ports), { kind: 'rotated', tested: true, streams });
  assert.equal(stored.length, 1);
});

test('streams are left alone where nothing was swapped', async () => {
  const wrong = refusedWith({ kind: 'wrongKeyType', message: 'another type' }, 'grpc');
  const untouched = { reopen: () => assert.fail('streams were reopened') };
  for (const given of [
    { entries: [undefined] },
    { tests: [UNKNOWN], decisions: ['keep'] as const },
    { tests: [wrong], decisions: ['storeThere'] as const },
    { saves: [false], decisions: ['keep'] as const },
  ]) {
    const { ports } = fake({ ...given, over: untouched });
    assert.notEqual((await rotate('rpc', OLD, ports)).kind, 'rotated');
  }
});

test('a key for a host without a place to try it is stored untested', async () => {
  const { ports, stored } = fake({ over: { test: undefined } });
  assert.deepEqual(await enterKey('rpc', undefined, ports), { kind: 'stored', tested: false });
  assert.deepEqual(stored, [{ secret: NEW, type: 'rpc', tested: false }]);
});

test('a test that could not run says why; only the user cancels one', () => {
  const wordsOf = (result: TestKeyResult) =>
    result.kind === 'refused' ? [result.error.kind, result.error.message] : [];
  assert.deepEqual(wordsOf(untested(new Error('Canceled'), true, t)), ['cancelled', 'The test was cancelled.']);
  assert.deepEqual(wordsOf(untested(new Error('Pending response rejected since connection got disposed.'), false, t)), [
    'invalidRequest',
    'The language server could not run the test: Pending response rejected since connection got disposed',
  ]);
  for (const thrown of [undefined, 'gone', new Error('')])
    assert.match(wordsOf(untested(thrown, false, t))[1] ?? '', /could not run the test: \S/);
});
