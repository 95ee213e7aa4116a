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
let visibility = new EventEmitter();
/** The editor's work while it looks for a row, and everything that it was asked for, in order. */
let revealing: () => Promise<void> = () => Promise.resolve();
const asked: string[] = [];
const editor = {
  EventEmitter,
  Uri: class {
    static readonly from = () => ({ with: () => undefined });
  },
  window: {
    createTreeView: () => ({
      visible: true,
      onDidChangeVisibility: (visibility = new EventEmitter()).event,
      dispose: () => undefined,
      async reveal({ run }: { readonly run: { readonly title: string } }, options: object) {
        asked.push(`reveal ${run.title} ${JSON.stringify(options)}`);
        await revealing();
        asked.push('revealed');
      },
    }),
    showInformationMessage: (text: string) => Promise.resolve(shown.push(text)),
  },
  commands: { executeCommand: (command: string) => Promise.resolve(asked.push(command)) },
  l10n: { t: (text: string) => text },
};
const loadTree = () =>
  loadOver<{ readonly HistoryTree: new (responses: unknown) => HistoryTree }>(
    editor,
    '../../../client/responses/historyTree',
    __filename,
  ).HistoryTree;
const run = (number: number) => ({
  title: 'slot',
  uri: 'file:///a.jsonrpc',
  response: { request: 'a', run: number, at: number },
});

test('a report of a response that is shown already draws no row again', async (t) => {
  const timers = mockTimers(t, 'setTimeout');
  const Tree = loadTree();
  const reported = new EventEmitter();
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

test('nothing draws the rows again while the editor looks for the row that gets the focus', async () => {
  const Tree = loadTree();
  const kept = [run(1)];
  const tree = new Tree({
    watchDisk: () => undefined,
    onDidChangeHistory: () => undefined,
    history: () => Promise.resolve(structuredClone(kept)),
  });
  tree.onDidChangeTreeData(() => asked.push('draw'));
  revealing = async () => {
    // On a busy machine the editor reports late that the view came up; meanwhile another response is there.
    kept.unshift(run(2));
    visibility.fire({ visible: true });
    for (let turn = 0; turn < 10; turn++) await setImmediate();
  };
  await tree.focus();
  await setImmediate();
  assert.deepEqual(asked, ['solanaRpc.history.focus', 'draw', 'reveal slot {"focus":true}', 'revealed', 'draw']);
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
