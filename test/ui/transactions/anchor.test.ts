// An Anchor program's instruction from a request file alone, as a person does it: the instruction is completed and checked by
// the workspace's IDL, signed by the wallet of the endpoint, sent, and what landed is decoded by the IDL's names. A failed
// instruction runs again on a private ledger.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { decodeBase58, encodeBase58 } from '../../../core/solana/encoding/base58';
import { COUNTER_BYTES, counterProgram, discriminator } from '../../contract/open/open-counter';
import { openEditor, type Editor } from '../../support/editor/editor';
import { takeQuickFix } from '../../support/editor/quickFix';
import { Workspace } from '../../support/process/cli';
import { startTestLedger, type Localnet } from '../../support/process/localnet';
import { awayFrom, type Away } from '../../support/wire/away';

const IDL = path.join(__dirname, '..', '..', 'fixtures', 'counter', 'idl.json');
const PROGRAM = 'H9W9shDSfQdpiCPPpqZk3NZ15sj6s3nqxQ6qLxZjZVHh';
const FILE = 'count.jsonrpc';
const COUNTER = `{{$withSeed $wallet \\"counter\\" ${PROGRAM}}}`;
const sent = (instructions: readonly string[]): string =>
  `{ "method": "sendTransaction", "params": [{ "$transaction": { "instructions": [\n  ${instructions.join(',\n  ')}\n] } }, { "encoding": "base64", "preflightCommitment": "confirmed" }] }`;
const TEXT = [
  '### Make',
  '# @name make',
  sent([
    `{ "createAccount": { "seed": "counter", "owner": "${PROGRAM}", "space": 48, "lamports": 2000000 } }`,
    `{ "program": "counter", "instruction": "initialize", "accounts": { "counter": "${COUNTER}" } }`,
  ]),
  '',
  '### Count',
  '# @name count',
  sent([
    `{ "program": "counter", "instruction": "", "args": { "amuont": 7 }, "accounts": { "counter": "${COUNTER}" } }`,
  ]),
  '?? result isString',
  '',
].join('\n');
/** Raised by somebody who is not its authority. */
const FOREIGN = encodeBase58(new Uint8Array(32).fill(0x37));
const FAILING = `### Fail\n# @name fail\n{ "method": "sendTransaction", "params": [{ "$transaction": { "instructions": [\n  { "program": "counter", "instruction": "increment", "args": { "amount": 2 }, "accounts": { "counter": "${FOREIGN}" } }\n] } }, { "encoding": "base64", "skipPreflight": true }] }\n`;
/** One-based line, and the column between the quotes of the instruction's name. */
const LINE = TEXT.slice(0, TEXT.indexOf('"instruction": ""')).split('\n').length;
const COLUMN = (TEXT.split('\n')[LINE - 1] ?? '').indexOf('"instruction": ""') + '"instruction": "'.length + 1;

describe("an Anchor program's instruction", () => {
  const work = new Workspace();
  let local: Localnet;
  let front: Away;
  let editor: Editor;
  before(async () => {
    const program = path.join(work.root, 'counter.so');
    writeFileSync(program, counterProgram());
    local = await startTestLedger(['--plan', 'Ultra', '--bpf-program', PROGRAM, program]);
    const data = Buffer.alloc(COUNTER_BYTES);
    discriminator('account:Counter').copy(data, 0);
    await local.cheat('setAccount', {
      ...{ address: FOREIGN, lamports: 5_000_000, data: data.toString('base64') },
      owner: PROGRAM,
    });
    front = await awayFrom(local);
    work.write('id.json', JSON.stringify([...(decodeBase58(local.ready.wallet.secretKey) ?? [])]));
    editor = await openEditor({
      files: { [FILE]: TEXT, 'fail.jsonrpc': FAILING, 'target/idl/counter.json': readFileSync(IDL, 'utf8') },
      settings: {
        'solanaRpc.endpoints': [{ name: 'here', rpcUrl: front.localUrl, auth: { rpc: 'none' } }],
        'solanaRpc.endpoint': 'here',
        'solanaRpc.wallets': { here: path.join(work.root, 'id.json') },
      },
      size: { width: 1500, height: 850 },
    });
  });
  after(async () => {
    await editor?.close();
    await front?.close();
    await local?.stop();
    work.dispose();
  });

  test('is completed by the IDL, and an argument that it does not have is found and mended', async () => {
    const { workbench } = editor;
    const { page } = workbench;
    await workbench.openFile(FILE);
    await workbench.lensAction('Send').first().waitFor();
    await workbench.runCommand('Go to Line/Column...');
    await workbench.quickInput.answer(`:${LINE}:${COLUMN}`);
    await workbench.runCommand('Trigger Suggest');
    const offered = page.locator('.suggest-widget.visible .monaco-list-row').filter({ hasText: /^increment/ });
    await offered.first().waitFor();
    await workbench.screenshot('anchor-completion');
    await offered.first().click();
    await workbench.waitForText(FILE, '"instruction": "increment"');
    await workbench.runCommand('View: Focus Problems');
    await page.getByText('"amuont" is not known here. Did you mean "amount"?', { exact: true }).first().waitFor();
    await workbench.screenshot('anchor-problem');
    await workbench.openFile(FILE);
    await workbench.runCommand('Go to Next Problem in Files (Error, Warning, Info)');
    await page.keyboard.press('Escape');
    await takeQuickFix(workbench, 'Change to "amount"');
    await workbench.waitForText(FILE, '"args": { "amount": 7 }');
    await workbench.runCommand('File: Save');
  });

  test('shows what it does and takes while the mouse is over its name', async () => {
    const { workbench } = editor;
    await workbench.openFile(FILE);
    await workbench.hoverOver(FILE, '"increment"', [/increment\(amount:\su64\)/, /authority:\sthe\swallet/]);
    await workbench.pictures('anchor-hover');
  });

  test('is signed and sent, and what landed is decoded by its names', async () => {
    const { workbench } = editor;
    await workbench.openFile(FILE);
    await workbench.lensAction('Send').first().click();
    await workbench.waitForText('make.json', '"result"');
    await workbench.openFile(FILE);
    // The lens of the first one says Cancel until its transaction is final.
    await workbench.lensAction('Send').last().click();
    await workbench.waitForText('count.json', '"result"');
    await (await workbench.titleAction('count.json', 'Explain Transaction…')).click();
    await workbench.webview().getByRole('button', { name: 'Look It Up on the Chain', exact: true }).click();
    await workbench.tab(/^Transaction/).waitFor();
    const landed = workbench.webview();
    await landed.getByRole('heading', { name: 'Succeeded', exact: true }).waitFor();
    await landed
      .getByText(/^counter: increment/)
      .first()
      .waitFor();
    await landed
      .getByText(/^amount/)
      .first()
      .waitFor();
    await workbench.pictures('anchor-landed');
  });

  test('that failed runs again on a private ledger, with the keyboard: the same error, units and logs', async () => {
    const { workbench } = editor;
    await workbench.closeEditors();
    await workbench.openFile('fail.jsonrpc');
    await workbench.lensAction('Send').first().click();
    await workbench.waitForText('fail.json', '"result"');
    await (await workbench.titleAction('fail.json', 'Explain Transaction…')).click();
    await workbench.webview().getByRole('button', { name: 'Look It Up on the Chain', exact: true }).press('Enter');
    await workbench.tab(/^Transaction/).waitFor();
    await workbench.webview().getByRole('heading', { name: 'Failed', exact: true }).waitFor();
    await workbench.webview().getByRole('button', { name: 'Replay Locally', exact: true }).press('Enter');
    await workbench.tab(/^Replay/).waitFor();
    const replay = workbench.webview();
    await replay
      .getByText('The same as on the chain: Error, Compute units, Logs, Lamports, Tokens', { exact: true })
      .waitFor();
    await replay.getByRole('heading', { name: 'Failed', exact: true }).waitFor();
    await workbench.pictures('replay-same');
  });

  test('the file wrote what the chain holds, and nothing left this machine', async () => {
    assert.deepEqual(front.methods.filter((method) => method === 'sendTransaction').length, 3);
    assert.deepEqual(editor.strayRequests, []);
  });
});
