// The list of endpoints that windows share: a window that reads it while another one writes reads a whole list.
import assert from 'node:assert/strict';
import { mkdtemp, open, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { test } from 'node:test';
import type { SharedEndpoints, SharedEndpointsOptions } from '../../../client/profiles/sharedEndpoints';
import { loadOver } from '../../support/editor/fakeVscode';

interface Place {
  readonly fsPath: string;
}
const nothing = { dispose: () => undefined };
const editor = {
  Uri: { joinPath: ({ fsPath }: Place, name: string): Place => ({ fsPath: path.join(fsPath, name) }) },
  RelativePattern: class {},
  env: { machineId: 'here' },
  window: { onDidChangeWindowState: () => nothing },
  workspace: {
    createFileSystemWatcher: () => ({ ...nothing, onDidChange: () => nothing, onDidCreate: () => nothing }),
    fs: {
      createDirectory: () => Promise.resolve(),
      readFile: ({ fsPath }: Place) => readFile(fsPath),
      // As the editor does it: over the bytes that are there.
      writeFile: ({ fsPath }: Place, bytes: Uint8Array) => writeFile(fsPath, bytes),
    },
  },
};

test('a reader that began before a window wrote reads the list from before to its end', async () => {
  const { SharedEndpoints: Shared } = loadOver<{
    readonly SharedEndpoints: new (options: SharedEndpointsOptions) => SharedEndpoints;
  }>(editor, '../../../client/profiles/sharedEndpoints', __filename);
  const folder = await mkdtemp(path.join(os.tmpdir(), 'shared-endpoints-'));
  const place = path.join(folder, 'endpoints.json');
  const log = { warn: (text: string) => assert.fail(text) };
  const shared = new Shared({ folder: { fsPath: folder }, log, onShared: () => undefined } as never);
  const kept = async (names: readonly string[]): Promise<string> => {
    shared.publish(names);
    for (;;) {
      const text = await readFile(place, 'utf8').catch(() => '');
      if (text.includes(JSON.stringify(names))) return text;
      await setImmediate();
    }
  };
  const before = await kept(['first']);
  const reader = await open(place);
  await kept(['second']);
  assert.equal(await reader.readFile('utf8'), before);
  await reader.close();
  assert.deepEqual(await readdir(folder), ['endpoints.json']);
  shared.dispose();
  await rm(folder, { recursive: true });
});
