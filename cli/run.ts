// `solana-rpc run`: from the command line to the report and the exit code.
import { hostname } from 'node:os';
import { rangeOf } from '../core/requests/document/lines';
import type { Plan, Selection } from '../core/requests/run/plan';
import { maySendTransaction } from '../core/requests/run/sends';
import { planRun, run } from '../runner/run';
import { cancelled, DEFAULT_UNTIL } from '../runner/stream';
import { MAX_PARALLEL } from '../runner/together';
import { Bodies } from './session/bodies';
import { EXIT, UsageError } from './exit';
import { followed, loadFiles, sayEmpty } from './session/files';
import { requireNames, type NamedOutcome } from './session/names';
import { givenFiles, STANDARD_INPUT } from './session/given';
import { interruptible, unlessInterrupted } from './interrupt';
import { countOption, readArguments } from './options';
import { printRefusal } from './refusal';
import { runInParallel } from './session/parallel';
import { writeReport } from './report/file';
import { givesKeys } from './session/keys';
import { findingText } from './report/place';
import { Progress } from './report/progress';
import { reporterOf } from './report/reporter';
import { sumText, textReport } from './report/text';
import { isIncomplete } from './report/written';
import { withSession } from './session/session';
import { untilDrained, escapeLine, jsonPiecesFor, painterFor } from './terminal';
import type { Block, RequestDocument } from '../core/requests/document/model';
import type { ExitCode } from './exit';
import type { Given } from './options';
import type { PlanProblem } from '../core/requests/run/analyse';
import type { RunReport } from '../core/requests/run/model';
import type { ReadFiles } from './session/readFiles';
import type { RunPorts } from '../runner/ports';
import type { RunInput, RunOutcome } from '../runner/run';

export async function runCommand(args: readonly string[]): Promise<ExitCode> {
  const given = readArguments('run', args);
  if (given.words.length === 0) throw new UsageError('Which file? See: solana-rpc run --help');
  reporterOf(given);
  if (!given.flag('watch'))
    return interruptible((signal) =>
      unlessInterrupted(signal, runOnce({ given, signal }), () => printRefusal(cancelled)),
    );
  const { keepRunning, readByAll, requireFiles } = await import('./session/watching');
  requireFiles(given);
  return interruptible((interrupted) =>
    keepRunning(async (isAsked, read, signal) => {
      await readByAll(given, read);
      return runAndReport({ given, signal, read, sendsNothing: !isAsked });
    }, interrupted),
  );
}

async function runOnce(once: Once): Promise<ExitCode> {
  const end = await runAndReport(once);
  if (end === 'held') throw new Error('Only --watch holds a run.');
  return end;
}

interface Once {
  readonly given: Given;
  readonly signal: AbortSignal;
  /** Records what is read and written. */
  readonly read?: ReadFiles;
  /** Holds a run that would send a transaction. */
  readonly sendsNothing?: boolean;
}

async function runAndReport(once: Once): Promise<ExitCode | 'held'> {
  const { given, signal } = once;
  const bodies = new Bodies();
  const progress = progressOf(given);
  try {
    const outcome = await runFiles(once, bodies, progress).finally(() => progress.clear());
    return outcome === 'held' ? outcome : await report(outcome, given, progress, signal);
  } finally {
    bodies.remove();
  }
}

async function report(outcome: NamedOutcome, given: Given, progress: Progress, signal: AbortSignal): Promise<ExitCode> {
  switch (outcome.kind) {
    case 'unsent':
      throw new Error('A run in the terminal sends everything its requests refer to.');
    case 'invalid':
      // Nobody answered the question for a variable.
      if (signal.aborted) return printRefusal(cancelled);
      await print(outcome.report, given, progress);
      printProblems(outcome.problems);
      await annotate(outcome.report, outcome.problems, given);
      return EXIT.invalid;
    case 'done': {
      const isPrinted = await print(outcome.report, given, progress);
      const complete = (await annotate(outcome.report, [], given)) && isPrinted;
      const code = signal.aborted && isCutShort(outcome.report) ? EXIT.request : exitCodeOf(outcome.report);
      return code === EXIT.ok && (!complete || isIncomplete()) ? EXIT.usage : code;
    }
  }
}

async function runFiles(
  { given, signal, read, sendsNothing = false }: Once,
  bodies: Bodies,
  progress: Progress,
): Promise<NamedOutcome | 'held'> {
  if (given.flag('key-stdin') && given.words.includes(STANDARD_INPUT))
    throw new UsageError('Standard input holds either the file (-) or the keys (--key-stdin), not both.');
  const loaded = await loadFiles(await givenFiles(given.words, process.stdin, read), process.cwd(), { read });
  requireTags(given.list('tag'), loaded.files);
  sayEmpty(loaded.files);
  const jobs = countOption(given, 'jobs', 1);
  const parallel = countOption(given, 'parallel', 1);
  if (parallel > MAX_PARALLEL) throw new UsageError(`--parallel takes a whole number from 1 to ${MAX_PARALLEL}.`);
  const outcome = await withSession<RunOutcome | 'held'>(
    given,
    { bodies, signal, onProgress: (event) => progress.take(event) },
    (session) => {
      const input: RunInput = {
        ...loaded,
        ...session.input,
        selection: selectionOf(given),
        defaultUntil: DEFAULT_UNTIL,
        bail: given.flag('bail'),
        updatesSnapshots: given.flag('update-snapshots'),
        parallel,
      };
      const planned = planRun(input);
      if (sendsNothing && wouldSend(planned.plan)) return Promise.resolve('held');
      const { files } = session.ports;
      const ports: RunPorts = {
        ...session.ports,
        files: read === undefined ? files : followed(files, read),
        prompt: (...question) => progress.asking(() => session.ports.prompt(...question)),
        confirm: (...question) => progress.asking(() => session.ports.confirm(...question)),
      };
      return jobs === 1 || loaded.files.length < 2
        ? run(input, ports, signal, planned)
        : runInParallel({ input, planned, jobs }, ports, signal);
    },
  );
  return outcome === 'held' ? outcome : requireNames(outcome, loaded.files);
}

/** Whether a request that is selected, or needed by one, sends a transaction or may turn out to. */
const wouldSend = ({ steps }: Plan): boolean => steps.some(({ at, skip }) => !skip && maySendTransaction(at));

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

/** The progress display of a run: no moving line without a terminal, or if the user wants plain output. */
function progressOf(given: Given): Progress {
  const { stdout, stderr, env } = process;
  const isPlain = (env['NO_COLOR'] ?? '') !== '' || env['TERM'] === 'dumb';
  const isQuiet = given.flag('quiet');
  return new Progress({
    out: stdout,
    paint: painterFor(stdout, env),
    printsRows: !given.flag('json'),
    isQuiet,
    moving: stderr.isTTY && !isPlain && !isQuiet ? { out: stderr, columns: () => stderr.columns } : undefined,
    now: () => performance.now(),
  });
}

/** False when the JUnit file could not be written. */
async function print(report: RunReport, given: Given, progress: Progress): Promise<boolean> {
  const paint = painterFor(process.stdout, process.env);
  const pieces = given.flag('json')
    ? jsonPiecesFor(process.stdout, (await import('./report/json')).jsonReport(report))
    : [
        progress.hasPrinted
          ? `${progress.corrections(report.requests)}${sumText(report, paint)}`
          : textReport(report, paint, given.flag('quiet')),
      ];
  for await (const piece of pieces) {
    // A reader that went away needs no more.
    if (!process.stdout.writable) break;
    if (!process.stdout.write(piece)) await untilDrained(process.stdout);
  }
  const junit = given.text('junit');
  if (junit === undefined) return true;
  const { junitReport } = await import('./report/junit');
  const startedAt = Date.now() - report.summary.durationMs;
  const isPrivate = givesKeys(process.env, given.flag('key-stdin'));
  return writeReport(junit, junitReport(report, { startedAt, hostname: hostname() }), isPrivate);
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

/** Whether an interruption left requests out. */
const isCutShort = ({ requests }: RunReport): boolean =>
  requests.some(({ status, reason }) => status === 'skipped' && reason === cancelled.message);

/** Of several reasons the first in the order of docs/cli.md counts. */
export function exitCodeOf(report: RunReport): ExitCode {
  const failed = report.requests.filter((row) => row.status === 'failed');
  if (failed.some((row) => row.error !== undefined && row.error.kind !== 'confirmation')) return EXIT.request;
  if (failed.some((row) => row.error === undefined)) return EXIT.assertion;
  return failed.length > 0 ? EXIT.usage : EXIT.ok;
}
