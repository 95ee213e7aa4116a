// Files of the terminal: request files with their imports, and the file port of a run. The workspace is the working
// directory; every path of a file is resolved through its links before it is read or written, and stays inside.
import { randomUUID } from 'node:crypto';
import {
  constants,
  copyFile,
  link,
  lstat,
  mkdir,
  open,
  readFile,
  realpath,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import path from 'node:path';
import { parseDocument } from '../core/document/document';
import { failed, ok } from '../core/errors';
import { piecesOf } from '../core/response/stored';
import { escapeLine } from './terminal';
import { UsageError } from './exit';
import type { RequestDocument } from '../core/document/model';
import type { ImportPort } from '../core/document/variables';
import type { Result, ServiceError } from '../core/errors';
import type { FilePort } from '../runner/ports';

/** A request file, and a file that `{{$file}}` inserts, is at most this many bytes. */
const MAX_BYTES = 32 * 1024 * 1024;

const refusal = (message: string, hint?: string): ServiceError => ({
  kind: 'invalidRequest',
  message,
  ...(hint === undefined ? {} : { hint }),
});

export interface Loaded {
  /** In the order given; `uri` is the path as it was given. */
  readonly files: readonly RequestDocument[];
  readonly imports: ImportPort;
}

/** The text of a file that an editor has open, by its absolute path. */
export type OpenText = (file: string) => string | undefined;

/**
 * Reads the files and everything they import; the text of one that is open comes before what is on disk. Throws
 * UsageError for a file that is not there.
 */
export async function loadFiles(
  paths: readonly string[],
  root: string,
  openText: OpenText = () => undefined,
): Promise<Loaded> {
  const documents = new Map<string, RequestDocument>();
  const files: RequestDocument[] = [];
  for (const name of paths) {
    const text = openText(path.resolve(name)) ?? (await readGiven(name));
    const document = parseDocument(name, 1, text);
    documents.set(path.resolve(name), document);
    files.push(document);
  }
  const port = createFilePort(root, openText);
  const pending = [...files];
  for (let document = pending.pop(); document !== undefined; document = pending.pop()) {
    for (const { text } of document.first.settings.imports) {
      const target = targetOf(text, document.uri);
      if (documents.has(target)) continue;
      const read = await port.read(text, document.uri);
      if (!read.ok) continue;
      const imported = parseDocument(path.relative(process.cwd(), target), 1, read.value);
      documents.set(target, imported);
      pending.push(imported);
    }
  }
  return { files, imports: { documentOf: (name, from) => documents.get(targetOf(name, from)) } };
}

async function readGiven(name: string): Promise<string> {
  try {
    const { size } = await stat(name);
    if (size > MAX_BYTES) throw new UsageError(`${escapeLine(name)} is larger than ${MAX_BYTES} bytes.`);
    return await readFile(name, 'utf8');
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`${name === '' ? 'A file without a name' : escapeLine(name)} ${whyUnread(error)}.`);
  }
}

const WHY: Readonly<Record<string, string>> = {
  ENOENT: 'is not there',
  ENOTDIR: 'is not there',
  EISDIR: 'is a folder; name the files in it',
  EACCES: 'is not yours to read',
};

const whyUnread = (error: unknown): string => {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return WHY[code] ?? `cannot be read${codeOf(error)}`;
};

/** The absolute path that `name` means in the file `from`. */
const targetOf = (name: string, from: string): string => path.resolve(path.dirname(from), name);

function codeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? ` (${code})` : '';
}

/** `root` is the workspace: an absolute path. */
export function createFilePort(root: string, openText: OpenText = () => undefined): FilePort {
  const isInside = async (real: string): Promise<boolean> => {
    const base = await realpath(root);
    return real === base || real.startsWith(base.endsWith(path.sep) ? base : base + path.sep);
  };
  const outside = (name: string): Result<never> =>
    failed(refusal(`${escapeLine(name)} is outside the working directory.`, 'Run from a folder that holds the file.'));
  const taken = (name: string): Result<never> =>
    failed(refusal(`${escapeLine(name)} exists already.`, 'Write >>! to overwrite it.'));

  return {
    async read(name, from) {
      try {
        const real = await realpath(targetOf(name, from));
        if (!(await isInside(real))) return outside(name);
        const open = openText(targetOf(name, from));
        if (open !== undefined) return ok(open);
        const { size } = await stat(real);
        if (size > MAX_BYTES) return failed(refusal(`${escapeLine(name)} is larger than ${MAX_BYTES} bytes.`));
        return ok(await readFile(real, 'utf8'));
      } catch (error) {
        return failed(refusal(`${escapeLine(name)} cannot be read${codeOf(error)}.`));
      }
    },
    async mayWrite(name, from, overwrite) {
      try {
        const target = targetOf(name, from);
        if (!(await isInside(await realpathOfNearest(path.dirname(target))))) return outside(name);
        const there = overwrite ? undefined : await lstat(target).catch(() => undefined);
        return there === undefined ? ok(undefined) : taken(name);
      } catch (error) {
        return failed(refusal(`${escapeLine(name)} cannot be written${codeOf(error)}.`));
      }
    },
    async write(name, from, content, overwrite) {
      try {
        const target = targetOf(name, from);
        const folder = await realpathOfNearest(path.dirname(target));
        if (!(await isInside(folder))) return outside(name);
        await mkdir(path.dirname(target), { recursive: true });
        const place = path.join(await realpath(path.dirname(target)), path.basename(target));
        await writeWhole(place, typeof content === 'string' ? content : piecesOf(content), overwrite);
        return ok(undefined);
      } catch (error) {
        if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return taken(name);
        return failed(refusal(`${escapeLine(name)} cannot be written${codeOf(error)}.`));
      }
    },
  };
}

/** The real path of the nearest folder that exists: links above a folder to be made are followed before it is made. */
async function realpathOfNearest(folder: string): Promise<string> {
  for (let at = folder; ; at = path.dirname(at)) {
    try {
      return await realpath(at);
    } catch (error) {
      if (path.dirname(at) === at) throw error;
    }
  }
}

/** Never half a file: written beside its place and moved there. A link at the place is replaced, not followed. */
export async function writeWhole(
  place: string,
  content: string | AsyncIterable<Uint8Array>,
  overwrite: boolean,
): Promise<void> {
  const draft = path.join(path.dirname(place), `.${path.basename(place)}.${randomUUID()}`);
  try {
    const file = await open(draft, 'wx');
    try {
      await writeFile(file, content);
    } finally {
      await file.close();
    }
    if (overwrite) await rename(draft, place);
    else await moveToFree(draft, place);
  } finally {
    await rm(draft, { force: true });
  }
}

/** Moves a file to a place where nothing is; EEXIST otherwise. File systems without links get an exclusive copy. */
async function moveToFree(draft: string, place: string): Promise<void> {
  try {
    await link(draft, place);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') throw error;
    await copyFile(draft, place, constants.COPYFILE_EXCL);
  }
}
