// The place of what belongs to an opened folder: the same for every window on it, another one for every other folder.
import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import type { Uri } from 'vscode';
import { storageFor } from '../../../client/shared/storage';

const uri = (text: string): Uri => ({ scheme: new URL(text).protocol.slice(0, -1), toString: () => text }) as Uri;
const one = uri('file:///w/one');
const two = uri('file:///w/two');
const at = (folders: readonly Uri[], file?: Uri): string => storageFor('/shared', { file, folders });

test('windows on the same folders share a place, in any order', () => {
  assert.equal(at([one]), at([one]));
  assert.equal(at([one, two]), at([two, one]));
  assert.notEqual(at([one]), at([two]));
  assert.notEqual(at([one]), at([one, two]));
  assert.match(path.relative('/shared', at([one])), /^folders[\\/][0-9a-f]{16}$/);
});

test('a workspace file names its own; an unsaved one is its folders, as a duplicated window is', () => {
  const file = uri('file:///w/all.code-workspace');
  assert.equal(at([one], file), at([two], file));
  assert.notEqual(at([one], file), at([one]));
  assert.equal(at([one], uri('untitled:///1/workspace.json')), at([one]));
});

test('a window without a folder has the shared one', () => {
  assert.equal(at([]), '/shared');
});
