// Files of the workspace for a run: paths are resolved against the file that names them, links followed, and anything
// outside the workspace's folders, or in a window that is not trusted, is refused. Never leaves half a file.
import { randomUUID } from 'node:crypto';
import { link, lstat, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { ok, type Result, type ServiceError } from '../core/errors';
import { piecesOf } from '../core/response/stored';
import type { FilePort } from '../runner/ports';
import type { Window } from './window';

/** A file that a request names is a transaction or a list of requests, no archive. Bytes. */
const MAX_READ = 16_000_000;

/** `text` of a file that is open in the editor comes before what is on disk. */
export function createFiles(window: Window, openText: (uri: string) => string | undefined): FilePort {
  return {
    async read(name, from) {
      const place = await resolveInside(window, name, from);
      if (!place.ok) return place;
      const open = openText(pathToFileURL(place.value).href);
      if (open !== undefined) return ok(open);
      try {
        const { size } = await stat(place.value);
        if (size > MAX_READ) return refused(`${shown(name)} is larger than ${MAX_READ} bytes.`);
        return ok(await readFile(place.value, 'utf8'));
      } catch {
        return refused(`${shown(name)} cannot be read.`);
      }
    },
    async mayWrite(name, from, overwrite) {
      const place = await resolveInside(window, name, from);
      if (!place.ok) return place;
      const there = overwrite ? undefined : await lstat(place.value).catch(() => undefined);
      return there === undefined ? ok(undefined) : taken(name);
    },
    async write(name, from, content, overwrite) {
      const place = await resolveInside(window, name, from);
      if (!place.ok) return place;
      const part = `${place.value}.${randomUUID()}.part`;
      try {
        await writeFile(part, typeof content === 'string' ? content : piecesOf(content), { flag: 'wx' });
        // A link fails where the file exists, a rename replaces it; both put the whole file there at once.
        if (overwrite) await rename(part, place.value);
        else await link(part, place.value);
        return ok(undefined);
      } catch (error) {
        const exists = error instanceof Error && 'code' in error && error.code === 'EEXIST';
        if (exists) return taken(name);
        return refused(`${shown(name)} cannot be written.`);
      } finally {
        await rm(part, { force: true });
      }
    },
  };
}

/** The real path of `name`, which stands in the file with the URI `from`; its folder must exist. */
async function resolveInside(window: Window, name: string, from: string): Promise<Result<string>> {
  const permit = window.permit();
  if (!permit.ok) return permit;
  if (!from.startsWith('file:')) return refused('Only a file on disk can name other files.');
  try {
    const wanted = path.resolve(path.dirname(fileURLToPath(from)), name);
    const real = await realpath(wanted).catch(async () =>
      path.join(await realpath(path.dirname(wanted)), path.basename(wanted)),
    );
    const folders = await Promise.all(window.state.folders.map((folder) => realpath(folder).catch(() => folder)));
    const inside = folders.some((folder) => real.startsWith(folder.endsWith(path.sep) ? folder : folder + path.sep));
    return inside ? ok(real) : refused(`${shown(name)} is outside the workspace.`, 'Move it into the workspace.');
  } catch {
    return refused(`${shown(name)} cannot be found.`);
  }
}

function refused(message: string, hint?: string): { readonly ok: false; readonly error: ServiceError } {
  return { ok: false, error: { kind: 'invalidRequest', message, ...(hint !== undefined && { hint }) } };
}

const taken = (name: string) => refused(`${shown(name)} exists already.`, 'Write >>! to overwrite it.');

const shown = (name: string): string => (name.length > 200 ? `${name.slice(0, 199)}…` : name);
