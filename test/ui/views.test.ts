// The views of the side bar in each of their states, as narrow as it gets and wide, in every theme: pictures to look at, and
// nothing that reaches over the edge.
import assert from 'node:assert/strict';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { openEditor, type Editor } from '../support/editor/editor';
import { tooltipOf } from '../support/editor/tooltip';

const WIDTHS = [220, 420] as const;
/** Nobody listens there, and no key is stored for it. */
const FAR = {
  name: 'a hosted endpoint with a long name',
  rpcUrl: 'http://127.0.0.1:9/sol',
  restUrl: 'http://127.0.0.1:9',
};
const REQUESTS = [
  '### Every slot',
  '{ "method": "slotSubscribe" }',
  '',
  '### An invalid account',
  '# @name wrong',
  '{ "method": "getBalance", "params": ["abc"] }',
  '',
].join('\n');

describe('the views', () => {
  let editor: Editor;
  before(async () => {
    const files = { 'requests.jsonrpc': REQUESTS };
    editor = await openEditor({ files, size: { width: 1000, height: 900 }, tooltips: true });
    await editor.workbench.openContainer('Solana RPC');
    await editor.workbench.button('Start Local Service').waitFor();
  });
  after(() => editor.close());

  /** In every theme and width; what is to be read stays inside the bar. */
  async function pictures(state: string): Promise<void> {
    const { workbench } = editor;
    const bar = workbench.page.locator('[id="workbench.parts.sidebar"]');
    for (const width of WIDTHS) {
      await workbench.setSideBarWidth(width);
      await workbench.pictures(`views-${state}-${width}px`);
      const edge = await bar.boundingBox();
      assert.ok(edge);
      for (const part of await bar.locator('.monaco-button:visible, .monaco-icon-label-container:visible').all()) {
        const box = await part.boundingBox();
        assert.ok(box === null || box.x + box.width <= edge.x + edge.width + 1, await part.innerText());
      }
    }
  }

  test('empty, each says what it is for', () => pictures('empty'));

  test('of an endpoint without a key, the usage says so and what to do', async () => {
    const { workbench } = editor;
    await writeFile(path.join(editor.workspace, 'solana-rpc.json'), JSON.stringify({ endpoints: [FAR] }));
    await workbench.treeItem('Endpoints', /^a hosted endpoint/).waitFor();
    await workbench.button('Load Usage').click();
    await workbench.treeItem('Usage', /^No key for 127\.0\.0\.1:9$/).waitFor();
    await workbench.treeItem('Usage', /^Add Key for This Host…$/).waitFor();
    await pictures('error');
    // Which endpoint is the active one is seen at any width: by its icon, and in words where there is room for them.
    const active = workbench.treeItem('Endpoints', /^a hosted endpoint with a long name, active$/);
    await active.locator('.codicon-target').waitFor();
    const [words, room] = await Promise.all(
      ['.label-description', '.monaco-icon-label-container'].map((part) => active.locator(part).boundingBox()),
    );
    assert.ok(words && room && words.x + words.width <= room.x + room.width);
  });

  test('full, the counts and states are there', async () => {
    const { workbench } = editor;
    await workbench.runCommand('Solana RPC: Start Local Service');
    await workbench.treeItem('Endpoints', /^local, active$/).waitFor();
    await workbench.openFile('requests.jsonrpc');
    await workbench.lensAction('Watch').first().click();
    await workbench.treeItem('Streams', /^Every slot, Live/).waitFor();
    await workbench.openFile('requests.jsonrpc');
    await workbench.lensAction('Send').last().click();
    await workbench.waitForText('wrong.json', '"error"');
    await workbench.runCommand('Solana RPC: Watch Account');
    await workbench.quickInput.title('Watch account').waitFor();
    await workbench.quickInput.answer('SysvarC1ock11111111111111111111111111111111');
    await workbench.treeItem('Streams', /^SysvarC1ock1+, Live/).waitFor();
    await workbench.runCommand('Solana RPC: Refresh Usage');
    await workbench.treeItem('Usage', /^getBalance, 1 · 100 % errors/).waitFor();
    await pictures('full');
    await tooltipOf(workbench, workbench.treeItem('Streams', /^SysvarC1ock/), /SysvarC1ock1111/);
    await workbench.screenshot('views-stream-tooltip');
    await tooltipOf(workbench, workbench.statusItem(/^Solana RPC endpoint: local/), /Sent\sfrom\shere/);
    await workbench.screenshot('views-status-tooltip');
  });

  test('without the local service that was chosen, they say that it does not run and offer to start it or another', async () => {
    const { workbench } = editor;
    await workbench.statusItem(/^Solana RPC endpoint: local/).click();
    await workbench.quickInput.options(/^\S+ local, active/).click();
    await workbench.runCommand('Solana RPC: Stop Local Service');
    await workbench.treeItem('Endpoints', /^local, not running, Start Local Service/).waitFor();
    // The choice is the window's own: nothing of it is in the project.
    assert.deepEqual((await readdir(editor.workspace)).sort(), ['requests.jsonrpc', 'solana-rpc.json']);
    await workbench.page
      .getByText('The local service is the chosen endpoint and is not running.', { exact: true })
      .waitFor();
    await pictures('local-off');
  });

  test('without the endpoint that was chosen, they say so and offer to choose another', async () => {
    const { workbench } = editor;
    const settings = path.join(editor.workspace, '.vscode', 'settings.json');
    await mkdir(path.dirname(settings));
    await writeFile(settings, JSON.stringify({ 'solanaRpc.endpoint': 'gone' }));
    const row = workbench.treeItem('Endpoints', /^gone, not found, Choose Another Endpoint/);
    await row.waitFor();
    await workbench.button('Choose Another Endpoint').waitFor();
    await pictures('absent');
    await row.click();
    await workbench.quickInput.title('Active endpoint').waitFor();
    await workbench.quickInput.options(/^\S+ a hosted endpoint/).click();
    await workbench.treeItem('Endpoints', /^a hosted endpoint with a long name, active$/).waitFor();
    await row.waitFor({ state: 'detached' });
    await workbench.button('Choose Another Endpoint').waitFor({ state: 'detached' });
  });
});
