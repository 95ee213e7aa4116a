// The local service and the language server when they fail, as a person sees it: the Endpoints view, the status bar, what is
// offered. The processes that are ended here are those that this editor started.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { descendantsOf } from '../../support/process/processes';
import { testEditor } from '../../support/editor/editor';
import { showsMeanwhile } from '../../support/editor/labels';
import type { Workbench } from '../../support/editor/workbench';
import { prepare } from '../../support/shared';

const SLOT = '### Slot\n# @name slot\n{ "method": "getSlot" }\n';

/** Ends the process of this test's editor that runs `program`, as a crash would; waits until there is one. */
async function crash(workbench: Workbench, program: string): Promise<void> {
  const { pid } = await workbench.until(`${program} runs`, () =>
    Promise.resolve(descendantsOf(process.pid).find(({ cmdline }) => cmdline.includes(`dist/${program}`))),
  );
  process.kill(pid, 'SIGKILL');
  await workbench.until(`${program} ended`, () =>
    Promise.resolve(descendantsOf(process.pid).some((one) => one.pid === pid) ? undefined : true),
  );
}

describe('a local service that crashes', () => {
  const editor = testEditor({ files: { 'slot.jsonrpc': SLOT } });
  prepare(async () => {
    await editor.workbench.openContainer('Solana RPC');
    await editor.workbench.startLocalService();
    await editor.workbench.treeItem('Endpoints', /^local, active/).waitFor();
  });

  test('is shown as running before that, with an advancing slot in the Endpoints view and the status bar', async () => {
    const { workbench } = editor;
    const title = workbench.page.locator('.pane-header .description', { hasText: /^local: slot [\d,]+$/ });
    await title.waitFor();
    const item = workbench.statusItem(/^Solana RPC endpoint: local The local service is running: slot [\d,]+\./);
    const slot = async () => Number(/local · slot ([\d,]+)/.exec(await item.innerText())?.[1]?.replaceAll(',', ''));
    const first = await slot();
    await workbench.until('a later slot is shown', async () => ((await slot()) > first ? true : undefined));
    await workbench.pictures('local-running');
    await workbench.setSideBarWidth(220);
    await workbench.screenshot('local-running-220px');
    await workbench.setSideBarWidth(300);
  });

  test('is shown as restarting, with what is kept, and comes back with its keys', async () => {
    const { workbench } = editor;
    const row = /^local, restarting….*keys and wallet stay, the ledger starts over/;
    const item = /^Solana RPC endpoint: local .*is restarting/;
    await showsMeanwhile(workbench, [row, item], () => crash(workbench, 'localnet.js'));
    await workbench.screenshot('local-restarting');
    await workbench.treeItem('Endpoints', /^local, active$/).waitFor();
    await workbench.treeItem('Endpoints', /^RPC key, default, active/).waitFor();
    await workbench.openFile('slot.jsonrpc');
    await workbench.lensAction('Send').click();
    await workbench.waitForText('slot.json', /"result": \d+/);
  });

  test('is given up after six ends: its row and the status bar say so and what to do', async () => {
    const { workbench } = editor;
    for (let end = 2; end <= 6; end++) await crash(workbench, 'localnet.js');
    await workbench
      .treeItem('Endpoints', /^local, keeps crashing · active.*ended 6 times.*until you start it again/)
      .waitFor();
    await workbench.statusItem(/^Solana RPC endpoint: local .*ended 6 times/).waitFor();
    const told = await workbench.notification(/^The local service ended 6 times/);
    await told.getByRole('button', { name: 'Show Log', exact: true }).waitFor();
    await workbench.screenshot('local-gave-up');
    await told.getByRole('button', { name: 'Start Again', exact: true }).click();
    await workbench.treeItem('Endpoints', /^local, active$/).waitFor();
    await workbench.statusItem(/^Solana RPC endpoint: local(?!.*ended)/).waitFor();
  });

  test('a language server that ends five times stays off, and the status bar starts it again', async () => {
    const { workbench } = editor;
    await workbench.openFile('slot.jsonrpc');
    for (let end = 1; end <= 5; end++) await crash(workbench, 'server.js');
    const item = workbench.statusItem(/^Solana RPC endpoint: local .*five times in three minutes/);
    await item.waitFor();
    await workbench.screenshot('server-gave-up');
    await item.click();
    await item.waitFor({ state: 'detached' });
    await workbench.lensAction('Send').click();
    await workbench.lens(/^✓ 200 · /).waitFor();
  });

  test('nothing left this machine', () => {
    assert.deepEqual(editor.strayRequests, []);
  });
});

describe('a machine for which there is no ledger engine', () => {
  const editor = testEditor({ files: { 'slot.jsonrpc': SLOT }, universal: true });

  test('learns why the local service does not start, and what to do instead', async () => {
    const { workbench } = editor;
    await workbench.openContainer('Solana RPC');
    const row = workbench.treeItem(
      'Endpoints',
      /^Local service, not on this machine, .*cannot run .*Add an endpoint instead/,
    );
    await workbench.clickFor(workbench.button('Start Local Service'), row);
    await workbench.screenshot('local-no-engine');
    // A second click on the button makes the row one of a service that starts, which leads nowhere, for a moment.
    await workbench.clickFor(row, workbench.quickInput.title('Add endpoint: where is it?'));
    await workbench.quickInput.cancel();
  });
});
