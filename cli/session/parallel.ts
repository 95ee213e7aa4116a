// Several files at a time: each is a run of its own over the same transports, the reports become one in the order given.
import { createPlan } from '../../core/run/plan';
import { reportOf } from '../../core/run/report';
import type { RequestReport } from '../../core/run/model';
import { carryOut, prepare, type RunInput, type RunOutcome } from '../../runner/run';
import type { RunPorts, RunProgress } from '../../runner/ports';

/**
 * At most `jobs` files at a time. All of them are prepared together: what is asked is asked once, and a fault, a missing
 * file or a name that no file has stops all before anything is sent.
 */
export async function runInParallel(
  input: RunInput,
  jobs: number,
  ports: RunPorts,
  signal: AbortSignal,
): Promise<RunOutcome> {
  const started = ports.clock.now();
  const ready = await prepare(input, ports, signal);
  if (ready.kind !== 'ready') return ready;
  const stop = new AbortController();
  const either = AbortSignal.any([signal, stop.signal]);
  const rows: (readonly RequestReport[])[] = [];
  let steps = 0;
  const waiting = input.files.flatMap((file, index) => {
    const selection = selectionIn(input, index);
    if (selection === undefined) return [];
    const plan = createPlan([file], selection, ready.sources);
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
  return { kind: 'done', report: reportOf(rows.flat(), ports.clock.now() - started, true) };
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
