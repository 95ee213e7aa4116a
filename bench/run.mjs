// `npm run bench`: builds what is shipped, bundles the benchmarks and runs them as plain JavaScript. What runs TypeScript
// from source wraps every function, which costs more than some of what is measured here.
import { build } from 'esbuild';
import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * The helpers of the tests find the product by the folder that they lie in, which a bundle of them does not share.
 * @type {import('esbuild').Plugin}
 */
const testHelpersStay = {
  name: 'test-helpers-stay',
  setup(building) {
    building.onLoad({ filter: /[\\/]test[\\/]support[\\/].*\.ts$/ }, async ({ path: file }) => ({
      contents: (await readFile(file, 'utf8')).replaceAll(
        /\b(?:import\.meta\.dirname|__dirname)\b/g,
        JSON.stringify(path.dirname(file)),
      ),
      loader: 'ts',
    }));
  },
};

const root = path.join(import.meta.dirname, '..');
const outdir = path.join(root, 'out');
execFileSync(process.execPath, ['esbuild.mjs'], { cwd: root, stdio: 'inherit' });
await build({
  absWorkingDir: root,
  entryPoints: {
    bench: 'bench/main.ts',
    load: 'bench/localnet/load.ts',
    'cold/child': 'bench/cold/child.ts',
    'large/serve': 'bench/large/serve.ts',
    'large/child': 'bench/large/child.ts',
    'streams/serve': 'bench/streams/serve.ts',
    'panel/child': 'bench/panel/child.ts',
    'panel/oneByOne': 'bench/panel/oneByOne.ts',
    'panel/puller': 'client/webview/shared/puller.ts',
  },
  outdir,
  outExtension: { '.js': '.mjs' },
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  packages: 'external',
  plugins: [testHelpersStay],
  logLevel: 'warning',
});
await import(pathToFileURL(path.join(outdir, 'bench.mjs')).href);
