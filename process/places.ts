// Real places of paths: whether a file stays inside a folder once its links are followed. A repository may hold links that
// lead anywhere.
import { existsSync, realpathSync } from 'node:fs';
import path from 'node:path';

/** The folder itself, or the nearest above it that exists. */
export function nearestFolder(folder: string): string {
  for (let at = folder; ; at = path.dirname(at)) {
    if (realOf(at) !== undefined || path.dirname(at) === at) return at;
  }
}

function realOf(place: string): string | undefined {
  try {
    return realpathSync(place);
  } catch {
    return undefined;
  }
}

/** Whether a real path lies in one of the folders. */
export const isInAny = (roots: readonly string[], real: string): boolean =>
  roots.some((root) => pathWithin(root, real) !== undefined);

/** The path of `real` from the folder `root`, whose links are followed; undefined for one outside. */
export function pathWithin(root: string, real: string): string | undefined {
  const inside = path.relative(realOf(root) ?? root, real);
  return inside === '..' || inside.startsWith(`..${path.sep}`) || path.isAbsolute(inside) ? undefined : inside;
}

/**
 * Why nothing is written to a path that the user named: a folder on the way is a link out of the repository (or, without a
 * repository, out of the working directory) that the path is in. Links elsewhere are the user's. The text follows the name
 * of the file; undefined if no link is in the way.
 */
export function whyRedirected(file: string): string | undefined {
  const folders = foldersAbove(path.resolve(file));
  const repositories = folders.filter((folder) => existsSync(path.join(folder, '.git')));
  const roots = repositories.length > 0 ? repositories : folders.filter((folder) => folder === process.cwd());
  for (const folder of folders) {
    const real = realOf(folder);
    const root =
      real === undefined ? undefined : roots.find((one) => one.length < folder.length && !isInAny([one], real));
    if (root !== undefined)
      return `is reached through the link ${folder}, which leads out of ${root}; name the folder it leads to`;
  }
  return undefined;
}

/** The outermost first. */
function foldersAbove(place: string): readonly string[] {
  const above = path.dirname(place);
  return above === place ? [] : [...foldersAbove(above), above];
}
