// A snapshot as a person meets it: the first run fails and says so, the quick fix keeps what is found, a difference is shown
// and can be kept in turn.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { testEditor } from '../../support/editor/editor';
import { takeQuickFix } from '../../support/editor/quickFix';
import { prepare } from '../../support/shared';

const FILE = 'health.jsonrpc';

describe('a snapshot in the editor', () => {
  const editor = testEditor({
    files: { [FILE]: '### Health\n{ "method": "getHealth" }\n?? result matchesSnapshot\n' },
  });
  let kept: string;
  prepare(async () => {
    kept = path.join(editor.workspace, '__snapshots__', `${FILE}.json`);
    const { workbench } = editor;
    await workbench.openContainer('Solana RPC');
    await workbench.startLocalService();
  });

  /** Sends the request, and waits for what is said of its assertion. */
  async function fails(because: string): Promise<void> {
    const { workbench } = editor;
    await workbench.openFile(FILE);
    await workbench.lensAction('Send').click();
    await workbench.runCommand('View: Focus Problems');
    await workbench.page.getByText(`Failed: result matchesSnapshot: ${because}`, { exact: true }).first().waitFor();
  }

  /** Takes the quick fix of the only problem. */
  async function update(): Promise<void> {
    const { workbench } = editor;
    await workbench.openFile(FILE);
    await workbench.runCommand('Go to Next Problem in Files (Error, Warning, Info)');
    await workbench.page.keyboard.press('Escape');
    await takeQuickFix(workbench, 'Send Again and Update Snapshot');
    await workbench.lens(/^✓ /).first().waitFor();
  }

  test('that is not there yet fails, says so, and is written by nothing but the quick fix', async () => {
    const next = '--update-snapshots, or Update Snapshot in the editor, keeps what is found.';
    await fails(`There is no snapshot yet. ${next}`);
    assert.throws(() => readFileSync(kept), /ENOENT/);
    await editor.workbench.screenshot('snapshot-none');
    await update();
    assert.equal(readFileSync(kept, 'utf8'), '{\n  "Health: result": "ok"\n}\n');
    await editor.workbench.screenshot('snapshot-kept');
  });

  test('that differs shows where, and is updated by the quick fix', async () => {
    writeFileSync(kept, '{ "Health: result": "ill" }\n');
    await fails('found "ok", expected "ill"');
    await editor.workbench.screenshot('snapshot-differs');
    await update();
    assert.equal(readFileSync(kept, 'utf8'), '{\n  "Health: result": "ok"\n}\n');
  });

  test('nothing left this machine', () => {
    assert.deepEqual(editor.strayRequests, []);
  });
});
