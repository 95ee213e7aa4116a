// The policy of a panel's page put to the test: what is slipped into it neither runs nor loads anything.
import assert from 'node:assert/strict';
import type { ShownPage } from './webviewPage';

/** Every way in at once: inline and foreign scripts, a picture, a handler in an attribute, a request. */
const BREAK_IN = `(() => {
  const add = (tag, set) => document.body.append(Object.assign(document.createElement(tag), set));
  add('script', { textContent: 'window.hacked = 1' });
  add('script', { src: 'https://sink.example/x.js' });
  add('img', { src: 'https://sink.example/x.png' });
  document.querySelector('#page').insertAdjacentHTML('beforeend', '<b onclick="window.hacked = 1" id="bait">x</b>');
  document.querySelector('#bait').click();
  fetch('https://sink.example/').catch(() => {});
})()`;

export async function assertPolicy({ page, strays, console: lines }: ShownPage): Promise<void> {
  const policy = await page.locator('meta[http-equiv="Content-Security-Policy"]').getAttribute('content');
  assert.match(policy ?? '', /^default-src 'none';/);
  assert.doesNotMatch(policy ?? '', /unsafe/);
  await page.evaluate(BREAK_IN);
  assert.equal(await page.evaluate('window.hacked'), undefined);
  assert.deepEqual(strays, []);
  assert.ok(lines.length >= 4, lines.join('\n'));
  for (const line of lines) assert.match(line, /Content Security Policy/);
}
