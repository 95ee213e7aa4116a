// The page of a stream of transactions in Chromium, over what the server says of real bytes: rows, the tree of a
// transaction and of a block, and the IDL that is fetched from there. Every theme leaves its picture.
import assert from 'node:assert/strict';
import { describe, test, type TestContext } from 'node:test';
import { contentIn } from '../../core/service/streams/content';
import { cellsOf } from '../../core/service/streams/shape';
import { NO_PROGRAMS } from '../../core/solana/decode/decoded';
import { contentNode } from '../../server/streams/decodeRow';
import { violations } from '../support/editor/axe';
import { FakeStream, INFO } from '../support/editor/fakeStream';
import { layOut } from '../support/data/layouts';
import { blockUpdate, infoOf, PROGRAM, SUBSCRIBE, transactionUpdate, updatesShape } from '../support/wire/streamed';
import { showPage, type PageTheme, type ShownPage, type ShowOptions, testBrowser } from '../support/editor/webviewPage';

const browser = testBrowser();

const SIZES = { wide: { width: 1200, height: 760 }, narrow: { width: 300, height: 800 } } as const;
const THEMES: readonly PageTheme[] = ['dark', 'light', 'highContrast', 'highContrastLight'];
/** An unknown program, as it is named. */
const SHORT = `${PROGRAM.slice(0, 4)}…${PROGRAM.slice(-4)}`;
const FAILED = { err: { err: layOut([4, 8], [1, 2], [4, 25], [4, 6000]) } };

/** Every third transaction failed. */
const updateAt = (number: number): Uint8Array =>
  transactionUpdate(infoOf(number % 3 === 0 ? FAILED : {}), BigInt(280_000_000 + number));

class Transactions extends FakeStream {
  readonly shape = updatesShape();

  constructor(private readonly bytesAt: (number: number) => Uint8Array = updateAt) {
    super();
    const { columns } = this.shape;
    this.info = { ...INFO, title: 'Transactions', method: SUBSCRIBE, transport: 'GRPC', columns };
    this.next = 60;
    this.rate = 42;
    this.row = (number) => {
      const bytes = this.bytesAt(number);
      const cells = cellsOf(this.shape, bytes, 0, bytes.length);
      return { kind: 'update', number, time: Date.UTC(2026, 0, 5, 12), bytes: bytes.length, cells };
    };
    this.detail = (number) => {
      const bytes = this.bytesAt(number);
      const content = contentIn({ shape: this.shape, method: SUBSCRIBE }, bytes, 0, bytes.length);
      const decoded = content === undefined ? undefined : contentNode(content, NO_PROGRAMS, 280_000_000n);
      return { kind: 'row', number, json: '{}', isCut: false, ...(decoded !== undefined && { decoded }) };
    };
  }
}

async function show(t: TestContext, host: FakeStream, options: Partial<ShowOptions> = {}): Promise<ShownPage> {
  const shown = await showPage(browser, { name: 'stream', host, ...options });
  t.after(() => shown.close());
  await shown.page.getByRole('heading', { level: 1 }).waitFor();
  return shown;
}

describe('a stream of transactions', () => {
  for (const theme of THEMES)
    for (const [width, size] of Object.entries(SIZES))
      test(`with the tree of one in ${theme}, ${width}`, async (t) => {
        const shown = await show(t, new Transactions(), { size, theme });
        await shown.page.getByRole('option', { name: /^57 .*Instruction 3 failed/ }).click();
        await shown.page.locator('summary', { hasText: /^instructions3$/ }).waitFor();
        assert.deepEqual(await violations(shown.page), []);
        assert.equal(await shown.page.evaluate('document.documentElement.scrollWidth > innerWidth'), false);
        await shown.screenshot(`transactions-${theme}-${width}`);
      });

  test('opens an instruction down to what it called', async (t) => {
    const { page } = await show(t, new Transactions());
    await page.getByRole('option', { name: /^58 / }).click();
    await page
      .locator('summary', { hasText: new RegExp(`^3 *${SHORT}`) })
      .first()
      .click();
    await page.locator('summary', { hasText: /^3\.1/ }).click();
    await page
      .locator('.decoded-leaf', { hasText: /^lamports2,000,000,000 lamports/ })
      .last()
      .waitFor();
  });

  test('offers the IDL of a program that nothing is known of, and reads rows and detail again when it is there', async (t) => {
    const stream = new Transactions();
    const shown = await show(t, stream);
    await shown.page.getByRole('option', { name: /^58 / }).click();
    await shown.page
      .locator('summary', { hasText: new RegExp(`^3 *${SHORT}`) })
      .first()
      .click();
    await shown.page.getByRole('button', { name: `Fetch IDL of ${PROGRAM} from the chain`, exact: true }).click();
    assert.deepEqual(stream.commands, [{ kind: 'fetchIdl', program: PROGRAM }]);
    stream.row = (number) => ({
      kind: 'update',
      number,
      time: 0,
      bytes: 1,
      cells: ['1', 'succeeded', 'shop: pay_out'],
    });
    stream.detail = (number) => ({
      kind: 'row',
      number,
      json: '{}',
      isCut: false,
      decoded: { name: 'Transaction', text: 'decoded again' },
    });
    await shown.post({ kind: 'known' });
    await shown.page.getByText('decoded again', { exact: true }).waitFor();
    await shown.page.getByRole('option', { name: /^58 .*shop: pay_out/ }).waitFor();
  });

  test('shows the transactions of a block, and how many were left off', async (t) => {
    const shown = await show(t, new Transactions(() => blockUpdate(130)), { size: SIZES.wide });
    await shown.page.getByRole('option', { name: /^58 / }).click();
    await shown.page.getByText('30 more transactions', { exact: true }).waitFor();
    assert.deepEqual(await violations(shown.page), []);
    await shown.screenshot('block-dark-wide');
  });
});
