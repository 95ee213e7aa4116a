// Writes docs/methods.md from the method records; `--check` only compares and fails when the file is out of date.
import { build } from 'esbuild';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

const root = path.join(import.meta.dirname, '..');
const file = path.join(root, 'docs', 'methods.md');

const bundle = await build({
  entryPoints: [path.join(root, 'core', 'methods', 'reference.ts')],
  bundle: true,
  write: false,
  format: 'esm',
  logLevel: 'error',
});
const source = Buffer.from(bundle.outputFiles[0]?.contents ?? []).toString('base64');
const { methodsReference } = await import(`data:text/javascript;base64,${source}`);
const text = methodsReference();

if (process.argv.includes('--check')) {
  const present = await readFile(file, 'utf8').catch(() => '');
  if (present !== text) {
    process.stderr.write('docs/methods.md is out of date: run node scripts/docs.mjs\n');
    process.exitCode = 1;
  }
} else {
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, text);
}
