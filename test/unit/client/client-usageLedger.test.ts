// The usage of a window through the starts of its local service: numbers of one ledger are never shown with the next.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { UsageModel } from '../../../client/usage/usageModel';
import type { UsageResult } from '../../../protocol/usage';
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
  let answer = (_result: UsageResult): void => undefined;
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
        sendRequest: () => new Promise((resolve: (result: UsageResult) => void) => (answer = resolve)),
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
    answer: (result: UsageResult) => answer(result),
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
