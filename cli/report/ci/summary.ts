// The job summary of GitHub Actions: a table in markdown, with texts from outside that markdown cannot read as anything,
// within the size that the runner takes.
import { nameOfRow } from '../../../core/requests/run/report';
import { escapeLine } from '../../terminal';
import type { RequestReport, RunReport } from '../../../core/requests/run/model';
import type { CheckedFile } from '../checked';

const OUTCOMES = { passed: '✅ passed', failed: '❌ failed', skipped: '⚪ skipped' } as const;

/** Room for the line that says what was left out. Bytes */
const TAIL = 200;

/**
 * A text of one table cell: every punctuation mark as an entity, so that it is neither markup nor a link, and as code, so
 * that it mentions nobody.
 */
export function cell(text: string, max = 200): string {
  const line = escapeLine(text, max).trim();
  if (line === '') return '';
  return `<code>${line.replace(/[!-/:-@[-`{-~]/g, (mark) => `&#${mark.charCodeAt(0)};`)}</code>`;
}

/** Of a run, in at most `room` bytes of UTF-8. */
export function runSummary({ ok, summary, requests }: RunReport, room: number): string {
  const { passed, failed, skipped, durationMs } = summary;
  const head =
    `### ${ok ? '✅' : '❌'} solana-rpc run\n\n` +
    `${passed} passed, ${failed} failed, ${skipped} skipped in ${time(durationMs)}\n\n` +
    '| Outcome | Request | Method | Time | Why |\n| --- | --- | --- | ---: | --- |\n';
  const rows = requests.map((row) => ({ isBad: row.status === 'failed', text: runRow(row) }));
  return table(head, rows, room);
}

function runRow(row: RequestReport): string {
  const name = nameOfRow(row);
  const took = row.status === 'skipped' ? '' : time(row.durationMs);
  const cells = [
    OUTCOMES[row.status],
    `${cell(name)}<br>${cell(`${row.file}:${row.line}`)}`,
    cell(row.method),
    took,
    why(row),
  ];
  return `| ${cells.join(' | ')} |\n`;
}

/** The error, or the first assertion that failed. */
function why({ error, assertions }: RequestReport): string {
  if (error !== undefined) return cell(`${error.kind}: ${error.message}`, 300);
  const failed = assertions.filter(({ passed }) => !passed);
  const more = failed.length > 1 ? ` and ${failed.length - 1} more` : '';
  return failed.length === 0 ? '' : `${cell(`?? ${failed[0]?.text ?? ''}`)}${more}`;
}

const time = (ms: number): string => (ms < 1_000 ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(1)} s`);

/** Of a check, in at most `room` bytes of UTF-8. */
export function checkSummary(checked: readonly CheckedFile[], ok: boolean, room: number): string {
  const head =
    `### ${ok ? '✅' : '❌'} solana-rpc check\n\n` +
    '| File | Errors | Warnings | Notes |\n| --- | ---: | ---: | ---: |\n';
  const rows = checked.map(({ document, problems }) => {
    const count = (severity: string): number => problems.filter(({ problem }) => problem.severity === severity).length;
    const [errors, warnings] = [count('error'), count('warning')];
    const notes = problems.length - errors - warnings;
    return { isBad: errors > 0, text: `| ${cell(document.uri)} | ${errors} | ${warnings} | ${notes} |\n` };
  });
  return table(head, rows, room);
}

interface Row {
  readonly isBad: boolean;
  readonly text: string;
}

/** Whole rows only. Where not all fit, those that failed come first, and the rest is counted. */
function table(head: string, rows: readonly Row[], room: number): string {
  const bytes = (text: string): number => Buffer.byteLength(text);
  const all = rows.map(({ text }) => text).join('');
  if (bytes(head) + bytes(all) < room) return `${head}${all}\n`;
  let left = room - bytes(head) - TAIL;
  if (left < 0) return '';
  const kept: string[] = [];
  for (const { text } of [...rows].sort((a, b) => Number(b.isBad) - Number(a.isBad))) {
    left -= bytes(text);
    if (left < 0) break;
    kept.push(text);
  }
  const missing = rows.length - kept.length;
  return `${head}${kept.join('')}\n${missing} more ${missing === 1 ? 'row is' : 'rows are'} in the log only.\n\n`;
}
