// Two windows on one project, as a person has them open side by side: the endpoint that one of them chooses is the active
// one of the other at once. Keys are held against each other in test/unit/: in a browser each window has secrets of its own.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { openEditor, type Editor } from '../support/editor';
import type { Workbench } from '../support/workbench';

describe('two windows', () => {
  let editor: Editor;
  let first: Workbench;
  let second: Workbench;
  before(async () => {
    editor = await openEditor({
      settings: {
        'solanaRpc.endpoints': ['one', 'two'].map((name) => ({ name, rpcUrl: `https://${name}.example` })),
        'solanaRpc.endpoint': 'one',
      },
    });
    first = editor.workbench;
    second = await editor.openWindow();
    for (const workbench of [first, second]) {
      await workbench.page.bringToFront();
      await workbench.openContainer('Solana RPC');
      await workbench.treeItem('Keys', /^one, active/).waitFor();
    }
  });
  after(() => editor.close());

  /** Chooses in one window, and waits until both show it. */
  async function choose(chosen: string, here: Workbench, there: Workbench): Promise<void> {
    await here.page.bringToFront();
    await here.runCommand('Solana RPC: Switch Endpoint');
    await here.quickInput
      .options(new RegExp(`\\b${chosen}\\b`))
      .first()
      .click();
    await here.treeItem('Keys', new RegExp(`^${chosen}, active`)).waitFor();
    await there.page.bringToFront();
    await there.treeItem('Keys', new RegExp(`^${chosen}, active`)).waitFor();
  }

  test('the endpoint that one chooses is the active one of the other', async () => {
    await choose('two', first, second);
    await second.screenshot('windows-second');
  });

  test('and so it is the other way round', async () => {
    await choose('one', second, first);
    await first.screenshot('windows-first');
  });

  test('nothing left this machine', () => {
    assert.deepEqual(editor.strayRequests, []);
  });
});
