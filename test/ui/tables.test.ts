// Responses read as tables and decoded, as a person meets them: sorted, filtered, still there after the window was loaded
// again, written as CSV; hostile texts and long names are texts there too. Every state leaves its picture.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { FrameLocator } from 'playwright-core';
import { encodeBase58 } from '../../core/solana/encoding/base58';
import { idIn, writeAccounts } from '../support/data/accounts';
import { openEditor, type Editor } from '../support/editor/editor';
import { httpServer, type Hostile } from '../support/wire/hostile';
import { HOSTILE } from '../support/data/hostileTexts';

const PROGRAM = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';
const request = (name: string, body: object): string => `### ${name}\n# @name ${name}\n${JSON.stringify(body)}\n`;
const FILES = {
  'accounts.jsonrpc': request('accounts', { method: 'getProgramAccounts', params: [PROGRAM] }),
  'hostile.jsonrpc': request('hostile', { method: 'getSignaturesForAddress', params: [PROGRAM] }),
};
const SIGNATURE = encodeBase58(new Uint8Array(64).fill(9));
const NORMAL = { width: 1280, height: 800 };
const NARROW = { width: 800, height: 600 };

describe('responses as tables', () => {
  let service: Hostile;
  let editor: Editor;

  before(async () => {
    service = await httpServer(async ({ body }, response) => {
      const id = idIn(body);
      response.setHeader('content-type', 'application/json');
      const rows = HOSTILE.map((memo) => ({ signature: SIGNATURE, memo }));
      if (body.includes('getSignatures')) response.end(`{"jsonrpc":"2.0","result":${JSON.stringify(rows)},"id":${id}}`);
      else await writeAccounts(response, 300, id);
    });
    editor = await openEditor({
      files: FILES,
      settings: {
        'solanaRpc.endpoints': [{ name: 'test', rpcUrl: service.origin, auth: { rpc: 'none' } }],
        'solanaRpc.endpoint': 'test',
      },
    });
  });
  after(async () => {
    await editor.close();
    await service.close();
  });

  const send = (file: string): Promise<void> => editor.workbench.runCommandIn(file, 'Solana RPC: Send Request');
  const table = (): FrameLocator => editor.workbench.webview();

  test('a list is shown as a table, sorted and filtered there', async () => {
    const { workbench } = editor;
    await send('accounts.jsonrpc');
    await workbench.waitForText('accounts.json', '"pubkey": "Account0"');
    const openTable = await workbench.titleAction('accounts.json', 'Open Response as Table');
    await editor.workbench.pictures('response-actions');
    await openTable.click();
    await workbench.tab('accounts: table').waitFor();
    await table().getByText('300 rows', { exact: true }).waitFor();
    await table().getByRole('columnheader', { name: 'account.lamports', exact: true }).getByRole('button').click();
    await table().getByRole('columnheader', { name: 'account.lamports', exact: true }).getByRole('button').click();
    await table().getByText('Account299', { exact: true }).waitFor();
    await table().getByRole('searchbox').fill('Account29');
    await table().getByText('11 of 300 rows', { exact: true }).waitFor();
    await editor.workbench.pictures('response-table');
  });

  test('a table is written as CSV where the user says', async () => {
    const { workbench } = editor;
    await table().getByRole('button', { name: 'Export CSV…', exact: true }).click();
    await workbench.quickInput.title('Export table').waitFor();
    const file = path.join(editor.workspace, 'accounts.csv');
    await workbench.quickInput.accept(file);
    const text = await workbench.until('the table is in the file', async () => {
      const saved = await readFile(file, 'utf8').catch(() => '');
      return saved === '' ? undefined : saved;
    });
    const lines = text.split('\r\n');
    assert.equal(lines.length, 13);
    assert.match(lines[1] ?? '', /^Account299,.*,18446744073709551615,/);
  });

  test('a table is as it was after the window was reloaded', async () => {
    const { workbench } = editor;
    await workbench.reload();
    await table().getByText('11 of 300 rows', { exact: true }).waitFor();
    await table().getByText('Account299', { exact: true }).waitFor();
    await workbench.screenshot('response-table-restored');
    await workbench.closeEditors();
  });

  test('accounts are decoded, in a document next to the response and in the columns of its table', async () => {
    const { workbench } = editor;
    await send('accounts.jsonrpc');
    await workbench.waitForText('accounts.json', '"pubkey": "Account0"');
    await (await workbench.titleAction('accounts.json', 'Decode Accounts of Response')).click();
    await workbench.tab('accounts, decoded.txt').waitFor();
    await workbench.waitForText('accounts, decoded.txt', /^1\. .*Account0/);
    await editor.workbench.pictures('response-decoded');
    await workbench.closeEditors();
    await send('accounts.jsonrpc');
    await (await workbench.titleAction('accounts.json', 'Open Response as Table')).click();
    await workbench.tab('accounts: table').waitFor();
    await table().getByRole('button', { name: 'Decode', exact: true }).click();
    await table().getByRole('columnheader', { name: 'decoded.kind', exact: true }).waitFor();
    await editor.workbench.pictures('response-table-decoded');
    await workbench.closeEditors();
  });

  test('hostile texts are texts in the document and in the table', async () => {
    const { workbench } = editor;
    await send('hostile.jsonrpc');
    await workbench.waitForText('hostile.json', 'onerror');
    await (await workbench.titleAction('hostile.json', 'Open Response as Table')).click();
    await workbench.tab('hostile: table').waitFor();
    await table()
      .getByText(/^"?<img src=x/)
      .first()
      .waitFor();
    await editor.workbench.pictures('response-hostile');
    await workbench.page.setViewportSize(NARROW);
    await workbench.screenshot('response-hostile-narrow');
    await workbench.page.setViewportSize(NORMAL);
    assert.equal(await table().locator('img, iframe, a').count(), 0);
    await workbench.closeEditors();
  });

  test('nothing left this machine', () => {
    assert.deepEqual(editor.strayRequests, []);
  });
});
