// The summary of a response: one short line, the landing of its transaction, its assertions, and the whole exchange.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { exchangeText } from '../../../client/responses/exchangeText';
import { summaryRows, type SummaryRun } from '../../../client/responses/responseSummary';
import type { AssertionOutcome, ExecuteOutcome } from '../../../protocol/lsp';
import { english as t } from '../../support/data/english';

const OUTCOME: SummaryRun = {
  uri: 'file:///a.jsonrpc',
  line: 0,
  title: 'slot',
  status: 'passed',
  state: 'passed',
  assertions: [],
  httpStatus: 200,
  durationMs: 12.4,
  bytes: 104,
  slot: '350123456',
  transport: 'POST',
  method: 'getSlot',
  endpoint: 'local',
};
const LANDING = { signature: 's', text: 'confirmed after 812 ms', isWatched: true, isLanded: true };
const holds: AssertionOutcome = { text: 'result > 0', line: 3, passed: true, actual: '350' };
const fails: AssertionOutcome = { text: 'result < 0', line: 4, passed: false, actual: '350' };

const texts = (more: Partial<SummaryRun>): readonly string[] =>
  summaryRows({ ...OUTCOME, ...more }, t).map(({ text }) => text);

describe('the rows above a response', () => {
  test('outcome, time, size and slot are one text', () => {
    assert.deepEqual(texts({}), ['✓ 200 · 12 ms · 104 B · slot 350123456']);
    assert.deepEqual(texts({ status: 'failed', durationMs: 13_240, bytes: 1_234_567 }), [
      '✗ 200 · 13.2 s · 1.2 MB · slot 350123456',
    ]);
  });

  test('a stream says how many messages came and were dropped', () => {
    const rows = (isOpen: boolean, state: SummaryRun['state']) =>
      texts({ stream: { count: 12, dropped: 3, isOpen }, state });
    assert.deepEqual(rows(true, 'running'), ['● live · 12 messages · 3 dropped · slot 350123456']);
    // Its window was closed meanwhile, or it is another window's.
    assert.deepEqual(rows(true, 'unfinished'), ['○ not finished · 12 messages · 3 dropped · slot 350123456']);
    assert.deepEqual(rows(false, 'passed'), ['✓ 200 · 12 messages · 3 dropped · 12 ms · 104 B · slot 350123456']);
  });

  test('the way of a transaction has its steps, those to come as circles', () => {
    type Landed = NonNullable<ExecuteOutcome['landing']>;
    const level = (level: Landed['level'] & string, times: object, more: Partial<Landed> = {}) =>
      texts({ landing: { ...LANDING, level, times, ...more } }).slice(1);
    assert.deepEqual(level('sent', {}), ['✓ sent ─ ○ processed', '○ finalized']);
    assert.deepEqual(level('confirmed', { processed: 382, confirmed: 801 }), [
      '✓ sent ─ ✓ processed 382 ms',
      '✓ confirmed 801 ms ─ ○ finalized',
    ]);
    // On Alpenglow confirmed and finalized are one step; levels that were passed over have no time.
    const final = { processed: 412, confirmed: 412, finalized: 412 };
    assert.deepEqual(level('finalized', final), ['✓ sent ─ ✓ processed', '✓ finalized 412 ms']);
    assert.deepEqual(
      level('finalized', { ...final, processed: 30 }, { atMost: ['processed', 'confirmed', 'finalized'] }),
      ['✓ sent ─ ✓ processed ≤ 30 ms', '✓ finalized ≤ 412 ms'],
    );
    assert.deepEqual(level('processed', { processed: 30 }, { finalizedSlot: '41' }), [
      '✓ sent ─ ✓ processed 30 ms',
      '○ finalized',
      '✗ nothing finalized after slot 41',
    ]);
    assert.deepEqual(level('expired', {}), ['✓ sent ─ ○ processed', '✗ expired: it can no longer land']);
    const failed = {
      ...LANDING,
      level: 'confirmed',
      times: { processed: 1, confirmed: 2 },
      failure: '{"x":1}',
    } as const;
    assert.equal(texts({ landing: failed }).at(-1), '✗ failed on the ledger: {"x":1}');
    // Kept by a version before this one.
    assert.deepEqual(texts({ landing: LANDING }).slice(1), ['confirmed after 812 ms']);
  });

  test('assertions that hold are shown like those that fail', () => {
    assert.equal(texts({ assertions: [holds] }).at(-1), '✓ 1 assertion holds');
    assert.equal(texts({ assertions: [holds, holds] }).at(-1), '✓ 2 assertions hold');
    assert.equal(texts({ assertions: [holds, fails] }).at(-1), '✗ 1 of 2 assertions failed');
    const rows = summaryRows({ ...OUTCOME, assertions: [holds, fails] }, t);
    assert.deepEqual(rows.at(-1)?.tooltip, ['✓ result > 0', '✗ result < 0 (it is 350)']);
  });

  test('no row is longer than an editor of 340 px has room for', () => {
    const landing = {
      ...LANDING,
      level: 'finalized',
      times: { processed: 9_998, confirmed: 9_999, finalized: 13_100 },
      atMost: ['processed', 'confirmed', 'finalized'],
    };
    const rows = texts({ landing: landing as NonNullable<ExecuteOutcome['landing']>, assertions: [holds, fails] });
    for (const row of rows) assert.ok(row.length <= 44, row);
  });
});

describe('the exchange', () => {
  const text = exchangeText(
    {
      ...OUTCOME,
      request: '{\n  "id": 1\n}',
      assertions: [holds, fails],
      wire: {
        sent: {
          method: 'POST',
          url: 'https://host.example/sol',
          headers: [['authorization', 'Bearer [redacted]']],
        },
        headers: [['x-node', 'a\u202eb']],
        phases: { connection: 3.25, waiting: 8, download: 1 },
      },
    },
    t,
  );

  test('has the request as it was sent, the answer’s headers, the times and every assertion', () => {
    for (const line of [
      'POST https://host.example/sol',
      'authorization: Bearer [redacted]',
      '  "id": 1',
      'HTTP 200 · 104 B',
      'Waiting for the answer     8.0 ms',
      'Total                       12 ms',
      '✓ result > 0',
      '✗ result < 0 (it is 350)',
    ])
      assert.ok(text.split('\n').includes(line), `${line}\n${text}`);
  });

  test('nothing from outside moves the text around it', () => {
    assert.ok(text.includes('x-node: a\\u{202e}b'));
  });

  test('an outcome of an earlier version has what is known', () => {
    assert.match(
      exchangeText({ ...OUTCOME, origin: 'https://h.example' }, t),
      /^# .+\nPOST getSlot https:\/\/h\.example\n/,
    );
  });
});
