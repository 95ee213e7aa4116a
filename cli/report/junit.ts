// The report of `--junit`: the XML that build servers read. A request is a test case, a file is a suite.
import { nameOfRow } from '../../core/requests/run/report';
import { printJson } from '../../core/solana/json/json';
import { escapeLine, LONGEST_MESSAGE } from '../terminal';
import { logsOf } from './logs';
import { written } from './written';
import type { RequestReport, RunReport } from '../../core/requests/run/model';

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};
/** Characters that XML 1.0 cannot contain, not even escaped. */
const UNWRITABLE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\ufffe\uffff]|\p{Surrogate}/gu;

/** Any text as the value of an attribute or as character data. */
export function escapeXml(text: string): string {
  return text
    .replace(UNWRITABLE, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .replace(/[&<>"']/g, (char) => ENTITIES[char] ?? char)
    .replaceAll('\n', '&#10;')
    .replaceAll('\r', '&#13;')
    .replaceAll('\t', '&#9;');
}

/** Where and when a run began. */
export interface RunStart {
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly hostname: string;
}

export function junitReport(report: RunReport, place: RunStart): string {
  const files = [...new Set(report.requests.map((row) => row.file))];
  const suites = files.map((file) =>
    suite(
      file,
      report.requests.filter((row) => row.file === file),
      place,
    ),
  );
  const { summary } = report;
  const head = `<testsuites ${counts(report.requests)} time="${seconds(summary.durationMs)}">`;
  return `<?xml version="1.0" encoding="UTF-8"?>\n${head}\n${suites.join('')}</testsuites>\n`;
}

const seconds = (ms: number): string => (ms / 1000).toFixed(3);

function counts(rows: readonly RequestReport[]): string {
  const errors = rows.filter((row) => row.error !== undefined).length;
  const failures = rows.filter((row) => row.status === 'failed').length - errors;
  const skipped = rows.filter((row) => row.status === 'skipped').length;
  return `tests="${rows.length}" failures="${failures}" errors="${errors}" skipped="${skipped}"`;
}

/** As xs:dateTime, in UTC and whole seconds, which is what readers of JUnit expect. */
const dateTime = (unixMs: number): string => new Date(unixMs).toISOString().slice(0, 19);

function suite(file: string, rows: readonly RequestReport[], { startedAt, hostname }: RunStart): string {
  const time = seconds(rows.reduce((sum, row) => sum + row.durationMs, 0));
  const cases = rows.map((row) => written(row, (each) => testCase(file, each))).join('');
  return `  <testsuite name="${escapeXml(file)}" ${counts(rows)} time="${time}" timestamp="${dateTime(startedAt)}" hostname="${escapeXml(hostname)}">\n${cases}  </testsuite>\n`;
}

function testCase(file: string, row: RequestReport): string {
  const name = nameOfRow(row);
  const head = `    <testcase name="${escapeXml(name)}" classname="${escapeXml(file)}" file="${escapeXml(file)}" line="${row.line}" time="${seconds(row.durationMs)}"`;
  const inside = contents(row);
  return inside === '' ? `${head}/>\n` : `${head}>\n${inside}    </testcase>\n`;
}

function contents(row: RequestReport): string {
  if (row.status === 'skipped')
    return row.reason === undefined ? '      <skipped/>\n' : `      <skipped message="${escapeXml(row.reason)}"/>\n`;
  if (row.error !== undefined) {
    const { kind, message, hint } = row.error;
    const text = [hint === undefined ? message : `${message} ${hint}`, ...logsOf(row)].join('\n');
    return `      <error type="${escapeXml(kind)}" message="${escapeXml(message)}">${escapeXml(text)}</error>\n`;
  }
  const lines = row.assertions
    .filter((assertion) => !assertion.passed)
    .map(({ text, actual, line }) => {
      const found = actual === undefined ? 'nothing there' : printJson(actual);
      return escapeLine(`${row.file}:${line + 1} ?? ${text}: found ${found.slice(0, 1000)}`, LONGEST_MESSAGE);
    });
  if (lines.length === 0) return '';
  return `      <failure type="assertion" message="${escapeXml(lines[0] ?? '')}">${escapeXml(lines.join('\n'))}</failure>\n`;
}
