// A row that no report can write: its file is written all the same, with the other rows and the row's internal error.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { annotationsOfRun } from '../../../cli/report/ci/annotations';
import { runSummary } from '../../../cli/report/ci/summary';
import { jsonReport } from '../../../cli/report/json';
import { junitReport } from '../../../cli/report/junit';
import { textReport } from '../../../cli/report/text';
import { isIncomplete } from '../../../cli/report/written';
import { painterFor } from '../../../cli/terminal';
import { runText } from '../../support/process/run';
import type { RunReport } from '../../../core/requests/run/model';
import type { JsonValue } from '../../../core/solana/json/json';

let deep: JsonValue = 1;
for (let level = 0; level < 100_000; level++) deep = [deep];

/** Three rows, of which the second holds a value that cannot be printed. */
async function report(): Promise<RunReport> {
  const { report: whole } = await runText(
    '### a\n{"method":"a"}\n### b\n{"method":"b"}\n?? result == 2\n### c\n{"method":"c"}',
  );
  const requests = whole.requests.map((row, at) =>
    at !== 1 ? row : { ...row, response: deep, assertions: row.assertions.map((one) => ({ ...one, actual: deep })) },
  );
  return { ...whole, requests };
}

async function textOf(pieces: AsyncIterable<string | Uint8Array>): Promise<string> {
  let text = '';
  for await (const piece of pieces) text += piece.toString();
  return text;
}

test('the report as JSON', async () => {
  const { requests } = JSON.parse(await textOf(jsonReport(await report()))) as RunReport;
  assert.deepEqual(
    requests.map(({ title, status, error }) => [title, status, error?.kind]),
    [
      ['a', 'passed', undefined],
      ['b', 'failed', 'internal'],
      ['c', 'passed', undefined],
    ],
  );
  assert.ok(isIncomplete());
});

test('JSON has the form that one printing of the whole would have', async () => {
  for (const text of ['### a\n{"method":"a"}', '### a\n{"method":"a"}\n?? result == 3\n### b\n{"method":"b"}', '']) {
    const { report: whole } = await runText(text);
    const printed = await textOf(jsonReport(whole));
    assert.equal(printed, `${JSON.stringify(JSON.parse(printed), null, 2)}\n`);
  }
});

test('JUnit, text, annotations and the job summary', async () => {
  const whole = await report();
  const junit = junitReport(whole, { startedAt: 0, hostname: 'host' });
  assert.equal(junit.match(/<testcase /g)?.length, 3);
  assert.match(junit, /<error type="internal"/);
  const text = textReport(whole, painterFor({}, {}));
  assert.match(text, /ok {3}a.*\n.*FAIL b.*\n.*internal: [^]*ok {3}c/);
  assert.deepEqual(
    annotationsOfRun(whole.requests).map(({ title }) => title),
    ['b: internal'],
  );
  assert.match(runSummary(whole, 10_000), /❌ failed/);
});
