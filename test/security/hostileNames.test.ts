// Names that a project, a file or a service chose, in the rows, tooltips and messages of the real editor: they are text. No
// icon, link or picture comes of them, no direction is turned, no row grows a second line.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Locator } from 'playwright-core';
import { HOSTILE } from '../support/hostileTexts';
import { openEditor, type Editor } from '../support/editor';

/** Short enough for a file of endpoints; the last one is long. */
const NAMES = HOSTILE.map((text, at) => `n${at} ${text.slice(0, 20_000)}\nsecond line`);

/** Names in titles of requests: one line each. */
const TITLES = HOSTILE.map((text, at) => `t${at} ${text.slice(0, 2_000)}`);

const PROJECT = JSON.stringify({
  endpoints: NAMES.map((name) => ({
    name,
    rpcUrl: 'http://127.0.0.1:9/',
    dashboardUrl: 'command:workbench.action.quit',
  })),
});
const REQUESTS = TITLES.map((title) => `### ${title}\n{ "method": "getSlot" }\n`).join('\n');

describe('hostile names', () => {
  let editor: Editor;
  before(async () => {
    editor = await openEditor({
      files: { 'solana-rpc.json': PROJECT, 'hostile.jsonrpc': REQUESTS },
      size: { width: 1400, height: 1300 },
    });
    await editor.workbench.openContainer('Solana RPC');
  });
  after(() => editor.close());

  /** Nothing but text, and the icon that stands before it. */
  async function assertText(row: Locator): Promise<void> {
    assert.equal(await row.locator('a, img, script, iframe, svg, b, strong, em, code').count(), 0);
    const label = row.locator('.monaco-icon-label-container');
    assert.equal(await label.locator('.codicon').count(), 0, 'no icon in the words');
    const words = (await label.innerText()).replaceAll('\u00a0', ' ');
    assert.doesNotMatch(words, /[\u202a-\u202e\u2066-\u2069\u0007\u001b]|\n/);
    assert.ok(words.length < 1_200, `a label of ${words.length} characters`);
    assert.equal((await row.boundingBox())?.height, 22);
  }

  for (const [at, name] of NAMES.entries())
    test(`of an endpoint stay text in the Keys view: ${JSON.stringify(name.slice(0, 40))}`, async () => {
      const { workbench } = editor;
      const row = workbench.treeItem('Keys', new RegExp(`^n${at} `));
      await workbench.until(`the row of n${at} is in view`, async () => {
        if ((await row.count()) > 0) return true;
        await workbench.tree('Keys').hover();
        await workbench.page.mouse.wheel(0, 100);
        return undefined;
      });
      await assertText(row);
      await row.hover();
      const hover = workbench.page.locator('.monaco-hover:visible').filter({ hasText: `n${at} ` });
      await hover.waitFor();
      assert.equal(await hover.locator('a, img, script, iframe, .codicon').count(), 0);
      if (at === 0) await workbench.screenshot('hostile-keys');
    });

  test('of requests stay text in the History view', async () => {
    const { workbench } = editor;
    await workbench.openFile('hostile.jsonrpc');
    await workbench.runCommand('Solana RPC: Send All');
    for (const at of TITLES.keys()) {
      const row = workbench.treeItem('History', new RegExp(`^t${at} `));
      await workbench.until(`the row of t${at} is in view`, async () => {
        if ((await row.count()) > 0) return true;
        await workbench.tree('History').hover();
        await workbench.page.mouse.wheel(0, 60);
        return undefined;
      });
      await assertText(row.first());
    }
    await workbench.screenshot('hostile-history');
  });

  test('in the list of endpoints draw no icon, and a dashboard that is no page of the web opens nothing', async () => {
    const { workbench } = editor;
    await workbench.runCommand('Solana RPC: Switch Endpoint');
    const rows = workbench.quickInput.options(/^n6 /);
    await rows.waitFor();
    assert.equal(await rows.locator('.codicon-trash').count(), 0);
    await workbench.screenshot('hostile-endpoints');
    await workbench.quickInput.cancel();
    await workbench.runCommand('Solana RPC: Open Dashboard');
    await workbench.statusText('This endpoint names no dashboard.').waitFor();
  });

  test('left this machine with nothing', () => {
    assert.deepEqual(editor.strayRequests, []);
  });
});
