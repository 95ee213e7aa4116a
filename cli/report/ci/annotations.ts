// Annotations of GitHub Actions: one workflow command per line. Texts from outside are escaped twice over: for people, and
// so that none can end its command or begin another.
import { nameOfRow } from '../../../core/requests/run/report';
import { rangeOf } from '../../../core/requests/document/lines';
import { shortened } from '../../../core/solana/common/ends';
import { printJson } from '../../../core/solana/json/json';
import { escapeLine, escapeUnseen, LONGEST_MESSAGE } from '../../terminal';
import { logsOf } from '../logs';
import { written } from '../written';
import type { Range } from '../../../core/requests/document/model';
import type { PlanProblem } from '../../../core/requests/run/analyse';
import type { RequestReport } from '../../../core/requests/run/model';
import type { CheckedFile } from '../checked';

export interface Annotation {
  readonly level: 'error' | 'warning' | 'notice';
  /** As the command line gave it. */
  readonly file: string;
  /** Zero-based, as in LSP; a line alone where no columns are known. */
  readonly range: Range | { readonly line: number };
  readonly title: string;
  readonly message: string;
}

const LEVELS: Readonly<Record<string, Annotation['level']>> = { error: 'error', warning: 'warning' };

/** The command with its line break. `place` names a file from the root of the checkout; without a name it is left out. */
export function annotationLine(annotation: Annotation, place: (file: string) => string | undefined): string {
  const { level, file, range, title, message } = annotation;
  const name = place(file);
  const properties = Object.entries({
    ...(name === undefined ? {} : { file: escapeUnseen(name.slice(0, LONGEST_MESSAGE)), ...placeProperties(range) }),
    title: escapeLine(title, 200),
  });
  const text = properties.map(([key, value]) => `${key}=${escapeProperty(String(value))}`).join(',');
  const lines = message.split('\n').map((line) => escapeLine(line, LONGEST_MESSAGE));
  return `::${level} ${text}::${escapeData(lines.join('\n').slice(0, LONGEST_MESSAGE))}\n`;
}

/** One-based. The runner drops columns of a range over several lines; its `endColumn` is the last one inside. */
function placeProperties(range: Annotation['range']): Readonly<Record<string, number>> {
  if ('line' in range) return { line: range.line + 1 };
  const { start, end } = range;
  if (start.line !== end.line) return { line: start.line + 1, endLine: end.line + 1 };
  const endColumn = Math.max(start.character + 1, end.character);
  return { line: start.line + 1, endLine: end.line + 1, col: start.character + 1, endColumn };
}

/** Escapes the text after the second `::`. */
const escapeData = (text: string): string =>
  text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');

/** The value of a property. */
const escapeProperty = (text: string): string => escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');

/** The diagnostics of `check`. */
export const annotationsOfCheck = (checked: readonly CheckedFile[]): readonly Annotation[] =>
  checked.flatMap(({ document, problems }) =>
    problems.map(({ placed, problem: { code, severity, message, span } }) => ({
      level: LEVELS[severity] ?? 'notice',
      file: document.uri,
      range: rangeOf(placed, span),
      title: code,
      message,
    })),
  );

/** The faults that kept a run from starting. */
export const annotationsOfProblems = (problems: readonly PlanProblem[]): readonly Annotation[] =>
  problems.map(({ at, span, code, message }) => ({
    level: 'error',
    file: at.scope.document.uri,
    range: rangeOf(at.placed, span),
    title: code,
    message,
  }));

/** The failures of a run: an error at its request, each failed assertion at its own line. */
export const annotationsOfRun = (requests: readonly RequestReport[]): readonly Annotation[] =>
  requests.filter(({ status }) => status === 'failed').flatMap((row) => written(row, annotationsOfRow));

/** Where there is an error, what assertions found says nothing more. */
function annotationsOfRow(row: RequestReport): readonly Annotation[] {
  const { error, file, assertions } = row;
  const name = nameOfRow(row);
  if (error !== undefined) {
    const message = [error.message, ...logsOf(row), ...(error.hint === undefined ? [] : [`next: ${error.hint}`])];
    const title = `${name}: ${error.kind}`;
    return [{ level: 'error', file, range: { line: row.line - 1 }, title, message: message.join('\n') }];
  }
  return assertions
    .filter(({ passed }) => !passed)
    .map(({ text, line, actual }) => {
      const found = actual === undefined ? 'nothing at this path' : printJson(actual);
      return {
        level: 'error',
        file,
        range: { line },
        title: name,
        message: `?? ${text}\nfound: ${shortened(found, 1_000)}`,
      };
    });
}
