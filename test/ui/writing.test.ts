// Writing in the real editor, in an empty profile and from nothing: a request file in its own language, a new file, a request
// by task, a method by its first letters, an example, and what a number means under the mouse. Nothing of it leaves the machine.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { testEditor } from '../support/editor/editor';
import { wholeText } from '../support/editor/wholeText';

const ASKS = '### Balance\n# @prompt owner Whose balance?\n{ "method": "getBalance", "params": ["{{owner}}"] }\n';

describe('a person who writes the first request', () => {
  const editor = testEditor({ files: { 'asks.jsonrpc': ASKS, 'team/notes.md': '# Notes\n' } });

  const suggestions = () => editor.workbench.page.locator('.suggest-widget.visible');
  const suggested = (words: RegExp) =>
    suggestions()
      .locator('.monaco-list-row')
      .filter({ hasText: wholeText(words) });

  test('opens a request file in its own language', async () => {
    const { workbench } = editor;
    await workbench.openFile('asks.jsonrpc');
    await workbench.statusItem('Solana JSON-RPC').waitFor();
    await workbench.waitForText('asks.jsonrpc', '"getBalance"');
    await workbench.screenshot('request-file-dark');
    // The extension is there once its lenses are.
    await workbench.lensAction('Send').waitFor();
    await workbench.closeEditors();
  });

  test('finds the new file in the palette; it offers whole requests by task, and the chosen one is complete', async () => {
    const { workbench } = editor;
    await workbench.runCommand('Solana RPC: New Request File');
    await suggested(/^Read a balance/).waitFor();
    // The list is sorted again while more comes.
    await suggestions().locator('.monaco-list-row[data-index="0"][aria-label^="method"]').waitFor();
    await workbench.screenshot('writing-new-file');
    await workbench.page.keyboard.type('watch an acc');
    await suggested(/^Watch an account/)
      .first()
      .waitFor();
    await workbench.page.keyboard.press('Enter');
    await workbench.waitForText(
      'Untitled-1',
      /### Watch an account\n# @until 3 messages or 30s\nWS\n\{ "method": "accountSubscribe"/,
    );
    await workbench.page.keyboard.press('Escape');
    await workbench.closeEditors();
  });

  test('types a brace: the member "method" is first, and taking it opens the list of methods', async () => {
    const { workbench } = editor;
    const { keyboard } = workbench.page;
    await workbench.runCommand('Solana RPC: New Request File');
    await suggested(/^Read a balance/).waitFor();
    await keyboard.press('Escape');
    await keyboard.type('{');
    await suggested(/^method/)
      .first()
      .waitFor();
    await keyboard.press('Enter');
    await suggested(/^getBlockHeight/)
      .first()
      .waitFor();
    await keyboard.type('getbala');
    await suggested(/^getBalance/)
      .first()
      .waitFor();
    await keyboard.press('Enter');
    await workbench.waitForText('Untitled-1', '{ "method": "getBalance", "params": ["pubkey"] }');
    await workbench.closeEditors();
  });

  test('finds it in File > New File and in the menu of a folder', async () => {
    const { workbench } = editor;
    const { page } = workbench;
    await workbench.runCommand('Create: New File...');
    await workbench.quickInput.pick('Solana Request File');
    await workbench.tab(/^Untitled-1/).waitFor();
    await page.keyboard.press('Escape');
    await workbench.closeEditors();
    await workbench.runCommand('View: Show Explorer');
    await workbench.chooseFromMenu(page.getByRole('treeitem', { name: 'team', exact: true }), 'New Request File');
    await workbench.tab(/^requests\.jsonrpc/).waitFor();
    await page.keyboard.press('Escape');
    await workbench.closeEditors();
  });

  test('opens any example from one list', async () => {
    const { workbench } = editor;
    await workbench.runCommand('Solana RPC: Open Example');
    for (const name of ['quickstart', 'https', 'websocket', 'grpc', 'swqos'])
      await workbench.quickInput.options(new RegExp(`^${name}\\.jsonrpc`)).waitFor();
    await workbench.screenshot('writing-examples');
    await workbench.quickInput.pick('websocket.jsonrpc');
    await workbench.waitForText('websocket.jsonrpc', '# WebSocket: instead of polling, let the cluster notify you');
    // At the first request, not at the end of the text.
    await workbench.statusItem(/^Ln 13, Col 1$/).waitFor();
    await workbench.closeEditors();
  });

  test('sees before sending that a value does not fit, and reads the answer in SOL', async () => {
    const { workbench } = editor;
    await workbench.runCommand('Solana RPC: Start Local Service');
    await workbench.statusItem(/^Solana RPC endpoint: local/).waitFor();
    await workbench.openFile('asks.jsonrpc');
    await workbench.lensAction('Send').click();
    await workbench.quickInput.title('Whose balance?').waitFor();
    await workbench.quickInput.fill('abc');
    await workbench.quickInput.message
      .filter({ hasText: wholeText('A public key has 32 bytes; this decodes to 3.') })
      .waitFor();
    await workbench.screenshot('writing-prompt');
    await workbench.quickInput.fill('SysvarC1ock11111111111111111111111111111111');
    await workbench.quickInput.input.press('Enter');
    const inSol = /"value": (\d+?)\s*0\.\d+ SOL/;
    const [, value = ''] = inSol.exec(await workbench.waitForText('Balance.json', inSol)) ?? [];
    const hover = await workbench.hoverOver('Balance.json', value, [/^0\.\d+\sSOL/]);
    await hover.getByText('Copy', { exact: true }).waitFor();
    await workbench.screenshot('writing-units');
  });

  test('made no request off this machine', () => {
    assert.deepEqual(editor.strayRequests, []);
  });
});
