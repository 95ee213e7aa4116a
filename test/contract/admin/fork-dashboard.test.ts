// The accounts that a fork has fetched, as seen by the process that reads for it and by a person at the dashboard.
import assert from 'node:assert/strict';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { chromium, type Browser } from 'playwright-core';
import { LocalService, type LocalServiceReady } from '../../../process/localService';
import type { SourceAnswer, SourceQuestion } from '../../../process/sourceQuestions';
import { findHeadlessBrowser } from '../../../scripts/editor/prerequisites.mjs';
import { request } from '../../support/process/localnet';

const root = path.join(import.meta.dirname, '..', '..', '..');
const THERE = 'Vote111111111111111111111111111111111111117';
const ALSO_THERE = 'Vote111111111111111111111111111111111111118';
const ABSENT = 'Vote111111111111111111111111111111111111119';
const SLOT = 7_000;

const asked: SourceQuestion[] = [];

/** Answers to questions that are not about accounts. */
const OF_THE_CHAIN: Readonly<Record<string, string>> = { slot: String(SLOT), certificate: 'null', rent: '890880' };

/** An endpoint with two accounts. */
function read(question: SourceQuestion): Promise<SourceAnswer> {
  asked.push(question);
  const account = { lamports: 5, owner: '1'.repeat(32), data: ['', 'base64'], executable: false, rentEpoch: 0 };
  const value =
    question.ask === 'accounts'
      ? question.addresses.map((address) => (address === THERE || address === ALSO_THERE ? account : null))
      : [];
  const result = OF_THE_CHAIN[question.ask] ?? JSON.stringify({ context: { slot: SLOT }, value });
  return Promise.resolve({ ok: true, result });
}

let service: LocalService;
let ready: LocalServiceReady;
let browser: Browser;
before(async () => {
  service = new LocalService({
    program: path.join('localnet', 'main.ts'),
    nodeArgs: ['--import', 'tsx'],
    cwd: root,
    args: ['--fork=elsewhere <b>', '--plan', 'Pro'],
    source: read,
  });
  const state = await service.settled();
  assert.ok(state.kind === 'running', JSON.stringify(state));
  ready = state.ready;
  const executablePath = findHeadlessBrowser();
  assert.ok(executablePath !== undefined, 'No Chrome, Edge or Chromium here; name one in CHROME_PATH');
  browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu', '--no-first-run'] });
});
after(async () => {
  await browser?.close();
  await service?.stop();
});

async function balanceOf(address: string): Promise<unknown> {
  const headers = { authorization: `Bearer ${ready.keys.rpc.key.reveal()}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'getBalance', params: [address] });
  const { text } = await request(ready.rpcUrl, { method: 'POST', headers, body });
  return (JSON.parse(text) as { readonly result?: { readonly value: unknown } }).result?.value;
}

test('The process that reads the source is asked for each account once, and gets the number found', async () => {
  assert.equal((await service.progress()).fetched, 0);
  assert.deepEqual([await balanceOf(THERE), await balanceOf(ABSENT), await balanceOf(THERE)], [5, 0, 5]);
  assert.equal((await service.progress()).fetched, 1);
  const [certificate, rent, , , , slot, ...reads] = asked.map((question) =>
    question.ask === 'accounts' ? question.addresses : question.ask,
  );
  assert.deepEqual([certificate, rent, slot, reads], ['certificate', 'rent', 'slot', [[THERE], [ABSENT]]]);
});

test('The dashboard shows the source, what was fetched and what is not there, and fetches more', async () => {
  const page = await browser.newPage();
  const problems: string[] = [];
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
  page.on('pageerror', (error) => problems.push(error.message));
  await page.goto(`${ready.dashboardUrl}#${ready.adminToken.reveal()}`);
  const facts = page.locator('#fork-facts');
  await facts
    .filter({ hasText: /^Of elsewhere <b>: 1 accounts fetched, 0 kB, and 1 that do not exist there/ })
    .waitFor();
  const rows = page.locator('#fork-newest tr');
  assert.deepEqual(await rows.allInnerTexts(), [`${ABSENT}\t${SLOT}\tno`, `${THERE}\t${SLOT}\tyes`]);
  await page.getByLabel('Address', { exact: true }).fill(`${ALSO_THERE} ${THERE}`);
  await page.getByRole('button', { name: 'Fetch now', exact: true }).click();
  await facts.filter({ hasText: /^Of elsewhere <b>: 2 accounts fetched/ }).waitFor();
  assert.equal(await rows.first().innerText(), `${ALSO_THERE}\t${SLOT}\tyes`);
  await page.getByLabel('Address', { exact: true }).fill('no address');
  const refused = page.waitForResponse((response) => response.status() === 400);
  await page.getByRole('button', { name: 'Fetch now', exact: true }).click();
  await refused;
  await page.getByText(/^Give one of/).waitFor();
  // A refused call is an error in the browser's own log, and the only one.
  assert.deepEqual(
    problems.filter((one) => !one.includes('400')),
    [],
  );
  await page.close();
});

/** Collects each text of the page's status line, as a script of the page. */
const COLLECT = `(() => {
  const status = document.getElementById('status');
  globalThis.statuses = [];
  new MutationObserver(() => globalThis.statuses.push(status.textContent)).observe(status, { childList: true });
})()`;

test('The dashboard carries out one thing after the other: a late answer does not hide a newer one', async () => {
  const page = await browser.newPage();
  await page.goto(`${ready.dashboardUrl}#${ready.adminToken.reveal()}`);
  await page.getByText(/^Updated /).waitFor();
  await page.evaluate(COLLECT);
  let go = (): void => undefined;
  const held = new Promise<void>((resolve) => (go = resolve));
  await page.route('**/local/fork', async (route) => {
    if (route.request().method() === 'GET') await held;
    await route.continue();
  });
  const fetchNow = page.getByRole('button', { name: 'Fetch now', exact: true });
  await page.getByLabel('Address', { exact: true }).fill(THERE);
  const read = page.waitForRequest((one) => one.method() === 'GET' && one.url().endsWith('/local/fork'));
  await fetchNow.click();
  await read;
  await page.getByLabel('Address', { exact: true }).fill('no address');
  await fetchNow.click();
  go();
  await page.getByText(/^Give one of/).waitFor();
  const texts = await page.evaluate<readonly string[]>('globalThis.statuses');
  assert.equal(
    texts.indexOf('Fetched') < texts.findIndex((text) => text.startsWith('Give one of')),
    true,
    texts.join('\n'),
  );
  assert.match(texts.at(-1) ?? '', /^Give one of/);
  await page.close();
});
