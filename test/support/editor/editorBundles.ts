// Bundles the suites that run inside the editor: its extension host loads CommonJS and knows no TypeScript.
import { build } from 'esbuild';
import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';

/** Rewrites out/host/ and returns the file for the editor to load. */
export async function bundleHostSuites(root: string): Promise<string> {
  const source = path.join(root, 'test', 'host', 'suite');
  const outdir = path.join(root, 'out', 'host');
  await rm(outdir, { recursive: true, force: true });
  const files = (await readdir(source)).filter((name) => name === 'index.ts' || name.endsWith('.test.ts'));
  await build({
    entryPoints: files.map((name) => path.join(source, name)),
    outdir,
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    sourcemap: 'inline',
    logLevel: 'warning',
    external: ['vscode', 'mocha', 'litesvm'],
  });
  return path.join(outdir, 'index.js');
}
