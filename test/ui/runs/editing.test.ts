// Undoing edits that were written into a file whose requests are sent.
import { describe, test } from 'node:test';
import { testEditor } from '../../support/editor/editor';
import type { Workbench } from '../../support/editor/workbench';
import { prepare } from '../../support/shared';

const UGLY = '### Slot\n# @name slot\n{"method":"getSlot",\n"params":[{"commitment":"confirmed"}]}\n';
const FILES = {
  'ugly.jsonrpc': UGLY,
};

describe('a file whose requests are sent', () => {
  const editor = testEditor({
    files: FILES,
    size: { width: 1280, height: 900 },
  });
  let workbench: Workbench;
  prepare(async () => {
    ({ workbench } = editor);
    await workbench.openContainer('Solana RPC');
    await workbench.startLocalService();
    await workbench.treeItem('Endpoints', 'local, active').waitFor();
  });

  test('one undo takes a formatting back', async () => {
    await workbench.openFile('ugly.jsonrpc');
    await workbench.lensAction('Send').waitFor();
    await workbench.runCommandIn('ugly.jsonrpc', 'Format Document');
    await workbench.waitForText('ugly.jsonrpc', '"method": "getSlot"');
    await workbench.runCommandIn('ugly.jsonrpc', 'Undo');
    await workbench.waitForText('ugly.jsonrpc', '{"method":"getSlot",');
  });
});
