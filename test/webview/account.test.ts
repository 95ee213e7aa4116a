// The page of a watched account alone in Chromium: exact numbers now and over time, its updates with their transactions.
import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import type { StreamKept } from '../../protocol/streamPanel';
import { FakeAccount, WATCHED } from '../support/editor/fakeAccount';
import { showPage, type ShownPage, type ShowOptions, testBrowser } from '../support/editor/webviewPage';

const browser = testBrowser();

let account: FakeAccount;
beforeEach(() => {
  account = new FakeAccount();
});

async function show(
  t: { after(undo: () => Promise<void>): void },
  options: Partial<ShowOptions> = {},
): Promise<ShownPage> {
  const shown = await showPage(browser, { name: 'account', host: account, ...options });
  t.after(() => shown.close());
  await shown.page.getByRole('heading', { name: WATCHED, exact: true }).waitFor();
  return shown;
}

/** The words next to a fact's name. */
const fact = ({ page }: ShownPage, name: string) =>
  page
    .locator('.facts div')
    .filter({ has: page.getByText(name, { exact: true }) })
    .first()
    .locator('dd');

describe('a watched account', () => {
  test('shows its balance to the last lamport, its owner by name, and its tokens', async (t) => {
    account.next = 4;
    const shown = await show(t);
    await shown.page.getByText('18,446,744,073.709551615 SOL', { exact: true }).first().waitFor();
    assert.equal(await fact(shown, 'Lamports').textContent(), '18,446,744,073,709,551,615');
    assert.match((await fact(shown, 'Owner').textContent()) ?? '', /Token/);
    await shown.page.locator('.facts').getByText('1,751.5', { exact: true }).waitFor();
  });

  test('what there is comes at once, also where motion is not wanted', async (t) => {
    account.next = 1;
    const prepare = async (page: Page): Promise<void> => {
      await page.clock.install({ time: 0 });
      await page.clock.pauseAt(1_000);
    };
    const shown = await show(t, { prepare, reducedMotion: true });
    await shown.page.clock.runFor(200);
    await shown.page.locator('tbody tr').first().waitFor();
    await shown.page.clock.runFor(200);
    await shown.page.getByRole('heading', { name: 'Data at update 0', exact: true }).waitFor();
  });

  test('lists every update with its change and its transactions, newest first', async (t) => {
    account.next = 3;
    const shown = await show(t);
    const rows = shown.page.locator('tbody tr');
    await rows.nth(2).waitFor();
    assert.match((await rows.nth(0).textContent()) ?? '', /-0\.100005 SOL/);
    assert.match((await rows.nth(1).textContent()) ?? '', /\+5 SOL/);
    assert.equal(
      await rows
        .nth(0)
        .getByRole('button', { name: /^Copy / })
        .count(),
      2,
    );
    assert.equal(
      await rows
        .nth(2)
        .getByRole('button', { name: /^Copy / })
        .count(),
      0,
    );
    await rows
      .nth(1)
      .getByRole('button', { name: /^Copy / })
      .click();
    assert.equal(account.commands.length, 1);
  });

  test('draws balance and tokens over time, and says the same in words', async (t) => {
    account.next = 5;
    const shown = await show(t);
    await shown.page
      .getByRole('img', {
        name: /^Now 7\.000000001 SOL, lowest 0\.00203928 SOL, highest 18,446,744,073\.709551615 SOL/,
      })
      .waitFor();
    await shown.page.getByRole('img', { name: /^Now 2,002, lowest 1,000, highest 2,002/ }).waitFor();
  });

  test('says that nothing has come only while that is so, also before an update that was counted is read', async (t) => {
    const shown = await show(t);
    const nothing = shown.page.getByText('Nothing received yet.', { exact: true });
    await nothing.waitFor();
    let read = (): void => undefined;
    const isRead = new Promise<void>((resolve) => (read = resolve));
    const answer = account.answer.bind(account);
    Object.assign(account, { answer: (body: unknown) => isRead.then(() => answer(body)) });
    account.next = 1;
    await shown.post(account.news());
    await fact(shown, 'Updates').getByText('1', { exact: true }).waitFor();
    await shown.page.getByText('Reading the newest update…', { exact: true }).waitFor();
    assert.equal(await nothing.count(), 0);
    read();
    await shown.page.getByRole('heading', { name: 'Data at update 0', exact: true }).waitFor();
    assert.equal(await shown.page.getByText('Reading the newest update…', { exact: true }).count(), 0);
  });

  test('opened again, shows the data of the new stream, whose numbers restart', async (t) => {
    account.next = 1;
    const shown = await show(t);
    await shown.page.getByRole('heading', { name: 'Data at update 0', exact: true }).waitFor();
    account.info = { ...account.info, id: 's2' };
    account.next = 0;
    await shown.post({ kind: 'opened', hello: account.hello() });
    await shown.page.getByText('Nothing received yet.', { exact: true }).waitFor();
    assert.equal(await shown.page.locator('tbody tr').count(), 0);
    account.next = 1;
    await shown.post(account.news());
    await shown.page.getByRole('heading', { name: 'Data at update 0', exact: true }).waitFor();
  });

  test('continues with new updates, and asks for each once', async (t) => {
    account.next = 2;
    const shown = await show(t);
    await shown.page.locator('tbody tr').nth(1).waitFor();
    account.next = 5;
    await shown.post(account.news());
    await shown.page.locator('tbody tr').nth(4).waitFor();
    const asked = account.asked.flatMap((ask) => (ask.kind === 'rows' ? [[ask.from, ask.count]] : []));
    assert.deepEqual(asked, [
      [0, 2],
      [2, 3],
    ]);
  });

  test('shows the data of an update that is chosen, and goes back to the newest', async (t) => {
    account.next = 3;
    const shown = await show(t);
    await shown.page.getByRole('heading', { name: 'Data at update 2', exact: true }).waitFor();
    await shown.page.getByRole('button', { name: 'Show update 0', exact: true }).click();
    await shown.page.getByRole('heading', { name: 'Data at update 0', exact: true }).waitFor();
    await shown.page.getByRole('button', { name: 'Show the Newest', exact: true }).click();
    await shown.page.getByRole('heading', { name: 'Data at update 2', exact: true }).waitFor();
  });

  test('is what the window kept, stopped, after a reload', async (t) => {
    account.next = 3;
    const shown = await show(t);
    await shown.page.locator('tbody tr').nth(2).waitFor();
    await shown.kept<StreamKept>(({ rows }) => rows.length === 3);
    account.state = { kind: 'restored' };
    account.detail = () => ({ kind: 'gone' });
    await shown.reload();
    await shown.page.locator('.state-more', { hasText: /^The window was reloaded/ }).waitFor();
    await shown.page.locator('tbody tr').nth(2).waitFor();
    assert.equal(await shown.page.locator('tbody tr').count(), 3);
    await shown.page.getByRole('button', { name: 'Reopen', exact: true }).click();
    assert.deepEqual(account.commands, [{ kind: 'reopen' }]);
  });
});
