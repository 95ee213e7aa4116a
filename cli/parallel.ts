// Several files at a time: each is a run of its own over the same transports, the reports become one in the order given.
import { createPlan } from '../core/run/plan';
import { reportOf } from '../core/run/report';
import { Sources } from '../core/run/source';
import type { RunReport } from '../core/run/model';
import { run, type RunInput, type RunOutcome } from '../runner/run';
import type { RunPorts } from '../runner/ports';

/** At most `jobs` files at a time. A file that is faulty, or a name that no file has, stops all before anything is sent. */
export async function runInParallel(
  input: RunInput,
  jobs: number,
  ports: RunPorts,
  signal: AbortSignal,
): Promise<RunOutcome> {
  const plan = createPlan(input.files, input.selection, new Sources(input));
  if (plan.problems.length > 0 || plan.unknownNames.length > 0) return run(input, ports, signal);
  const started = ports.clock.now();
  const stop = new AbortController();
  const either = AbortSignal.any([signal, stop.signal]);
  const outcomes: RunOutcome[] = [];
  const waiting = [...input.files.entries()];
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [index, file] = next;
      const selection = selectionIn(input, index);
      if (selection === undefined) continue;
      const outcome = await run({ ...input, files: [file], selection }, ports, either);
      outcomes[index] = outcome;
      if (input.bail && outcome.kind === 'done' && !outcome.report.ok) stop.abort();
    }
  };
  await Promise.all(Array.from({ length: Math.min(jobs, input.files.length) }, work));
  return merged(
    outcomes.filter((outcome) => outcome !== undefined),
    ports.clock.now() - started,
  );
}

/** The names and tags that are for one file; undefined: nothing of it was asked for. */
function selectionIn(input: RunInput, index: number): RunInput['selection'] | undefined {
  const { selection } = input;
  const file = input.files[index];
  if (selection.kind !== 'named' || file === undefined) return selection;
  const own = new Set(file.blocks.map(({ block }) => block.settings.name?.text));
  const names = selection.names.filter((name) => own.has(name));
  return names.length + selection.tags.length === 0 ? undefined : { ...selection, names };
}

function merged(outcomes: readonly RunOutcome[], durationMs: number): RunOutcome {
  const reports = outcomes.flatMap((outcome) => (outcome.kind === 'unknownNames' ? [] : [outcome.report]));
  const problems = outcomes.flatMap((outcome) => (outcome.kind === 'invalid' ? outcome.problems : []));
  const rows = reports.flatMap(({ requests }: RunReport) => requests);
  const report = reportOf(rows, durationMs, problems.length === 0);
  return problems.length === 0 ? { kind: 'done', report } : { kind: 'invalid', report, problems };
}
