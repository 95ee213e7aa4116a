// Kills our processes while they work, again and again, and collects failures: orphans, half-written files, lost data
// and processes that do not end. The moments are picked by chance, the same for the same seed, or are named events.
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { descendantsOf, isRunning } from '../../../support/process/processes';
import { chance } from '../fuzz-random';

/** One start of a process, with its work under way. */
export interface Life {
  /** Resolves once its work has begun. */
  readonly underWay: Promise<unknown>;
  /** Resolves in the middle of a large answer, whose rest waits for the end. It is asked for right after the start. */
  readonly inTheMiddle?: () => Promise<unknown>;
  /**
   * Ends it: at once and without a word, or as a person would. What must not be, a sentence each. `had ended`: it was over
   * before.
   */
  end(isPolite: boolean): Promise<readonly string[] | 'had ended'>;
}

/** A target in its folder. What a life leaves is there for the next one. */
export interface Scene {
  /** `round`: from 1. */
  start(round: number): Promise<Life>;
  /** After the last kill: everything works, and nothing is left over. What must not be, a sentence each. */
  finish(): Promise<readonly string[]>;
  /** Ends and removes everything; it may have been ended in the middle. */
  close(): Promise<void>;
}

export interface Target {
  /** The work in progress when the process is killed. */
  readonly what: string;
  /** The latest moment after a start, and after its work has begun. ms */
  readonly latestMs: number;
  readonly workMs: number;
  /** `folder` is empty, and is removed afterwards. */
  readonly open: (folder: string, ends: Ends) => Promise<Scene>;
}

export interface KillsReport {
  /** Ends so far, of which some were polite, and some came too late. */
  readonly kills: number;
  readonly polite: number;
  readonly late: number;
  readonly failures: readonly string[];
}

/** One end in so many is polite, and one comes at a moment after the start, with or without work. */
const POLITE = 4;
const EARLY = 3;
/** More failures say nothing more. */
const ENOUGH = 20;

/** `onKill` gets the report after each end. */
export async function killAgain(
  target: Target,
  { kills, seed }: { readonly kills: number; readonly seed: number },
  onKill: (report: KillsReport) => void = () => undefined,
): Promise<KillsReport> {
  const random = chance(seed);
  const failures: string[] = [];
  let [done, polite, late] = [0, 0, 0];
  const report = (): KillsReport => ({ kills: done, polite, late, failures: failures.slice(0, ENOUGH) });
  await inScene(target, new Ends(ENDS_MS), async (scene) => {
    while (done < kills && failures.length < ENOUGH) {
      const [isEarly, isPolite] = [random.once(EARLY), random.once(POLITE)];
      const moment = random.below(isEarly ? target.latestMs : target.workMs);
      const life = await scene.start(done + 1);
      if (!isEarly) await Promise.race([life.underWay, pause(ENDS_MS, undefined, { ref: false })]);
      await pause(moment);
      const found = await life.end(isPolite);
      done++;
      if (isPolite) polite++;
      if (found === 'had ended') late++;
      else
        failures.push(
          ...found.map((what) => `end ${done}, ${moment} ms after its ${isEarly ? 'start' : 'first request'}: ${what}`),
        );
      onKill(report());
    }
    failures.push(...(await scene.finish()).map((what) => `after the last end: ${what}`));
  });
  return report();
}

/** One end at a named event. */
export interface NamedEnd {
  readonly at: 'underWay' | 'inTheMiddle';
  readonly isPolite: boolean;
}

/** Ends a life at each of these events, however long they take to come. What must not be, a sentence each. */
export async function killAt(target: Target, named: readonly NamedEnd[]): Promise<readonly string[]> {
  const failures: string[] = [];
  await inScene(target, new Ends(Number.POSITIVE_INFINITY), async (scene) => {
    for (const [index, { at, isPolite }] of named.entries()) {
      const life = await scene.start(index + 1);
      await (at === 'underWay' ? life.underWay : life.inTheMiddle?.());
      const found = await life.end(isPolite);
      const what = found === 'had ended' ? ['it had ended before'] : found;
      failures.push(...what.map((each) => `end ${index + 1}, ${at}: ${each}`));
    }
    failures.push(...(await scene.finish()).map((what) => `after the last end: ${what}`));
  });
  return failures;
}

async function inScene(target: Target, ends: Ends, act: (scene: Scene) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'kills-'));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  process.once('exit', remove);
  const scene = await target.open(folder, ends);
  try {
    await act(scene);
  } finally {
    await scene.close();
    process.off('exit', remove);
    remove();
  }
}

/** How long a process may take to end after a polite signal, or after its parent, among hundreds of ends. ms */
const ENDS_MS = 20_000;
const LOOK_EVERY_MS = 20;

/** Waits for ends that have to come: for so long, or for as long as the test may take. */
export class Ends {
  constructor(private readonly patienceMs: number) {}

  /** Whether it came true in time. */
  until(holds: () => boolean | Promise<boolean>): Promise<boolean> {
    return until(holds, this.patienceMs);
  }

  /** Ends a process, and waits for the end of all that it started. */
  async process(pid: number, isPolite: boolean): Promise<readonly string[] | 'had ended'> {
    if (!isRunning(pid)) return 'had ended';
    // Stopped, it starts nothing between the look and the kill.
    if (!isPolite) process.kill(pid, 'SIGSTOP');
    const started = descendantsOf(pid);
    process.kill(pid, isPolite ? 'SIGTERM' : 'SIGKILL');
    const failures: string[] = [];
    if (!(await this.until(() => !isRunning(pid)))) {
      process.kill(pid, 'SIGKILL');
      failures.push(`it did not end within ${this.patienceMs} ms`);
    }
    for (const { pid: child, cmdline } of started) {
      if (await this.until(() => !isRunning(child))) continue;
      process.kill(child, 'SIGKILL');
      failures.push(`an orphan: ${cmdline.slice(0, 200)}`);
    }
    return failures;
  }
}

/** Whether it came true in time. */
export async function until(holds: () => boolean | Promise<boolean>, ms = ENDS_MS): Promise<boolean> {
  for (const end = performance.now() + ms; performance.now() < end;) {
    if (await holds()) return true;
    await pause(LOOK_EVERY_MS);
  }
  return holds();
}
