// The packaged extension in an empty profile: installed, quiet, and at home in a request file.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { openEditor, type Editor } from '../support/editor';

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

describe('an untrusted workspace in a narrow window in high contrast', () => {
  let editor: Editor;
  before(async () => {
    editor = await openEditor({
      files: { 'slot.jsonrpc': FILE },
      trusted: false,
      theme: 'highContrast',
      size: { width: 800, height: 600 },
    });
  });
  after(() => editor.close());

  test('opens a request file in Restricted Mode', async () => {
    const { workbench } = editor;
    await workbench.openFile('slot.jsonrpc');
    await workbench.waitForText('slot.jsonrpc', '"getSlot"');
    await workbench.statusItem(/Restricted Mode/).waitFor();
    await workbench.screenshot('request-file-high-contrast');
  });

  test('keeps the file open when it becomes trusted', async () => {
    const { workbench } = editor;
    await workbench.trustWorkspace();
    await workbench.openFile('slot.jsonrpc');
    await workbench.waitForText('slot.jsonrpc', '"getSlot"');
  });
});
