// The filter's box of a stream's page, while somebody types: the rows stay until the filter can be read, operators are
// offered where they can come, and what has stopped cannot be paused.
import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { FakeStream } from '../support/editor/fakeStream';
import { showPage, type ShownPage, testBrowser } from '../support/editor/webviewPage';

const browser = testBrowser();

let stream: FakeStream;
beforeEach(() => {
  stream = new FakeStream();
});

async function show(t: { after(undo: () => Promise<void>): void }): Promise<ShownPage> {
  const shown = await showPage(browser, { name: 'stream', host: stream });
  t.after(() => shown.close());
  await shown.page.getByRole('heading', { level: 1 }).waitFor();
  return shown;
}

describe('a filter that is typed', () => {
  test('takes no row away while it cannot be read, and new ones still come', async (t) => {
    stream.next = 10;
    const shown = await show(t);
    await shown.page.getByRole('option', { name: /^9 / }).waitFor();
    await shown.page.getByRole('searchbox').fill('lamports === 5');
    await shown.page.getByRole('alert').getByText('Use == to compare.', { exact: true }).waitFor();
    await shown.page.getByRole('option', { name: /^9 / }).waitFor();
    stream.next = 12;
    await shown.post(stream.news());
    await shown.page.getByRole('option', { name: /^11 / }).waitFor();
    await shown.screenshot('stream-filter-half-typed');
  });

  test('is offered the operators behind a field, and what joins behind a comparison', async (t) => {
    stream.next = 3;
    const { page } = await show(t);
    const box = page.getByRole('searchbox');
    const offered = page.locator('.filter-help button');
    await box.fill('lamports');
    assert.deepEqual(await offered.allTextContents(), ['==', '!=', '<', '<=', '>', '>=', '~']);
    await offered.getByText('>=', { exact: true }).click();
    assert.equal(await box.inputValue(), 'lamports >= ');
    await box.pressSequentially('5 ');
    assert.deepEqual(await offered.allTextContents(), ['&&', '||']);
    await offered.getByText('&&', { exact: true }).click();
    assert.equal(await box.inputValue(), 'lamports >= 5 && ');
    assert.deepEqual(await offered.allTextContents(), ['slot', 'pubkey', 'lamports', 'owner']);
  });
});
