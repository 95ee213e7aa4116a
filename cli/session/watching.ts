// `--watch`: runs a command again when a file that it read changes. Waits for the system's word and never polls; a file
// that is replaced by another one counts as changed. Sends no transaction again unless a key is pressed.
import { watch } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { EXIT, UsageError, type ExitCode } from '../exit';
import { escapeLine } from '../terminal';
import { projectMethods, userConfigPath } from './endpoints';
import { STANDARD_INPUT } from './given';
import type { Given } from '../options';

/** What one round read: absolute paths. */
export class ReadFiles {
  readonly paths = new Set<string>();
  /** Whether a request file that appears beside them is one of the round's. */
  takesNew = false;

  add(...paths: readonly string[]): void {
    for (const one of paths) this.paths.add(path.resolve(one));
  }
}

/** `held`: it would have sent a transaction again, and nobody had asked for that. */
export type RoundEnd = ExitCode | 'held';

/** One round; `isAsked`: the user has started it, by the command line or a key. */
export type Round = (isAsked: boolean, read: ReadFiles, signal: AbortSignal) => Promise<RoundEnd>;

/** Editors write a file in several steps. ms */
const SETTLE_MS = 100;
const CTRL_C = '\u0003';

/** Throws UsageError where standard input, which is read once, is needed for each round. */
export function requireFiles(given: Given): void {
  if (given.words.includes(STANDARD_INPUT)) throw new UsageError('--watch follows files; standard input (-) is none.');
  if (given.flag('key-stdin'))
    throw new UsageError('--watch reads keys again for each run: give them in the environment, not with --key-stdin.');
}

/** Adds what every command reads beside request files: configurations, the OpenRPC documents they name, variables. */
export async function readByAll(given: Given, read: ReadFiles): Promise<void> {
  const folder = process.cwd();
  read.add(path.join(folder, 'solana-rpc.json'), userConfigPath(process.env));
  for (const option of ['var-file', 'env-file']) read.add(...given.list(option));
  const kinds = await Promise.all(given.words.map((word) => stat(word).catch(() => undefined)));
  read.takesNew = kinds.some((kind) => kind?.isFile() !== true);
  read.add(...given.words.filter((_, index) => kinds[index]?.isFile() === true));
  read.add(...(await projectMethods(folder)).schemas);
}

/** Ends with Ctrl+C or a signal. Throws UsageError where the first round cannot begin. */
export async function keepRunning(round: Round, signal: AbortSignal): Promise<ExitCode> {
  let known: ReadFiles | undefined;
  let isAsked = true;
  while (!signal.aborted) {
    const read = new ReadFiles();
    const since = Date.now();
    const end = await tried(round, { isAsked, read, signal }, known !== undefined);
    if (signal.aborted) break;
    // A round that could not read everything is started again by what the last one read.
    for (const one of end === undefined ? (known?.paths ?? []) : []) read.add(one);
    read.takesNew ||= known?.takesNew === true;
    known = read;
    const hasKeys = process.stdin.isTTY;
    // Watched first and announced then: whoever reads that it watches may write at once.
    const coming = next(read, since, signal);
    say(
      end === 'held'
        ? `It sends a transaction, which is not repeated by itself${hasKeys ? ': press r to run it' : ''}.`
        : `Watching ${read.paths.size} files${hasKeys ? '; r runs them again' : ''}. Ctrl+C ends.`,
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

/** The next thing that happens; `since`: when the files began to be read, in milliseconds since the epoch. */
async function next(read: ReadFiles, since: number, signal: AbortSignal): Promise<Next> {
  const end = new AbortController();
  const either = AbortSignal.any([signal, end.signal]);
  try {
    return await Promise.race([changeOf(read, since, either), keyPressed(either), aborted(signal)]);
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

/** Folders are watched and not files: what an editor moves into the place of a file is another file. */
async function changeOf(read: ReadFiles, since: number, signal: AbortSignal): Promise<{ readonly changed: string }> {
  const folders = new Map<string, Set<string>>();
  for (const file of read.paths) {
    const names = folders.get(path.dirname(file)) ?? new Set<string>();
    folders.set(path.dirname(file), names.add(path.basename(file)));
  }
  const changed = new Set<string>();
  let wake = (): void => undefined;
  for (const [folder, names] of folders) {
    const counts = (name: string): boolean => names.has(name) || (read.takesNew && name.endsWith('.jsonrpc'));
    try {
      const watcher = watch(folder, { signal }, (_, name) => {
        for (const one of name === null ? names : counts(name) ? [name] : []) changed.add(path.join(folder, one));
        if (changed.size > 0) wake();
      });
      // A folder that goes away has nothing more to say.
      watcher.on('error', () => undefined);
    } catch {
      // There is no such folder: no file of it was read.
    }
  }
  const before = new Map<string, string>();
  for (const file of read.paths) {
    const found = await stateOf(file);
    before.set(file, found.state);
    if (isSince(found.modified, since)) changed.add(file);
  }
  for (const folder of read.takesNew ? folders.keys() : [])
    for (const name of await readdir(folder).catch(() => [])) {
      const file = path.join(folder, name);
      const isNew = name.endsWith('.jsonrpc') && !read.paths.has(file);
      if (isNew && isSince((await stateOf(file)).modified, since)) changed.add(file);
    }
  // What happened meanwhile may be in these states already.
  const [early] = changed;
  if (early !== undefined) return settled(early);
  while (!signal.aborted) {
    if (changed.size === 0) await new Promise<void>((resolve) => (wake = resolve));
    await settled(undefined);
    const names = [...changed];
    changed.clear();
    for (const file of names) {
      const { state, modified } = await stateOf(file);
      if (state !== before.get(file) || isSince(modified, since)) return { changed: file };
    }
  }
  return new Promise(() => undefined);
}

/** After a while without which half of what an editor does would be seen. */
const settled = <File extends string | undefined>(changed: File): Promise<{ readonly changed: File }> =>
  new Promise((resolve) => setTimeout(() => resolve({ changed }), SETTLE_MS));

/** A time in the future is no news: the clocks of two machines differ. */
const isSince = (modified: number, since: number): boolean => modified > since && modified <= Date.now();

async function stateOf(file: string): Promise<{ readonly state: string; readonly modified: number }> {
  const found = await stat(file).catch(() => undefined);
  if (found === undefined) return { state: 'none', modified: 0 };
  return { state: `${found.mtimeMs} ${found.size} ${found.ino}`, modified: found.mtimeMs };
}
