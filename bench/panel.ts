// P10 and P11: the panel of a stream of 50,000 updates a second, at the built language server, with a load generator and a
// window in separate processes (bench/panel/), and in a real editor. Puts what the window saw into rows.
import path from 'node:path';
import { RING_LIMITS } from '../runner/streams/bounds';
import { median, node, ratioOf, type Measured } from './measure';
import type { PanelSeen, PausedSeen } from './panel/child';
import type { EditorSeen } from './panel/editor';
import { root } from './root';

const child = path.join(root, 'out', 'panel', 'child.mjs');
const see = async <T>(way: 'panel' | 'paused'): Promise<T> => JSON.parse(await node([child, way])) as T;

/** The load generator keeps its pace to this part, or what was measured was something else. */
const KEPT_PACE = 0.98;
const ms = (rounds: readonly number[]): string => `${median(rounds).toFixed(1)} ms`;
const megabytes = (bytes: number): number => Math.round(bytes / 1_000_000);
const thousands = (count: number): string => count.toLocaleString('en');

export async function measurePanel(): Promise<readonly Measured[]> {
  const seen = await see<PanelSeen>('panel');
  const { pace, ours, oneByOne, completion, quiet } = seen;
  const row = (name: string, figure: Pick<Measured, 'figure' | 'unit'>, atMost: number, note: string): Measured => ({
    goal: 'P10',
    name,
    ...figure,
    bound: { atMost },
    note,
  });
  const tenths = (figure: number, unit: string): Pick<Measured, 'figure' | 'unit'> => ({
    figure: Math.round(figure * 10) / 10,
    unit,
  });
  return [
    {
      goal: 'P10',
      name: 'updates sent while the panel was looked at',
      figure: Math.round(seen.rate),
      unit: '/s',
      bound: { atLeast: pace * KEPT_PACE },
      note: `of ${thousands(pace)}; the load generator took ${(seen.generatorBusy * 100).toFixed(0)} % of a core`,
    },
    row('messages to the panel, in its busiest second', tenths(seen.busiest, '/s'), 25, 'ticks and answers'),
    row('messages while it is hidden', tenths(seen.whileHidden, 'messages'), 0, 'in 5 s'),
    row(
      "the receiver's processor time, to a message for each update",
      { figure: ratioOf(ours, oneByOne) },
      0.15,
      `${median(ours).toFixed(2)} µs to ${median(oneByOne).toFixed(2)} µs an update`,
    ),
    row(
      'delays of the thread that answers the editor, p99',
      tenths(median(completion.lagP99), 'ms'),
      20,
      `${ms(quiet.lagP99)} with no updates, in the same run`,
    ),
    row(
      'completion at a letter typed meanwhile, p99',
      tenths(median(completion.p99), 'ms'),
      50,
      `median ${ms(completion.median)}; ${ms(quiet.p99)} (median ${ms(quiet.median)}) with no updates, in the same run`,
    ),
    countRow('P10', seen),
  ];
}

export async function measurePaused(): Promise<readonly Measured[]> {
  const seen = await see<PausedSeen>('paused');
  return [
    {
      goal: 'P11',
      name: 'memory of the server that grows while the panel is paused',
      figure: megabytes(seen.after - seen.before),
      unit: 'MB',
      bound: { atMost: 50 },
      note: `${(seen.pausedMs / 1_000).toFixed(0)} s, from ${megabytes(seen.before)} MB to ${megabytes(seen.after)} MB at the most`,
    },
    countRow('P11', seen),
  ];
}

/** In a real editor, which has the same cores as everything else here: how long completions took is shown, not judged. */
export async function measurePanelInEditor(): Promise<readonly Measured[]> {
  const script = path.join(root, 'bench', 'panel', 'editor.ts');
  const seen = JSON.parse(await node(['--import', 'tsx', script])) as EditorSeen;
  const { sent, counted, dropped, memory } = seen;
  const goal = 'P10-editor';
  const lasted = `${(seen.lastedMs / 1_000).toFixed(0)} s, ${thousands(sent)} updates sent`;
  return [
    {
      goal,
      name: 'messages to the panel',
      figure: Math.round(seen.messages),
      unit: '/s',
      bound: { atMost: 25 },
      note: lasted,
    },
    {
      goal,
      name: 'looks at the panel that found other rows than before',
      figure: seen.changes,
      unit: 'looks',
      bound: { atLeast: seen.looks },
      note: 'one with each word that was typed',
    },
    {
      goal,
      name: 'updates that the panel does not count',
      figure: Math.abs(sent - counted),
      unit: 'updates',
      bound: { atMost: 0 },
      note: `${thousands(counted)} counted, ${thousands(dropped)} of them dropped`,
    },
    {
      goal,
      name: 'updates that it neither keeps nor counts as dropped',
      figure: Math.abs(counted - dropped - RING_LIMITS.rows),
      unit: 'updates',
      bound: { atMost: 0 },
      note: `the ring keeps ${thousands(RING_LIMITS.rows)}`,
    },
    {
      goal,
      name: 'memory of the server that grows once its ring is full',
      ...(memory !== undefined && { figure: megabytes(memory.most - memory.before) }),
      unit: 'MB',
      bound: { atMost: 50 },
      note: memory === undefined ? 'the system does not report it' : `from ${megabytes(memory.before)} MB`,
    },
    {
      goal,
      name: 'from the last letter to its completions on the screen',
      figure: Math.round(median(seen.completions)),
      unit: 'ms',
      note: `median of ${seen.completions.length}; editor, browser, server and load on the same cores`,
    },
  ];
}

/** Every update that was sent is kept or was dropped and counted. */
function countRow(
  goal: string,
  { sent, counted, dropped, kept }: Pick<PausedSeen, 'sent' | 'counted' | 'dropped' | 'kept'>,
): Measured {
  return {
    goal,
    name: 'updates that are neither kept nor counted as dropped',
    figure: Math.abs(sent - counted) + Math.abs(sent - kept - dropped),
    unit: 'updates',
    bound: { atMost: 0 },
    note: `${thousands(sent)} sent, ${thousands(kept)} kept, ${thousands(dropped)} dropped`,
  };
}
