// `npm run bench`: builds what is shipped, bundles the benchmarks and runs them as plain JavaScript. What runs TypeScript
// from source wraps every function, which costs more than some of what is measured here.
import { build } from 'esbuild';
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const root = path.join(import.meta.dirname, '..');
const outdir = path.join(root, 'out');
execFileSync(process.execPath, ['esbuild.mjs'], { cwd: root, stdio: 'inherit' });
await build({
  absWorkingDir: root,
  entryPoints: {
    bench: 'bench/main.ts',
    load: 'bench/load.ts',
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
  logLevel: 'warning',
});
await import(pathToFileURL(path.join(outdir, 'bench.mjs')).href);
