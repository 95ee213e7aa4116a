// "Explain Transaction" as a person meets it: of a payment that failed its preflight, of a landed payment, of a text, a file
// and a row of a stream, with keyboard and after a reload. Transactions run on the local service.
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { describe, test } from 'node:test';
import path from 'node:path';
import type { FrameLocator } from 'playwright-core';
import { encodeBase58 } from '../../core/solana/encoding/base58';
import { compile, freshKey, memo as memoOf, signTransaction, toBase64, transfer } from '../contract/rpc/rpc-harness';
import { testEditor } from '../support/editor/editor';
import { expand } from '../support/editor/trees';
import { prepare } from '../support/shared';

const PROBE = '4vJ9JU1bJJE96FWSJKvHsmmFADCg4gpZQff4P3bkLKi';
const pay = (name: string, lamports: number, version = 0): string => {
  const instructions = [{ memo: 'thanks' }, { transfer: { to: PROBE, lamports } }];
  const transaction = { version, computeUnitLimit: 120_000, instructions };
  const body = { method: 'sendTransaction', params: [{ $transaction: transaction }, { encoding: 'base64' }] };
  return `### ${name}\n# @name ${name}\n${JSON.stringify(body)}\n`;
};
/** Its second instruction fails, on line 7. */
const TESTED = [
  '### Two payments',
  '# @name two',
  '{',
  '  "method": "sendTransaction",',
  '  "params": [{ "$transaction": { "computeUnitLimit": 50000, "instructions": [',
  `    { "transfer": { "to": "${PROBE}", "lamports": 5000000 } },`,
  `    { "transfer": { "to": "${PROBE}", "lamports": 9000000000000000 } }`,
  '  ] } }, { "encoding": "base64" }]',
  '}',
  '?? result isString',
  '',
].join('\n');
/** Of nobody's ledger: what is explained of it is in its bytes. `memo`: how long its memo is. */
function written(memo: number): Uint8Array {
  const payer = freshKey('payer');
  const instructions = [transfer(payer.address, PROBE, 1_234_567n), memoOf('x'.repeat(memo))];
  return signTransaction(compile(instructions, [payer], PROBE), [payer]);
}
/** Longer than the part of a line in which the editor looks for words. */
const LONG = toBase64(written(800));
const SHORT = encodeBase58(written(10));
const NOTES = `The colleague's transaction:\n\n${LONG}\n\nand a short one: ${SHORT}.\n`;
const GIVEN = `### Given\n# @name given\n{ "method": "simulateTransaction", "params": [\n  "${toBase64(written(10))}",\n  { "encoding": "base64" }\n] }\n`;
const WATCHED = `### Payments\nGRPC geyser.Geyser/Subscribe\n{ "transactions": { "paid": { "accountInclude": ["${PROBE}"] } }, "commitment": "PROCESSED" }\n`;
const FILES = {
  'two.jsonrpc': TESTED,
  'poor.jsonrpc': pay('poor', 9e15),
  'paid.jsonrpc': pay('paid', 5_000_000),
  'hovered.jsonrpc': pay('hovered', 5_000_000),
  'paid-v1.jsonrpc': pay('paid-v1', 5_000_000, 1),
  'given.jsonrpc': GIVEN,
  'watched.jsonrpc': WATCHED,
  'notes.md': NOTES,
  'wrapped.tx': `${LONG.match(/.{1,76}/g)?.join('\n') ?? ''}\n`,
};
const NARROW = { width: 800, height: 700 };
const NORMAL = { width: 1280, height: 800 };
const SIMULATED = { response: 'paid (simulated).json', member: '"result"' };

describe('transactions explained', () => {
  const editor = testEditor({ files: FILES });
  prepare(async () => {
    const { workbench } = editor;
    await workbench.openContainer('Solana RPC');
    await workbench.startLocalService();
  });

  /** The panel that explains the outcome of a file's only request; `member`: a member of its response. */
  async function explained(
    file: string,
    action: 'Send' | 'Simulate',
    { response, member }: { readonly response: string; readonly member: string },
  ): Promise<FrameLocator> {
    const { workbench } = editor;
    await workbench.openFile(file);
    await workbench.lensAction(action).click();
    await workbench.waitForText(response, member);
    await (await workbench.titleAction(response, 'Explain Transaction…')).click();
    return workbench.webview();
  }

  test('a payment that failed its preflight says which instruction, why, and what to do', async () => {
    const { workbench } = editor;
    const page = await explained('poor.jsonrpc', 'Send', { response: 'poor.json', member: '"error"' });
    await page.getByRole('heading', { name: 'Failed', exact: true }).waitFor();
    await page.getByText(/^At call 3: /).waitFor();
    await page
      .getByRole('listbox', { name: 'Calls', exact: true })
      .getByRole('option', { name: /^3 .*failed/ })
      .waitFor();
    await workbench.pictures('explain-failed');
    await workbench.closeEditors();
  });

  test('a payment that was sent is looked up with one click, and each tab says its part', async () => {
    const { workbench } = editor;
    const sent = await explained('paid.jsonrpc', 'Send', { response: 'paid.json', member: '"result"' });
    await sent.getByRole('heading', { name: 'Outcome unknown', exact: true }).waitFor();
    await workbench.screenshot('explain-sent');
    await sent.getByRole('button', { name: 'Look It Up on the Chain', exact: true }).click();
    await workbench.tab(/^Transaction/).waitFor();
    const landed = workbench.webview();
    await landed.getByRole('heading', { name: 'Succeeded', exact: true }).waitFor();
    assert.match(await landed.locator('.facts').innerText(), /Fee\s+5,000 lamports/);
    for (const tab of ['Calls', 'Accounts', 'Balances', 'Raw']) {
      await landed.getByRole('tab', { name: tab, exact: true }).click();
      await workbench.screenshot(`explain-landed-${tab.toLowerCase()}`);
    }
    await landed.getByRole('tab', { name: 'Raw', exact: true }).press('ArrowLeft');
    await landed
      .getByRole('row', { name: new RegExp(`^${PROBE}`) })
      .getByText('+0.005 SOL', { exact: true })
      .waitFor();
    await workbench.pictures('explain-landed');
    await workbench.page.setViewportSize(NARROW);
    await workbench.screenshot('explain-landed-narrow');
    await workbench.page.setViewportSize(NORMAL);
    await workbench.closeEditors();
  });

  test('a simulation suggests numbers, and one click each writes them into the request', async () => {
    const { workbench } = editor;
    const page = await explained('paid.jsonrpc', 'Simulate', SIMULATED);
    await page.getByRole('heading', { name: 'Succeeded', exact: true }).waitFor();
    await page.getByRole('button', { name: /^Use: Compute unit limit/ }).click();
    await page.getByRole('button', { name: /^Use: Loaded account data/ }).click();
    await page.getByRole('button', { name: 'Ask for Recent Fees', exact: true }).click();
    await page.getByRole('button', { name: /^Use: Priority fee, 75th/ }).click();
    await workbench.pictures('explain-simulated');
    await page.getByRole('button', { name: 'Simulate with Accounts', exact: true }).press('Enter');
    await page.getByText('Simulated. Nothing was sent.', { exact: true }).waitFor();
    await page.getByRole('heading', { name: 'Accounts after the simulation', exact: true }).waitFor();
    await page.getByRole('cell', { name: 'balance', exact: true }).first().waitFor();
    await workbench.pictures('explain-accounts-after');
    await workbench.page.setViewportSize(NARROW);
    await workbench.screenshot('explain-accounts-after-narrow');
    await workbench.page.setViewportSize(NORMAL);
    await page.getByRole('button', { name: /^Use: Compute unit limit/ }).click();
    await workbench.until('each number is written into the request', async () => {
      const text = await workbench.visibleText('paid.jsonrpc');
      const isWritten = [
        /"computeUnitLimit":\s*1880\b/,
        /"loadedAccountsDataLimit":\s*32768\b/,
        /"priorityFee":\s*\{\s*"microLamports":\s*0\b/,
      ];
      return isWritten.every((member) => member.test(text)) ? true : undefined;
    });
    await workbench.closeEditors();
  });

  test('a simulation of version 1 suggests them as well, and its configuration has them once they are written', async () => {
    const { workbench } = editor;
    const shown = { response: 'paid-v1 (simulated).json', member: '"result"' };
    const page = await explained('paid-v1.jsonrpc', 'Simulate', shown);
    await page.getByRole('heading', { name: 'Succeeded', exact: true }).waitFor();
    await page.getByRole('button', { name: /^Use: Compute unit limit/ }).click();
    await page.getByRole('button', { name: /^Use: Loaded account data/ }).press('Enter');
    await page.getByRole('button', { name: 'Ask for Recent Fees', exact: true }).click();
    await page.getByRole('button', { name: /^Use: Priority fee, 90th/ }).press('Enter');
    const written = [
      /"version":\s*1\b/,
      /"computeUnitLimit":\s*[1-9]\d{3}\b/,
      /"loadedAccountsDataLimit":\s*32768\b/,
      /"priorityFee":\s*\{\s*"microLamports":\s*\d+\s*\}/,
    ];
    await workbench.until('each number is written into the request', async () => {
      const text = await workbench.visibleText('paid-v1.jsonrpc');
      return written.every((member) => member.test(text)) ? true : undefined;
    });
    await workbench.closeEditors();
    const again = await explained('paid-v1.jsonrpc', 'Simulate', shown);
    await again.getByRole('heading', { name: 'Succeeded', exact: true }).waitFor();
    await workbench.pictures('explain-simulated-v1');
    assert.match(await again.locator('.facts').innerText(), /Loaded account data, bytes\s+[\d,]+ \/ 32,768/);
    await workbench.closeEditors();
  });

  test('a transaction in base64 or base58 under the cursor of any text is explained, however long', async () => {
    const { workbench } = editor;
    for (const [place, isFirst] of [
      [':3:700', true],
      [':5:40', false],
    ] as const) {
      await workbench.openFile('notes.md');
      await workbench.runCommand('Go to Line/Column...');
      await workbench.quickInput.answer(place);
      await workbench.runCommand('Solana RPC: Explain Transaction');
      await workbench.tab('Transaction').waitFor();
      const page = workbench.webview();
      await page.getByRole('heading', { name: 'Outcome unknown', exact: true }).waitFor();
      assert.match(
        await page.locator('.facts').innerText(),
        isFirst ? /Size, bytes\s+1,0\d\d / : /Size, bytes\s+2\d\d /,
      );
      await page
        .getByText(/^1,234,567 lamports/)
        .first()
        .waitFor();
      await page.getByRole('option', { name: /^2 Memo Program/ }).waitFor();
      if (isFirst) await workbench.screenshot('explain-text');
      await workbench.closeEditors();
    }
  });

  test('the mouse over a transaction, and over a signature whose answer is held, shows outcome, fee and calls', async () => {
    const { workbench } = editor;
    await workbench.openFile('given.jsonrpc');
    const [, , , line = ''] = GIVEN.split('\n');
    await workbench.hoverOver('given.jsonrpc', line.trim().slice(1, 40), [
      /Outcome\sunknown/,
      /Fee\s5,000\slamports\s\(0\.000005\sSOL\)/,
      /1\.\sSystem\sProgram:\stransfer/,
      /2\.\sMemo\sProgram/,
    ]);
    await workbench.pictures('hover-transaction');
    await workbench.closeEditors();

    await workbench.openFile('hovered.jsonrpc');
    await workbench.lensAction('Send').click();
    const sent = await workbench.waitForText('hovered.json', /"result": "\w{80,}"/);
    const [, signature = ''] = /"result": "(\w+)"/.exec(sent) ?? [];
    const config = '{ "encoding": "base64", "commitment": "confirmed", "maxSupportedTransactionVersion": 1 }';
    const look = `### Look\n# @name look\n{ "method": "getTransaction", "params": [\n  "${signature}",\n  ${config}\n] }\n`;
    await writeFile(path.join(editor.workspace, 'look.jsonrpc'), look);
    await workbench.openFile('look.jsonrpc');
    await workbench.lensAction('Send').click();
    await workbench.waitForText('look.json', '"blockTime"');
    await workbench.hoverOver('look.jsonrpc', signature, [
      /Succeeded\sin\sslot\s[\d,]+/,
      /Fee\s5,000\slamports\s\(0\.000005\sSOL\),\s800\scompute\sunits\sused\sof\s120,000\sasked\sfor/,
      /3\.\sSystem\sProgram:\stransfer/,
    ]);
    await workbench.pictures('hover-signature');
    await workbench.closeEditors();
  });

  test('a transaction from a file is explained, also where it is wrapped into lines', async () => {
    const { workbench } = editor;
    await workbench.runCommandAndPick('Solana RPC: Explain Transaction', /^From a file/);
    await workbench.quickInput.title('Explain transaction').waitFor();
    const file = path.join(editor.workspace, 'wrapped.tx');
    await workbench.quickInput.give(file, /^wrapped\.tx/);
    await workbench.tab('Transaction').waitFor();
    await workbench
      .webview()
      .getByRole('option', { name: /^1 System Program: transfer/ })
      .waitFor();
    await workbench.closeEditors();
  });

  test('a row of a stream of transactions is explained', async () => {
    const { workbench } = editor;
    await workbench.openFile('watched.jsonrpc');
    await workbench.lensAction('Watch').click();
    await workbench.tab('Payments').waitFor();
    const stream = workbench.webview();
    await stream.locator('.state-words', { hasText: /^Live$/ }).waitFor();
    await workbench.openFile('paid.jsonrpc');
    await workbench.lensAction('Send').click();
    await workbench.waitForText('paid.json', '"result"');
    await workbench.tab('Payments').click();
    await stream.getByRole('option').first().click();
    await stream.getByRole('button', { name: 'Explain Transaction', exact: true }).press('Enter');
    await workbench.tab(/^Transaction of update \d/).waitFor();
    // Opens next to the stream's panel, which stays and also says that the transaction succeeded.
    const page = (await workbench.pageHeading(/^Compute units of the calls/)).locator('xpath=ancestor::body');
    await page.getByRole('heading', { name: 'Succeeded', exact: true }).waitFor();
    await page.getByRole('option', { name: /^\d System Program: transfer/ }).click();
    await page
      .getByText(/^5,000,000 lamports/)
      .first()
      .waitFor();
    await workbench.pictures('explain-row');
    await workbench.closeEditors();
  });

  test('a test whose transaction fails says at the instruction which call failed, and what to do', async () => {
    const { workbench } = editor;
    await workbench.openFile('two.jsonrpc');
    await workbench.openContainer('Testing');
    await workbench.runCommand('Test: Run Tests in Current File');
    await workbench.treeItem(/^Test Explorer/, /^two\.jsonrpc.*Failed/).waitFor();
    await expand(workbench, workbench.treeItem(/^Test Explorer/, /^two\.jsonrpc/));
    await workbench.treeItem(/^Test Explorer/, /^Two payments/).click();
    const said = workbench.page.getByText(/^Call 3 System Program: transfer: the lamports do not suffice /);
    await said.filter({ visible: true }).first().waitFor();
    const next = workbench.page.getByText(/^Next:\sSend\sthe\spaying\saccount\smore\slamports/);
    await next.filter({ visible: true }).first().waitFor();
    await workbench.pictures('test-failed-call');
    await workbench.closeEditors();
  });

  test('a panel that was hidden, and a window that was loaded again, show what was looked at, the simulation too', async () => {
    const { workbench } = editor;
    const page = await explained('paid.jsonrpc', 'Simulate', SIMULATED);
    await page.getByRole('button', { name: 'Simulate with Accounts', exact: true }).press('Enter');
    await page.getByText('Simulated. Nothing was sent.', { exact: true }).waitFor();
    await page.getByRole('tab', { name: 'Calls', exact: true }).click();
    await page.getByRole('option', { name: /^\d Memo Program/ }).click();
    await page.getByText('Log, 4 lines', { exact: true }).click();
    const log = page.getByRole('listbox', { name: 'Log of this call', exact: true });
    await log.waitFor();
    await workbench.tab(/^paid \(simulated\)\.json/).click();
    await workbench.waitForText('paid (simulated).json', '"result"');
    await workbench.tab(/^paid \(simulated\): transaction/).click();
    await log.waitFor();
    await workbench.reload();
    await log.waitFor();
    await page.getByRole('button', { name: 'Simulate Again', exact: true }).waitFor();
    await page.getByRole('tab', { name: 'Accounts', exact: true }).click();
    await page.getByRole('heading', { name: 'Accounts after the simulation', exact: true }).waitFor();
    await page.getByRole('tab', { name: 'Calls', exact: true }).click();
    await page.getByRole('button', { name: 'Open Whole Log as Text', exact: true }).press('Enter');
    await workbench.waitForText('paid (simulated): transaction.log', /Program log: Memo [^]*Program log: thanks/);
    await workbench.screenshot('explain-log');
    await workbench.closeEditors();
  });

  test('nothing left this machine', () => {
    assert.deepEqual(editor.strayRequests, []);
  });
});
