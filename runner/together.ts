// Requests of one file that run at the same time: those that only read and do not need each other. Everything else runs
// alone and in its place.
import { analyse } from '../core/requests/run/analyse';
import { onlyReads } from '../core/requests/run/sends';
import { addTo } from '../core/solana/common/maps';
import type { PlacedBlock } from '../core/requests/document/model';
import type { Step } from '../core/requests/run/plan';
import type { Located, Sources } from '../core/requests/run/source';

/** The most requests that a run has under way. */
export const MAX_PARALLEL = 64;

/**
 * Calls `work` for every step, at most `parallel` at a time; a step begins when those it needs have ended. A step that
 * does more than read begins when all before it have ended, and ends before any behind it begins.
 */
export async function runSteps(
  steps: readonly Step[],
  { parallel, sources }: { readonly parallel: number; readonly sources: Sources },
  work: (step: Step, index: number) => Promise<void>,
): Promise<void> {
  for (let start = 0; start < steps.length;) {
    const end = parallel > 1 ? endOfGroup(steps, start, sources) : start + 1;
    await runGroup(steps.slice(start, end), parallel, (step, at) => work(step, start + at));
    start = end;
  }
}

/** End index of the steps from `start` on that may run at the same time as the first. */
function endOfGroup(steps: readonly Step[], start: number, sources: Sources): number {
  const file = steps[start]?.at.scope.document;
  let end = start;
  while (end < steps.length) {
    const step = steps[end];
    if (step === undefined || step.at.scope.document !== file || !(step.skip || readsAlone(step.at, sources))) break;
    end++;
  }
  return Math.max(end, start + 1);
}

/** Whether a request changes nothing that another one could notice: no ledger, no file. */
function readsAlone(at: Located, sources: Sources): boolean {
  // Setup completes before anything else begins.
  if (at.block.settings.role !== undefined) return false;
  if (at.block.redirects.length > 0 || !onlyReads(at)) return false;
  return !analyse(at, sources).helpers.some(({ helper }) => helper.name === '$file');
}

async function runGroup(
  steps: readonly Step[],
  parallel: number,
  work: (step: Step, index: number) => Promise<void>,
): Promise<void> {
  /** The rows of `@foreach` are steps of one block. */
  const tasks = new Map<PlacedBlock, Promise<void>[]>();
  const places = new Places(parallel);
  await Promise.all(
    steps.map((step, index) => {
      const needed = step.needs.flatMap((need) => tasks.get(need) ?? []);
      const task = Promise.all(needed).then(() => places.hold(() => work(step, index)));
      addTo(tasks, step.at.placed, task);
      return task;
    }),
  );
}

/** Runs at most this many at a time; the others wait in order. */
class Places {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(count: number) {
    this.#free = count;
  }

  async hold(work: () => Promise<void>): Promise<void> {
    if (this.#free > 0) this.#free--;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      await work();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#free++;
      else next();
    }
  }
}
