// Turns every TypeScript file into JavaScript once, before the test files start: each of them is a separate process, which
// then loads plain JavaScript (required.cjs).
import { build } from 'esbuild';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { ROOMS } from '../directions.mjs';

/** Folders that tests load besides the rooms. */
const OTHERS = ['test', 'bench'];
const LEFT_OUT = /(^|\/)(node_modules|fixtures)\/|\.d\.ts$/;

/**
 * @param {string} root
 * @param {string} folder gets the JavaScript of ROOT/a/b.ts as a/b.js
 * @param {readonly string[]} [files] absent: every source
 */
export async function compileSources(root, folder, files) {
  await build({
    absWorkingDir: root,
    entryPoints: files?.slice() ?? (await sourcesIn(root)),
    outbase: root,
    outdir: folder,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    // Files loaded by `import()` are files of the tree too, named without an ending.
    supported: { 'dynamic-import': false },
    define: { 'import.meta.dirname': '__dirname' },
    // Some of bench/ is for bundles alone.
    logOverride: { 'empty-import-meta': 'silent' },
    sourcemap: true,
    logLevel: 'warning',
  });
}

/** @param {string} root */
async function sourcesIn(root) {
  const folders = [...Object.keys(ROOMS), ...OTHERS];
  const all = await Promise.all(
    folders.map(async (folder) => {
      const names = await readdir(path.join(root, folder), { recursive: true }).catch(() => []);
      return names.filter((name) => name.endsWith('.ts')).map((name) => path.join(folder, name));
    }),
  );
  return all.flat().filter((name) => !LEFT_OUT.test(name.replaceAll('\\', '/')));
}
