// A run of the Test Explorer whose language server ends in the middle: each test gets its result, and the run ends.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type * as vscode from 'vscode';
import type { TestRunDeps, TestRuns as Runs } from '../../../client/testing/testRuns';
import type { BlocksOf, TestTree as Tree } from '../../../client/testing/testTree';
import type { ExecuteOutcome } from '../../../protocol/lsp';
import { loadOver } from '../../support/editor/fakeVscode';

const FILE = 'file:///project/pay.jsonrpc';

/** Anything else of the editor that the modules mention while they load. */
const unused = (): unknown => new Proxy(class {}, { get: (own, name) => Reflect.get(own, name) as unknown ?? unused() }); // oxfmt-ignore

/** The editor as far as a run of tests asks for it. */
const editor = {
  l10n: { t: (text: string) => text },
  TestRunProfileKind: { Run: 1 },
  TestMessage: class {
    constructor(readonly message: string) {}
  },
  Location: class {},
  Position: class {},
  Uri: { parse: (text: string) => ({ toString: () => text }) },
  Range: class {},
  Disposable: { from: () => undefined },
  workspace: {
    isTrusted: true,
    openTextDocument: () => Promise.resolve({}),
    textDocuments: [] as unknown[],
    getWorkspaceFolder: () => undefined,
    onDidOpenTextDocument: () => undefined,
    onDidSaveTextDocument: () => undefined,
    onDidChangeTextDocument: () => undefined,
  },
};

/** The classes as they are, over the editor above. */
function load(): { readonly TestRuns: typeof Runs; readonly TestTree: typeof Tree } {
  const over = new Proxy(editor, { get: (own, name) => Reflect.get(own, name) as unknown ?? unused() }); // oxfmt-ignore
  const { TestRuns } = loadOver<{ TestRuns: typeof Runs }>(over, '../../../client/testing/testRuns', __filename);
  const { TestTree } = loadOver<{ TestTree: typeof Tree }>(over, '../../../client/testing/testTree', __filename);
  return { TestRuns, TestTree };
}

const failed = (line: number): ExecuteOutcome => ({
  uri: FILE,
  line,
  title: `at ${line}`,
  status: 'failed',
  assertions: [{ text: 'result.meta.err == null', line: line + 2, passed: false, actual: '{}' }],
  durationMs: 12,
  bytes: 104,
  transport: 'POST',
  method: 'sendTransaction',
  endpoint: 'local',
  response: { request: 'ab', run: line, at: 0 },
});

const { TestRuns, TestTree } = load();
const log = { warn: () => undefined, debug: () => undefined } as unknown as vscode.LogOutputChannel;
// As the protocol's connection rejects what waits when its other end is gone.
const gone = (): Promise<never> => Promise.reject(new Error('Pending response rejected'));

/** Runs two tests of a file; returns what the Test Explorer received. */
async function reported(execute: () => Promise<unknown>): Promise<readonly string[]> {
  const said: string[] = [];
  let handler: vscode.TestRunProfile['runHandler'] | undefined;
  const words = (messages: readonly { readonly message: string }[]): string =>
    messages.map(({ message }) => message).join();
  const run = {
    enqueued: () => undefined,
    started: () => undefined,
    appendOutput: () => undefined,
    failed: ({ label }: vscode.TestItem, messages: Parameters<typeof words>[0]) =>
      said.push(`${label} failed: ${words(messages)}`),
    errored: ({ label }: vscode.TestItem, message: Parameters<typeof words>[0][number]) =>
      said.push(`${label} errored: ${words([message])}`),
    end: () => said.push('ended'),
  };
  const items = [0, 9].map((line) => ({
    label: `test ${line}`,
    uri: { toString: () => FILE },
    range: { start: { line } },
    children: [],
  }));
  const controller = {
    items,
    createRunProfile: (_label: string, _kind: number, start: vscode.TestRunProfile['runHandler']) => {
      handler = start;
      return { dispose: () => undefined };
    },
    createTestRun: () => run,
  };
  const deps = {
    runs: { execute },
    responses: { head: () => Promise.resolve('{}') },
    server: () => Promise.resolve({ sendRequest: gone }),
    log,
  };
  new TestRuns(
    controller as unknown as vscode.TestController,
    { refresh: () => Promise.resolve(), all: () => Promise.resolve() } as unknown as Tree,
    deps as unknown as TestRunDeps,
  );
  const token = { isCancellationRequested: false, onCancellationRequested: () => ({ dispose: () => undefined }) };
  await handler?.({ include: items } as unknown as vscode.TestRunRequest, token);
  return said;
}

test('a server that ends while it is asked for the failed call takes no result of the run along', async () => {
  const sentence = 'Failed: {0} (it is {1})';
  assert.deepEqual(await reported(() => Promise.resolve({ kind: 'done', outcomes: [failed(0), failed(9)] })), [
    `test 0 failed: ${sentence}`,
    `test 9 failed: ${sentence}`,
    'ended',
  ]);
});

test('without a server each test says why it has no result', async () => {
  const stopped = 'The language server has stopped.';
  assert.deepEqual(await reported(() => Promise.reject(new Error(stopped))), [
    `test 0 errored: ${stopped}`,
    `test 9 errored: ${stopped}`,
    'ended',
  ]);
});

test('a server that ends while it reads a file takes none of its tests along', async () => {
  const deleted: string[] = [];
  const controller = { items: { delete: (id: string) => deleted.push(id) } } as unknown as vscode.TestController;
  const uri = { toString: () => FILE } as vscode.Uri;
  const read = async (blocksOf: BlocksOf): Promise<readonly string[]> => {
    await new TestTree(controller, blocksOf, log).refresh(uri);
    return deleted;
  };
  editor.workspace.textDocuments.push({ uri, getText: () => '### A' });
  assert.deepEqual(await read(gone), []);
  editor.workspace.textDocuments.pop();
  // A file that cannot be read has none any more.
  assert.deepEqual(await read(gone), [FILE]);
});
