// `solana-rpc check`: the diagnostics of the editor in a terminal. Sends nothing and loads no transport.
import { withoutSilenced } from '../core/requests/checks/file/silence';
import { readFileSync, realpathSync } from 'node:fs';
import { rangeOf } from '../core/requests/document/lines';
import { FILE_BYTES, type FileKind } from '../core/service/fileKinds';
import { rowsOfFile } from '../core/requests/document/variables/rows';
import { Scope } from '../core/requests/document/variables/variables';
import { examine, together } from '../core/requests/checks/diagnostics';
import { mendsOf } from '../core/requests/checks/fixes/fixes';
import { untippedIn } from '../core/requests/checks/file/tips';
import { printJson } from '../core/solana/json/json';
import { whyUnreadable, whyUnwritable } from '../process/files';
import { isInAny } from '../process/places';
import { savePlace } from '../process/workspaceFiles';
import { EXIT, UsageError } from './exit';
import { givenEndpoints, givenEnvironment } from './session/endpoints';
import { loadFiles, sayEmpty, resolvedFrom } from './session/files';
import { givenFiles } from './session/given';
import { interruptible } from './interrupt';
import { readArguments, type Given } from './options';
import { findingText } from './report/place';
import { reporterOf } from './report/reporter';
import { escapeLine, jsonFor, painterFor } from './terminal';
import { writeReport } from './report/file';
import { loadMethods } from './session/schemas';
import { readVariables } from './session/variables';
import { productVersion } from './version';
import { loadIdls } from './session/idls';
import { holdsTransactions } from '../core/requests/document/packs';
import type { ExitCode } from './exit';
import type { CheckedFile } from './report/checked';
import type { ReadFiles } from './session/readFiles';
import type { FileAnalysis, FilesPort } from '../core/requests/checks/analysis';

export async function checkCommand(args: readonly string[]): Promise<ExitCode> {
  const given = readArguments('check', args);
  if (given.words.length === 0) throw new UsageError('Which file? See: solana-rpc check --help');
  reporterOf(given);
  if (!given.flag('watch')) return checkOnce(given, undefined);
  const { keepRunning, readByAll, requireFiles } = await import('./session/watching');
  requireFiles(given);
  return interruptible((signal) =>
    keepRunning(async (_isAsked, read) => {
      await readByAll(given, read);
      return checkOnce(given, read);
    }, signal),
  );
}

async function checkOnce(given: Given, read: ReadFiles | undefined): Promise<ExitCode> {
  const { values } = await readVariables(given);
  const words = await givenFiles(given.words, process.stdin, read);
  const { files, imports } = await loadFiles(words, process.cwd(), { read });
  sayEmpty(files);
  const methods = await loadMethods(process.cwd(), await givenEndpoints(given, process.env));
  const port = filesPort(process.cwd(), read);
  const environment = await givenEnvironment(given, process.cwd());
  const isBuilt = files.some((document) => holdsTransactions(document));
  const table = isBuilt ? { methods: methods.methods.withPrograms(await loadIdls(process.cwd())) } : {};
  const own = { ...(environment !== undefined && { environment }), ...methods, ...table };
  const surroundings = { vars: values, imports, ...own };
  const checked = files.map((document) => ({
    document,
    problems: problemsOf({ document, surroundings, files: port }),
  }));
  const ok = !checked.some(({ problems }) => problems.some(({ problem }) => problem.severity === 'error'));
  process.stdout.write(given.flag('json') ? jsonFor(process.stdout, checkJson(checked, ok)) : checkText(checked));
  const isComplete = await reportElsewhere(checked, ok, given);
  return !ok ? EXIT.invalid : isComplete ? EXIT.ok : EXIT.usage;
}

/** Every problem of a file, with the tips that its endpoint's sender would miss. */
function problemsOf(analysis: FileAnalysis): CheckedFile['problems'] {
  const { problems, sends } = examine(analysis);
  const tips = untippedIn(new Scope(analysis.document, analysis.surroundings), sends);
  return withoutSilenced(analysis.document, together(problems, tips));
}

/** Writes the reports that do not go to standard output; false if some of them could not be written. */
async function reportElsewhere(checked: readonly CheckedFile[], ok: boolean, given: Given): Promise<boolean> {
  const sarif = given.text('sarif');
  let isComplete = true;
  if (sarif !== undefined) {
    const { sarifLog } = await import('./report/ci/sarif');
    const log = sarifLog(checked, productVersion(), { folder: process.cwd(), environment: process.env });
    isComplete = await writeReport(sarif, `${printJson(log, 2)}\n`, false);
  }
  if (reporterOf(given) !== 'github') return isComplete;
  const [{ reportToGithub }, { annotationsOfCheck }, { checkSummary }] = await Promise.all([
    import('./report/ci/github'),
    import('./report/ci/annotations'),
    import('./report/ci/summary'),
  ]);
  const isReported = await reportToGithub(annotationsOfCheck(checked), (room) => checkSummary(checked, ok, room));
  return isComplete && isReported;
}

/** Says why a run would refuse to read or write a file, as the files are now; `read` records what is looked at. */
export function filesPort(root: string, read?: ReadFiles): FilesPort {
  const outside = (name: string): string => `${name} is outside the working directory.`;
  const whyNotRead = (name: string, from: string, kind: FileKind): string | undefined => {
    const target = resolvedFrom(name, from);
    read?.reading(target);
    const reason = whyUnreadable(target, FILE_BYTES[kind]);
    if (reason !== undefined) return `The file ${name} ${reason}.`;
    return isInAny([root], realpathSync(target)) ? undefined : outside(name);
  };
  return {
    whyNotRead: (name, from) => whyNotRead(name, from, 'value'),
    rows(name, from) {
      const reason = whyNotRead(name, from, 'rows');
      return reason === undefined
        ? rowsOfFile(name, readFileSync(resolvedFrom(name, from), 'utf8'))
        : { ok: false, reason };
    },
    whyNotSaved(name, from) {
      const place = savePlace([root], resolvedFrom(name, from));
      if (place.kind === 'outside') return `A response is saved inside the workspace only: ${outside(name)}`;
      if (place.kind === 'unsafe') return place.reason;
      // A file that is there already is a matter of the run: another one may remove it first.
      const obstacle = whyUnwritable(place.path, true);
      return obstacle === undefined ? undefined : `${name} ${obstacle.message}.`;
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
  const all = checked.flatMap(({ problems }) => problems);
  const count = (severity: string): number => all.filter(({ problem }) => problem.severity === severity).length;
  const files = checked.length === 1 ? escapeLine(checked[0]?.document.uri ?? '') : `${checked.length} files`;
  const errors = count('error');
  const sum = `${files}: ${errors} errors, ${count('warning')} warnings`;
  return `${text.join('')}${errors > 0 ? paint.bad(sum) : paint.good(sum)}\n`;
}
