// The panels together, as a person keeps them open: a stream, a table and the report of usage take on every theme without
// losing what they show, and are there again after the window was loaded again.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { FrameLocator } from 'playwright-core';
import { testEditor } from '../support/editor/editor';
import { tooltipOf } from '../support/editor/tooltip';
import { prepare } from '../support/shared';

const FILES = {
  'slots.jsonrpc': '### Every slot\n{ "method": "slotSubscribe" }\n',
  'nodes.jsonrpc': '### nodes\n# @name nodes\n{ "method": "getClusterNodes" }\n',
  'wrong.jsonrpc': '### wrong\n# @name wrong\n{ "method": "getBalance", "params": ["abc"] }\n',
};
/** How the page of a panel is marked in each theme. */
const MARKS = {
  light: 'vscode-light',
  highContrast: 'vscode-high-contrast',
  highContrastLight: 'vscode-high-contrast-light',
  dark: 'vscode-dark',
} as const;
const THEMES = ['light', 'highContrast', 'highContrastLight', 'dark'] as const;

describe('open panels', () => {
  const editor = testEditor({ files: FILES, size: { width: 1600, height: 900 }, tooltips: true });
  prepare(async () => {
    const { workbench } = editor;
    await workbench.openContainer('Solana RPC');
    await workbench.startLocalService();
    await workbench.treeItem('Endpoints', 'local, active').waitFor();
  });

  /** The page that has this heading, whichever place it has among the webviews. */
  const pageOf = async (heading: string | RegExp): Promise<FrameLocator> =>
    editor.workbench.until(`a page is titled ${String(heading)}`, async () => {
      const pages = await editor.workbench.page.locator('iframe.webview.ready').count();
      for (let at = 0; at < pages; at++) {
        const page = editor.workbench.webview(at);
        if ((await page.getByRole('heading', { name: heading, exact: true, level: 1 }).count()) > 0) return page;
      }
      return undefined;
    });

  test('the errors of a method are shown where the pointer rests', async () => {
    const { workbench } = editor;
    await workbench.openFile('wrong.jsonrpc');
    await workbench.lensAction('Send').click();
    await workbench.waitForText('wrong.json', '"error"');
    await workbench.runCommand('Solana RPC: Refresh Usage');
    await workbench.treeItem('Usage', /^getBalance, 1 · 100 % errors/).waitFor();
    await tooltipOf(workbench, workbench.treeItem('Usage', /^getBalance/), /1\sof\s1\srequests\sfailed\./);
    await workbench.screenshot('usage-tooltip');
    await workbench.closeEditors();
  });

  test('every theme is taken on by all of them, and nothing they show is lost', async () => {
    const { workbench } = editor;
    await workbench.openFile('slots.jsonrpc');
    await workbench.lensAction('Watch').click();
    const stream = await pageOf('Every slot');
    await stream.getByRole('option').nth(1).waitFor();
    await stream.getByRole('button', { name: 'Pause', exact: true }).click();
    await workbench.runCommand('View: Focus First Editor Group');
    await workbench.runCommand('Solana RPC: Open Usage Report');
    const report = await pageOf(/^Usage of local/);
    await report.getByText('getBalance', { exact: true }).first().waitFor();
    const first = await stream.getByRole('option').first().innerText();
    for (const theme of THEMES) {
      await workbench.setTheme(theme);
      for (const page of [stream, report]) await page.locator(`body.${MARKS[theme]}`).waitFor();
      await workbench.screenshot(`panels-${theme}`);
    }
    assert.equal(await stream.getByRole('option').first().innerText(), first);
    await stream.getByRole('button', { name: /^Follow/ }).waitFor();
  });

  test('all of them are there again after the window was loaded again, and send nothing by themselves', async () => {
    const { workbench } = editor;
    await workbench.reload();
    const stream = await pageOf('Every slot');
    await stream.locator('.state-more', { hasText: /^The window was reloaded/ }).waitFor();
    await stream.getByRole('option').first().waitFor();
    await pageOf(/^Usage/);
    for (const theme of THEMES) {
      await workbench.setTheme(theme);
      await workbench.screenshot(`panels-restored-${theme}`);
    }
  });

  test('nothing left this machine', () => {
    assert.deepEqual(editor.strayRequests, []);
  });
});
