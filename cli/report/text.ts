// The report of a run for people, line by line or whole: a line per request, and under each failure its place, what it is and what to do next.
import { nameOfRow } from '../../core/requests/run/report';
import { printJson } from '../../core/solana/json/json';
import { landingText } from '../../core/requests/run/landing';
import { escapeLine } from '../terminal';
import { logsOf } from './logs';
import { written } from './written';
import type { Painter } from '../terminal';
import type { RequestReport, RunReport } from '../../core/requests/run/model';

const WORDS = { passed: 'ok  ', failed: 'FAIL', skipped: 'skip' } as const;

/** The whole report. */
export function textReport(report: RunReport, paint: Painter, isQuiet = false): string {
  const rows = new RowLines(paint, isQuiet);
  const lines = report.requests.flatMap((row) => rows.of(row));
  return `${lines.map((line) => `${line}\n`).join('')}${sumText(report, paint)}`;
}

/** Its last lines. */
export function sumText(report: RunReport, paint: Painter): string {
  const { passed, failed, skipped, durationMs } = report.summary;
  const sum = `${passed} passed, ${failed} failed, ${skipped} skipped (${durationMs} ms)`;
  return `\n${report.ok ? paint.good(sum) : paint.bad(sum)}\n`;
}

/** The lines of rows, one after the other: a file is named above its first row. */
export class RowLines {
  #file: string | undefined;

  constructor(
    private readonly paint: Painter,
    /** Only rows that failed. */
    private readonly isQuiet: boolean,
  ) {}

  of(row: RequestReport): readonly string[] {
    if (this.isQuiet && row.status !== 'failed') return [];
    const head = row.file === this.#file ? [] : [this.paint.strong(escapeLine(row.file))];
    this.#file = row.file;
    return [...head, ...written(row, (each) => rowLines(each, this.paint))];
  }
}

function rowLines(row: RequestReport, paint: Painter): readonly string[] {
  const colour = { passed: paint.good, failed: paint.bad, skipped: paint.dim }[row.status];
  const title = nameOfRow(row);
  const facts = [
    row.method,
    row.httpStatus,
    row.messages === undefined ? undefined : counted(row.messages.length, 'message'),
    row.large === undefined ? undefined : `${(row.large.bytes / 1_000_000).toFixed(1)} MB`,
    row.dropped === undefined || row.dropped === 0 ? undefined : `${row.dropped} dropped`,
    row.status === 'skipped' ? undefined : `${Math.round(row.durationMs)} ms`,
  ];
  const about = escapeLine(facts.filter((fact) => fact !== undefined && fact !== '').join(' · '), 200);
  const lines = [`  ${colour(WORDS[row.status])} ${escapeLine(title, 120)}  ${paint.dim(about)}`];
  const { error, landing, notes = [], reason } = row;
  if (reason !== undefined) lines.push(`       ${paint.dim(escapeLine(reason, 300))}`);
  for (const note of notes) lines.push(`       ${paint.strong('note')}: ${escapeLine(note, 300)}`);
  if (landing !== undefined && error === undefined) lines.push(`       ${escapeLine(landingText(landing), 300)}`);
  if (error !== undefined) {
    // Sentences of the service's own errors name their code already.
    const code = error.code === undefined || error.message.includes(String(error.code)) ? '' : ` ${error.code}`;
    lines.push(`       ${place(row.file, row.line)}  ${escapeLine(`${error.kind}${code}: ${error.message}`)}`);
    for (const log of logsOf(row)) lines.push(paint.dim(`         ${escapeLine(log, 300)}`));
    if (error.hint !== undefined) lines.push(`         next: ${escapeLine(error.hint)}`);
  }
  for (const { passed, text, line, actual, differences = [] } of row.assertions) {
    if (passed) continue;
    lines.push(`       ${place(row.file, line + 1)}  ?? ${escapeLine(text)}`);
    lines.push(`         found: ${actual === undefined ? 'nothing at this path' : escapeLine(printJson(actual), 300)}`);
    for (const difference of differences) lines.push(`           ${escapeLine(difference, 300)}`);
  }
  return lines;
}

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;

const place = (file: string, line: number): string => `${escapeLine(file)}:${line}`;
