// An answer as a person meets it: one line that sums it up, actions in the title, the exchange one click away; next to
// the request and never over a stream; a whole file as a report; found again in the History, also from a second window.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Locator } from 'playwright-core';
import { openEditor, type Editor } from '../support/editor/editor';
import type { Workbench } from '../support/editor/workbench';
import { expand } from '../support/editor/trees';
import { httpServer, type Hostile } from '../support/wire/hostile';

const CHECKED = 'checked.jsonrpc';
const PAY = '{ "method": "sendTransaction", "params": ["{{$transfer $wallet 5}}", { "encoding": "base64" }] }';
const filesFor = (gateway: string): Readonly<Record<string, string>> => ({
  [CHECKED]: '### Checked\n# @name checked\n{ "method": "getSlot" }\n?? result > 0\n?? result < 0\n',
  'page.jsonrpc': `### Page\n# @name page\nPOST ${gateway}\n\n{ "method": "getSlot" }\n`,
  'slots.jsonrpc': '### Every slot\n{ "method": "slotSubscribe" }\n### Now\n# @name now\n{ "method": "getSlot" }\n',
  'waits.jsonrpc':
    '### Now\n# @name now\n{ "method": "getSlot" }\n### Slots\n# @name slots\n# @until 60m\n{ "method": "slotSubscribe" }\n',
  'pay.jsonrpc': `### Pay\n# @name pay\n${PAY}\n`,
  'all.jsonrpc': [
    '### One\n# @name one\n{ "method": "getSlot" }\n?? result > 0\n',
    '### Two\n# @name two\n{ "method": "getBalance", "params": ["abc"] }\n',
    '### Three\n# @name three\n{ "method": "getBlockHeight" }\n',
  ].join('\n'),
});
const WIDE = { width: 1280, height: 900 };

/** The parts of the page's window that are used. */
interface Styles {
  getComputedStyle(element: unknown, pseudo: string): { readonly content: string };
}

describe('an answer', () => {
  let gateway: Hostile;
  let editor: Editor;
  let workbench: Workbench;
  /** Delays the gateway's answer. */
  let held: Promise<void> = Promise.resolve();
  before(async () => {
    gateway = await httpServer(async (_request, response) => {
      await held;
      response.writeHead(502, { 'content-type': 'text/html', 'x-gateway': 'one' });
      response.end('<html>\n<body>Bad gateway</body>\n</html>\n');
    });
    editor = await openEditor({ files: filesFor(gateway.origin), size: WIDE });
    ({ workbench } = editor);
    await workbench.openContainer('Solana RPC');
    await workbench.startLocalService();
    await workbench.treeItem('Endpoints', 'local, active').waitFor();
  });
  after(async () => {
    await editor.close();
    await gateway.close();
  });

  /** The editor's groups from left to right, then from top to bottom, as boxes in CSS pixels. */
  async function boxes(): Promise<readonly { readonly x: number; readonly y: number }[]> {
    const all = await workbench.page.locator('.editor-group-container').all();
    const found = await Promise.all(all.map((group) => group.boundingBox()));
    return found.flatMap((box) => (box === null ? [] : [box]));
  }

  /** Texts that decorations put behind the lines of a file. */
  const marks = (name: string): Promise<readonly string[]> =>
    workbench
      .editor(name)
      .locator('.view-line span')
      .evaluateAll((spans) =>
        spans.map((span) => (globalThis as unknown as Styles).getComputedStyle(span, '::after').content),
      );

  test('assertions that hold are marked like those that fail, at the request and in the response', async () => {
    await workbench.openFile(CHECKED);
    await workbench.lensAction('Send').click();
    await workbench.lens(/^✗ 200 · \d+(\.\d)? ms · \d+ B$/).waitFor();
    await workbench.lens('✗ 1 of 2 assertions failed').waitFor();
    await workbench.until('both lines are marked', async () => {
      const found = await marks(CHECKED);
      return found.some((text) => text.includes('✓')) && found.some((text) => /✗ it is \d+/.test(text))
        ? true
        : undefined;
    });
    await workbench.pictures('answer-checked');
  });

  test('headers, times and the request as it was sent are one click away, its key left out', async () => {
    const action = await workbench.titleAction('checked.json', 'Show Headers, Timing and Request as Sent');
    await action.click();
    const text = await workbench.waitForText('checked, exchange.txt', 'Waiting for the answer');
    assert.match(text, /POST http:\/\/127\.0\.0\.1:\d+/);
    assert.match(text, /authorization: Bearer \[redacted\]/);
    assert.match(text, /✓ result > 0/);
    await workbench.pictures('answer-exchange');
    await workbench.closeEditors();
  });

  test('nothing of it is cut in a column of 340 px', async () => {
    await workbench.runCommand('View: Close Primary Side Bar');
    await workbench.page.setViewportSize({ width: 740, height: 700 });
    await workbench.openFile(CHECKED);
    await workbench.lensAction('Send').click();
    const rows = [workbench.lens(/^✗ 200 · /), workbench.lens('✗ 1 of 2 assertions failed')];
    for (const row of rows) assert.ok(await isWhole(row), await row.innerText());
    await workbench.screenshot('answer-340px');
    await workbench.page.setViewportSize(WIDE);
    await workbench.closeEditors();
  });

  /** Whether a lens ends inside its editor. Lenses are drawn again while they are looked at: then it looks once more. */
  async function isWhole(lens: Locator): Promise<boolean> {
    await lens.waitFor();
    const column = workbench.page.locator('.editor-group-container', { has: lens });
    const [inner, guard] = await workbench.until('the lens is drawn', async () => {
      const boxes = [await lens.boundingBox(), await column.locator('.editor-scrollable').boundingBox()] as const;
      return boxes[0] === null || boxes[1] === null ? undefined : ([boxes[0], boxes[1]] as const);
    });
    assert.ok(guard.width < 340, String(guard.width));
    return inner.x + inner.width <= guard.x + guard.width;
  }

  test('a gateway’s page is shown as text, without a Problem', async () => {
    await workbench.openFile('page.jsonrpc');
    await workbench.lensAction('Send').click();
    await workbench.waitForText('page.txt', '<body>Bad gateway</body>');
    // A response that is not JSON to the editor has none of the JSON language's Problems.
    await workbench.tab(/^page\.txt/).click();
    await workbench.statusItem('Plain Text').waitFor();
    assert.equal(await workbench.tab(/^page\.json(?!rpc)/).count(), 0);
    await workbench.screenshot('answer-page');
    await workbench.closeEditors();
  });

  test('a transaction that was sent plainly shows its way to the end', async () => {
    await workbench.openFile('pay.jsonrpc');
    await workbench.lensAction('Send').click();
    await workbench.lens(/^✓ finalized (≤ )?\d/).waitFor();
    await workbench.lens(/^✓ sent ─ ✓ processed/).waitFor();
    await workbench.pictures('answer-landed');
    await workbench.closeEditors();
  });

  test('an answer covers no stream and no request, and makes no third column', async () => {
    await workbench.openFile('slots.jsonrpc');
    await workbench.lensAction('Watch').click();
    const stream = workbench.webview().getByRole('heading', { name: 'Every slot', exact: true });
    await stream.waitFor();
    await workbench.runCommandIn('slots.jsonrpc', 'View: Focus First Editor Group');
    await workbench.lensAction('Send').last().click();
    await workbench.waitForText('now.json', '"result"');
    await stream.waitFor();
    await workbench.lensAction('Watch').waitFor();
    const columns = new Set((await boxes()).map(({ x }) => x));
    assert.equal(columns.size, 2);
    const slot = async () => Number(/"result": (\d+)/.exec(await workbench.visibleText('now.json'))?.[1]);
    const before = await slot();
    await workbench.until('a later answer is shown', async () => {
      await workbench.lensAction('Send').last().click();
      return (await slot()) > before ? true : undefined;
    });
    assert.equal((await boxes()).length, 3);
    await workbench.screenshot('answer-under-stream');
    await workbench.closeEditors();
  });

  test('an answer leaves the focus in the stream that is watched meanwhile', async () => {
    let go = (): void => undefined;
    held = new Promise((resolve) => (go = resolve));
    await workbench.openFile('slots.jsonrpc');
    await workbench.lensAction('Watch').click();
    const stream = workbench.webview().getByRole('heading', { name: 'Every slot', exact: true });
    await stream.waitFor();
    await workbench.openFile('page.jsonrpc');
    await workbench.lensAction('Send').click();
    await workbench.lensAction('Cancel').waitFor();
    await stream.click();
    const active = workbench.page.locator('.editor-group-container.active', { has: workbench.tab('Every slot') });
    await active.waitFor();
    go();
    await workbench.tab(/^page\.txt/).waitFor();
    await active.waitFor();
    await workbench.screenshot('answer-stream-focus');
    await workbench.closeEditors();
  });

  test('Send All ends in a report that leads to each request and its answer', async () => {
    await workbench.runCommandIn('all.jsonrpc', 'Solana RPC: Send All Requests in File');
    await workbench.tab('Run: all.jsonrpc').waitFor();
    const page = workbench.webview();
    await page.getByText(/^2 passed · 1 failed · local/).waitFor();
    const rows = page.getByRole('row');
    await rows.nth(3).waitFor();
    assert.equal(await rows.count(), 4);
    await rows.nth(1).getByText('✓ 1 assertion holds', { exact: true }).waitFor();
    await workbench.pictures('run-report');
    await rows.nth(3).getByRole('button', { name: 'three', exact: true }).click();
    await workbench.statusItem(/^Ln 10, /).waitFor();
    await rows.nth(2).getByRole('button', { name: 'Response', exact: true }).click();
    await workbench.waitForText('two.json', '"error"');
    assert.equal(await workbench.tab('Run: all.jsonrpc').count(), 1);
  });

  test('a report is there again after the window was loaded again', async () => {
    await workbench.reload();
    await workbench.tab('Run: all.jsonrpc').click();
    await workbench
      .webview()
      .getByText(/^2 passed · 1 failed · local/)
      .waitFor();
    await workbench.closeEditors();
  });

  test('the History shows what was sent together as one run; an entry is sent again, found and removed', async () => {
    await workbench.page.setViewportSize({ width: 1280, height: 1400 });
    await workbench.openContainer('Solana RPC');
    await workbench.startLocalService();
    await workbench.treeItem('Endpoints', 'local, active').waitFor();
    const together = workbench.treeItem('History', /^Send All, .* 3 responses · 1 failed/);
    await expand(workbench, together);
    const three = workbench.treeItem('History', /^three, passed/);
    await three.waitFor();
    await workbench.pictures('history-together');
    await workbench.chooseFromMenu(three, 'Go to Request');
    await workbench.statusItem(/^Ln 10, /).waitFor();
    await workbench.chooseFromMenu(three, 'Send Again');
    await workbench.waitForText('three.json', '"result"');
    await workbench.until('there are two of it', async () => ((await three.count()) === 2 ? true : undefined));
    await workbench.chooseFromMenu(three.first(), 'Remove Response');
    await workbench.until('there is one of it', async () => ((await three.count()) === 1 ? true : undefined));
    await workbench.closeEditors();
  });

  test('a run in progress is shown as running everywhere, and its report cancels it', async () => {
    await workbench.runCommandIn('waits.jsonrpc', 'Solana RPC: Send All Requests in File');
    const page = (await workbench.pageHeading('waits.jsonrpc')).locator('xpath=ancestor::body');
    await page.getByText(/^1 passed · running · local/).waitFor();
    assert.equal(await page.getByRole('button', { name: 'Send All Again', exact: true }).count(), 0);
    const together = (words: string) =>
      workbench.treeItem('History', new RegExp(`^Send All, .* 2 responses · ${words}`));
    await expand(workbench, together('1 running'));
    await workbench.treeItem('History', /^slots, running/).waitFor();
    await workbench.lensAction('Cancel').waitFor();
    assert.equal(await workbench.lensAction('Cancel').count(), 1);
    await workbench.screenshot('run-goes-on');
    await page.getByRole('button', { name: 'Cancel', exact: true }).click();
    await page.getByText(/^1 passed · 1 failed · local/).waitFor();
    await page.getByRole('button', { name: 'Send All Again', exact: true }).waitFor();
    await together('1 failed').waitFor();
    await workbench.closeEditors();
  });

  test('a second window on the folder has the same History, and sees what the first one sends', async () => {
    const second = await editor.openWindow();
    await second.page.bringToFront();
    await second.page.setViewportSize({ width: 1280, height: 1400 });
    await second.openContainer('Solana RPC');
    await second.screenshot('history-second-window-opened');
    await second.treeItem('History', /^Today, /).waitFor();
    // Near the top: rows out of view are not there.
    await second.treeItem('History', /^Send All, .* 2 responses/).waitFor();
    const before = await second.treeItem('History', /^page, failed/).count();
    await workbench.page.bringToFront();
    await workbench.openFile('page.jsonrpc');
    await workbench.lensAction('Send').click();
    await workbench.waitForText('page.txt', 'Bad gateway');
    await second.page.bringToFront();
    await second.until('what the first window sent is there', async () =>
      (await second.treeItem('History', /^page, failed/).count()) > before ? true : undefined,
    );
    await second.screenshot('history-second-window');
  });

  test('nothing left this machine', () => {
    assert.deepEqual(editor.strayRequests, []);
  });
});
