// The extension as the tests in the editor have it: packed from what is built in dist/ and installed once, then copied into
// each new profile, and again only when dist/ changed.
import { cp, mkdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Editor } from '../../../scripts/editor/install.mjs';
import { withLock } from '../../../scripts/editor/lock.mjs';
import { installVsix, profileIn, type Profile } from '../../../scripts/editor/server.mjs';
import { allowedFiles, packageExtension } from '../../../scripts/package.mjs';
import { ENGINES } from '../../../scripts/vsix.mjs';

const root = path.join(__dirname, '..', '..', '..');

/** Puts the extension into a profile as the editor's own installer left it in another; much faster than that installer. */
export async function addExtension(editor: Editor, { extensions }: Profile, universal = false): Promise<void> {
  const vsix = path.join(root, 'out', universal ? 'test-universal.vsix' : 'test.vsix');
  await mkdir(path.dirname(vsix), { recursive: true });
  // Test files run in parallel; the first of them packs and installs for all.
  await withLock(`${vsix}.lock`, ignore, async () => {
    if (await isCurrent(vsix)) return;
    await packVsix(vsix, universal);
    await installOnce(editor, vsix);
  });
  await cp(installedFrom(vsix).extensions, extensions, { recursive: true });
}

/** Whether an installation is there, and newer than all that is packed. */
async function isCurrent(vsix: string): Promise<boolean> {
  const sources = await Promise.all(['package.json', ...(await allowedFiles())].map(changedAt));
  return (await changedAt(installedFrom(vsix).extensions)) > Math.max(...sources);
}

/** The VSIX for this machine, LiteSVM included where it has one; `universal`: that for any machine, without it. */
async function packVsix(vsix: string, universal: boolean): Promise<void> {
  const target = `${process.platform}-${process.arch}`;
  await packageExtension({ file: vsix, ...(!universal && ENGINES.has(target) ? { target } : {}) });
}

const installedFrom = (vsix: string): Profile => profileIn(`${vsix}.installed`);

/** An installation that was interrupted leaves no folder in its place. */
async function installOnce(editor: Editor, vsix: string): Promise<void> {
  const kept = installedFrom(vsix);
  const installing = `${kept.data}.installing`;
  const profile = profileIn(installing);
  for (const folder of [installing, kept.extensions]) await rm(folder, { recursive: true, force: true });
  await installVsix(editor, profile, vsix);
  await mkdir(path.dirname(kept.extensions), { recursive: true });
  await rename(profile.extensions, kept.extensions);
  await rm(installing, { recursive: true, force: true });
}

const ignore = (): void => undefined;

/** In ms since 1970; 0 for a file that is not there. */
const changedAt = (file: string): Promise<number> =>
  stat(path.resolve(root, file)).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  );
