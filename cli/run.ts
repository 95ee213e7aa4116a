// `solana-rpc run`: from the command line to the report and the exit code.
import { rangeOf } from '../core/document/lines';
import { DEFAULT_UNTIL, run } from '../runner/run';
import { Bodies } from './session/bodies';
import { EXIT, UsageError } from './exit';
import { loadFiles } from './session/files';
import { givenFiles, STANDARD_INPUT } from './session/given';
import { interruptible } from './interrupt';
import { countOption, readArguments } from './options';
import { runInParallel } from './session/parallel';
import { writeReport } from './report/file';
import { findingText } from './report/place';
import { reporterOf } from './report/reporter';
import { withSession } from './session/session';
import { drained, escapeLine, jsonPiecesFor, painterFor } from './terminal';
import type { Block, RequestDocument } from '../core/document/model';
import type { ExitCode } from './exit';
import type { Given } from './options';
import type { PlanProblem } from '../core/run/analyse';
import type { RunReport } from '../core/run/model';
import type { Selection } from '../core/run/plan';
import type { RunInput, RunOutcome } from '../runner/run';
import type { RunProgress } from '../runner/ports';

export async function runCommand(args: readonly string[]): Promise<ExitCode> {
  const given = readArguments('run', args);
  if (given.words.length === 0) throw new UsageError('Which file? See: solana-rpc run --help');
  reporterOf(given);
  const bodies = new Bodies();
  try {
    return await interruptible(async (signal) => tell(await runFiles(given, bodies, signal), given));
  } finally {
    bodies.remove();
  }
}

async function tell(outcome: RunOutcome, given: Given): Promise<ExitCode> {
  switch (outcome.kind) {
    case 'unsent':
      throw new Error('A run in the terminal sends whatever its requests refer to.');
    case 'unknownNames':
      throw new UsageError(`No request is named ${outcome.names.map((name) => escapeLine(name)).join(', ')}.`);
    case 'invalid':
      await print(outcome.report, given);
      printProblems(outcome.problems);
      await annotate(outcome.report, outcome.problems, given);
      return EXIT.invalid;
    case 'done': {
      const isPrinted = await print(outcome.report, given);
      const complete = (await annotate(outcome.report, [], given)) && isPrinted;
      if (outcome.report.requests.length === 0) process.stderr.write('There was no request to run.\n');
      const code = exitCodeOf(outcome.report);
      return code === EXIT.ok && !complete ? EXIT.usage : code;
    }
  }
}

async function runFiles(given: Given, bodies: Bodies, signal: AbortSignal): Promise<RunOutcome> {
  if (given.flag('key-stdin') && given.words.includes(STANDARD_INPUT))
    throw new UsageError('Standard input holds either the file (-) or the keys (--key-stdin), not both.');
  const loaded = await loadFiles(await givenFiles(given.words, process.stdin), process.cwd());
  requireTags(given.list('tag'), loaded.files);
  const jobs = countOption(given, 'jobs', 1);
  return withSession(given, bodies, signal, progressTo(process.stderr), (session) => {
    const input: RunInput = {
      ...loaded,
      ...session.input,
      selection: selectionOf(given),
      defaultUntil: DEFAULT_UNTIL,
      bail: given.flag('bail'),
    };
    return jobs === 1 || loaded.files.length < 2
      ? run(input, session.ports, signal)
      : runInParallel(input, jobs, session.ports, signal);
  });
}

/** A tag that no request has is a mistake of its writer, as a name is: nothing would be run, and all would be well. */
function requireTags(tags: readonly string[], files: readonly RequestDocument[]): void {
  const known = new Set(
    files.flatMap(({ first, blocks }) => [first, ...blocks.map(({ block }) => block)].flatMap(tagsOf)),
  );
  const unknown = tags.filter((tag) => !known.has(tag));
  if (unknown.length > 0)
    throw new UsageError(`No request has the tag ${unknown.map((tag) => escapeLine(tag)).join(', ')}.`);
}

const tagsOf = ({ settings }: Block): readonly string[] => settings.tags;

function selectionOf(given: Given): Selection {
  const names = given.list('name');
  const tags = given.list('tag');
  return names.length + tags.length === 0 ? { kind: 'all' } : { kind: 'named', names, tags };
}

/** What is going on, on a terminal only: in a log it would be noise. */
export function progressTo(stream: NodeJS.WriteStream): (event: RunProgress) => void {
  if (!stream.isTTY) return () => undefined;
  const paint = painterFor(stream, process.env);
  return (event) => {
    if (event.kind === 'sending')
      stream.write(paint.dim(`… line ${event.line + 1}: ${escapeLine(event.method, 80)}\n`));
    if (event.kind === 'waiting' && event.reason !== 'retry') {
      stream.write(paint.dim(`… line ${event.line + 1}: waiting (${event.reason})\n`));
    }
  };
}

/** False when the JUnit file could not be written. */
async function print(report: RunReport, given: Given): Promise<boolean> {
  const pieces = given.flag('json')
    ? jsonPiecesFor(process.stdout, (await import('./report/json')).jsonReport(report))
    : [(await import('./report/text')).textReport(report, painterFor(process.stdout, process.env))];
  for await (const piece of pieces) {
    // A reader that went away needs no more.
    if (!process.stdout.writable) break;
    if (!process.stdout.write(piece)) await drained(process.stdout);
  }
  const junit = given.text('junit');
  if (junit === undefined) return true;
  const { junitReport } = await import('./report/junit');
  return writeReport(junit, junitReport(report));
}

/** False when the job summary could not be written. */
async function annotate(report: RunReport, problems: readonly PlanProblem[], given: Given): Promise<boolean> {
  if (reporterOf(given) !== 'github') return true;
  const [{ reportToGithub }, { annotationsOfProblems, annotationsOfRun }, { runSummary }] = await Promise.all([
    import('./report/ci/github'),
    import('./report/ci/annotations'),
    import('./report/ci/summary'),
  ]);
  // The rows of faulty requests say what their problems say.
  const annotations = problems.length > 0 ? annotationsOfProblems(problems) : annotationsOfRun(report.requests);
  return reportToGithub(annotations, (room) => runSummary(report, room));
}

export function printProblems(problems: readonly PlanProblem[]): void {
  const paint = painterFor(process.stderr, process.env);
  for (const { at, span, code, message } of problems) {
    const { document } = at.scope;
    const finding = { file: document.uri, code, message, severity: 'error', range: rangeOf(at.placed, span) };
    process.stderr.write(findingText(finding, document.lines, paint));
  }
  process.stderr.write('Nothing was sent.\n');
}

/** Of several reasons the first in the order of docs/cli.md counts. */
export function exitCodeOf(report: RunReport): ExitCode {
  const failed = report.requests.filter((row) => row.status === 'failed');
  if (failed.some((row) => row.error !== undefined && row.error.kind !== 'confirmation')) return EXIT.request;
  if (failed.some((row) => row.error === undefined)) return EXIT.assertion;
  return failed.length > 0 ? EXIT.usage : EXIT.ok;
}
