// The tour of a newcomer: it opens by itself with the first request file and leaves the keyboard there, opens the next step
// whenever one is done, to the usage and the end, and keeps what is done over a reload. Also the editor's page of the same
// steps.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { testEditor } from '../support/editor/editor';
import { keyboardIn } from '../support/editor/keyboard';
import { statusSays } from '../support/editor/statusMessages';
import { TourView } from '../support/editor/tourView';
import { prepare } from '../support/shared';

const TEXT = '### Slot\n{ "method": "getSlot" }\n';
const STEPS = [
  'Start the local service',
  'Send the first request',
  'Land a transaction',
  'Watch it live',
  'Read your usage',
  'Add your own endpoint',
] as const;

describe('the tour', () => {
  const editor = testEditor({
    files: { 'first.jsonrpc': TEXT, 'second.jsonrpc': TEXT },
    settings: { 'workbench.startupEditor': 'welcomePageInEmptyWorkbench' },
  });
  let tour: TourView;
  prepare(() => {
    tour = new TourView(editor.workbench);
  });

  test('is there with the first request file, and the file keeps the keyboard', async () => {
    const { workbench } = editor;
    await workbench.openFile('first.jsonrpc');
    await tour.opened('Start the local service').waitFor();
    await tour.progress('0 of 6').waitFor();
    await keyboardIn(workbench, 'first.jsonrpc');
    await workbench.page.keyboard.type('# mine');
    await workbench.waitForText('first.jsonrpc', '# mine');
    await tour.announced
      .getByText('The tour is open in the side bar. It begins with: Start the local service', { exact: true })
      .waitFor();
    for (const title of STEPS) await tour.step(title).waitFor();
    await workbench.pictures('tour-0');
  });

  test('a step that is done opens the next one: the local service', async () => {
    const { workbench } = editor;
    await workbench.clickFor(tour.button('Start Local Service'), workbench.treeItem('Endpoints', 'local, active'));
    await tour.tick('Start the local service').waitFor();
    await tour.opened('Send the first request').waitFor();
    await tour.announced
      .getByText('Done: Start the local service. Next: Send the first request', { exact: true })
      .waitFor();
    await tour.progress('1 of 6').waitFor();
  });

  test('a request of the file; the keyboard stays in it', async () => {
    const { workbench } = editor;
    await workbench.tab('first.jsonrpc').click();
    await workbench.lensAction('Send').first().click();
    await workbench.lens(/^✓ 200 · /).waitFor();
    await tour.opened('Land a transaction').waitFor();
    await workbench.tab('getSlot.json').waitFor();
    await keyboardIn(workbench, 'first.jsonrpc');
    await workbench.page.keyboard.type('x');
    await workbench.waitForText('first.jsonrpc', '# minex');
  });

  test('the whole sample, in the column of the file, with its report next to it', async () => {
    const { workbench } = editor;
    await statusSays(workbench, /^(\d+) of \1 requests passed/, () => tour.button('Send the Whole Sample').click());
    await tour.opened('Watch it live').waitFor();
    assert.equal(await workbench.page.locator('.editor-group-container').count(), 2, 'no third column');
    await workbench.pictures('tour-3');
  });

  test('what is done is kept over a reload, and the tour continues', async () => {
    await editor.workbench.reload();
    await tour.opened('Watch it live').waitFor();
    await tour.progress('3 of 6').waitFor();
    for (const title of STEPS.slice(0, 3)) await tour.tick(title).waitFor();
    // The ledger ended with the window; a step that is done can be opened and taken again.
    await tour.step('Start the local service').click();
    const { workbench } = editor;
    await workbench.clickFor(tour.button('Start Local Service'), workbench.treeItem('Endpoints', 'local, active'));
    await tour.progress('3 of 6').waitFor();
  });

  test('the wallet is watched live; its address, ready to take where one is asked for, is the panel’s', async () => {
    const { workbench } = editor;
    await workbench.runCommand('Solana RPC: Watch Account');
    await workbench.quickInput.title('Watch account').waitFor();
    const address = await workbench.quickInput.input.inputValue();
    assert.match(address, /^[1-9A-HJ-NP-Za-km-z]{32,44}$/);
    await workbench.quickInput.cancel();
    await tour.step('Watch it live').click();
    await tour.button('Watch the Wallet').click();
    await workbench.treeItem('Streams', /^[^,]+, Live/).waitFor();
    // A tab has room for the two ends of an address.
    await workbench.tab(`${address.slice(0, 5)}…${address.slice(-5)}`).waitFor();
    await workbench.pageHeading(address);
    await tour.opened('Read your usage').waitFor();
  });

  test('closed it is gone; the button of a view brings it back where it was', async () => {
    const { workbench } = editor;
    await workbench.runCommand('Solana RPC: End Tour');
    await tour.heading.waitFor({ state: 'detached' });
    await workbench.openFile('second.jsonrpc');
    await workbench.lens('Send').waitFor();
    assert.equal(await tour.heading.count(), 0, 'no file brings it again');
    await workbench.runCommand('Solana RPC: Start Tour');
    await tour.opened('Read your usage').waitFor();
    await tour.progress('4 of 6').waitFor();
    await workbench.waitForText('quickstart.jsonrpc', '"getBalance"');
  });

  test('the usage of what was sent', async () => {
    const { workbench } = editor;
    await tour.button('Load Usage').click();
    await workbench.treeItem('Usage', /^Account, \d+/).waitFor();
    await tour.opened('Add your own endpoint').waitFor();
    await workbench.setSideBarWidth(220);
    await workbench.pictures('tour-5-220px');
  });

  test('an endpoint is the end, which is said; a click closes it', async () => {
    const { workbench } = editor;
    await tour.button('Add Endpoint').click();
    await workbench.quickInput.input.waitFor();
    await workbench.quickInput.answer('https://rpc.example');
    await workbench
      .dialog('No provider is known at this address. Probe what it serves?')
      .getByRole('button', { name: 'Keep as Pasted', exact: true })
      .click();
    await workbench.quickInput.title('Add endpoint: its name').waitFor();
    await workbench.quickInput.input.press('Enter');
    await workbench.quickInput.title('Add a key for rpc.example').waitFor();
    await workbench.quickInput.cancel();
    await tour.progress('6 of 6').waitFor();
    await tour.announced.getByText('Done: Add your own endpoint. That was the last step.', { exact: true }).waitFor();
    await workbench.screenshot('tour-6');
    await tour.button('End Tour').click();
    await tour.heading.waitFor({ state: 'detached' });
  });

  test('the walkthrough of the editor has the same steps', async () => {
    const { workbench } = editor;
    await workbench.runCommand('Solana RPC: Open Walkthrough');
    for (const title of STEPS)
      await workbench.page
        .getByRole('button', { name: new RegExp(`${title}$`) })
        .first()
        .waitFor();
    await workbench.closeEditors();
  });

  test('nothing left this machine', () => {
    assert.deepEqual(editor.strayRequests, []);
  });
});
