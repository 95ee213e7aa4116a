// `npm run pictures`: takes the pictures of README.md and EXTENSION.md again, into docs/pictures: one still and three
// animated ones, or those that are named (`npm run pictures -- write tour`). The real editor, the packaged extension and
// the local service, whose numbers are in them.
import path from 'node:path';
import { openEditor, type Editor } from '../support/editor/editor';
import { Recording, requireFfmpeg } from '../support/editor/recording';
import { statusSays } from '../support/editor/statusMessages';
import { TourView } from '../support/editor/tourView';
import type { Workbench } from '../support/editor/workbench';

const FOLDER = path.join(__dirname, '..', '..', 'docs', 'pictures');
const SIZE = { width: 1400, height: 840 };
/** Of a window without its side bar. */
const NARROW = 1200;

const PAYMENT = `@shop = 9B5XszUGdMaxCZ7uSQhPzdks5ZQSmWxrmzCSvtJ6Ns6g

### What does the wallet hold?
# @name balance
{ "method": "getBalance", "params": ["{{$wallet}}"] }
?? result.value > 1000000

### Pay the shop
# @name payment
{
  "method": "sendTransaction",
  "params": [
    "{{$transfer shop 1000000}}",
    { "encoding": "base64" }
  ]
}

### Did it arrive?
# @name receipt
# @retry 20 every 200ms while result == null
{
  "method": "getTransaction",
  "params": [
    "{{payment.result}}",
    { "maxSupportedTransactionVersion": 1 }
  ]
}
?? result.meta.err == null
?? result.meta.fee <= 5000
`;

const TRANSACTIONS = `### Every transaction
# @silence unbounded-scan my own ledger
GRPC geyser.Geyser/Subscribe
{
  "transactions": { "all": {} },
  "commitment": "PROCESSED"
}
`;

const WRITE = `### What does the wallet hold?
# @name balance

?? result.value > 0
`;

/** No tooltip of what was pressed last. */
async function calm(workbench: Workbench): Promise<void> {
  const { width, height } = workbench.page.viewportSize() ?? SIZE;
  await workbench.page.mouse.move(width / 2, height - 4);
  await workbench.page.locator('.monaco-hover:visible').waitFor({ state: 'hidden' });
}

/** A narrow window without side bar: what moves is read in a page's column. */
async function makeNarrow(workbench: Workbench, height: number): Promise<void> {
  await workbench.page.setViewportSize({ width: NARROW, height });
  const sideBar = workbench.page.locator('[id="workbench.parts.sidebar"]');
  if (!(await sideBar.isVisible())) return;
  await workbench.page.keyboard.press('ControlOrMeta+B');
  await sideBar.waitFor({ state: 'hidden' });
}

/** The still: a payment, its receipt, and the views. */
async function requests(workbench: Workbench): Promise<void> {
  await workbench.openFile('payment.jsonrpc');
  await workbench.lensAction('Send').nth(1).click();
  await workbench.waitForText('payment.json', '"result"');
  await workbench.lensAction('Send').last().click();
  await workbench.waitForText('receipt.json', '"blockTime"');
  await workbench.button('Load Usage').click();
  await workbench.treeItem('Usage', /^getTransaction, /).waitFor();
  await calm(workbench);
  const picture = new Recording(workbench.page, 'requests.png');
  await picture.frame(0);
  await picture.save(FOLDER);
  await workbench.closeEditors();
}

/** A request is written with the editor's help, and sent. */
async function write(workbench: Workbench): Promise<void> {
  const picture = new Recording(workbench.page, 'write.gif');
  const { keyboard } = workbench.page;
  await makeNarrow(workbench, 480);
  await workbench.openFile('write.jsonrpc');
  await workbench.lens('Send').waitFor({ state: 'detached' });
  for (const key of ['ControlOrMeta+Home', 'ArrowDown', 'ArrowDown']) await keyboard.press(key);
  await picture.frame(1_000);
  await keyboard.type('getb');
  const list = workbench.page.locator('.suggest-widget.visible');
  await list.getByText('getBalance', { exact: true }).first().waitFor();
  await picture.frame(1_800);
  await keyboard.press('Enter');
  await workbench.waitForText('write.jsonrpc', '"getBalance"');
  await picture.frame(1_500);
  // Braces typed over the chosen placeholder go around it.
  await keyboard.type('{{$wa');
  await list.getByText('$wallet', { exact: true }).first().waitFor();
  await picture.frame(1_500);
  await keyboard.press('Enter');
  await workbench.waitForText('write.jsonrpc', '["{{$wallet}}"]');
  await keyboard.press('Escape');
  await workbench.lensAction('Send').waitFor();
  await calm(workbench);
  await picture.frame(1_200);
  await picture.press(workbench.lensAction('Send'));
  await workbench.waitForText('balance.json', /"value": \d+/);
  await workbench.lens(/^✓ 200 · /).waitFor();
  await calm(workbench);
  await picture.frame(3_500);
  await picture.save(FOLDER);
  await workbench.closeEditors();
}

/** A stream in its panel, paused, and one of its updates decoded. */
async function stream(workbench: Workbench): Promise<void> {
  const picture = new Recording(workbench.page, 'stream.gif');
  await makeNarrow(workbench, 820);
  await workbench.openFile('transactions.jsonrpc');
  await workbench.lensAction('Watch').waitFor();
  await picture.frame(1_000);
  await picture.press(workbench.lensAction('Watch'));
  const page = workbench.webview();
  for (const rows of [3, 8, 14, 20]) {
    await page.getByRole('option').nth(rows).waitFor();
    await picture.frame(600);
  }
  await picture.press(page.getByRole('button', { name: 'Pause', exact: true }));
  await picture.press(page.getByRole('option').nth(18));
  await page.locator('.detail-body').getByText('Decoded', { exact: true }).waitFor();
  await calm(workbench);
  await picture.frame(4_000);
  await picture.save(FOLDER);
  await workbench.closeEditors();
}

/** The tour from an empty window: the first answer and a landed transaction. */
async function tour(editor: Editor): Promise<void> {
  const workbench = await editor.openWindow({ isEmpty: true });
  await workbench.page.setViewportSize(SIZE);
  const picture = new Recording(workbench.page, 'tour.gif');
  await picture.press(
    workbench.page.locator('[id="workbench.parts.activitybar"]').getByRole('tab', { name: 'Solana RPC', exact: true }),
  );
  await workbench.button('Start Tour').waitFor();
  await picture.press(workbench.button('Start Tour'));
  const steps = new TourView(workbench);
  await steps.tick('Start the local service').waitFor();
  await workbench.treeItem('Endpoints', 'local, active').waitFor();
  await workbench.lensAction('Send').first().waitFor();
  await calm(workbench);
  await picture.frame(1_500);
  await picture.press(workbench.lensAction('Send').first());
  await workbench.waitForText('balance.json', /"value": \d+/);
  await steps.tick('Send the first request').waitFor();
  await workbench.lens(/^✓ 200 · /).waitFor();
  await workbench.lensAction('Send').first().waitFor();
  await calm(workbench);
  await picture.frame(2_000);
  const sendAll = workbench.page.getByRole('button', { name: 'Send All Requests in File', exact: true }).first();
  await statusSays(workbench, /^(\d+) of \1 requests passed/, () => picture.press(sendAll));
  await steps.tick('Land a transaction').waitFor();
  await calm(workbench);
  await picture.frame(4_000);
  await picture.save(FOLDER);
}

/** Each makes the picture of its name; the last one closes the window of the others. */
const SCENES: Readonly<Record<string, (editor: Editor) => Promise<void>>> = {
  requests: ({ workbench }) => requests(workbench),
  write: ({ workbench }) => write(workbench),
  stream: ({ workbench }) => stream(workbench),
  tour: async (editor) => {
    await editor.workbench.page.close();
    await tour(editor);
  },
};

async function main(): Promise<void> {
  const wanted = process.argv.slice(2);
  await requireFfmpeg();
  const editor = await openEditor({
    files: { 'payment.jsonrpc': PAYMENT, 'transactions.jsonrpc': TRANSACTIONS, 'write.jsonrpc': WRITE },
    size: SIZE,
    theme: 'dark',
    settings: { 'editor.minimap.enabled': false },
  });
  try {
    const { workbench } = editor;
    await workbench.openContainer('Solana RPC');
    await workbench.startLocalService();
    await workbench.treeItem('Endpoints', 'local, active').waitFor();
    for (const [name, scene] of Object.entries(SCENES))
      if (wanted.length === 0 || wanted.includes(name)) await scene(editor);
  } catch (error) {
    const file = path.join(__dirname, '..', '..', 'out', 'pictures-failed.png');
    await editor.workbench.page.screenshot({ path: file });
    process.stderr.write(`What the window showed: ${file}\n`);
    throw error;
  } finally {
    await editor.close();
  }
}

void main();
