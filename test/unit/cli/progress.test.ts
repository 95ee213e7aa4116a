// Progress of a run: rows in the order of the file as they end, and a line that moves on a terminal only.
import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { describe, test } from 'node:test';
import { bodyText, Progress } from '../../../cli/report/progress';
import { painterFor } from '../../../cli/terminal';
import { runText } from '../../support/process/run';
import type { RequestReport } from '../../../core/requests/run/model';

const paint = painterFor({}, {});

class Sink extends PassThrough {
  get said(): string {
    return String(this.read() ?? '');
  }
}

async function rowsOf(text: string): Promise<readonly RequestReport[]> {
  return (await runText(text)).report.requests;
}

const made = (more: Partial<ConstructorParameters<typeof Progress>[0]> = {}) => {
  const out = new Sink();
  const screen = new Sink();
  let now = 0;
  const moving = { out: screen, columns: () => 60 };
  const progress = new Progress({ out, paint, printsRows: true, isQuiet: false, moving, now: () => now, ...more });
  return { out, screen, progress, pass: (ms: number) => void (now += ms) };
};

describe('rows', () => {
  const TEXT = '### a\n{"method":"getA"}\n### b\n{"method":"getB"}\n### c\n{"method":"getC"}\n?? result == 2\n';

  test('are printed when they and all above them have ended', async () => {
    const [a, b, c] = await rowsOf(TEXT);
    assert.ok(a && b && c);
    const { out, progress } = made();
    progress.take({ kind: 'done', report: b, index: 1, isLast: true });
    assert.equal(out.said, '');
    progress.take({ kind: 'done', report: a, index: 0, isLast: true });
    assert.match(out.said, /^file\.jsonrpc\n {2}ok {3}a .*\n {2}ok {3}b .*\n$/);
    progress.take({ kind: 'done', report: c, index: 2, isLast: true });
    assert.match(out.said, /^ {2}FAIL c .*\n {7}file\.jsonrpc:7 {2}\?\? result == 2\n {9}found: 1\n$/);
    assert.equal(progress.hasPrinted, true);
  });

  test('that passed are left out when it is to be quiet', async () => {
    const { out, progress } = made({ isQuiet: true });
    for (const [index, report] of (await rowsOf(TEXT)).entries())
      progress.take({ kind: 'done', report, index, isLast: true });
    const { said } = out;
    assert.match(said, /FAIL c/);
    assert.doesNotMatch(said, /ok {3}/);
  });
});

describe('the moving line', () => {
  const sending = { kind: 'sending', file: 'f', name: null, title: '', line: 4, method: 'getA' } as const;

  test('says what is under way and how much came in, and goes before rows are printed', async () => {
    const [row] = await rowsOf('\n\n\n\n### a\n{"method":"getA"}\n');
    assert.ok(row);
    const { out, screen, progress, pass } = made();
    progress.take(sending);
    assert.equal(screen.said, '\r\u001b[2K… line 5: getA · 0 done');
    pass(1_000);
    progress.take({ kind: 'receiving', line: 4, bytes: 5_000_000, total: 10_000_000 });
    assert.match(screen.said, /\[#{10}/);
    progress.take({ kind: 'receiving', line: 4, bytes: 6_000_000, total: 10_000_000 });
    assert.equal(screen.said, '', 'not more often than it can be read');
    progress.take({ kind: 'done', report: { ...row, file: 'f' }, index: 0, isLast: true });
    assert.equal(screen.said, '\r\u001b[2K');
    assert.match(out.said, /ok/);
  });

  test('is nowhere without a terminal, and does not move over a question', async () => {
    const { screen, progress } = made({ moving: undefined });
    progress.take(sending);
    assert.equal(screen.said, '');
    const asked = made();
    await asked.progress.asking(async () => asked.progress.take(sending));
    assert.equal(asked.screen.said, '');
  });
});

test('a body of which nobody knows the length is only counted', () => {
  assert.equal(bodyText({ bytes: 1_500_000 }), '1.5 MB');
  assert.equal(bodyText({ bytes: 10, total: 10 }), `[${'#'.repeat(20)}] 0.0 of 0.0 MB`);
});
