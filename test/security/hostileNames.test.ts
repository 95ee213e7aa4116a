// Names that a project, a file or a service chose, in the rows, tooltips and messages of the real editor: they are text. No
// icon, link or picture comes of them, no direction is turned, no row grows a second line.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Locator } from 'playwright-core';
import { HOSTILE } from '../support/data/hostileTexts';
import { testEditor } from '../support/editor/editor';
import { tooltipOf } from '../support/editor/tooltip';
import { prepare } from '../support/shared';

/** Short enough for a file of endpoints; the last one is long. */
const NAMES = HOSTILE.map((text, at) => `n${at} ${text.slice(0, 20_000)}\nsecond line`);

/** Names in titles of requests: one line each. */
const TITLES = HOSTILE.map((text, at) => `t${at} ${text.slice(0, 2_000)}`);

const PROJECT = JSON.stringify({
  endpoints: NAMES.map((name, at) => ({
    name,
    rpcUrl: 'http://127.0.0.1:9/',
    // A request to the first endpoint fails; a dashboard address that is not a web page invalidates the others as a whole.
    ...(at === 0 ? { auth: { rpc: 'none' } } : { dashboardUrl: 'command:workbench.action.quit' }),
  })),
});
const REQUESTS = TITLES.map((title) => `### ${title}\n{ "method": "getSlot" }\n`).join('\n');

describe('hostile names', () => {
  const editor = testEditor({
    tooltips: true,
    files: { 'solana-rpc.json': PROJECT, 'hostile.jsonrpc': REQUESTS },
    size: { width: 1400, height: 1300 },
  });
  prepare(async () => {
    await editor.workbench.openContainer('Solana RPC');
  });

  /** A view draws the rows in sight alone: from its top down until this one is among them. */
  async function bringIntoView(view: string, row: Locator): Promise<void> {
    const { workbench } = editor;
    await workbench.tree(view).getByRole('treeitem').first().waitFor();
    const box = await workbench.tree(view).boundingBox();
    assert.ok(box);
    await workbench.page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await workbench.page.mouse.wheel(0, -10_000);
    await workbench.until('the row is in sight', async () => {
      const place = (await row.count()) > 0 ? await row.first().boundingBox() : null;
      if (place !== null && place.y + place.height <= box.y + box.height) return true;
      await workbench.page.mouse.wheel(0, 66);
      return undefined;
    });
  }

  /** Text only, after an icon. */
  async function assertText(row: Locator): Promise<void> {
    const label = row.locator('.monaco-icon-label-container');
    assert.equal(await label.locator('img, script, iframe, svg, b, strong, em, code, [href]').count(), 0);
    assert.equal(await label.locator('.codicon').count(), 0, 'no icon in the words');
    const words = (await label.innerText()).replaceAll('\u00a0', ' ');
    assert.doesNotMatch(words, /[\u202a-\u202e\u2066-\u2069\u0007\u001b]|\n/);
    assert.ok(words.length < 1_200, `a label of ${words.length} characters`);
    assert.equal((await row.boundingBox())?.height, 22);
  }

  for (const [at, name] of NAMES.entries())
    test(`of an endpoint stay text in the Endpoints view: ${JSON.stringify(name.slice(0, 40))}`, async () => {
      const { workbench } = editor;
      const row = workbench.treeItem('Endpoints', new RegExp(`^n${at} `));
      await bringIntoView('Endpoints', row);
      await assertText(row);
      const hover = await tooltipOf(workbench, row, new RegExp(`n${at}\\b`));
      assert.equal(await hover.locator('img, script, iframe, .codicon, [href]').count(), 0);
      if (at === 0) await workbench.screenshot('hostile-keys');
    });

  test('of requests stay text in the History view', async () => {
    const { workbench } = editor;
    await workbench.openFile('hostile.jsonrpc');
    await workbench.runCommand('Solana RPC: Send All');
    const together = workbench.treeItem('History', /^Send All, /);
    await together.waitFor();
    await together.click();
    for (const at of TITLES.keys()) {
      const row = workbench.treeItem('History', new RegExp(`^t${at} `));
      await bringIntoView('History', row);
      await assertText(row.first());
    }
    await workbench.screenshot('hostile-history');
  });

  test('in the list of endpoints draw no icon, and a dashboard that is not a web page opens nothing', async () => {
    const { workbench } = editor;
    await workbench.runCommand('Solana RPC: Switch Endpoint');
    const rows = workbench.quickInput.options(/^folder n6 /);
    await rows.waitFor();
    assert.equal(await rows.locator('.codicon-trash').count(), 0);
    await workbench.screenshot('hostile-endpoints');
    await rows.click();
    await rows.waitFor({ state: 'hidden' });
    // Its dashboard is not on offer.
    await workbench.page.keyboard.press('F1');
    await workbench.quickInput.fill('>Solana RPC: Open ');
    await workbench.quickInput.options(/^Solana RPC: Open Usage Report/).waitFor();
    assert.equal(await workbench.quickInput.options(/^Solana RPC: Open Dashboard/).count(), 0);
    await workbench.quickInput.cancel();
  });

  test('left this machine with nothing', () => {
    assert.deepEqual(editor.strayRequests, []);
  });
});
