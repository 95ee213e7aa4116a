// The content of a transaction's panel and its source: only a result that is explained replaces the one shown before.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ShownTransaction } from '../../../../client/transactions/shownTransaction';
import { keptTransaction } from '../../../../protocol/transactionPanel';
import { explainedAnswer } from '../../../../core/solana/explain/given';
import { NO_PROGRAMS } from '../../../../core/solana/decode/decoded';
import type { ExplainResult, TransactionSource } from '../../../../protocol/explain';
import { transactionView } from '../../../../server/explain/view';
import { nestedTransaction } from '../../../support/data/explainedTransactions';

const SENT: TransactionSource = { kind: 'text', text: 'sent' };
const simulation = (request: string): TransactionSource => ({ kind: 'response', place: { request, run: 1 } });

function explained(isFailed: boolean): ExplainResult & { readonly kind: 'explained' } {
  const found = explainedAnswer(nestedTransaction({ isFailed }), NO_PROGRAMS);
  assert.ok(typeof found === 'object');
  return { kind: 'explained', view: transactionView(found) };
}

const [FIRST, SIMULATED] = [explained(true), explained(false)];
const answers = new Map<TransactionSource, ExplainResult>([[SENT, FIRST]]);
const ask = (source: TransactionSource): Promise<ExplainResult> =>
  Promise.resolve(answers.get(source) ?? { kind: 'gone' });

test('a simulation that is explained takes the place of what was shown', async () => {
  const shown = new ShownTransaction(SENT, ask);
  assert.equal(await shown.load(), FIRST);
  const found = simulation('aa');
  answers.set(found, SIMULATED);
  assert.equal(await shown.move(found), SIMULATED);
  assert.deepEqual([shown.source, shown.view], [found, SIMULATED.view]);
});

for (const result of [{ kind: 'none', reason: 'This response cannot be read whole.' }, { kind: 'gone' }] as const)
  test(`a simulation that is ${result.kind} changes neither view nor source, and another one can follow`, async () => {
    const shown = new ShownTransaction(SENT, ask);
    await shown.load();
    const [broken, sound] = [simulation('bb'), simulation('cc')];
    answers.set(broken, result).set(sound, SIMULATED);
    assert.equal(await shown.move(broken), result);
    assert.deepEqual([shown.source, shown.view], [SENT, FIRST.view]);
    assert.equal(await shown.load(), FIRST);
    await shown.move(sound);
    assert.deepEqual([shown.source, shown.view], [sound, SIMULATED.view]);
  });

test('a simulation of an earlier window is shown again; where it is kept no more, what was shown first', async () => {
  const found = simulation('ee');
  answers.set(found, SIMULATED);
  const shown = new ShownTransaction(SENT, ask, found);
  assert.equal(await shown.load(), SIMULATED);
  answers.delete(found);
  assert.equal(await shown.load(), FIRST);
  assert.deepEqual([shown.source, shown.view], [SENT, FIRST.view]);
});

test('what a page kept is read with the simulation that it showed; a text that was too long to keep is absent', () => {
  const source = { kind: 'text', text: 'AQ==' } as const;
  const shown = { kind: 'response', place: { request: 'bb', run: 2 }, before: { request: 'cc', run: 3 } } as const;
  const kept = { source, title: 'swap', shown, tab: 'raw', scrolled: { raw: 7 } };
  assert.deepEqual(keptTransaction(kept), { source, title: 'swap', shown });
  assert.deepEqual(keptTransaction({ ...kept, shown: { kind: 'response', place: '../x' } }), { source, title: 'swap' });
  assert.equal(keptTransaction({ ...kept, source: { kind: 'text', text: '' } }), undefined);
});

test('what is read late, of a place that is shown no more, is not taken for what is shown', async () => {
  let answer: (result: ExplainResult) => void = () => assert.fail('nothing was asked');
  const late = new ShownTransaction(SENT, (source) =>
    source === SENT ? new Promise((resolve) => (answer = resolve)) : Promise.resolve(SIMULATED),
  );
  const loading = late.load();
  await late.move(simulation('dd'));
  answer(FIRST);
  await loading;
  assert.equal(late.view, SIMULATED.view);
});
