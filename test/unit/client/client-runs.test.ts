// The report of a run of a whole file, and the History's view of it: rows in the order of the file, requests that were sent
// together shown together.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  groupRuns,
  responsesText,
  togetherState,
  togetherText,
  type HistoryRun,
} from '../../../client/responses/historyRows';
import { doneRun, emptyRun, withOutcome } from '../../../client/runs/runRows';
import { runPanelCommand, runView } from '../../../protocol/runPanel';
import { english as t } from '../../support/data/english';

const FILE = 'file:///w/a%20b.jsonrpc';

const outcome = (line: number, more: Partial<HistoryRun> = {}): HistoryRun => ({
  uri: FILE,
  line,
  title: `at ${line}`,
  status: 'passed',
  assertions: [],
  durationMs: 12,
  bytes: 104,
  transport: 'POST',
  method: 'getSlot',
  endpoint: 'local',
  state: more.status === 'failed' ? 'failed' : 'passed',
  ...more,
  response: more.response ?? { request: 'ab', run: line, at: Date.UTC(2026, 0, 2, 12, 0, line) },
});

describe('a run report', () => {
  const empty = emptyRun(FILE, 'local', 0);

  test('fills while requests end, in the order of the file', () => {
    const view = withOutcome(withOutcome(empty, outcome(9), true, t), outcome(2), false, t);
    assert.deepEqual(
      view.rows.map(({ line, status, statusText }) => [line, status, statusText]),
      [
        [2, 'running', 'running'],
        [9, 'passed', 'passed'],
      ],
    );
    assert.equal(view.isDone, false);
    assert.equal(withOutcome(view, outcome(2), true, t).rows.length, 2);
  });

  test('that began without an endpoint names the first one used', () => {
    const view = withOutcome(emptyRun(FILE, '', 0), outcome(2), false, t);
    assert.equal(view.endpoint, 'local');
    assert.equal(doneRun(view, [outcome(2, { endpoint: 'other' })], [], t).endpoint, 'local');
  });

  test('has outcome, time, size and what there is to say, and what was left out', () => {
    const failed = outcome(4, {
      status: 'failed',
      error: { kind: 'rpc', code: 1, message: 'No.' },
      assertions: [{ text: 'result', line: 5, passed: false }],
      notes: ['Ended.'],
    });
    const view = doneRun(empty, [outcome(2), failed], [{ uri: FILE, line: 8, why: 'Not agreed.' }], t);
    assert.deepEqual(
      view.rows.map(({ status, time, size, notes }) => [status, time, size, notes]),
      [
        ['passed', '12 ms', '104 B', []],
        ['failed', '12 ms', '104 B', ['✗ 1 assertion failed', 'No.', 'Ended.']],
        ['skipped', '', '', ['Not agreed.']],
      ],
    );
    assert.equal(view.file, 'a b.jsonrpc');
    assert.equal(view.isDone, true);
  });

  test('is read back as it was kept, and nothing else is', () => {
    const view = doneRun(empty, [outcome(2)], [], t);
    assert.deepEqual(runView(JSON.parse(JSON.stringify(view))), view);
    for (const wrong of [undefined, {}, { ...view, rows: [{}] }, { ...view, rows: 'x' }, { ...view, uri: 1 }])
      assert.equal(runView(wrong), undefined);
    const [row] = view.rows;
    assert.equal(runView({ ...view, rows: [{ ...row, response: { request: '../x', run: 1 } }] }), undefined);
  });

  test('takes the messages of its page and no other', () => {
    assert.deepEqual(runPanelCommand({ kind: 'response', row: 2, more: 1 }), { kind: 'response', row: 2 });
    assert.deepEqual(runPanelCommand({ kind: 'again' }), { kind: 'again' });
    assert.deepEqual(runPanelCommand({ kind: 'cancel', row: 1 }), { kind: 'cancel' });
    for (const wrong of [undefined, 'again', { kind: 'x', row: 1 }, { kind: 'request', row: -1 }, { kind: 'request' }])
      assert.equal(runPanelCommand(wrong), undefined);
  });
});

describe('the history', () => {
  test('shows what was sent together as one entry, its requests in order', () => {
    const at = (second: number) => ({ request: 'ab', run: second, at: new Date(2026, 0, 2, 12, 0, second).getTime() });
    const runs = [
      outcome(5, { response: at(9) }),
      outcome(3, { response: at(8), together: 'x' }),
      outcome(1, { response: at(7), together: 'x' }),
      outcome(0, { response: at(6), together: 'y' }),
    ];
    const [day] = groupRuns(runs);
    const entries = day?.files[0]?.entries.map((entry) =>
      entry.kind === 'run' ? entry.run.line : entry.runs.map(({ line }) => line),
    );
    // A run of one request is that request.
    assert.deepEqual(entries, [5, [1, 3], 0]);
  });

  test('every row counts the responses below it, and none claims more than is kept', () => {
    const at = (second: number) => ({ request: 'ab', run: second, at: new Date(2026, 0, 2, 12, 0, second).getTime() });
    // Of five requests one got no answer, so that nothing of it is kept.
    const runs = [
      outcome(5, { response: at(9) }),
      outcome(4, { response: at(8), together: 'x', status: 'failed' }),
      outcome(2, { response: at(7), together: 'x' }),
      outcome(1, { response: at(6), together: 'x' }),
    ];
    const [day] = groupRuns(runs);
    const [file] = day?.files ?? [];
    assert.equal(responsesText(file?.runs.length ?? 0, t), '4 responses');
    const texts = file?.entries.map((entry) => (entry.kind === 'run' ? '1' : togetherText(entry.runs, t)));
    assert.deepEqual(texts, ['1', '3 responses · 1 failed']);
    assert.equal(responsesText(1, t), '1 response');
  });

  test('a run with a request in progress is running, however the others ended', () => {
    const failed = outcome(1, { status: 'failed' });
    const running = outcome(2, { state: 'running' });
    assert.equal(togetherState([outcome(0), failed, running]), 'running');
    assert.equal(togetherText([outcome(0), failed, running], t), '3 responses · 1 failed · 1 running');
    assert.equal(togetherState([outcome(0), failed, outcome(2, { state: 'unfinished' })]), 'failed');
    assert.equal(togetherState([outcome(0), outcome(2, { state: 'unfinished' })]), 'unfinished');
    assert.equal(togetherState([outcome(0)]), 'passed');
  });
});
