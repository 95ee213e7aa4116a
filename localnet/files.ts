// Reads and writes the files of the service where somebody else may have prepared the folder: regular files only, never
// through a link, readable by their owner alone. A whole file is written beside its place and moved there.
import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  lstatSync,
  openSync,
  readFileSync,
  renameSync,
  writeFileSync,
  type Stats,
} from 'node:fs';
import path from 'node:path';
import { discard, draftOf } from '../process/leftovers';
import { whyRedirected } from '../process/places';
import { StateFileError } from './state/error';

const MODE = 0o600;
/** Systems without these flags have no such links and pipes. */
const CAREFUL = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** What is at a place, which is no link and a file; undefined where nothing is. Throws StateFileError. */
export function fileAt(place: string): Stats | undefined {
  const stats = lstatSync(place, { throwIfNoEntry: false });
  if (stats !== undefined) requireOwnFile(place, stats);
  return stats;
}

function requireOwnFile(place: string, stats: Stats): void {
  if (stats.isSymbolicLink()) throw new StateFileError(`${place} is a link, which is not followed; remove it.`);
  if (!stats.isFile()) throw new StateFileError(`${place} is not a file; remove it.`);
  // A second name of the same file may lie anywhere.
  if (stats.nlink > 1) throw new StateFileError(`${place} has a second name elsewhere (a hard link); remove it.`);
}

/** Refuses a path that a link in a repository leads out of it. Throws StateFileError. */
export function requireStraightWay(place: string): void {
  const redirected = whyRedirected(place);
  if (redirected !== undefined) throw new StateFileError(`${place} ${redirected}.`);
}

/** Refuses a folder that is a link; one that is not there is fine. Throws StateFileError. */
export function requireFolder(place: string): void {
  const stats = lstatSync(path.resolve(place), { throwIfNoEntry: false });
  if (stats?.isSymbolicLink() === true)
    throw new StateFileError(`${place} is a link, which is not followed; name the folder that it leads to.`);
  if (stats !== undefined && !stats.isDirectory()) throw new StateFileError(`${place} is not a folder.`);
}

/** Opens a file to add to its end, makes it where there is none, and takes it from everybody else. Throws StateFileError. */
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

/** The bytes of a file that is no link. Throws StateFileError. */
export function readOwnFile(place: string): Buffer {
  fileAt(place);
  const file = openSync(place, constants.O_RDONLY | CAREFUL);
  try {
    requireOwnFile(place, fstatSync(file));
    return readFileSync(file);
  } finally {
    closeSync(file);
  }
}

/** Puts a whole file in its place; a file that was there before is replaced, whatever its permissions. Throws StateFileError. */
export function writeWhole(place: string, content: string): void {
  fileAt(place);
  const draft = draftOf(place);
  try {
    writeFileSync(draft, content, { flag: 'wx', mode: MODE });
    renameSync(draft, place);
  } finally {
    discard(draft);
  }
}

/** Puts an empty file in its place and opens it; what was there before keeps its content under its other names. */
export function openEmpty(place: string): number {
  writeWhole(place, '');
  return openToAppend(place);
}

/** Everything that could begin a line, steer a terminal or hide text. */
const CONTROL =
  /[\u0000-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb\p{Surrogate}\u{e0000}-\u{e0fff}]/gu;
/** UTF-16 units of one line of the log. */
const MAX_LINE = 10_000;

/** A text from outside as part of one line of a log, with what is not plain text escaped. */
export function logText(text: string): string {
  const short = text.length > MAX_LINE ? `${text.slice(0, MAX_LINE - 1)}…` : text;
  return short.replace(CONTROL, (char) => {
    const code = (char.codePointAt(0) ?? 0).toString(16);
    return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, '0')}`;
  });
}
