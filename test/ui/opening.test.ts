// The packaged extension in an empty profile: installed, quiet, and at home in a request file.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { openEditor, type Editor } from '../support/editor/editor';

const FILE = '### Slot of the ledger\n# @name slot\n{ "method": "getSlot" }\n?? result > 0\n';

const FAULTY = '{ "method": "getBalanec", "params": [] }\n';

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
      files: { 'slot.jsonrpc': FILE, 'faulty.jsonrpc': FAULTY },
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

  test('shows faults there as everywhere', async () => {
    const { workbench } = editor;
    await workbench.openFile('faulty.jsonrpc');
    await workbench.statusItem(/Errors: 1/).waitFor();
    await workbench.screenshot('restricted-diagnostics');
  });

  test('sends nothing, and says why and what to do', async () => {
    const { workbench } = editor;
    await workbench.openFile('slot.jsonrpc');
    const words = 'Nothing is sent in Restricted Mode';
    await workbench.lensAction('Send').click();
    await workbench.page.getByText(words).first().waitFor();
    const hint = await workbench.notification(words);
    await hint.getByRole('button', { name: 'Manage Workspace Trust' }).waitFor();
    await workbench.openContainer('Solana RPC');
    await workbench.button('Manage Workspace Trust').waitFor();
    await workbench.screenshot('restricted-send');
  });

  test('keeps the file open when it becomes trusted', async () => {
    const { workbench } = editor;
    await workbench.trustWorkspace();
    await workbench.openFile('slot.jsonrpc');
    await workbench.waitForText('slot.jsonrpc', '"getSlot"');
  });
});
