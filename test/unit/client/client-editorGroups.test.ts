// Where the focus is after something was opened next to a request, by a model of the editor's groups.
import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import type { Uri } from 'vscode';
import type {
  openAsResponse as OpenAsResponse,
  openWithResponse as OpenWithResponse,
} from '../../../client/shared/editorGroups';
import { loadOver } from '../../support/editor/fakeVscode';

class TabInputText {
  constructor(readonly uri: { readonly scheme: string; readonly path: string }) {}
}
class TabInputWebview {
  constructor(readonly viewType: string) {}
}
class TabInputTextDiff {}

interface Group {
  /** Of its only tab. */
  readonly input: TabInputText | TabInputWebview | undefined;
}

/** From left to right and from top to bottom, as the editor counts its columns. */
let groups: Group[];
let active: Group;
/** A group that was clicked, which the editor is about to report. */
let clicked: Group | undefined;

const tabGroupOf = (group: Group): object => {
  const tabs = group.input === undefined ? [] : [{ input: group.input }];
  return { viewColumn: groups.indexOf(group) + 1, tabs, activeTab: tabs[0] };
};
const COUNT = ['First', 'Second', 'Third', 'Fourth', 'Fifth', 'Sixth', 'Seventh', 'Eighth'];
const editor = {
  TabInputText,
  TabInputTextDiff,
  TabInputWebview,
  ViewColumn: { Beside: -2 },
  window: {
    tabGroups: {
      get all() {
        return groups.map(tabGroupOf);
      },
      get activeTabGroup() {
        return tabGroupOf(active);
      },
    },
  },
  workspace: {
    getConfiguration: () => ({ get: () => 'beside', inspect: () => ({ defaultValue: 'beside' }) }),
    textDocuments: [],
  },
  commands: {
    executeCommand: (command: string) => {
      active = clicked ?? active;
      clicked = undefined;
      if (command === 'noop') return Promise.resolve();
      const [, nth] = /^workbench\.action\.focus(\w+)EditorGroup$/.exec(command) ?? [];
      if (nth === undefined) active = addedAfter(active);
      else active = groups[COUNT.indexOf(nth)] ?? active;
      return Promise.resolve();
    },
  },
};
const { openAsResponse, openWithResponse } = loadOver<{
  readonly openAsResponse: typeof OpenAsResponse;
  readonly openWithResponse: typeof OpenWithResponse;
}>(editor, '../../../client/shared/editorGroups', __filename);

function addedAfter(group: Group): Group {
  const added: Group = { input: undefined };
  groups.splice(groups.indexOf(group) + 1, 0, added);
  return added;
}

const FILE = { scheme: 'file', path: '/a.jsonrpc', toString: () => 'file:///a.jsonrpc' };
const request = (): Group => ({ input: new TabInputText(FILE) });
const stream = (): Group => ({ input: new TabInputWebview('mainThreadWebview-solanaRpc.stream') });

describe('the focus', () => {
  let opened: number[];
  const open = (column: number): Promise<void> => {
    opened.push(column);
    return Promise.resolve();
  };
  const begin = (...shown: readonly Group[]): void => {
    groups = [...shown];
    const [last] = shown.slice(-1);
    assert.ok(last);
    active = last;
  };
  beforeEach(() => {
    opened = [];
  });

  test('stays in the second of two editors of a request, whose answer takes a part of the first', async () => {
    const second = request();
    begin(request(), second);
    await openAsResponse(FILE as unknown as Uri, open);
    assert.deepEqual([opened, groups.length], [[2], 3]);
    assert.equal(active, second);
  });

  test('stays in the first one, whose answer takes a part of the second', async () => {
    const first = request();
    begin(first, request());
    active = first;
    await openAsResponse(FILE as unknown as Uri, open);
    assert.deepEqual(opened, [3]);
    assert.equal(active, first);
  });

  test('stays in a stream that is being watched', async () => {
    const watched = stream();
    begin(request(), watched);
    await openAsResponse(FILE as unknown as Uri, open);
    assert.deepEqual(opened, [3]);
    assert.equal(active, watched);
  });

  test('stays in a stream that was clicked just before', async () => {
    const watched = stream();
    begin(watched, request());
    clicked = watched;
    await openAsResponse(FILE as unknown as Uri, open);
    assert.equal(active, watched);
  });

  test('goes along to what the user opened, unless it opens by itself', async () => {
    const watched = stream();
    begin(request(), watched);
    await openWithResponse(undefined, open);
    assert.deepEqual(opened, [2]);
    assert.equal(active, groups[1]);
    begin(request(), watched);
    await openWithResponse(undefined, open, true);
    assert.equal(active, watched);
  });
});
