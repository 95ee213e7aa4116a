// Reads and writes the folder of a replay case. The folder is untrusted: reads are bounded and never leave it.
import { existsSync, lstatSync, mkdirSync, realpathSync, renameSync, rmSync } from 'node:fs';
import { readdir, realpath } from 'node:fs/promises';
import path from 'node:path';
import {
  ACCOUNTS_FOLDER,
  CASE_FILE,
  CaseError,
  caseFiles,
  PROGRAMS_FOLDER,
  readCase,
  REQUEST_FILE,
  type CaseFile,
} from '../core/solana/replay/caseFiles';
import type { ReplayCase } from '../core/solana/replay/case';
import { isPublicKey } from '../core/solana/chain/keys';
import { FileRefused, fileRefused, readRegular, whyUnwritable } from './files';
import { discard, draftOf, writeDraft } from './leftovers';
import { isInAny, whyRedirected } from './places';

const MIB = 1024 * 1024;
/** An account of 10 MiB is a third larger in base64. */
const MAX_JSON = 16 * MIB;
const MAX_PROGRAM = 10 * MIB;
/** Of all files of a folder together. */
const MAX_BYTES = 128 * MIB;
const MAX_FILES = 600;

/** Throws CaseError. */
export async function readCaseFolder(folder: string): Promise<ReplayCase> {
  const names = [
    CASE_FILE,
    ...(await namesIn(folder, ACCOUNTS_FOLDER, '.json')),
    ...(await namesIn(folder, PROGRAMS_FOLDER, '.so')),
  ];
  if (names.length > MAX_FILES) throw new CaseError(folder, `it holds more than ${MAX_FILES} files`);
  const files = new Map<string, Uint8Array>();
  let bytes = 0;
  for (const name of names) {
    const content = await contentOf(folder, name);
    bytes += content.length;
    if (bytes > MAX_BYTES) throw new CaseError(folder, `its files are larger than ${MAX_BYTES / MIB} MiB together`);
    files.set(name, content);
  }
  return readCase(files);
}

async function namesIn(folder: string, inside: string, ending: string): Promise<readonly string[]> {
  try {
    const names = await readdir(path.join(folder, inside));
    return names
      .filter((name) => name.endsWith(ending))
      .sort()
      .map((name) => `${inside}/${name}`);
  } catch (error) {
    const refused = fileRefused(error, 'read');
    if (refused.code === 'ENOENT') return [];
    throw new CaseError(inside, refused.message);
  }
}

async function contentOf(folder: string, name: string): Promise<Uint8Array> {
  try {
    const real = await realpath(path.join(folder, name));
    if (!isInAny([folder], real)) throw new FileRefused('', 'is a link that leads out of the folder');
    return await readRegular(real, name.endsWith('.so') ? MAX_PROGRAM : MAX_JSON);
  } catch (error) {
    throw new CaseError(name, fileRefused(error, 'read').message);
  }
}

export interface WriteCaseOptions {
  /** Replaces a case that is there, with its accounts and programs. */
  readonly overwrite: boolean;
  /** Keeps the case from being written as long as it is not complete. */
  readonly signal?: AbortSignal;
}

/**
 * Writes a case completely or not at all: next to its place, then moved there without a pause in which a signal would
 * be handled. Throws CaseError, and the reason of an aborted signal.
 */
export async function writeCaseFolder(
  folder: string,
  replay: ReplayCase,
  { overwrite, signal }: WriteCaseOptions,
): Promise<void> {
  const files = caseFiles(replay);
  const before = await filesBefore(folder, overwrite).catch(failAt(folder));
  const draft = draftIn(folder);
  try {
    makeDraft(folder, draft);
    for (const [name, content] of files) {
      signal?.throwIfAborted();
      await writeDraft(path.join(draft.folder, name), content, 0o666).catch(failAt(path.join(folder, name)));
    }
    signal?.throwIfAborted();
    if (draft.movesTo === undefined) moveFiles(folder, { draft: draft.folder, files, before });
    else moveWhole(draft.root, draft.movesTo);
  } finally {
    discard(draft.root);
  }
}

interface Draft {
  /** The folder that is created for the draft, and removed afterwards. */
  readonly root: string;
  /** Where it has the files of the case. */
  readonly folder: string;
  /** Its place once it is complete; absent if its files are moved into a folder that exists. */
  readonly movesTo?: string;
}

/** Next to the first missing folder of the path, or inside `folder` if it exists. */
function draftIn(folder: string): Draft {
  const place = path.resolve(folder);
  const isThere = existsSync(place);
  const movesTo = isThere ? path.join(place, CASE_FILE) : firstMissing(place);
  const root = draftOf(movesTo);
  return isThere ? { root, folder: root } : { root, folder: path.join(root, path.relative(movesTo, place)), movesTo };
}

function firstMissing(place: string): string {
  for (let at = place; ; at = path.dirname(at)) if (existsSync(path.dirname(at))) return at;
}

/** Its folders are made at once, for the reason of `writeDraft`. */
function makeDraft(folder: string, draft: Draft): void {
  try {
    mkdirSync(draft.root);
    for (const inside of [ACCOUNTS_FOLDER, PROGRAMS_FOLDER])
      mkdirSync(path.join(draft.folder, inside), { recursive: true });
  } catch (error) {
    failAt(folder)(error);
  }
}

function moveWhole(draft: string, place: string): void {
  try {
    renameSync(draft, place);
  } catch (error) {
    failAt(place)(error);
  }
}

interface Move {
  readonly draft: string;
  readonly files: readonly CaseFile[];
  /** Names of files that go unless the case has them again. */
  readonly before: readonly string[];
}

/** Checks every place before it changes the first one. A folder without case.json is not a case, so that file comes last. */
function moveFiles(folder: string, { draft, files, before }: Move): void {
  const names = files.map(([name]) => name).filter((name) => name !== CASE_FILE);
  let at = folder;
  try {
    for (const inside of [ACCOUNTS_FOLDER, PROGRAMS_FOLDER]) {
      at = path.join(folder, inside);
      mkdirSync(at, { recursive: true });
      if (!isInAny([folder], realpathSync(at))) throw new FileRefused('', 'is a link that leads out of the folder');
    }
    for (const name of [...names, CASE_FILE]) {
      at = path.join(folder, name);
      const obstacle = whyUnwritable(at, true);
      if (obstacle !== undefined) throw obstacle;
    }
    for (const name of before) if (!names.includes(name)) rmSync(path.join(folder, name));
    for (const name of [...names, CASE_FILE]) {
      at = path.join(folder, name);
      // A rename replaces anything that is there, including a link created meanwhile, and follows none.
      renameSync(path.join(draft, name), at);
    }
  } catch (error) {
    failAt(at)(error);
  }
}

const failAt =
  (place: string) =>
  (error: unknown): never => {
    throw error instanceof CaseError ? error : new CaseError(place, fileRefused(error, 'written').message);
  };

/** The accounts and programs of the case to replace. Files of no case are never overwritten or removed. */
async function filesBefore(folder: string, overwrite: boolean): Promise<readonly string[]> {
  const place = path.join(folder, CASE_FILE);
  const obstacle = whyRedirected(place) ?? whyUnwritable(place, overwrite)?.message;
  if (obstacle !== undefined) throw new CaseError(place, obstacle);
  const before = [
    ...(await namesIn(folder, ACCOUNTS_FOLDER, '.json')),
    ...(await namesIn(folder, PROGRAMS_FOLDER, '.so')),
  ];
  const isThere = (name: string): boolean =>
    lstatSync(path.join(folder, name), { throwIfNoEntry: false }) !== undefined;
  const [first] = [...before, ...(isThere(REQUEST_FILE) ? [REQUEST_FILE] : [])];
  if (first === undefined) return before;
  if (!isThere(CASE_FILE))
    throw new CaseError(
      path.join(folder, first),
      'is not part of a case, since there is no case.json; name another folder',
    );
  return before.filter((name) => isPublicKey(path.parse(name).name));
}
