// The pages in a language of long words: buttons are translated, and no text is clipped or reaches over the edge at any
// width. Each leaves its pictures.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { TourView } from '../../protocol/tourPage';
import type { UsageReport } from '../../protocol/usagePanel';
import { accountText } from '../support/data/accounts';
import { FakeAccount } from '../support/editor/fakeAccount';
import { FakeStream } from '../support/editor/fakeStream';
import { clipped, pseudo } from '../support/editor/pseudo';
import { bodyHost, storeBody, tableHost, type StoredBody } from '../support/editor/responseHosts';
import { showPage, type ShowOptions, testBrowser } from '../support/editor/webviewPage';
import { prepare } from '../support/shared';

const BUNDLE = path.join(__dirname, '..', '..', 'l10n', 'bundle.l10n.json');

const browser = testBrowser();
let words: Readonly<Record<string, string>>;
prepare(async () => {
  const texts = Object.keys(JSON.parse(await readFile(BUNDLE, 'utf8')) as object);
  words = Object.fromEntries(texts.map((text) => [text, pseudo(text)]));
});

const REPORT: UsageReport = {
  endpoint: 'hosted',
  range: pseudo('Last 24 hours'),
  isLoading: false,
  age: pseudo('loaded just now'),
  isStale: false,
  total: 1_234_567,
  errors: 4_321,
  methods: [{ name: 'getAccountInfo', count: 1_200_000, errors: 1 }],
  keys: [{ name: 'main', keyId: 'key_1', count: 1_234_567, errors: 4_321 }],
  isListed: false,
};

const TOUR: TourView = {
  title: pseudo('Solana RPC in two minutes'),
  steps: ['Start the local service', 'Land a transaction'].map((title, at) => ({
    title: pseudo(title),
    text: [pseudo('The sample signs a transfer with the wallet and follows it until it is final.')],
    actions: [pseudo('Send the Whole Sample')],
    isDone: at === 0,
  })),
  isNew: true,
};

const stream = (): FakeStream => Object.assign(new FakeStream(), { next: 120, rate: 1_234, dropped: 7, reconnects: 1 });
const account = (): FakeAccount => Object.assign(new FakeAccount(), { next: 12 });

const WIDTHS = [1000, 340, 220];

describe('in a language of long words', () => {
  let stored: StoredBody;
  before(async () => {
    const items = Array.from({ length: 200 }, (_, at) => accountText(at));
    stored = await storeBody(`{"jsonrpc":"2.0","result":[${items.join(',')}],"id":1}`);
  });
  after(() => stored.dispose());

  const hosts: Readonly<Record<string, () => ShowOptions['host']>> = {
    usage: () => ({ hello: () => REPORT, answer: () => undefined }),
    stream,
    account,
    table: () => tableHost(stored, () => undefined),
    body: () => bodyHost(stored),
    tour: () => ({ hello: () => TOUR, answer: () => undefined }),
  };
  for (const [name, host] of Object.entries(hosts))
    test(`nothing of the page ${name} is clipped`, async (t) => {
      const shown = await showPage(browser, { name, host: host(), words });
      t.after(() => shown.close());
      const { page } = shown;
      await page.getByText(/^⟦/).first().waitFor();
      // The names of the fields are offered while a filter is typed.
      if (name === 'stream') await page.getByRole('searchbox').focus();
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 800 });
        await page.evaluate('new Promise(requestAnimationFrame)');
        await shown.screenshot(`languages-${name}-${width}`);
        assert.deepEqual(await clipped(page), [], `${width} px`);
        assert.equal(await page.evaluate('document.documentElement.scrollWidth > innerWidth'), false, `${width} px`);
      }
      const buttons = await page.getByRole('button').allInnerTexts();
      assert.ok(buttons.some((text) => text.includes('⟦')) || name === 'account', buttons.join());
      assert.deepEqual(
        buttons.filter((text) => /^[A-Z][a-z]+ ?[a-z]*…?$/.test(text.trim())),
        [],
        'every button is translated',
      );
    });
});
