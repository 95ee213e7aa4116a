// The dashboard in a real browser, and what a page of another site can do to the service: nothing.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { chromium, type Browser, type Page } from 'playwright-core';
import { member } from '../../../core/solana/json/json';
import { findHeadlessBrowser } from '../../../scripts/editor/prerequisites.mjs';
import { request, startTestLedger, type Localnet } from '../../support/process/localnet';

let local: Localnet;
let browser: Browser;
before(async () => {
  const executablePath = findHeadlessBrowser();
  assert.ok(executablePath !== undefined, 'No Chrome, Edge or Chromium here; name one in CHROME_PATH');
  local = await startTestLedger(['--plan', 'Pro']);
  browser = await chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'],
  });
});
after(async () => {
  await browser.close();
  await local.stop();
});

/** The dashboard, opened as a person does; what the page logged as errors must be empty at the end of a test. */
async function open(): Promise<{ page: Page; problems: string[]; requests: string[] }> {
  const page = await browser.newPage();
  const problems: string[] = [];
  const requests: string[] = [];
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('request', (one) => requests.push(one.url()));
  page.on('dialog', (dialog) => void dialog.accept());
  await page.goto(`${local.ready.dashboardUrl}#${local.ready.adminToken}`);
  await page.getByText(/^Updated/).waitFor();
  return { page, problems, requests };
}

test('it shows the keys, and creates a working one', async () => {
  const { page, problems } = await open();
  assert.equal(await page.locator('#keys tr').count(), 3);
  await page.getByLabel('Label', { exact: true }).fill('made here');
  await page.getByRole('button', { name: 'Create key', exact: true }).click();
  await page.getByRole('cell', { name: /^made here \S+$/ }).waitFor();
  const key = (await page.locator('#secret-text').textContent()) ?? '';
  assert.equal((await local.rpc('getSlot', undefined, key)).status, 200);
  await page.getByRole('button', { name: 'Done', exact: true }).click();
  assert.ok(!(await page.content()).includes(key));
  assert.deepEqual(problems, []);
  await page.close();
});

test('it rotates, changes the plan and revokes, by keyboard alone', async () => {
  const { keyId, key } = await local.newKey({ type: 'rpc', label: 'old' });
  const { page, problems } = await open();
  await page.getByRole('button', { name: `Rotate ${keyId}`, exact: true }).press('Enter');
  await page.locator('#secret').waitFor();
  assert.equal((await local.rpc('getSlot', undefined, key)).status, 401);
  const rotated = (await page.locator('#secret-text').textContent()) ?? '';
  assert.equal((await local.rpc('getSlot', undefined, rotated)).status, 200);
  const changed = page.waitForResponse((response) => response.request().method() === 'PATCH');
  await page.getByLabel(`Plan of ${keyId}`, { exact: true }).selectOption('Ultra');
  assert.equal((await changed).status(), 200);
  assert.equal((await local.rpc('getSlot', undefined, rotated)).headers['x-ratelimit-limit'], '500');
  await page.getByRole('button', { name: `Revoke ${keyId}`, exact: true }).press('Enter');
  await page.getByText('revoked', { exact: true }).waitFor();
  assert.equal((await local.rpc('getSlot', undefined, rotated)).status, 401);
  assert.deepEqual(problems, []);
  await page.close();
});

test('it shows usage per method as bars', async () => {
  const { key, keyId } = await local.newKey({ type: 'rpc', label: 'counted' });
  for (let i = 0; i < 3; i++) await local.rpc('getSlot', undefined, key);
  await local.rpc('getBalance', ['x'], key);
  const { page } = await open();
  await page.locator('#usage-key').selectOption(keyId);
  await page.getByText('4 requests, 1 errors', { exact: true }).waitFor();
  assert.equal(await page.getByRole('progressbar', { name: 'getSlot: 3 requests', exact: true }).count(), 1);
  await page.close();
});

test('a hostile label is text', async () => {
  const label = '<img src=x onerror="window.hacked=1"><b>x</b>';
  const { keyId } = await local.newKey({ type: 'rpc', label });
  const { page, problems } = await open();
  await page.getByRole('cell', { name: `${label} ${keyId}`, exact: true }).waitFor();
  assert.equal(await page.locator('#keys img, #keys b').count(), 0);
  assert.equal(await page.evaluate('window.hacked'), undefined);
  assert.deepEqual(problems, []);
  await page.close();
});

test('the token leaves the address and is in no URL; no other host is asked', async () => {
  const { page, requests } = await open();
  const { adminToken, restUrl } = local.ready;
  assert.equal(page.url(), local.ready.dashboardUrl);
  assert.ok(requests.length > 1);
  for (const url of requests.slice(1)) assert.ok(url.startsWith(restUrl) && !url.includes(adminToken), url);
  await page.close();
});

test('without the token it says what is missing and shows nothing', async () => {
  const page = await browser.newPage();
  await page.goto(local.ready.dashboardUrl);
  await page.getByText(/^Open this page with the admin token /).waitFor();
  assert.equal(await page.locator('main').isVisible(), false);
  await page.close();
});

test('it follows the colours a person prefers', async () => {
  const { page } = await open();
  const ground = () => page.evaluate<string>('getComputedStyle(document.body).backgroundColor');
  await page.emulateMedia({ colorScheme: 'light' });
  const light = await ground();
  await page.emulateMedia({ colorScheme: 'dark' });
  assert.notEqual(await ground(), light);
  await page.close();
});

test('its policy allows its own script and nothing else', async () => {
  const answer = await request(local.ready.dashboardUrl);
  const policy = String(answer.headers['content-security-policy']);
  assert.match(policy, /^default-src 'none'; script-src 'nonce-[^']+'; style-src 'nonce-[^']+'; connect-src 'self'/);
  assert.doesNotMatch(policy, /unsafe/);
  assert.doesNotMatch(answer.text, / on\w+=| style=|https?:\/\//);
  const again = await request(local.ready.dashboardUrl);
  assert.notEqual(again.headers['content-security-policy'], policy);
});

test('a script that gets into the page does not run', async () => {
  const { page, problems } = await open();
  await page.evaluate(
    `document.body.append(Object.assign(document.createElement('script'), { textContent: 'window.hacked = 1' }))`,
  );
  assert.equal(await page.evaluate('window.hacked'), undefined);
  assert.match(problems.join(), /Content Security Policy/);
  await page.close();
});

test('a page of another site reaches nothing, though it knows a key', async (t) => {
  const site = http.createServer((_, response) => response.end('<!doctype html><title>other</title>'));
  site.listen(0, '127.0.0.1');
  await once(site, 'listening');
  t.after(() => {
    site.close();
    site.closeAllConnections();
  });
  const page = await browser.newPage();
  await page.goto(`http://localhost:${(site.address() as AddressInfo).port}/`);
  const counted = async (): Promise<unknown> => member((await local.rest('/v1/usage')).json, 'request_count');
  const before = await counted();
  const url = JSON.stringify(`${local.ready.rpcUrl}?api_key=${local.ready.keys.rpc.key}`);
  const attempt = (init: string): Promise<string> =>
    page.evaluate<string>(`
      fetch(${url}, { method: 'POST', body: '{"jsonrpc":"2.0","id":1,"method":"getSlot"}', ${init} })
        .then((response) => response.type + ' ' + response.status, () => 'refused')
    `);
  assert.equal(await attempt(`headers: { 'content-type': 'application/json' }`), 'refused');
  // A page learns nothing from an opaque response; the usage shows that no call was made.
  assert.match(await attempt(`mode: 'no-cors'`), /^(refused|opaque 0)$/);
  const wsUrl = JSON.stringify(`${local.ready.wsUrl}?api_key=${local.ready.keys.rpc.key}`);
  const opened = await page.evaluate<string>(`new Promise((resolve) => {
    const socket = new WebSocket(${wsUrl});
    socket.onopen = () => resolve('open');
    socket.onerror = () => resolve('refused');
  })`);
  assert.equal(opened, 'refused');
  assert.equal(await counted(), before);
  await page.close();
});
