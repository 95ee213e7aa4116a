// A transaction that failed, with the keyboard alone: it runs again on a private ledger, passes with a mended program, is
// kept as a folder that the terminal runs; and transactions are compared, a failed with a landed one, version 0 with 1.
import assert from 'node:assert/strict';
import { copyFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { createKeyPairSignerFromBytes } from '@solana/kit';
import { freshKey, toBase64, transfer } from '../../contract/rpc/rpc-harness';
import { kitV1, newSigner, transferInstruction } from '../../support/data/v1Transactions';
import { openEditor, type Editor } from '../../support/editor/editor';
import { Workspace } from '../../support/process/cli';
import { counterCluster, counterData, type CounterCluster } from '../../support/programs/counterCluster';
import { awayFrom, type Away } from '../../support/wire/away';
import { decodeBase58 } from '../../../core/solana/encoding/base58';

const IDL = path.join(__dirname, '..', '..', 'fixtures', 'counter', 'idl.json');
/** The one that the IDL names. */
const PROGRAM = 'H9W9shDSfQdpiCPPpqZk3NZ15sj6s3nqxQ6qLxZjZVHh';
const NARROW = { width: 740, height: 900 };
const WIDE = { width: 1500, height: 850 };

describe('a transaction that failed', () => {
  const work = new Workspace();
  let cluster: CounterCluster;
  let front: Away;
  let editor: Editor;
  let failed: string;
  before(async () => {
    cluster = await counterCluster(work.root, PROGRAM);
    const data = counterData(cluster.stranger.address, 40n).toString('base64');
    const account = { lamports: 5_000_000, data: [data, 'base64'], owner: PROGRAM, executable: false };
    writeFileSync(path.join(work.root, 'mine.json'), JSON.stringify({ pubkey: cluster.counter, account }));
    failed = await cluster.landed(cluster.stranger, [cluster.increment(cluster.stranger)], []);
    front = await awayFrom(cluster.local);
    editor = await openEditor({
      files: { 'target/idl/counter.json': readFileSync(IDL, 'utf8') },
      settings: {
        'solanaRpc.endpoints': [{ name: 'cluster', rpcUrl: front.localUrl, auth: { rpc: 'none' } }],
        'solanaRpc.endpoint': 'cluster',
      },
      size: WIDE,
    });
  });
  after(async () => {
    await editor?.close();
    await front?.close();
    await cluster?.local.stop();
    work.dispose();
  });

  /** Answers the box of this title, once it is there, with the row that begins so, or with a text. */
  const answer = async (title: string, typed: string, row?: RegExp): Promise<void> => {
    const { quickInput } = editor.workbench;
    await quickInput.title(title).waitFor();
    await quickInput.give(typed, row);
  };
  /** Answers the question for a signature. The list before it has the same title, not the same words. */
  const giveSignature = async (title: string, signature: string): Promise<void> => {
    await editor.workbench.quickInput.message.filter({ hasText: /^Only a signature is looked up/ }).waitFor();
    await answer(title, signature);
  };
  const explain = async (signature: string): Promise<void> => {
    await editor.workbench.runCommandAndPick('Solana RPC: Explain Transaction', /^A signature/);
    await giveSignature('Explain transaction', signature);
    await editor.workbench.tab(`Transaction ${signature.slice(0, 8)}…`).waitFor();
  };
  const button = (name: string) => editor.workbench.webview().getByRole('button', { name, exact: true });

  test('runs again, and passes with the mended program: it differs from the chain', async () => {
    const { workbench } = editor;
    await explain(failed);
    await workbench.webview().getByRole('heading', { name: 'Failed', exact: true }).waitFor();
    await button('Replay Locally').press('Enter');
    await workbench.tab(`Replay ${failed.slice(0, 8)}…`).waitFor();
    await workbench
      .webview()
      .getByText(/^The same as on the chain: Error, Compute units, Logs/)
      .waitFor();
    await button('Change and Run Again…').press('Enter');
    await answer('Change and run again', 'code of a program', /^The code of a program/);
    await answer('Which program?', 'counter', /^counter/);
    await answer('The program’s .so file', path.join(work.root, 'open.so'), /^open\.so/);
    const page = workbench.webview();
    await page.getByText('It differs from the chain.', { exact: true }).waitFor();
    await page.getByRole('heading', { name: 'Succeeded', exact: true }).waitFor();
    await page.getByRole('row', { name: /^Error .*ConstraintHasOne.* success$/ }).waitFor();
    await workbench.pictures('replay-override');
    await workbench.page.setViewportSize(NARROW);
    await workbench.screenshot('replay-override-narrow');
    await workbench.page.setViewportSize(WIDE);
  });

  test('is cancelled while it is read: nothing is opened, and it can be replayed again', async () => {
    const { workbench } = editor;
    for (const method of ['getTransaction', 'getMultipleAccounts', 'getSignaturesForAddress']) {
      await workbench.closeEditors();
      await explain(failed);
      await workbench.webview().getByRole('heading', { name: 'Failed', exact: true }).waitFor();
      const asked = front.hold(method);
      await button('Replay Locally').press('Enter');
      await asked;
      const progress = await workbench.notification(/^Replaying the transaction on a private ledger/);
      await progress.getByRole('button', { name: 'Cancel', exact: true }).click();
      await workbench.notification('The replay was cancelled.');
      assert.equal(await progress.count(), 0);
      assert.equal(await workbench.tab(/^Replay /).count(), 0);
    }
    await button('Replay Locally').press('Enter');
    await workbench.tab(`Replay ${failed.slice(0, 8)}…`).waitFor();
    await workbench
      .webview()
      .getByText(/^The same as on the chain: Error, Compute units, Logs/)
      .waitFor();
    await workbench.closeEditors();
  });

  test('runs again with another account, and at another time of the clock', async () => {
    const { workbench } = editor;
    await workbench.closeEditors();
    await explain(failed);
    await button('Replay Locally').press('Enter');
    await workbench.tab(`Replay ${failed.slice(0, 8)}…`).waitFor();
    await button('Change and Run Again…').press('Enter');
    await answer('Change and run again', 'account', /^An account, from a JSON file/);
    await answer('An account of "solana account --output json"', path.join(work.root, 'mine.json'), /^mine\.json/);
    const page = workbench.webview();
    await page.getByRole('heading', { name: 'Succeeded', exact: true }).waitFor();
    await page.getByRole('row', { name: /^Error .*ConstraintHasOne.* success$/ }).waitFor();
    await button('Change and Run Again…').press('Enter');
    await answer('Change and run again', 'time', /^The time of the clock/);
    await answer('The time of the clock', '1767614400');
    await page
      .locator('.facts')
      .getByText(/^2026-01-05T12:00:00Z/)
      .waitFor();
    // The account of before is still there.
    await page.getByRole('heading', { name: 'Succeeded', exact: true }).waitFor();
    await workbench.closeEditors();
  });

  test('is kept as a folder, which the terminal runs: 0, and 4 once the program is another one', async () => {
    const { workbench } = editor;
    await workbench.closeEditors();
    await explain(failed);
    await button('Replay Locally').press('Enter');
    await workbench.tab(`Replay ${failed.slice(0, 8)}…`).waitFor();
    await button('Save as a Folder…').press('Enter');
    const { quickInput } = workbench;
    await quickInput.title('Save the replay as a folder').waitFor();
    const folder = path.join(editor.workspace, `replay-${failed.slice(0, 8)}`);
    await quickInput.accept(folder);
    await workbench.notification(`Saved. In a terminal: solana-rpc replay ${path.basename(folder)}`);
    assert.ok(readdirSync(folder).includes('case.json'));
    const same = await work.run(['replay', folder]);
    assert.equal(same.code, 0, same.stdout + same.stderr);
    const repeat = () => work.run(['run', path.join(folder, 'replay.jsonrpc'), '--case', folder]);
    const repeated = await repeat();
    assert.equal(repeated.code, 0, repeated.stdout + repeated.stderr);
    copyFileSync(path.join(work.root, 'open.so'), path.join(folder, 'programs', `${PROGRAM}.so`));
    const other = await work.run(['replay', folder]);
    assert.equal(other.code, 4, other.stdout + other.stderr);
    assert.match(other.stdout, /^outcome: succeeded\n/);
    assert.equal((await repeat()).code, 4);
    await workbench.closeEditors();
  });

  test('its folder is opened again, from the explorer: it runs without the cluster', async () => {
    const { workbench } = editor;
    await workbench.openContainer('Explorer');
    await workbench.page.getByRole('treeitem', { name: `replay-${failed.slice(0, 8)}`, exact: true }).click();
    const file = workbench.page.getByRole('treeitem', { name: 'case.json', exact: true });
    const asked = front.methods.length;
    await workbench.chooseFromMenu(file, 'Replay Saved Case…');
    await workbench.tab(`Replay replay-${failed.slice(0, 8)}`).waitFor();
    const page = workbench.webview();
    await page.getByText('It differs from the chain.', { exact: true }).waitFor();
    await page.getByRole('heading', { name: 'Succeeded', exact: true }).waitFor();
    assert.equal(front.methods.length, asked);
    await workbench.screenshot('replay-case');
    await workbench.closeEditors();
  });

  /** The lines of one side of the difference, as far as they are on the screen. */
  const side = async (name: 'original' | 'modified'): Promise<string> => {
    const lines = editor.workbench.page.locator(`.monaco-diff-editor .editor.${name} .view-line`);
    return (await lines.allInnerTexts()).join('\n').replaceAll('\u00a0', ' ');
  };
  const differ = async (left: RegExp, right: RegExp): Promise<void> => {
    await editor.workbench.until(`${left.source} next to ${right.source}`, async () =>
      left.test(await side('original')) && right.test(await side('modified')) ? true : undefined,
    );
  };

  test('is compared with the one that landed, which another panel shows', async () => {
    const { workbench } = editor;
    const landed = await cluster.landed(cluster.owner, [cluster.increment(cluster.owner)], []);
    await explain(landed);
    await explain(failed);
    await button('Compare With…').press('Enter');
    await answer('Compare with', `Transaction ${landed.slice(0, 8)}`, new RegExp(`^Transaction ${landed.slice(0, 8)}`));
    await workbench.tab(`Transaction ${failed.slice(0, 8)}… ↔ Transaction ${landed.slice(0, 8)}…`).waitFor();
    await differ(/outcome: failed: .*2001|outcome: failed/, /outcome: succeeded/);
    await workbench.pictures('compare-failed');
    await workbench.page.setViewportSize(NARROW);
    await workbench.screenshot('compare-failed-narrow');
    await workbench.page.setViewportSize(WIDE);
    await workbench.closeEditors();
  });

  test('version 0 is compared with version 1, found by its signature', async () => {
    const { workbench } = editor;
    const payer = await createKeyPairSignerFromBytes(
      decodeBase58(cluster.local.ready.wallet.secretKey) ?? new Uint8Array(),
    );
    const config = { computeUnitLimit: 10_000, loadedAccountsDataSizeLimit: 131_072 };
    const instructions = [transferInstruction(payer, (await newSigner()).address, 5_000_000n)];
    const v1 = await cluster.sent(
      toBase64(await kitV1({ payer, blockhash: await cluster.blockhash(), instructions, config })),
    );
    const { owner } = cluster;
    const v0 = await cluster.landed(owner, [transfer(owner.address, freshKey().address, 5_000_000n)], []);
    await explain(v0);
    await button('Compare With…').press('Enter');
    await answer('Compare with', 'A signature', /^A signature/);
    await giveSignature('Compare with', v1);
    await workbench.tab(`Transaction ${v0.slice(0, 8)}… ↔ Transaction ${v1.slice(0, 8)}…`).waitFor();
    await differ(/version: 0/, /version: 1/);
    await workbench.pictures('compare-versions');
  });

  test('nothing was sent to the cluster, and nothing left this machine', () => {
    assert.deepEqual(
      front.methods.filter((method) => /^(send|simulate)/.test(method)),
      [],
    );
    assert.deepEqual(editor.strayRequests, []);
  });
});
