// The folder of a replay case: reads one that somebody else may have made, bounded and without leaving it, and writes one.
import { lstatSync } from 'node:fs';
import { mkdir, readdir, realpath, rm } from 'node:fs/promises';
import path from 'node:path';
import { ACCOUNTS_FOLDER, CASE_FILE, CaseError, caseFiles, PROGRAMS_FOLDER, readCase } from '../core/replay/caseFiles';
import type { ReplayCase } from '../core/replay/case';
import { isPublicKey } from '../core/values/solana/keys';
import { FileRefused, fileRefused, readRegular, whyUnwritable, writeWhole } from './files';
import { isInAny } from './workspaceFiles';

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

/**
 * Writes a case; `overwrite` replaces one that is there, and its accounts and programs with it. Throws CaseError.
 */
export async function writeCaseFolder(folder: string, replay: ReplayCase, overwrite: boolean): Promise<void> {
  let at = folder;
  try {
    const before = await filesBefore(folder, overwrite);
    for (const inside of [ACCOUNTS_FOLDER, PROGRAMS_FOLDER]) {
      at = path.join(folder, inside);
      await mkdir(at, { recursive: true });
      if (!isInAny([folder], await realpath(at))) throw new FileRefused('', 'is a link that leads out of the folder');
    }
    const files = caseFiles(replay);
    const kept = new Set(files.map(([name]) => name));
    for (const name of before) if (!kept.has(name)) await rm(path.join(folder, name));
    for (const [name, content] of files) {
      at = path.join(folder, name);
      await writeWhole(at, pieces(content), { overwrite: true, mode: 0o666 });
    }
  } catch (error) {
    if (error instanceof CaseError) throw error;
    throw new CaseError(at, fileRefused(error, 'written').message);
  }
}

/** The accounts and programs of a case that is to be replaced. Nothing that is no part of a case is overwritten or removed. */
async function filesBefore(folder: string, overwrite: boolean): Promise<readonly string[]> {
  const place = path.join(folder, CASE_FILE);
  const obstacle = whyUnwritable(place, overwrite);
  if (obstacle !== undefined) throw new CaseError(place, obstacle.message);
  const before = [
    ...(await namesIn(folder, ACCOUNTS_FOLDER, '.json')),
    ...(await namesIn(folder, PROGRAMS_FOLDER, '.so')),
  ];
  const [first] = before;
  if (first === undefined) return before;
  if (lstatSync(place, { throwIfNoEntry: false }) === undefined)
    throw new CaseError(
      path.join(folder, first),
      'is no part of a case, since there is no case.json; name another folder',
    );
  return before.filter((name) => isPublicKey(path.parse(name).name));
}

async function* pieces(content: Uint8Array): AsyncIterable<Uint8Array> {
  yield await Promise.resolve(content);
}
