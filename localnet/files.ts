// Reads and writes the files of the service where somebody else may have prepared the folder: regular files only, never
// through a link, readable by their owner alone. A whole file is written next to its place and moved there.
import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  linkSync,
  lstatSync,
  openSync,
  readSync,
  renameSync,
  writeFileSync,
  type Stats,
} from 'node:fs';
import path from 'node:path';
import { shortened } from '../core/solana/common/ends';
import { replaceUnseen } from '../core/solana/common/unseen';
import { discard, draftOf } from '../process/leftovers';
import { whyRedirected } from '../process/places';
import { StateFileError } from './state/error';

const MODE = 0o600;
/** Bytes that are read at once. */
const READ_BYTES = 1024 * 1024;
/** Systems without these flags have no such links and pipes. */
const CAREFUL = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** The regular file at a path; undefined if nothing is there. Throws StateFileError for a link or anything but a file. */
export function fileAt(place: string): Stats | undefined {
  const stats = lstatSync(place, { throwIfNoEntry: false });
  if (stats !== undefined) requireOwnFile(place, stats);
  return stats;
}

function requireOwnFile(place: string, stats: Stats, mayHaveNames = false): void {
  if (stats.isSymbolicLink()) throw new StateFileError(`${place} is a link, which is not followed; remove it.`);
  if (!stats.isFile()) throw new StateFileError(`${place} is not a file; remove it.`);
  // A second name of the same file may lie anywhere.
  if (stats.nlink > 1 && !mayHaveNames)
    throw new StateFileError(`${place} has a second name elsewhere (a hard link); remove it.`);
}

/** Refuses a path that a link in a repository leads out of it. Throws StateFileError. */
export function requireStraightWay(place: string): void {
  const redirected = whyRedirected(place);
  if (redirected !== undefined) throw new StateFileError(`${place} ${redirected}.`);
}

/** Refuses a folder that is a link; the folder may be missing. Throws StateFileError. */
export function requireFolder(place: string): void {
  const stats = lstatSync(path.resolve(place), { throwIfNoEntry: false });
  if (stats?.isSymbolicLink() === true)
    throw new StateFileError(`${place} is a link, which is not followed; name the folder that it leads to.`);
  if (stats !== undefined && !stats.isDirectory()) throw new StateFileError(`${place} is not a folder.`);
}

/** Opens a file for appending, creates it if missing, and makes it private to its owner. Throws StateFileError. */
export function openToAppend(place: string): number {
  fileAt(place);
  const file = openSync(place, constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | CAREFUL, MODE);
  try {
    requireOwnFile(place, fstatSync(file));
    fchmodSync(file, MODE);
    return file;
  } catch (error) {
    closeSync(file);
    throw error;
  }
}

/**
 * Opens a file that is not a link to read from it, and closes it again. A lock `mayHaveNames`: it has a second one while it
 * is being made. Throws StateFileError.
 */
export function withOwnFile<T>(place: string, read: (file: number, size: number) => T, mayHaveNames = false): T {
  requireOwnFile(place, lstatSync(place), mayHaveNames);
  const file = openSync(place, constants.O_RDONLY | CAREFUL);
  try {
    const stats = fstatSync(file);
    requireOwnFile(place, stats, mayHaveNames);
    return read(file, stats.size);
  } finally {
    closeSync(file);
  }
}

/** Fills a buffer with what a file has from a place on, or from where it was read to; answers with how many bytes it has. */
export function fillFromFile(file: number, piece: Buffer, at: number | null): number {
  let filled = 0;
  while (filled < piece.length) {
    const more = readSync(file, piece, filled, piece.length - filled, at === null ? null : at + filled);
    if (more === 0) break;
    filled += more;
  }
  return filled;
}

/** The bytes of a file that the user named, which may be a pipe: no more than `most` are read. Throws if it has more. */
export function readUpTo(place: string, most: number): Buffer {
  const file = openSync(place, 'r');
  try {
    const pieces: Buffer[] = [];
    for (let length = 0; length <= most;) {
      const piece = Buffer.alloc(Math.min(READ_BYTES, most + 1 - length));
      const filled = fillFromFile(file, piece, null);
      pieces.push(piece.subarray(0, filled));
      length += filled;
      if (filled < piece.length) return Buffer.concat(pieces);
    }
    throw new Error(`it is larger than ${most / 1024 ** 2} MiB`);
  } finally {
    closeSync(file);
  }
}

/** Writes a whole file; replaces an existing one regardless of its permissions. Throws StateFileError. */
export function replaceFile(place: string, content: string): void {
  fileAt(place);
  replaceWhole(place, content);
}

/** As `replaceFile`, over anything but a folder; what was there before keeps its content under its other names. */
export function replaceWhole(place: string, content: string): void {
  throughDraft(place, content, (draft) => renameSync(draft, place));
}

/**
 * Makes a whole file where there is nothing; false if there is something, which stays as it is. It is never seen half
 * written, except where the file system has no hard links.
 */
export function createWhole(place: string, content: string | Uint8Array): boolean {
  return throughDraft(place, content, (draft) => {
    try {
      return isMade(() => linkSync(draft, place));
    } catch {
      return isMade(() => writeFileSync(place, content, { flag: 'wx', mode: MODE }));
    }
  });
}

function throughDraft<T>(place: string, content: string | Uint8Array, move: (draft: string) => T): T {
  const draft = draftOf(place);
  try {
    writeFileSync(draft, content, { flag: 'wx', mode: MODE });
    return move(draft);
  } finally {
    discard(draft);
  }
}

function isMade(make: () => void): boolean {
  try {
    make();
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}

/** Puts an empty file in its place and opens it; what was there before keeps its content under its other names. */
export function openEmpty(place: string): number {
  replaceFile(place, '');
  return openToAppend(place);
}

/** UTF-16 units of one line of the log. */
const MAX_LINE = 10_000;

/** A text from outside as part of one line of a log, with what is not plain text escaped. */
export function logText(text: string): string {
  return replaceUnseen(shortened(text, MAX_LINE), (char) => {
    const code = (char.codePointAt(0) ?? 0).toString(16);
    return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, '0')}`;
  });
}
