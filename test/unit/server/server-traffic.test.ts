// Counts requests: in a window of one second, in total, and how often the client is notified.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TrafficMeter } from '../../../server/run/traffic';
import type { TrafficParams } from '../../../protocol/lsp';

const O = 'https://rpc.example';

/** A meter on a fake clock. */
function meter() {
  const reports: TrafficParams[] = [];
  let now = 0;
  let waiting: { at: number; run: () => void }[] = [];
  const counts = new TrafficMeter({
    now: () => now,
    later: (ms, run) => waiting.push({ at: now + ms, run }),
    report: (params) => reports.push(params),
  });
  const pass = (ms: number): void => {
    for (const end = now + ms; ;) {
      const next = waiting.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0];
      if (next === undefined) {
        now = end;
        return;
      }
      waiting = waiting.filter((one) => one !== next);
      now = next.at;
      next.run();
    }
  };
  return { counts, reports, pass, pending: () => waiting.length };
}

test('the first request is reported at once', () => {
  const { counts, reports } = meter();
  counts.count({ profile: 'p', origin: O, sent: 1, throttled: 0 });
  assert.deepEqual(reports, [{ profile: 'p', origin: O, lastSecond: 1, sent: 1, throttled: 0 }]);
});

test('a thousand requests in a second are a few messages, and the counts are exact', () => {
  const { counts, reports, pass } = meter();
  for (let n = 0; n < 1_000; n++) {
    counts.count({ profile: 'p', origin: O, sent: 1, throttled: n % 100 === 0 ? 1 : 0 });
    pass(1);
  }
  assert.ok(reports.length <= 5, String(reports.length));
  pass(2_000);
  assert.deepEqual(reports.at(-1), { profile: 'p', origin: O, lastSecond: 0, sent: 1_000, throttled: 10 });
});

test('a second later nothing is left of the window, and then there is silence', () => {
  const { counts, reports, pass, pending } = meter();
  counts.count({ profile: 'p', origin: O, sent: 3, throttled: 0 });
  pass(5_000);
  assert.deepEqual(reports.at(-1), { profile: 'p', origin: O, lastSecond: 0, sent: 3, throttled: 0 });
  assert.equal(pending(), 0);
  const messages = reports.length;
  pass(60_000);
  assert.equal(reports.length, messages);
});

test('endpoints are counted separately', () => {
  const { counts, reports } = meter();
  counts.count({ profile: 'p', origin: O, sent: 1, throttled: 0 });
  counts.count({ profile: 'q', origin: O, sent: 5, throttled: 0 });
  assert.deepEqual(
    reports.map(({ profile, sent }) => [profile, sent]),
    [
      ['p', 1],
      ['q', 5],
    ],
  );
});

test('two hosts under one endpoint are counted separately: a file may name its own URL', () => {
  const { counts, reports } = meter();
  counts.count({ profile: 'p', origin: O, sent: 1, throttled: 0 });
  counts.count({ profile: 'p', origin: 'https://other.example', sent: 2, throttled: 1 });
  assert.deepEqual(
    reports.map(({ origin, sent, throttled }) => [origin, sent, throttled]),
    [
      [O, 1, 0],
      ['https://other.example', 2, 1],
    ],
  );
});
