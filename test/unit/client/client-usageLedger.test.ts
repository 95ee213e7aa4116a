// The usage of a window through refreshes and the starts of its local service: numbers of one ledger are never shown with the
// next, and a late answer never takes the place of a newer one.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { UsageModel } from '../../../client/usage/usageModel';
import type { UsageKeysResult, UsageParams, UsageResult } from '../../../protocol/usage';
import { loadOver } from '../../support/editor/fakeVscode';

const editor = {
  EventEmitter: class {
    readonly event = () => ({ dispose: () => undefined });
    fire(): void {}
    dispose(): void {}
  },
  CancellationTokenSource: class {
    readonly token = { isCancellationRequested: false };
    cancel(): void {
      this.token.isCancellationRequested = true;
    }
    dispose(): void {}
  },
  window: { withProgress: (_options: unknown, work: () => Promise<void>) => work() },
  l10n: { t: (text: string) => text },
};
const { UsageModel: Model } = loadOver<{ readonly UsageModel: new (deps: unknown) => UsageModel }>(
  editor,
  '../../../client/usage/usageModel',
  __filename,
);

/** A window whose local service runs; the server answers a request for usage when `answer` is called. */
function windowWithService() {
  const kept = new Map<string, unknown>();
  let ledger = 'first';
  let changed = (): void => undefined;
  /** The questions to the server, in order. */
  const asked: { readonly params?: UsageParams; readonly answer: (result: UsageResult | UsageKeysResult) => void }[] =
    [];
  const deps = {
    profiles: {
      active: () => ({ profile: { name: 'local', restUrl: 'http://127.0.0.1:1', ledger } }),
      onDidChange: (listener: () => void) => {
        changed = listener;
        return { dispose: () => undefined };
      },
    },
    server: () =>
      Promise.resolve({
        sendRequest: (_type: unknown, params?: UsageParams) =>
          new Promise((answer: (result: UsageResult | UsageKeysResult) => void) =>
            asked.push({ ...(params !== undefined && { params }), answer }),
          ),
      }),
    memory: {
      get: (key: string) => kept.get(key),
      update: (key: string, value: unknown) => Promise.resolve(kept.set(key, value)),
    },
    setContext: () => undefined,
    stored: () => Promise.resolve([]),
    onAnswer: () => undefined,
  };
  return {
    open: () => new Model(deps),
    asked,
    answer: (result: UsageResult) => asked.at(-1)?.answer(result),
    restart: (next: string): void => {
      ledger = next;
      changed();
    },
  };
}

const NUMBERS: UsageResult = { kind: 'loaded', requestCount: 40, methods: [], from: 0, to: 10 };

async function loaded(): Promise<ReturnType<typeof windowWithService> & { readonly model: UsageModel }> {
  const shown = windowWithService();
  const model = shown.open();
  const loading = model.load();
  await Promise.resolve();
  shown.answer(NUMBERS);
  await loading;
  assert.equal(model.state.kind, 'loaded');
  return { ...shown, model };
}

test('a service that starts with a new ledger takes the numbers of the one before away', async () => {
  const { model, restart } = await loaded();
  restart('first');
  assert.equal(model.state.kind, 'loaded');
  restart('second');
  assert.deepEqual(model.state, { kind: 'idle' });
});

test('a window that is loaded again recalls the numbers of the ledger that runs on', async () => {
  const { open, restart } = await loaded();
  const { state } = open();
  assert.ok(state.kind === 'idle' && state.last?.requestCount === 40);
  restart('second');
  assert.deepEqual(open().state, { kind: 'idle' });
});

test('an answer about the ledger before comes too late', async () => {
  const { model, restart, answer } = await loaded();
  const loading = model.load();
  await Promise.resolve();
  restart('second');
  answer(NUMBERS);
  await loading;
  assert.deepEqual(model.state, { kind: 'idle' });
});

/** The same, with the row of one key open once. */
async function withKey(): Promise<Awaited<ReturnType<typeof loaded>>> {
  const shown = await loaded();
  const { model, asked } = shown;
  const listing = model.openKeys();
  await settled();
  asked.at(-1)?.answer({ kind: 'listed', keys: [{ keyId: 'k1' }] });
  await listing;
  return shown;
}

/** Everything that needs no answer has happened. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const requestsOf = (model: UsageModel): unknown => {
  const { keys } = model;
  if (keys.kind !== 'known') return keys.kind;
  return keys.keys.map(({ usage }) => ('last' in usage ? usage.last?.requestCount : usage.kind));
};
const numbers = (requestCount: number): UsageResult => ({ ...NUMBERS, kind: 'loaded', requestCount });

test('a refresh while a key is opened: the older answer comes last, and the newer one stays', async () => {
  const { model, asked } = await withKey();
  const opening = model.openKey('k1');
  await settled();
  const older = asked.at(-1);
  const refreshing = model.load();
  await settled();
  asked.at(-1)?.answer(numbers(42));
  await settled();
  asked.at(-1)?.answer(numbers(2));
  await refreshing;
  older?.answer(numbers(1));
  await opening;
  assert.deepEqual(requestsOf(model), [2]);
});

test('a list of keys that was asked of the ledger before is not shown', async () => {
  const { model, asked, restart } = await loaded();
  const listing = model.openKeys();
  await settled();
  restart('second');
  asked.at(-1)?.answer({ kind: 'listed', keys: [{ keyId: 'k1' }] });
  await listing;
  assert.equal(requestsOf(model), 'unknown');
});

test('the usage of a key that was asked of the ledger before is not shown', async () => {
  const { model, asked, restart } = await withKey();
  const opening = model.openKey('k1');
  await settled();
  const older = asked.at(-1);
  restart('second');
  const listing = model.openKeys();
  await settled();
  asked.at(-1)?.answer({ kind: 'listed', keys: [{ keyId: 'k1' }] });
  await listing;
  older?.answer(numbers(1));
  await opening;
  assert.deepEqual(requestsOf(model), ['idle']);
});
