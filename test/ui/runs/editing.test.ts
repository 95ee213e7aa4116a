// Undoing edits that were written into a file whose requests are sent.
import { after, before, describe, test } from 'node:test';
import { openEditor, type Editor } from '../../support/editor/editor';
import type { Workbench } from '../../support/editor/workbench';

const UGLY = '### Slot\n# @name slot\n{"method":"getSlot",\n"params":[{"commitment":"confirmed"}]}\n';
const FILES = {
  'ugly.jsonrpc': UGLY,
};

describe('a file whose requests are sent', () => {
  let editor: Editor;
  let workbench: Workbench;
  before(async () => {
    editor = await openEditor({
      files: FILES,
      size: { width: 1280, height: 900 },
    });
    ({ workbench } = editor);
    await workbench.openContainer('Solana RPC');
    await workbench.startLocalService();
    await workbench.treeItem('Endpoints', 'local, active').waitFor();
  });
  after(() => editor.close());

  test('one undo takes a formatting back', async () => {
    await workbench.openFile('ugly.jsonrpc');
    await workbench.lensAction('Send').waitFor();
    await workbench.runCommandIn('ugly.jsonrpc', 'Format Document');
    await workbench.waitForText('ugly.jsonrpc', '"method": "getSlot"');
    await workbench.runCommandIn('ugly.jsonrpc', 'Undo');
    await workbench.waitForText('ugly.jsonrpc', '{"method":"getSlot",');
  });
});
