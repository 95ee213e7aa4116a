// The extension as the tests in the editor have it: packed from what is built in dist/ and installed once, then copied into
// each new profile, and again only when dist/ changed.
import { cp, mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Editor } from '../../../scripts/editor/install.mjs';
import { installVsix, profileIn, type Profile } from '../../../scripts/editor/server.mjs';
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

/** Puts the extension into a profile as the editor's own installer left it in another; much faster than that installer. */
export async function addExtension(editor: Editor, { extensions }: Profile, universal = false): Promise<void> {
  const vsix = await packedExtension(universal);
  const installs = `${vsix}.installed`;
  const kept = profileIn(path.join(installs, String(await changedAt(vsix))));
  if ((await changedAt(kept.extensions)) === 0) {
    // Of what was built before.
    for (const one of await readdir(installs).catch(() => []))
      if (!kept.data.startsWith(path.join(installs, one))) await rm(path.join(installs, one), FOLDER);
    const installing = `${kept.data}.${process.pid}`;
    const profile = profileIn(installing);
    await installVsix(editor, profile, vsix);
    await mkdir(path.dirname(kept.extensions), { recursive: true });
    // Where another test file was faster, its folder stays.
    await rename(profile.extensions, kept.extensions).catch(ignoreExisting);
    await rm(installing, FOLDER);
  }
  await cp(kept.extensions, extensions, { recursive: true });
}

const FOLDER = { recursive: true, force: true } as const;

function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
}

/** In ms since 1970; 0 for a file that is not there. */
const changedAt = (file: string): Promise<number> =>
  stat(path.resolve(root, file)).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  );
