// Closing a window: no failure in its logs when it closes in the middle of work, because nothing failed; and no
// shell, because only a terminal starts one.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { openEditor } from '../support/editor/editor';
import { keyboardIn } from '../support/editor/keyboard';
import { filesBelow } from '../support/process/leaks';
import { testFolder } from '../support/folder';

/** Enough requests that lenses, hints, colours and problems are still on their way when the window closes. */
const MANY = Array.from(
  { length: 400 },
  (_, number) =>
    `### Request ${number}\n# @name r${number}\n{ "method": "getBalance", "params": ["{{$wallet}}", { "commitment": "confirmed" }] }\n?? result.value >= 0\n`,
).join('\n');

/** Seconds. A page that closes in the middle of work may not get to say so: then its extension host ends after this. */
const GRACE = 2;

describe('a window that closes', () => {
  test('while requests of the editor are under way, no provider fails', async (t) => {
    const editor = await openEditor({ files: { 'many.jsonrpc': MANY }, reconnectionGrace: GRACE });
    t.after(() => editor.close());
    const { workbench, profileFolder } = editor;
    const log = (): string =>
      [...filesBelow(profileFolder)]
        .filter((file) => file.endsWith('exthost.log'))
        .map((file) => readFileSync(file, 'utf8'))
        .join('\n');
    await workbench.openFile('many.jsonrpc');
    await workbench.lens('Send').first().waitFor();
    await keyboardIn(workbench, 'many.jsonrpc');
    await workbench.page.keyboard.press('ControlOrMeta+End');
    for (let line = 0; line < 40; line++) await workbench.page.keyboard.press('Enter');
    await workbench.page.keyboard.type('{ "method": "get');
    await workbench.page.close({ runBeforeUnload: true });
    await workbench.until('the extension host has ended', () =>
      Promise.resolve(/Extension host with pid \d+ exiting/.test(log()) ? true : undefined),
    );
    assert.match(log(), /_doActivateExtension rpc-workbench\.solana-rpc-workbench/);
    assert.doesNotMatch(log(), /\[error\]/);
  });
});

describe('the shell of a terminal', () => {
  test('is started for the terminal alone, never by the editor for itself', async (t) => {
    const folder = testFolder('workbench-shell', t);
    const [shell, started] = [path.join(folder, 'shell'), path.join(folder, 'started')];
    // It says with what it was started. The editor does not look for its name in another place.
    writeFileSync(shell, `#!/bin/sh\necho "started $*" >>'${started}'\nexec /bin/sh "$@"\n`, { mode: 0o755 });
    writeFileSync(started, '');
    const editor = await openEditor({ env: { SHELL: shell } });
    t.after(() => editor.close());
    const { workbench } = editor;
    await workbench.runCommand('Terminal: Create New Terminal');
    const starts = await workbench.until('a shell was started', () => {
      const lines = readFileSync(started, 'utf8').split('\n').filter(Boolean);
      return Promise.resolve(lines.length > 0 ? lines : undefined);
    });
    assert.equal(starts.length, 1);
    assert.doesNotMatch(starts[0] ?? '', /-l|-c/);
  });
});
