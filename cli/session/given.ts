// The request files that a command line names: files, folders, patterns (also where the shell expands none) and standard
// input.
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { FILE_BYTES } from '../../core/service/fileKinds';
import { UsageError } from '../exit';
import { escapeLine } from '../terminal';
import type { ReadFiles } from './readFiles';

/** One of them; `text` if it does not come from a file of that name. */
export interface GivenFile {
  readonly name: string;
  readonly text?: string;
}

export const STANDARD_INPUT = '-';

const REQUEST_FILE = '.jsonrpc';
const MAGIC = /[*?]/;
const TOO_LONG = 'Standard input is larger than a request file may be.';
/** More files than anyone means are a mistake, such as a pattern over a home folder. */
const MAX_FILES = 10_000;

/**
 * In the order given, each file once; `read` records each folder before it is listed. Throws UsageError for a folder or a
 * pattern that names none.
 */
export async function givenFiles(
  words: readonly string[],
  stdin: AsyncIterable<Buffer>,
  read?: ReadFiles,
): Promise<readonly GivenFile[]> {
  const found = new Map<string, GivenFile>();
  for (const word of words) {
    if (word === STANDARD_INPUT) {
      if (!found.has(word)) found.set(word, { name: word, text: await readAll(stdin, FILE_BYTES.request, TOO_LONG) });
      continue;
    }
    for (const name of await namesOf(word, read))
      if (!found.has(path.resolve(name))) found.set(path.resolve(name), { name });
  }
  return [...found.values()];
}

async function namesOf(word: string, read: ReadFiles | undefined): Promise<readonly string[]> {
  const known = await stat(word).catch(() => undefined);
  if (known?.isDirectory() === true) {
    const names = await filesIn(word, (name) => name.endsWith(REQUEST_FILE), read);
    if (names.length === 0) throw new UsageError(`${escapeLine(word)} holds no ${REQUEST_FILE} file.`);
    return names;
  }
  // A file whose name looks like a pattern is that file.
  if (known !== undefined || !MAGIC.test(word)) return [word];
  const { folder, pattern } = splitPattern(word);
  const names = await filesIn(folder, (name) => pattern.test(name), read);
  if (names.length === 0) throw new UsageError(`No file matches ${escapeLine(word)}.`);
  return names;
}

/**
 * A pattern as the folder that it begins in, and what matches the path from there, which has forward slashes. Windows takes
 * both slashes, and `C:` alone is another folder than `C:/` there; `paths` is that of another platform in tests.
 */
export function splitPattern(
  word: string,
  paths: path.PlatformPath = path,
): { readonly folder: string; readonly pattern: RegExp } {
  const segments = word.replaceAll(paths.sep, '/').split('/');
  const fixed = segments.findIndex((segment) => MAGIC.test(segment));
  const folder = segments.slice(0, fixed).join('/');
  const isRoot = fixed === 1 && (segments[0] === '' || (paths.sep === '\\' && /^[A-Za-z]:$/.test(folder)));
  const pattern = patternOf(segments.slice(fixed).join('/'));
  return { folder: isRoot ? `${folder}/` : folder === '' ? '.' : folder, pattern };
}

/** `*` and `?` stay within a name, `**` goes through folders. */
function patternOf(glob: string): RegExp {
  const source = glob.replace(/\*\*\/|\*+|\?|[.+^${}()|[\]\\]/g, (part) => {
    if (part === '**/') return '(?:[^/]+/)*';
    if (part === '**') return '.*';
    if (part.startsWith('*')) return '[^/]*';
    return part === '?' ? '[^/]' : `\\${part}`;
  });
  return new RegExp(`^${source}$`);
}

/**
 * Regular files below a folder whose path from there is wanted, sorted; links, dot-folders and node_modules are left out.
 */
async function filesIn(
  folder: string,
  isWanted: (name: string) => boolean,
  read: ReadFiles | undefined,
): Promise<readonly string[]> {
  const names: string[] = [];
  const pending = [''];
  for (let below = pending.shift(); below !== undefined; below = pending.shift()) {
    const from = (name: string): string => (below === '' ? name : `${below}/${name}`);
    read?.listing(path.join(folder, below), (name) => isWanted(from(name)));
    const entries = await readdir(path.join(folder, below), { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      const name = from(entry.name);
      if (entry.isDirectory() && !entry.name.startsWith('.') && entry.name !== 'node_modules') pending.push(name);
      if (entry.isFile() && isWanted(name)) names.push(path.join(folder, name));
    }
    if (names.length > MAX_FILES)
      throw new UsageError(`${escapeLine(folder)} holds more than ${MAX_FILES} such files.`);
  }
  return names.sort();
}

/** The text of a stream of at most so many bytes. Throws UsageError with `refusal` for a longer one. */
export async function readAll(
  pieces: AsyncIterable<string | Uint8Array>,
  most: number,
  refusal: string,
): Promise<string> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const piece of pieces) {
    bytes += piece.length;
    if (bytes > most) throw new UsageError(refusal);
    parts.push(typeof piece === 'string' ? Buffer.from(piece) : Buffer.from(piece));
  }
  return Buffer.concat(parts).toString('utf8');
}
