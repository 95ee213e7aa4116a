// A whole round without a mouse: open a file, send, read the answer, its table and the history. The pointer is never pressed.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { idIn, writeAccounts } from '../support/data/accounts';
import { openEditor, type Editor } from '../support/editor/editor';
import { httpServer, type Hostile } from '../support/wire/hostile';

const PROGRAM = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';
const FILE = `### accounts\n# @name accounts\n{ "method": "getProgramAccounts", "params": ["${PROGRAM}"] }\n`;

describe('a round by keyboard alone', () => {
  let service: Hostile;
  let editor: Editor;
  before(async () => {
    service = await httpServer(async ({ body }, response) => {
      response.setHeader('content-type', 'application/json');
      await writeAccounts(response, 300, idIn(body));
    });
    editor = await openEditor({
      files: { 'accounts.jsonrpc': FILE },
      settings: {
        'solanaRpc.endpoints': [{ name: 'test', rpcUrl: service.origin, auth: { rpc: 'none' } }],
        'solanaRpc.endpoint': 'test',
      },
    });
    await editor.workbench.page.evaluate(
      `addEventListener('pointerdown', () => document.documentElement.classList.add('pressed'), true)`,
    );
  });
  after(async () => {
    await editor.close();
    await service.close();
  });

  /** What the words of the element are that has the focus. */
  const focused = (): Promise<string> => editor.workbench.page.evaluate('document.activeElement?.ariaLabel ?? ""');

  test('a file is opened and its request sent', async () => {
    const { workbench } = editor;
    const { keyboard } = workbench.page;
    await workbench.type('ControlOrMeta+P', 'accounts.jsonrpc');
    await workbench.lensAction('Send').waitFor();
    await keyboard.press('Control+Alt+R');
    await workbench.waitForText('accounts.json', '"pubkey": "Account0"');
    assert.equal(await workbench.tab('accounts.jsonrpc').getAttribute('aria-selected'), 'true');
  });

  test('the answer is read as a table: filtered, walked through, one item opened and closed', async () => {
    const { workbench } = editor;
    const { keyboard } = workbench.page;
    await workbench.lens(/^✓ 200 · /).waitFor();
    await keyboard.press('ControlOrMeta+2');
    await workbench.type('F1', 'Solana RPC: Open Response as Table');
    const table = workbench.webview();
    await table.getByText('300 rows', { exact: true }).waitFor();
    await keyboard.press('Tab');
    await table.getByRole('searchbox', { name: 'Filter rows', exact: true }).and(table.locator(':focus')).waitFor();
    await keyboard.type('Account29');
    await table.getByText('11 of 300 rows', { exact: true }).waitFor();
    await workbench.until('the rows have the focus', async () => {
      if ((await table.getByRole('grid').and(table.locator(':focus')).count()) > 0) return true;
      await keyboard.press('Tab');
      return undefined;
    });
    await keyboard.press('End');
    await table.getByRole('row', { selected: true }).getByText('Account299', { exact: true }).waitFor();
    await workbench.screenshot('keyboard-table');
    const place = await table.getByRole('toolbar').boundingBox();
    await keyboard.press('Enter');
    await table.getByRole('heading', { name: 'Item 299', exact: true }).waitFor();
    await table.locator('mark').waitFor();
    await workbench.screenshot('keyboard-table-item');
    assert.deepEqual(await table.getByRole('toolbar').boundingBox(), place);
    await keyboard.press('Escape');
    await table.getByRole('heading', { name: 'Item 299', exact: true }).waitFor({ state: 'hidden' });
    await table.getByRole('grid').and(table.locator(':focus')).waitFor();
  });

  test('the history opens the answer again', async () => {
    const { workbench } = editor;
    const { keyboard } = workbench.page;
    await keyboard.press('ControlOrMeta+1');
    await workbench.until('the file has the focus', async () =>
      (await focused()).startsWith('accounts.jsonrpc') ? true : undefined,
    );
    await keyboard.press('Control+Alt+H');
    const run = workbench.treeItem('History', /^accounts, passed/);
    await run.waitFor();
    await workbench.page
      .locator('.monaco-list:focus .monaco-list-row.focused[aria-label^="accounts, passed"]')
      .waitFor();
    await workbench.screenshot('keyboard-history');
    await keyboard.press('Enter');
    await workbench.waitForText('accounts.json', '"pubkey": "Account0"');
  });

  test('no pointer was pressed, and nothing left this machine', async () => {
    assert.equal(await editor.workbench.page.locator('html.pressed').count(), 0);
    assert.deepEqual(editor.strayRequests, []);
  });
});
