// Runs several files concurrently: separate runs, shared transports, one report in the order given.
import { createPlan } from '../../core/requests/run/plan';
import { reportOf } from '../../core/requests/run/report';
import { addTo } from '../../core/solana/common/maps';
import type { PlacedBlock, RequestDocument } from '../../core/requests/document/model';
import type { RequestReport } from '../../core/requests/run/model';
import type { Step } from '../../core/requests/run/plan';
import type { Sources } from '../../core/requests/run/source';
import { clockTime } from '../../runner/fault';
import { carryOut, planRun, prepareRun, type Planned, type RunInput, type RunOutcome } from '../../runner/run';
import type { RunPorts, RunProgress } from '../../runner/ports';

export interface ParallelRun {
  readonly input: RunInput;
  /** The plan of the same input, from one who looked at it first. */
  readonly planned?: Planned;
  readonly jobs: number;
}

/**
 * At most `jobs` files at a time. All of them are prepared together: what is asked is asked once, and a fault, a missing
 * file or a name that no file has stops all before anything is sent.
 */
export async function runInParallel(
  { input, planned = planRun(input), jobs }: ParallelRun,
  ports: RunPorts,
  signal: AbortSignal,
): Promise<RunOutcome> {
  const started = clockTime(ports);
  const ready = await prepareRun(planned, input, ports, signal);
  if (ready.kind !== 'ready') return ready;
  const stop = new AbortController();
  const either = AbortSignal.any([signal, stop.signal]);
  const rows: (readonly RequestReport[])[] = [];
  let steps = 0;
  const expanded = rowsOfBlocks(ready.plan.steps);
  const importers = importersOf(input, ready.sources);
  const waiting = input.files.flatMap((file, index) => {
    const selection = selectionIn(input, index, importers);
    if (selection === undefined) return [];
    const planned = createPlan([file], selection, ready.sources);
    const plan = { ...planned, steps: planned.steps.flatMap((step) => expanded.get(step.at.placed) ?? [step]) };
    const first = steps;
    steps += plan.steps.length;
    return [{ index, plan, first }];
  });
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const { index, plan, first } = next;
      // Places in the plan of this file become places in the whole report.
      const onProgress = (event: RunProgress): void =>
        ports.onProgress?.(event.kind === 'done' ? { ...event, index: first + event.index } : event);
      rows[index] = await carryOut({ ...ready, plan }, input, { ...ports, onProgress }, either);
      if (input.bail && rows[index].some(({ status }) => status === 'failed')) stop.abort();
    }
  };
  await Promise.all(Array.from({ length: Math.min(jobs, input.files.length) }, work));
  return { kind: 'done', report: reportOf(rows.flat(), clockTime(ports) - started, true) };
}

/** The steps of blocks with `@foreach`, one for each row. */
function rowsOfBlocks(steps: readonly Step[]): ReadonlyMap<PlacedBlock, readonly Step[]> {
  const found = new Map<PlacedBlock, Step[]>();
  for (const step of steps) if (step.at.block.settings.foreach !== undefined) addTo(found, step.at.placed, step);
  return found;
}

/** Which file runs a request of an imported one, by its name: the first that imports it, if no file has the name itself. */
function importersOf({ files, selection }: RunInput, sources: Sources): ReadonlyMap<string, number> {
  const names = selection.kind === 'named' ? selection.names : [];
  const own = new Set(files.flatMap(namesIn));
  const importers = new Map<string, number>();
  for (const [index, file] of files.entries()) {
    const [first] = file.blocks;
    const scope = first === undefined ? undefined : sources.locate(file, first).scope;
    for (const name of names)
      if (!own.has(name) && !importers.has(name) && scope?.requestNamed(name) !== undefined) importers.set(name, index);
  }
  return importers;
}

const namesIn = ({ blocks }: RequestDocument): readonly string[] =>
  blocks.flatMap(({ block }) => block.settings.name?.text ?? []);

/** The names and tags that are for one file; undefined: nothing of it was asked for. */
function selectionIn(
  input: RunInput,
  index: number,
  importers: ReadonlyMap<string, number>,
): RunInput['selection'] | undefined {
  const { selection } = input;
  const file = input.files[index];
  if (selection.kind !== 'named' || file === undefined) return selection;
  const own = new Set(namesIn(file));
  const names = selection.names.filter((name) => own.has(name) || importers.get(name) === index);
  return names.length + selection.tags.length === 0 ? undefined : { ...selection, names };
}
