// `solana-rpc check`: the diagnostics of the editor in a terminal. Sends nothing and loads no transport.
import { realpathSync } from 'node:fs';
import path from 'node:path';
import { rangeOf } from '../core/document/lines';
import { diagnose } from '../core/language/diagnostics';
import { mendsOf } from '../core/language/fixes';
import { printJson } from '../core/values/json';
import { EXIT, UsageError } from './exit';
import { loadFiles } from './files';
import { readArguments } from './options';
import { findingText } from './report/place';
import { escapeLine, painterFor } from './terminal';
import { loadSchemas } from './schemas';
import { readVariables } from './variables';
import type { ExitCode } from './exit';
import type { RequestDocument } from '../core/document/model';
import type { FilesPort, PlacedProblem } from '../core/language/diagnostics';

interface CheckedFile {
  readonly document: RequestDocument;
  readonly problems: readonly PlacedProblem[];
}

export async function checkCommand(args: readonly string[]): Promise<ExitCode> {
  const given = readArguments('check', args);
  if (given.words.length === 0) throw new UsageError('Which file? See: solana-rpc check --help');
  const { values } = await readVariables(given);
  const { files, imports } = await loadFiles(given.words, process.cwd());
  await loadSchemas(process.cwd());
  const port = filesPort(process.cwd());
  const checked = files.map((document) => ({
    document,
    problems: diagnose({ document, surroundings: { vars: values, imports }, files: port }),
  }));
  const ok = !checked.some(({ problems }) => problems.some(({ problem }) => problem.severity === 'error'));
  process.stdout.write(given.flag('json') ? checkJson(checked, ok) : checkText(checked));
  return ok ? EXIT.ok : EXIT.invalid;
}

/** Whether files are there, inside the working directory, once every link is followed. */
function filesPort(root: string): FilesPort {
  const base = realpathSync(root);
  const isInside = (real: string): boolean => real === base || real.startsWith(base + path.sep);
  const realOf = (place: string): string | undefined => {
    try {
      return realpathSync(place);
    } catch {
      return undefined;
    }
  };
  return {
    exists(name, from) {
      const real = realOf(path.resolve(path.dirname(from), name));
      return real !== undefined && isInside(real);
    },
    mayWrite(name, from) {
      let folder = path.dirname(path.resolve(path.dirname(from), name));
      while (realOf(folder) === undefined && path.dirname(folder) !== folder) folder = path.dirname(folder);
      return isInside(realOf(folder) ?? folder);
    },
  };
}

function checkJson(checked: readonly CheckedFile[], ok: boolean): string {
  const files = checked.map(({ document, problems }) => ({
    file: document.uri,
    diagnostics: problems.map(({ placed, problem }) => {
      const { start, end } = rangeOf(placed, problem.span);
      return {
        code: problem.code,
        severity: problem.severity,
        message: problem.message,
        range: { start: { ...start }, end: { ...end } },
        fixes: mendsOf(placed, problem).map(({ title }) => title),
      };
    }),
  }));
  return `${printJson({ ok, files }, 2)}\n`;
}

function checkText(checked: readonly CheckedFile[]): string {
  const paint = painterFor(process.stdout, process.env);
  const text = checked.flatMap(({ document, problems }) =>
    problems.map(({ placed, problem }) => {
      const { code, severity, message, span } = problem;
      const finding = { file: document.uri, code, severity, message, range: rangeOf(placed, span) };
      return findingText(finding, document.lines, paint);
    }),
  );
  const count = (severity: string): number =>
    checked.reduce(
      (sum, { problems }) => sum + problems.filter(({ problem }) => problem.severity === severity).length,
      0,
    );
  const files = checked.length === 1 ? escapeLine(checked[0]?.document.uri ?? '') : `${checked.length} files`;
  const errors = count('error');
  const sum = `${files}: ${errors} errors, ${count('warning')} warnings`;
  return `${text.join('')}${errors > 0 ? paint.bad(sum) : paint.good(sum)}\n`;
}
