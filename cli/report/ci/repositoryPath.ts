// Names a file as build servers do: from the root of the checkout, with forward slashes.
import path from 'node:path';
import { STANDARD_INPUT } from '../../session/given';

/** Where paths are taken from; `paths` is that of another platform in tests. */
export interface Checkout {
  /** The working directory. */
  readonly folder: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly paths?: path.PlatformPath;
}

/**
 * `name` is as the command line gave it. The root is GITHUB_WORKSPACE where that holds the file, else the working
 * directory; undefined for standard input and for a file outside of both.
 */
export function repositoryPath(name: string, { folder, environment, paths = path }: Checkout): string | undefined {
  if (name === STANDARD_INPUT) return undefined;
  const file = paths.resolve(folder, name);
  for (const root of [environment['GITHUB_WORKSPACE'] ?? '', folder]) {
    if (root === '') continue;
    const below = paths.relative(root, file);
    const isOutside = below === '' || below === '..' || below.startsWith(`..${paths.sep}`) || paths.isAbsolute(below);
    if (!isOutside) return below.split(paths.sep).join('/');
  }
  return undefined;
}
