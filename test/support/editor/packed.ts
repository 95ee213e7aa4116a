// The VSIX that the tests in the editor install: packed from what is built in dist/, and again only when that changed.
import { mkdir, rename, stat } from 'node:fs/promises';
import path from 'node:path';
import { allowedFiles, packageExtension } from '../../../scripts/package.mjs';
import { ENGINES } from '../../../scripts/vsix.mjs';

const root = path.join(__dirname, '..', '..', '..');

/** The file of the VSIX for this machine, LiteSVM included where it has one; `universal`: that for any machine, without it. */
export async function packedExtension(universal = false): Promise<string> {
  const file = path.join(root, 'out', universal ? 'test-universal.vsix' : 'test.vsix');
  const sources = await Promise.all(['package.json', ...(await allowedFiles())].map(changedAt));
  if ((await changedAt(file)) > Math.max(...sources)) return file;
  await mkdir(path.dirname(file), { recursive: true });
  const target = `${process.platform}-${process.arch}`;
  const building = `${file}.${process.pid}`;
  await packageExtension({ file: building, ...(!universal && ENGINES.has(target) ? { target } : {}) });
  await rename(building, file);
  return file;
}

/** In ms since 1970; 0 for a file that is not there. */
const changedAt = (file: string): Promise<number> =>
  stat(path.resolve(root, file)).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  );
