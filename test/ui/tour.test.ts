// The first minutes of a person with no account: start the local service, open the sample, send, read, rotate, switch.
// Every state leaves its pictures in dark, light and high contrast.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { describe, test } from 'node:test';
import { testEditor } from '../support/editor/editor';
import { statusSays } from '../support/editor/statusMessages';
import { tooltipOf } from '../support/editor/tooltip';

const FIXTURES = path.join(__dirname, '..', 'fixtures');
const FAILING = [
  '### An invalid account',
  '# @name wrong',
  '{ "method": "getBalance", "params": ["abc"] }',
  '',
  '### An assertion that does not hold',
  '# @name low',
  '{ "method": "getSlot" }',
  '?? result < 0',
  '',
].join('\n');
const NOTED = '### Think twice\n# @name noted\n# @note moves real funds\n{ "method": "getSlot" }\n';
const AGAIN = '### After the rotation\n# @name again\n{ "method": "getSlot" }\n?? result > 0\n';

/** The walkthrough's steps by their titles, each with how its picture begins for those who cannot see it. */
const STEPS = [
  ['Start the local service', 'The local service:'],
  ['Send the first request', 'A request with Send'],
  ['Land a transaction', 'A transaction on its way:'],
  ['Watch it live', 'A stream’s panel:'],
  ['Read your usage', 'The Usage view:'],
  ['Add your own endpoint', 'Adding a key:'],
] as const;

const WIDE = { width: 1700, height: 950 };
const NORMAL = { width: 1280, height: 800 };
const NARROW = { width: 800, height: 700 };

describe('the first minutes', () => {
  const editor = testEditor({
    tooltips: true,
    // As on a desktop; in a browser it is on.
    settings: { 'files.autoSave': 'off' },
    files: {
      'failing.jsonrpc': FAILING,
      'again.jsonrpc': AGAIN,
      'noted.jsonrpc': NOTED,
      'everything.jsonrpc': readFileSync(path.join(FIXTURES, 'valid.jsonrpc'), 'utf8'),
    },
  });

  /** One picture per theme; the tests continue with the last one. */
  test('empty views say in one sentence what they are for, with their first steps as buttons and a link', async () => {
    const { workbench } = editor;
    await workbench.openContainer('Solana RPC');
    await workbench.button('Add Endpoint').waitFor();
    await workbench.button('Start Local Service').waitFor();
    await workbench.button('Start Tour').waitFor();
    await editor.workbench.pictures('views-empty');
  });

  test('the walkthrough shows every step with its picture', async () => {
    const { workbench } = editor;
    await workbench.page.setViewportSize(WIDE);
    await workbench.runCommand('Solana RPC: Open Walkthrough');
    for (const [step, picture] of STEPS) {
      await workbench.page
        .getByRole('button', { name: new RegExp(`${step}$`) })
        .first()
        .click();
      await workbench.walkthroughPicture(picture).waitFor();
      await workbench.screenshot(`walkthrough-${step.toLowerCase().replaceAll(' ', '-')}`);
    }
    await workbench.page.setViewportSize(NORMAL);
    await workbench.closeEditors();
  });

  test('a button starts the local service, and its keys are in the view', async () => {
    const { workbench } = editor;
    await workbench.startLocalService();
    await workbench.treeItem('Endpoints', 'local, active').waitFor();
    for (const key of ['RPC', 'gRPC', 'SWQoS'])
      await workbench.treeItem('Endpoints', new RegExp(`^${key} key, default, active`)).waitFor();
    await workbench.statusItem(/^Solana RPC endpoint: local/).waitFor();
    await editor.workbench.pictures('local-service');
  });

  test('Send in the sample shows the answer next to it, without taking the focus', async () => {
    const { workbench } = editor;
    await workbench.runCommand('Solana RPC: Open Sample');
    await workbench.tab('quickstart.jsonrpc').waitFor();
    await workbench.lensAction('Send').first().click();
    await workbench.waitForText('balance.json', /"value": \d+/);
    await workbench.lens(/^✓ 200 · /).waitFor();
    assert.equal(await workbench.tab('quickstart.jsonrpc').getAttribute('aria-selected'), 'true');
    await editor.workbench.pictures('answer');
  });

  test('Send All runs the sample over every transport to its end', async () => {
    const { workbench } = editor;
    await statusSays(workbench, /^(\d+) of \1 requests passed/, () => workbench.runCommand('Solana RPC: Send All'));
    await workbench.tab('Run: quickstart.jsonrpc').waitFor();
    await workbench.screenshot('sent-all');
    await workbench.closeEditors();
  });

  test('a request with a note asks before it leaves', async () => {
    const { workbench } = editor;
    await workbench.openFile('noted.jsonrpc');
    await workbench.lensAction('Send').first().click();
    const question = workbench.dialog(/moves real funds$/);
    await question.waitFor();
    await workbench.screenshot('question');
    await question.getByRole('button', { name: 'Send', exact: true }).click();
    await workbench.waitForText('noted.json', '"result"');
    await workbench.closeEditors();
  });

  test('a failure says what went wrong and what to do next', async () => {
    const { workbench } = editor;
    await workbench.openFile('failing.jsonrpc');
    await workbench.lensAction('Send').first().click();
    await workbench.waitForText('wrong.json', '"error"');
    await workbench.lens(/^✗ 200/).waitFor();
    await workbench.lens(/^✗ Invalid params \(-32602\)/).waitFor();
    await editor.workbench.pictures('failure');
    await workbench.lensAction('Send').last().click();
    await workbench.waitForText('low.json', '"result"');
    await workbench.lens('✗ 1 assertion failed').waitFor();
    await workbench.screenshot('assertion-failed');
    await workbench.closeEditors();
  });

  test('the usage view counts every method, and its errors in words', async () => {
    const { workbench } = editor;
    await workbench.screenshot('usage-before');
    await workbench.button('Load Usage').click();
    await workbench.treeItem('Usage', /^Account, /).waitFor();
    await workbench.treeItem('Usage', /^getBalance, \d+ · \d+ % errors/).waitFor();
    await editor.workbench.pictures('usage');
    // Further down: the view draws the rows of its height alone.
    await workbench.treeItem('Usage', /^getBalance, /).click();
    await workbench.until('sendTransaction was counted twice', async () => {
      await workbench.page.keyboard.press('ArrowDown');
      return (await workbench.treeItem('Usage', /^sendTransaction, 2$/).count()) > 0 ? true : undefined;
    });
    await workbench.page.keyboard.press('Home');
    await tooltipOf(workbench, workbench.treeItem('Endpoints', /^RPC key/), /Goes only to/);
    await workbench.screenshot('key-tooltip');
    await workbench.setSideBarWidth(220);
    await workbench.screenshot('usage-220px');
    await workbench.page.setViewportSize(NARROW);
    await workbench.screenshot('usage-narrow-window');
    await workbench.page.setViewportSize(NORMAL);
    await workbench.setSideBarWidth(300);
  });

  test('every form of the format is coloured in every theme', async () => {
    const { workbench } = editor;
    await workbench.page.setViewportSize({ width: 1280, height: 2400 });
    await workbench.openFile('everything.jsonrpc');
    await workbench.lens('Send').first().waitFor();
    await editor.workbench.pictures('everything');
    await workbench.page.setViewportSize(NORMAL);
    await workbench.closeEditors();
  });

  test('after the rotation of a key the next request goes out with the new one', async () => {
    const { workbench } = editor;
    await workbench.runCommand('Solana RPC: Rotate Key');
    await workbench.quickInput
      .options(/^\S+ RPC key, default · local$/)
      .first()
      .waitFor();
    await workbench.screenshot('rotate-which');
    await workbench.quickInput.options(/^\S+ RPC key, default · local$/).click();
    const question = workbench.dialog(/^Rotate the RPC key “default” \(id .+\) of local\?$/);
    await statusSays(workbench, /^Rotated/, () =>
      question.getByRole('button', { name: 'Rotate', exact: true }).click(),
    );
    await workbench.screenshot('rotated');
    await workbench.openFile('again.jsonrpc');
    await workbench.lensAction('Send').click();
    await workbench.waitForText('again.json', /"result": \d+/);
    await workbench.lens(/^✓ 200 · /).waitFor();
    await workbench.screenshot('sent-after-rotation');
  });

  test('what was sent last is sent again from the palette', async () => {
    const { workbench } = editor;
    const slot = (text: string) => Number(/"result": (\d+)/.exec(text)?.[1]);
    const before = slot(await workbench.visibleText('again.json'));
    await workbench.until('a later slot is shown', async () => {
      await workbench.runCommand('Solana RPC: Send Last Request Again');
      return slot(await workbench.visibleText('again.json')) > before ? true : undefined;
    });
  });

  test('an answer is saved as a file of the project', async () => {
    const { workbench } = editor;
    await (await workbench.titleAction('again.json', 'Save Response…')).click();
    await workbench.quickInput.title('Save response').waitFor();
    await workbench.screenshot('save-response');
    await workbench.quickInput.accept(path.join(editor.workspace, 'again.json'));
    await workbench.until('the answer is in the file', async () => {
      const saved = await readFile(path.join(editor.workspace, 'again.json'), 'utf8').catch(() => '');
      return /"result": ?\d+/.test(saved) ? saved : undefined;
    });
    await rm(path.join(editor.workspace, 'again.json'));
    await workbench.runCommand('View: Focus First Editor Group');
  });

  test('the status bar switches the endpoint', async () => {
    const { workbench } = editor;
    await workbench.statusItem(/^Solana RPC endpoint: local/).click();
    await workbench.quickInput.options(/^\S+ local, active/).waitFor();
    await workbench.screenshot('switch-endpoint');
    await workbench.quickInput.cancel();
  });

  test('asks twice to add an endpoint, and its name is ready to take; nothing is asked of it without a yes', async () => {
    const { workbench } = editor;
    await workbench.runCommand('Solana RPC: Add Endpoint');
    await workbench.quickInput.input.waitFor();
    await workbench.screenshot('add-endpoint');
    await workbench.quickInput.answer('https://rpc.example');
    const question = workbench.dialog('No provider is known at this address. Probe what it serves?');
    await workbench.dialog(/^Each of these gets one request[^]*• HTTPS: https:\/\/rpc\.example/).waitFor();
    await workbench.screenshot('probe-question');
    await question.getByRole('button', { name: 'Keep as Pasted', exact: true }).click();
    await workbench.quickInput.title('Add endpoint: its name').waitFor();
    assert.equal(await workbench.quickInput.input.inputValue(), 'rpc.example');
    await workbench.quickInput.input.press('Enter');
    await workbench.quickInput.title('Add a key for rpc.example').waitFor();
    await workbench.screenshot('add-key-type');
    await workbench.quickInput.cancel();
    await workbench.treeItem('Endpoints', /^rpc.example, active/).waitFor();
    await workbench.treeItem('Endpoints', /^No key yet/).waitFor();
    await workbench.openFile('again.jsonrpc');
    await workbench.lensAction('Send').click();
    // Nothing was sent, so no response takes the place of the last one.
    const offer = await workbench.notification(/^No RPC key for rpc\.example/);
    await editor.workbench.pictures('no-key');
    await offer.getByRole('button', { name: 'Add Key for rpc.example', exact: true }).click();
    await workbench.quickInput.title('A label for this key').waitFor();
    await workbench.quickInput.cancel();
  });

  test('an endpoint is edited in the settings, and removed after a question', async () => {
    const { workbench } = editor;
    await workbench.runCommand('Solana RPC: Edit Endpoint');
    await workbench.quickInput
      .options(/^\S+ rpc\.example/)
      .first()
      .click();
    await workbench.tab('settings.json').waitFor();
    // At the list of endpoints, where nothing is typed for the user: unsaved settings take no change.
    await workbench.statusItem(/^Ln (?:[2-9]|\d\d), Col/).waitFor();
    await workbench.screenshot('edit-endpoint');
    await workbench.runCommand('Solana RPC: Remove Endpoint');
    await workbench.quickInput
      .options(/^\S+ rpc\.example/)
      .first()
      .click();
    const question = workbench.dialog('Remove the endpoint “rpc.example”?');
    await question.waitFor();
    await workbench.screenshot('remove-endpoint');
    await question.getByRole('button', { name: 'Remove', exact: true }).click();
    // Says what is in front of it where it stays.
    await workbench.until('the endpoint is gone', async () =>
      (await workbench.treeItem('Endpoints', /^rpc.example/).count()) === 0 ? true : undefined,
    );
    await workbench.treeItem('Endpoints', /^local, active/).waitFor();
  });

  test('nothing left this machine', () => {
    assert.deepEqual(editor.strayRequests, []);
  });
});
