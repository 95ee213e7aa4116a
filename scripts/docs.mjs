// Writes what is generated from tables: pages of docs/ from core, the kinds of faults in docs/local-service.md, and the
// directions in ARCHITECTURE.md. `--check` only compares and fails if one is out of date.
import { build } from 'esbuild';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { directionsTable } from './directions.mjs';

const root = path.join(import.meta.dirname, '..');
const PAGES = [
  { page: 'methods.md', module: 'core/requests/methods/reference.ts', make: 'methodsReference' },
  { page: 'packs.md', module: 'core/requests/methods/reference.ts', make: 'packsReference' },
  { page: 'streams.md', module: 'core/service/streams/reference.ts', make: 'streamsReference' },
  { page: 'providers.md', module: 'core/service/providers/reference.ts', make: 'providersReference' },
  { page: 'diagnostics.md', module: 'core/requests/diagnostics/reference.ts', make: 'diagnosticsReference' },
];

for (const { page, module, make } of PAGES) await put(path.join('docs', page), (await load(module))[make]());

const localService = await readFile(path.join(root, 'docs/local-service.md'), 'utf8');
const { withFaultKinds } = await load('localnet/faults/reference.ts');
await put('docs/local-service.md', withFaultKinds(localService));

const architecture = await readFile(path.join(root, 'ARCHITECTURE.md'), 'utf8');
const tableAt = architecture.indexOf('| Folder | Other rooms');
const tableEnd = architecture.indexOf('\n\n', tableAt);
await put('ARCHITECTURE.md', architecture.slice(0, tableAt) + directionsTable() + architecture.slice(tableEnd));

/** @param {string} module from the root */
async function load(module) {
  const bundle = await build({
    entryPoints: [path.join(root, module)],
    bundle: true,
    write: false,
    format: 'esm',
    logLevel: 'error',
  });
  const source = Buffer.from(bundle.outputFiles[0]?.contents ?? []).toString('base64');
  return import(`data:text/javascript;base64,${source}`);
}

/** @param {string} name from the root @param {string} text */
async function put(name, text) {
  const file = path.join(root, name);
  if (!process.argv.includes('--check')) {
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, text);
    return;
  }
  const present = await readFile(file, 'utf8').catch(() => '');
  if (present === text) return;
  process.stderr.write(`${name} is out of date: run node scripts/docs.mjs\n`);
  process.exitCode = 1;
}
