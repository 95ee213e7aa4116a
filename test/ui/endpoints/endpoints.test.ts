// The Endpoints view by the mouse: presets, a click that chooses, the state of an endpoint asked by a click, and menus that
// have all that the buttons of a row do.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Locator } from 'playwright-core';
import { testEditor } from '../../support/editor/editor';
import { prepare } from '../../support/shared';

/** Nobody listens there. */
const FAR = { name: 'far', rpcUrl: 'http://127.0.0.1:9/', auth: { rpc: 'none' } };

describe('the Endpoints view', () => {
  const editor = testEditor({ settings: { 'solanaRpc.endpoints': [FAR] }, size: { width: 1200, height: 900 } });
  prepare(async () => {
    await editor.workbench.openContainer('Solana RPC');
    await row(/^far, active$/).waitFor();
  });

  const row = (name: RegExp): Locator => editor.workbench.treeItem('Endpoints', name);

  async function check(name: RegExp): Promise<void> {
    await row(name).hover();
    await row(name).getByRole('button', { name: 'Check Endpoint', exact: true }).click();
  }

  test('Add Endpoint offers presets, and a public cluster is one click away', async () => {
    const { workbench } = editor;
    await workbench.runCommand('Solana RPC: Add Endpoint');
    await workbench.quickInput.title('Add endpoint: where is it?').waitFor();
    for (const name of [
      /^vm Local service, /,
      /^globe mainnet, /,
      /^globe testnet, /,
      /^plug The hosted service, /,
      /^plug Helius, /,
    ])
      await workbench.quickInput.options(name).first().waitFor();
    await workbench.pictures('endpoint-presets');
    await workbench.quickInput
      .options(/^globe devnet, /)
      .first()
      .click();
    await row(/^devnet, active$/).waitFor();
    // Adding the same one makes no second endpoint: it is chosen again.
    await row(/^far/).click();
    await row(/^far, active$/).waitFor();
    await workbench.runCommandAndPick('Solana RPC: Add Endpoint', /^globe devnet, /);
    await row(/^devnet, active$/).waitFor();
    assert.equal(await row(/^devnet/).count(), 1);
  });

  test('a provider asks for its address, and text that is not an address is refused', async () => {
    const { workbench } = editor;
    await workbench.runCommandAndPick('Solana RPC: Add Endpoint', /^plug Helius, /);
    await workbench.quickInput.title('Add endpoint: address at Helius').waitFor();
    await workbench.screenshot('endpoint-provider');
    await workbench.quickInput.cancel();
    await workbench.runCommand('Solana RPC: Add Endpoint');
    await workbench.quickInput.fill('https://');
    await workbench.quickInput.options(/^error Not an address, /).waitFor();
    await workbench.quickInput.cancel();
  });

  test('a click on a row chooses that endpoint', async () => {
    await row(/^far/).click();
    await row(/^far, active$/).waitFor();
    await row(/^devnet/).click();
    await row(/^devnet, active$/).waitFor();
  });

  test('how an endpoint is comes by a click: how long it took and its version, or what is wrong', async () => {
    const { workbench } = editor;
    await workbench.runCommand('Solana RPC: Start Local Service');
    await row(/^local, active$/).waitFor();
    await check(/^local/);
    await row(/^local, active · \d+ ms · \d/).waitFor();
    await check(/^far/);
    await row(/^far, no answer/).waitFor();
    for (const width of [220, 420]) {
      await workbench.setSideBarWidth(width);
      await workbench.pictures(`endpoint-states-${width}px`);
    }
    // The state of one endpoint is not shown for another.
    await row(/^devnet/).click();
    await row(/^devnet, active$/).waitFor();
    await row(/^local/).click();
    await row(/^local, active · \d+ ms/).waitFor();
  });

  test('the menu of a row has what its buttons do', async () => {
    const { workbench } = editor;
    const items = async (name: RegExp): Promise<readonly string[]> => {
      await row(name).click({ button: 'right' });
      const menu = workbench.page.locator('.monaco-menu').getByRole('menuitem');
      await menu.first().waitFor();
      const words = await menu.allInnerTexts();
      await workbench.page.keyboard.press('Escape');
      await menu.first().waitFor({ state: 'detached' });
      return words.map((word) => word.trim());
    };
    const far = await items(/^far/);
    for (const title of ['Use This Endpoint', 'Check Endpoint', 'Add Key…', 'Edit Endpoint…', 'Remove Endpoint…'])
      assert.ok(far.includes(title), `${title} of ${far.join()}`);
    const local = await items(/^local/);
    assert.ok(!local.includes('Use This Endpoint'), local.join());
    for (const title of ['Check Endpoint', 'Stop Local Service', 'Restart Local Service', 'Open Dashboard'])
      assert.ok(local.includes(title), `${title} of ${local.join()}`);
    const key = await items(/^RPC key/);
    for (const title of ['Test Key', 'Rename Key…', 'Show Last Four Characters of Key', 'Rotate Key…', 'Remove Key…'])
      assert.ok(key.includes(title), `${title} of ${key.join()}`);
  });
});
