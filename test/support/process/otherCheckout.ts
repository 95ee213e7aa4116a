// This checkout again, in another folder and as somebody with another mask of new files has it: for what must not depend on
// where, and by whom, it is built.
import { execFileSync } from 'node:child_process';
import { chmod, cp, lstat, mkdir, readdir, stat, symlink } from 'node:fs/promises';
import path from 'node:path';
import { bundledPackages } from '../../../scripts/notices.mjs';

const root = path.join(__dirname, '..', '..', '..');
const MODULES = 'node_modules';

/** `folder`: not there yet. Nothing is built in it. */
export async function copyCheckout(folder: string): Promise<void> {
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: root });
  for (const name of listed.toString('utf8').split('\0')) {
    // A deleted file is listed until the next commit.
    const found = await lstat(path.join(root, name)).catch(() => undefined);
    if (name === '' || found?.isFile() !== true) continue;
    await cp(path.join(root, name), path.join(folder, name));
    const { mode } = await stat(path.join(folder, name));
    await chmod(path.join(folder, name), mode | 0o060);
  }
  // Bundles name their modules by path, which a link would change: only the tools are links.
  const bundled = new Set(await bundledPackages());
  for (const name of await packages()) {
    const place = path.join(folder, MODULES, name);
    await mkdir(path.dirname(place), { recursive: true });
    if (bundled.has(path.posix.join(MODULES, name)))
      await cp(path.join(root, MODULES, name), place, { recursive: true });
    else await symlink(path.join(root, MODULES, name), place, 'junction');
  }
}

async function packages(): Promise<readonly string[]> {
  const names = (await readdir(path.join(root, MODULES))).filter((name) => !name.startsWith('.'));
  const inScopes = names
    .filter((name) => name.startsWith('@'))
    .map(async (scope) => (await readdir(path.join(root, MODULES, scope))).map((name) => `${scope}/${name}`));
  return [...names.filter((name) => !name.startsWith('@')), ...(await Promise.all(inScopes)).flat()];
}
