// The first minutes of a person with no account: start the local service, open the sample, send, read, rotate.
import { after, before, describe, test } from 'node:test';
import { openEditor, type Editor } from '../support/editor';

describe('the first minutes', () => {
  let editor: Editor;
  before(async () => {
    editor = await openEditor({ files: { 'notes.txt': 'an empty project\n' } });
  });
  after(() => editor.close());

  test('the views of an empty profile say what to do next', async () => {
    const { workbench } = editor;
    await workbench.openContainer('Solana RPC');
    await workbench.page.getByText('take the two-minute tour').waitFor();
    await workbench.screenshot('01-empty-views');
    await workbench.page.setViewportSize({ width: 1700, height: 950 });
    await workbench.runCommand('Solana RPC: Open Walkthrough');
    await workbench.page.getByText('Start the local service').first().waitFor();
    await workbench.page.waitForTimeout(1500);
    await workbench.screenshot('02-walkthrough');
    for (const [i, name] of ['Send the first request', 'Read your usage', 'Add your own endpoint'].entries()) {
      await workbench.page.getByRole('button', { name }).first().click();
      await workbench.page.waitForTimeout(1000);
      await workbench.screenshot(`02-walkthrough-${i}`);
    }
    await workbench.page.setViewportSize({ width: 1280, height: 800 });
  });

  test('the welcome view starts the local service', async () => {
    const { workbench } = editor;
    await workbench.page.getByRole('button', { name: 'Start Local Service' }).first().click();
    await workbench.page.waitForTimeout(4000);
    console.log(await workbench.page.locator('[id="workbench.parts.sidebar"]').ariaSnapshot());
    await workbench.screenshot('03-local-service');
  });

  test('sample', async () => {
    const { workbench } = editor;
    await workbench.runCommand('Solana RPC: Open Sample');
    await workbench.lens('Send').first().waitFor();
    await workbench.screenshot('04-sample');
    await workbench.lens('Send').first().click();
    await workbench.tab(/balance/).waitFor();
    await workbench.page.waitForTimeout(1000);
    await workbench.screenshot('05-answer');
    await workbench.runCommand('Solana RPC: Send All');
    await workbench.dialog('Send this request?').waitFor();
    await workbench.screenshot('06-question');
    await workbench.dialog('Send this request?').getByRole('button', { name: 'Send', exact: true }).click();
    await workbench.page.waitForTimeout(6000);
    await workbench.screenshot('07-sent-all');
    await workbench.runCommand('Solana RPC: Refresh Usage');
    await workbench.page.waitForTimeout(2000);
    await workbench.screenshot('08-usage');
    await workbench.setSideBarWidth(220);
    await workbench.screenshot('09-usage-220');
    await workbench.runCommand('Solana RPC: Rotate Key');
    await workbench.page.waitForTimeout(2000);
    await workbench.screenshot('10-rotate');
  });
});
