// A file that the user saves: what a link leads to stays as it is.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { lstat, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import type * as vscode from 'vscode';
import type { saveText as SaveText } from '../../../client/shared/saving';
import { loadOver } from '../../support/editor/fakeVscode';

interface Place {
  readonly fsPath: string;
}
const FileType = { Unknown: 0, File: 1, SymbolicLink: 64 };
/** As the editor's own disk does: what is written follows links. */
const fs = {
  stat: async ({ fsPath }: Place) => ({
    type: (await lstat(fsPath)).isSymbolicLink() ? FileType.File + FileType.SymbolicLink : FileType.File,
  }),
  delete: ({ fsPath }: Place) => rm(fsPath),
  writeFile: ({ fsPath }: Place, bytes: Uint8Array) => writeFile(fsPath, bytes),
};
const { saveText } = loadOver<{ readonly saveText: typeof SaveText }>(
  { FileType, workspace: { fs } },
  '../../../client/shared/saving',
  __filename,
);

let folder = '';
before(() => (folder = mkdtempSync(path.join(tmpdir(), 'solana-rpc-saving-'))));
after(() => rmSync(folder, { recursive: true }));

const save = (name: string, text: string): Promise<void> =>
  saveText({ fsPath: path.join(folder, name) } as vscode.Uri, text);
const read = (name: string): string => readFileSync(path.join(folder, name), 'utf8');

test('is written, and over a file that is there', async () => {
  await save('usage.csv', 'a');
  await save('usage.csv', 'b');
  assert.equal(read('usage.csv'), 'b');
});

test('takes the place of a link and not of what it leads to', async () => {
  writeFileSync(path.join(folder, 'profile'), 'mine');
  symlinkSync('profile', path.join(folder, 'linked.csv'));
  await save('linked.csv', 'b');
  assert.deepEqual([read('profile'), read('linked.csv')], ['mine', 'b']);
});
