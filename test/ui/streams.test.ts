// Live streams as a person meets them: Watch above a subscription, rows that come, pause, filter, detail, export, a reload
// of the window, Reopen; and an account watched from the palette. Every step leaves its picture.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { FrameLocator } from 'playwright-core';
import { openEditor, type Editor } from '../support/editor/editor';
import { floodFiles, miscounts, watchFlood } from '../support/editor/floodedPanel';
import { startFlood, type Flood } from '../support/wire/flood';

/** Updates of the burst, and how many of them a second: the memory and the pace of a long flood are `npm run flood`'s. */
const BURST = 20_000;
const PACE = 10_000;
const SLOTS = '### Every slot\n{ "method": "slotSubscribe" }\n';
const CLOCK = 'SysvarC1ock11111111111111111111111111111111';

describe('a live stream', () => {
  let editor: Editor;
  let page: FrameLocator;
  let flood: Flood;
  before(async () => {
    flood = await startFlood(PACE, BURST);
    const files = { 'slots.jsonrpc': SLOTS, ...floodFiles(flood.origin) };
    editor = await openEditor({ files, size: { width: 1500, height: 850 } });
  });
  after(async () => {
    await editor?.close();
    await flood?.close();
  });

  test('an empty view says what it is for', async () => {
    const { workbench } = editor;
    await workbench.openContainer('Solana RPC');
    await workbench.button('Watch Account').waitFor();
    await workbench.screenshot('streams-empty');
    await workbench.startLocalService();
    await workbench.treeItem('Endpoints', 'local, active').waitFor();
  });

  test('Watch above a subscription opens a panel whose rows come', async () => {
    const { workbench } = editor;
    await workbench.openFile('slots.jsonrpc');
    await workbench.lensAction('Watch').click();
    await workbench.tab('Every slot').waitFor();
    page = workbench.webview();
    await page.getByRole('heading', { name: 'Every slot', exact: true }).waitFor();
    await page.locator('.state-words', { hasText: /^Live$/ }).waitFor();
    await page.getByRole('option').nth(3).waitFor();
    await workbench.treeItem('Streams', /^Every slot, Live/).waitFor();
    await editor.workbench.pictures('stream-live');
  });

  test('it stays in place while paused, and is filtered by field', async () => {
    await page.getByRole('button', { name: 'Pause', exact: true }).click();
    await page.getByRole('button', { name: /^Follow, \d+ newer/ }).waitFor();
    await editor.workbench.screenshot('stream-paused');
    await page.getByRole('searchbox').fill('slot >');
    await page.getByRole('alert').waitFor();
    await editor.workbench.screenshot('stream-filter-fault');
    await page.getByRole('searchbox').fill('slot > 1');
    await page.getByRole('alert').waitFor({ state: 'hidden' });
    await page.getByRole('option').first().waitFor();
  });

  test('a row shows its whole', async () => {
    await page.getByRole('option').last().click();
    await page.locator('.detail pre, .detail summary').first().waitFor();
    await editor.workbench.pictures('stream-detail');
    await page.getByRole('button', { name: 'Close detail', exact: true }).click();
  });

  test('what is kept is written to a file of the project', async () => {
    const { workbench } = editor;
    await page.getByRole('button', { name: 'Export…', exact: true }).click();
    await page.getByRole('button', { name: 'Choose File…', exact: true }).click();
    await workbench.quickInput.title('Export stream').waitFor();
    await workbench.quickInput.accept(path.join(editor.workspace, 'Every-slot.ndjson'));
    await page.getByText(/^Written to .*: [\d,]+ rows/).waitFor();
    const written = await readFile(path.join(editor.workspace, 'Every-slot.ndjson'), 'utf8');
    assert.match(written, /"slot":\d+/);
    await workbench.screenshot('stream-exported');
  });

  test('after a reload of the window its rows are there, stopped, and Reopen resumes it', async () => {
    const { workbench } = editor;
    await workbench.reload();
    page = workbench.webview();
    await page.locator('.state-more', { hasText: /^The window was reloaded/ }).waitFor();
    await page.getByRole('option').first().waitFor();
    await editor.workbench.pictures('stream-restored');
    await workbench.openContainer('Solana RPC');
    await workbench.startLocalService();
    await workbench.treeItem('Endpoints', 'local, active').waitFor();
    await page.getByRole('button', { name: 'Reopen', exact: true }).click();
    await page.locator('.state-words', { hasText: /^Live$/ }).waitFor();
    await page.getByRole('option').nth(1).waitFor();
  });

  test('while the local service restarts it has ended and says so, and Reopen waits for the service', async () => {
    const { workbench } = editor;
    await workbench.runCommand('Solana RPC: Restart Local Service');
    await page.locator('.state-more', { hasText: /^The local service does not run any more/ }).waitFor();
    await page.getByRole('button', { name: 'Reopen', exact: true }).click();
    await page.locator('.state-words', { hasText: /^Live$/ }).waitFor();
  });

  test('it is stopped from the view', async () => {
    const { workbench } = editor;
    await workbench.runCommand('Solana RPC: Stop Stream');
    await workbench.treeItem('Streams', /^Every slot, Stopped/).waitFor();
    await page.locator('.state-words', { hasText: /^Stopped$/ }).waitFor();
    await workbench.screenshot('stream-stopped');
    await workbench.closeEditors();
  });

  test('watched again it has one row; stopped, it cannot be paused and is removed with its panel', async () => {
    const { workbench } = editor;
    const row = workbench.treeItem('Streams', /^Every slot/);
    await workbench.openFile('slots.jsonrpc');
    await workbench.lensAction('Watch').click();
    await workbench.treeItem('Streams', /^Every slot, Live/).waitFor();
    assert.equal(await row.count(), 1);
    page = workbench.webview();
    await page.getByRole('button', { name: 'Pause', exact: true, disabled: false }).waitFor();
    await page.getByRole('button', { name: 'Stop', exact: true }).click();
    await page.getByRole('button', { name: 'Pause', exact: true, disabled: true }).waitFor();
    await workbench.runCommand('Solana RPC: Remove Stream');
    await row.waitFor({ state: 'detached' });
    await workbench.tab('Every slot').waitFor({ state: 'detached' });
    await workbench.closeEditors();
  });

  test('an account is watched from the palette, and shown as it is now', async () => {
    const { workbench } = editor;
    await workbench.runCommand('Solana RPC: Watch Account');
    await workbench.quickInput.title('Watch account').waitFor();
    await workbench.quickInput.answer(CLOCK);
    page = workbench.webview();
    await page.getByRole('heading', { name: CLOCK, exact: true }).waitFor();
    await page.locator('tbody tr').first().waitFor();
    await page
      .getByText(/^Sysvar: Clock/)
      .first()
      .waitFor();
    await page.getByRole('heading', { name: /^Data at update / }).waitFor();
    await editor.workbench.pictures('account-live');
  });

  test('a burst of 20,000 updates is counted whole, in few ticks; the editor answers meanwhile', async (t) => {
    const { workbench } = editor;
    await workbench.closeEditors();
    const seen = await watchFlood(editor, flood, { enough: BURST, isWeighed: false });
    t.diagnostic(JSON.stringify(seen));
    assert.deepEqual(miscounts(seen), []);
    await workbench.screenshot('stream-flood');
  });

  test('nothing left this machine', () => {
    assert.deepEqual(editor.strayRequests, []);
  });
});
