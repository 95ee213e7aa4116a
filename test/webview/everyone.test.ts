// The pages of streams and accounts for everyone: no violations of axe-core in any state and theme, texts from outside as
// texts, and a policy under which no other script runs. Every state leaves its picture.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Browser } from 'playwright-core';
import type { ShownState } from '../../protocol/streamPanel';
import type { StreamRow } from '../../protocol/streams';
import { violations } from '../support/editor/axe';
import { FakeAccount } from '../support/editor/fakeAccount';
import { detailOf, FakeStream, INFO, updateRow } from '../support/editor/fakeStream';
import { HOSTILE } from '../support/data/hostileTexts';
import { assertPolicy } from '../support/editor/pagePolicy';
import { showPage, type PageTheme, type ShownPage, testBrowser } from '../support/editor/webviewPage';
import { wholeText } from '../support/editor/wholeText';

const browser = testBrowser();

const SIZES = { wide: { width: 1200, height: 640 }, narrow: { width: 300, height: 800 } } as const;
const THEMES: readonly PageTheme[] = ['dark', 'light', 'highContrast', 'highContrastLight'];

const NETWORK = { kind: 'network', message: 'The connection was reset.', hint: 'It is tried again.' } as const;
const NO_KEY = {
  kind: 'noKey',
  message: 'There is no key for rpc.example.',
  hint: 'Add one.',
  host: 'rpc.example',
  keyType: 'rpc',
} as const;
const STATES: readonly ShownState[] = [
  { kind: 'connecting' },
  { kind: 'live' },
  { kind: 'catchingUp', fromSlot: '280000120' },
  { kind: 'reconnecting', attempt: 3, nextInMs: 4_000, error: NETWORK },
  { kind: 'keyRotated' },
  { kind: 'refused', error: NO_KEY },
  { kind: 'lagged' },
  { kind: 'ended', by: 'user' },
  { kind: 'ended', by: 'service' },
  { kind: 'ended', by: 'until' },
  { kind: 'interrupted' },
  { kind: 'restored' },
];

async function show(
  t: { after(undo: () => Promise<void>): void },
  ...args: Parameters<typeof showPage> extends [Browser, ...infer Rest] ? Rest : never
): Promise<ShownPage> {
  const shown = await showPage(browser, ...args);
  t.after(() => shown.close());
  await shown.page.getByRole('heading', { level: 1 }).waitFor();
  return shown;
}

const gapped = (number: number): StreamRow =>
  number === 118
    ? {
        kind: 'gap',
        number,
        time: 0,
        fromSlot: '280000100',
        toSlot: '280000117',
        isFilled: false,
        reason: 'connection reset',
      }
    : updateRow(number);

describe('every state of a stream', () => {
  for (const state of STATES) {
    const name = `${state.kind}${'by' in state ? `-${state.by}` : ''}`;
    test(`${name} is said in words, without violations`, async (t) => {
      const stream = new FakeStream();
      Object.assign(stream, { state, next: 120, rate: 1_234, dropped: 7, reconnects: 1, row: gapped });
      const shown = await show(t, { name: 'stream', host: stream });
      const { words } = stream.hello().state;
      await shown.page.locator('.state-words', { hasText: wholeText(words) }).waitFor();
      assert.deepEqual(await violations(shown.page), []);
      await shown.screenshot(`stream-${name}`);
    });
  }
});

describe('every theme and width', () => {
  for (const theme of THEMES)
    for (const [width, size] of Object.entries(SIZES)) {
      test(`a stream with its detail has no violations in ${theme}, ${width}`, async (t) => {
        const stream = new FakeStream();
        Object.assign(stream, { next: 120, rate: 1_234, dropped: 7, reconnects: 1, row: gapped });
        const shown = await show(t, { name: 'stream', host: stream, size, theme });
        await shown.page.getByRole('option', { name: /^119 / }).click();
        await shown.page.getByText('Changed since update 118', { exact: true }).waitFor();
        await shown.page.getByRole('button', { name: 'Export…', exact: true }).click();
        assert.deepEqual(await violations(shown.page), []);
        assert.equal(await shown.page.evaluate('document.documentElement.scrollWidth > innerWidth'), false);
        await shown.screenshot(`stream-detail-${theme}-${width}`);
      });
      test(`a filter that cannot be read has no violations in ${theme}, ${width}`, async (t) => {
        const stream = new FakeStream();
        stream.next = 120;
        const shown = await show(t, { name: 'stream', host: stream, size, theme });
        await shown.page.getByRole('searchbox').fill('lamports === 5');
        await shown.page.getByRole('alert').waitFor();
        assert.deepEqual(await violations(shown.page), []);
        await shown.screenshot(`stream-filter-${theme}-${width}`);
      });
      test(`an account has no violations in ${theme}, ${width}`, async (t) => {
        const account = new FakeAccount();
        account.next = 12;
        const shown = await show(t, { name: 'account', host: account, size, theme });
        await shown.page.getByRole('img', { name: /^Now .*, lowest 1,000, / }).waitFor();
        assert.deepEqual(await violations(shown.page), []);
        assert.equal(await shown.page.evaluate('document.documentElement.scrollWidth > innerWidth'), false);
        await shown.screenshot(`account-${theme}-${width}`);
      });
    }
});

describe('texts from outside', () => {
  /** Lengths at which the server cuts a cell, and an update in full. */
  const CELL = 200;
  const WHOLE = 200_000;
  /** A name or a sentence that is longer comes from nowhere. */
  const NAME = 10_000;
  const DETAIL = detailOf(1);

  for (const text of HOSTILE)
    test(`are text in every place: ${JSON.stringify(text.slice(0, 40))}`, async (t) => {
      const stream = new FakeStream();
      const name = text.slice(0, NAME);
      stream.info = {
        ...INFO,
        title: name,
        endpoint: name,
        columns: [{ field: name, title: name, align: 'start' }, ...INFO.columns.slice(1)],
      };
      stream.state = { kind: 'refused', error: { ...NETWORK, message: name, hint: name } };
      stream.next = 3;
      stream.row = (number) =>
        number === 1
          ? { kind: 'gap', number, time: 0, isFilled: false, reason: name }
          : { kind: 'update', number, time: 0, bytes: 1, cells: Array<string>(4).fill(text.slice(0, CELL)) };
      const told = text.slice(0, WHOLE);
      stream.detail = (number) => ({
        ...DETAIL,
        number,
        json: told,
        decoded: { name: told, text: told, parts: [{ name: told, text: told, address: told }] },
        changes: [{ path: [told], before: told, after: told }],
      });
      stream.exporting = { kind: 'failed', file: name, message: name };
      const shown = await show(t, { name: 'stream', host: stream });
      await shown.page.getByRole('option').last().click();
      await shown.page.locator('.changes').waitFor();
      assert.equal(await shown.page.evaluate('window.hacked'), undefined);
      assert.equal(await shown.page.locator('img, script:not([nonce]), a, iframe, svg[onload]').count(), 0);
      const decoded = (await shown.page.locator('.decoded-text').first().textContent()) ?? '';
      assert.equal(decoded.slice(0, 4_000), text.slice(0, 4_000));
      assert.deepEqual(shown.strays, []);
      assert.deepEqual(shown.console, []);
    });
});

describe('the policy', () => {
  for (const name of ['stream', 'account'])
    test(`of the page ${name} runs no script and loads nothing but its bundle`, async (t) => {
      const shown = await show(t, { name, host: name === 'stream' ? new FakeStream() : new FakeAccount() });
      await assertPolicy(shown);
    });
});
