// The kept runs as the History view groups them: by day, then by file, the newest first. Pure.
import { unescaped } from '../../core/service/providers/urlText';
import type { ExecuteOutcome, KeptResponse } from '../../protocol/lsp';
import type { Translate } from '../shared/words';
import { dotted } from '../../core/solana/common/dotted';

export type KeptRun = ExecuteOutcome & { readonly response: KeptResponse };

export type HistoryRun = KeptRun & {
  /** `unfinished`: its end is not known here. */
  readonly state: 'running' | 'unfinished' | 'passed' | 'failed';
};

export interface HistoryFile {
  readonly uri: string;
  readonly runs: readonly HistoryRun[];
  /** The same, with those together that were sent together. */
  readonly entries: readonly HistoryEntry[];
}

/** One response, or those of a run of the whole file: the first request first. */
export type HistoryEntry =
  | { readonly kind: 'run'; readonly run: HistoryRun }
  | { readonly kind: 'together'; readonly id: string; readonly runs: readonly HistoryRun[] };

export interface HistoryDay {
  /** Midnight of its begin where the user is, in Unix milliseconds. */
  readonly start: number;
  readonly files: readonly HistoryFile[];
}

/** `runs`: the newest first. A file is placed by its newest run of the day. */
export function groupRuns(runs: readonly HistoryRun[]): readonly HistoryDay[] {
  const days = new Map<number, Map<string, HistoryRun[]>>();
  for (const run of runs) {
    const start = startOfDay(run.response.at);
    const files = days.get(start) ?? new Map<string, HistoryRun[]>();
    days.set(start, files);
    const kept = files.get(run.uri) ?? [];
    files.set(run.uri, kept);
    kept.push(run);
  }
  return [...days].map(([start, files]) => ({
    start,
    files: [...files].map(([uri, of]) => ({ uri, runs: of, entries: entriesOf(of) })),
  }));
}

/** A run of several requests is where its newest response is. */
function entriesOf(runs: readonly HistoryRun[]): readonly HistoryEntry[] {
  const members = new Map<string, HistoryRun[]>();
  for (const run of runs)
    if (run.together !== undefined) members.set(run.together, [run, ...(members.get(run.together) ?? [])]);
  const grouped = new Set<string>();
  return runs.flatMap((run): HistoryEntry[] => {
    const id = run.together;
    const together = id === undefined ? undefined : members.get(id);
    if (id === undefined || together === undefined || together.length < 2) return [{ kind: 'run', run }];
    if (grouped.has(id)) return [];
    grouped.add(id);
    return [{ kind: 'together', id, runs: together }];
  });
}

const startOfDay = (at: number): number => new Date(at).setHours(0, 0, 0, 0);

/** How far a day lies back from another, in days; clocks that are changed in between do not count. */
export const daysBack = (start: number, now: number): number => Math.round((startOfDay(now) - start) / 86_400_000);

/** How many responses a row holds: only those that are kept, which need not be all that were sent. */
export const responsesText = (count: number, t: Translate): string =>
  count === 1 ? t('1 response') : t('{0} responses', count);

export const stateText = (state: HistoryRun['state'], t: Translate): string =>
  ({ running: t('running'), unfinished: t('not finished'), passed: t('passed'), failed: t('failed') })[state];

/** The state of a run of several requests: the first of these that one of them has. */
export function togetherState(runs: readonly HistoryRun[]): HistoryRun['state'] {
  const states = ['running', 'failed', 'unfinished'] as const;
  return states.find((state) => runs.some((run) => run.state === state)) ?? 'passed';
}

/** The responses of a run of several requests, and how many of them failed or are still running. */
export function togetherText(runs: readonly HistoryRun[], t: Translate): string {
  const count = (state: HistoryRun['state']): number => runs.filter((run) => run.state === state).length;
  const failed = count('failed');
  const running = count('running');
  const parts = [
    responsesText(runs.length, t),
    failed === 0 ? '' : t('{0} failed', failed),
    running === 0 ? '' : t('{0} running', running),
  ];
  return dotted(parts);
}

/** The last part of a file's URI, as people know it; of a file without a folder, what follows the scheme. */
export function fileName(uri: string): string {
  return unescaped(
    uri
      .replace(/^[\w+.-]+:/, '')
      .split('/')
      .at(-1) ?? uri,
  );
}
