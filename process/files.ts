// Reads and writes files that somebody else may have prepared. Reads regular files only, so that a named pipe or a device
// cannot make the process wait, and no more than a bound. Writes a file next to its place and moves it there, readable
// by its owner alone; a link at the place is refused.
import { constants, lstatSync, statSync, type Stats } from 'node:fs';
import { copyFile, link, mkdir, open, rename, stat, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { sizeLimitText } from '../core/service/fileKinds';
import { discard, draftOf, writeDraft } from './leftovers';
import { whyRedirected } from './places';

/** Why a file was not read or written. `message` follows the file's name: "is a named pipe, not a file". */
export class FileRefused extends Error {
  constructor(
    /** The file system's code, `EEXIST` if the path exists; empty for our own refusal. */
    readonly code: string,
    message: string,
  ) {
    super(message);
    this.name = 'FileRefused';
  }
}

type Verb = 'read' | 'written';

const NO_FOLDER = 'cannot be written, since something on the way to it is not a folder';

const WHY: Readonly<Record<string, (verb: Verb) => string>> = {
  ENOENT: (verb) => (verb === 'read' ? 'is not there' : 'cannot be written, since its folder is not there'),
  ENOTDIR: (verb) => (verb === 'read' ? 'is not there' : NO_FOLDER),
  EEXIST: () => 'is in the place of something else',
  EACCES: (verb) => `may not be ${verb} by you`,
  EPERM: (verb) => `may not be ${verb} by you`,
  EROFS: () => 'is on a disk that takes no changes',
  ENOSPC: () => 'does not fit on the disk',
  EDQUOT: () => 'does not fit into your share of the disk',
  EFBIG: () => 'is larger than a file may be here',
  ELOOP: () => 'is a link that leads nowhere',
  ENAMETOOLONG: () => 'has too long a name',
};

/** The reason of a failure, as a FileRefused. */
export function fileRefused(error: unknown, verb: Verb): FileRefused {
  if (error instanceof FileRefused) return error;
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
  const known = Object.hasOwn(WHY, code) ? WHY[code]?.(verb) : undefined;
  return new FileRefused(code, known ?? `cannot be ${verb}${code === '' ? '' : ` (${code})`}`);
}

/** Names the kind of anything but a regular file; undefined for a regular file. */
export function oddKind(stats: Stats): string | undefined {
  if (stats.isFile()) return undefined;
  if (stats.isDirectory()) return 'a folder';
  if (stats.isFIFO()) return 'a named pipe';
  if (stats.isSocket()) return 'a socket';
  return 'a device';
}

function requireFile(stats: Stats, maxBytes: number): void {
  const kind = oddKind(stats);
  if (kind !== undefined) throw new FileRefused('', `is ${kind}, not a file`);
  if (stats.size > maxBytes) throw new FileRefused('', `is larger than ${sizeLimitText(maxBytes)}`);
}

/** Why `readRegular` would refuse the file, without opening it; undefined if it would not. */
export function whyUnreadable(place: string, maxBytes: number): string | undefined {
  try {
    requireFile(statSync(place), maxBytes);
    return undefined;
  } catch (error) {
    return fileRefused(error, 'read').message;
  }
}

/** Never waits for a writer: undefined on systems that have no such pipes. */
const WITHOUT_WAITING = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0);
const CHUNK = 64 * 1024;

/** The bytes of a regular file, links followed. Throws FileRefused. */
export async function readRegular(place: string, maxBytes: number): Promise<Buffer> {
  let handle: FileHandle | undefined;
  try {
    // Opening a device may do something: it is looked at first, and once more where it cannot be exchanged any more.
    requireFile(await stat(place), maxBytes);
    handle = await open(place, WITHOUT_WAITING);
    const stats = await handle.stat();
    requireFile(stats, maxBytes);
    return await readAll(handle, maxBytes, stats.size);
  } catch (error) {
    throw fileRefused(error, 'read');
  } finally {
    await handle?.close();
  }
}

/** Reads to the end: a file of /proc has no size, and another may grow. */
async function readAll(handle: FileHandle, maxBytes: number, size = 0): Promise<Buffer> {
  const parts: Buffer[] = [];
  for (let bytes = 0; ;) {
    const part = Buffer.allocUnsafe(Math.max(size - bytes + 1, CHUNK));
    const bytesRead = await readSome(handle, part);
    if (bytesRead === 0) return Buffer.concat(parts);
    bytes += bytesRead;
    if (bytes > maxBytes) throw new FileRefused('', `is larger than ${sizeLimitText(maxBytes)}`);
    parts.push(part.subarray(0, bytesRead));
  }
}

/** How long a pipe that has nothing yet is left alone. ms */
const PIPE_PAUSE = 10;

/** Waits for a pipe. A blocking read would occupy a thread that cannot be ended, and keep the process alive. */
async function readSome(handle: FileHandle, part: Buffer): Promise<number> {
  for (;;) {
    try {
      return (await handle.read(part, 0, part.length, null)).bytesRead;
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) throw error;
      await delay(PIPE_PAUSE);
    }
  }
}

/**
 * The text of a file that the user named on the command line, which may also be a pipe, as `<(command)` is. A pipe that
 * nobody writes to is empty. Throws FileRefused.
 */
export async function readGivenText(place: string, maxBytes: number): Promise<string> {
  let handle: FileHandle | undefined;
  try {
    if (!(await stat(place)).isFIFO()) return await readRegularText(place, maxBytes);
    handle = await open(place, WITHOUT_WAITING);
    return (await readAll(handle, maxBytes)).toString('utf8');
  } catch (error) {
    throw fileRefused(error, 'read');
  } finally {
    await handle?.close();
  }
}

/** The text of a regular file. Throws FileRefused. */
export const readRegularText = async (place: string, maxBytes: number): Promise<string> =>
  (await readRegular(place, maxBytes)).toString('utf8');

const EXISTS = new FileRefused('EEXIST', 'exists already');

export interface WriteOptions {
  /** Replaces an existing file. A link, and anything else that is not a file, is refused either way. */
  readonly overwrite: boolean;
  /** Permissions of the new file, less the process's umask. Absent: its owner's alone. */
  readonly mode?: number;
}

/** Why `writeWhole` would refuse the path in its current state; undefined if it would write. */
export function whyUnwritable(place: string, overwrite: boolean): FileRefused | undefined {
  let stats: Stats | undefined;
  try {
    stats = lstatSync(place, { throwIfNoEntry: false });
  } catch (error) {
    return fileRefused(error, 'written');
  }
  if (stats === undefined) return undefined;
  if (stats.isSymbolicLink()) return new FileRefused('', 'is a link; name the file it leads to');
  const kind = oddKind(stats);
  if (kind !== undefined) return new FileRefused('', `is ${kind}, not a file`);
  return overwrite ? undefined : EXISTS;
}

/** Never half a file: written next to its place and moved there. Its folder must exist. Throws FileRefused. */
export async function writeWhole(
  place: string,
  content: string | AsyncIterable<Uint8Array>,
  { overwrite, mode = 0o600 }: WriteOptions,
): Promise<void> {
  const obstacle = whyUnwritable(place, overwrite);
  if (obstacle !== undefined) throw obstacle;
  const draft = draftOf(place);
  try {
    await writeDraft(draft, content, mode);
    // A rename replaces anything that is there, including a link created meanwhile, and follows none.
    if (overwrite) await rename(draft, place);
    else await moveToFree(draft, place);
  } catch (error) {
    const refused = fileRefused(error, 'written');
    throw refused.code === 'EEXIST' ? EXISTS : refused;
  } finally {
    discard(draft);
  }
}

/**
 * Writes a file that the user named. Its name and links elsewhere may be the user's, but no link of a repository leads out
 * of that repository. Throws FileRefused.
 */
export async function writeNamed(
  name: string,
  content: string,
  options: WriteOptions & { readonly makesFolder?: boolean },
): Promise<void> {
  const place = path.resolve(name);
  const redirected = whyRedirected(place);
  if (redirected !== undefined) throw new FileRefused('', redirected);
  if (options.makesFolder === true) await makeFolderOf(place);
  await writeWhole(place, content, options);
}

/** Makes the folder of a file, and those above it. Throws FileRefused. */
export async function makeFolderOf(place: string): Promise<void> {
  try {
    await mkdir(path.dirname(place), { recursive: true });
  } catch (error) {
    const refused = fileRefused(error, 'written');
    // A file is where a folder is to be, or a link that leads nowhere.
    throw refused.code === 'EEXIST' ? new FileRefused('', NO_FOLDER) : refused;
  }
}

/** Moves a file to an unused path, else fails with EEXIST. On file systems without links, makes an exclusive copy. */
async function moveToFree(draft: string, place: string): Promise<void> {
  try {
    await link(draft, place);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') throw error;
    await copyFile(draft, place, constants.COPYFILE_EXCL);
  }
}
