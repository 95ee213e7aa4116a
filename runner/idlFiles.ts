// IDLs of a workspace, for the language server and the terminal: finds the files of the configured locations and reads
// them. A file's problems are reported with their places and do not affect the others.
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import type { Result } from '../core/service/errors';
import type { PlacedIdl } from '../core/solana/decode/idl/registry';
import { isPublicKey } from '../core/solana/chain/keys';

/** Default locations of IDLs, relative to the workspace. */
export const IDL_PLACES = ['target/idl/*.json', 'idl/*.json'] as const;

/** More files than these are not read. */
const MAX_FILES = 200;
/** Problems of one file that are reported. */
const MAX_PROBLEMS = 5;
const ALL_FILES = /^(.*?)[\\/]?\*\.json$/;

/** A file, or every JSON file of a folder (`idl/*.json`), and the folder that its path is relative to. */
export interface IdlSource {
  readonly path: string;
  readonly folder: string;
}

export interface IdlReader {
  /** The text of a file; a file outside the workspace is refused. */
  readonly read: (file: IdlSource) => Promise<Result<string>>;
  /** One sentence for each problem. */
  readonly report: (problem: string) => void;
}

/** Of two IDLs of one program the later one wins. */
export async function readIdlFiles(
  places: readonly IdlSource[],
  { read, report }: IdlReader,
): Promise<readonly PlacedIdl[]> {
  const files = (await Promise.all(places.map(filesOf))).flat();
  if (files.length > MAX_FILES) report(`There are ${files.length} IDL files; the first ${MAX_FILES} are read.`);
  if (files.length === 0) return [];
  const { readIdl } = await import('../core/solana/decode/idl/read');
  const found: PlacedIdl[] = [];
  const additional: PlacedIdl[] = [];
  for (const file of files.slice(0, MAX_FILES)) {
    const name = file.path;
    const text = await read(file);
    if (!text.ok) {
      report(`${name}: the file: ${text.error.message}`);
      continue;
    }
    const { idl, additional: others, problems } = readIdl(text.value);
    for (const { place, message } of problems.slice(0, MAX_PROBLEMS)) report(`${name}: ${place}: ${message}`);
    const stem = path.basename(name, '.json');
    const program = isPublicKey(stem) ? stem : idl?.address;
    if (idl === undefined) continue;
    if (program === undefined) report(`${name}: it names no program; call it PROGRAM_ID.json`);
    else found.push({ idl, program });
    additional.push(...others.map((other) => ({ idl: other })));
  }
  // A program's own file takes precedence over another file's description of it.
  return [...additional, ...found];
}

/** The files a location names, relative to the workspace; a missing folder has none. */
async function filesOf({ path: name, folder }: IdlSource): Promise<readonly IdlSource[]> {
  const [, directory] = ALL_FILES.exec(name) ?? [];
  if (directory === undefined) return [{ path: name, folder }];
  const there = path.resolve(folder, directory);
  if (there !== path.resolve(folder) && !there.startsWith(path.resolve(folder) + path.sep)) return [];
  const entries = await readdir(there).catch(() => []);
  return entries
    .filter((entry) => entry.endsWith('.json'))
    .sort()
    .map((entry) => ({ path: path.join(directory, entry), folder }));
}
