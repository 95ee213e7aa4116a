// Looks at processes under load once in a while: memory, open files, threads, and where it can be asked for, what keeps the
// event loop busy. Gives a row a minute, and by how much each figure grew in the second half.
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { residentBytes } from '../../../support/process/processes';

/** A watched process; a restart may replace it. */
export interface Subject {
  readonly name: string;
  readonly pid: () => number | undefined;
  /** Timers and handles of its event loop; absent: it cannot be asked. */
  readonly active?: () => number | undefined;
}

/** The figures of a look. */
export const FIGURES = ['megabytes', 'files', 'threads', 'active'] as const;
type Figure = (typeof FIGURES)[number];
type Look = { readonly at: number } & Readonly<Record<Figure, number>>;

/** How much each may grow in the second half: what a heap breathes, and connections that are made and closed. */
export const MAY_GROW: Readonly<Record<Figure, number>> = { megabytes: 64, files: 12, threads: 4, active: 12 };

export interface Minute {
  readonly name: string;
  readonly minute: number;
  /** Least, median and most of it. Absent where there is no such figure. */
  readonly figures: Partial<Record<Figure, readonly [least: number, median: number, most: number]>>;
}

interface Growth {
  readonly name: string;
  readonly figure: Figure;
  /** NaN: it was not there to be looked at. */
  readonly growth: number;
}

/** ms */
const LOOK_EVERY = 2_000;

/** Resolves after so many minutes, or once `over` is aborted. */
export async function watch(
  subjects: readonly Subject[],
  minutes: number,
  over: AbortSignal,
  onMinute: (minute: Minute) => void,
): Promise<readonly Growth[]> {
  const begun = performance.now();
  const looks = new Map<string, Look[]>(subjects.map(({ name }) => [name, []]));
  for (let minute = 1; minute <= minutes && !over.aborted;) {
    await pause(LOOK_EVERY, undefined, { signal: over }).catch(() => undefined);
    const at = performance.now() - begun;
    for (const subject of subjects) looks.get(subject.name)?.push(lookAt(subject, at));
    if (at < minute * 60_000) continue;
    for (const [name, all] of looks) onMinute({ name, minute, figures: figuresOf(all.filter((look) => look.at >= at - 60_000)) }); // oxfmt-ignore
    minute++;
  }
  return [...looks].flatMap(([name, all]) => growthsOf(name, all, (minutes * 60_000) / 2));
}

function lookAt({ pid: find, active }: Subject, at: number): Look {
  const pid = find();
  const gone = { at, megabytes: NaN, files: NaN, threads: NaN, active: NaN };
  if (pid === undefined) return gone;
  try {
    const threads = Number(/Threads:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
    const files = readdirSync(`/proc/${pid}/fd`).length;
    return { at, megabytes: (residentBytes(pid) ?? NaN) / 1024 / 1024, files, threads, active: active?.() ?? NaN };
  } catch {
    // It ended in this moment.
    return gone;
  }
}

const valuesOf = (looks: readonly Look[], figure: Figure): readonly number[] =>
  looks.map((look) => look[figure]).filter((value) => !Number.isNaN(value));

function figuresOf(looks: readonly Look[]): Minute['figures'] {
  return Object.fromEntries(
    FIGURES.flatMap((figure) => {
      const sorted = valuesOf(looks, figure).toSorted((a, b) => a - b);
      if (sorted.length === 0) return [];
      return [[figure, [sorted[0] ?? NaN, sorted[sorted.length >> 1] ?? NaN, sorted.at(-1) ?? NaN]]];
    }),
  );
}

/** `from`: where the second half begins. ms */
function growthsOf(name: string, looks: readonly Look[], from: number): readonly Growth[] {
  const half = looks.filter(({ at }) => at >= from);
  return FIGURES.filter((figure) => figure !== 'active' || valuesOf(looks, figure).length > 0).map((figure) => ({
    name,
    figure,
    growth: growthOf(
      half.map((look) => ({ at: look.at, value: look[figure] })).filter(({ value }) => !Number.isNaN(value)),
    ),
  }));
}

/** By how much a straight line through the looks rises from the first to the last. */
function growthOf(looks: readonly { readonly at: number; readonly value: number }[]): number {
  const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
  const at = mean(looks.map((look) => look.at));
  const value = mean(looks.map((look) => look.value));
  const together = looks.reduce((sum, look) => sum + (look.at - at) * (look.value - value), 0);
  const alone = looks.reduce((sum, look) => sum + (look.at - at) ** 2, 0);
  const [first, last] = [looks[0], looks.at(-1)];
  return first === undefined || last === undefined || alone === 0 ? NaN : (together / alone) * (last.at - first.at);
}
