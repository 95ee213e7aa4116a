// Files that request files name, for a run: paths stay inside the workspace once their links are followed, and a response
// is never saved where it would run or configure something.
import { realpathSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { unsafeSavePlace } from '../core/requests/document/savePlace';
import { failed, ok, type Result, type ServiceError } from '../core/service/errors';
import { FILE_BYTES, type FileKind } from '../core/service/fileKinds';
import { bytesInPieces } from '../core/service/response/stored';
import type { BodyFile } from '../core/requests/run/model';
import { fileRefused, makeFolderOf, readRegularText, whyUnwritable, writeWhole, type FileRefused } from './files';
import { isInAny, nearestFolder, pathWithin } from './places';

export interface WorkspaceFilesOptions {
  /** The folders of the workspace, as absolute paths. */
  readonly roots: () => readonly string[];
  /** The absolute path that `name` means in the file `from`. */
  readonly resolve: (name: string, from: string) => Result<string>;
  /** The text of a file that an editor has open. */
  readonly openText: (place: string) => string | undefined;
  /** A name in a message. */
  readonly shown: (name: string) => string;
  /** The message for a name outside the workspace. */
  readonly outside: (name: string) => ServiceError;
}

/** The file port of a run. */
export interface WorkspaceFiles {
  read(name: string, from: string, kind: FileKind): Promise<Result<string>>;
  mayWrite(name: string, from: string, overwrite: boolean): Promise<Result<void>>;
  write(name: string, from: string, content: string | BodyFile, overwrite: boolean): Promise<Result<void>>;
}

export function createWorkspaceFiles({
  roots,
  resolve,
  openText,
  shown,
  outside,
}: WorkspaceFilesOptions): WorkspaceFiles {
  const refusal = (name: string, { code, message }: FileRefused): Result<never> =>
    failed({
      kind: 'invalidRequest',
      message: `${shown(name)} ${message}.`,
      ...(code === 'EEXIST' && { hint: 'Write >>! to overwrite it.' }),
    });
  const placeOf = (name: string, from: string): Result<string> => {
    const wanted = resolve(name, from);
    if (!wanted.ok) return wanted;
    try {
      const place = savePlace(roots(), wanted.value);
      if (place.kind === 'inside') return ok(place.path);
      return failed(place.kind === 'outside' ? outside(name) : { kind: 'invalidRequest', message: place.reason });
    } catch (error) {
      return refusal(name, fileRefused(error, 'written'));
    }
  };

  return {
    async read(name, from, kind) {
      const wanted = resolve(name, from);
      if (!wanted.ok) return wanted;
      try {
        const real = await realpath(wanted.value);
        if (!isInAny(roots(), real)) return failed(outside(name));
        const open = openText(wanted.value) ?? openText(real);
        return ok(open ?? (await readRegularText(real, FILE_BYTES[kind])));
      } catch (error) {
        return refusal(name, fileRefused(error, 'read'));
      }
    },
    async mayWrite(name, from, overwrite) {
      const place = placeOf(name, from);
      if (!place.ok) return place;
      const obstacle = whyUnwritable(place.value, overwrite);
      return obstacle === undefined ? ok(undefined) : refusal(name, obstacle);
    },
    async write(name, from, content, overwrite) {
      let place = placeOf(name, from);
      if (!place.ok) return place;
      try {
        await makeFolderOf(place.value);
      } catch (error) {
        return refusal(name, fileRefused(error, 'written'));
      }
      // Somebody may have put a link in the way meanwhile.
      place = placeOf(name, from);
      if (!place.ok) return place;
      try {
        await writeWhole(place.value, typeof content === 'string' ? content : bytesInPieces(content), { overwrite });
        return ok(undefined);
      } catch (error) {
        return refusal(name, fileRefused(error, 'written'));
      }
    },
  };
}

export type SavePlace =
  | { readonly kind: 'inside'; readonly path: string }
  | { readonly kind: 'outside' }
  /** `reason`: a sentence. */
  | { readonly kind: 'unsafe'; readonly reason: string };

/** The real path where a response would be saved: links resolved, including for folders that do not exist yet. */
export function savePlace(roots: readonly string[], wanted: string): SavePlace {
  const folder = path.dirname(wanted);
  const nearest = nearestFolder(folder);
  const place = path.join(realpathSync(nearest), path.relative(nearest, folder), path.basename(wanted));
  const insides = roots.flatMap((root) => pathWithin(root, place) ?? []);
  const [first] = insides;
  if (first === undefined) return { kind: 'outside' };
  // A workspace may lie in a folder with a dot; of several that hold the place, the outermost sees most of the path.
  const longest = insides.reduce((left, right) => (right.length > left.length ? right : left), first);
  const reason = unsafeSavePlace(longest);
  return reason === undefined ? { kind: 'inside', path: place } : { kind: 'unsafe', reason };
}
