// Blocks with assertions as tests of the Test Explorer: found, run, told apart, run again when a file is saved.
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, test } from 'node:test';
import { testEditor } from '../support/editor/editor';
import { expand } from '../support/editor/trees';
import { prepare } from '../support/shared';

const TESTS = [
  '### The slot',
  '# @name slot',
  '{ "method": "getSlot" }',
  '',
  '### Slots go up',
  '{ "method": "getSlot" }',
  '?? result >= {{slot.result}}',
  '',
  '### No block before the first',
  '{ "method": "getBlockHeight" }',
  '?? result == 0',
  '',
].join('\n');
const UNOPENED = '### Version\n{ "method": "getVersion" }\n?? result.solana-core exists\n';

describe('the Test Explorer', () => {
  const editor = testEditor({ files: { 'slots.jsonrpc': TESTS, 'more/version.jsonrpc': UNOPENED } });
  prepare(async () => {
    await editor.workbench.openContainer('Solana RPC');
    await editor.workbench.startLocalService();
  });

  const row = (name: RegExp) => editor.workbench.treeItem(/^Test Explorer/, name);
  test('lists the blocks with assertions of every request file, and no others', async () => {
    const { workbench } = editor;
    await workbench.openFile('slots.jsonrpc');
    await workbench.openContainer('Testing');
    await row(/^slots\.jsonrpc/).waitFor();
    await row(/^more\/version\.jsonrpc/).waitFor();
    for (const file of [/^slots\.jsonrpc/, /^more\/version\.jsonrpc/]) await expand(workbench, row(file));
    await row(/^Slots go up/).waitFor();
    assert.equal(await row(/^The slot/).count(), 0);
    await workbench.screenshot('tests-found');
  });

  test('runs them all; a failure is shown at its line with the expected and actual values', async () => {
    const { workbench } = editor;
    await workbench.runCommand('Test: Run All Tests');
    await row(/^Slots go up.*Passed/).waitFor();
    await row(/^Version.*Passed/).waitFor();
    await row(/^No block before the first.*Failed/).waitFor();
    await editor.workbench.pictures('tests-run');
    await row(/^No block before the first/).click();
    await workbench.page.getByText('Failed: result == 0', { exact: true }).first().waitFor();
    await workbench.page.getByText('Expected', { exact: true }).first().waitFor();
    await workbench.screenshot('test-failed');
  });

  test('runs the tests of a file again when it is saved, until that is switched off', async () => {
    const { workbench } = editor;
    await workbench.page.keyboard.press('Escape');
    await row(/^slots\.jsonrpc/).hover();
    await row(/^slots\.jsonrpc/)
      .getByRole('button', { name: 'Turn on Continuous Run', exact: true })
      .click();
    await workbench.openFile('slots.jsonrpc');
    await workbench.editor('slots.jsonrpc').click();
    await workbench.page.keyboard.press('ControlOrMeta+A');
    await workbench.page.keyboard.insertText(TESTS.replace('result == 0', 'result > -1'));
    await workbench.page.keyboard.press('ControlOrMeta+S');
    await row(/^No block before the first.*Passed/).waitFor();
    await workbench.runCommand('Test: Stop Continuous Run');
  });
});

describe('the icons next to the lines', () => {
  const editor = testEditor({ files: { 'version.jsonrpc': UNOPENED } });

  test('follow the file that another program writes, though nobody looked at the Test Explorer', async () => {
    const { workbench, workspace } = editor;
    await workbench.openFile('version.jsonrpc');
    const icons = workbench.editor('version.jsonrpc').locator('.testing-run-glyph');
    const shown = (count: number): Promise<boolean> =>
      workbench.until(`${count} icons`, async () => ((await icons.count()) === count ? true : undefined));
    await shown(1);
    for (const times of [3, 0, 2]) {
      const text = Array.from({ length: times }, (_, at) => UNOPENED.replace('Version', `Version ${at}`)).join('\n');
      await writeFile(path.join(workspace, 'version.jsonrpc'), `# ${times}\n\n${text}`);
      await workbench.waitForText('version.jsonrpc', `# ${times}`);
      await shown(times);
    }
  });
});
