// `npm run pictures`: takes the pictures of the README anew, in docs/pictures. The real editor, the packaged extension
// and the local service, whose numbers are in them.
import { copyFile, mkdir } from 'node:fs/promises';
import path from 'node:path';
import { openEditor } from '../support/editor/editor';
import type { Workbench } from '../support/editor/workbench';

const FOLDER = path.join(__dirname, '..', '..', 'docs', 'pictures');
const SIZE = { width: 1400, height: 840 };

const PAYMENT = `@shop = 9B5XszUGdMaxCZ7uSQhPzdks5ZQSmWxrmzCSvtJ6Ns6g

### What does the wallet hold?
# @name balance
{ "method": "getBalance", "params": ["{{$wallet}}"] }
?? result.value > 1000000

### Pay the shop
# @name payment
{
  "method": "sendTransaction",
  "params": ["{{$transfer shop 1000000}}", { "encoding": "base64" }]
}

### Did it arrive?
# @name receipt
# @retry 20 every 200ms while result == null
{
  "method": "getTransaction",
  "params": [
    "{{payment.result}}",
    { "commitment": "confirmed", "maxSupportedTransactionVersion": 1 }
  ]
}
?? result.meta.err == null
?? result.meta.fee <= 5000

### What does the shop hold now?
{ "method": "getBalance", "params": ["{{shop}}", { "commitment": "confirmed" }] }
?? result.value >= 1000000
`;

const TRANSACTIONS = `### Every transaction
GRPC geyser.Geyser/Subscribe
{
  "transactions": { "all": { "vote": false } },
  "commitment": "PROCESSED"
}
`;

async function keep(workbench: Workbench, name: string): Promise<void> {
  // No tooltip of what was pressed last.
  await workbench.page.mouse.move(SIZE.width / 2, SIZE.height - 4);
  await workbench.page.locator('.monaco-hover:visible').waitFor({ state: 'hidden' });
  await copyFile(await workbench.screenshot(name), path.join(FOLDER, `${name}.png`));
}

async function requests(workbench: Workbench): Promise<void> {
  await workbench.openFile('payment.jsonrpc');
  await workbench.lensAction('Send').nth(2).click();
  await workbench.waitForText('receipt.json', '"blockTime"');
  await workbench.button('Load Usage').click();
  await workbench.treeItem('Usage', /^getTransaction, /).waitFor();
  await keep(workbench, 'requests');
  await workbench.closeEditors();
}

async function stream(workbench: Workbench): Promise<void> {
  await workbench.openFile('transactions.jsonrpc');
  await workbench.lensAction('Watch').click();
  const page = workbench.webview();
  await page.getByRole('option').nth(24).waitFor();
  await page.getByRole('button', { name: 'Pause' }).click();
  await page.getByRole('option').nth(20).click();
  await page.getByRole('heading', { name: /^Update / }).waitFor();
  await page.getByText('instructions', { exact: false }).first().waitFor();
  await keep(workbench, 'stream');
}

async function main(): Promise<void> {
  const editor = await openEditor({
    files: { 'payment.jsonrpc': PAYMENT, 'transactions.jsonrpc': TRANSACTIONS },
    size: SIZE,
    theme: 'dark',
    settings: { 'editor.minimap.enabled': false },
  });
  try {
    const { workbench } = editor;
    await mkdir(FOLDER, { recursive: true });
    await workbench.openContainer('Solana RPC');
    await workbench.button('Start Local Service').click();
    await workbench.treeItem('Endpoints', 'local, active').waitFor();
    await requests(workbench);
    await stream(workbench);
  } finally {
    await editor.close();
  }
}

void main();
