// The page of a transaction in a browser, over what the server says of a node's answer, for its tests.
import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { explainedAnswer } from '../../../core/solana/explain/given';
import { NO_PROGRAMS } from '../../../core/solana/decode/decoded';
import type { JsonValue } from '../../../core/solana/json/json';
import type { ExplainResult, FeesResult, TransactionSource, TransactionView } from '../../../protocol/explain';
import {
  transactionAsk,
  transactionCommand,
  type TransactionAnswer,
  type TransactionCommand,
  type TransactionHello,
} from '../../../protocol/transactionPanel';
import { transactionView } from '../../../server/explain/view';
import { MINT, nestedTransaction, PAYER, PROGRAM, SOURCE } from '../data/explainedTransactions';
import { showPage, type PageTheme, type ShownPage, type ShowOptions, testBrowser } from './webviewPage';

export const SIZES = { wide: { width: 1200, height: 760 }, narrow: { width: 340, height: 800 } } as const;
export const THEMES: readonly PageTheme[] = ['dark', 'light', 'highContrast', 'highContrastLight'];
const HELLO: TransactionHello = { source: { kind: 'response', place: { request: 'aa', run: 1 } }, title: 'swap' };

export function explained(transaction: JsonValue): ExplainResult {
  const found = explainedAnswer(transaction, NO_PROGRAMS);
  assert.ok(typeof found === 'object', typeof found === 'string' ? found : '');
  return { kind: 'explained', view: transactionView(found) };
}

export const FAILED = explained(nestedTransaction({ isFailed: true }));
/** A simulation that was asked for its accounts. */
export const WRITTEN: NonNullable<TransactionView['written']> = [
  { address: PAYER, title: '', rows: [{ name: 'balance', before: '10 SOL', after: '9.999995 SOL' }] },
  {
    address: SOURCE,
    title: 'SPL Token account',
    rows: [
      { name: 'amount', before: '10,000,000 raw', after: '7,500,000 raw' },
      { name: 'delegate', before: 'none', after: PROGRAM },
    ],
  },
  {
    address: PROGRAM,
    title: 'created',
    rows: [
      { name: 'balance', after: '2 SOL' },
      { name: 'owner', after: '11111111111111111111111111111111 (System Program)' },
    ],
  },
  { address: MINT, title: 'SPL Token mint', rows: [] },
];
export const SUCCEEDED = explained(nestedTransaction({ isFailed: false }));

export interface Opened {
  readonly shown: ShownPage;
  readonly page: Page;
  readonly commands: readonly TransactionCommand[];
}

/** Further data for the page, besides the transaction. */
interface Around {
  readonly fees?: FeesResult;
  readonly simulated?: TransactionAnswer;
  readonly source?: TransactionSource;
}

/** Shows a transaction's page until the test is over. */
type Open = (
  t: TestContext,
  result: ExplainResult | undefined,
  options?: Partial<ShowOptions>,
  around?: Around,
) => Promise<Opened>;

/** Opens the page in the browser of a test file. */
export function testTransactionPage(): Open {
  const browser = testBrowser();
  return (t, ...given) => openTransaction({ browser, t }, ...given);
}

async function openTransaction(
  { browser, t }: { readonly browser: Browser; readonly t: TestContext },
  result: ExplainResult | undefined,
  options: Partial<ShowOptions> = {},
  { fees, simulated, source = HELLO.source }: Around = {},
): Promise<Opened> {
  const commands: TransactionCommand[] = [];
  const shown = await showPage(browser, {
    name: 'transaction',
    host: {
      hello: () => ({ ...HELLO, source }),
      answer: (body) => {
        const ask = transactionAsk(body);
        return ask?.kind === 'fees' ? fees : ask?.kind === 'simulate' ? simulated : ask && result;
      },
      onCommand: (body) => {
        const command = transactionCommand(body);
        if (command !== undefined) commands.push(command);
      },
    },
    ...options,
  });
  t.after(() => shown.close());
  return { shown, page: shown.page, commands };
}
