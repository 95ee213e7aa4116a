// Two windows on one project, side by side: each chooses its own active endpoint, and what one adds or removes is there or
// gone in the other. Keys are compared in test/unit/: in a browser each window has separate secrets.
import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, test } from 'node:test';
import { testEditor } from '../support/editor/editor';
import { escaped } from '../support/editor/wholeText';
import type { Workbench } from '../support/editor/workbench';
import { prepare } from '../support/shared';

describe('two windows', () => {
  const editor = testEditor({
    // High enough for every row: a tree draws those in view alone.
    size: { width: 1280, height: 1400 },
    settings: {
      'solanaRpc.endpoints': ['one', 'two'].map((name) => ({ name, rpcUrl: `https://${name}.example` })),
      'solanaRpc.endpoint': 'one',
    },
  });
  let first: Workbench;
  let second: Workbench;
  prepare(async () => {
    first = editor.workbench;
    second = await editor.openWindow();
    for (const workbench of [first, second]) {
      await workbench.page.bringToFront();
      await workbench.openContainer('Solana RPC');
      await workbench.treeItem('Endpoints', /^one, active/).waitFor();
    }
  });

  test('each has a separate active endpoint, and a choice writes nothing into the project', async () => {
    await first.page.bringToFront();
    await first.runCommand('Solana RPC: Switch Endpoint');
    await first.quickInput
      .options(/^\S+ two\b/)
      .first()
      .click();
    await first.treeItem('Endpoints', /^two, active/).waitFor();
    await second.page.bringToFront();
    await second.treeItem('Endpoints', /^one, active/).waitFor();
    await second.screenshot('windows-second');
    assert.deepEqual(await readdir(editor.workspace), []);
  });

  /** Adds an endpoint in one window, without a key, and waits until both have it. */
  async function add(name: string, here: Workbench, there: Workbench): Promise<void> {
    await here.page.bringToFront();
    await here.runCommand('Solana RPC: Add Endpoint');
    await here.quickInput.answer(`https://${name}`);
    const question = here.dialog('No provider is known at this address. Probe what it serves?');
    await question.getByRole('button', { name: 'Keep as Pasted', exact: true }).click();
    await here.quickInput.title('Add endpoint: its name').waitFor();
    await here.quickInput.input.press('Enter');
    await here.quickInput.title(`Add a key for ${name}`).waitFor();
    await here.quickInput.cancel();
    await here.treeItem('Endpoints', new RegExp(`^${escaped(name)}, active`)).waitFor();
    await there.page.bringToFront();
    await there.treeItem('Endpoints', new RegExp(`^${escaped(name)}, (?!active)`)).waitFor();
  }

  test('what one adds is there in the other, and neither writes over what the other added', async () => {
    await add('three.example', first, second);
    await add('four.example', second, first);
    await add('five.example', first, second);
    for (const workbench of [first, second])
      for (const name of ['one', 'two', 'three', 'four', 'five'])
        await workbench.treeItem('Endpoints', new RegExp(`^${name}\\b`)).waitFor();
    await second.screenshot('windows-added');
    const settings = await readFile(path.join(editor.profileFolder, 'data', 'data', 'User', 'settings.json'), 'utf8');
    const { 'solanaRpc.endpoints': endpoints } = JSON.parse(settings) as Readonly<
      Record<string, readonly { readonly name: string }[]>
    >;
    assert.deepEqual(
      endpoints?.map(({ name }) => name),
      ['one', 'two', 'three.example', 'four.example', 'five.example'],
    );
  });

  test('what one removes is gone in the other', async () => {
    await second.page.bringToFront();
    await second.runCommand('Solana RPC: Remove Endpoint');
    await second.quickInput
      .options(/^\S+ three\.example\b/)
      .first()
      .click();
    const question = second.dialog('Remove the endpoint “three.example”?');
    await question.getByRole('button', { name: 'Remove', exact: true }).click();
    for (const workbench of [second, first]) {
      await workbench.page.bringToFront();
      await workbench.treeItem('Endpoints', /^three/).waitFor({ state: 'detached' });
      await workbench.treeItem('Endpoints', /^four\.example/).waitFor();
    }
  });

  test('nothing left this machine', () => {
    assert.deepEqual(editor.strayRequests, []);
  });
});
