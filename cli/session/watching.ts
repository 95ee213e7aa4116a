// `--watch`: runs a command again when a file that it read changes. Waits for the system's word and never polls; a file
// that is replaced by another one counts as changed. Sends no transaction again unless a key is pressed.
import { existsSync, watch } from 'node:fs';
import path from 'node:path';
import { EXIT, UsageError, type ExitCode } from '../exit';
import { escapeLine } from '../terminal';
import { projectMethods, userConfigPath } from './endpoints';
import { STANDARD_INPUT } from './given';
import { ReadFiles } from './readFiles';
import type { Given } from '../options';

/** `held`: it would have sent a transaction again, and nobody had asked for that. */
export type RoundEnd = ExitCode | 'held';

/** One round; `isAsked`: the user has started it, by the command line or a key. */
export type Round = (isAsked: boolean, read: ReadFiles, signal: AbortSignal) => Promise<RoundEnd>;

/** Editors write a file in several steps. ms */
const SETTLE_MS = 100;
const CTRL_C = '\u0003';

/** Throws UsageError where standard input, which is read once, is needed for each round. */
export function requireFiles(given: Given): void {
  if (given.words.includes(STANDARD_INPUT)) throw new UsageError('--watch needs files, not standard input.');
  if (given.flag('key-stdin'))
    throw new UsageError('--watch reads keys again for each run: give them in the environment, not with --key-stdin.');
}

/** Records what every command reads besides request files: configurations, the OpenRPC documents they name, variables. */
export async function readByAll(given: Given, read: ReadFiles): Promise<void> {
  const folder = process.cwd();
  read.reading(path.join(folder, 'solana-rpc.json'), userConfigPath(process.env));
  for (const option of ['var-file', 'env-file']) read.reading(...given.list(option));
  read.reading(...(await projectMethods(folder)).schemas);
}

/** Ends with Ctrl+C or a signal. Throws UsageError where the first round cannot begin. */
export async function keepRunning(round: Round, signal: AbortSignal): Promise<ExitCode> {
  let known: ReadFiles | undefined;
  let isAsked = true;
  while (!signal.aborted) {
    const read = new ReadFiles();
    const end = await tried(round, { isAsked, read, signal }, known !== undefined);
    if (signal.aborted) break;
    if (known !== undefined) read.addAll(known, end !== undefined);
    known = read;
    const hasKeys = process.stdin.isTTY;
    // Watches before it says so: a reader of that line may write at once.
    const coming = next(read, signal);
    say(
      end === 'held'
        ? `It sends a transaction, which is not repeated by itself${hasKeys ? ': press r to run it' : ''}.`
        : `Watching ${read.count} files${hasKeys ? '; r runs them again' : ''}. Ctrl+C ends.`,
    );
    const event = await coming;
    if (event === 'interrupt') break;
    isAsked = event === 'key';
    if (event !== 'key') say(`${escapeLine(path.relative('', event.changed))} changed.`);
    if (isAsked || end !== 'held') clearScreen();
  }
  return EXIT.interrupted;
}

const say = (text: string): void => void process.stderr.write(`${text}\n`);

function clearScreen(): void {
  const { stdout, env } = process;
  if (stdout.isTTY && env['TERM'] !== 'dumb') stdout.write('\u001b[2J\u001b[3J\u001b[H');
}

/** A mistake in a file that is being written is said; it is not the end. Undefined then, and for a round that was interrupted. */
async function tried(
  round: Round,
  { isAsked, read, signal }: { readonly isAsked: boolean; readonly read: ReadFiles; readonly signal: AbortSignal },
  isLater: boolean,
): Promise<RoundEnd | undefined> {
  try {
    return await round(isAsked, read, signal);
  } catch (error) {
    if (signal.aborted && error === signal.reason) return undefined;
    if (!(error instanceof UsageError) || !isLater) throw error;
    say(error.message);
    return undefined;
  }
}

type Next = 'key' | 'interrupt' | { readonly changed: string };

/** The next thing that happens. */
async function next(read: ReadFiles, signal: AbortSignal): Promise<Next> {
  const end = new AbortController();
  const either = AbortSignal.any([signal, end.signal]);
  try {
    return await Promise.race([changeOf(read, either), keyPressed(either), aborted(signal)]);
  } finally {
    end.abort();
  }
}

const aborted = (signal: AbortSignal): Promise<'interrupt'> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve('interrupt');
    signal.addEventListener('abort', () => resolve('interrupt'), { once: true });
  });

/** `r`, or Ctrl+C, which a terminal whose keys are read one by one hands on like any other. */
function keyPressed(signal: AbortSignal): Promise<'key' | 'interrupt'> {
  const { stdin } = process;
  if (!stdin.isTTY) return new Promise(() => undefined);
  return new Promise((resolve) => {
    const take = (part: Buffer): void => {
      const text = part.toString();
      if (text.includes(CTRL_C)) resolve('interrupt');
      else if (/r/i.test(text)) resolve('key');
    };
    stdin.setRawMode(true).on('data', take).resume();
    signal.addEventListener(
      'abort',
      () => {
        stdin.off('data', take).pause();
        stdin.setRawMode(false);
      },
      { once: true },
    );
  });
}

async function changeOf(read: ReadFiles, signal: AbortSignal): Promise<{ readonly changed: string }> {
  let coming = eventAt(read, signal);
  // Changes made during the round.
  const early = read.changed();
  if (early !== undefined) {
    await settled();
    return { changed: early };
  }
  for (;;) {
    await coming;
    await settled();
    coming = eventAt(read, signal);
    const changed = read.changed();
    if (changed !== undefined) return { changed };
  }
}

/** After a while without which half of what an editor does would be seen. */
const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, SETTLE_MS));

/** Until something happens to one of the files. */
async function eventAt(read: ReadFiles, signal: AbortSignal): Promise<void> {
  const end = new AbortController();
  const either = AbortSignal.any([signal, end.signal]);
  await new Promise<void>((resolve) => {
    for (const folder of read.folders) watchFolder(folder, (file) => read.has(file), either, resolve);
  });
  end.abort();
}

/**
 * Folders are watched and not files: what an editor moves into the place of a file is another file. Where there is no such
 * folder, the nearest above it is watched until the next on the way is there.
 */
function watchFolder(
  folder: string,
  counts: (file: string) => boolean,
  signal: AbortSignal,
  happened: () => void,
): void {
  let missing: string | undefined;
  for (let at = folder; ; at = path.dirname(at)) {
    const next = missing;
    const isNews = (file: string): boolean => (next === undefined ? counts(file) : file === next);
    try {
      const watcher = watch(at, { signal }, (_, name) => {
        // Its own name: it was moved or removed itself.
        if (name === null || name === path.basename(at) || isNews(path.join(at, name))) happened();
      });
      watcher.on('error', happened);
      // It may have been made before it was watched for.
      if (next !== undefined && existsSync(next)) happened();
      return;
    } catch (error) {
      if (!isAbsent(error) || path.dirname(at) === at) return;
      missing = at;
    }
  }
}

const isAbsent = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');
