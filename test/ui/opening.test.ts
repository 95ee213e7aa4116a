// The packaged extension in an empty profile: installed, quiet, and at home in a request file.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { openEditor, type Editor } from '../support/editor/editor';

const FILE = '### Slot of the ledger\n# @name slot\n{ "method": "getSlot" }\n?? result > 0\n';

describe('an installed extension', () => {
  let editor: Editor;
  before(async () => {
    editor = await openEditor({ files: { 'slot.jsonrpc': FILE } });
  });
  after(() => editor.close());

  test('opens a request file in its own language', async () => {
    const { workbench } = editor;
    await workbench.openFile('slot.jsonrpc');
    await workbench.statusItem('Solana JSON-RPC').waitFor();
    await workbench.waitForText('slot.jsonrpc', '"getSlot"');
    await workbench.screenshot('request-file-dark');
  });

  test('makes no request off this machine', () => {
    assert.deepEqual(editor.strayRequests, []);
  });
});
