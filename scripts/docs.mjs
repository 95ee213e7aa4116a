// Writes the pages of docs/ that are made from tables in core; `--check` only compares and fails when one is out of date.
import { build } from 'esbuild';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

const root = path.join(import.meta.dirname, '..');
const PAGES = [
  { page: 'methods.md', module: 'core/methods/reference.ts', make: 'methodsReference' },
  { page: 'streams.md', module: 'core/streams/reference.ts', make: 'streamsReference' },
  { page: 'diagnostics.md', module: 'core/language/reference.ts', make: 'diagnosticsReference' },
];

for (const { page, module, make } of PAGES) {
  const file = path.join(root, 'docs', page);
  const bundle = await build({
    entryPoints: [path.join(root, module)],
    bundle: true,
    write: false,
    format: 'esm',
    logLevel: 'error',
  });
  const source = Buffer.from(bundle.outputFiles[0]?.contents ?? []).toString('base64');
  const text = (await import(`data:text/javascript;base64,${source}`))[make]();
  if (process.argv.includes('--check')) {
    const present = await readFile(file, 'utf8').catch(() => '');
    if (present !== text) {
      process.stderr.write(`docs/${page} is out of date: run node scripts/docs.mjs\n`);
      process.exitCode = 1;
    }
  } else {
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, text);
  }
}
