// A key that is moved out of a file: the file changes only where the edits are still of its text.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { moveSecret as MoveSecret } from '../../../client/keys/moveSecret';
import type { Secret } from '../../../core/service/keys/secret';
import { loadOver } from '../../support/editor/fakeVscode';

const KEY = '0123456789abcdef0123456789abcdef';
const LINE = `Authorization: Bearer ${KEY}`;
const RANGE = { start: { line: 0, character: LINE.indexOf(KEY) }, end: { line: 0, character: LINE.length } };
const EDIT = {
  range: { start: { line: 0, character: 0 }, end: { line: 0, character: LINE.length } },
  newText: '',
};

const document = {
  uri: { toString: () => 'file:///project/a.jsonrpc' },
  languageId: 'jsonrpc',
  version: 1,
  getText: () => KEY,
  lineAt: () => ({ text: LINE }),
};
const said: string[] = [];
let applied = 0;
let whileAsked = (): void => undefined;
class Passed {
  constructor(...given: readonly unknown[]) {
    Object.assign(this, { given });
  }
  set(): void {}
}
const editor = {
  l10n: { t: (text: string) => text },
  Uri: { parse: () => document.uri },
  Range: Passed,
  Position: Passed,
  TextEdit: Passed,
  WorkspaceEdit: Passed,
  window: {
    showInputBox: () => {
      whileAsked();
      return Promise.resolve('mine');
    },
    showWarningMessage: (text: string) => Promise.resolve(void said.push(text)),
    setStatusBarMessage: (text: string) => void said.push(text),
  },
  workspace: {
    openTextDocument: () => Promise.resolve(document),
    applyEdit: () => {
      applied++;
      return Promise.resolve(true);
    },
  },
};
// A range of the editor knows its ends.
Object.defineProperties(Passed.prototype, {
  start: { get: () => RANGE.start },
  end: { get: () => RANGE.end },
});
const { moveSecret } = loadOver<{ readonly moveSecret: typeof MoveSecret }>(
  editor,
  '../../../client/keys/moveSecret',
  __filename,
);

/** Moves the key; the secrets that were stored. */
async function moved(): Promise<readonly Secret[]> {
  said.length = 0;
  applied = 0;
  const stored: Secret[] = [];
  const deps = {
    server: () =>
      Promise.resolve({
        sendRequest: () => ({ type: 'rpc', profile: 'own', origin: 'https://rpc.example', interface: 'rpc' }),
      }),
    profiles: { find: () => undefined },
    vault: {
      list: () => Promise.resolve([]),
      add: (_record: unknown, secret: Secret) => Promise.resolve(void stored.push(secret)),
    },
  } as unknown as Parameters<typeof MoveSecret>[0];
  await moveSecret(deps, ['file:///project/a.jsonrpc', RANGE, [EDIT]]);
  return stored;
}

test('is taken out of the file once it is stored', async () => {
  const [secret, ...more] = await moved();
  assert.equal(secret?.reveal(), KEY);
  assert.deepEqual([more.length, applied], [0, 1]);
  assert.match(said.at(-1) ?? '', /in secret storage/);
});

test('stays in a file that was changed while its label was asked for, and that is said', async () => {
  whileAsked = () => void document.version++;
  assert.equal((await moved()).length, 1);
  assert.equal(applied, 0);
  assert.deepEqual(said, [
    'The key is stored, but still in the file, which the editor did not change: remove it there.',
  ]);
});
