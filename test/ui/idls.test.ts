// Fetch IDL from Chain as a person uses it: an account of an unknown program is watched, its program's IDL is fetched by the
// palette, and the open panel shows the account's fields.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import type { FrameLocator } from 'playwright-core';
import { encodeBase58 } from '../../core/solana/encoding/base58';
import { anchorAddress } from '../../core/solana/decode/idl/onChain';
import { freePair } from '../support/wire/ports';
import { Workspace } from '../support/process/cli';
import { openEditor, type Editor } from '../support/editor/editor';
import { keyOf } from '../support/data/layouts';
import { startTestLedger, type Localnet } from '../support/process/localnet';
import { accountOptions, COUNTER_DATA, COUNTER_IDL, idlAccount } from '../support/data/plantedAccounts';

const PROGRAM = 'H9W9shDSfQdpiCPPpqZk3NZ15sj6s3nqxQ6qLxZjZVHh';
const COUNTER = encodeBase58(keyOf(0x23));

describe('the IDL that a program has published', () => {
  const files = new Workspace();
  let local: Localnet;
  let editor: Editor;
  let page: FrameLocator;
  before(async () => {
    const port = await freePair();
    const planted = accountOptions(files.root, [
      [anchorAddress(PROGRAM), PROGRAM, idlAccount(readFileSync(COUNTER_IDL, 'utf8'))],
      [COUNTER, PROGRAM, COUNTER_DATA],
    ]);
    local = await startTestLedger(['--rpc-port', String(port), ...planted], { clock: 'running' });
    const chain = {
      name: 'chain',
      rpcUrl: `http://127.0.0.1:${port}`,
      wsUrl: `ws://127.0.0.1:${port + 1}`,
      auth: { rpc: 'none', ws: 'none' },
    };
    editor = await openEditor({
      settings: { 'solanaRpc.endpoints': [chain], 'solanaRpc.endpoint': 'chain' },
      size: { width: 1500, height: 850 },
    });
  });
  after(async () => {
    await editor?.close();
    await local?.stop();
    files.dispose();
  });

  /** Runs the command and names the program. */
  async function fetchIdl(program: string): Promise<void> {
    const { workbench } = editor;
    const { quickInput } = workbench;
    await workbench.runCommand('Solana RPC: Fetch IDL from Chain');
    await quickInput.title('Fetch the IDL of a program from the chain').waitFor();
    await quickInput.give(program);
  }

  test('without it an account of the program shows its bytes', async () => {
    const { workbench } = editor;
    await workbench.openContainer('Solana RPC');
    await workbench.treeItem('Endpoints', /^chain, active/).waitFor();
    await workbench.runCommand('Solana RPC: Watch Account');
    await workbench.quickInput.title('Watch account').waitFor();
    await workbench.quickInput.answer(COUNTER);
    page = workbench.webview();
    await page.getByRole('heading', { name: 'Data at update 0', exact: true }).waitFor();
    assert.equal(await page.getByText('Counter (counter)', { exact: true }).count(), 0);
    await workbench.screenshot('idl-unknown');
  });

  test('is fetched by the palette, and says what it holds', async () => {
    const { workbench } = editor;
    await fetchIdl(PROGRAM);
    await workbench.notification('The IDL counter was fetched from chain: 2 instructions, 1 accounts, 0 events.');
    await workbench.screenshot('idl-fetched');
    await workbench.runCommand('Notifications: Clear All Notifications');
  });

  test('the open panel shows the fields by their names', async () => {
    const { workbench } = editor;
    await page.getByText('Counter (counter)', { exact: true }).first().waitFor();
    const field = page.locator('.decoded-section').getByText('count', { exact: true });
    await field.waitFor();
    await page.locator('.decoded-section').getByText('41', { exact: true }).waitFor();
    await workbench.pictures('idl-decoded');
  });

  test('a program that has published none says so', async () => {
    const { workbench } = editor;
    const other = encodeBase58(keyOf(0x24));
    await fetchIdl(other);
    await workbench.notification(new RegExp(`^${other} has published no IDL on chain\\.`));
    await workbench.screenshot('idl-none');
  });

  test('nothing left this machine', () => {
    assert.deepEqual(editor.strayRequests, []);
  });
});
