// The History view redraws its rows only when they differ: a menu used meanwhile gets no row from the editor.
import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { test } from 'node:test';
import type { historyCommands } from '../../../client/responses/historyCommands';
import type { HistoryTree } from '../../../client/responses/historyTree';
import { loadOver } from '../../support/editor/fakeVscode';
import { mockTimers } from '../../support/mockTimers';

class EventEmitter {
  readonly #listeners: ((value: unknown) => void)[] = [];
  readonly event = (listener: (value: unknown) => void) => {
    this.#listeners.push(listener);
    return { dispose: () => undefined };
  };
  fire(value: unknown): void {
    for (const each of this.#listeners) each(value);
  }
  dispose(): void {}
}
const shown: string[] = [];
const editor = {
  EventEmitter,
  Uri: class {},
  window: {
    createTreeView: () => ({ visible: true, onDidChangeVisibility: () => undefined, dispose: () => undefined }),
    showInformationMessage: (text: string) => Promise.resolve(shown.push(text)),
  },
  l10n: { t: (text: string) => text },
};

test('a report of a response that is shown already draws no row again', async (t) => {
  const timers = mockTimers(t, 'setTimeout');
  const { HistoryTree: Tree } = loadOver<{ readonly HistoryTree: new (responses: unknown) => HistoryTree }>(
    editor,
    '../../../client/responses/historyTree',
    __filename,
  );
  const reported = new EventEmitter();
  const run = (number: number) => ({
    title: 'slot',
    file: 'file:///a.jsonrpc',
    response: { request: 'a', run: number, at: number },
  });
  let kept = [run(1)];
  const tree = new Tree({ onDidChangeHistory: reported.event, history: () => Promise.resolve(structuredClone(kept)) });
  let drawn = 0;
  tree.onDidChangeTreeData(() => drawn++);
  const report = async (): Promise<number> => {
    reported.fire(undefined);
    timers.tick(1_000);
    await setImmediate();
    return drawn;
  };
  await tree.getChildren();
  assert.equal(await report(), 0);
  kept = [run(2), ...kept];
  assert.equal(await report(), 1);
  await tree.getChildren();
  assert.equal(await report(), 1);
});

test('a menu that gets no row from the editor says so', async () => {
  const { historyCommands: commands } = loadOver<{ readonly historyCommands: typeof historyCommands }>(
    editor,
    '../../../client/responses/historyCommands',
    __filename,
  );
  const never = (): never => assert.fail('There is no response to do this with.');
  const table = commands({ responses: { remove: never }, sendAgain: never, goToRequest: never } as never);
  for (const name of ['sendFromHistory', 'goToRequest', 'removeResponse']) {
    await table[name]?.(undefined, undefined);
    assert.deepEqual(shown.splice(0), ['The History view has just changed. Choose the response again.'], name);
  }
});
