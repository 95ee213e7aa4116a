// The VSIX that the tests in the editor install: packed from what is built in dist/, and again only when that changed.
import { mkdir, rename, stat } from 'node:fs/promises';
import path from 'node:path';
import { allowedFiles, packageExtension } from '../../scripts/package.mjs';
import { ENGINES } from '../../scripts/vsix.mjs';

const root = path.join(__dirname, '..', '..');
const FILE = path.join(root, 'out', 'test.vsix');

/** The file of the VSIX for this machine, LiteSVM included where it has one. */
export async function packedExtension(): Promise<string> {
  const sources = await Promise.all(['package.json', ...(await allowedFiles())].map(changedAt));
  if ((await changedAt(FILE)) > Math.max(...sources)) return FILE;
  await mkdir(path.dirname(FILE), { recursive: true });
  const target = `${process.platform}-${process.arch}`;
  const building = `${FILE}.${process.pid}`;
  await packageExtension({ file: building, ...(ENGINES.has(target) ? { target } : {}) });
  await rename(building, FILE);
  return FILE;
}

/** In ms since 1970; 0 for a file that is not there. */
const changedAt = (file: string): Promise<number> =>
  stat(path.resolve(root, file)).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  );
